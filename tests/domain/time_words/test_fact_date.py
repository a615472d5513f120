"""Facts carry dates."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.domain.time_words import date_in


@pytest.mark.parametrize(
    ("fact", "date"),
    [
        ("User's birthday is 14 March", (None, 3, 14)),
        ("User's birthday is March 14th.", (None, 3, 14)),
        ("User was born on 1990-03-14", (1990, 3, 14)),
        ("User was born on the 14th of March, 1990", (1990, 3, 14)),
        ("born March 14, 1990 in Rome", (1990, 3, 14)),
        ("Anna's birthday: 3/14/1990", (1990, 3, 14)),
        ("Anna's birthday: 14/3/1990", (1990, 3, 14)),
        ("Geburtstag 14.03.1990", (1990, 3, 14)),
        ("Leap baby: 29 February", (None, 2, 29)),
        ("They met on 1990-03-14T10:00", (1990, 3, 14)),
        ("User has 2 cats and a birthday on may 2", (None, 5, 2)),
    ],
)
def test_the_date_of_a_fact(fact: str, date: tuple[int | None, int, int]) -> None:
    """The first date is found, with its year if there is one."""
    assert date_in(fact) == date


@pytest.mark.parametrize(
    "fact",
    [
        "User likes tea",
        "User's birthday is in March",
        "User was born in 1990",
        "User has 14 cats",
        "31 February",
        "today",
        "",
    ],
)
def test_a_fact_without_a_day_has_no_date(fact: str) -> None:
    """A month, a year or a number is no date."""
    assert date_in(fact) is None


@given(st.dates())
def test_every_iso_date_is_found(day: object) -> None:
    """A date of the last thousand years is read as it is written."""
    year, month, number = map(int, str(day).split("-"))
    assert date_in(f"It was on {day}.") == ((year, month, number) if 1001 <= year < 3000 else None)


@given(st.text())
def test_every_fact_can_be_read(fact: str) -> None:
    """Nothing raises."""
    assert date_in(fact) is None or date_in(fact)
