"""Which messages the time of a question leaves, and when the events were that it names.

Words of time narrow the search where they certainly bound what was said, and where nothing else is asked for. A stretch
without a beginning leaves all that lies in it. A day has an edge only where nobody named a zone: it may be the reader's day
then. An event that no memory dates ("before the move") was when the message was said that tells of it most clearly. It
ranks nothing.
"""

from collections.abc import Mapping
from contextlib import suppress
from datetime import UTC, datetime, timedelta, tzinfo

import numpy as np
from numpy.typing import NDArray

from recollect.index.episode.features import best_slots, share
from recollect.index.episode_question import EpisodeQuestion
from recollect.index.message_index import MessageIndex
from recollect.language.terms import terms
from recollect.language.time_words import Anchor, Precision, Stretch, TimeWords, anchored, birthday, closeness

#: A message tells of an event when it holds at least this share of the event's words.
_TELLS = 0.6
#: Messages whose meaning is looked at to find when that was.
_LOOKED_AT = 200
#: Where only a time is asked for: how near a message is at least, against the nearest.
_AS_NEAR = 0.5
#: Where no zone was named, days are read in UTC, and the reader's begin up to so much earlier or later.
_EDGE = timedelta(hours=14)
#: On either side of hours that are not counted from now: where a morning ends is a matter of opinion. A choice.
_ROUNDED = timedelta(hours=1)


def narrowed(
    visible: NDArray[np.bool_], created: NDArray[np.float64], stretch: Stretch | None, zone: tzinfo
) -> NDArray[np.bool_]:
    """Only what was said in the stretch that certainly bounds it, unless nothing was."""
    if stretch is None:
        return visible
    inside = visible & _inside(created, stretch, zone)
    return inside if inside.any() else visible


def near(
    visible: NDArray[np.bool_], created: NDArray[np.float64], words: TimeWords, zone: tzinfo
) -> NDArray[np.bool_]:
    """Only what is about as near as anything to the time that is asked for: nothing else was asked.

    A stretch without a beginning leaves everything in it: "before 2026" asks for years, and nothing after them. What was
    told this morning was told this morning, where it is known whose morning that is.
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
    """How far a stretch may lie beside where it was read. People round hours, wherever they are."""
    if stretch.precision is Precision.HOUR:
        return timedelta() if stretch.certain else _ROUNDED
    return timedelta() if is_named(zone) else _EDGE


def is_named(zone: tzinfo) -> bool:
    """Whether days are the reader's own: UTC stands for a zone that nobody named."""
    return str(zone) != str(UTC)


def _tells_hours(words: TimeWords, zone: tzinfo) -> bool:
    """Whether a question asks for what was said in some hours of the reader's day."""
    hours = all(stretch.precision is Precision.HOUR for stretch in words.stretches)
    return hours and words.about_saying and not words.disputed and is_named(zone)


def event_stretches(
    index: MessageIndex,
    question: EpisodeQuestion,
    visible: NDArray[np.bool_],
    dates: Mapping[Anchor, Stretch],
) -> list[Stretch]:
    """When the events were that a question names: by a remembered date, else by the message that tells of it most clearly."""
    found: list[Stretch] = []
    for event, vector in question.events.items():
        when = dates.get(event)
        # A birthday is spoken of all year: only its date says when it is.
        if when is None and not birthday.is_one(event.what):
            when = _first_told(index, event, vector, visible)
        # Said at an end of the calendar: there is no year before or after it.
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
    # Of those that tell most of it, a few hundred: to look at the meaning of all costs more than it finds.
    most = best_slots(told, np.ones(len(told), dtype=np.bool_), _LOOKED_AT)
    vectors = index.vectors_of(slots[most])
    # Before the first job has run there is no vector at all.
    near = np.clip(vectors @ vector, 0.0, 1.0) if vectors.size else np.zeros(len(most))
    # The earliest of equals: people speak of an event again and again.
    moments = index.column("created")[slots[most]]
    best = np.lexsort((moments, -np.round(told[most] + near, 6)))[0]
    return datetime.fromtimestamp(float(moments[best]) / 1000, UTC)
