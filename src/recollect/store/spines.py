"""The spines table: every version of the long view of a user.

Rows in, records out. It does not know when a version is due or what its input is.
"""

import json
from datetime import datetime

from recollect.records.moment import iso, stored
from recollect.records.spine import Spine, content_from
from recollect.store.database import Connection, Row

_SELECT = """
    SELECT user_id, version, content, message_count, written_by, created_at FROM spines WHERE user_id = :user_id
"""


def current(tx: Connection, user_id: str) -> Spine | None:
    """The newest version."""
    row = tx.one(f"{_SELECT} ORDER BY version DESC LIMIT 1", {"user_id": user_id})
    return _from_row(row) if row else None


def version(tx: Connection, user_id: str, number: int) -> Spine | None:
    """One version by its number."""
    row = tx.one(f"{_SELECT} AND version = :version", {"user_id": user_id, "version": number})
    return _from_row(row) if row else None


def versions(tx: Connection, user_id: str) -> list[Spine]:
    """Every version, oldest first."""
    return [_from_row(row) for row in tx.all(f"{_SELECT} ORDER BY version", {"user_id": user_id})]


def insert(tx: Connection, spine: Spine) -> None:
    """A new version; one that exists is refused by the database."""
    tx.run(
        """
        INSERT INTO spines (user_id, version, content, message_count, written_by, created_at)
        VALUES (:user_id, :version, :content, :message_count, :written_by, :created_at)
        """,
        {
            "user_id": spine.user_id,
            "version": spine.version,
            "content": json.dumps(spine.content.to_dict(), ensure_ascii=False),
            "message_count": spine.message_count,
            "written_by": spine.written_by,
            "created_at": iso(spine.created_at),
        },
    )


def counted(tx: Connection, user_id: str) -> int:
    """How many messages of the user the versions account for."""
    row = tx.one(
        "SELECT CAST(COALESCE(sum(message_count), 0) AS BIGINT) FROM spines WHERE user_id = :user_id",
        {"user_id": user_id},
    )
    assert row is not None
    return row[0]


def delete_since(tx: Connection, user_id: str, moment: datetime) -> int:
    """Every version that was made at a moment or later, and so may repeat what was said then; how many."""
    return tx.run(
        "DELETE FROM spines WHERE user_id = :user_id AND created_at >= :moment",
        {"user_id": user_id, "moment": iso(moment)},
    )


def _from_row(row: Row) -> Spine:
    return Spine(
        user_id=row[0],
        version=row[1],
        content=content_from(json.loads(row[2])),
        message_count=row[3],
        written_by=row[4],
        created_at=stored(row[5]),
    )
