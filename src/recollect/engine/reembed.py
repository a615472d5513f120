"""Re-embed: move users from one embedding model to another while they keep being served, and make late vectors.

User by user: vectors of the new model are added beside the old ones, in batches, of memories and of messages; when none
is missing, one short transaction lets the new ones serve and drops the old. Stopping at any point loses nothing, and
starting again goes on where it stopped, because what is missing is read from the store. Messages that wait to be indexed
are left to that: it asks for the model that serves then.

What was stored while its model failed is found by its words until `catch_up` has made the vectors.
"""

import asyncio
import logging
from collections.abc import Callable, Sequence
from functools import partial

import numpy as np
from numpy.typing import NDArray

from recollect.engine.due_curation import leave_curation
from recollect.engine.index_messages import embed_parts
from recollect.engine.parts import Parts
from recollect.index.episode.parts_of_text import embedded_parts_of
from recollect.records.job import JobKind, NewJob
from recollect.store import memories, message_vectors, messages, users, vectors
from recollect.store.database import EVERYONE, Connection, Matrix

log = logging.getLogger(__name__)

#: Memories or messages embedded between two writes.
BATCH = 64
#: The job that a memory stored without its vector leaves.
CATCH_UP = NewJob(kind=JobKind.INDEX_MESSAGES, lane="vectors", subject="memories")

#: Called with how many are done and how many there are.
Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """For callers who do not watch."""


async def reembed(parts: Parts, model: str, progress: Progress = no_progress) -> int:
    """Serve everybody by this model; says how many memories and messages got their vectors."""
    total = await parts.database.read(EVERYONE, partial(_count_missing, model))
    waiting = await parts.database.read(EVERYONE, lambda tx: users.not_served_by(tx, model))
    done = 0
    progress(done, total)
    for user_id in waiting:
        while not await parts.database.write(user_id, partial(_switch, user_id, model)):
            made = await _memories(parts, user_id, model) or await _messages(parts, user_id, model)
            done += made
            progress(done, max(total, done))
        parts.indexes.drop(user_id)
        parts.seen.drop(user_id)
        log.info("user.reembedded user=%s model=%s", user_id, model)
    return done


async def catch_up(parts: Parts, user_id: str) -> int:
    """Make the vectors of memories that were stored while the model failed; how many."""
    done = 0
    while True:
        state = await parts.database.read(user_id, lambda tx: users.state(tx, user_id))
        made = await _memories(parts, user_id, state.embedding_model) if state else 0
        if not made:
            return done
        done += made


def _count_missing(model: str, tx: Connection) -> int:
    return vectors.count_missing(tx, model) + message_vectors.count_missing(tx, model)


def _switch(user_id: str, model: str, tx: Connection) -> bool:
    """Let the new vectors serve, unless some are still missing."""
    if vectors.missing(tx, user_id, model, 1) or message_vectors.missing(tx, user_id, model, 1):
        return False
    users.serve_by(tx, user_id, model)
    vectors.drop_all_but(tx, user_id, model)
    message_vectors.drop_all_but(tx, user_id, model)
    return True


# -- memories -------------------------------------------------------------------------------------------


async def _memories(parts: Parts, user_id: str, model: str) -> int:
    """Vectors of some memories that have none; of how many."""
    missing = await parts.database.read(user_id, lambda tx: vectors.missing(tx, user_id, model, BATCH))
    if missing:
        made = await parts.embed(model, [content for _, content in missing])
        await parts.database.write(user_id, partial(_put_memories, parts, user_id, model, missing, made))
    return len(missing)


def _put_memories(
    parts: Parts,
    user_id: str,
    model: str,
    missing: Sequence[tuple[str, str]],
    made: NDArray[np.float32],
    tx: Connection,
) -> None:
    """Store new vectors, except of memories whose text was changed or forgotten while they were made."""
    now = memories.get_many(tx, user_id, [memory_id for memory_id, _ in missing])
    fresh = [
        (memory_id, vector)
        for (memory_id, content), vector in zip(missing, made, strict=True)
        if memory_id in now and now[memory_id].content == content
    ]
    vectors.put(tx, user_id, model, fresh)
    state = users.state(tx, user_id)
    if fresh and state is not None and state.embedding_model == model:
        # They serve at once: indexes hear of it, and what says nearly the same is tidied.
        now = parts.now()
        state = parts.touch(tx, user_id, model, now)
        memories.revise(tx, user_id, [memory_id for memory_id, _ in fresh], state.revision)
        leave_curation(parts, tx, user_id, state, now)


# -- messages -------------------------------------------------------------------------------------------


async def _messages(parts: Parts, user_id: str, model: str) -> int:
    """Vectors of some indexed messages that have none; of how many."""
    missing = await parts.database.read(
        user_id, lambda tx: message_vectors.missing(tx, user_id, model, BATCH)
    )
    if missing:
        # In a thread: cutting many long texts takes a while.
        texts = await asyncio.to_thread(lambda: [embedded_parts_of(text) for _, _, text in missing])
        made = await embed_parts(parts, model, texts)
        await parts.database.write(user_id, partial(_put_messages, user_id, model, missing, made))
    return len(missing)


def _put_messages(
    user_id: str, model: str, missing: Sequence[tuple[str, int, str]], made: Sequence[Matrix], tx: Connection
) -> None:
    """Store new vectors, except of messages that were changed or forgotten while they were made."""
    state = users.state(tx, user_id)
    now = messages.get_many(tx, user_id, [message_id for message_id, _, _ in missing])
    fresh = [
        (message_id, matrix)
        for (message_id, _, text), matrix in zip(missing, made, strict=True)
        if message_id in now and now[message_id].text == text
    ]
    if state is not None:
        # No new revision: an index follows the model that serves, and that is another one still.
        message_vectors.put(tx, user_id, model, fresh, revision=state.message_revision)
