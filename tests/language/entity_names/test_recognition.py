"""Recognition: names by their context and by what is known, and nothing where a capital means something else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.entity_names import recognise
from recollect.records.entity import parse_entity_key

NAMED = {
    "my wife Jane loves tea": "person:jane",
    "Dr. Patel said I should rest": "person:dr_patel",
    "our client Acme Corp pays late": "org:acme_corp",
    "My manager, Tom Reed, likes tea": "person:tom_reed",
    "cousin Wolfgang crashed my car": "person:wolfgang",
    "User went to the cinema with Jane": "person:jane",
    "I work at Acme": "org:acme",
    "I live in Lisbon and my sister moved to Ghent": "place:lisbon place:ghent",
    "User moved to Austin, Texas last year": "place:austin_texas",
    "we are kicking off project Phoenix": "project:phoenix",
    "Project Phoenix starts soon": "project:phoenix",
    "our app Nimbus crashed": "project:nimbus",
    "the Atlas migration is late": "project:atlas",
    "I studied at the University of Vienna": "org:university_of_vienna",
    "Jane's birthday is in March": "person:jane",
    "Anna and I went hiking": "person:anna",
    "my sons Max and Leo play soccer": "person:max person:leo",
    "I had lunch with Sarah, Tom and Priya": "person:sarah person:tom person:priya",
    "Mom lives in Seattle": "person:mom place:seattle",
    "I met Makesh at the conference": "person:makesh",
    "Jane, my wife, is a doctor": "person:jane",
    "Tom is User's boss": "person:tom",
    "Aunt May lives in Rome": "person:may place:rome",
    "my friend from work, Ana-Maria O'Brien, called": "person:ana_maria_obrien",
    "I talked to Jürgen Müller yesterday": "person:jürgen_müller",
    "User works at IBM": "org:ibm",
    "I work for Siemens in Munich": "org:siemens place:munich",
    "he works with Python in Berlin": "place:berlin",
    "flight to Tokyo on Friday": "place:tokyo",
    "I flew to New York City with Anna": "place:new_york_city person:anna",
    "User's doctor is named Dr. Lee.": "person:dr_lee",
    "dinner at Nobu with Maria Gonzalez": "org:nobu person:maria_gonzalez",
    "we meet at Jane's": "person:jane",
    "I'm building Nimbus with Tom": "project:nimbus person:tom",
    "my landlord, Mr. Henderson, raised the rent": "person:mr_henderson",
    "I told Sarah that Berlin is great": "person:sarah place:berlin",
    "User's friend Bob Smith lives in Oslo": "person:bob_smith place:oslo",
    "my sister's name is Clara": "person:clara",
    "I'm from Graz": "place:graz",
    "My boss is Anna": "person:anna",
    "John Smith Jr. called me": "person:john_smith_jr",
    "a girl named Ximena sat beside me": "person:ximena",
    "our supplier Northwind raised prices": "org:northwind",
    "I work at Netflix now": "org:netflix",
    "my colleague Anna van der Berg left": "person:anna_van_der_berg",
    "I broke up with Bjarne": "person:bjarne",
}
UNNAMED = (
    "My name is Jane",
    "I'm Jane",
    "Call me Jane",
    "User is named Jane",
    "I speak German and French",
    "I use Notion and Slack",
    "Will you mark this as done?",
    "May I ask a question",
    "Windows crashed again",
    "I love Taylor Swift",
    "Happy Birthday to you",
    "The meeting is on Monday",
    "I read Harry Potter",
    "Harry Potter is my favourite book",
    "We celebrate Christmas with family",
    "Everyone said it was fine",
    "Marketing wants a new logo",
    "I'm good at Excel",
    "looking at Netflix",
    "I believe in God",
    "THE QUICK BROWN FOX IS IN LONDON",
    "How To Train Your Dragon In Berlin",
    "see https://Acme.com/Jane and @Tom or #Berlin",
    '"Anna Karenina" is on my list',
    "run `Deploy Berlin` first",
    "I'm working on Sunday",
    "Hi Tom, thanks for the mail",
    "Thanks, Anna!",
    "Got it, Nate.",
    "The Python project is done",
    "my therapist recommended Sertraline",
    "I take Metformin and Ibuprofen",
    "My boss is American",
    "I think I'll go with Mailchimp",
    "You've told me that before",
    "I have a trip to Santa Barbara",
    "The AWS migration is done",
    "in March I start my new job",
    "i met jane in lisbon",
    "Can we move to Kanban?",
    "My dog Rex is ill",
    "I'm interested in Rust",
    "Tell Alexa to stop",
    "Legend says it was a Tuesday",
    "Check the Appendix and Figure 3",
    "Rose bushes need water",
    "User prefers Vim over Emacs",
    "",
)


def _keys(text: str, known: dict[str, str] | None = None) -> list[str]:
    return [item.key for item in recognise(text, known or {})]


@pytest.mark.parametrize(("text", "keys"), NAMED.items())
def test_names_by_their_context(text: str, keys: str) -> None:
    """What stands around a name says that it is one, and of what."""
    assert _keys(text) == keys.split()


@pytest.mark.parametrize("text", UNNAMED)
def test_a_capital_alone_is_no_name(text: str) -> None:
    """Months, languages, tools, titles of works, greetings and the user's own name are no entities."""
    assert _keys(text) == []


