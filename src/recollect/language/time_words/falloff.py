"""Closeness: how near moments are to the stretches of a question, from 1 inside down to 0.

People tell of things after they happened, so it falls off slowly after a stretch and quickly before it. The slopes grow
with the stretch: a week after "last year" is nothing, a week after "yesterday" is far. It ranks nothing by itself and
knows no message. A hard window was rejected: it loses what was told a day late.
"""

from datetime import timedelta

import numpy as np
from numpy.typing import NDArray

from recollect.language.time_words.reading import TimeWords
from recollect.language.time_words.stretch import Precision, Stretch

#: At half so long after the end and before the start, at least; and the share of the stretch's length. Choices.
_AFTER, _AFTER_SHARE = timedelta(days=3), 1 / 4
_BEFORE, _BEFORE_SHARE = timedelta(days=1), 1 / 16
#: The same for what is shorter than a day: this morning is not yesterday's. No less, for the clock may be another zone's.
_HOURS_AFTER, _HOURS_BEFORE = timedelta(hours=24), timedelta(hours=12)
#: Stands for the length of a stretch without a beginning.
_OPEN_LENGTH = timedelta(days=365)
#: Where only a time is asked for, the end of such a stretch counts most: so long before it still in full, and at half so
#: long before that. Choices.
_SHORTLY, _SHORTLY_HALF = timedelta(days=14), timedelta(days=91)
_MS = timedelta(milliseconds=1)


def closeness(
    at_ms: NDArray[np.float64], words: TimeWords, *, shortly_before: bool = False
) -> NDArray[np.float64]:
    """How near each moment, in milliseconds since 1970, is to the nearest stretch; zeros when there is none.

    `shortly_before`: of a stretch without a beginning what is near its end counts more, for whoever asks for nothing but
    the time. That orders what lies inside; it is no bound.
    """
    nearest = np.zeros(at_ms.shape, dtype=np.float64)
    for stretch in words.stretches:
        near = _to(stretch, at_ms)
        if shortly_before and stretch.is_open:
            long_before = (stretch.end - _SHORTLY).timestamp() * 1000 - at_ms
            near *= np.exp2(-np.maximum(long_before, 0) / (_SHORTLY_HALF / _MS))
        np.maximum(nearest, near, out=nearest)
    return nearest


def _to(stretch: Stretch, at_ms: NDArray[np.float64]) -> NDArray[np.float64]:
    length = _OPEN_LENGTH if stretch.is_open else stretch.length
    short = stretch.precision is Precision.HOUR
    least_after, least_before = (_HOURS_AFTER, _HOURS_BEFORE) if short else (_AFTER, _BEFORE)
    start, end = stretch.start.timestamp() * 1000, stretch.end.timestamp() * 1000
    # The end is not inside; a millisecond is the least that moments differ by.
    after = np.maximum(at_ms - (end - 1), 0) / (max(least_after, length * _AFTER_SHARE) / _MS)
    before = np.maximum(start - at_ms, 0) / (max(least_before, length * _BEFORE_SHARE) / _MS)
    return np.exp2(-(after + before))
