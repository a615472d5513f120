"""Due dates: always ahead, relative to when and where they were said."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from recollect.domain.judge.due import due

#: A Wednesday.
_SAID = datetime(2026, 3, 11, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("by Friday", "2026-03-13T23:59:59"),
        ("on Monday", "2026-03-16T23:59:59"),
        ("on Wednesday", "2026-03-18T23:59:59"),
        ("next Tuesday", "2026-03-17T23:59:59"),
        ("next Friday", "2026-03-20T23:59:59"),
        ("tomorrow", "2026-03-12T23:59:59"),
        ("the day after tomorrow", "2026-03-13T23:59:59"),
        ("today", "2026-03-11T23:59:59"),
        ("tomorrow at 9", "2026-03-12T09:00:00"),
        ("tomorrow at 3", "2026-03-12T15:00:00"),
        ("Friday at 5pm", "2026-03-13T17:00:00"),
        ("by 3pm tomorrow", "2026-03-12T15:00:00"),
        ("tomorrow morning", "2026-03-12T12:00:00"),
        ("in two weeks", "2026-03-25T23:59:59"),
        ("in 3 days", "2026-03-14T23:59:59"),
        ("in a month", "2026-04-11T23:59:59"),
        ("in a couple of days", "2026-03-13T23:59:59"),
        ("by the end of the month", "2026-03-31T23:59:59"),
        ("by the end of the week", "2026-03-13T23:59:59"),
        ("this weekend", "2026-03-15T23:59:59"),
        ("next week", "2026-03-22T23:59:59"),
        ("next month", "2026-04-30T23:59:59"),
        ("on March 20", "2026-03-20T23:59:59"),
        ("on 5 April", "2026-04-05T23:59:59"),
        ("on January 5th", "2027-01-05T23:59:59"),
        ("on the 20th", "2026-03-20T23:59:59"),
        ("on the 2nd", "2026-04-02T23:59:59"),
        ("on 2026-04-01", "2026-04-01T23:59:59"),
        ("by June", "2026-06-30T23:59:59"),
    ],
)
def test_a_date_is_the_next_one(words: str, expected: str) -> None:
    """Whatever the words leave open is ahead; a day without an hour is due at its end."""
    found = due(f"I will do it {words}", said_at=_SAID, zone=UTC)
    assert found is not None and found.at.isoformat()[:19] == expected


def test_a_day_ends_where_the_user_lives() -> None:
    """The end of tomorrow in New York is early on the day after in UTC."""
    found = due("tomorrow", said_at=_SAID, zone=ZoneInfo("America/New_York"))
    assert found is not None and found.at == datetime(2026, 3, 13, 3, 59, 59, tzinfo=UTC)


@pytest.mark.parametrize(
    "words", ["soon", "on February 30", "yesterday", "2 apples", "maybe", "on 2020-01-01"]
)
def test_what_is_no_coming_date_is_none(words: str) -> None:
    """No calendar has such a day, or it is past."""
    assert due(f"I will do it {words}", said_at=_SAID, zone=UTC) is None
