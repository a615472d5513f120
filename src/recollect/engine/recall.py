"""Recall: find the few memories and past messages that matter for a question, in order and with reasons.

The question is embedded first, outside any transaction: unchanged for memories, without speakers' names for messages. If
its model fails, words alone decide. A single read then updates the user's indexes from the database, searches them, ranks,
selects the cards and fetches the rows to show. Reading the past (`as_of`) builds a temporary index of the memories at that
time, which is slower; it sees only messages recorded by then.
"""

import asyncio
import logging
import time
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.engine.parts import Parts
from recollect.engine.past import PastState, past_state
from recollect.errors import InvalidInput
from recollect.index.answer import Answer, Question
from recollect.index.episode.speaker import named_speakers, without_names
from recollect.index.event_dates import Records, event_dates, said_dates
from recollect.index.postings import pack
from recollect.index.query import MemoryFilter, MessageFilter, MessageQuery
from recollect.index.recall_episodes import FoundMessages, OtherSpeakers, search_episodes
from recollect.index.user_index import UserIndex
from recollect.language import time_words
from recollect.language.asked_fact import asked_key
from recollect.language.terms import terms
from recollect.records.hit import SearchResult
from recollect.records.memory import check_text
from recollect.store import aliases, entities, memories, messages, users
from recollect.store.database import Connection, Matrix
from recollect.store.users import UserState

log = logging.getLogger(__name__)

T = TypeVar("T")
_Dates = dict[time_words.Anchor, time_words.Stretch]

#: Maximum characters in a question; anything longer is a text.
MAX_QUERY = 20_000
#: Characters embedded at each end of a long question; all of its words are still searched. Embedding 20,000 characters
#: takes 1 to 7 s, these a fifth of a second.
_END = 1000
#: Candidate messages added because found memories came from them.
MAX_SOURCES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedEpisodes:
    """Which past messages are requested, and the question's time."""

    limit: int
    #: How many sessions to add.
    sessions: int = 0
    wanted: MessageFilter
    #: Messages to add before and after each one; or only the preceding one, if it is a question.
    neighbours: int = 1
    only_questions: bool = False
    #: The question's own time: "last week" is relative to it.
    now: datetime
    zone: tzinfo = UTC


class _OtherModel(Exception):
    """The question was embedded with a different model from the user's."""


class _Overtaken(Exception):
    """The shared index is ahead of this transaction; retry with a new one."""


async def recall(
    parts: Parts,
    user_id: str,
    query: str,
    *,
    wanted: MemoryFilter,
    limit: int,
    episodes: WantedEpisodes | None = None,
    as_of: datetime | None = None,
) -> SearchResult:
    """Find the memories and messages that matter for a question."""
    text = _checked(query)
    if limit < 1:
        raise InvalidInput("limit must be at least 1.", field="limit")
    began = time.perf_counter()
    found = await _found(parts, user_id, text, wanted=wanted, limit=limit, episodes=episodes, as_of=as_of)
    log.info(
        "recall.done user=%s memories=%d episodes=%d ms=%.1f",
        user_id,
        len(found.hits),
        len(found.messages),
        (time.perf_counter() - began) * 1000,
    )
    return found


async def _found(
    parts: Parts,
    user_id: str,
    text: str,
    *,
    wanted: MemoryFilter,
    limit: int,
    episodes: WantedEpisodes | None,
    as_of: datetime | None,
) -> SearchResult:
    if as_of is not None:
        return await ask(
            parts,
            text,
            wanted=wanted,
            limit=limit,
            user_id=user_id,
            now=as_of,
            episodes=episodes,
            read=lambda question: _search_past(parts, user_id, question, as_of),
        )
    found = await ask(
        parts,
        text,
        wanted=wanted,
        limit=limit,
        user_id=user_id,
        now=parts.now(),
        episodes=episodes,
        read=lambda question: parts.database.read(user_id, partial(search, parts, user_id, question)),
    )
    parts.accesses.record(user_id, [hit.memory.memory_id for hit in found.hits])
    return found


