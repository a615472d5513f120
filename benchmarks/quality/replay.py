"""Replay: labelled conversations go through the product as they would in life, and questions come when they are due.

A conversation is a user, a session of the data a chat, a turn a message a minute after the one before. The store's clock goes
with the data, so that "now" is the moment of a question. What the worker would do for recall, indexing, is done when a question
is due; its other jobs stay undone. It knows no measure. Storing everything at once and asking with `as_of` was
rejected: dates of data sets repeat and go backwards, and the order of sessions is what "after" counts.
"""

import secrets
import time
from collections.abc import AsyncGenerator, AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.cached_embedder import CachedEmbedder
from benchmarks.quality.dataset import Asked, Conversation, DataSession, Turn
from recollect.api.memory import AsyncMemory
from recollect.engine.index_messages import index_messages
from recollect.engine.parts import Parts
from recollect.models.embedders import Embedder, Embedders
from recollect.records.message import MAX_BATCH, MAX_TEXT, Message, Role
from recollect.settings import Settings

#: When the first session was, if the data does not say.
FIRST_DAY = datetime(2024, 1, 1, 9, tzinfo=UTC)
#: Between sessions without a date, and from the last message to a question without one.
DAY = timedelta(days=1)
#: Between the turns of a session.
PAUSE = timedelta(minutes=1)
_ROLES = frozenset(role.value for role in Role)


class TimedEmbedder:
    """An embedder that knows how long it was asked: a cache makes the same question cost nothing the second time."""

    def __init__(self, inner: Embedder) -> None:
        self._inner = inner
        #: Since the beginning.
        self.seconds = 0.0

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """What the inner one gives."""
        began = time.perf_counter()
        try:
            return await self._inner.embed(texts)
        finally:
            self.seconds += time.perf_counter() - began

    async def aclose(self) -> None:
        """Close the inner one."""
        await self._inner.aclose()


class Workbench(AsyncMemory):
    """The product, with a clock that is set by hand and background work that is done when it is asked for."""

    def __init__(self, settings: Settings, embedder: TimedEmbedder) -> None:
        self._moment = FIRST_DAY
        self._made: list[str] = []
        self.embedder = embedder
        super().__init__(settings=settings, embedder=embedder, clock=lambda: self._moment)

    def move_to(self, moment: datetime) -> None:
        """Set the clock; it may go back, because conversations do not follow each other."""
        self._moment = moment

    def new_user(self) -> str:
        """Somebody whom this database cannot know yet."""
        self._made.append(f"eval-{secrets.token_hex(8)}")
        return self._made[-1]

    async def index(self, user: str) -> int:
        """Do what the job `index_messages` does; how many messages."""
        return await index_messages(*await self._for(user))

    async def inside(self, user: str) -> tuple[Parts, str]:
        """What the verbs of the engine work with, for measurements that look below the answers."""
        return await self._for(user)

    async def clear(self) -> None:
        """Erase everybody who was made here."""
        while self._made:
            await self.forget(user=self._made[-1], everything=True)
            self._made.pop()


@asynccontextmanager
async def workbench(
    database: str | None = None,
    *,
    cache: Path | None = None,
    embedder: Embedder | None = None,
    settings: Settings | None = None,
) -> AsyncGenerator[Workbench]:
    """A store to measure with: a file that vanishes, or a database that is left as it was found.

    Without an embedder it is the one that the settings name. Vectors are kept in the folder `cache`, if there is one.
    """
    known = replace(settings or Settings.from_env(), worker="off", judge_model="off")
    opened = Embedders.from_settings(known)
    cached = CachedEmbedder(embedder or opened.named(opened.default), cache)
    with TemporaryDirectory(prefix="recollect-eval-") as folder:
        if database is None:
            # Nothing in this file must survive a power cut.
            known = replace(known, database_url=str(Path(folder) / "eval.db"), sqlite_synchronous="normal")
        else:
            known = replace(known, database_url=database)
        bench = Workbench(known, TimedEmbedder(cached))
        try:
            yield bench
        finally:
            try:
                # Saved here too: the store closes only an embedder that it has asked itself.
                await cached.save()
                if database is not None:
                    await bench.clear()
            finally:
                await bench.close()


