"""Due dates: always ahead, relative to when and where they were said."""

from datetime import UTC, datetime
from zoneinfo import ZoneInfo

import pytest

from recollect.language.judge.due import due, is_time, next_hour

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
    "words",
    [
        "soon",
        "on February 30",
        "by February 30",
        "before Feb. 30th",
        "yesterday",
        "2 apples",
        "maybe",
        "on 2020-01-01",
    ],
)
def test_what_is_no_coming_date_is_none(words: str) -> None:
    """No calendar has such a day, or it is past."""
    assert due(f"I will do it {words}", said_at=_SAID, zone=UTC) is None


#: A Sunday.
_SUNDAY = datetime(2026, 11, 15, 10, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("on Friday the 4th of December", "2026-12-04T23:59:59"),
        ("by Wednesday 25 November", "2026-11-25T23:59:59"),
        ("on Monday the 30th", "2026-11-30T23:59:59"),
        ("at 6 pm on Friday 27 November", "2026-11-27T18:00:00"),
        ("on Friday, 27 November, at 7 am", "2026-11-27T07:00:00"),
        ("on Tuesday, December 1st", "2026-12-01T23:59:59"),
        ("on Saturday (January 9th) at 3", "2027-01-09T15:00:00"),
        ("on Mon 30 Nov", "2026-11-30T23:59:59"),
        ("at 5pm on Thurs. 3 December", "2026-12-03T17:00:00"),
        ("on December 4th (Friday) at 5pm", "2026-12-04T17:00:00"),
        ("on 4 December, a Friday, at 5pm", "2026-12-04T17:00:00"),
        ("on Friday, 2026-12-04", "2026-12-04T23:59:59"),
        ("by Thursday 03.12.2026", "2026-12-03T23:59:59"),
        ("on Wednesday, December 1st", "2026-12-01T23:59:59"),
        ("on Monday the 4th of December", "2026-12-04T23:59:59"),
    ],
)
def test_beside_a_date_the_weekday_does_not_count(words: str, expected: str) -> None:
    """The date is the day, in whatever order they stand and even where the weekday is another one."""
    found = due(f"I will do it {words}", said_at=_SUNDAY, zone=UTC)
    assert found is not None and found.at.isoformat()[:19] == expected


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("on Friday", "2026-11-20T23:59:59"),
        ("on Friday about the invoice of 4 December", "2026-11-20T23:59:59"),
        ("on Friday with 27 guests", "2026-11-20T23:59:59"),
        ("a week from Tuesday", "2026-11-24T23:59:59"),
        ("a week on Tuesday at 9", "2026-11-24T09:00:00"),
        ("two weeks from Friday", "2026-12-04T23:59:59"),
        ("a week from today", "2026-11-22T23:59:59"),
        ("a week from tomorrow", "2026-11-23T23:59:59"),
        ("on Friday week", "2026-11-27T23:59:59"),
        ("the Friday after next", "2026-11-27T23:59:59"),
        ("by Friday next week", "2026-11-20T23:59:59"),
        ("next week on Friday", "2026-11-20T23:59:59"),
        ("by the first", "2026-12-01T23:59:59"),
        ("before the fifteenth", "2026-12-14T23:59:59"),
        ("on the first of December", "2026-12-01T23:59:59"),
        ("by the second of next month", "2026-12-02T23:59:59"),
        ("by the 20th of next month", "2026-12-20T23:59:59"),
        ("by the 31st", "2026-12-31T23:59:59"),
        ("on 03.12.2026", "2026-12-03T23:59:59"),
        ("before the end of the year", "2026-12-31T23:59:59"),
    ],
)
def test_days_are_counted_on(words: str, expected: str) -> None:
    """Weeks behind a day, words for numbers, and months that have such a day."""
    found = due(f"I will do it {words}", said_at=_SUNDAY, zone=UTC)
    assert found is not None and found.at.isoformat()[:19] == expected


def test_friday_next_week_is_not_this_friday() -> None:
    """In the middle of a week the coming Friday is another one."""
    found = due("I will do it by Friday next week", said_at=_SAID, zone=UTC)
    assert found is not None and found.at.isoformat()[:10] == "2026-03-20"


