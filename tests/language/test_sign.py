"""Signs let a text pass whenever a rule could fire: proved over the rules themselves, branch by branch."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from signed_paths import Paths, beginnings

from recollect.language import health_statement
from recollect.language.pinning import formula, reading, standing_wish
from recollect.language.sign import any_of, plain, signs

# pyright: reportPrivateUsage=false

#: Every pattern that lets a clause be pinned.
RULES: list[tuple[str, re.Pattern[str]]] = [
    *((f"allergy {at}", rule) for at, rule in enumerate(health_statement._ALLERGY_STATED)),
    ("allergy owned", health_statement._ALLERGY_OWNED),
    ("allergy of a relative", health_statement._ALLERGY_RELATIVE_CLAUSE),
    *((f"label {at}", rule) for at, (rule, _) in enumerate(health_statement._LABELLED)),
    *((f"contact {at}", rule) for at, rule in enumerate(health_statement._CONTACT)),
    ("directive", health_statement._DIRECTIVE),
    *((f"diagnosis {at}", rule) for at, rule in enumerate(health_statement._DIAGNOSIS)),
    *((f"medication {at}", rule) for at, rule in enumerate(health_statement._MEDICATION)),
    ("a substance that harms", health_statement.REACTS),
    ("a reaction to a substance", health_statement._REACTS_TO),
    ("a dose that was changed", health_statement._DOSE_WAS_CHANGED),
    ("who changed a dose", health_statement._DOSE_CHANGED),
    ("another medicine", health_statement._WAS_SWITCHED),
    ("who changed a medicine", health_statement._SWITCHED),
    *((f"preference {at}", rule) for at, rule in enumerate(standing_wish._PREFERENCES)),
    *((f"order {at}", rule) for at, rule in enumerate(standing_wish._ORDERS)),
    ("target", formula._TARGET),
]

SIGNS = (*health_statement.SIGNS, *standing_wish.SIGNS, *formula.TARGET_SIGNS)
DOSE_BEGINS = re.compile(r"1 ?[a-z\u00b5\u03bc]{0,2}")


@pytest.mark.parametrize(("name", "rule"), RULES, ids=[name for name, _ in RULES])
def test_every_way_through_a_rule_passes_a_sign(name: str, rule: re.Pattern[str]) -> None:
    """No branch of any rule for clauses can match a text without a sign or a dose."""
    assert _paths().through(rule) is None, name


def test_the_walk_finds_a_way_around() -> None:
    """A pattern with one branch that has no sign is found out, so the proof above can fail."""
    assert _paths().through(re.compile(r"i (?:am allergic|feel (?:fine|warm))")) is not None


def _paths() -> Paths:
    begun = beginnings(SIGNS)
    return Paths(reading._may_state, lambda run: run in begun or bool(DOSE_BEGINS.fullmatch(run)))


LETTERS = "".join(chr(code) for code in range(0x110000) if not 0xD800 <= code < 0xE000)


@pytest.mark.parametrize("letter", "abcdefghijklmnopqrstuvwxyz'")
def test_plain_text_has_every_letter_that_a_pattern_takes_for_one(letter: str) -> None:
    """Whatever a pattern without case takes for a letter is that letter in the plain text."""
    taken = re.findall(letter, LETTERS, re.IGNORECASE)
    assert {plain(found) for found in taken} == {letter}


@given(
    st.lists(st.text("abc ", min_size=1, max_size=4), min_size=1, max_size=8), st.text("abc ", max_size=30)
)
def test_one_pattern_finds_what_one_by_one_would_be_found(wanted: list[str], text: str) -> None:
    """The shared pattern finds a sign exactly where some sign is in the text."""
    assert bool(any_of(wanted).search(text)) == any(sign in text for sign in wanted)


def test_a_list_of_signs_is_read_between_bars() -> None:
    """Signs are written as in a pattern."""
    assert signs("a|b c|d ") == ("a", "b c", "d ")
