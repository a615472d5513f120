"""What comes once a year, and which one is meant: months, days, seasons and quarters.

"May" alone is the latest one that has begun, "last May" the latest that is over, "this May" this year's and "this
winter" the nearest, "next May" the first to come. Seasons follow the calendar's months and are never certain: people begin them by the sky,
the weather or the holidays. It does not read text; feasts are in `feast`.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

from recollect.language.time_words.civil import DAY, Bounds, Recurring, Span, months_later, third
from recollect.language.time_words.stretch import Precision

#: Years to look either way: 29 February can be eight years away, the next Sunday that is a 5 March twelve, and the next one
#: that is a 29 February forty.
_LEAP_REACH, _WEEKDAY_REACH, _LEAP_WEEKDAY_REACH = 8, 12, 40
#: People still say "this Christmas" so long after it.
_NEAR = 31 * DAY
#: Has no 29 February, and has one.
_COMMON_YEAR, _LEAP_YEAR = 2001, 2000


def month(number: int) -> Recurring:
    """A month of every year."""
    return _months(number, 1, Precision.MONTH)


def quarter(number: int) -> Recurring:
    """A quarter of every year."""
    return _months(3 * number - 2, 3, Precision.QUARTER)


def season(place: int, *, south: bool) -> Recurring:
    """Spring is 0; a winter (in the south a summer) belongs to the year in which it begins."""
    first = 3 * ((place + 2 * south) % 4) + 3
    return _months(first, 3, Precision.SEASON, certain=False)


def _months(first: int, count: int, precision: Precision, *, certain: bool = True) -> Recurring:
    def in_year(year: int) -> Bounds:
        start = datetime(year, first, 1)
        return start, months_later(start, count)

    return Recurring(in_year=in_year, precision=precision, certain=certain)


def day(number: int, day_of_month: int) -> Recurring | None:
    """A day of every year, or of leap years alone; None if no year has it."""

    def in_year(year: int) -> Bounds | None:
        try:
            start = datetime(year, number, day_of_month)
        except ValueError:
            return None
        return start, start + DAY

    if not in_year(_LEAP_YEAR):
        return None
    if not in_year(_COMMON_YEAR):
        return Recurring(in_year=in_year, precision=Precision.DAY, reach=_LEAP_REACH)
    return Recurring(in_year=in_year, precision=Precision.DAY)


def on_weekday(what: Recurring, weekday: int) -> Recurring:
    """A day in those years alone in which it is such a weekday."""

    def in_year(year: int) -> Bounds | None:
        bounds = what.in_year(year)
        return bounds if bounds and bounds[0].weekday() == weekday else None

    reach = _LEAP_WEEKDAY_REACH if what.reach == _LEAP_REACH else _WEEKDAY_REACH
    return replace(what, in_year=in_year, reach=reach)


def third_of(what: Recurring, which: int) -> Recurring:
    """The first, second or last third of what comes once a year."""

    def in_year(year: int) -> Bounds | None:
        whole = named(what, year)
        part = whole and third(whole, which)
        return part and (part.first, part.last)

    return Recurring(in_year=in_year, precision=Precision.SPAN, certain=False)


def named(what: Recurring, year: int) -> Span | None:
    """The one of a year."""
    bounds = what.in_year(year)
    return bounds and Span(first=bounds[0], last=bounds[1], precision=what.precision, certain=what.certain)


def month_of(span: Span, year: int) -> Span:
    """The month of a year for a day that this year has not: 29 February."""
    first = datetime(year, span.first.month, 1)
    return Span(first=first, last=months_later(first, 1), precision=Precision.MONTH, certain=False)


def _all(what: Recurring, now: datetime) -> Iterator[Span]:
    """Those around now, the latest first."""
    for year in range(now.year + what.reach, now.year - what.reach - 1, -1):
        if span := named(what, year):
            yield span


def latest(what: Recurring, now: datetime) -> Span:
    """The latest that has begun. A day is certain when the next one is further away than this one."""
    spans = list(_all(what, now))
    at = next(place for place, span in enumerate(spans) if span.first <= now)
    found = spans[at]
    near = what.precision is Precision.DAY and (not at or now - found.last < spans[at - 1].first - now)
    return Span(
        first=found.first, last=found.last, precision=found.precision,
        certain=found.certain and near, recurring=what,
    )  # fmt: skip


def last(what: Recurring, now: datetime) -> Span:
    """The latest that is over; certain when it was not in this year, which some would call "this May"."""
    found = next(span for span in _all(what, now) if span.last <= now)
    return Span(
        first=found.first, last=found.last, precision=found.precision,
        certain=found.certain and found.first.year < now.year,
    )  # fmt: skip


def this(what: Recurring, now: datetime) -> Span:
    """This year's; of a season or a feast that has just been or is near, the nearest."""
    found = min(_all(what, now), key=lambda span: _distance(span, now))
    nearest = what.precision is Precision.SEASON or _distance(found, now) <= _NEAR
    if what.precision in (Precision.MONTH, Precision.QUARTER) or not nearest:
        return named(what, now.year) or found
    certain = found.certain and found.first <= now < found.last
    return Span(first=found.first, last=found.last, precision=found.precision, certain=certain)


def _distance(span: Span, now: datetime) -> timedelta:
    return max(span.first - now, now - span.last, timedelta())


def coming(what: Recurring, now: datetime) -> Span:
    """The first that begins later."""
    return [span for span in _all(what, now) if span.first > now][-1]


def not_after(what: Recurring, moment: datetime) -> Span:
    """The latest that begins by a moment: the first end of "from November to March 2023"."""
    return next(span for span in _all(what, moment) if span.first <= moment)


def before(span: Span) -> Span | None:
    """The one before this one, of what recurs."""
    if span.recurring is None:
        return None
    found = next((one for one in _all(span.recurring, span.first) if one.first < span.first), None)
    return found and replace(found, certain=False, recurring=span.recurring)


def so_many_ago(what: Recurring, now: datetime, count: int) -> Span | None:
    """The so-manieth that is over, counted back from now."""
    newest = next(span for span in _all(what, now) if span.last <= now)
    year = newest.first.year if named(what, newest.first.year) == newest else newest.last.year
    found = named(what, year - count + 1)
    return found and replace(found, certain=False)
