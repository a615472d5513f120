"""The memory_links table: relationships between memories."""

from datetime import datetime

from recollect.records.link import Link, LinkKind
from recollect.records.moment import iso, stored
from recollect.store.database import Connection, Row


def add(tx: Connection, user_id: str, link: Link, now: datetime) -> None:
    """Relate two memories; doing it twice changes nothing."""
    tx.run(
        """
        INSERT INTO memory_links (user_id, from_id, kind, to_id, created_at)
        VALUES (:user_id, :from_id, :kind, :to_id, :now)
        ON CONFLICT (user_id, from_id, kind, to_id) DO NOTHING
        """,
        {
            "user_id": user_id,
            "from_id": link.from_id,
            "kind": link.kind.value,
            "to_id": link.to_id,
            "now": iso(now),
        },
    )


def remove(tx: Connection, user_id: str, link: Link) -> bool:
    """Unrelate; says whether they were related."""
    return (
        tx.run(
            "DELETE FROM memory_links WHERE user_id = :user_id AND from_id = :from_id AND kind = :kind AND to_id = :to_id",
            {"user_id": user_id, "from_id": link.from_id, "kind": link.kind.value, "to_id": link.to_id},
        )
        > 0
    )


def of_memory(tx: Connection, user_id: str, memory_id: str) -> list[Link]:
    """Every link that starts or ends at this memory."""
    rows = tx.all(
        """
        SELECT from_id, kind, to_id, created_at FROM memory_links
        WHERE user_id = :user_id AND (from_id = :memory_id OR to_id = :memory_id) ORDER BY created_at, from_id, to_id
        """,
        {"user_id": user_id, "memory_id": memory_id},
    )
    return [_from_row(row) for row in rows]


def of_user(tx: Connection, user_id: str) -> list[Link]:
    """All links of a user."""
    rows = tx.all(
        "SELECT from_id, kind, to_id, created_at FROM memory_links WHERE user_id = :user_id"
        " ORDER BY from_id, kind, to_id",
        {"user_id": user_id},
    )
    return [_from_row(row) for row in rows]


def _from_row(row: Row) -> Link:
    return Link(from_id=row[0], kind=LinkKind(row[1]), to_id=row[2], created_at=stored(row[3]))
