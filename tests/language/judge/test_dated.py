"""Relative times become dates."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.judge.dated import dated, undated

#: A Monday.
SAID = datetime(2026, 11, 16, 9, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("User moved to Leipzig last month.", "User moved to Leipzig in October 2026."),
        ("User got divorced two years ago.", "User got divorced in 2024."),
        ("User started the job 3 months ago.", "User started the job in August 2026."),
        ("User had surgery a couple of weeks ago.", "User had surgery around 2 November 2026."),
        ("User lost User's job yesterday.", "User lost User's job on 15 November 2026."),
        ("User turned 30 today.", "User turned 30 on 16 November 2026."),
        ("User's birthday was yesterday.", "User's birthday is on 15 November."),
        ("User's sister's birthday is tomorrow.", "User's sister's birthday is on 17 November."),
        ("User's wedding was yesterday.", "User's wedding was on 15 November 2026."),
        ("User got a greyhound last weekend.", "User got a greyhound on the weekend of 14 November 2026."),
        ("User's exam is next week.", "User's exam is in the week of 23 November 2026."),
        ("User is getting married next year.", "User is getting married in 2027."),
        ("User has lived in Rome since last year.", "User has lived in Rome since 2025."),
        ("User was in Peru last summer.", "User was in Peru in the summer of 2026."),
        ("User was in Peru last winter.", "User was in Peru in the winter of 2025."),
        ("User flies to Oslo tomorrow.", "User flies to Oslo on 17 November 2026."),
        ("User broke an arm about a year ago.", "User broke an arm in 2025."),
        ("User married in 2019.", "User married in 2019."),
        ("User recently moved.", "User recently moved."),
        ("User runs every week.", "User runs every week."),
        (
            "User's project is called Last Week Tonight Fan.",
            "User's project is called Last Week Tonight Fan.",
        ),
        ("User plays this week's song.", "User plays this week's song."),
    ],
)
def test_what_is_meant_is_written_out(said: str, kept: str) -> None:
    """A phrase becomes the date that it meant when it was said, as precise as it was; others stay."""
    assert dated(said, SAID, UTC) == kept


def test_the_day_is_the_readers() -> None:
    """Late in the evening it is tomorrow already elsewhere."""
    late = datetime(2026, 12, 31, 23, 30, tzinfo=UTC)
    assert dated("User quit today.", late, UTC) == "User quit on 31 December 2026."
    assert dated("User quit today.", late, ZoneInfo("Asia/Tokyo")) == "User quit on 1 January 2027."


@given(st.text(max_size=100), st.datetimes(timezones=st.just(UTC)))
def test_it_never_fails_and_is_done_once(text: str, at: datetime) -> None:
    """Any text at any time is read, and what is dated has nothing left to date."""
    once = dated(f"User left two years ago {text}", at, UTC)
    assert dated(once, at, UTC) == once


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("User's exam is on Friday.", "User's exam is on Friday 20 November 2026."),
        ("User's exam is on Friday next week.", "User's exam is on Friday 27 November 2026."),
        ("User has an exam on monday.", "User has an exam on Monday 23 November 2026."),
        ("User's wedding was on Friday.", "User's wedding was on Friday."),
        ("User is off on Fridays.", "User is off on Fridays."),
        ("User works from home on Friday.", "User works from home on Friday."),
        ("User usually has a salad on Friday.", "User usually has a salad on Friday."),
        ("User's choir practice is on Friday.", "User's choir practice is on Friday."),
        ("User's surgery is on Friday 20 November 2026.", "User's surgery is on Friday 20 November 2026."),
    ],
)
def test_a_weekday_ahead_is_a_date(said: str, kept: str) -> None:
    """The next one of its name is written out; what is over and what comes back stays."""
    assert dated(said, SAID, UTC) == kept


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("User has an exam on Tuesday, December 1st.", "User has an exam on Tuesday 1 December 2026."),
        ("User's surgery is on Saturday, January 9th.", "User's surgery is on Saturday 9 January 2027."),
        ("User's exam is on Friday the 4th of December.", "User's exam is on Friday 4 December 2026."),
        ("User's exam is on Friday 4 Dec at 9.", "User's exam is on Friday 4 December 2026 at 9."),
        ("User's exam is on Friday (December 4).", "User's exam is on Friday 4 December 2026."),
        ("User's flight is on Monday the 30th.", "User's flight is on Monday 30 November 2026."),
        ("User's flight is on Friday, the 4th.", "User's flight is on Friday 4 December 2026."),
        ("User's exam is on Wednesday, December 1st.", "User's exam is on Wednesday, December 1st."),
        ("User's exam is on Friday, December 4th, 2027.", "User's exam is on Friday, December 4th, 2027."),
        ("User's exam is on Friday the first.", "User's exam is on Friday the first."),
        ("User's exam is on Friday, February 30.", "User's exam is on Friday, February 30."),
        ("User's exam is a week from Tuesday.", "User's exam is on Tuesday 24 November 2026."),
        ("User's exam is two weeks on Friday.", "User's exam is on Friday 4 December 2026."),
        (
            "User is getting a tattoo on Friday in a studio.",
            "User is getting a tattoo on Friday 20 November 2026 in a studio.",
        ),
        ("User's exam is on Friday week.", "User's exam is on Friday week."),
        ("User's exam is on Friday in two weeks.", "User's exam is on Friday in two weeks."),
    ],
)
def test_a_weekday_with_a_date_is_that_date(said: str, kept: str) -> None:
    """The year is added where weekday and date agree; else the words stay, and no other date is put beside them."""
    assert dated(said, SAID, UTC) == kept
    assert dated(kept, SAID, UTC) == kept


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("User works at Apple as of this week.", "User works at Apple as of the week of 16 November 2026."),
        ("User is on leave from next month.", "User is on leave from December 2026."),
        ("User is in Oslo until tomorrow.", "User is in Oslo until 17 November 2026."),
        ("User quit tennis for today.", "User quit tennis for 16 November 2026."),
        ("User's surgery is planned for next week.", "User's surgery is planned for the week of 23 November 2026."),
    ],
)  # fmt: skip
def test_a_word_before_a_time_stays_alone(said: str, kept: str) -> None:
    """ "Until", "for" and "from" are not followed by a second "in" or "on"."""
    assert dated(said, SAID, UTC) == kept


@pytest.mark.parametrize(
    ("said", "plain"),
    [
        ("User turned 30 today.", "User turned 30."),
        ("User moved to Berlin yesterday.", "User moved to Berlin."),
        ("User's birthday was yesterday.", None),
        ("User moves to Berlin tomorrow.", None),
        ("User moved to Berlin in 2019.", None),
    ],
)
def test_without_the_day(said: str, plain: str | None) -> None:
    """What became true these days is known by the statement without the day."""
    assert undated(said) == plain
