"""How names sound and are spelled."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.name_sound import distance, folded, skeleton, sound


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("jürgen", "jurgen"),
        ("łukasz", "lukasz"),
        ("straße", "strasse"),
        ("jean_luc", "jeanluc"),
        ("søren", "soren"),
    ],
)
def test_folding(first: str, second: str) -> None:
    """Accents and separators of Latin names are set aside."""
    assert folded(first) == folded(second)


@pytest.mark.parametrize(("first", "second"), [("й", "и"), ("v1_2", "v12"), ("किरण", "करण"), ("か", "が")])
def test_folding_keeps_what_differs(first: str, second: str) -> None:
    """Marks of other scripts are letters of their own, and digits stay apart."""
    assert folded(first) != folded(second)


@pytest.mark.parametrize(
    ("first", "second"), [("sofia", "sophia"), ("sara", "sarah"), ("erik", "eric"), ("philip", "phillip")]
)
def test_the_same_sound(first: str, second: str) -> None:
    """What is spoken alike is written alike."""
    assert sound(first) == sound(second)


def test_skeletons() -> None:
    """The consonants stay, and whether a name begins with a vowel."""
    assert skeleton("makesh") == skeleton("mukesh")
    assert skeleton("anna") == skeleton("inna") != skeleton("nanna")


@pytest.mark.parametrize(
    ("first", "second", "slips"),
    [
        ("", "", 0),
        ("makesh", "mukesh", 1),
        ("wolfgang", "wolfgnag", 1),
        ("abc", "", 3),
        ("abcdef", "uvwxyz", 4),
    ],
)
def test_distances(first: str, second: str, slips: int) -> None:
    """Letters added, dropped, changed or swapped; beyond the limit it is just far."""
    assert distance(first, second) == slips


@given(st.text("abcé王", max_size=8), st.text("abcé王", max_size=8))
def test_distance_has_no_direction(first: str, second: str) -> None:
    """It is the same both ways, and nothing only for the same."""
    assert distance(first, second) == distance(second, first)
    assert (distance(first, second) == 0) == (first == second)
