"""Records as tests need them, and writing one with everything that belongs to it."""

from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.index.postings import pack
from recollect.records.category import Category, MemoryType
from recollect.records.history import ChangeKind, HistoryEntry
from recollect.records.memory import MemoryRecord, make_id
from recollect.store import entities, histories, memories, users, vectors
from recollect.store.database import Connection

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
MODEL = "fake-64"


def record(number: int = 1, user_id: str = "ann", **changes: Any) -> MemoryRecord:
    """The user's so-manieth memory; later numbers are younger."""
    moment = NOON + timedelta(seconds=number)
    made = MemoryRecord(
        user_id=user_id,
        memory_id=make_id(moment, f"{number:08x}"),
        content=f"User keeps bees in garden {number}",
        category=Category.FACT,
        type=MemoryType.PROFILE,
        importance=6.0,
        created_at=moment,
        updated_at=moment,
        valid_from=moment,
    )
    return replace(made, **changes)


def entry(memory_id: str, number: int, **changes: Any) -> HistoryEntry:
    """One change of a memory."""
    made = HistoryEntry(
        memory_id=memory_id,
        entry=number,
        at=NOON + timedelta(seconds=number),
        by="user",
        change=ChangeKind.EDITED,
        old={"content": "before"},
        new={"content": "after"},
        reason="a test",
    )
    return replace(made, **changes)


def direction(seed: int, dimensions: int = 64) -> NDArray[np.float32]:
    """A unit vector that is the same each time."""
    values = np.random.default_rng(seed).standard_normal(dimensions).astype(np.float32)
    return values / np.linalg.norm(values)


def saving(made: MemoryRecord, vector: NDArray[np.float32] | None = None) -> Callable[[Connection], int]:
    """A unit of work: the memory, its words, its vector, its entities and its history; returns the revision."""

    def save(tx: Connection) -> int:
        state = users.touch(tx, made.user_id, model=MODEL, epoch=7, now=made.created_at)
        memories.insert(tx, made, terms=pack(made.content), revision=state.revision)
        place = direction(int(made.memory_id[-8:], 16)) if vector is None else vector
        vectors.put(tx, made.user_id, state.embedding_model, [(made.memory_id, place)])
        labels = [(key, key.partition(":")[2].title()) for key in made.entity_refs]
        entities.mention(tx, made.user_id, labels, made.memory_id, made.created_at)
        histories.append(
            tx, made.user_id, [entry(made.memory_id, state.revision, change=ChangeKind.CREATED, old={})]
        )
        return state.revision

    return save


def changing(made: MemoryRecord) -> Callable[[Connection], int]:
    """A unit of work: the memory as it is now, text unchanged."""

    def save(tx: Connection) -> int:
        state = users.touch(tx, made.user_id, model=MODEL, epoch=7, now=made.updated_at)
        memories.update(tx, made, terms=pack(made.content), revision=state.revision)
        return state.revision

    return save
