"""The memory_vectors table: one vector per memory and model, written in the same transaction as the rows."""

from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import NDArray

from recollect.store.database import Connection, Matrix, Vector

#: Vectors read at a time: few enough to stay in the processor's cache while they are converted.
_PORTION = 512

_PUT = """
    INSERT INTO memory_vectors (user_id, memory_id, model, vector) VALUES (:user_id, :memory_id, :model, :vector)
    ON CONFLICT (user_id, model, memory_id) DO UPDATE SET vector = excluded.vector
"""


def put(tx: Connection, user_id: str, model: str, vectors: Iterable[tuple[str, NDArray[np.float32]]]) -> None:
    """Store or replace the vectors of these memories."""
    tx.many(
        _PUT,
        [
            {"user_id": user_id, "memory_id": memory_id, "model": model, "vector": Vector(vector)}
            for memory_id, vector in vectors
        ],
    )


def copy(tx: Connection, user_id: str, model: str, from_id: str, to_id: str) -> bool:
    """Give a memory the vector of another that has the same text; False when that one has none of this model."""
    return (
        tx.run(
            """
            INSERT INTO memory_vectors (user_id, memory_id, model, vector)
            SELECT user_id, :to_id, model, vector FROM memory_vectors
            WHERE user_id = :user_id AND model = :model AND memory_id = :from_id
            ON CONFLICT (user_id, model, memory_id) DO UPDATE SET vector = excluded.vector
            """,
            {"user_id": user_id, "model": model, "from_id": from_id, "to_id": to_id},
        )
        > 0
    )


def gather(
    tx: Connection, user_id: str, model: str, slot_of: Mapping[str, int]
) -> tuple[Matrix, NDArray[np.bool_]]:
    """The vectors of these memories, each in the row of its slot, and which rows were found."""
    matrix: Matrix = np.zeros((0, 0), dtype=np.float32)
    found = np.zeros(len(slot_of), dtype=np.bool_)
    for read in tx.batches(
        "SELECT memory_id, vector FROM memory_vectors WHERE user_id = :user_id AND model = :model ORDER BY memory_id",
        {"user_id": user_id, "model": model},
        _PORTION,
    ):
        wanted = [(slot, row[1]) for row in read if (slot := slot_of.get(row[0])) is not None]
        if not wanted:
            continue
        portion = tx.vectors([vector for _, vector in wanted])
        if not matrix.size:
            matrix = np.zeros((len(slot_of), portion.shape[1]), dtype=np.float32)
        slots = [slot for slot, _ in wanted]
        # Both are in the order of ids, so the slots are mostly a run, which is copied faster.
        run = slots[-1] - slots[0] == len(slots) - 1
        rows = slice(slots[0], slots[-1] + 1) if run else slots
        matrix[rows] = portion
        found[rows] = True
    return matrix, found


def drop(tx: Connection, user_id: str, memory_id: str) -> int:
    """Remove the vectors of a memory whose text has changed, of all models; how many."""
    return tx.run(
        "DELETE FROM memory_vectors WHERE user_id = :user_id AND memory_id = :memory_id",
        {"user_id": user_id, "memory_id": memory_id},
    )


def drop_all_but(tx: Connection, user_id: str, model: str) -> int:
    """Remove the vectors of other models; how many."""
    return tx.run(
        "DELETE FROM memory_vectors WHERE user_id = :user_id AND model <> :model",
        {"user_id": user_id, "model": model},
    )


def missing(tx: Connection, user_id: str, model: str, limit: int) -> list[tuple[str, str]]:
    """Id and content of memories that have no vector of this model yet."""
    return tx.all(
        """
        SELECT m.memory_id, m.content FROM memories m WHERE m.user_id = :user_id AND NOT EXISTS (
            SELECT 1 FROM memory_vectors v
            WHERE v.user_id = m.user_id AND v.memory_id = m.memory_id AND v.model = :model)
        ORDER BY m.memory_id LIMIT :limit
        """,
        {"user_id": user_id, "model": model, "limit": limit},
    )  # type: ignore[return-value]


def count_late(tx: Connection) -> int:
    """How many memories of everyone have no vector of the model that serves their user."""
    row = tx.one(
        """
        SELECT count(*) FROM memories m JOIN users u ON u.user_id = m.user_id WHERE NOT EXISTS (
            SELECT 1 FROM memory_vectors v
            WHERE v.user_id = m.user_id AND v.memory_id = m.memory_id AND v.model = u.embedding_model)
        """
    )
    return row[0] if row else 0


def count_missing(tx: Connection, model: str) -> int:
    """How many memories of everyone wait for a vector of this model."""
    row = tx.one(
        """
        SELECT count(*) FROM memories m WHERE NOT EXISTS (
            SELECT 1 FROM memory_vectors v
            WHERE v.user_id = m.user_id AND v.memory_id = m.memory_id AND v.model = :model)
        """,
        {"model": model},
    )
    return row[0] if row else 0
