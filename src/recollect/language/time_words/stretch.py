"""A stretch: a piece of time that a phrase names, from a moment up to another one.

A year is a stretch of a year and a day is a stretch of a day; nothing is cut down to its first moment. Both ends are
in UTC; the calendar days of a zone became moments before a stretch was made (`civil`). It does not know how a phrase
is read. A separate kind for open ends was rejected: "before 2020" begins at `EARLIEST`, so every stretch is compared
in the same way.
"""

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import StrEnum

#: Where a stretch begins that has no beginning. No year before this one is read as a year.
EARLIEST = datetime(1000, 1, 1, tzinfo=UTC)


class Precision(StrEnum):
    """What a phrase names."""

    #: An hour, or a part of a day such as a morning.
    HOUR = "hour"
    DAY = "day"
    WEEKEND = "weekend"
    WEEK = "week"
    MONTH = "month"
    SEASON = "season"
    QUARTER = "quarter"
    YEAR = "year"
    DECADE = "decade"
    #: From one thing to another, a part of a longer time, or open at one end.
    SPAN = "span"


@dataclass(frozen=True, slots=True, kw_only=True)
class Stretch:
    """A piece of time and the words that name it."""

    #: Both in UTC; the end is not part of it.
    start: datetime
    end: datetime
    #: As it stands in the question.
    phrase: str
    precision: Precision
    #: Whether the phrase can mean only this time. "In May" can mean another year, "early June" another week.
    certain: bool
    #: Whether it was told as a plan: what happened may have been at another time.
    planned: bool = False

    @property
    def length(self) -> timedelta:
        """How long it is."""
        return self.end - self.start

    @property
    def is_open(self) -> bool:
        """Whether it has no beginning."""
        return self.start == EARLIEST
