"""The rolling_summaries table: every revision of what a user and a persona are about, across chats.

Rows in, records out. It does not know when one is due. S4 keeps the newest text in the row of the session state: each
change here writes it there too, so that the two never differ, not even after forgetting.
"""

from datetime import datetime

from recollect.records.moment import iso, stored
from recollect.records.session import RollingSummary
from recollect.store.database import Connection, Params, Row

_SELECT = """
    SELECT user_id, persona_id, revision, summary, from_message_at, until_message_at, written_by, created_at
    FROM rolling_summaries WHERE user_id = :user_id AND persona_id = :persona_id
"""


def current(tx: Connection, user_id: str, persona_id: str | None) -> RollingSummary | None:
    """The newest revision."""
    row = tx.one(f"{_SELECT} ORDER BY revision DESC LIMIT 1", _key(user_id, persona_id))
    return _from_row(row) if row else None


def revisions(tx: Connection, user_id: str, persona_id: str | None) -> list[RollingSummary]:
    """Every revision, oldest first."""
    return [_from_row(row) for row in tx.all(f"{_SELECT} ORDER BY revision", _key(user_id, persona_id))]


def shown_at(tx: Connection, user_id: str, persona_id: str | None) -> datetime | None:
    """When the state that shows the newest revision was last written: by recording, whatever times the messages have."""
    row = tx.one(
        "SELECT updated_at FROM session_states WHERE user_id = :user_id AND persona_id = :persona_id",
        _key(user_id, persona_id),
    )
    return stored(row[0]) if row else None


def insert(tx: Connection, rolling: RollingSummary) -> None:
    """A new revision; one that exists is refused by the database."""
    key = _key(rolling.user_id, rolling.persona_id)
    tx.run(
        """
        INSERT INTO rolling_summaries (user_id, persona_id, revision, summary, from_message_at, until_message_at,
                                       written_by, created_at)
        VALUES (:user_id, :persona_id, :revision, :summary, :from_at, :until_at, :written_by, :created_at)
        """,
        {
            **key,
            "revision": rolling.revision,
            "summary": rolling.summary,
            "from_at": iso(rolling.from_message_at),
            "until_at": iso(rolling.until_message_at),
            "written_by": rolling.written_by,
            "created_at": iso(rolling.created_at),
        },
    )
    _show_newest(tx, key)


def delete_since(tx: Connection, user_id: str, persona_id: str | None, moment: datetime) -> int:
    """Every revision that was made after a moment or is about it; how many.

    Each revision is written from the one before: whatever came after a message may repeat it.
    """
    key = _key(user_id, persona_id)
    gone = tx.run(
        "DELETE FROM rolling_summaries WHERE user_id = :user_id AND persona_id = :persona_id"
        " AND (until_message_at >= :moment OR created_at >= :moment)",
        {**key, "moment": iso(moment)},
    )
    _show_newest(tx, key)
    return gone


def _show_newest(tx: Connection, key: Params) -> None:
    tx.run(
        """
        UPDATE session_states SET rolling_summary = COALESCE((
            SELECT r.summary FROM rolling_summaries r
            WHERE r.user_id = :user_id AND r.persona_id = :persona_id ORDER BY r.revision DESC LIMIT 1
        ), '') WHERE user_id = :user_id AND persona_id = :persona_id
        """,
        key,
    )


def _key(user_id: str, persona_id: str | None) -> dict[str, object]:
    return {"user_id": user_id, "persona_id": persona_id or ""}


def _from_row(row: Row) -> RollingSummary:
    return RollingSummary(
        user_id=row[0],
        persona_id=row[1] or None,
        revision=row[2],
        summary=row[3],
        from_message_at=stored(row[4]),
        until_message_at=stored(row[5]),
        written_by=row[6],
        created_at=stored(row[7]),
    )