async def ask(
    parts: Parts,
    text: str,
    *,
    user_id: str,
    wanted: MemoryFilter,
    limit: int,
    now: datetime,
    read: Callable[[Question], Awaitable[T]],
    episodes: WantedEpisodes | None = None,
) -> T:
    """Embed a question and read with it; retry if the assumed user state was wrong or an index was ahead."""
    words = tuple(terms(text))
    seen = parts.seen.get(user_id)
    model = seen.model if seen else parts.embedders.default
    question: Question | None = None
    while True:
        if question is None:
            vector, asked = await _embedded(parts, user_id, model, text, episodes)
            question = Question(
                model=model,
                vector=vector,
                words=words,
                wanted=wanted,
                limit=limit,
                now=now,
                text=text,
                key=asked_key(text),
                episodes=asked,
            )
        try:
            return await read(question)
        except _Overtaken:
            continue
        except OtherSpeakers as found:
            parts.speakers.put(user_id, found.speakers)
            question = None
        except _OtherModel:
            model = (await parts.look_at(user_id)).model
            question = None


async def _embedded(
    parts: Parts, user_id: str, model: str, text: str, episodes: WantedEpisodes | None
) -> tuple[NDArray[np.float32], MessageQuery | None]:
    """The vectors for a question, made together: for itself, its topic and the events that it names."""
    meant = _ends(text)
    if episodes is None:
        return (await parts.embedders.soon(model, [meant]))[0], None
    speakers = named_speakers(text, parts.speakers.get(user_id))
    time = time_words.read(text, now=episodes.now, zone=episodes.zone)
    topic = without_names(meant, speakers)
    texts = dict.fromkeys([meant, topic, *(event.what for event in time.anchors)])
    made = dict(zip(texts, await parts.embedders.soon(model, list(texts)), strict=True))
    return made[meant], MessageQuery(
        text=text,
        speakers=speakers,
        vector=made[topic],
        time=time,
        events={event: made[event.what] for event in time.anchors if made[event.what].size},
        wanted=episodes.wanted,
        limit=episodes.limit,
        sessions=episodes.sessions,
        neighbours=episodes.neighbours,
        only_questions=episodes.only_questions,
        now=episodes.now,
        zone=episodes.zone,
    )


def _ends(text: str) -> str:
    """The part of a question to embed: for a pasted document its beginning and end, where people ask."""
    return text if len(text) <= 2 * _END else f"{text[:_END]}\n{text[-_END:]}"


def _checked(query: str) -> str:
    text = check_text(query, field="query").strip()
    if not text:
        raise InvalidInput("query is empty; say what to look for.", field="query")
    if len(text) > MAX_QUERY:
        raise InvalidInput(f"query has {len(text)} characters (maximum {MAX_QUERY}).", field="query")
    return text


def search(parts: Parts, user_id: str, question: Question, tx: Connection) -> SearchResult:
    """The answer, read in the caller's transaction."""
    state = _state(tx, user_id, question)
    if state is None:
        return SearchResult()
    asked = _asked(tx, user_id, question)
    with parts.indexes.of(tx, user_id, state) as index:
        if index.state.revision > state.revision:
            raise _Overtaken
        answer = Answer(parts.settings.ranking, index, question, asked)
        dates = _dates(index, partial(memories.get_many, tx, user_id), question)
    records = memories.get_many(tx, user_id, answer.memory_ids)
    found = answer.filled(records, entities.labels(tx, user_id, answer.entities))
    sources = dict.fromkeys(source for record in records.values() for source in record.source_message_ids)
    asked = question.episodes and replace(question.episodes, sources=tuple(sources)[:MAX_SOURCES])
    said = _said(parts, user_id, state, replace(question, episodes=asked), dates, tx)
    return replace(found, messages=said.episodes, sessions=said.sessions)


