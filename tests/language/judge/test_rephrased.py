"""Tests of what is put plainly before it is read."""

import pytest

from recollect.language.judge.rephrased import rephrased

from .telling import contents


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("It's just me and my mom in the apartment", "I live with my mom"),
        ("there are five of us in the house", "my household has five people"),
        (
            "What do you feed a gecko? Mine's called Kevin",
            "What do you feed a gecko? my gecko is called Kevin",
        ),
        ("In Finland, where I live, it's dark", "I live in Finland. it's dark"),
        ("now that I'm retired I paint", "now that I'm retired, I paint"),
        ("Mine is a nightmare", "Mine is a nightmare"),
        ("my exam is on Tuesday, December 1st", "my exam is on Tuesday December 1st"),
        ("my exam is on Friday at 5pm, 4 December", "my exam is on Friday 4 December at 5pm"),
        ("my exam is on Friday (the 4th)", "my exam is on Friday the 4th"),
        ("I called on Friday, 4 people came", "I called on Friday, 4 people came"),
        ("Since May I live in Munich", "I live in Munich since May"),
        ("Since May is cold I stay in", "Since May is cold I stay in"),
    ],
)
def test_a_hidden_statement_is_put_plainly(said: str, plain: str) -> None:
    """The rules meet one shape, and nothing is put in that the words do not say."""
    assert rephrased(said) == plain


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("My girlfriend Lisa and I broke up", "User and Lisa broke up."),
        ("Tom and I broke up in 2019", "User and Tom broke up in 2019."),
        ("my wife and I split up", "User and User's wife split up."),
        ("my husband and I have separated", "User and User's husband separated."),
        ("Me and my girlfriend Lisa broke up", "User and Lisa broke up."),
        ("I broke up with Lisa", "User broke up with Lisa."),
    ],
)
def test_two_who_part_are_both_named(said: str, kept: str) -> None:
    """A parting says from whom, and makes nobody a partner who is none any more."""
    assert contents(said) == [kept]
