"""Texts state times."""

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.time_words import Precision, date_in


@pytest.mark.parametrize(
    ("fact", "stated"),
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
        ("User's birthday is 14/06.", (None, 6, 14)),
        ("Birthday 14/06", (None, 6, 14)),
        ("User's birthday is 6/14.", (None, 6, 14)),
        ("User's birthday is on 5/8", (None, 5, 8)),
        ("In 2019 User moved, and married on 3 May 2020", (2020, 5, 3)),
    ],
)
def test_the_day_of_a_fact(fact: str, stated: tuple[int | None, int, int]) -> None:
    """The first day is found, with its year if there is one."""
    found = date_in(fact)
    assert found is not None and found.precision is Precision.DAY
    assert (None if found.recurring else found.first.year, found.first.month, found.first.day) == stated


@pytest.mark.parametrize(
    ("fact", "first", "last", "precision"),
    [
        ("User moved house in June 2023.", "2023-06-01", "2023-07-01", Precision.MONTH),
        ("User was born in 1990", "1990-01-01", "1991-01-01", Precision.YEAR),
        ("User moved in '22.", "2022-01-01", "2023-01-01", Precision.YEAR),
        ("User moved to Porto in the summer of 2023.", "2023-06-01", "2023-09-01", Precision.SEASON),
        ("User moved in the week of 5 June 2023.", "2023-06-05", "2023-06-12", Precision.WEEK),
        ("User moved on the weekend of 3 June 2023", "2023-06-03", "2023-06-05", Precision.WEEKEND),
        ("User was in Rome from 3 to 9 June 2022", "2022-06-03", "2022-06-10", Precision.SPAN),
        ("User moved around 5 June 2023", "2023-06-02", "2023-06-09", Precision.SPAN),
        ("User moved in early June 2023", "2023-06-01", "2023-06-11", Precision.SPAN),
        ("User has lived in Rome since 2020", "2020-01-01", "2021-01-01", Precision.YEAR),
        ("User moved in Q3 2021", "2021-07-01", "2021-10-01", Precision.QUARTER),
        ("User moved on 31 June 2023", "2023-06-01", "2023-07-01", Precision.MONTH),
    ],
)
def test_a_longer_time_keeps_its_precision(fact: str, first: str, last: str, precision: Precision) -> None:
    """A month is a month and a year a year."""
    found = date_in(fact)
    assert found is not None and found.recurring is None
    assert (str(found.first.date()), str(found.last.date()), found.precision) == (first, last, precision)


def test_a_month_can_be_without_a_year() -> None:
    """ "In March" is every year's."""
    found = date_in("User's birthday is in March")
    assert found is not None and found.recurring is not None
    assert (found.first.month, found.precision) == (3, Precision.MONTH)


@pytest.mark.parametrize(
    "fact",
    [
        "User likes tea", "User has 14 cats", "31 February", "today", "", "User moved last week", "User moved in May last year",
        "User moved two years ago", "User's shop is open 24/7", "User's sister June is kind", "User runs on Mondays",
        "User ate 3/4 of the cake", "User may march",
    ],
)  # fmt: skip
def test_a_fact_without_a_time_of_its_own_has_none(fact: str) -> None:
    """A number is no date, and what is relative to an unknown telling says nothing."""
    assert date_in(fact) is None


@given(st.dates())
def test_every_iso_date_is_found(day: date) -> None:
    """A date of the last thousand years is read as it is written."""
    found = date_in(f"It was on {day}.")
    assert (found and found.first.date()) == (day if 1001 <= day.year < 3000 else None)


@given(st.text())
def test_every_fact_can_be_read(fact: str) -> None:
    """Nothing raises, and a time goes forward."""
    found = date_in(fact)
    assert found is None or found.first < found.last
