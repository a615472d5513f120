"""Once an event is found, its stretch is known."""

from datetime import UTC, date, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.language.time_words import Anchor, Precision, Relation, Stretch, anchored, read, yearly

BERLIN = ZoneInfo("Europe/Berlin")
NOW = datetime(2023, 6, 14, 10, 30, tzinfo=BERLIN)


def _anchor(relation: Relation, within: Stretch | None = None) -> Anchor:
    return Anchor(phrase="… the move", relation=relation, what="the move", within=within)


def _stretch(phrase: str) -> Stretch:
    return read(phrase, now=NOW, zone=BERLIN).stretches[0]


@pytest.mark.parametrize(
    ("relation", "start", "end"),
    [
        (Relation.ON, "2023-03-04T23:00", "2023-03-05T23:00"),
        (Relation.BEFORE, "2022-03-04T23:00", "2023-03-05T23:00"),
        (Relation.AFTER, "2023-03-04T23:00", "2023-06-14T08:30"),
        (Relation.SINCE, "2023-03-04T23:00", "2023-06-14T08:30"),
        (Relation.UNTIL, "2022-03-04T23:00", "2023-03-05T23:00"),
        (Relation.AROUND, "2023-02-18T23:00", "2023-03-19T23:00"),
        (Relation.DURING, "2023-02-25T23:00", "2023-03-12T23:00"),
    ],
)
def test_a_moment_anchors_its_day(relation: Relation, start: str, end: str) -> None:
    """A moment stands for its calendar day in the zone, and the relation says what lies about it."""
    found = anchored(_anchor(relation), datetime(2023, 3, 5, 23, 30, tzinfo=BERLIN), now=NOW, zone=BERLIN)
    assert found.start == datetime.fromisoformat(start).replace(tzinfo=UTC)
    assert found.end == datetime.fromisoformat(end).replace(tzinfo=UTC)
    assert found.certain is (relation is Relation.ON)
    assert found.phrase == "… the move"


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("the day after the move", "2023-03-06", "2023-03-07"),
        ("the day before the move", "2023-03-04", "2023-03-05"),
        ("two days after the move", "2023-03-07", "2023-03-08"),
        ("a week before the move", "2023-02-23", "2023-03-02"),
        ("the week after the move", "2023-03-06", "2023-03-13"),
        ("the weekend before the move", "2023-02-25", "2023-02-27"),
        ("the month after the move", "2023-03-06", "2023-04-06"),
        ("the night before the move", "2023-03-04T18:00", "2023-03-05T06:00"),
        ("the morning after the move", "2023-03-06T05:00", "2023-03-06T12:00"),
        ("shortly after the move", "2023-03-06", "2023-03-20"),
        ("an hour before the move", "2023-03-05", "2023-03-06"),
        ("the week I moved", "2023-02-27", "2023-03-06"),
        ("the day I moved", "2023-03-05", "2023-03-06"),
        ("the month I moved", "2023-03-01", "2023-04-01"),
        ("the evening of the move", "2023-03-05T18:00", "2023-03-06"),
    ],
)
def test_a_distance_is_counted_from_the_day(question: str, start: str, end: str) -> None:
    """So far before or after the event, as from a date; the event's own day is not the week before it."""
    (anchor,) = read(question, now=NOW, zone=BERLIN).anchors
    found = anchored(anchor, datetime(2023, 3, 5, 23, 30, tzinfo=BERLIN), now=NOW, zone=BERLIN)
    assert found.start == datetime.fromisoformat(start).replace(tzinfo=BERLIN)
    assert found.end == datetime.fromisoformat(end).replace(tzinfo=BERLIN)
    assert not found.certain and found.phrase == question


@pytest.mark.parametrize(
    ("question", "start", "end"),
    [
        ("two days after the move", "2023-03-03", "2023-04-03"),
        ("the day after the move", "2023-03-02", "2023-04-02"),
        ("the night before the move", "2023-02-28", "2023-03-31"),
        ("the week after the move", "2023-04-01", "2023-04-08"),
        ("the week I moved", "2023-03-01", "2023-04-01"),
    ],
)
def test_a_distance_from_a_month_is_as_uncertain_as_the_month(question: str, start: str, end: str) -> None:
    """Two days after something in March can be any day from the third on."""
    (anchor,) = read(question, now=NOW, zone=BERLIN).anchors
    found = anchored(anchor, _stretch("in March 2023"), now=NOW, zone=BERLIN)
    assert found.start == datetime.fromisoformat(start).replace(tzinfo=BERLIN)
    assert found.end == datetime.fromisoformat(end).replace(tzinfo=BERLIN)


def test_a_known_stretch_is_the_time_during_it() -> None:
    """When it is known how long the trip was, "during" is exactly that."""
    trip = _stretch("from 3 to 9 June 2022")
    found = anchored(_anchor(Relation.DURING), trip, now=NOW)
    assert (found.start, found.end, found.precision) == (trip.start, trip.end, trip.precision)


