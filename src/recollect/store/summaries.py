"""The summaries table: the folded segments of chats.

Rows in, records out. It does not know how a segment is chosen. That two segments cannot begin at one message is the
unique index's work: a second fold of the same turns is refused by the database, not found out afterwards.
"""

from dataclasses import dataclass

from recollect.records.chat import Summary
from recollect.records.moment import iso, stored
from recollect.store.database import Connection, Row

_COLUMNS = (
    "user_id", "summary_id", "chat_id", "summary", "message_count", "start_message_id", "end_message_id",
    "start_position", "end_position", "importance_score", "tokens", "covered_tokens", "created_at",
)  # fmt: skip
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM summaries"
_OF_CHAT = f"{_SELECT} WHERE user_id = :user_id AND chat_id = :chat_id"
_INSERT = (
    f"INSERT INTO summaries ({', '.join(_COLUMNS)}) VALUES ({', '.join(':' + name for name in _COLUMNS)})"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """The segments of a chat in numbers."""

    count: int
    #: What they stand for.
    message_count: int
    covered_tokens: int
    #: What they take themselves.
    tokens: int


def get(tx: Connection, user_id: str, summary_id: str) -> Summary | None:
    """One segment of this user."""
    row = tx.one(
        f"{_SELECT} WHERE user_id = :user_id AND summary_id = :summary_id",
        {"user_id": user_id, "summary_id": summary_id},
    )
    return _from_row(row) if row else None


def of_chat(tx: Connection, user_id: str, chat_id: str) -> list[Summary]:
    """The segments of a chat, in order."""
    rows = tx.all(f"{_OF_CHAT} ORDER BY start_position", {"user_id": user_id, "chat_id": chat_id})
    return [_from_row(row) for row in rows]


def for_context(tx: Connection, user_id: str, chat_id: str, *, newest: int) -> list[Summary]:
    """The newest segments and the three most important ones, in order: as many as any context can show."""
    scope = {"user_id": user_id, "chat_id": chat_id, "limit": newest}
    rows = tx.all(f"{_OF_CHAT} ORDER BY start_position DESC LIMIT :limit", scope)
    if len(rows) == newest:
        rows += tx.all(f"{_OF_CHAT} ORDER BY importance_score DESC LIMIT 3", scope)
    found = {summary.summary_id: summary for summary in map(_from_row, rows)}
    return sorted(found.values(), key=lambda summary: summary.start_position)


def insert(tx: Connection, summary: Summary) -> None:
    """A new segment; a second one with the same beginning is refused by the database."""
    tx.run(
        _INSERT,
        {
            "user_id": summary.user_id,
            "summary_id": summary.summary_id,
            "chat_id": summary.chat_id,
            "summary": summary.summary,
            "message_count": summary.message_count,
            "start_message_id": summary.start_message_id,
            "end_message_id": summary.end_message_id,
            "start_position": summary.start_position,
            "end_position": summary.end_position,
            "importance_score": summary.importance_score,
            "tokens": summary.tokens,
            "covered_tokens": summary.covered_tokens,
            "created_at": iso(summary.created_at),
        },
    )


def delete_from(tx: Connection, user_id: str, chat_id: str, start_position: int) -> int:
    """The segments that begin here or later; how many."""
    return tx.run(
        "DELETE FROM summaries WHERE user_id = :user_id AND chat_id = :chat_id AND start_position >= :start",
        {"user_id": user_id, "chat_id": chat_id, "start": start_position},
    )


def totals(tx: Connection, user_id: str, chat_id: str) -> Totals:
    """The segments of a chat in numbers."""
    row = tx.one(
        """
        SELECT count(*), CAST(COALESCE(sum(message_count), 0) AS BIGINT),
               CAST(COALESCE(sum(covered_tokens), 0) AS BIGINT), CAST(COALESCE(sum(tokens), 0) AS BIGINT)
        FROM summaries WHERE user_id = :user_id AND chat_id = :chat_id
        """,
        {"user_id": user_id, "chat_id": chat_id},
    )
    assert row is not None
    return Totals(count=row[0], message_count=row[1], covered_tokens=row[2], tokens=row[3])


def _from_row(row: Row) -> Summary:
    return Summary(
        user_id=row[0],
        summary_id=row[1],
        chat_id=row[2],
        summary=row[3],
        message_count=row[4],
        start_message_id=row[5],
        end_message_id=row[6],
        start_position=row[7],
        end_position=row[8],
        importance_score=row[9],
        tokens=row[10],
        covered_tokens=row[11],
        created_at=stored(row[12]),
    )
