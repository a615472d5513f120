"""Index messages: make messages searchable by meaning, in the background.

New and edited messages are read in revision order, split into parts and embedded outside any transaction. Entries,
vectors and the index's progress are then written in one transaction per batch, so a killed job resumes where it stopped.
Messages changed or deleted in the meantime are skipped: they have a newer revision, or none. Until this has run, messages
are found by their words; the search itself is elsewhere. Embedding while recording was rejected, because a turn must not
wait for a model.
"""

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from itertools import accumulate, pairwise

from recollect.engine.parts import Parts
from recollect.index.episode.parts_of_text import embedded_parts_of
from recollect.records.message import Message
from recollect.store import message_entries, message_vectors, messages, users
from recollect.store.database import Connection, Matrix
from recollect.store.message_entries import Entry
from recollect.store.users import UserState

#: Messages per write.
BATCH = 256
#: Characters per write, unless a single message has more; a batch's vectors are all in memory at once.
MAX_CHARACTERS = 500_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """The next messages to index, and the user state under which they may be written."""

    state: UserState
    #: With their revisions, in that order.
    waiting: Sequence[tuple[Message, int]]


async def index_messages(parts: Parts, user_id: str, *, enough: int | None = None) -> int:
    """Write entries and vectors for a user's waiting messages, all of them or up to a limit; return how many."""
    done = 0
    while enough is None or done < enough:
        batch = await parts.database.read(user_id, partial(_next, user_id))
        if batch is None:
            break
        # In a thread, because words and parts of a full batch take tenths of a second.
        entries, texts = await asyncio.to_thread(_prepare, batch)
        vectors = await embed_parts(parts, batch.state.embedding_model, texts)
        done += await parts.database.write(user_id, partial(_save, user_id, batch.state, entries, vectors))
    return done


async def embed_parts(parts: Parts, model: str, texts: Sequence[Sequence[str]]) -> list[Matrix]:
    """Vectors for texts split into parts: one matrix per text, with one row per part."""
    made = await parts.embed(model, [part for each in texts for part in each])
    return [made[start:end] for start, end in pairwise(accumulate(map(len, texts), initial=0))]


def _next(user_id: str, tx: Connection) -> _Batch | None:
    """The next batch of waiting messages; None if there are none."""
    state = users.state(tx, user_id)
    if state is None:
        return None
    found = messages.unindexed(tx, user_id, state.indexed_revision, BATCH)
    sizes = accumulate(len(message.text) for message, _ in found)
    fitting = sum(size <= MAX_CHARACTERS for size in sizes)
    return _Batch(state=state, waiting=found[: max(fitting, 1)]) if found else None


def _prepare(batch: _Batch) -> tuple[list[Entry], list[list[str]]]:
    """The words of each message and the parts of its text, for which no model is needed."""
    entries = [
        Entry(message=message, terms=message_entries.terms_of(message), message_revision=revision)
        for message, revision in batch.waiting
    ]
    return entries, [embedded_parts_of(message.text) for message, _ in batch.waiting]


def _save(
    user_id: str, seen: UserState, entries: Sequence[Entry], vectors: Sequence[Matrix], tx: Connection
) -> int:
    """Write a batch and return its number of messages; write nothing if it must be prepared again.

    The epoch identifies a user who was forgotten and returned; revisions then start again, so the data read before is
    no longer valid.
    """
    state = users.state(tx, user_id)
    if state is None or _basis(state) != _basis(seen):
        return 0
    now = users.index_until(tx, user_id, entries[-1].message_revision)
    assert now is not None, "a user who vanished within a transaction"
    current = messages.revisions(tx, user_id, [entry.message.message_id for entry in entries])
    fresh = [
        (entry, matrix)
        for entry, matrix in zip(entries, vectors, strict=True)
        if current.get(entry.message.message_id) == entry.message_revision
    ]
    message_entries.put(tx, user_id, [entry for entry, _ in fresh], revision=now.message_revision)
    message_vectors.put(
        tx,
        user_id,
        state.embedding_model,
        [(entry.message.message_id, matrix) for entry, matrix in fresh],
        revision=now.message_revision,
    )
    return len(fresh)


def _basis(state: UserState) -> tuple[str, int, int]:
    return state.embedding_model, state.epoch, state.indexed_revision
