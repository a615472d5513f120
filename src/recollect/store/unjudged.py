"""Messages that the judge has not read: those after their chats' cursors.

Read-only queries over chats and messages; the cursor is a column of chats. A stored count per chat was rejected, because
edits and deletions would have to maintain it and it is rarely needed.
"""

from recollect.store.database import Connection


def waiting(tx: Connection, user_id: str, chat_id: str, position: int, limit: int) -> tuple[int, int]:
    """How many messages follow a position, and their tokens; no more than so many are looked at."""
    row = tx.one(
        "SELECT count(*), CAST(COALESCE(sum(tokens), 0) AS BIGINT) FROM ("
        "SELECT tokens FROM messages WHERE user_id = :user_id AND chat_id = :chat_id AND position > :position"
        " ORDER BY position LIMIT :limit) waiting",
        {"user_id": user_id, "chat_id": chat_id, "position": position, "limit": limit},
    )
    assert row is not None
    return row[0], row[1]


def count(tx: Connection, user_id: str) -> int:
    """How many of a user's own messages wait, in all chats."""
    row = tx.one(
        "SELECT count(*) FROM chats c JOIN messages m ON m.user_id = c.user_id AND m.chat_id = c.chat_id"
        " AND m.position > c.judged_position AND m.role = 'user'"
        " WHERE c.user_id = :user_id AND c.judged_position < c.last_position",
        {"user_id": user_id},
    )
    return row[0] if row else 0


def chat_ids(tx: Connection, user_id: str) -> list[str]:
    """The chats with unread messages, the one that was quiet for longest first."""
    rows = tx.all(
        "SELECT chat_id FROM chats WHERE user_id = :user_id AND judged_position < last_position"
        " ORDER BY COALESCE(last_message_at, created_at), chat_id",
        {"user_id": user_id},
    )
    return [row[0] for row in rows]
