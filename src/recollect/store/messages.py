"""The messages table: what was said, verbatim, in the order of its chat.

Rows in, records out. It does not know turns, folds or sessions beyond their ids. Reading always goes by position, within
one chat, or by session, across chats; an index by time was rejected, because each message would pay for it when it is
recorded and sessions already divide time.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.domain.message import Message, Role
from recollect.domain.moment import iso, stored
from recollect.store.database import Connection, Row
from recollect.store.sessions import with_persona

_COLUMNS = (
    "user_id", "message_id", "chat_id", "position", "role", "text", "model_id", "model_variant", "token_usage", "tokens",
    "importance_score", "session_id", "created_at",
)  # fmt: skip
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM messages"
_OF_CHAT = f"{_SELECT} WHERE user_id = :user_id AND chat_id = :chat_id"
_INSERT = (
    f"INSERT INTO messages ({', '.join(_COLUMNS)}) VALUES ({', '.join(':' + name for name in _COLUMNS)})"
)
_MUTABLE = tuple(name for name in _COLUMNS if name not in ("user_id", "message_id", "chat_id", "position"))
_UPDATE = (
    f"UPDATE messages SET {', '.join(f'{name} = :{name}' for name in _MUTABLE)}"
    " WHERE user_id = :user_id AND message_id = :message_id"
)
#: Ids in one statement; SQLite takes up to 32,766 parameters, PostgreSQL 65,535.
_CHUNK = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """A chat in numbers."""

    count: int = 0
    tokens: int = 0
    oldest: datetime | None = None
    newest: datetime | None = None
    average_importance: float = 0.0


def insert_many(tx: Connection, messages: Sequence[Message]) -> None:
    """New messages; a position that is taken is refused by the database."""
    if messages:
        tx.many(_INSERT, [_to_row(message) for message in messages])


def get(tx: Connection, user_id: str, message_id: str) -> Message | None:
    """One message of this user."""
    row = tx.one(
        f"{_SELECT} WHERE user_id = :user_id AND message_id = :message_id",
        {"user_id": user_id, "message_id": message_id},
    )
    return _from_row(row) if row else None


def get_many(tx: Connection, user_id: str, message_ids: Sequence[str]) -> dict[str, Message]:
    """Those of the ids that are this user's."""
    found: dict[str, Message] = {}
    for start in range(0, len(message_ids), _CHUNK):
        ids = {f"id{number}": one for number, one in enumerate(message_ids[start : start + _CHUNK])}
        marks = ", ".join(f":{name}" for name in ids)
        rows = tx.all(
            f"{_SELECT} WHERE user_id = :user_id AND message_id IN ({marks})", {"user_id": user_id, **ids}
        )
        found.update((row[1], _from_row(row)) for row in rows)
    return found


def unchanged(tx: Connection, messages: Sequence[Message]) -> bool:
    """Whether these messages of one user are all there still, in the same words."""
    if not messages:
        return True
    known = get_many(tx, messages[0].user_id, [message.message_id for message in messages])
    return all(known.get(message.message_id) == message for message in messages)


def after(
    tx: Connection, user_id: str, chat_id: str, position: int, limit: int | None = None
) -> list[Message]:
    """What follows a position, in order: all of it, or the first few."""
    params: dict[str, object] = {"user_id": user_id, "chat_id": chat_id, "position": position}
    query = f"{_OF_CHAT} AND position > :position ORDER BY position"
    if limit is not None:
        query, params["limit"] = f"{query} LIMIT :limit", limit
    return [_from_row(row) for row in tx.all(query, params)]


def latest(
    tx: Connection, user_id: str, chat_id: str, limit: int, before_position: int | None = None
) -> list[Message]:
    """The newest few, or the newest before a position; in order."""
    params: dict[str, object] = {"user_id": user_id, "chat_id": chat_id, "limit": limit}
    query = _OF_CHAT
    if before_position is not None:
        query, params["position"] = f"{query} AND position < :position", before_position
    rows = tx.all(f"{query} ORDER BY position DESC LIMIT :limit", params)
    return [_from_row(row) for row in reversed(rows)]


