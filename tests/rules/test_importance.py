"""How much a memory matters, at first and later."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from signed_paths import unsigned_path

from recollect.language.pattern import Pattern
from recollect.records.category import Category
from recollect.records.memory import boost, effective, level
from recollect.records.message import Role
from recollect.rules import importance
from recollect.rules.importance import (
    CARE,
    LIFE,
    asks_to_remember,
    has_details,
    has_long_term_goal,
    is_life_critical,
    is_temporary,
    is_vague,
    least_importance,
    score,
    stored,
)
from recollect.rules.vocabulary import parse_vocabulary

# pyright: reportPrivateUsage=false

STORED = [
    # The bases of the source document, untouched by the text.
    ("identity", "User is a software engineer", 10),
    ("preference", "User prefers dark mode", 9),
    ("relationship", "User has a brother", 8),
    ("project", "User is building a web application", 7),
    ("skill", "Expert in web development", 7),
    ("fact", "User has a dog and a cat", 6),
    ("context", "User spoke about his garden", 5),
    # +2 explicit request.
    ("context", "Remember that User likes gardens", 7),
    ("fact", "Important: User drinks no milk", 8),
    ("fact", "Please remember that User has a dog", 8),
    ("fact", "Don't forget that User has a dog", 8),
    ("fact", "User cannot remember faces", 6),
    ("fact", "User remembers his childhood", 6),
    ("fact", "User holds that money is not important", 6),
    # +1 specific details.
    ("project", "User is building a chat application named blah.chat using Next.js 15", 8),
    ("relationship", "User's wife is named Jane", 9),
    ("fact", "User has two dogs", 7),
    ("fact", "User met the team on 3 May", 7),
    ("fact", "Mom lives in Seattle", 7),
    ("skill", "User knows TypeScript", 8),
    ("fact", "Gardens are quiet", 6),
    # +1 long-term goal.
    ("context", "User wants to become a pilot", 6),
    ("context", "User's long-term plan is a farm", 6),
    ("context", "User plans to retire in Spain by 2040", 7),
    # -2 vague.
    ("fact", "User might try pottery", 4),
    ("fact", "Maybe User will get a dog", 4),
    ("preference", "User sort of likes tea", 7),
    ("fact", "User is not sure about the job", 4),
    ("fact", "User may move away", 4),
    ("fact", "User likes this kind of tea", 6),
    # -2 temporary.
    ("context", "User is tired today", 3),
    ("context", "User is currently tired", 3),
    ("context", "User is in a meeting right now", 3),
    ("fact", "User is currently working at a bank", 6),
    ("fact", "User is now a manager", 6),
    # Together, and clamped.
    ("context", "User might be hungry this week", 1),
    ("preference", "Remember that User prefers TypeScript", 10),
    ("identity", "Remember: User's name is John", 10),
]


@pytest.mark.parametrize(("category", "text", "expected"), STORED)
def test_stored(category: str, text: str, expected: float) -> None:
    """The category's base, raised and lowered by what the text shows."""
    assert stored(Category(category), text).value == expected


def test_reasons_tell_how_the_value_came_about() -> None:
    """Every step is named with its size."""
    result = stored(Category.FACT, "User might visit Rome today", explicit_request=True)
    assert result.reasons == (
        "fact 6",
        "explicit request +2",
        "specific details +1",
        "vague -2",
        "temporary -2",
    )
    assert result.value == 5


def test_the_flag_and_the_words_count_once() -> None:
    """An explicit request adds two points, however often it is made."""
    text = "Remember that User has a dog"
    assert stored(Category.FACT, text, explicit_request=True).value == stored(Category.FACT, text).value == 8


