"""The message_vectors table: the vectors of indexed messages, one for each part of a long one.

Written in the same transaction as the entries. This module does not know how texts are split or how the index reads them.
One vector for a whole long message was rejected, because a model reads only its beginning.
"""

from collections.abc import Iterable, Iterator, Mapping

from recollect.store.database import Connection, Matrix, Row, Vector

#: Vectors read at a time: few enough to stay in the processor's cache while they are converted.
_PORTION = 512

_PUT = """
    INSERT INTO message_vectors (user_id, message_id, model, part, vector, revision)
    VALUES (:user_id, :message_id, :model, :part, :vector, :revision)
    ON CONFLICT (user_id, message_id, model, part) DO UPDATE SET vector = excluded.vector, revision = excluded.revision
"""
#: An indexed message without a vector of the model.
_MISSING = """NOT EXISTS (
    SELECT 1 FROM message_vectors v
    WHERE v.user_id = e.user_id AND v.message_id = e.message_id AND v.model = :model)"""


def put(
    tx: Connection, user_id: str, model: str, vectors: Iterable[tuple[str, Matrix]], *, revision: int
) -> None:
    """Store the vectors of these messages, a matrix each with a row for each part."""
    rows = [
        {
            "user_id": user_id,
            "message_id": message_id,
            "model": model,
            "part": part,
            "vector": Vector(vector),
            "revision": revision,
        }
        for message_id, matrix in vectors
        for part, vector in enumerate(matrix)
    ]
    if rows:
        tx.many(_PUT, rows)


def gather(
    tx: Connection, user_id: str, model: str, slot_of: Mapping[str, int]
) -> Iterator[tuple[Matrix, list[int]]]:
    """The vectors of these messages in portions, part after part in the order of ids, with the slot of each."""
    for rows in tx.batches(
        "SELECT message_id, vector FROM message_vectors WHERE user_id = :user_id AND model = :model"
        " ORDER BY message_id, part",
        {"user_id": user_id, "model": model},
        _PORTION,
    ):
        wanted = [(slot, row[1]) for row in rows if (slot := slot_of.get(row[0])) is not None]
        yield tx.vectors([vector for _, vector in wanted]), [slot for slot, _ in wanted]


def since(tx: Connection, user_id: str, model: str, revision: int) -> list[Row]:
    """Message, part and vector of what was written after a revision."""
    return tx.all(
        "SELECT message_id, part, vector FROM message_vectors"
        " WHERE user_id = :user_id AND revision > :revision AND model = :model",
        {"user_id": user_id, "model": model, "revision": revision},
    )


def drop(tx: Connection, user_id: str, message_id: str) -> int:
    """Remove the vectors of a message, of all models; how many."""
    return tx.run(
        "DELETE FROM message_vectors WHERE user_id = :user_id AND message_id = :message_id",
        {"user_id": user_id, "message_id": message_id},
    )


def drop_chat(tx: Connection, user_id: str, chat_id: str) -> int:
    """Remove the vectors of all messages of a chat, while those are still there; how many."""
    return tx.run(
        """
        DELETE FROM message_vectors WHERE user_id = :user_id AND message_id IN (
            SELECT message_id FROM messages WHERE user_id = :user_id AND chat_id = :chat_id)
        """,
        {"user_id": user_id, "chat_id": chat_id},
    )


def drop_all_but(tx: Connection, user_id: str, model: str) -> int:
    """Remove the vectors of other models; how many."""
    return tx.run(
        "DELETE FROM message_vectors WHERE user_id = :user_id AND model <> :model",
        {"user_id": user_id, "model": model},
    )


def missing(tx: Connection, user_id: str, model: str, limit: int) -> list[tuple[str, int, str]]:
    """Id, revision and text of indexed messages that have no vector of this model yet.

    Those that are not indexed yet are left to indexing, which asks for the model that serves then.
    """
    return tx.all(
        f"""
        SELECT e.message_id, e.message_revision, m.text FROM message_entries e
        JOIN messages m ON m.user_id = e.user_id AND m.message_id = e.message_id
        WHERE e.user_id = :user_id AND {_MISSING} ORDER BY e.message_id LIMIT :limit
        """,
        {"user_id": user_id, "model": model, "limit": limit},
    )  # type: ignore[return-value]


def count_missing(tx: Connection, model: str) -> int:
    """How many indexed messages of everyone wait for a vector of this model."""
    row = tx.one(f"SELECT count(*) FROM message_entries e WHERE {_MISSING}", {"model": model})
    return row[0] if row else 0


def count(tx: Connection, user_id: str | None = None) -> int:
    """How many vectors there are: one user's, or in the scope of everyone all."""
    whose = " WHERE user_id = :user_id" if user_id is not None else ""
    row = tx.one(f"SELECT count(*) FROM message_vectors{whose}", {"user_id": user_id})
    return row[0] if row else 0
