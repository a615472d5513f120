"""Re-embed: move users from one embedding model to another while they keep being served.

User by user: vectors of the new model are added beside the old ones, in batches; when none is missing, one short
transaction lets the new ones serve and drops the old. Stopping at any point loses nothing, and starting again goes on
where it stopped, because what is missing is read from the store.
"""

import logging
from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from recollect.engine.parts import Parts
from recollect.store import memories, users, vectors
from recollect.store.database import EVERYONE, Connection

log = logging.getLogger(__name__)

#: Memories embedded between two writes.
BATCH = 64

#: Called with how many are done and how many there are.
Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """For callers who do not watch."""


async def reembed(parts: Parts, model: str, progress: Progress = no_progress) -> int:
    """Serve everybody by this model; says how many vectors were made."""
    total = await parts.database.read(EVERYONE, lambda tx: vectors.count_missing(tx, model))
    waiting = await parts.database.read(EVERYONE, lambda tx: users.not_served_by(tx, model))
    done = 0
    progress(done, total)
    for user_id in waiting:
        while not await parts.database.write(user_id, _switching(user_id, model)):
            missing = await parts.database.read(user_id, _missing(user_id, model))
            made = await parts.embed(model, [content for _, content in missing])
            await parts.database.write(user_id, _putting(user_id, model, missing, made))
            done += len(missing)
            progress(done, max(total, done))
        parts.indexes.drop(user_id)
        parts.seen.drop(user_id)
        log.info("user.reembedded user=%s model=%s", user_id, model)
    return done


def _missing(user_id: str, model: str) -> Callable[[Connection], list[tuple[str, str]]]:
    return lambda tx: vectors.missing(tx, user_id, model, BATCH)


def _putting(
    user_id: str, model: str, missing: list[tuple[str, str]], made: NDArray[np.float32]
) -> Callable[[Connection], None]:
    """Store new vectors, except of memories whose text was changed or forgotten while they were made."""

    def put(tx: Connection) -> None:
        now = memories.get_many(tx, user_id, [memory_id for memory_id, _ in missing])
        fresh = [
            (memory_id, vector)
            for (memory_id, content), vector in zip(missing, made, strict=True)
            if memory_id in now and now[memory_id].content == content
        ]
        vectors.put(tx, user_id, model, fresh)

    return put


def _switching(user_id: str, model: str) -> Callable[[Connection], bool]:
    """Let the new vectors serve, unless some are still missing."""

    def switch(tx: Connection) -> bool:
        if vectors.missing(tx, user_id, model, 1):
            return False
        users.serve_by(tx, user_id, model)
        vectors.drop_all_but(tx, user_id, model)
        return True

    return switch