def opening(tx: Connection, user_id: str, chat_id: str, before_position: int) -> Message | None:
    """What the user said last before a position: what opened the turn that is there."""
    row = tx.one(
        f"{_OF_CHAT} AND position < :position AND role = 'user' ORDER BY position DESC LIMIT 1",
        {"user_id": user_id, "chat_id": chat_id, "position": before_position},
    )
    return _from_row(row) if row else None


def between(tx: Connection, user_id: str, chat_id: str, start: int, end: int) -> list[Message]:
    """From one position to another, both included, in order."""
    rows = tx.all(
        f"{_OF_CHAT} AND position BETWEEN :start AND :end ORDER BY position",
        {"user_id": user_id, "chat_id": chat_id, "start": start, "end": end},
    )
    return [_from_row(row) for row in rows]


def around(tx: Connection, user_id: str, chat_id: str, position: int, n: int) -> list[Message]:
    """The message at a position with up to `n` on each side; deleted ones are not counted."""
    earlier = latest(tx, user_id, chat_id, n, before_position=position)
    here = between(tx, user_id, chat_id, position, position)
    return earlier + here + after(tx, user_id, chat_id, position, n)


def important(
    tx: Connection,
    user_id: str,
    chat_id: str,
    *,
    minimum: float,
    after_position: int = 0,
    until_position: int,
    limit: int,
) -> list[Message]:
    """The newest important messages between positions, newest first; below 8 none is found, whatever the minimum.

    The 8 is spelled out because only then may the partial index serve.
    """
    rows = tx.all(
        f"{_OF_CHAT} AND importance_score >= 8 AND importance_score >= :minimum"
        " AND position > :after AND position <= :until ORDER BY position DESC LIMIT :limit",
        {
            "user_id": user_id,
            "chat_id": chat_id,
            "minimum": minimum,
            "after": after_position,
            "until": until_position,
            "limit": limit,
        },
    )
    return [_from_row(row) for row in rows]


def of_session(tx: Connection, user_id: str, session_id: str) -> list[Message]:
    """Everything said in one session, in whichever chats, in time order."""
    rows = tx.all(
        f"{_SELECT} WHERE user_id = :user_id AND session_id = :session_id ORDER BY created_at, chat_id, position",
        {"user_id": user_id, "session_id": session_id},
    )
    return [_from_row(row) for row in rows]


def of_persona_since(
    tx: Connection, user_id: str, persona_id: str | None, after: datetime, limit: int
) -> list[Message]:
    """What was said with a persona after a moment, in whichever chats: the newest few, in time order.

    Sessions of one persona never overlap, so only the one that had begun at that moment, and later ones, can hold it.
    """
    columns = ", ".join(f"m.{name}" for name in _COLUMNS)
    begun = f"FROM sessions s WHERE s.user_id = :user_id AND {with_persona(persona_id)}"
    rows = tx.all(
        f"""
        SELECT {columns} FROM (
            SELECT s.session_id {begun} AND s.started_at >= COALESCE(
                (SELECT max(s.started_at) {begun} AND s.started_at <= :after), '')
        ) s JOIN messages m ON m.user_id = :user_id AND m.session_id = s.session_id AND m.created_at > :after
        ORDER BY m.created_at DESC, m.chat_id DESC, m.position DESC LIMIT :limit
        """,
        {"user_id": user_id, "persona_id": persona_id, "after": iso(after), "limit": limit},
    )
    return [_from_row(row) for row in reversed(rows)]


def of_user_since(tx: Connection, user_id: str, after: datetime | None, limit: int) -> list[Message]:
    """The newest few of the user's own messages after a moment, in whichever chats, in order.

    Ids begin with the time in milliseconds, so the primary key finds them.
    """
    since = f"{int(after.timestamp() * 1000) + 1:013d}" if after else ""
    rows = tx.all(
        f"{_SELECT} WHERE user_id = :user_id AND message_id >= :since AND role = 'user' ORDER BY message_id DESC LIMIT :limit",
        {"user_id": user_id, "since": since, "limit": limit},
    )
    return [_from_row(row) for row in reversed(rows)]


