"""The session_summaries table: summaries of sessions, one revision per close.

Rows in, records out. It does not know when a session closes. Overwriting at the next close was rejected, so that the text
that a model saw yesterday can be looked up today.
"""

import json
from collections.abc import Sequence
from dataclasses import replace

from recollect.records.moment import iso, stored
from recollect.records.session import SessionSummary, digest_from
from recollect.store.database import Connection, Row
from recollect.store.id_lists import id_lists
from recollect.store.sessions import with_persona

_SELECT = """
    SELECT n.user_id, n.session_id, n.revision, n.content, n.written_by, n.created_at FROM session_summaries n
"""
_OF_SESSION = f"{_SELECT} WHERE n.user_id = :user_id AND n.session_id = :session_id"


def current(tx: Connection, user_id: str, session_id: str) -> SessionSummary | None:
    """The newest revision of a session's summary."""
    row = tx.one(
        f"{_OF_SESSION} ORDER BY n.revision DESC LIMIT 1", {"user_id": user_id, "session_id": session_id}
    )
    return _from_row(row) if row else None


def current_of(tx: Connection, user_id: str, session_ids: Sequence[str]) -> dict[str, SessionSummary]:
    """The newest revisions for several sessions at once, as a page of them needs."""
    found: dict[str, SessionSummary] = {}
    for marks, ids in id_lists(session_ids):
        rows = tx.all(
            f"{_SELECT} WHERE n.user_id = :user_id AND n.session_id IN ({marks}) ORDER BY n.revision",
            {"user_id": user_id, **ids},
        )
        # In the order of revisions, so that the newest is the one that stays.
        found.update((row[1], _from_row(row)) for row in rows)
    return found


def latest_of_persona(tx: Connection, user_id: str, persona_id: str | None) -> SessionSummary | None:
    """The summary of the last session that is over and has one.

    A cross join in name only: it keeps SQLite from beginning with every summary of the user.
    """
    row = tx.one(
        f"""
        SELECT n.user_id, n.session_id, n.revision, n.content, n.written_by, n.created_at, s.last_activity_at
        FROM sessions s CROSS JOIN session_summaries n
        WHERE s.user_id = :user_id AND {with_persona(persona_id)} AND s.ended_at IS NOT NULL
          AND n.user_id = :user_id AND n.session_id = s.session_id
        ORDER BY s.started_at DESC, n.revision DESC LIMIT 1
        """,
        {"user_id": user_id, "persona_id": persona_id},
    )
    return replace(_from_row(row), session_at=stored(row[6])) if row else None


def revisions(tx: Connection, user_id: str, session_id: str) -> list[SessionSummary]:
    """Every revision, oldest first."""
    rows = tx.all(f"{_OF_SESSION} ORDER BY n.revision", {"user_id": user_id, "session_id": session_id})
    return [_from_row(row) for row in rows]


def insert(tx: Connection, summary: SessionSummary) -> None:
    """A new revision; one that exists is refused by the database."""
    tx.run(
        """
        INSERT INTO session_summaries (user_id, session_id, revision, content, written_by, created_at)
        VALUES (:user_id, :session_id, :revision, :content, :written_by, :created_at)
        """,
        {
            "user_id": summary.user_id,
            "session_id": summary.session_id,
            "revision": summary.revision,
            "content": json.dumps(summary.digest.to_dict(), ensure_ascii=False),
            "written_by": summary.written_by,
            "created_at": iso(summary.created_at),
        },
    )


def delete(tx: Connection, user_id: str, session_id: str) -> int:
    """Every revision of a session's summary; how many."""
    return tx.run(
        "DELETE FROM session_summaries WHERE user_id = :user_id AND session_id = :session_id",
        {"user_id": user_id, "session_id": session_id},
    )


def _from_row(row: Row) -> SessionSummary:
    return SessionSummary(
        user_id=row[0],
        session_id=row[1],
        revision=row[2],
        digest=digest_from(json.loads(row[3])),
        written_by=row[4],
        created_at=stored(row[5]),
    )
