"""The messages table: verbatim messages in the order of their chat.

Rows in, records out. Turns, folds and sessions appear only as ids. Reads use the position within a chat, or the session
across chats; an index by time was rejected, because it would slow down each recording and sessions already divide time.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.records.message import Message, Role
from recollect.records.moment import iso, stored
from recollect.store import message_entries, message_vectors, users
from recollect.store.database import Connection, Row
from recollect.store.id_lists import id_lists
from recollect.store.sessions import with_persona

_COLUMNS = (
    "user_id", "message_id", "chat_id", "position", "role", "text", "model_id", "model_variant", "token_usage", "tokens",
    "importance_score", "session_id", "created_at", "name",
)  # fmt: skip
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM messages"
_OF_CHAT = f"{_SELECT} WHERE user_id = :user_id AND chat_id = :chat_id"
_INSERT = (
    f"INSERT INTO messages ({', '.join(_COLUMNS)}, revision)"
    f" VALUES ({', '.join(':' + name for name in _COLUMNS)}, :revision)"
)
_MUTABLE = tuple(name for name in _COLUMNS if name not in ("user_id", "message_id", "chat_id", "position"))
_UPDATE = (
    f"UPDATE messages SET {', '.join(f'{name} = :{name}' for name in _MUTABLE)}, revision = :revision"
    " WHERE user_id = :user_id AND message_id = :message_id"
)
#: As stored: looking a role up takes a fifth of the time of making one, and a context reads some eighty messages.
_ROLES = {role.value: role for role in Role}
#: Rows read at a time where all of a user's messages may be read.
_PORTION = 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """A chat in numbers."""

    count: int = 0
    tokens: int = 0
    oldest: datetime | None = None
    newest: datetime | None = None
    average_importance: float = 0.0


def insert_many(tx: Connection, messages: Sequence[Message], first_revision: int) -> None:
    """New messages, with revisions from the first on; a position that is taken is refused by the database."""
    if messages:
        tx.many(_INSERT, [_to_row(message, first_revision + at) for at, message in enumerate(messages)])


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
    for marks, ids in id_lists(message_ids):
        rows = tx.all(
            f"{_SELECT} WHERE user_id = :user_id AND message_id IN ({marks})", {"user_id": user_id, **ids}
        )
        found.update((row[1], _from_row(row)) for row in rows)
    return found


def unindexed(tx: Connection, user_id: str, indexed_revision: int, limit: int) -> list[tuple[Message, int]]:
    """The first few messages after a revision, in the order of theirs, each with its own."""
    rows = tx.all(
        f"SELECT {', '.join(_COLUMNS)}, revision FROM messages WHERE user_id = :user_id AND revision > :revision"
        " ORDER BY revision LIMIT :limit",
        {"user_id": user_id, "revision": indexed_revision, "limit": limit},
    )
    return [(_from_row(row), row[-1]) for row in rows]


def said_since(tx: Connection, user_id: str, revision: int) -> Iterator[list[Row]]:
    """What came or changed after a revision, in portions: columns as in `message_entries.READ`, with the text for words."""
    return tx.batches(
        "SELECT message_id, chat_id, position, role, name, session_id, created_at, text, revision FROM messages"
        " WHERE user_id = :user_id AND revision > :revision ORDER BY revision",
        {"user_id": user_id, "revision": revision},
        _PORTION,
    )


def revisions(tx: Connection, user_id: str, message_ids: Sequence[str]) -> dict[str, int]:
    """The revisions that these messages have now; those that are gone are missing."""
    found: dict[str, int] = {}
    for marks, ids in id_lists(message_ids):
        rows = tx.all(
            f"SELECT message_id, revision FROM messages WHERE user_id = :user_id AND message_id IN ({marks})",
            {"user_id": user_id, **ids},
        )
        found.update(rows)  # type: ignore[arg-type]
    return found


def count_unindexed(tx: Connection, user_id: str | None = None) -> int:
    """How many messages wait for their vectors: one user's, or in the scope of everyone all."""
    whose = " WHERE u.user_id = :user_id" if user_id is not None else ""
    row = tx.one(
        "SELECT count(*) FROM users u JOIN messages m ON m.user_id = u.user_id AND m.revision > u.indexed_revision"
        f"{whose}",
        {"user_id": user_id},
    )
    return row[0] if row else 0


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


def last_position(tx: Connection, user_id: str, chat_id: str) -> int:
    """The place of the last message that a chat has; 0 when it has none."""
    row = tx.one(
        "SELECT COALESCE(max(position), 0) FROM messages WHERE user_id = :user_id AND chat_id = :chat_id",
        {"user_id": user_id, "chat_id": chat_id},
    )
    return row[0] if row else 0


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
    """A message as it is now, with a new revision; its place never changes. False when it is gone.

    Its entry and vectors are those of the old words, so they go at once; the next indexing makes new ones.
    """
    revision = users.change_message(tx, message.user_id)
    message_entries.drop(tx, message.user_id, message.message_id)
    message_vectors.drop(tx, message.user_id, message.message_id)
    return tx.run(_UPDATE, _to_row(message, revision)) > 0


def delete(tx: Connection, user_id: str, message_id: str) -> bool:
    """One message with its entry and vectors; its position stays empty, and every index of messages starts anew."""
    message_entries.drop(tx, user_id, message_id)
    message_vectors.drop(tx, user_id, message_id)
    gone = tx.run(
        "DELETE FROM messages WHERE user_id = :user_id AND message_id = :message_id",
        {"user_id": user_id, "message_id": message_id},
    )
    if gone:
        users.start_message_epoch(tx, user_id)
    return gone > 0


def delete_all(tx: Connection, user_id: str, chat_id: str) -> int:
    """Everything that was said in a chat, with entries and vectors; how many messages."""
    message_entries.drop_chat(tx, user_id, chat_id)
    message_vectors.drop_chat(tx, user_id, chat_id)
    gone = tx.run(
        "DELETE FROM messages WHERE user_id = :user_id AND chat_id = :chat_id",
        {"user_id": user_id, "chat_id": chat_id},
    )
    if gone:
        users.start_message_epoch(tx, user_id)
    return gone


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


def speakers(tx: Connection, user_id: str, chat_id: str, limit: int) -> set[str | None]:
    """The names under which words of the user stand in a chat, a few of them; None: without a name."""
    rows = tx.all(
        "SELECT DISTINCT name FROM messages WHERE user_id = :user_id AND chat_id = :chat_id AND role = 'user' LIMIT :limit",
        {"user_id": user_id, "chat_id": chat_id, "limit": limit},
    )
    return {row[0] for row in rows}


def _to_row(message: Message, revision: int) -> dict[str, object]:
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
        "name": message.name,
        "revision": revision,
    }


def _from_row(row: Row) -> Message:
    return Message(
        user_id=row[0],
        message_id=row[1],
        chat_id=row[2],
        position=row[3],
        role=_ROLES[row[4]],
        text=row[5],
        model_id=row[6],
        model_variant=row[7],
        token_usage=row[8],
        tokens=row[9],
        importance_score=row[10],
        session_id=row[11],
        created_at=stored(row[12]),
        name=row[13],
    )
