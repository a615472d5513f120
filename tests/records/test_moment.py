"""Moments: one spelling, read from many."""

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.records.moment import iso, parse, whole_milliseconds

moments = st.datetimes(min_value=datetime(2, 1, 1), max_value=datetime(9998, 1, 1), timezones=st.just(UTC))
zones = st.integers(-23, 23).map(lambda hours: timezone(timedelta(hours=hours)))


@given(moments, zones)
def test_a_moment_survives_its_spelling(moment: datetime, zone: timezone) -> None:
    """To the millisecond, whatever the zone it was given in."""
    assert parse(iso(moment.astimezone(zone))) == whole_milliseconds(moment)


@given(moments, moments)
def test_text_order_is_time_order(first: datetime, second: datetime) -> None:
    """The store can sort text and has sorted time."""
    first, second = whole_milliseconds(first), whole_milliseconds(second)
    assert (first < second) == (iso(first) < iso(second))


@pytest.mark.parametrize(
    "text",
    [
        "2026-01-28T10:30:45Z",
        "2026-01-28T10:30:45.000Z",
        "2026-01-28T12:30:45+02:00",
        "2026-01-28 10:30:45",
        "20260128T103045Z",
        "2026-01-28T10:30:45.0001Z",
    ],
)
def test_spellings(text: str) -> None:
    """Any ISO-8601 form is read; without a zone it is UTC."""
    assert iso(parse(text)) == "2026-01-28T10:30:45.000Z"


@pytest.mark.parametrize(
    "value", ["", "soon", "2026-13-01", "28.01.2026", None, 5, [], "0001-01-01T00:00:00+14:00"]
)
def test_what_is_no_moment(value: object) -> None:
    """Everything else is refused with the field's name."""
    with pytest.raises(InvalidInput, match=r"^since: ") as raised:
        parse(value, field="since")  # type: ignore[arg-type]
    assert raised.value.field == "since"