def _asked(tx: Connection, user_id: str, question: Question) -> str | None:
    """The id of the memory with the requested fact, preferring the persona's own to shared ones."""
    if question.key is None:
        return None
    for persona_id in dict.fromkeys((question.wanted.persona_id, None)):
        if (holder := memories.by_key(tx, user_id, question.key, persona_id)) is not None:
            return holder.memory_id
    return None


def _state(tx: Connection, user_id: str, question: Question) -> UserState | None:
    """A user's state; None for an unknown user."""
    state = users.state(tx, user_id)
    if state is not None and state.embedding_model != question.model:
        raise _OtherModel
    return state


def _said(
    parts: Parts,
    user_id: str,
    state: UserState,
    question: Question,
    dates: _Dates,
    tx: Connection,
) -> FoundMessages:
    asked = question.episodes
    if asked is None or (asked.limit < 1 and asked.sessions < 1):
        return FoundMessages()
    with parts.indexes.messages_of(tx, user_id, state) as index:
        if index.state.message_revision > state.message_revision:
            raise _Overtaken
        known = said_dates(index, partial(messages.get_many, tx, user_id), asked, dates)
        return search_episodes(parts.ranker, tx, user_id, index, asked, known)


async def _search_past(parts: Parts, user_id: str, question: Question, moment: datetime) -> SearchResult:
    """Search memories as of a given time, then messages, because those memories may date the question's events."""

    def load(tx: Connection) -> tuple[PastState, dict[str, str], Mapping[str, str]] | None:
        state = _state(tx, user_id, question)
        if state is None:
            return None
        past = past_state(tx, user_id, state, moment)
        refs = sorted({ref for record in past.records for ref in record.entity_refs})
        return past, entities.labels(tx, user_id, refs), aliases.of_user(tx, user_id)

    loaded = await parts.database.read(user_id, load)
    if loaded is None:
        return SearchResult()
    past, labels, alias_of = loaded
    found, dates = SearchResult(), _Dates()
    if past.records:
        matrix = await _past_matrix(parts, question.model, past)

        def answered() -> tuple[SearchResult, _Dates]:
            packed = [(record, pack(record.content)) for record in past.records]
            index = UserIndex.of_records(packed, matrix, past.state, alias_of)
            records = {record.memory_id: record for record in past.records}
            asked = next((item.memory_id for item in past.records if item.memory_key == question.key), None)
            answer = Answer(parts.settings.ranking, index, question, asked if question.key else None).filled(
                records, labels
            )
            return answer, _dates(index, lambda _: records, question)

        # In a thread, because indexing a large past takes seconds.
        found, dates = await asyncio.to_thread(answered)
    if question.episodes is None:
        return found

    def heard(tx: Connection) -> FoundMessages:
        state = _state(tx, user_id, question)
        return _said(parts, user_id, state, question, dates, tx) if state else FoundMessages()

    said = await parts.database.read(user_id, heard)
    return replace(found, messages=said.episodes, sessions=said.sessions)


async def _past_matrix(parts: Parts, model: str, past: PastState) -> Matrix:
    """Vectors for a past state; texts that have changed since are embedded again."""
    if not past.changed:
        return past.matrix
    rewritten = await parts.embedders.soon(model, [past.records[number].content for number in past.changed])
    width = max(past.matrix.shape[1], rewritten.shape[1])
    matrix = (
        past.matrix.copy() if past.matrix.size else np.zeros((len(past.records), width), dtype=np.float32)
    )
    matrix[list(past.changed)] = rewritten if rewritten.size else 0.0
    return matrix


def _dates(index: UserIndex, records: Records, question: Question) -> _Dates:
    """The dates of the events named in a question about messages."""
    if question.episodes is None or not question.episodes.events:
        return {}
    return event_dates(index, records, question.episodes, question.wanted)
