"""Third-person phrasing: each expected sentence was judged by reading it, not copied from the program."""

import re

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from recollect.language.phrasing import third_person

SAVE_MEMORY_TOOL = [
    ("I am a software engineer", "User is a software engineer"),
    ("My wife is Jane", "User's wife is named Jane"),
    ("I prefer TypeScript", "User prefers TypeScript"),
    ("I'm based in London", "User is based in London"),
    ("Remember that I prefer dark mode", "User prefers dark mode"),
    ("My name is John", "User's name is John"),
    ("I work with Sarah on the backend", "User works with Sarah on the backend"),
    ("Save this: I'm building a SaaS product", "User is building a SaaS product"),
    ("Remember that I like TypeScript", "User likes TypeScript"),
    ("I might try Python someday", "User might try Python someday"),
]

PRONOUNS = [
    ("Call me Bob", "Call User Bob"),
    ("me and my wife", "User and User's wife"),
    ("Me and John work at Acme", "User and John work at Acme"),
    ("a friend of mine lives in Oslo", "a friend of User's lives in Oslo"),
    ("The red car is mine", "The red car is User's"),
    ("Mine is blue", "User's is blue"),
    ("Your car is faster than mine", "Your car is faster than User's"),
    ("I taught myself Python", "User taught themself Python"),
    ("My wife and myself moved", "User's wife and User moved"),
    ("We are expecting a baby", "User and others are expecting a baby"),
    ("We live in Berlin", "User and others live in Berlin"),
    ("We've got three cats", "User and others have got three cats"),
    ("We don't eat meat", "User and others don't eat meat"),
    ("Our dog is called Rex", "User's dog is called Rex"),
    ("The house is ours", "The house is User's"),
    ("They visited us in May", "They visited User and others in May"),
    ("We built it ourselves", "User and others built it themselves"),
    ("John is my cofounder; handles backend", "John is User's cofounder; handles backend"),
    ("Jane, my wife, is a doctor", "Jane, User's wife, is a doctor"),
    ("You can call me Al", "You can call User Al"),
    ("My goal: I want to run a marathon", "User's goal: User wants to run a marathon"),
    ("- I like tea\n- I live in Rome", "- User likes tea\n- User lives in Rome"),
    ("I like it when you explain and give examples", "User likes it when you explain and give examples"),
]

ROLES = [
    ("My wife is Jane Doe.", "User's wife is named Jane Doe."),
    ("My mother-in-law is Maria van der Berg", "User's mother-in-law is named Maria van der Berg"),
    ("My sons are Tom and Max", "User's sons are named Tom and Max"),
    ("My neighbors are Tom, Ann and Bo", "User's neighbors are named Tom, Ann and Bo"),
    ("My best friend is Tom and he lives in Oslo", "User's best friend is named Tom and he lives in Oslo"),
    ("My brother's wife is Anna", "User's brother's wife is named Anna"),
    ("My doctor is Dr. Lee.", "User's doctor is named Dr. Lee."),
    ("My teacher is Mr. Brown", "User's teacher is named Mr. Brown"),
    ("My boss is Julian", "User's boss is named Julian"),
    ("Our dog is Rex", "User's dog is named Rex"),
    ("My wife is a doctor", "User's wife is a doctor"),
    ("My wife is American", "User's wife is American"),
    ("My wife is Jane's boss", "User's wife is Jane's boss"),
    ("My dog is German", "User's dog is German"),
    ("My husband is Catholic", "User's husband is Catholic"),
    ("My brother is CEO of Acme", "User's brother is CEO of Acme"),
    ("My wife is Head of Marketing", "User's wife is Head of Marketing"),
    ("My friend is Google certified", "User's friend is Google certified"),
    ("My manager is on leave", "User's manager is on leave"),
    ("My wife's name is Anna", "User's wife's name is Anna"),
    ("Jane is my wife", "Jane is User's wife"),
]

