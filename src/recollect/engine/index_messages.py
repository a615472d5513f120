"""Index messages: what was said becomes findable by its meaning, behind the conversation.

New and edited messages are read in the order of their revisions, cut into parts and embedded outside any transaction.
Entries, vectors and how far the index reaches are then written in one transaction a batch, so a killed job goes on where
it stopped. What changed or vanished meanwhile is left out: it has a newer revision, or none. It does not know how
messages are found; until it has run they are found by their words. Embedding while recording was rejected: a turn must
not wait for a model.
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

#: Messages between two writes.
BATCH = 256
#: Characters between two writes, unless one message alone has more: the vectors of a batch are in memory together.
MAX_CHARACTERS = 500_000


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """What waits first, and the state of its user under which it may be written."""

    state: UserState
    #: With their revisions, in the order of those.
    waiting: Sequence[tuple[Message, int]]


async def index_messages(parts: Parts, user_id: str, *, enough: int | None = None) -> int:
    """Give the messages of a user that wait for it their entries and vectors, all or until enough are done; how many."""
    done = 0
    while enough is None or done < enough:
        batch = await parts.database.read(user_id, partial(_next, user_id))
        if batch is None:
            break
        # In a thread: words and parts of a full batch take tenths of a second.
        entries, texts = await asyncio.to_thread(_prepare, batch)
        vectors = await embed_parts(parts, batch.state.embedding_model, texts)
        done += await parts.database.write(user_id, partial(_save, user_id, batch.state, entries, vectors))
    return done


async def embed_parts(parts: Parts, model: str, texts: Sequence[Sequence[str]]) -> list[Matrix]:
    """The vectors of texts that were cut into parts: a matrix for each text, a row for each of its parts."""
    made = await parts.embed(model, [part for each in texts for part in each])
    return [made[start:end] for start, end in pairwise(accumulate(map(len, texts), initial=0))]


def _next(user_id: str, tx: Connection) -> _Batch | None:
    """What waits first, as much as a batch takes; None when nothing waits."""
    state = users.state(tx, user_id)
    if state is None:
        return None
    found = messages.unindexed(tx, user_id, state.indexed_revision, BATCH)
    sizes = accumulate(len(message.text) for message, _ in found)
    fitting = sum(size <= MAX_CHARACTERS for size in sizes)
    return _Batch(state=state, waiting=found[: max(fitting, 1)]) if found else None


def _prepare(batch: _Batch) -> tuple[list[Entry], list[list[str]]]:
    """What needs no model: the words of each message, and the parts of its text."""
    entries = [
        Entry(message=message, terms=message_entries.terms_of(message), message_revision=revision)
        for message, revision in batch.waiting
    ]
    return entries, [embedded_parts_of(message.text) for message, _ in batch.waiting]


def _save(
    user_id: str, seen: UserState, entries: Sequence[Entry], vectors: Sequence[Matrix], tx: Connection
) -> int:
    """Write a batch; how many messages. None of it when it must be made anew.

    The epoch tells a user who was forgotten and came back, whose revisions began again: then what was read says nothing
    about what is there.
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
