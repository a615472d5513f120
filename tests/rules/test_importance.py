"""How much a memory matters, at first and later."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from signed_paths import unsigned_path

from recollect.language.pattern import Pattern
from recollect.records.category import Category
from recollect.rules import importance
from recollect.rules.importance import (
    asks_to_remember,
    boost,
    effective,
    has_details,
    has_long_term_goal,
    is_temporary,
    is_vague,
    level,
    stored,
)

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