CONTRACTIONS = [
    ("I've been living in Berlin since 2019", "User has been living in Berlin since 2019"),
    ("I've got two kids", "User has got two kids"),
    ("I'd been there", "User had been there"),
    ("I'd never been abroad before 2010", "User had never been abroad before 2010"),
    ("I'd like tea", "User would like tea"),
    ("I'd rather work alone", "User would rather work alone"),
    ("I'd better go", "User had better go"),
    ("I'll turn 40 in May", "User will turn 40 in May"),
    ("I'm not a morning person", "User is not a morning person"),
    ("I don't drink", "User doesn't drink"),
    ("I do not like spam", "User does not like spam"),
    ("I haven't been to Japan", "User hasn't been to Japan"),
    ("I wasn't there", "User wasn't there"),
    ("I can't eat gluten", "User can't eat gluten"),
    ("I could've gone", "User could've gone"),
    ("I ain't got time", "User hasn't got time"),
    ("I ain't going", "User isn't going"),
    ("I’m allergic to nuts and don’t eat shellfish", "User is allergic to nuts and doesn’t eat shellfish"),
    ("im a developer", "User is a developer"),
    ("ive lived in Rome for 5 years", "User has lived in Rome for 5 years"),
    ("i dont like olives", "User doesn't like olives"),
    ("i live in rome and i work at a bank", "User lives in rome and User works at a bank"),
    ("i think, therefore i am", "User thinks, therefore User is"),
    ("I wanna learn Spanish", "User wants to learn Spanish"),
    ("I gotta leave", "User has to leave"),
]

#: Past forms that do not end in -ed, of verbs whose present looks different.
IRREGULAR = """
    arose ate awoke babysat became began bent bit bled blew bore bought bound bred broke brought built burnt came caught chose clung
    crept dealt did dove drank dreamt drew drove dug dwelt fed fell felt fled flew flung forbade foresaw foretold forgave forgot forsook
    fought found froze gave got grew had heard held hid hung hurt kept knelt knew laid leant leapt learnt led left lent lit lost made
    meant met mislaid misled misspelt misspent misspoke mistook misunderstood outdid outgrew outran outsold outspent overate overcame
    overdid overheard overpaid overran oversaw overslept overspent overthrew overtook paid partook pled prepaid quit ran rang rebuilt
    redid redrew relit remade repaid resold retaught rethought retold retook rewound rewrote rode rose said sang sank sat saw sent
    shod shone shook shot shrank slept slew slid slung slunk smelt snuck sold sought spat sped spelt spent spilt spoilt spoke sprang spun stank
    stole stood strode strove struck strung stuck stung swam swept swore swung taught thought threw told took tore trod underwent
    understood undertook undid unwound upheld was wept went withdrew withheld withstood woke won wore wound wove wrote wrung
""".split()

AGREEMENT = [
    ("I study physics", "User studies physics"),
    ("I watch anime", "User watches anime"),
    ("I go to the gym", "User goes to the gym"),
    ("I do yoga every morning", "User does yoga every morning"),
    ("I have been to Peru", "User has been to Peru"),
    ("I focus on backend", "User focuses on backend"),
    ("I fix bikes", "User fixes bikes"),
    ("I echo that", "User echoes that"),
    ("I need help with my taxes", "User needs help with User's taxes"),
    ("I rely on my calendar", "User relies on User's calendar"),
    ("I sing", "User sings"),
    ("I self-host everything", "User self-hosts everything"),
    ("I grok Haskell", "User groks Haskell"),
    ("I went to Paris last year", "User went to Paris last year"),
    ("I moved to Austin in 2020", "User moved to Austin in 2020"),
    ("I used to smoke", "User used to smoke"),
    ("I quit smoking", "User quit smoking"),
    ("I slept badly in the flat", "User slept badly in the flat"),
    ("I babysat and overheard it", "User babysat and overheard it"),
    ("I smelt gas", "User smelt gas"),
    ("I fell and hit my head", "User fell and hit User's head"),
    ("I just cut my finger", "User just cut User's finger"),
    ("I hit a deer", "User hit a deer"),
    ("I hit the gym every day", "User hits the gym every day"),
    ("I moved here and read a lot", "User moved here and reads a lot"),
    ("I resent him", "User resents him"),
    ("I read books", "User reads books"),
    ("I read it last year", "User read it last year"),
    ("I put sugar in my coffee", "User puts sugar in User's coffee"),
    ("I must avoid gluten", "User must avoid gluten"),
    ("If I were rich", "If User were rich"),
    ("I really like jazz", "User really likes jazz"),
    ("I always use vim", "User always uses vim"),
    ("I no longer eat meat", "User no longer eats meat"),
    ("I kind of like it", "User kind of likes it"),
    ("I usually don't eat meat", "User usually doesn't eat meat"),
    ("I never really liked math", "User never really liked math"),
    ("I 100% agree", "User 100% agrees"),
    ("I, too, like cats", "User, too, likes cats"),
    ("I, as a developer, prefer dark mode", "User, as a developer, prefers dark mode"),
    ("I (a developer) prefer dark mode", "User (a developer) prefers dark mode"),
    ("I LOVE PIZZA", "User LOVES PIZZA"),
    ("I HAVE TWO CATS AND LIVE IN ROME", "User HAS TWO CATS AND LIVES IN ROME"),
    ("I'M ALLERGIC TO NUTS", "User IS ALLERGIC TO NUTS"),
    ("CALL ME BOB", "CALL User BOB"),
]