KNOWN = {
    "person:makesh": "Makesh",
    "person:will": "Will",
    "org:acme": "Acme",
    "person:王小明": "王小明",
    "person:john_doe": "John Doe",
    "place:new_york": "New York",
    "person:gregory_house": "Dr. House",
    "person:анна": "Анна",
    "person:jane": "Jane",
    "project:dashboard": "Dashboard",
}


@pytest.mark.parametrize(
    ("text", "keys"),
    {
        "i saw makesh today": "person:makesh",
        "will you come": "",
        "Will you come": "",
        "Will is coming": "person:will",
        "will is coming": "",
        "I asked Will": "person:will",
        "acme is late": "",
        "Acme is late": "org:acme",
        "我和王小明去吃饭": "person:王小明",
        "john doe called": "person:john_doe",
        "Jane Smith called": "person:jane_smith",
        "i love new york": "place:new_york",
        "dr. house was rude": "person:gregory_house",
        "анна пришла": "person:анна",
        "the dashboard is red": "",
        "Jane's car": "person:jane",
        "Jane and Bob argued": "person:jane person:bob",
        "nothing of the kind": "",
    }.items(),
)
def test_known_names(text: str, keys: str) -> None:
    """Known names are found in any case, unless they are ordinary words or part of a longer name."""
    assert _keys(text, KNOWN) == keys.split()


def test_a_mention_says_where_it_stands() -> None:
    """The span is the name as written, without its possessive ending."""
    text = "We were at my wife Jane's place"
    (found,) = recognise(text)
    assert (found.label, text[found.start : found.end]) == ("Jane", "Jane")


_PIECES = st.sampled_from(
    "my wife Jane Dr. Patel at Acme Corp in Lisbon , and with Tom's lunch project Phoenix the migration 王小明 É. "
    "O'Brien Mom's von der University of . ! \" ` @ / I İstanbul e\u0301 Jr. named called is User".split(" ")
)


@given(st.lists(_PIECES, max_size=25).map(" ".join) | st.text(max_size=80), st.booleans())
def test_spans_never_overlap(text: str, knows: bool) -> None:
    """Whatever the text: no error, spans in order and apart, labels from the text, keys that are keys."""
    last = 0
    for item in recognise(text, KNOWN if knows else {}):
        assert last <= item.start < item.end <= len(text)
        assert " ".join(text[item.start : item.end].split()) == item.label
        assert str(parse_entity_key(item.key)) == item.key
        assert 0 < item.confidence <= 1
        last = item.end
