"""What is stated, asked, doubted and made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.clause import Mood, clauses, without_lead
from recollect.language.sentence import LONGEST


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("I'm tall, what should I wear?", [("I'm tall", "stated"), ("what should I wear?", "asked")]),
        ("I'm tall what should I wear?", [("I'm tall", "stated"), ("what should I wear?", "asked")]),
        ("What should I wear, I'm tall?", [("What should I wear", "asked"), ("I'm tall?", "stated")]),
        ("So I'm tall?", [("So I'm tall?", "asked")]),
        ("I'm tall, right?", [("I'm tall", "stated"), ("right?", "stated")]),
        ("is my son tall", [("is my son tall", "asked")]),
        ("If I'm tall, I duck.", [("If I'm tall", "supposed"), ("I duck.", "stated")]),
        ("I duck if I'm tall", [("I duck", "stated"), ("if I'm tall", "supposed")]),
        ("Maybe I'm tall", [("Maybe I'm tall", "hedged")]),
        ("I'm tall, I think", [("I'm tall", "hedged"), ("I think", "hedged")]),
        ("Imagine I'm tall", [("Imagine I'm tall", "supposed")]),
        ("I'm tall lol", [("I'm tall lol", "supposed")]),
        ("I'm tall because I'm old", [("I'm tall", "stated"), ("because I'm old", "stated")]),
        ("Heads up - I'm tall", [("Heads up", "stated"), ("I'm tall", "stated")]),
        ("- I'm tall\n2. I'm old", [("I'm tall", "stated"), ("I'm old", "stated")]),
    ],
)
def test_clauses_and_their_moods(text: str, expected: list[tuple[str, str]]) -> None:
    """Each clause is said in one sense, and neighbours may differ."""
    assert [(clause.text, clause.mood.value) for clause in clauses(text)] == expected


@pytest.mark.parametrize(
    "text",
    [
        "Translate: I am tall and thin",
        "How do you say I am tall in Thai?",
        '"I am very tall"',
        "```\nI am tall\n```",
        "> I am tall",
        "`I am tall`",
        "In my novel he is tall. He ducks.",
        "Let's pretend I'm tall",
        "Write a story about a tall man. He is tall.",
    ],
)
def test_other_voices_state_nothing(text: str) -> None:
    """Material, quotations, code and stories have no statement of the author."""
    assert not [
        clause for clause in clauses(text) if clause.mood is Mood.STATED and "tall" in clause.text.lower()
    ]


def test_beside_a_story_the_author_speaks_for_themself() -> None:
    """A first-person sentence next to talk of a novel counts, a third-person one belongs to the novel."""
    found = clauses("I read a novel. My son is tall. He is thin.")
    assert [clause.text for clause in found if clause.mood is Mood.STATED] == ["My son is tall."]


@pytest.mark.parametrize(
    ("text", "extended"),
    [
        ("My dad is tall, had surgery in 2010", "My dad is tall, had surgery in 2010"),
        ("I like red, blue, and green", "I like red, blue, and green"),
        ("I'm tall, so what should I wear?", "I'm tall"),
        ("I'm tall, the meeting is at five in the afternoon", "I'm tall"),
    ],
)
def test_a_statement_reaches_as_far_as_it_goes_on(text: str, extended: str) -> None:
    """Lists and continuations belong to a statement, new thoughts do not."""
    assert clauses(text)[0].extended == extended


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("Dr. Lee gave 2.5 mg. Fine!\nNext", ["Dr. Lee gave 2.5 mg.", "Fine!", "Next"]),
        ("**Note:** I'm tall", ["Note", "I'm tall"]),
        ("| I am tall |\n| --- |\nI am old", ["I am old"]),
    ],
)
def test_sentences_are_those_of_any_text(text: str, said: list[str]) -> None:
    """Abbreviations and decimals end no clause, marks are no words, and a table states nothing."""
    assert [clause.text for clause in clauses(text)] == said


def test_the_lead_is_no_part_of_a_statement() -> None:
    """Greetings and requests to remember are taken off."""
    assert without_lead("Hi, please note that I'm tall") == "I'm tall"
    assert without_lead("My doctor said I'm tall") == "I'm tall"
    assert without_lead("I'm tall") == "I'm tall"


@given(st.text(max_size=2000))
def test_no_piece_is_too_long(text: str) -> None:
    """Any text can be cut, and no rule ever reads more than the longest piece."""
    assert all(len(clause.extended) <= LONGEST for clause in clauses(text))