COORDINATION = [
    ("I live in Paris and work at Acme", "User lives in Paris and works at Acme"),
    ("I cook, bake and garden", "User cooks, bakes and gardens"),
    ("I'm 34, live in Boston, and work as a nurse", "User is 34, lives in Boston, and works as a nurse"),
    ("I'm a vegetarian and have two cats", "User is a vegetarian and has two cats"),
    ("I was born in Lyon and live in Paris", "User was born in Lyon and lives in Paris"),
    ("I lost my job and am looking for work", "User lost User's job and is looking for work"),
    ("I like music and play guitar", "User likes music and plays guitar"),
    ("I play guitar and sing", "User plays guitar and sings"),
    ("I have lots of plants and water them weekly", "User has lots of plants and waters them weekly"),
    ("I cook but don't bake", "User cooks but doesn't bake"),
    ("I neither smoke nor drink", "User neither smokes nor drinks"),
    ("I live alone, have no pets, and don't drive", "User lives alone, has no pets, and doesn't drive"),
    ("I don't eat meat or drink alcohol", "User doesn't eat meat or drink alcohol"),
    ("I don't eat meat but love fish", "User doesn't eat meat but loves fish"),
    ("I like to cook and bake", "User likes to cook and bake"),
    ("I can cook and bake", "User can cook and bake"),
    ("I want to leave but have to stay", "User wants to leave but has to stay"),
    ("I love food and drink", "User loves food and drink"),
    ("I have peace and love", "User has peace and love"),
    ("I love animals, like dogs", "User loves animals, like dogs"),
    ("I use Rust and Go", "User uses Rust and Go"),
    ("I know men who live in Rome and work at Acme", "User knows men who live in Rome and work at Acme"),
    ("I help people learn and grow", "User helps people learn and grow"),
    (
        "I cook and my friends love pasta and eat a lot",
        "User cooks and User's friends love pasta and eat a lot",
    ),
    ("When I ask for code, use TypeScript", "When User asks for code, use TypeScript"),
    ("I know Python, but explain the Rust parts", "User knows Python, but explain the Rust parts"),
    ("I like jokes but don't be rude", "User likes jokes but don't be rude"),
    ("I like short answers, use bullet points", "User likes short answers, use bullet points"),
    ("My wife and I are moving", "User's wife and User are moving"),
    ("I'm Nina and I live in Rotterdam", "User is Nina and User lives in Rotterdam"),
    ("I am Bob and I work at SAP", "User is Bob and User works at SAP"),
    ("I think Nina and I go together", "User thinks Nina and User go together"),
    ("My wife Jane and I live in Bonn and own a car", "User's wife Jane and User live in Bonn and own a car"),
    ("My husband and I don't eat pork", "User's husband and User don't eat pork"),
    ("My wife and I've been married for 10 years", "User's wife and User have been married for 10 years"),
    ("John and I work together", "John and User work together"),
    ("I and my brother own a bakery", "User and User's brother own a bakery"),
    ("Every summer my wife and I go to Spain", "Every summer User's wife and User go to Spain"),
    ("I think John and I work well together", "User thinks John and User work well together"),
    ("My wife cooks and I clean", "User's wife cooks and User cleans"),
    ("My kids play soccer and I coach them", "User's kids play soccer and User coaches them"),
    ("I live with John and I work at Acme", "User lives with John and User works at Acme"),
]

CLAUSES = [
    ("I think I am allergic to nuts", "User thinks User is allergic to nuts"),
    ("because I want to learn Rust", "because User wants to learn Rust"),
    ("The laptop that I own is a ThinkPad", "The laptop that User owns is a ThinkPad"),
    ("When I work from home I listen to jazz", "When User works from home User listens to jazz"),
    ("People I know call me Bob", "People User knows call User Bob"),
    ("In London I work at a bank", "In London User works at a bank"),
    ("In May I go to Rome", "In May User goes to Rome"),
    ("He is taller than I am", "He is taller than User is"),
    ("Do I like tea?", "Does User like tea?"),
    ("Am I allergic to nuts?", "Is User allergic to nuts?"),
    ("What do I do for work?", "What does User do for work?"),
    ("What have I told you about my wife?", "What has User told you about User's wife?"),
    ("Should I go", "Should User go"),
    ("neither do I", "neither does User"),
    ("Who am I?", "Who is User?"),
    ("If I can I will", "If User can User will"),
]

