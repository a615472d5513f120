"""Dates of events that a question names, as far as memories and messages state them: a birthday, the day of a move.

"On my birthday last year" is answered with the known date, not with the day on which somebody spoke of birthdays; "before the
move" with "User moved house in June 2023", even if that was said much later. Memories go first, but past events go before
plans, whatever their source. `language/time_words/event_time.py` reads the dates in texts. The index and the records are passed in, so
they may be those of a past moment.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recollect.index.episode.features import best_slots
from recollect.index.message_index import ROLES, MessageIndex
from recollect.index.query import MemoryFilter, MessageQuery
from recollect.index.user_index import UserIndex
from recollect.language.terms import terms
from recollect.language.time_words import Anchor, Stretch, birthday, remembered_time, said_time
from recollect.records.memory import MemoryRecord
from recollect.records.message import Message, Role

#: Memories and messages that are read for one event.
_LOOKED_AT, _READ = 5, 20
#: "My birthday" is not Anna's: a memory of it must name the user.
_MINE = re.compile(r"my\b", re.IGNORECASE)
_USER = frozenset(terms("User"))
_BIRTHDAY = frozenset(terms("birthday"))

#: Readers of memories and of messages by id; deleted ones are missing.
Records = Callable[[Sequence[str]], Mapping[str, MemoryRecord]]
Rows = Callable[[Sequence[str]], Mapping[str, Message]]


def event_dates(
    index: UserIndex, records: Records, question: MessageQuery, wanted: MemoryFilter
) -> dict[Anchor, Stretch]:
    """The times of the question's events that memories state."""
    found: dict[Anchor, Stretch] = {}
    for event, vector in question.events.items():
        meant = _meant(event, question)
        also = _USER if _MINE.match(meant.what) else frozenset[str]()
        when = _happened_first(
            _remembered(index, records, question, meant, vector, asked, wanted)
            for asked in _wordings(meant, also)
        )
        if when is not None:
            found[event] = when
    return found


def said_dates(
    index: MessageIndex, rows: Rows, question: MessageQuery, known: Mapping[Anchor, Stretch]
) -> dict[Anchor, Stretch]:
    """The known times, and those of other events that a message states: "It's my birthday today!".

    A plan in a memory is replaced by a message about the past event.
    """
    found = dict(known)
    for event, vector in question.events.items():
        before = found.get(event)
        if before is not None and not before.planned:
            continue
        when = _happened_first(
            _said(index, rows, question, *said, vector) for said in _said_by(event, question)
        )
        if when is not None and (before is None or not when.planned):
            found[event] = when
    return found


def _happened_first(times: Iterable[Stretch | None]) -> Stretch | None:
    """The first time of a past event, or else the first planned time."""
    planned: Stretch | None = None
    for when in times:
        if when is not None and not when.planned:
            return when
        planned = planned or when
    return planned


def _meant(event: Anchor, question: MessageQuery) -> Anchor:
    """The event with its person's name: "her birthday" in a question about Nora."""
    return replace(event, what=birthday.resolved(event.what, question.text, question.speakers))


def _said_by(event: Anchor, question: MessageQuery) -> Iterator[tuple[Anchor, frozenset[str], str | None]]:
    """The event as a message may name it, its words, and the required speaker; None: the user.

    The person whom the question is about says "my birthday".
    """
    meant = _meant(event, question)
    if len(question.speakers) == 1 and birthday.whose(meant.what) == question.speakers[0].split()[0].lower():
        own = replace(event, what="my birthday")
        for asked in _wordings(own, frozenset[str]()):
            yield own, asked, question.speakers[0]
    for asked in _wordings(meant, frozenset[str]()):
        yield meant, asked, None


def _wordings(event: Anchor, also: frozenset[str]) -> Iterator[frozenset[str]]:
    """The words of a text about an event; a birthday has several wordings."""
    asked = frozenset(terms(event.what))
    yield asked | also
    if birthday.whose(event.what) is not None:
        for word in birthday.OTHER_WORDS:
            yield asked - _BIRTHDAY | also | frozenset(terms(word))


def _remembered(
    index: UserIndex,
    records: Records,
    question: MessageQuery,
    event: Anchor,
    vector: NDArray[np.float32],
    asked: frozenset[str],
    wanted: MemoryFilter,
) -> Stretch | None:
    """The time in a memory that contains the words and a date."""
    near = index.search(vector, tuple(asked), _LOOKED_AT, wanted)
    order = np.argsort(-(near.bm25 + near.cosine), kind="stable")[:_LOOKED_AT]
    slots: list[int] = near.slots[order].tolist()
    ids = [index.ids[slot] for slot in slots]
    found = records(ids)
    about = (
        record
        for record in (found[memory_id] for memory_id in ids if memory_id in found)
        if asked and asked <= frozenset(terms(record.content))
    )
    return _happened_first(
        remembered_time(
            record.content, event, told_at=record.valid_from, now=question.now, zone=question.zone
        )
        for record in about
    )


def _said(
    index: MessageIndex,
    rows: Rows,
    question: MessageQuery,
    event: Anchor,
    asked: frozenset[str],
    speaker: str | None,
    vector: NDArray[np.float32],
) -> Stretch | None:
    """The time in a message that contains the words and a date, the most similar message first."""
    masks, idf = index.presence(tuple(asked))
    every = (1 << len(idf)) - 1
    if speaker is None:
        theirs = index.column("role") == ROLES[Role.USER]
    elif speaker in index.names:
        theirs = index.column("speaker") == index.names.index(speaker)
    else:
        return None
    theirs &= index.visible(question.wanted)
    held = np.flatnonzero(theirs & (masks == every)) if len(idf) == len(asked) else np.zeros(0, np.intp)
    if not len(held):
        return None
    vectors = index.vectors_of(held)
    near = vectors @ vector if vectors.size else np.zeros(len(held))
    places: list[int] = best_slots(near, np.ones(len(held), dtype=np.bool_), _READ).tolist()
    # By id if equally near, so that the order does not depend on how the index was built.
    ordered = sorted((-round(float(near[place]), 6), index.ids[int(held[place])]) for place in places)
    ids = [message_id for _, message_id in ordered[:_READ]]
    found = rows(ids)
    return _happened_first(
        said_time(
            found[message_id].text,
            event,
            said_at=found[message_id].created_at,
            now=question.now,
            zone=question.zone,
        )
        for message_id in ids
        if message_id in found
    )