@given(st.sampled_from(Category), st.text(), st.booleans())
def test_stored_stays_on_the_scale(category: Category, text: str, explicit: bool) -> None:
    """Whatever is said, the value lies between 0 and 10."""
    assert 0 <= stored(category, text, explicit_request=explicit).value <= 10


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("User", False),
        ("User's dog is old", False),
        ("He said: \u201cNever again.\u201d", False),
        ("I think I'm fine", False),
        ("Tea is good. Coffee is better", False),
        ("USER LIKES TEA", False),
        ("User uses an iPad", True),
        ("User deploys to fly.io", True),
        ("User loves 東京", False),
        ("User loves Köln", True),
        ("User met Ana", True),
    ],
)
def test_details(text: str, expected: bool) -> None:
    """Names, numbers and dates are details; the word User and the start of a sentence are not."""
    assert has_details(text) is expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("User reads USA Today", False),
        ("User runs every morning", False),
        ("User is busy with a startup", True),
        ("User has been sick since childhood", False),
        ("User works nights", False),
        ("User arrives tomorrow", True),
        ("User is waiting for a visa", True),
    ],
)
def test_temporary(text: str, expected: bool) -> None:
    """Only what passes within days is temporary."""
    assert is_temporary(text) is expected


def test_each_detector_is_silent_on_a_plain_fact() -> None:
    """A plain sentence is neither vague, passing, a goal nor a request."""
    text = "User prefers tea to coffee"
    assert not any(check(text) for check in (is_vague, is_temporary, has_long_term_goal, asks_to_remember))


categories = st.sampled_from(Category)
values = st.floats(0, 10)
ages = st.floats(0, 20_000)
counts = st.integers(0, 10_000)


@given(values, categories, ages, ages, counts, counts)
def test_age_never_raises_importance(
    value: float, category: Category, a: float, b: float, mentions: int, accesses: int
) -> None:
    """Of two equal memories the older one is worth no more."""
    young, old = sorted((a, b))
    worth = [
        effective(value, category, pinned=False, age_days=age, mentions=mentions, accesses=accesses)
        for age in (young, old)
    ]
    assert worth[1] <= worth[0]


@given(values, categories, ages, counts, counts, counts, counts)
def test_use_never_lowers_importance(
    value: float, category: Category, age: float, m1: int, m2: int, a1: int, a2: int
) -> None:
    """Of two equal memories the more used one is worth no less."""
    (few, many), (rare, often) = sorted((m1, m2)), sorted((a1, a2))
    less = effective(value, category, pinned=False, age_days=age, mentions=few, accesses=rare)
    more = effective(value, category, pinned=False, age_days=age, mentions=many, accesses=often)
    assert less <= more <= less + 3


@given(values, categories, st.floats(-10, 1e9), st.integers(-5, 10**9), st.integers(-5, 10**9), st.booleans())
def test_effective_stays_on_the_scale(
    value: float, category: Category, age: float, mentions: int, accesses: int, pinned: bool
) -> None:
    """The result lies between 0 and 10, and pinned is 10."""
    result = effective(value, category, pinned=pinned, age_days=age, mentions=mentions, accesses=accesses)
    assert 0 <= result <= 10
    assert result == 10 or not pinned


@pytest.mark.parametrize(
    ("category", "days"),
    [("preference", 365), ("skill", 180), ("fact", 180), ("project", 90), ("context", 30)],
)
def test_half_lives(category: str, days: float) -> None:
    """After its half-life a memory that nobody used is worth half."""
    assert effective(8, Category(category), pinned=False, age_days=days, mentions=1, accesses=0) == 4


@pytest.mark.parametrize("category", [Category.IDENTITY, Category.RELATIONSHIP])
def test_identity_and_relationships_do_not_fade(category: Category) -> None:
    """A wife is a wife after ten years."""
    assert effective(8, category, pinned=False, age_days=3650, mentions=1, accesses=0) == 8


def test_fifty_mentions_outrank_one() -> None:
    """The bootstrap problem: repetition alone makes a plain fact matter, more than two points' worth."""
    once = effective(6, Category.FACT, pinned=False, age_days=10, mentions=1, accesses=0)
    fifty = effective(6, Category.FACT, pinned=False, age_days=10, mentions=50, accesses=0)
    assert fifty - once > 2.5
    assert boost(1, 0) == 0
    assert boost(10**6, 0) == 3
    assert boost(10, 0) > boost(1, 10), "being asked for counts less than being said"


