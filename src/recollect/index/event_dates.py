"""Dates of events that a question names, as far as memories and messages state them: a birthday, the day of a move.

"On my birthday last year" is answered by the date that is known, not by the day on which somebody spoke of birthdays; "before
the move" by "User moved house in June 2023", though that was told much later. Memories go first, but what happened goes before
what was planned, whoever told it. What a text states is read by `language/time_words/event_time.py`. It does not know whether the memories are those of today or of a moment in the past:
an index and its records are given to it.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recollect.index.episode.features import best_slots
from recollect.index.episode_question import EpisodeQuestion
from recollect.index.message_index import ROLES, MessageIndex
from recollect.index.user_index import UserIndex
from recollect.index.wanted import Wanted
from recollect.language.terms import terms
from recollect.language.time_words import Anchor, Stretch, birthday, remembered_time, said_time
from recollect.records.memory import MemoryRecord
from recollect.records.message import Message, Role

#: Memories and messages that are read for one event.
_LOOKED_AT, _READ = 5, 20
#: "My birthday" is not Anna's: a memory of it names the user.
_MINE = re.compile(r"my\b", re.IGNORECASE)
_USER = frozenset(terms("User"))
_BIRTHDAY = frozenset(terms("birthday"))

#: The records of some memories by their ids, and the messages; one that is gone is missing.
Records = Callable[[Sequence[str]], Mapping[str, MemoryRecord]]
Rows = Callable[[Sequence[str]], Mapping[str, Message]]


def event_dates(
    index: UserIndex, records: Records, question: EpisodeQuestion, wanted: Wanted
) -> dict[Anchor, Stretch]:
    """When the events of a question were, those of which a memory states the time."""
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
    index: MessageIndex, rows: Rows, question: EpisodeQuestion, known: Mapping[Anchor, Stretch]
) -> dict[Anchor, Stretch]:
    """When the other events were, those of which the user said the time: "It's my birthday today!".

    A plan that a memory holds gives way to a message that tells what happened.
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


def _happened_first(told: Iterable[Stretch | None]) -> Stretch | None:
    """The first time that something happened, or else the first for which it was planned."""
    planned: Stretch | None = None
    for when in told:
        if when is not None and not when.planned:
            return when
        planned = planned or when
    return planned


def _meant(event: Anchor, question: EpisodeQuestion) -> Anchor:
    """The event with the name of whose it is: "her birthday" in a question about Nora."""
    return replace(event, what=birthday.resolved(event.what, question.text, question.speakers))


def _said_by(event: Anchor, question: EpisodeQuestion) -> Iterator[tuple[Anchor, frozenset[str], str | None]]:
    """The event as a message may speak of it, the words, and who must say it; None: the user.

    Whoever is asked about calls their birthday their own.
    """
    meant = _meant(event, question)
    if len(question.speakers) == 1 and birthday.whose(meant.what) == question.speakers[0].split()[0].lower():
        own = replace(event, what="my birthday")
        for asked in _wordings(own, frozenset[str]()):
            yield own, asked, question.speakers[0]
    for asked in _wordings(meant, frozenset[str]()):
        yield meant, asked, None


def _wordings(event: Anchor, also: frozenset[str]) -> Iterator[frozenset[str]]:
    """The words that a text about an event holds; a birthday has others too."""
    asked = frozenset(terms(event.what))
    yield asked | also
    if birthday.whose(event.what) is not None:
        for word in birthday.OTHER_WORDS:
            yield asked - _BIRTHDAY | also | frozenset(terms(word))


def _remembered(
    index: UserIndex,
    records: Records,
    question: EpisodeQuestion,
    event: Anchor,
    vector: NDArray[np.float32],
    asked: frozenset[str],
    wanted: Wanted,
) -> Stretch | None:
    """The time in the memory that holds the words and says when it is."""
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
    question: EpisodeQuestion,
    event: Anchor,
    asked: frozenset[str],
    speaker: str | None,
    vector: NDArray[np.float32],
) -> Stretch | None:
    """The time in a message that holds the words and says when it is, the nearest in meaning first."""
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
    # By id where they are equally near: it must not depend on how this index came to be.
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