def test_the_stretch_it_lies_in_bounds_it() -> None:
    """ "Before the move, in May 2023" is in May."""
    within = _stretch("in May 2023")
    found = anchored(
        _anchor(Relation.BEFORE, within), datetime(2023, 5, 20, tzinfo=BERLIN), now=NOW, zone=BERLIN
    )
    assert (found.start, found.end) == (within.start, datetime(2023, 5, 21, tzinfo=BERLIN))


@pytest.mark.parametrize(("relation", "days"), [(Relation.BEFORE, (1, 4)), (Relation.AFTER, (6, 9))])
def test_a_stated_day_is_on_neither_side(relation: Relation, days: tuple[int, int]) -> None:
    """The day of the telling is on both sides of an event, the day that was stated on none."""
    day, (near, far) = _stretch("5 March 2023"), (datetime(2023, 3, date, 12, tzinfo=BERLIN) for date in days)
    found = anchored(_anchor(relation), day, now=NOW, zone=BERLIN)
    assert found.start <= near < found.end and found.start <= far < found.end
    assert not found.start <= day.start < found.end


def test_a_birthday_is_taken_to_the_year_that_is_meant() -> None:
    """The date of birth is known; the question is about last year."""
    within = _stretch("last year")
    found = anchored(
        _anchor(Relation.ON, within), datetime(1990, 3, 14, 12, tzinfo=BERLIN), now=NOW, zone=BERLIN
    )
    assert (found.start, found.end) == (
        datetime(2022, 3, 14, tzinfo=BERLIN),
        datetime(2022, 3, 15, tzinfo=BERLIN),
    )


@pytest.mark.parametrize(
    ("month", "day", "phrase", "start", "days"),
    [
        (3, 14, "last year", "2022-03-14", 1),
        (2, 29, "in 2024", "2024-02-29", 1),
        (2, 29, "last year", "2022-02-28", 2),
        (1, 1, "last year", "2022-01-01", 1),
        (12, 31, "last year", "2022-12-31", 1),
        (3, 14, "between 2019 and 2021", "2021-03-14", 1),
        (3, 14, "in May 2022", "2022-03-14", 1),
        (12, 30, "in January 2022", "2021-12-30", 1),
    ],
)
def test_a_day_of_the_year_lies_in_the_stretch(
    month: int, day: int, phrase: str, start: str, days: int
) -> None:
    """The latest such day inside, or the nearest; 29 February is both its neighbours in a common year."""
    found = yearly(month, day, _stretch(phrase), zone=BERLIN)
    first = datetime.fromisoformat(start)
    assert found.start == first.replace(tzinfo=BERLIN)
    assert found.end == (first + timedelta(days=days)).replace(tzinfo=BERLIN)
    assert found.precision is Precision.DAY and found.certain is (days == 1)


_MOMENTS = st.datetimes(datetime(1950, 1, 1), datetime(2050, 1, 1), timezones=st.just(UTC))


@given(
    _MOMENTS,
    st.integers(1, 365 * 5).map(lambda days: timedelta(days=days)),
    st.dates(datetime(2024, 1, 1).date(), datetime(2024, 12, 31).date()),
    st.sampled_from([UTC, BERLIN, ZoneInfo("Pacific/Auckland"), ZoneInfo("Pacific/Honolulu")]),
)
def test_earlier_years_do_not_matter(start: datetime, length: timedelta, date: date, zone: tzinfo) -> None:
    """The day of a stretch is the day of the same stretch begun centuries before, if the shorter one holds it."""
    end = start + length
    found, of_long = (
        yearly(
            date.month,
            date.day,
            Stretch(start=begin, end=end, phrase="", precision=Precision.SPAN, certain=False),
            zone=zone,
        )
        for begin in (start, start.replace(year=1010, day=1))
    )
    assert of_long.start < end
    assert end - of_long.start <= timedelta(days=368)
    if found.start < end and start < found.end:
        assert found == of_long
    else:
        assert length < timedelta(days=368)


@given(
    st.sampled_from(list(Relation)),
    st.datetimes(datetime(1950, 1, 1), datetime(2050, 1, 1), timezones=st.just(UTC)),
    st.datetimes(datetime(1950, 1, 1), datetime(2050, 1, 1), timezones=st.just(UTC)),
    st.sampled_from([None, "last year", "in May 2023", "yesterday"]),
)
def test_an_anchored_stretch_goes_forward(
    relation: Relation, when: datetime, now: datetime, phrase: str | None
) -> None:
    """Whenever the event was or will be, its stretch has a length."""
    within = _stretch(phrase) if phrase else None
    found = anchored(_anchor(relation, within), when, now=now, zone=BERLIN)
    assert found.start < found.end
