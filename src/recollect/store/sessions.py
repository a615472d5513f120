"""The sessions table: periods of activity between a user and a persona.

Rows in, records out. It does not know when a session is over: `records/session.py` decides by the times of messages. No
persona is a persona of its own. Spelling it '' in an expression was rejected: under row-level security PostgreSQL then
does without the index.
"""

from collections.abc import Iterable
from datetime import datetime

from recollect.records.moment import iso, stored
from recollect.records.session import Session, SessionChat
from recollect.store.database import Connection, Row

_SELECT = """
    SELECT s.user_id, s.session_id, s.persona_id, s.started_at, s.last_activity_at, s.ended_at, s.turn_count
    FROM sessions s WHERE s.user_id = :user_id
"""
_ORDER = "ORDER BY s.started_at DESC, s.session_id DESC LIMIT :limit"


def with_persona(persona_id: str | None) -> str:
    """The condition on sessions `s` for a persona, or for none: an index finds a NULL only by name."""
    return "s.persona_id IS NULL" if persona_id is None else "s.persona_id = :persona_id"


def get(tx: Connection, user_id: str, session_id: str) -> Session | None:
    """One session of this user."""
    row = tx.one(f"{_SELECT} AND s.session_id = :session_id", {"user_id": user_id, "session_id": session_id})
    return _from_row(row) if row else None


def at(tx: Connection, user_id: str, persona_id: str | None, moment: datetime) -> Session | None:
    """The last session that had begun at this moment, over or not."""
    row = tx.one(
        f"{_SELECT} AND {with_persona(persona_id)} AND s.started_at <= :moment {_ORDER}",
        {"user_id": user_id, "persona_id": persona_id, "moment": iso(moment), "limit": 1},
    )
    return _from_row(row) if row else None


def next_start(tx: Connection, user_id: str, persona_id: str | None, moment: datetime) -> datetime | None:
    """When the first session after this moment begins: until then `at` answers the same."""
    row = tx.one(
        f"SELECT min(s.started_at) FROM sessions s WHERE s.user_id = :user_id AND {with_persona(persona_id)}"
        " AND s.started_at > :moment",
        {"user_id": user_id, "persona_id": persona_id, "moment": iso(moment)},
    )
    return stored(row[0]) if row and row[0] else None


def page(
    tx: Connection,
    user_id: str,
    *,
    persona_id: str | None = None,
    limit: int,
    before: tuple[str, str] | None = None,
) -> list[Session]:
    """Last begun first; a persona of None means any.

    `before` is where the page before ended: the start of its last session, as stored, and that session's id.
    """
    query, params = _SELECT, dict[str, object](user_id=user_id, limit=limit)
    if persona_id is not None:
        query, params["persona_id"] = f"{query} AND {with_persona(persona_id)}", persona_id
    if before is not None:
        query += (
            " AND s.started_at <= :started_at AND (s.started_at < :started_at OR s.session_id < :session_id)"
        )
        params["started_at"], params["session_id"] = before
    rows = tx.all(f"{query} {_ORDER}", params)
    return [_from_row(row) for row in rows]


def chats(tx: Connection, user_id: str, session_id: str) -> list[SessionChat]:
    """The chats in which a session was talked, in the order in which they came up."""
    rows = tx.all(
        """
        SELECT c.chat_id, c.title, m.message_id, said.message_count
        FROM (
            SELECT chat_id, count(*) AS message_count, min(position) AS opening FROM messages
            WHERE user_id = :user_id AND session_id = :session_id GROUP BY chat_id
        ) said
        JOIN messages m ON m.user_id = :user_id AND m.chat_id = said.chat_id AND m.position = said.opening
        JOIN chats c ON c.user_id = :user_id AND c.chat_id = said.chat_id
        ORDER BY m.created_at, c.chat_id
        """,
        {"user_id": user_id, "session_id": session_id},
    )
    return [
        SessionChat(chat_id=row[0], title=row[1], first_message_id=row[2], message_count=row[3])
        for row in rows
    ]


def save(tx: Connection, session: Session) -> None:
    """A session as it is now, new or known."""
    tx.run(
        """
        INSERT INTO sessions (user_id, session_id, persona_id, started_at, last_activity_at, ended_at, turn_count)
        VALUES (:user_id, :session_id, :persona_id, :started_at, :last_activity_at, :ended_at, :turn_count)
        ON CONFLICT (user_id, session_id) DO UPDATE SET persona_id = excluded.persona_id,
            started_at = excluded.started_at, last_activity_at = excluded.last_activity_at,
            ended_at = excluded.ended_at, turn_count = excluded.turn_count
        """,
        {
            "user_id": session.user_id,
            "session_id": session.session_id,
            "persona_id": session.persona_id,
            "started_at": iso(session.started_at),
            "last_activity_at": iso(session.last_activity_at),
            "ended_at": iso(session.ended_at) if session.ended_at else None,
            "turn_count": session.turn_count,
        },
    )


def go_on(tx: Connection, session: Session) -> None:
    """What a message changes of a known session: its start and its persona stay, so no index is written."""
    tx.run(
        """
        UPDATE sessions SET last_activity_at = :last_activity_at, ended_at = :ended_at, turn_count = :turn_count
        WHERE user_id = :user_id AND session_id = :session_id
        """,
        {
            "user_id": session.user_id,
            "session_id": session.session_id,
            "last_activity_at": iso(session.last_activity_at),
            "ended_at": iso(session.ended_at) if session.ended_at else None,
            "turn_count": session.turn_count,
        },
    )


def delete_empty(tx: Connection, user_id: str, session_ids: Iterable[str]) -> int:
    """Those of these sessions in which nothing is left; how many."""
    return sum(
        tx.run(
            """
            DELETE FROM sessions WHERE user_id = :user_id AND session_id = :session_id AND NOT EXISTS (
                SELECT 1 FROM messages m WHERE m.user_id = :user_id AND m.session_id = :session_id)
            """,
            {"user_id": user_id, "session_id": session_id},
        )
        for session_id in session_ids
    )


def _from_row(row: Row) -> Session:
    return Session(
        user_id=row[0],
        session_id=row[1],
        persona_id=row[2],
        started_at=stored(row[3]),
        last_activity_at=stored(row[4]),
        ended_at=stored(row[5]) if row[5] else None,
        turn_count=row[6],
    )
