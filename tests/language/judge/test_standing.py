"""Tests of the general rules for what somebody is, was and has."""

import pytest

from language.judge.telling import contents


@pytest.mark.parametrize(
    ("said", "expected"),
    [
        ("I'm a slow reader", "User is a slow reader."),
        ("I'm more of a tea person", "User is more of a tea person."),
        ("I'm not allowed to lift anything over 10 kg", "User is not allowed to lift anything over 10 kg."),
        ("I'm on the parent council", "User is on the parent council."),
        ("My wife is six months pregnant", "User's wife is six months pregnant."),
        ("My dad was a coal miner", "User's dad was a coal miner."),
        ("I was in foster care until I was eleven", "User was in foster care until User was eleven."),
        ("I have aphantasia", "User has aphantasia."),
        ("I only have one working kidney", "User only has one working kidney."),
    ],
)
def test_kinds_places_bans_and_things_are_kept(said: str, expected: str) -> None:
    """What somebody is or has is told by its shape, whatever the noun."""
    assert contents(said) == [expected]


@pytest.mark.parametrize(
    "said",
    [
        "I'm a lost cause",
        "I'm a bit confused by your second point",
        "I'm on my lunch break",
        "I'm on chapter 4 of your tutorial",
        "we're in the same boat then",
        "I have a feeling it's the cache",
        "I have three tabs open",
        "I was in a meeting till 6",
        "I'm Batman",
        "I'm not a doctor but that looks infected",
    ],
)
def test_moods_and_moments_have_the_same_shape_and_are_none(said: str) -> None:
    """Nouns of a mood, an hour or a screen make no standing."""
    assert contents(said) == []
