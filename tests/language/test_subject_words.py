"""Whom a statement may be about."""

import re

import pytest

from recollect.language.subject_words import CLOSE, NAME


@pytest.mark.parametrize(
    "words",
    [
        "I",
        "my dad",
        "my 5-year-old son",
        "my wife's mother",
        "our youngest",
        "my husband Tom",
        "my mother-in-law",
        "my sister and I",
        "Grandma",
        "the patient",
        "she",
        "my dog",
    ],
)
def test_family_and_care_are_close(words: str) -> None:
    """The speaker, their household and whom they care for are subjects."""
    assert re.fullmatch(CLOSE, words, re.IGNORECASE)


@pytest.mark.parametrize(
    "words",
    ["you", "my neighbour", "my neighbour's dog", "my boss", "my late father", "people", "my friend's son"],
)
def test_others_are_not(words: str) -> None:
    """Neighbours, bosses, the dead and people in general are none."""
    assert not re.fullmatch(CLOSE, words, re.IGNORECASE)


@pytest.mark.parametrize(
    ("words", "expected"),
    [("Noah", True), ("Jane Doe", True), ("People", False), ("Nobody", False), ("jane", False)],
)
def test_a_name_is_written_like_one(words: str, expected: bool) -> None:
    """A capital makes a name, unless the word opens ordinary sentences."""
    assert bool(re.fullmatch(NAME, words, re.IGNORECASE)) is expected
