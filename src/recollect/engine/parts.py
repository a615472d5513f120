"""What every verb of the engine works with, handed to it once.

Only the constructor in `engine/memory.py` makes these; a verb never opens a database or a model of its own.
"""

import asyncio
from collections.abc import Callable, Sequence
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
from recollect.store.database import Database
from recollect.store.search import SearchIndexes


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
    #: Which model served a user when last looked at: a guess that the store confirms.
    model_of: dict[str, str] = field(default_factory=dict[str, str])

    def now(self) -> datetime:
        """This moment, as precise as the store keeps it."""
        return whole_milliseconds(self.clock())

    def memory_id(self, now: datetime) -> str:
        """A new id."""
        return make_id(now, self.suffix())

    async def embed(self, model: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """Unit vectors of these texts, a row each."""
        return await self.embedders.named(model).embed(texts)

    async def count_tokens(self, texts: Sequence[str]) -> list[int]:
        """Exact counts; the vocabulary is loaded on first use, which takes a moment, so not in the event loop."""
        return await asyncio.to_thread(lambda: [tokens.count(text) for text in texts])