def test_levels_of_the_source_document() -> None:
    """Levels are shown by their thresholds."""
    assert [level(value) for value in (0, 2.99, 3, 6.99, 7, 8.99, 9, 10)] == [0, 0, 1, 1, 2, 2, 3, 3]


@pytest.mark.parametrize("pattern", [importance._HEDGE, importance._MAY])
def test_every_hedge_has_a_sign(pattern: Pattern) -> None:
    """What the signs rule out, none of the patterns for hedges can find."""
    assert unsigned_path(pattern.compiled(), importance._HEDGE_SIGNS) is None


@pytest.mark.parametrize(
    ("content", "least"),
    [
        ("User is allergic to penicillin.", LIFE),
        ("User's daughter is allergic to peanuts", LIFE),
        ("User has a severe nut allergy", LIFE),
        ("User's emergency contact is Nora, 555 0147", LIFE),
        ("User has diabetes", CARE),
        ("User has epilepsy.", CARE),
        ("User was diagnosed with asthma.", CARE),
        ("User takes warfarin 5 mg daily", CARE),
        ("User uses insulin", CARE),
        ("User's dad has dementia", CARE),
        ("User's blood type is A+", CARE),
    ],
)
def test_what_is_vital(content: str, least: float) -> None:
    """Allergies and emergency contacts are a 10, illnesses and medicines a 9, of the user and of relatives."""
    assert least_importance(content) == least


@pytest.mark.parametrize(
    "content",
    [
        "User prefers dark mode",
        "User is not allergic to cats",
        "User no longer takes warfarin",
        "User stopped taking sertraline",
        "User works at a heart clinic",
        "User loves thrillers about overdoses",
        "User is allergic to bullshit",
        "User has a cold",
        "",
    ],
)
def test_what_is_not_vital(content: str) -> None:
    """What is denied, over, a job, a story, a figure of speech or passing."""
    assert least_importance(content) == 0.0


def test_an_allergy_outweighs_a_preference() -> None:
    """The category alone would put a theme above an allergy; the reasons say why it does not."""
    allergy = importance.stored(Category.FACT, "User is allergic to penicillin")
    assert allergy.value == 10 > importance.stored(Category.PREFERENCE, "User prefers dark mode").value
    assert allergy.reasons[-1] == "vital: at least 10"


VOCABULARY = parse_vocabulary("meds\ndoctor\nanaphylaxis\nblood pressure")

CRITICAL = [
    "My dad is allergic to Penicillin, had anaphylaxis in 2010",
    "I think I took an overdose, what should I do?",
    "I want to kill myself",
    "I don't want to live anymore",
    "I don't want to be here anymore.",
    "My son swallowed bleach!",
    "I've been feeling suicidal lately",
    "My mother has a do-not-resuscitate order",
    "Grandma has a DNR on file",
    "My emergency contact is Jane, 555-1234",
    "Emergency contact: my sister Laura, 0151 2345678",
    "You can reach my husband Jan in an emergency at 0664 1234.",
    "Penicillin gives me hives.",
    "My son, 7, is allergic to nuts.",
    "I'm 71, have a severe peanut allergy and live in Rome.",
    "I'm flying to Osaka with my son Ken, who is allergic to buckwheat.",
    "In an emergency, call my wife Ana at 555-2233",
    "I might be allergic to penicillin",
    "I was allergic to penicillin as a child",
    "My allergy to peanuts is severe, please remember",
    "what can I eat with my nut allergy?",
    "I’m allergic to bees",
    "My dad stopped breathing",
    "My baby is not breathing",
    "My grandfather is unconscious, what do I do?",
    "I think I'm having a heart attack",
    "I took too many pills last night",
    "I swallowed 30 paracetamol tablets",
    "He overdosed on fentanyl in 2019",
    "I have been cutting myself again",
    "I feel like hurting myself",
    "She tried to commit suicide last year",
    "there's no point in living",
    "I just want to die",
]

