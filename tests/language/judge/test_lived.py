"""Tests of the general rules for the past, the perfect and what goes on for long."""

import pytest

from language.judge.telling import contents


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I tore my ACL in 2019", "User tore User's ACL in 2019."),
        ("I emigrated from Ghana when I was nine", "User emigrated from Ghana when User was nine."),
        ("I had my gallbladder out in 2018", "User had User's gallbladder out in 2018."),
        ("My parents split when I was six", "User's parents split when User was six."),
        ("I've climbed Kilimanjaro", "User has climbed Kilimanjaro."),
        ("I've logged 3000 hours in Factorio", "User has logged 3000 hours in Factorio."),
        ("I haven't had a drink in six years", "User hasn't had a drink in six years."),
        ("My mother has lived with us since her stroke", "User's mother has lived with User and others since her stroke."),
        ("I'm getting my braces off in March", "User is getting User's braces off in March."),
    ],
)  # fmt: skip
def test_a_deed_counts_by_its_verb_its_object_or_its_time(said: str, expected: str) -> None:
    """What turned a life, or happened in a year that is named, is kept."""
    assert contents(said) == [expected]


@pytest.mark.parametrize(
    "said",
    [
        "I measured twice and cut once",
        "I broke the build",
        "I married the two tables with a join",
        "I dropped my phone",
        "we landed at 5",
        "I've tried three different solutions",
        "I've been staring at this bug for hours",
        "My teacher gave me a C on that essay",
        "I'm making pasta, how much salt?",
    ],
)
def test_what_merely_happened_is_none(said: str) -> None:
    """A deed of a day leaves nothing."""
    assert contents(said) == []