NAMES_BESIDE_THE_SPEAKER = [
    ("I am reading about World War I", "User is reading about World War I"),
    ("I have type I diabetes", "User has type I diabetes"),
    ("The part I like best is the end", "The part User likes best is the end"),
    ("I'm in Phase I of the project", "User is in Phase I of the project"),
    ("I watched I, Robot", "User watched I, Robot"),
    ("I watched How I Met Your Mother", "User watched How I Met Your Mother"),
    ("My favorite film is The King and I", "User's favorite film is The King and I"),
    ("My favorite band is My Chemical Romance", "User's favorite band is My Chemical Romance"),
    ("I love Take On Me by a-ha", "User loves Take On Me by a-ha"),
    ("I use an iPhone", "User uses an iPhone"),
    ("i.e. I like tea", "i.e. User likes tea"),
    ("I work on i18n", "User works on i18n"),
    ("I/O performance matters to me", "I/O performance matters to User"),
    ("I live near I-95", "User lives near I-95"),
    ("Mr. I is my neighbor", "Mr. I is User's neighbor"),
    ("I have ME/CFS", "User has ME/CFS"),
    ("I live in Portland (ME)", "User lives in Portland (ME)"),
    ("I'm a US citizen", "User is a US citizen"),
    ("I work in a gold mine", "User works in a gold mine"),
    ("I play Minecraft", "User plays Minecraft"),
    ("I mine bitcoin", "User mines bitcoin"),
    ("I wake up at 9 am", "User wakes up at 9 am"),
    ("Oh my god I love this", "Oh my god User loves this"),
    ('My 27" monitor and my 24" monitor', "User's 27\" monitor and User's 24\" monitor"),
    ("rock 'n' roll is my jam and I love it", "rock 'n' roll is User's jam and User loves it"),
]

VERBATIM = [
    ('My motto is "I am what I am"', 'User\'s motto is "I am what I am"'),
    ("He said 'I'm my own boss' and I agree", "He said 'I'm my own boss' and User agrees"),
    ("My motto is “I think, therefore I am”", "User's motto is “I think, therefore I am”"),
    ("« I am » is my motto", "« I am » is User's motto"),
    ("I run `my_script I am` daily", "User runs `my_script I am` daily"),
    ("```\nI am code\n```\nI am not", "```\nI am code\n```\nUser is not"),
    ("my email is me@example.com", "User's email is me@example.com"),
    ("see https://example.com/my/page for my stuff", "see https://example.com/my/page for User's stuff"),
    ("My code is in /home/me/my/project", "User's code is in /home/me/my/project"),
    (
        r"My files are in C:\Users\me\My Documents\a.txt",
        r"User's files are in C:\Users\me\My Documents\a.txt",
    ),
    ("My repo is github.com/me/my-app", "User's repo is github.com/me/my-app"),
    ("My API key is in $MY_KEY", "User's API key is in $MY_KEY"),
]

UNCHANGED = [
    "Expert in Python web development",
    "Lives in Austin, Texas",
    "Mom lives in Seattle",
    "User prefers dark mode",
    "User's wife is Jane",
    "User and others live in Berlin",
    "Elizabeth I was queen",
    "Phase I is done",
    "Phase I testing starts in May",
    "Act I is slow",
    "I. Newton was a physicist",
    "for i in range(10)",
    "The variable i was wrong",
    "The mine is closed",
    "let us know",
    "Windows Me was slow",
    "Remember to call mom",
    "Ich mag Hunde",
    "Im Sommer fahre ich nach Italien",
    "Me gusta el café",
    "Me llamo Juan y vivo en Madrid",
    "We wonen in Amsterdam",
    "My mieszkamy w Warszawie",
    "Jag bor i Sverige",
    "I Sverige bor jag",
    "Mi piacciono i gatti",
    "Ja i Anna mieszkamy w Krakowie",
    "我是工程师",
    "",
]

REQUESTS = [
    ("please remember my birthday is June 5", "User's birthday is June 5"),
    ("Remember: I hate olives", "User hates olives"),
    ("Remember, I hate olives", "User hates olives"),
    ("don't forget that I'm allergic to nuts", "User is allergic to nuts"),
    ("keep in mind that I work nights", "User works nights"),
    ("note that I'm color blind", "User is color blind"),
    ("for the record, I like cilantro", "User likes cilantro"),
    ("just so you know, I'm married", "User is married"),
    ("FYI I moved to Rome", "User moved to Rome"),
    ("important: I have epilepsy", "User has epilepsy"),
    ("Please save this to memory: I drive a Tesla", "User drives a Tesla"),
    ("Hey, can you remember that my dog is called Rex?", "User's dog is called Rex."),
    ("I want you to remember that I prefer metric units", "User prefers metric units"),
    ("Remember that when I travel, I need an aisle seat", "When User travels, User needs an aisle seat"),
    ("Remember the wifi password is hunter2", "The wifi password is hunter2"),
    ("I'm allergic to peanuts. Please remember that.", "User is allergic to peanuts."),
    ("I'm vegan, remember that!", "User is vegan!"),
]

