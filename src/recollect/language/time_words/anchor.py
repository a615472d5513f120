"""An anchor: a time that only a memory can give, such as "before the move", "two days after the surgery" or "the week I moved".

The question names an event; somebody who can look finds when it was, and `anchored` says which stretch is meant then. A
distance is reckoned as one from a date is (`beside`). It does not look for the event and does not read the question. A guess without looking was rejected: nothing in the words
says when the move was.
"""

from calendar import isleap
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta, tzinfo
from enum import StrEnum

from recollect.language.time_words.beside import Distance, beside
from recollect.language.time_words.civil import DAY, Span, in_utc, midnight, months_later, stretch
from recollect.language.time_words.stretch import Precision, Stretch

#: How far "before" and "after" reach. Nearer is likelier, and people who mean other years name them. A choice.
_REACH = timedelta(days=365)
#: On either side of "around", and of "during" when only one day of it is known. Choices.
_AROUND, _DURING = timedelta(days=14), timedelta(days=7)


class Relation(StrEnum):
    """How the time that is meant lies to the event."""

    BEFORE = "before"
    AFTER = "after"
    ON = "on"
    DURING = "during"
    SINCE = "since"
    UNTIL = "until"
    AROUND = "around"


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """An event by which a question says when."""

    #: As it stands in the question.
    phrase: str
    relation: Relation
    #: The event in the question's words: "the move", "we got the dog".
    what: str
    #: The stretch that the event is said to lie in: the last year of "on my birthday last year".
    within: Stretch | None
    #: How far from the event, or how much around it: "two days (after)", "the week (I moved)"; None: not said.
    distance: Distance | None = None


def anchored(anchor: Anchor, when: datetime | Stretch, *, now: datetime, zone: tzinfo = UTC) -> Stretch:
    """The stretch that is meant, once the event was found to be at this moment or in this stretch."""
    event = when if isinstance(when, Stretch) else _day_of(anchor, when, zone)
    if anchor.within and anchor.relation is Relation.ON and not _meet(event, anchor.within):
        # The event comes every year; the one that was found was in another.
        local = event.start.astimezone(zone)
        event = yearly(local.month, local.day, anchor.within, zone=zone)
        if anchor.distance is None:
            return event
    if anchor.distance:
        return _so_far(anchor, anchor.distance, event, zone)
    start, end = _bounds(anchor.relation, event, known_day=not isinstance(when, Stretch), now=now)
    if anchor.within and max(start, anchor.within.start) < min(end, anchor.within.end):
        start, end = max(start, anchor.within.start), min(end, anchor.within.end)
    same = (start, end) == (event.start, event.end)
    return Stretch(
        start=start,
        end=end,
        phrase=anchor.phrase,
        precision=event.precision if same else Precision.SPAN,
        certain=event.certain and same,
    )


def _so_far(anchor: Anchor, distance: Distance, event: Stretch, zone: tzinfo) -> Stretch:
    """The time at a distance from the event. That a question looks for it hides nothing, so it is never certain."""
    first, last = (moment.astimezone(zone).replace(tzinfo=None) for moment in (event.start, event.end))
    sign = {Relation.BEFORE: -1, Relation.AFTER: 1}.get(anchor.relation, 0)
    span = beside(Span(first=first, last=last, precision=event.precision), sign, distance)
    return replace(stretch(span, anchor.phrase, zone), certain=False)


def _day_of(anchor: Anchor, moment: datetime, zone: tzinfo) -> Stretch:
    first = midnight(moment.astimezone(zone).replace(tzinfo=None))
    return stretch(Span(first=first, last=first + DAY, precision=Precision.DAY), anchor.phrase, zone)


def _meet(one: Stretch, other: Stretch) -> bool:
    return one.start < other.end and other.start < one.end


def _bounds(
    relation: Relation, event: Stretch, *, known_day: bool, now: datetime
) -> tuple[datetime, datetime]:
    match relation:
        case Relation.BEFORE:
            # On the day on which an event was told, the rest was told of both sides of it.
            return event.start - _REACH, event.end if known_day else event.start
        case Relation.AFTER:
            end = event.end + _REACH
            start = event.start if known_day else event.end
            return start, min(end, now) if now > event.end else end
        case Relation.SINCE:
            return event.start, now if now > event.start else event.end
        case Relation.UNTIL:
            return event.start - _REACH, event.end
        case Relation.AROUND:
            slack = max(_AROUND, event.length / 2)
            return event.start - slack, event.end + slack
        case Relation.DURING if known_day:
            return event.start - _DURING, event.end + _DURING
        case Relation.ON | Relation.DURING:
            return event.start, event.end


def yearly(month: int, day: int | None, within: Stretch, *, zone: tzinfo = UTC) -> Stretch:
    """The day of a year that lies in a stretch, the latest one or else the nearest; 29 February is two days in a common year.

    Without a day it is the month, somewhere in which the day lies.
    """
    middle = within.start + within.length / 2
    # A longer stretch holds the whole year before its last one, and so the day in it: earlier years cannot matter.
    years = range(max(within.start.year - 1, within.end.year - 2), within.end.year + 2)
    days = [_day_in(year, month, day, within.phrase, zone) for year in years]
    inside = [found for found in days if _meet(found, within)]
    return inside[-1] if inside else min(days, key=lambda found: abs(found.start - middle))


def _day_in(year: int, month: int, day: int | None, phrase: str, zone: tzinfo) -> Stretch:
    if day is None:
        first = datetime(year, month, 1)
        span = Span(first=first, last=months_later(first, 1), precision=Precision.MONTH, certain=False)
    elif (month, day) == (2, 29) and not isleap(year):
        span = Span(
            first=datetime(year, 2, 28), last=datetime(year, 3, 2), precision=Precision.DAY, certain=False
        )
    else:
        first = datetime(year, month, day)
        span = Span(first=first, last=first + DAY, precision=Precision.DAY)
    start = in_utc(span.first, zone)
    end = in_utc(span.last, zone)
    return Stretch(start=start, end=end, phrase=phrase, precision=span.precision, certain=span.certain)