@pytest.mark.parametrize(
    "words",
    ["on the first", "on the first try", "by the first week", "for 3.12", "on 31.02.2027", "the second"],
)
def test_what_comes_first_is_no_date(words: str) -> None:
    """A number among others names no day, and neither does a price or a day of no calendar."""
    assert due(f"I will do it {words}", said_at=_SUNDAY, zone=UTC) is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("before Friday", "2026-03-12T23:59:59"),
        ("by Friday", "2026-03-13T23:59:59"),
        ("until Friday", "2026-03-13T23:59:59"),
        ("before the 5th", "2026-04-04T23:59:59"),
        ("before 1 April", "2026-03-31T23:59:59"),
        ("before June", "2026-05-31T23:59:59"),
        ("before March", "2027-02-28T23:59:59"),
        ("before tomorrow", "2026-03-11T23:59:59"),
        ("before next week", "2026-03-15T23:59:59"),
        ("before next month", "2026-03-31T23:59:59"),
        ("before the weekend", "2026-03-13T23:59:59"),
        ("before the end of the month", "2026-03-31T23:59:59"),
        ("before the end of the day", "2026-03-11T23:59:59"),
        ("before Friday evening", "2026-03-13T17:59:59"),
        ("before Friday at 5pm", "2026-03-13T17:00:00"),
        ("before 5pm on Friday", "2026-03-13T17:00:00"),
        ("before noon", "2026-03-11T12:00:00"),
        ("before noon tomorrow", "2026-03-12T12:00:00"),
        ("by noon on Friday", "2026-03-13T12:00:00"),
    ],
)
def test_before_a_day_is_not_on_it(words: str, expected: str) -> None:
    """ "By" and "until" include the day; "before" ends with the day before it, or with the moment that is named."""
    found = due(f"I will do it {words}", said_at=_SAID, zone=UTC)
    assert found is not None and found.at.isoformat()[:19] == expected


@pytest.mark.parametrize("words", ["two days before Friday", "before today", "a week before 5 May"])
def test_what_is_counted_back_is_none(words: str) -> None:
    """Days before a day are not read, and nothing is due before today."""
    assert due(f"I will do it {words}", said_at=_SAID, zone=UTC) is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("by the end of May", "2026-05-31T23:59:59"),
        ("at the end of June 2027", "2027-06-30T23:59:59"),
        ("before the end of May", "2026-05-31T23:59:59"),
        ("by the end of February", "2027-02-28T23:59:59"),
        ("by mid-May", "2026-05-15T23:59:59"),
        ("by the beginning of June", "2026-06-01T23:59:59"),
        ("by June 2027", "2027-06-30T23:59:59"),
    ],
)
def test_a_part_of_a_month_has_its_day(words: str, expected: str) -> None:
    """The end of a month is its last day, in the year that is named or the next one."""
    found = due(f"I will do it {words}", said_at=_SAID, zone=UTC)
    assert found is not None and found.at.isoformat()[:19] == expected


def test_the_beginning_of_a_month_may_be_any_of_its_days() -> None:
    """Without a "by" nobody knows which."""
    assert due("I will do it at the beginning of June", said_at=_SAID, zone=UTC) is None


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("in two hours", "2026-03-11T12:00:00"),
        ("in half an hour", "2026-03-11T10:30:00"),
        ("in an hour and a half", "2026-03-11T11:30:00"),
        ("in 45 minutes", "2026-03-11T10:45:00"),
    ],
)
def test_hours_to_wait_are_for_reminders(words: str, expected: str) -> None:
    """A reminder comes to the minute; elsewhere they are the moment itself."""
    found = due(f"check the oven {words}", said_at=_SAID, zone=UTC, reminds=True)
    assert found is not None and found.at.isoformat()[:19] == expected
    assert due(f"I have to go {words}", said_at=_SAID, zone=UTC) is None


def test_an_hour_alone_is_the_next_one_if_it_is_sure() -> None:
    """ "At 6pm" is today, "at 9 am" tomorrow when it is past; "at 9" may be in the evening."""
    assert next_hour("at 6pm", said_at=_SAID, zone=UTC) == datetime(2026, 3, 11, 18, 0, tzinfo=UTC)
    assert next_hour("at 9 am", said_at=_SAID, zone=UTC) == datetime(2026, 3, 12, 9, 0, tzinfo=UTC)
    assert next_hour("at 9", said_at=_SAID, zone=UTC) is None


def test_a_time_is_nothing_but_a_time() -> None:
    """Words beside it make it something else."""
    assert is_time("on 3 May at 9:30") and is_time("on Monday, 4 May") and is_time("by the end of May")
    assert not is_time("what I said on Friday") and not is_time("how") and not is_time("")
