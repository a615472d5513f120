"""The time of a question: which messages it leaves, and when the named events were.

Words of time narrow the search if they certainly bound the messages and nothing else is asked for. A period without a beginning
keeps everything in it. A day has a margin only if no zone was given, because it may be the reader's day. An event that no memory
dates ("before the move") has the time of the message that describes it most clearly.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo

import numpy as np
from numpy.typing import NDArray

from recollect.index.episode.features import best_slots, share
from recollect.index.message_index import MessageIndex
from recollect.index.query import MessageQuery
from recollect.language.terms import terms
from recollect.language.time_words import Anchor, Precision, Stretch, TimeWords, anchored, birthday, closeness

#: A message describes an event if it contains at least this share of the event's words.
_TELLS = 0.6
#: Messages that are compared by meaning to date an event.
_LOOKED_AT = 200
#: For questions that ask only for a time: the minimum closeness of a message, relative to the closest.
_AS_NEAR = 0.5
#: Where no zone was named, days are read in UTC, and the reader's begin up to so much earlier or later.
_EDGE = timedelta(hours=14)
#: On either side of hours that are not counted from now: where a morning ends is a matter of opinion. A choice.
_ROUNDED = timedelta(hours=1)


def narrowed(
    visible: NDArray[np.bool_], created: NDArray[np.float64], stretch: Stretch | None, zone: tzinfo
) -> NDArray[np.bool_]:
    """Only the messages inside a stretch that certainly bounds the answer, unless there are none."""
    if stretch is None:
        return visible
    inside = visible & _inside(created, stretch, zone)
    return inside if inside.any() else visible


def near(
    visible: NDArray[np.bool_], created: NDArray[np.float64], words: TimeWords, zone: tzinfo
) -> NDArray[np.bool_]:
    """Only the messages about as near as any to the requested time, for a question that asks for nothing else.

    A stretch without a beginning keeps everything in it: "before 2026" asks for all years before. "This morning" is exact if
    the zone is known.
    """
    if any(stretch.is_open and stretch.certain for stretch in words.stretches) or _tells_hours(words, zone):
        inside = np.zeros_like(visible)
        for stretch in words.stretches:
            inside |= visible & _inside(created, stretch, zone)
        if inside.any():
            return inside
    closest = closeness(created, words)
    return visible & (closest >= _AS_NEAR * float(closest[visible].max(initial=0.0)))


def _inside(created: NDArray[np.float64], stretch: Stretch, zone: tzinfo) -> NDArray[np.bool_]:
    edge = _edge(stretch, zone).total_seconds() * 1000
    start, end = stretch.start.timestamp() * 1000, stretch.end.timestamp() * 1000
    return (created >= start - edge) & (created < end + edge)


def _edge(stretch: Stretch, zone: tzinfo) -> timedelta:
    """The margin of a stretch; people round hours."""
    if stretch.precision is Precision.HOUR:
        return timedelta() if stretch.certain else _ROUNDED
    return timedelta() if is_named(zone) else _EDGE


def is_named(zone: tzinfo) -> bool:
    """Whether a zone was given: UTC means that none was."""
    return str(zone) != str(UTC)


def _tells_hours(words: TimeWords, zone: tzinfo) -> bool:
    """Whether a question asks for messages in some hours of the reader's day."""
    hours = all(stretch.precision is Precision.HOUR for stretch in words.stretches)
    return hours and words.about_saying and not words.disputed and is_named(zone)


def event_stretches(
    index: MessageIndex,
    question: MessageQuery,
    visible: NDArray[np.bool_],
    dates: Mapping[Anchor, Stretch],
) -> list[Stretch]:
    """The times of a question's events: a known date, or else the message that describes the event most clearly."""
    found: list[Stretch] = []
    for event, vector in question.events.items():
        when = dates.get(event)
        # People mention a birthday all year, so only its date counts.
        if when is None and not birthday.is_one(event.what):
            when = _first_told(index, event, vector, visible)
        # At an end of the calendar there is no year before or after.
        with suppress(OverflowError, ValueError):
            if when is not None:
                found.append(anchored(event, when, now=question.now, zone=question.zone))
    return found


def _first_told(
    index: MessageIndex, event: Anchor, vector: NDArray[np.float32], visible: NDArray[np.bool_]
) -> datetime | None:
    masks, idf = index.presence(terms(event.what))
    held = np.flatnonzero(visible & (masks != 0))
    told = share(masks[held], idf)
    slots, told = held[told >= _TELLS], told[told >= _TELLS]
    if not len(slots):
        return None
    # Only a few hundred with the most words: comparing the meaning of all costs more than it finds.
    most = best_slots(told, np.ones(len(told), dtype=np.bool_), _LOOKED_AT)
    vectors = index.vectors_of(slots[most])
    # There are no vectors before the first job has run.
    near = np.clip(vectors @ vector, 0.0, 1.0) if vectors.size else np.zeros(len(most))
    # The earliest of equals: people mention an event again and again.
    moments = index.column("created")[slots[most]]
    best = np.lexsort((moments, -np.round(told[most] + near, 6)))[0]
    return datetime.fromtimestamp(float(moments[best]) / 1000, UTC)