@dataclass(slots=True)
class Spent:
    """Seconds that filling the store took."""

    recording: float = 0.0
    #: With the embedding of what the cache did not know.
    indexing: float = 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A question at the moment when it is asked."""

    question: Asked
    user: str
    at: datetime
    #: How many sessions are stored.
    sessions: int
    #: Everything that is stored: a message's id and the id of its turn.
    turn_of: Mapping[str, str]
    #: Tokens of each stored turn.
    tokens: Mapping[str, int]
    #: What was stored, word for word, by the turn's id.
    texts: Mapping[str, Sequence[str]]


@dataclass(slots=True)
class _Stored:
    turn_of: dict[str, str] = field(default_factory=dict[str, str])
    tokens: dict[str, int] = field(default_factory=dict[str, int])
    texts: dict[str, list[str]] = field(default_factory=dict[str, list[str]])
    last: datetime = FIRST_DAY

    def add(self, turn_id: str, message: Message) -> None:
        self.turn_of[message.message_id] = turn_id
        self.tokens[turn_id] = self.tokens.get(turn_id, 0) + message.tokens
        self.texts.setdefault(turn_id, []).append(message.text)
        self.last = message.created_at


async def replay(
    bench: Workbench, conversation: Conversation, questions: Sequence[Asked], spent: Spent
) -> AsyncIterator[Due]:
    """Tell a conversation to a new user's memory, session by session, and stop for each question."""
    user, stored = bench.new_user(), _Stored()
    due = _by_sessions(questions, len(conversation.sessions))
    for number, (session, start) in enumerate(
        zip(conversation.sessions, starts(conversation.sessions), strict=True)
    ):
        for question in due.pop(number, ()):
            yield await _due(bench, user, stored, question, number, spent)
        if not due:
            return
        began = time.perf_counter()
        await _record(bench, user, session, start, stored)
        spent.recording += time.perf_counter() - began
    for question in due.pop(len(conversation.sessions), ()):
        yield await _due(bench, user, stored, question, len(conversation.sessions), spent)


def starts(sessions: Sequence[DataSession]) -> list[datetime]:
    """When each session begins; one without a date, a day after the one before."""
    found: list[datetime] = []
    for session in sessions:
        found.append(session.date or (found[-1] + DAY if found else FIRST_DAY))
    return found


def speaker_of(turn: Turn) -> str | None:
    """The name of who speaks; None when it is only a role's."""
    name = turn.speaker.strip()
    return name if name and name.lower() not in _ROLES else None


def messages_of(session: DataSession, start: datetime) -> list[tuple[str, dict[str, Any]]]:
    """What is recorded of a session, with the id of each turn.

    A blank turn is nothing that was said. One that is longer than a message may be becomes several.
    """
    found: list[tuple[str, dict[str, Any]]] = []
    for minutes, turn in enumerate(session.turns):
        said: dict[str, Any] = {"role": turn.role, "created_at": start + minutes * PAUSE}
        if name := speaker_of(turn):
            said["name"] = name
        pieces = (turn.text[begin : begin + MAX_TEXT] for begin in range(0, len(turn.text), MAX_TEXT))
        found += [(turn.id, {**said, "text": piece}) for piece in pieces if piece.strip()]
    return found


async def _record(
    bench: Workbench, user: str, session: DataSession, start: datetime, stored: _Stored
) -> None:
    said = messages_of(session, start)
    if said:
        bench.move_to(said[-1][1]["created_at"])
    for begin in range(0, len(said), MAX_BATCH):
        batch = said[begin : begin + MAX_BATCH]
        recorded = await bench.chat(session.id, user=user).add(message for _, message in batch)
        for (turn_id, _), message in zip(batch, recorded.messages, strict=True):
            stored.add(turn_id, message)


async def _due(
    bench: Workbench, user: str, stored: _Stored, question: Asked, sessions: int, spent: Spent
) -> Due:
    began = time.perf_counter()
    await bench.index(user)
    spent.indexing += time.perf_counter() - began
    at = question.date or stored.last + DAY
    bench.move_to(at)
    return Due(
        question=question,
        user=user,
        at=at,
        sessions=sessions,
        turn_of=stored.turn_of,
        tokens=stored.tokens,
        texts=stored.texts,
    )


def _by_sessions(questions: Sequence[Asked], all_sessions: int) -> dict[int, list[Asked]]:
    """Questions by how many sessions are stored when they are asked."""
    due: dict[int, list[Asked]] = {}
    for question in questions:
        due.setdefault(all_sessions if question.after is None else question.after, []).append(question)
    return due
