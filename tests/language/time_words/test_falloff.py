"""Closeness falls off slowly after a stretch and quickly before it."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from recollect.language.time_words import TimeWords, closeness, read

NOW = datetime(2023, 6, 14, 10, 30, tzinfo=UTC)


def _words(question: str) -> TimeWords:
    return read(question, now=NOW, zone=UTC)


def _ms(*moments: datetime) -> NDArray[np.float64]:
    return np.array([moment.timestamp() * 1000 for moment in moments], dtype=np.float64)


@pytest.mark.parametrize(
    ("phrase", "after_days", "before_days"),
    [("yesterday", 3.0, 1.0), ("last year", 365 / 4, 365 / 16), ("in May 2023", 31 / 4, 31 / 16)],
)
def test_half_is_reached_by_the_length(phrase: str, after_days: float, before_days: float) -> None:
    """It is 1 inside, a half after a quarter of the length or three days, and before it much sooner."""
    words = _words(phrase)
    (one,) = words.stretches
    inside = one.start + one.length / 2
    at = _ms(one.start, inside, one.end + timedelta(days=after_days), one.start - timedelta(days=before_days))
    assert closeness(at, words) == pytest.approx([1, 1, 0.5, 0.5], abs=1e-6)


def test_the_end_is_outside() -> None:
    """A stretch ends before its end."""
    words = _words("yesterday")
    last, end = closeness(
        _ms(words.stretches[0].end - timedelta(milliseconds=1), words.stretches[0].end), words
    )
    assert last == 1 and end < 1


def test_an_open_stretch_falls_off_like_a_year() -> None:
    """Before 2020 everything is inside; after it, half is left in a quarter of a year."""
    words = _words("before 2020")
    at = _ms(datetime(1971, 1, 1, tzinfo=UTC), datetime(2020, 1, 1, tzinfo=UTC) + timedelta(days=365 / 4))
    assert closeness(at, words) == pytest.approx([1, 0.5], abs=1e-6)


def test_hours_are_nearer_than_days() -> None:
    """A day after this morning half is left, and half a day before it: yesterday's morning is another one."""
    words = _words("this morning")
    (one,) = words.stretches
    at = _ms(one.start, one.end + timedelta(hours=24), one.start - timedelta(hours=12))
    assert closeness(at, words) == pytest.approx([1, 0.5, 0.5], abs=1e-6)


def test_the_nearest_stretch_counts() -> None:
    """Of two stretches the nearer one decides."""
    words = _words("in May 2023 or in May 2021")
    assert closeness(
        _ms(datetime(2021, 5, 9, tzinfo=UTC), datetime(2023, 5, 9, tzinfo=UTC)), words
    ).tolist() == [1, 1]


def test_nothing_is_close_to_no_time() -> None:
    """Without a stretch there is nothing to be close to."""
    assert closeness(_ms(NOW, NOW), _words("What is my name?")).tolist() == [0, 0]


@given(
    st.lists(st.floats(-1e13, 1e13), max_size=20), st.sampled_from(["yesterday", "last year", "before 2020"])
)
def test_closeness_is_a_share(at: list[float], phrase: str) -> None:
    """Whatever the moment, it is between nothing and everything, and shaped like the moments."""
    found = closeness(np.array(at, dtype=np.float64), _words(phrase))
    assert found.shape == (len(at),)
    assert ((found >= 0) & (found <= 1)).all()


def test_shortly_before() -> None:
    """Where only a time is asked for, "before 2023" falls off from its last weeks, and a year keeps its months."""
    moments = _ms(datetime(2022, 12, 28, tzinfo=UTC), datetime(2021, 1, 1, tzinfo=UTC))
    near = closeness(moments, _words("before 2023"), shortly_before=True)
    assert near[0] == 1.0 and near[1] < 0.01
    quarter = _ms(datetime(2022, 12, 18, tzinfo=UTC) - timedelta(days=91))
    assert closeness(quarter, _words("before 2023"), shortly_before=True) == pytest.approx([0.5])
    assert (closeness(moments, _words("before 2023")) == 1.0).all()
    year = _words("in 2022")
    assert (closeness(moments, year, shortly_before=True) == closeness(moments, year)).all()
