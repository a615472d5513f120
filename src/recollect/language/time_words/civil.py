"""Civil time: calendar days as people in a zone count them, and how they become moments.

Everything between a phrase and a stretch is reckoned on the wall clock, without a zone: a week has seven days and a day
ends at midnight, whatever the clocks do that night. Only the result is converted. Reckoning in UTC was rejected: the
day on which the clocks change would begin an hour off. It does not know any phrase.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from recollect.language.time_words.stretch import EARLIEST, Precision, Stretch

DAY = timedelta(days=1)
#: The wall clock's spelling of `EARLIEST`.
OPEN = EARLIEST.replace(tzinfo=None)

Bounds = tuple[datetime, datetime]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recurring:
    """What comes once a year: a month, a day, a season, a feast. None: that year has none."""

    in_year: Callable[[int], Bounds | None]
    precision: Precision
    #: Whether it is one certain time once the year is known.
    certain: bool = True
    #: Years to look either way for one.
    reach: int = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """A stretch on the wall clock."""

    first: datetime
    last: datetime
    precision: Precision
    certain: bool = True
    #: What comes every year, where the phrase left the year open.
    recurring: Recurring | None = None
    #: The weekday, where the phrase left the week open; Monday is 0.
    weekday: int | None = None

    @property
    def middle(self) -> datetime:
        """The moment halfway."""
        return self.first + (self.last - self.first) / 2


def midnight(moment: datetime) -> datetime:
    """The beginning of a day."""
    return moment.replace(hour=0, minute=0, second=0, microsecond=0, fold=0)


def months_later(day: datetime, months: int) -> datetime:
    """The same day of another month, or that month's last day."""
    years, month = divmod(day.month - 1 + months, 12)
    if day.day <= 28:
        return day.replace(year=day.year + years, month=month + 1)
    first = day.replace(year=day.year + years, month=month + 1, day=1)
    return first + DAY * (min(day.day, _days(first)) - 1)


def _days(first: datetime) -> int:
    return ((first + 31 * DAY).replace(day=1) - first).days


def moved(day: datetime, count: float, unit: Precision) -> datetime:
    """So many units later, or earlier when the count is negative; halves of a month are fifteen days."""
    match unit:
        case Precision.HOUR:
            return day + timedelta(hours=count)
        case Precision.DAY:
            return day + DAY * round(count)
        case Precision.WEEK | Precision.WEEKEND:
            return day + DAY * round(7 * count)
        case Precision.YEAR:
            return months_later(day, round(12 * count))
        case Precision.DECADE:
            return months_later(day, round(120 * count))
        case Precision.QUARTER | Precision.SEASON:
            return months_later(day, round(3 * count))
        case Precision.MONTH | Precision.SPAN:
            return months_later(day, int(count)) + DAY * round(30 * (count - int(count)))


def unit_around(day: datetime, unit: Precision) -> Bounds:
    """The calendar's week, month or year that a day lies in; weeks begin on Monday."""
    day = midnight(day)
    match unit:
        case Precision.WEEK:
            monday = day - DAY * day.weekday()
            return monday, monday + 7 * DAY
        case Precision.WEEKEND:
            saturday = day - DAY * day.weekday() + 5 * DAY
            return saturday, saturday + 2 * DAY
        case Precision.MONTH:
            first, months = day.replace(day=1), 1
        case Precision.QUARTER:
            first, months = day.replace(day=1, month=day.month - (day.month - 1) % 3), 3
        case Precision.YEAR:
            first, months = day.replace(day=1, month=1), 12
        case Precision.DECADE:
            first, months = day.replace(day=1, month=1, year=day.year // 10 * 10), 120
        case _:
            return day, day + DAY
    return first, months_later(first, months)


def third(span: Span, which: int) -> Span:
    """The first, second or last third; a month's are its days 1-10, 11-20 and the rest."""
    if span.precision is Precision.MONTH:
        cuts = [span.first, span.first + 10 * DAY, span.first + 20 * DAY, span.last]
    elif span.precision is Precision.YEAR:
        cuts = [months_later(span.first, months) for months in (0, 4, 8, 12)]
    else:
        length = (span.last - span.first) / 3
        cuts = [span.first, span.first + length, span.first + 2 * length, span.last]
        if length > DAY:
            cuts[1:3] = map(midnight, cuts[1:3])
    return Span(first=cuts[which], last=cuts[which + 1], precision=Precision.SPAN, certain=False)


def in_utc(wall: datetime, zone: tzinfo) -> datetime:
    """The first moment at which the clocks of a zone show this time, or a later one if they skip it."""
    moment = wall.replace(tzinfo=zone).astimezone(UTC)
    if moment.astimezone(zone).replace(tzinfo=None) == wall:
        return moment
    # The clocks were put forward over it. The two readings of such a time lie on both sides of the change.
    before = wall.replace(tzinfo=zone, fold=1).astimezone(UTC)
    low, high = sorted((before, moment))
    while high - low > timedelta(seconds=1):
        halfway = low + timedelta(seconds=(high - low) // timedelta(seconds=2))
        if halfway.astimezone(zone).replace(tzinfo=None) >= wall:
            high = halfway
        else:
            low = halfway
    return high


def stretch(span: Span, phrase: str, zone: tzinfo) -> Stretch:
    """The span as moments."""
    start = EARLIEST if span.first <= OPEN else in_utc(span.first, zone)
    end = in_utc(span.last, zone)
    if end <= start:
        # A zone can skip a whole day: it has no moment, so the time after it stands for it.
        end = start + max(span.last - span.first, timedelta(hours=1))
    return Stretch(start=start, end=end, phrase=phrase, precision=span.precision, certain=span.certain)
