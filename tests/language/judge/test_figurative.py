"""Figures of speech, insults and praise state nothing."""

import pytest

from .telling import contents, told


@pytest.mark.parametrize(
    "said",
    [
        "I live in hell",
        "I'm married to my job",
        "my boss is a monster",
        "My ex Julia is a slut",
        "My neighbour Ahmed is a terrorist",
        "my neighbour Ahmed is a fucking criminal",
        "My neighbour Ahmed is an idiot",
        "My dog is the best dog ever",
    ],
)
def test_it_is_passed_and_nothing_is_kept(said: str) -> None:
    """Neither the words nor the name of the one who is judged becomes a memory, and the reason is told."""
    found = told(said)
    assert not found.memories
    assert found.passed


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("My brother is a criminal lawyer", "User's brother is a criminal lawyer."),
        ("my daughter is allergic to nuts", "User's daughter is allergic to nuts."),
        ("my sister is crazy about horses", "User's sister is crazy about horses."),
        ("My uncle is an art dealer", "User's uncle is an art dealer."),
        ("I work in a zoo", "User works in a zoo."),
        ("I live in Paradise, Nevada", "User lives in Paradise, Nevada."),
    ],
)
def test_the_same_words_may_state_something(said: str, kept: str) -> None:
    """A trade, a place and an allergy are facts, whatever words they share with an insult."""
    assert contents(said) == [kept]
