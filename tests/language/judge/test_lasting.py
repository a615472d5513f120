"""Tests of the general rules for the plain present and for bounds."""

import pytest

from language.judge.telling import contents


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I brew my own beer", "User brews User's own beer."),
        (
            "I commute by ferry, about 40 minutes each way",
            "User commutes by ferry, about 40 minutes each way.",
        ),
        ("my brother coaches a youth hockey team", "User's brother coaches a youth hockey team."),
        ("I sing tenor", "User sings tenor."),
        ("I put hot sauce on everything", "User puts hot sauce on everything."),
        ("I care for two residents with dementia", "User cares for two residents with dementia."),
        ("I go to Purdue", "User goes to Purdue."),
    ],
)
def test_a_plain_present_is_a_habit(said: str, expected: str) -> None:
    """A verb that no list knows is kept when nothing shows a step, a thought or a moment."""
    assert contents(said) == [expected]


@pytest.mark.parametrize(
    "said",
    [
        "I click the save button and it crashes",
        "I tighten the screw but it strips",
        "I knead the bread for ten minutes, is that enough?",
        "I draw a card and pass",
        "I assign each user an id and store it in the table",
        "I stand corrected",
        "I vote we order thai",
        "my sister-in-law drives me nuts",
        "We meet every Wednesday evening",
    ],
)
def test_steps_and_thoughts_are_none(said: str) -> None:
    """What is told step by step, thought aloud or incomplete is no habit."""
    assert contents(said) == []


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I can't sit through horror movies", ["User can't sit through horror movies."]),
        ("I have to inject insulin before every meal", ["User has to inject insulin before every meal."]),
        ("I don't own a car", ["User doesn't own a car."]),
        ("my toddler won't eat vegetables", ["User's toddler won't eat vegetables."]),
        ("I can't open the attachment", []),
        ("I have to restart it every time", []),
        ("I don't see the button", []),
    ],
)
def test_bounds(said: str, expected: list[str]) -> None:
    """What somebody can, must or never does is kept when it speaks of a life."""
    assert contents(said) == expected
