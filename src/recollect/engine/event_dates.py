"""Dates of events that a question names, as far as memories know them: a birthday, a wedding day, the day of a move.

"On my birthday last year" is answered by the remembered date, not by the day on which somebody spoke of birthdays. A date
without a year comes every year; the one that is meant lies where the question says, or within the year before it. It does
not know whether the memories are those of today or of a moment in the past: an index and its records are given to it.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray

from recollect.domain.memory import MemoryRecord
from recollect.domain.terms import terms
from recollect.domain.time_words import Anchor, Precision, Stretch, date_in, yearly
from recollect.engine.recall_episodes import EpisodeQuestion
from recollect.store.user_index import UserIndex
from recollect.store.wanted import Wanted

#: Memories that are read for one event.
_LOOKED_AT = 5
_YEAR = timedelta(days=366)
#: What comes every year, whatever year its date has.
_YEARLY = frozenset(terms("birthday anniversary nameday"))
#: "My birthday" is not Anna's: a memory of it names the user.
_MINE = re.compile(r"my\b", re.IGNORECASE)
_USER = frozenset(terms("User"))

#: The records of some memories by their ids; one that is gone is missing.
Records = Callable[[Sequence[str]], Mapping[str, MemoryRecord]]


def event_dates(
    index: UserIndex, records: Records, question: EpisodeQuestion, wanted: Wanted
) -> dict[Anchor, Stretch]:
    """When the events of a question were, those of which a memory names the date."""
    found: dict[Anchor, Stretch] = {}
    for event, vector in question.events.items():
        date = _date(index, records, event, vector, wanted)
        if date is not None:
            found[event] = _stretch(event, date, question)
    return found


def _date(
    index: UserIndex, records: Records, event: Anchor, vector: NDArray[np.float32], wanted: Wanted
) -> tuple[int | None, int, int] | None:
    """The date in the memory that holds the event's words and says when it is."""
    asked = frozenset(terms(event.what)) | (_USER if _MINE.match(event.what) else frozenset[str]())
    near = index.search(vector, tuple(asked), _LOOKED_AT, wanted)
    order = np.argsort(-(near.bm25 + near.cosine), kind="stable")[:_LOOKED_AT]
    slots: list[int] = near.slots[order].tolist()
    ids = [index.ids[slot] for slot in slots]
    found = records(ids)
    for memory_id in ids:
        content = found[memory_id].content if memory_id in found else ""
        if asked and asked <= frozenset(terms(content)) and (date := date_in(content)) is not None:
            return date
    return None


def _stretch(event: Anchor, date: tuple[int | None, int, int], question: EpisodeQuestion) -> Stretch:
    year, month, day = date
    if year is not None and event.within is None and _YEARLY.isdisjoint(terms(event.what)):
        begins = datetime(year, month, day, tzinfo=question.zone).astimezone(UTC)
        return Stretch(
            start=begins,
            end=begins + timedelta(days=1),
            phrase=event.phrase,
            precision=Precision.DAY,
            certain=True,
        )
    lately = Stretch(
        start=question.now - _YEAR,
        end=question.now,
        phrase=event.phrase,
        precision=Precision.YEAR,
        certain=False,
    )
    return replace(yearly(month, day, event.within or lately, zone=question.zone), phrase=event.phrase)
