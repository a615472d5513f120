"""Distances from another time: "two days after 8 May", "the night before Christmas", "the week of the wedding", "shortly after".

"The day after" is the one that touches; "a week after" is the week around the day a week later, for people round. Of what
is known as a month or longer, two days after is as uncertain as the month: all of it moves. What the other time is, a date
or an event that a memory gives, is for others to say.
"""

from dataclasses import dataclass

from recollect.language.time_words import counted
from recollect.language.time_words.civil import DAY, Span, moved, unit_around
from recollect.language.time_words.day_part import part_of
from recollect.language.time_words.stretch import Precision

#: What begins and ends with a day, or within one.
_DAYS = (Precision.HOUR, Precision.DAY)


@dataclass(frozen=True, slots=True, kw_only=True)
class Distance:
    """How far one time lies from another."""

    #: In units, at least and at most; both None: the one that touches, as in "the day after".
    low: float | None = None
    high: float | None = None
    unit: Precision
    #: A part of the day that is so far away: "the night before".
    part: str | None = None


def beside(other: Span, sign: int, distance: Distance) -> Span:
    """The time so far before (-1) or after (1) another one; that around it or in it is 0."""
    if not sign:
        return _around(other, distance)
    low, high = distance.low, distance.high
    whole_days = other.precision in _DAYS or (other.last - other.first) <= DAY
    day = other.first if sign < 0 else other.last - DAY
    if distance.part and whole_days:
        return part_of(day + sign * DAY, distance.part)
    if low is None or high is None:
        if whole_days or distance.unit is not Precision.DAY:
            return _next_to(other, sign, distance.unit)
        low = high = 1.0
    if whole_days:
        return counted.shifted(day, sign * low, sign * high, distance.unit)
    near, far = sorted((sign * low, sign * high))
    first, last = moved(other.first, near, distance.unit), moved(other.last, far, distance.unit)
    return Span(first=first, last=last, precision=Precision.SPAN, certain=False)


def _around(other: Span, distance: Distance) -> Span:
    """The week or month that another time lies in; its night, if it is a day. What is longer already stays as it is."""
    if other.last - other.first > DAY:
        return other
    if distance.part:
        return part_of(other.first, distance.part)
    first, last = unit_around(other.first, distance.unit)
    return Span(first=first, last=last, precision=distance.unit, certain=other.certain)


def _next_to(other: Span, sign: int, unit: Precision) -> Span:
    """The unit right before or after another time."""
    edge = other.first if sign < 0 else other.last
    if unit is Precision.WEEKEND:
        monday, _ = unit_around(edge, Precision.WEEK)
        saturday = monday - 2 * DAY if sign < 0 else edge + DAY * ((5 - edge.weekday()) % 7)
        return Span(first=saturday, last=saturday + 2 * DAY, precision=unit, certain=other.certain)
    first, last = sorted((edge, moved(edge, sign, unit)))
    return Span(first=first, last=last, precision=unit, certain=other.certain)
