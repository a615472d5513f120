"""What every verb of the engine works with, handed to it once.

Only the constructor in `engine/memory.py` makes these; a verb never opens a database or a model of its own.
"""

import asyncio
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from recollect.domain.memory import make_id
from recollect.domain.moment import whole_milliseconds
from recollect.embedding import tokens
from recollect.embedding.embedders import Embedders
from recollect.engine.accesses import Accesses
from recollect.settings import Settings
from recollect.store import aliases, users
from recollect.store.database import Connection, Database
from recollect.store.search import SearchIndexes
from recollect.store.users import UserState


@dataclass(frozen=True, slots=True, kw_only=True)
class Seen:
    """What was known of a user at the last look: a guess that the store confirms or refuses."""

    model: str
    #: None: not in the store yet.
    epoch: int | None
    alias_of: Mapping[str, str]


class SeenUsers:
    """The users of the last while, so that a write need not read first."""

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


@dataclass(frozen=True, slots=True, kw_only=True)
class Parts:
    """The database, the models, the clock and the dice."""

    settings: Settings
    database: Database
    indexes: SearchIndexes
    embedders: Embedders
    accesses: Accesses
    clock: Callable[[], datetime]
    #: Eight hexadecimal digits, new each time.
    suffix: Callable[[], str]
    seen: SeenUsers = field(default_factory=SeenUsers)

    def now(self) -> datetime:
        """This moment, as precise as the store keeps it."""
        return whole_milliseconds(self.clock())

    def memory_id(self, now: datetime) -> str:
        """A new id."""
        return make_id(now, self.suffix())

    def touch(self, tx: Connection, user_id: str, model: str, now: datetime) -> UserState:
        """Begin a change of a user's memories."""
        return users.touch(tx, user_id, model=model, epoch=int(self.suffix(), 16), now=now)

    async def look_at(self, user_id: str) -> Seen:
        """Read which model and which aliases serve a user."""

        def load(tx: Connection) -> Seen:
            state = users.state(tx, user_id)
            if state is None:
                return Seen(model=self.embedders.default, epoch=None, alias_of={})
            return Seen(model=state.embedding_model, epoch=state.epoch, alias_of=aliases.of_user(tx, user_id))

        seen = await self.database.read(user_id, load)
        self.seen.put(user_id, seen)
        return seen

    async def embed(self, model: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of these texts, a row each."""
        return await self.embedders.named(model).embed(texts)

    async def embed_and_count(
        self, model: str, texts: Sequence[str]
    ) -> tuple[NDArray[np.float32], list[int]]:
        """Vectors and exact token counts of texts that are to be stored, made side by side."""
        if tokens.is_loaded() and len(texts) == 1:
            # One short text is counted sooner than a thread is asked. # measured: 3 µs against 70
            return await self.embed(model, texts), [tokens.count(texts[0])]
        counting = asyncio.to_thread(lambda: [tokens.count(text) for text in texts])
        vectors, counts = await asyncio.gather(self.embed(model, texts), counting)
        return vectors, counts
