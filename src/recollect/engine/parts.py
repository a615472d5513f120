"""The shared components that every verb of the engine receives.

Only the constructor in `api/memory.py` creates them; a verb never opens its own database or model.
"""

import asyncio
import itertools
from collections import OrderedDict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from recollect.encoder import tokens
from recollect.engine.accesses import Accesses
from recollect.engine.known_tokens import KnownTokens
from recollect.engine.presence import Presence
from recollect.engine.profiles import Profiles
from recollect.engine.segments import Segments
from recollect.engine.talks import Talks
from recollect.index.episode.ranker import Ranker
from recollect.index.search import SearchIndexes
from recollect.models.embedders import Embedders
from recollect.models.judge import Judge
from recollect.models.openai import OpenAI
from recollect.models.relay import Relay
from recollect.models.writer import Writer
from recollect.records.job import NewJob
from recollect.records.memory import make_id
from recollect.records.moment import whole_milliseconds
from recollect.rules.vocabulary import Vocabulary
from recollect.settings import Settings
from recollect.store import aliases, jobs, users
from recollect.store.database import Connection, Database
from recollect.store.users import UserState

#: Characters. Counting a short text is faster than using a thread: 3 µs instead of 70.
_COUNTED_AT_ONCE = 4000


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """A user's state as last read: a guess that the store confirms or rejects."""

    model: str
    #: None if not in the store yet.
    epoch: int | None
    alias_of: Mapping[str, str]


class SeenUsers:
    """Recently seen users, so that a write need not read first."""

    def __init__(self, limit: int = 10_000) -> None:
        self._limit = limit
        self._users: OrderedDict[str, Seen] = OrderedDict()

    def get(self, user_id: str) -> Seen | None:
        return self._users.get(user_id)

    def put(self, user_id: str, seen: Seen) -> None:
        self._users[user_id] = seen
        self._users.move_to_end(user_id)
        while len(self._users) > self._limit:
            self._users.popitem(last=False)

    def drop(self, user_id: str) -> None:
        self._users.pop(user_id, None)


class Speakers:
    """Speakers in recent users' chats: a guess, like `Seen`."""

    def __init__(self, limit: int = 10_000) -> None:
        self._limit = limit
        self._names: OrderedDict[str, tuple[str, ...]] = OrderedDict()

    def get(self, user_id: str) -> tuple[str, ...]:
        return self._names.get(user_id, ())

    def put(self, user_id: str, names: tuple[str, ...]) -> None:
        self._names[user_id] = names
        self._names.move_to_end(user_id)
        while len(self._names) > self._limit:
            self._names.popitem(last=False)

    def drop(self, user_id: str) -> None:
        self._names.pop(user_id, None)


class Bell:
    """Notifies this process's worker, if there is one, of new jobs."""

    def __init__(self) -> None:
        #: The listener.
        self.heard: Callable[[], None] = lambda: None

    def ring(self) -> None:
        self.heard()


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The database, the models, the clock and the random source."""

    settings: Settings
    database: Database
    indexes: SearchIndexes
    embedders: Embedders
    accesses: Accesses
    clock: Callable[[], datetime]
    #: Eight hexadecimal digits, new each time.
    suffix: Callable[[], str]
    #: Writes summaries: by rules or by a model.
    writer: Writer
    #: Finds memories in messages, by rules or by a model; None if disabled.
    judge: Judge | None
    #: The model server that answers in talks; used only there.
    models: OpenAI
    #: The same server, for clients that speak its protocol themselves.
    relay: Relay
    #: Domain terms that make a message important.
    vocabulary: Vocabulary
    #: Orders past messages.
    ranker: Ranker
    profiles: Profiles = field(default_factory=Profiles)
    segments: Segments = field(default_factory=Segments)
    bell: Bell = field(default_factory=Bell)
    presence: Presence = field(default_factory=Presence)
    talks: Talks = field(default_factory=Talks)
    seen: SeenUsers = field(default_factory=SeenUsers)
    speakers: Speakers = field(default_factory=Speakers)
    known_tokens: KnownTokens = field(default_factory=KnownTokens)
    _numbers: Iterator[int] = field(default_factory=itertools.count)

    def now(self) -> datetime:
        """The current time, in the store's precision."""
        return whole_milliseconds(self.clock())

    def memory_id(self, now: datetime) -> str:
        """A new id."""
        return make_id(now, self.suffix())

    def new_id(self, now: datetime) -> str:
        """An id in S0's form: the time in milliseconds, then digits; one process's ids keep their order."""
        return f"{int(now.timestamp() * 1000):013d}-{next(self._numbers) & 0xFFFF:04x}{self.suffix()}"

    def touch(self, tx: Connection, user_id: str, model: str, now: datetime) -> UserState:
        """Begin a change to a user's memories."""
        return users.touch(tx, user_id, model=model, epoch=int(self.suffix(), 16), now=now)

    def write_down(self, tx: Connection, user_id: str, work: Sequence[NewJob]) -> None:
        """Schedule a job in the transaction that causes it; the caller rings the bell afterwards."""
        if work:
            now = self.now()
            jobs.add(tx, user_id, work, now=now, new_id=lambda: self.new_id(now))

    async def look_at(self, user_id: str) -> Seen:
        """Read a user's embedding model and aliases."""

        def load(tx: Connection) -> Seen:
            state = users.state(tx, user_id)
            if state is None:
                return Seen(model=self.embedders.default, epoch=None, alias_of={})
            return Seen(model=state.embedding_model, epoch=state.epoch, alias_of=aliases.of_user(tx, user_id))

        seen = await self.database.read(user_id, load)
        self.seen.put(user_id, seen)
        return seen

    async def embed(self, model: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of these texts, one row per text."""
        return await self.embedders.named(model).embed(texts)

    async def count(self, texts: Sequence[str]) -> list[int]:
        """Exact token counts; large texts are counted in a thread, so that they delay nobody."""
        if tokens.is_loaded() and sum(map(len, texts)) <= _COUNTED_AT_ONCE:
            return [tokens.count(text) for text in texts]
        return await asyncio.to_thread(lambda: [tokens.count(text) for text in texts])

    async def embed_and_count(
        self, model: str, texts: Sequence[str]
    ) -> tuple[NDArray[np.float32], list[int]]:
        """Compute vectors, as `soon` does, and exact token counts of texts to be stored, in parallel."""
        vectors, counts = await asyncio.gather(self.embedders.soon(model, texts), self.count(texts))
        return vectors, counts