TABLE = (
    SAVE_MEMORY_TOOL + PRONOUNS + ROLES + CONTRACTIONS + AGREEMENT + COORDINATION + CLAUSES
    + NAMES_BESIDE_THE_SPEAKER + VERBATIM + REQUESTS
)  # fmt: skip


@pytest.mark.parametrize(("said", "stored"), TABLE)
def test_first_person_becomes_a_statement_about_user(said: str, stored: str) -> None:
    """What a person says is stored as a correct English sentence about User."""
    assert third_person(said) == stored


@pytest.mark.parametrize("past", IRREGULAR)
def test_an_irregular_past_stays(past: str) -> None:
    """What happened has the same form for "I" and for "User"."""
    assert third_person(f"I {past} something in the house.") == f"User {past} something in the house."


@pytest.mark.parametrize("text", UNCHANGED)
def test_texts_without_a_speaker_stay(text: str) -> None:
    """Impersonal, third-person and non-English texts, numerals and names are left alone."""
    assert third_person(text) == text


@pytest.mark.parametrize(("said", "stored"), TABLE)
def test_stored_statements_are_stable(said: str, stored: str) -> None:
    """A statement about User is never rewritten again."""
    assert third_person(stored) == stored


# Words on which the rules turn, so that random sentences reach the corners.
_VOCABULARY = """
I i I'm I've I'd I'll im ive id ill my My MY me Me ME mine Mine myself we We we're us US our ours am do
don't have haven't is are was and or but nor , . ! ? : ; - ( ) " ' ` ``` “ ” ‘ ’ « » like love work works
really never no longer to who that when if you they it the a John Elizabeth War Type wife named Jane dog
American remember this note save please FYI important: forget keep in mind User User's others can will
been better ain't LOVE AM King part phase of el und ich too said went 100 % I/O me@x.com /home/me oh let
""".split()
_SENTENCES = st.lists(st.sampled_from([*_VOCABULARY, "\n"]), max_size=14).map(" ".join)
_TEXTS = st.one_of(
    _SENTENCES, st.text(max_size=60), st.text(st.characters(categories=["Cs", "Ll", "Po"]), max_size=20)
)


@given(_TEXTS)
@example("I'd I: mine")
@example("\ud800 I am \udfff")
def test_rewriting_twice_changes_nothing_more(text: str) -> None:
    """The result is a fixed point, for any text, lone surrogates included."""
    once = third_person(text)
    assert third_person(once) == once


_QUOTES = st.sampled_from(['""', "“”", "«»", "``", "‘’", "''"])
_INSIDE = st.lists(st.sampled_from(["I", "I'm", "my", "me", "am", "we", "like", "mine", "I've"]), min_size=1)


@given(
    _QUOTES,
    _INSIDE,
    st.sampled_from([("I say", "User says"), ("my song", "User's song"), ("(we)", "(User and others)")]),
)
def test_quoted_words_are_never_changed(quotes: str, words: list[str], opening: tuple[str, str]) -> None:
    """Whatever stands in quotation marks or backticks is kept to the byte, while the rest is rewritten."""
    quoted = quotes[0] + " ".join(words) + quotes[1]
    assert third_person(f"{opening[0]} {quoted}, but I sleep") == f"{opening[1]} {quoted}, but User sleeps"


_UNQUOTED = [
    word for word in _VOCABULARY if not set(word) & set('"`“”‘’«»') and word not in ("'", "el", "und", "ich")
]


@given(st.lists(st.sampled_from(_UNQUOTED), max_size=14))
def test_no_contracted_speaker_is_left(words: list[str]) -> None:
    """Outside quotations no "I'm" or "I've" survives."""
    assert not re.search(r"\bI'(?:m|ve|ll|d)\b", third_person(" ".join(words)))


@settings(max_examples=20, deadline=None)
@given(st.sampled_from(["“", "'", '"', "=", ".", "I ", "my ", "and I ", "remember ", " ", "a@", "'a"]))
def test_time_grows_with_the_length_only(piece: str) -> None:
    """No repetition makes the patterns backtrack without end: 20,000 pieces come to an end."""
    assert third_person(piece * 20_000 + " I am")
