"""The briefs table: every revision of every chat's brief, appended and never rewritten.

Rows in, records out. This module does not know when a fold is due, or the chat's cursor. Keeping only the newest was
rejected, because old summaries must not be lost and a deletion returns to the last brief before it.
"""

from recollect.records.chat import Brief
from recollect.records.moment import iso, stored
from recollect.store.database import Connection, Row

_SELECT = """
    SELECT user_id, chat_id, revision, global_summary, last_summarized_message_id, tokens, written_by, created_at
    FROM briefs WHERE user_id = :user_id AND chat_id = :chat_id
"""


def current(tx: Connection, user_id: str, chat_id: str) -> Brief | None:
    """The newest revision; None if nothing has been folded."""
    row = tx.one(
        f"{_SELECT} ORDER BY revision DESC LIMIT 1",
        {"user_id": user_id, "chat_id": chat_id},
    )
    return _from_row(row) if row else None


def revisions(tx: Connection, user_id: str, chat_id: str) -> list[Brief]:
    """Every revision, oldest first."""
    rows = tx.all(f"{_SELECT} ORDER BY revision", {"user_id": user_id, "chat_id": chat_id})
    return [_from_row(row) for row in rows]


def insert(tx: Connection, brief: Brief) -> None:
    """Add a revision; the database refuses one that exists."""
    assert brief.created_at is not None
    tx.run(
        """
        INSERT INTO briefs (user_id, chat_id, revision, global_summary, last_summarized_message_id, tokens, written_by,
                            created_at)
        VALUES (:user_id, :chat_id, :revision, :global_summary, :last_id, :tokens, :written_by, :created_at)
        """,
        {
            "user_id": brief.user_id,
            "chat_id": brief.chat_id,
            "revision": brief.revision,
            "global_summary": brief.global_summary,
            "last_id": brief.last_summarized_message_id,
            "tokens": brief.tokens,
            "written_by": brief.written_by,
            "created_at": iso(brief.created_at),
        },
    )


def delete_from(tx: Connection, user_id: str, chat_id: str, revision: int) -> int:
    """Delete this revision and all later ones, which build on it; return how many."""
    return tx.run(
        "DELETE FROM briefs WHERE user_id = :user_id AND chat_id = :chat_id AND revision >= :revision",
        {"user_id": user_id, "chat_id": chat_id, "revision": revision},
    )


def delete_all(tx: Connection, user_id: str, chat_id: str) -> int:
    """Delete all revisions of a chat; return how many."""
    return tx.run(
        "DELETE FROM briefs WHERE user_id = :user_id AND chat_id = :chat_id",
        {"user_id": user_id, "chat_id": chat_id},
    )


def _from_row(row: Row) -> Brief:
    return Brief(
        user_id=row[0],
        chat_id=row[1],
        revision=row[2],
        global_summary=row[3],
        last_summarized_message_id=row[4],
        tokens=row[5],
        written_by=row[6],
        created_at=stored(row[7]),
    )
