"""The attribute that a phrase names."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.attribute import attribute_slug, thing, without_filler


@pytest.mark.parametrize(
    ("phrase", "expected"),
    [
        ("Python 3.12+", "Python"),
        ("Python 3.13 now", "Python"),
        ("Python 3", "Python"),
        ("Python v3", "Python"),
        ("using TypeScript for all projects", "TypeScript"),
        ("to use TypeScript for everything", "TypeScript"),
        ("Windows 11", "Windows"),
        ("Formula 1", "Formula 1"),
        ("the number 7", "number 7"),
        ("dark mode in all apps", "dark mode"),
        ("coffee with milk", "coffee with milk"),
        ("coffee in the morning", "coffee in the morning"),
        ("to hike at night", "hike at night"),
        ("tea rather than coffee", "tea"),
        ("tabs over spaces because they are smaller", "tabs"),
        ("it", None),
        ("these ideas", None),
        ("how you explain things", None),
        ("all dances, but contemporary most", None),
        ("tea so much", "tea"),
        ("", None),
        ("one two three four five six seven eight nine", None),
    ],
)
def test_things(phrase: str, expected: str | None) -> None:
    """Versions, filler and comparisons go; what narrows the meaning stays."""
    assert thing(phrase) == expected


def test_a_comparison_with_to_is_cut_only_where_one_is_possible() -> None:
    """ "Tea to coffee" compares after "prefers"; "going to concerts" never does."""
    assert thing("tea to coffee", compared=True) == "tea"
    assert thing("going to concerts", compared=True) == "going to concerts"
    assert thing("to go to concerts", compared=True) == "go to concerts"
    assert thing("short emails to long ones", compared=True) == "short emails"


@pytest.mark.parametrize(
    "phrase",
    [
        "the assistant to use metric units",
        "the assistant to answer in German",
        "guests to call",
        "code to come with tests",
        "Sarah to drive",
        "tabs over spaces in Go",
        "tea instead of coffee in the evening",
    ],
)
def test_a_wish_about_somebody_and_a_narrowed_comparison_name_no_thing(phrase: str) -> None:
    """There can be many of them, and none replaces another."""
    assert thing(phrase, compared=True) is None


@pytest.mark.parametrize(
    ("one", "other"),
    [("C", "C++"), ("C++", "C#"), ("1.5", "15"), ("a/b", "ab"), (".net", "net"), ("50%", "50")],
)
def test_signs_that_distinguish_are_spelled_out(one: str, other: str) -> None:
    """What only a sign tells apart stays apart."""
    assert attribute_slug(one) != attribute_slug(other)


@given(st.text())
def test_an_attribute_slug_is_stable(text: str) -> None:
    """Slugging twice changes nothing."""
    assert attribute_slug(attribute_slug(text)) == attribute_slug(text)


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        ("User has three kids now", "User has three kids"),
        ("User is not allergic to nuts after all", "User is not allergic to nuts"),
        ("User lives in Rome, since May 2025", "User lives in Rome"),
        ("User lives in Rome since the summer of 2026", "User lives in Rome"),
        ("Since May, User lives in Rome", "User lives in Rome"),
        ("Nowadays User drinks tea", "User drinks tea"),
        ("User works at Apple as of this week currently", "User works at Apple"),
        ("User likes Apocalypse Now", "User likes Apocalypse Now"),
        ("User likes the film from last year", "User likes the film from last year"),
        ("User lives in Rome until May", "User lives in Rome until May"),
        ("User lives in Rome for the summer", "User lives in Rome for the summer"),
        ("Since User moved, User is happy", "Since User moved, User is happy"),
    ],
)
def test_that_it_holds_now_is_filler(sentence: str, expected: str) -> None:
    """Since when and that it still holds is dropped; how long it will hold, and names, stay."""
    assert without_filler(sentence) == expected