def last_user(tx: Connection, user_id: str, persona_id: str | None) -> Message | None:
    """The last thing that the user said to a persona.

    A cross join in name only: with it, and with the time at which a session begins, SQLite goes through sessions and not
    through every message of the user.
    """
    columns = ", ".join(f"m.{name}" for name in _COLUMNS)
    row = tx.one(
        f"""
        SELECT {columns} FROM sessions s CROSS JOIN messages m
        WHERE s.user_id = :user_id AND {with_persona(persona_id)}
          AND m.user_id = :user_id AND m.session_id = s.session_id AND m.created_at >= s.started_at AND m.role = 'user'
        ORDER BY s.started_at DESC, m.created_at DESC, m.chat_id DESC, m.position DESC LIMIT 1
        """,
        {"user_id": user_id, "persona_id": persona_id},
    )
    return _from_row(row) if row else None


def update(tx: Connection, message: Message) -> bool:
    """A message as it is now; its place never changes. False when it is gone."""
    return tx.run(_UPDATE, _to_row(message)) > 0


def delete(tx: Connection, user_id: str, message_id: str) -> bool:
    """One message; its position stays empty."""
    return (
        tx.run(
            "DELETE FROM messages WHERE user_id = :user_id AND message_id = :message_id",
            {"user_id": user_id, "message_id": message_id},
        )
        > 0
    )


def delete_all(tx: Connection, user_id: str, chat_id: str) -> int:
    """Everything that was said in a chat; how many."""
    return tx.run(
        "DELETE FROM messages WHERE user_id = :user_id AND chat_id = :chat_id",
        {"user_id": user_id, "chat_id": chat_id},
    )


def figures(tx: Connection, user_id: str, chat_id: str) -> Figures:
    """A chat in numbers; reads it whole."""
    row = tx.one(
        """
        SELECT count(*), CAST(sum(tokens) AS BIGINT), min(created_at), max(created_at), avg(importance_score)
        FROM messages WHERE user_id = :user_id AND chat_id = :chat_id
        """,
        {"user_id": user_id, "chat_id": chat_id},
    )
    assert row is not None
    if not row[0]:
        return Figures()
    return Figures(
        count=row[0],
        tokens=row[1],
        oldest=stored(row[2]),
        newest=stored(row[3]),
        average_importance=row[4],
    )


def unfolded(tx: Connection, user_id: str, chat_id: str, position: int) -> tuple[int, int]:
    """How many messages follow a position, and their tokens."""
    row = tx.one(
        "SELECT count(*), CAST(COALESCE(sum(tokens), 0) AS BIGINT) FROM messages"
        " WHERE user_id = :user_id AND chat_id = :chat_id AND position > :position",
        {"user_id": user_id, "chat_id": chat_id, "position": position},
    )
    assert row is not None
    return row[0], row[1]


def _to_row(message: Message) -> dict[str, object]:
    return {
        "user_id": message.user_id,
        "message_id": message.message_id,
        "chat_id": message.chat_id,
        "position": message.position,
        "role": message.role.value,
        "text": message.text,
        "model_id": message.model_id,
        "model_variant": message.model_variant,
        "token_usage": message.token_usage,
        "tokens": message.tokens,
        "importance_score": message.importance_score,
        "session_id": message.session_id,
        "created_at": iso(message.created_at),
    }


def _from_row(row: Row) -> Message:
    return Message(
        user_id=row[0],
        message_id=row[1],
        chat_id=row[2],
        position=row[3],
        role=Role(row[4]),
        text=row[5],
        model_id=row[6],
        model_variant=row[7],
        token_usage=row[8],
        tokens=row[9],
        importance_score=row[10],
        session_id=row[11],
        created_at=stored(row[12]),
    )