NOT_CRITICAL = [
    "What is anaphylaxis?",
    "What does DNR mean?",
    "Is suicide a sin?",
    "Who wrote Suicide Squad?",
    "Do you know the suicide rate in Japan?",
    "How many pills are an overdose?",
    "If someone overdoses, what should I do?",
    "I'm not allergic to anything",
    "I'm not suicidal",
    "No known allergies",
    "I'm allergic to Mondays",
    "Exams give me hives.",
    "You can call Mountain Rescue in an emergency.",
    "kill the process with SIGKILL",
    "In my novel the hero kills himself",
    "Write a poem about self-harm awareness",
    "Translate: I want to die",
    "I'm dying to see that movie",
    "I almost died laughing",
    "I cut myself a slice of cake",
    "He had a stroke of genius",
    "I took my pills this morning",
    "my battery died",
    "I live in Berlin",
]


@pytest.mark.parametrize(
    ("text", "role", "expected"),
    [
        ("The weather is nice this morning.", Role.ASSISTANT, 5.0),
        ("The weather is nice this morning.", Role.USER, 6.0),
        ("Is the weather nice this morning?", Role.USER, 7.0),
        ("What time for evening meds?", Role.USER, 9.0),
        ("Evening meds at 7 PM with dinner", Role.ASSISTANT, 7.0),
        ("ok", Role.USER, 5.0),
        ("ok", Role.TOOL, 4.0),
        ("x" * 19, Role.TOOL, 4.0),
        ("x" * 20, Role.TOOL, 5.0),
        ("My blood pressure was fine at the doctor's", Role.USER, 8.0),
    ],
)
def test_the_sum_of_signs(text: str, role: Role, expected: float) -> None:
    """S0's formula, sign by sign; its samples that contradict the formula follow the formula."""
    assert score(text, role, VOCABULARY) == expected


@pytest.mark.parametrize("text", CRITICAL)
def test_a_life_at_stake_is_ten(text: str) -> None:
    """What a life may hang on is 10 when the user states it, even in doubt."""
    assert score(text, Role.USER, VOCABULARY) == 10.0


@pytest.mark.parametrize("text", NOT_CRITICAL)
def test_talking_about_it_is_not_ten(text: str) -> None:
    """Questions, denials, idioms and stories are weighed like everything else."""
    assert score(text, Role.USER, VOCABULARY) < 10.0


@pytest.mark.parametrize("role", [Role.ASSISTANT, Role.TOOL])
@pytest.mark.parametrize(
    "text", ["Since you are allergic to penicillin, take azithromycin.", *CRITICAL[:4], *CRITICAL[12:16]]
)
def test_an_assistant_only_repeats(role: Role, text: str) -> None:
    """Words of an assistant or a tool are never life-critical."""
    assert not is_life_critical(text, role)


def test_the_operator_states_but_does_not_instruct() -> None:
    """A system notice of an allergy is 10, a prompt that mentions suicide is not."""
    assert score("Patient is allergic to Penicillin", Role.SYSTEM, VOCABULARY) == 10.0
    prompt = "You are a helpful assistant. If somebody says they want to kill themself, name a hotline."
    assert score(prompt, Role.SYSTEM, VOCABULARY) == 5.0


def test_both_ends_of_a_long_message_are_read() -> None:
    """A cry for help before or after a pasted document is heard."""
    document = "The committee met and discussed the plan at length. " * 2000
    assert is_life_critical(f"I want to kill myself. {document}", Role.USER)
    assert is_life_critical(f"{document} I want to kill myself.", Role.USER)
    assert not is_life_critical(document, Role.USER)


@given(st.text(max_size=300), st.sampled_from(list(Role)))
def test_the_scale_is_never_left(text: str, role: Role) -> None:
    """Any text has an importance from 0 to 10."""
    assert 0.0 <= score(text, role, VOCABULARY) <= 10.0


@pytest.mark.parametrize(
    "piece",
    [
        "die\n",
        "die ",
        "die. ",
        'die "a b c ',
        "die 'a b'c ",
        "my dog allergic ",
        "if i die ",
        "suicid",
        "die: ",
    ],
)
def test_hostile_lengths_end(piece: str) -> None:
    """200,000 characters of any shape are scored; what takes more than linear time would not end here."""
    text = (piece * (200_000 // len(piece) + 1))[:200_000]
    assert score(text, Role.USER, VOCABULARY) >= 5.0
