"""Re-embed: move users to another embedding model without interruption, and create missing vectors.

For each user, the new model's vectors for memories and messages are added beside the old ones in batches; when none is
missing, a short transaction switches to the new ones and deletes the old. Stopping at any point loses nothing, and a
restart resumes there, because the missing vectors are read from the store. Messages waiting to be indexed are left to
their indexing job, which uses the model current at that time.

Memories stored while the model failed are found by their words until `catch_up` has created the vectors.
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
#: The job created when a memory is stored without its vector.
CATCH_UP = NewJob(kind=JobKind.INDEX_MESSAGES, lane="vectors", subject="memories")

#: Called with the number done and the total.
Progress = Callable[[int, int], None]


def no_progress(done: int, total: int) -> None:
    """Do nothing, for callers that do not track progress."""


async def reembed(parts: Parts, model: str, progress: Progress = no_progress) -> int:
    """Move all users to this model; return how many memories and messages got vectors."""
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
    """Create vectors for memories stored while the model failed; return how many."""
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
    """Switch to the new vectors, unless some are still missing."""
    if vectors.missing(tx, user_id, model, 1) or message_vectors.missing(tx, user_id, model, 1):
        return False
    users.serve_by(tx, user_id, model)
    vectors.drop_all_but(tx, user_id, model)
    message_vectors.drop_all_but(tx, user_id, model)
    return True


# -- memories -------------------------------------------------------------------------------------------


async def _memories(parts: Parts, user_id: str, model: str) -> int:
    """Create vectors for some memories without one; return how many."""
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
    """Store new vectors, except for memories changed or forgotten in the meantime."""
    now = memories.get_many(tx, user_id, [memory_id for memory_id, _ in missing])
    fresh = [
        (memory_id, vector)
        for (memory_id, content), vector in zip(missing, made, strict=True)
        if memory_id in now and now[memory_id].content == content
    ]
    vectors.put(tx, user_id, model, fresh)
    state = users.state(tx, user_id)
    if fresh and state is not None and state.embedding_model == model:
        # They are used at once: indexes are updated, and near-duplicates are tidied.
        now = parts.now()
        state = parts.touch(tx, user_id, model, now)
        memories.revise(tx, user_id, [memory_id for memory_id, _ in fresh], state.revision)
        leave_curation(parts, tx, user_id, state, now)


# -- messages -------------------------------------------------------------------------------------------


async def _messages(parts: Parts, user_id: str, model: str) -> int:
    """Create vectors for some indexed messages without one; return how many."""
    missing = await parts.database.read(
        user_id, lambda tx: message_vectors.missing(tx, user_id, model, BATCH)
    )
    if missing:
        # In a thread, because splitting many long texts takes a while.
        texts = await asyncio.to_thread(lambda: [embedded_parts_of(text) for _, _, text in missing])
        made = await embed_parts(parts, model, texts)
        await parts.database.write(user_id, partial(_put_messages, user_id, model, missing, made))
    return len(missing)


def _put_messages(
    user_id: str, model: str, missing: Sequence[tuple[str, int, str]], made: Sequence[Matrix], tx: Connection
) -> None:
    """Store new vectors, except for messages changed or forgotten in the meantime."""
    state = users.state(tx, user_id)
    now = messages.get_many(tx, user_id, [message_id for message_id, _, _ in missing])
    fresh = [
        (message_id, matrix)
        for (message_id, _, text), matrix in zip(missing, made, strict=True)
        if message_id in now and now[message_id].text == text
    ]
    if state is not None:
        # No new revision, because indexes still use the old model.
        message_vectors.put(tx, user_id, model, fresh, revision=state.message_revision)
