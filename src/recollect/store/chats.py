"""The chats table: threads with their counters.

Rows in, records out. Messages, briefs, summaries and pins are in their own tables. The counters are written as the engine
provides them; counting messages at each recording was rejected, because recording would slow down as a chat grows.
"""

from collections.abc import Sequence
from datetime import datetime

from recollect.records.chat import MAX_TITLE, ChatRecord
from recollect.records.moment import iso, stored
from recollect.store.database import Connection, Row
from recollect.store.id_lists import id_lists

_COLUMNS = (
    "user_id", "chat_id", "persona_id", "title", "created_at", "last_message_at", "message_count", "last_position",
    "revision", "folded_position", "refold_position", "unfolded_messages", "unfolded_tokens",
    "judged_position",
)  # fmt: skip
_INSERT = f"INSERT INTO chats ({', '.join(_COLUMNS)}) VALUES ({', '.join(':' + name for name in _COLUMNS)})"
_MUTABLE = tuple(name for name in _COLUMNS if name not in ("user_id", "chat_id", "created_at"))
_UPDATE = (
    f"UPDATE chats SET {', '.join(f'{name} = :{name}' for name in _MUTABLE)}"
    " WHERE user_id = :user_id AND chat_id = :chat_id"
)
#: As in the index: a chat without a message was last active when it was made.
_ACTIVE = "COALESCE(c.last_message_at, c.created_at)"


def get(tx: Connection, user_id: str, chat_id: str) -> ChatRecord | None:
    """One chat of this user."""
    row = tx.one(
        f"SELECT {', '.join(_COLUMNS)} FROM chats WHERE user_id = :user_id AND chat_id = :chat_id",
        {"user_id": user_id, "chat_id": chat_id},
    )
    return _from_row(row) if row else None


def personas(tx: Connection, user_id: str, chat_ids: Sequence[str]) -> dict[str, str | None]:
    """The personas of these chats; None for no persona."""
    found: dict[str, str | None] = {}
    for marks, ids in id_lists(chat_ids):
        rows = tx.all(
            f"SELECT chat_id, persona_id FROM chats WHERE user_id = :user_id AND chat_id IN ({marks})",
            {"user_id": user_id, **ids},
        )
        found.update(rows)  # type: ignore[arg-type]
    return found


def ensure(tx: Connection, user_id: str, chat_id: str, persona_id: str | None, now: datetime) -> ChatRecord:
    """The chat with this id, created if missing; an existing one keeps its persona."""
    known = get(tx, user_id, chat_id)
    if known is not None:
        return known
    made = ChatRecord(user_id=user_id, chat_id=chat_id, persona_id=persona_id, created_at=now)
    tx.run(_INSERT, _to_row(made))
    return made


def save(tx: Connection, chat: ChatRecord) -> bool:
    """Save a chat; False if it no longer exists."""
    return tx.run(_UPDATE, _to_row(chat)) > 0


def page(
    tx: Connection,
    user_id: str,
    *,
    chat_id: str | None = None,
    persona_id: str | None = None,
    limit: int,
    before: tuple[str, str] | None = None,
) -> list[tuple[ChatRecord, str]]:
    """Last active first, each with the beginning of the user's first message; a chat or persona of None means any.

    `before` is where the page before ended: the last activity of its last chat, as stored, and that chat's id.
    """
    conditions = ["c.user_id = :user_id"]
    params: dict[str, object] = {"user_id": user_id, "limit": limit}
    if chat_id is not None:
        conditions.append("c.chat_id = :named")
        params["named"] = chat_id
    if persona_id is not None:
        conditions.append("c.persona_id = :persona_id")
        params["persona_id"] = persona_id
    if before is not None:
        conditions.append(f"{_ACTIVE} <= :at AND ({_ACTIVE} < :at OR c.chat_id < :chat_id)")
        params["at"], params["chat_id"] = before
    columns = ", ".join(f"c.{name}" for name in _COLUMNS)
    rows = tx.all(
        f"""
        SELECT {columns}, (
            SELECT substr(m.text, 1, {MAX_TITLE}) FROM messages m
            WHERE m.user_id = c.user_id AND m.chat_id = c.chat_id AND m.role = 'user' ORDER BY m.position LIMIT 1
        ) FROM chats c WHERE {" AND ".join(conditions)} ORDER BY {_ACTIVE} DESC, c.chat_id DESC LIMIT :limit
        """,
        params,
    )
    return [(_from_row(row), row[-1] or "") for row in rows]


def ids(tx: Connection, user_id: str) -> list[str]:
    """A user's chats, least recently active first."""
    rows = tx.all(
        f"SELECT c.chat_id FROM chats c WHERE c.user_id = :user_id ORDER BY {_ACTIVE}, c.chat_id",
        {"user_id": user_id},
    )
    return [row[0] for row in rows]


def totals(tx: Connection, user_id: str) -> tuple[int, int]:
    """How many chats a user has, and how many messages in all of them."""
    row = tx.one(
        "SELECT count(*), COALESCE(sum(message_count), 0) FROM chats WHERE user_id = :user_id",
        {"user_id": user_id},
    )
    return (int(row[0]), int(row[1])) if row else (0, 0)


def totals_of_everyone(tx: Connection) -> tuple[int, int]:
    """Like `totals`, for all users; requires the scope of everyone."""
    row = tx.one("SELECT count(*), COALESCE(sum(message_count), 0) FROM chats")
    return (int(row[0]), int(row[1])) if row else (0, 0)


def delete(tx: Connection, user_id: str, chat_id: str) -> bool:
    """Delete the chat's row only; other tables delete its contents."""
    return (
        tx.run(
            "DELETE FROM chats WHERE user_id = :user_id AND chat_id = :chat_id",
            {"user_id": user_id, "chat_id": chat_id},
        )
        > 0
    )


def _to_row(chat: ChatRecord) -> dict[str, object]:
    return {
        "user_id": chat.user_id,
        "chat_id": chat.chat_id,
        "persona_id": chat.persona_id,
        "title": chat.title,
        "created_at": iso(chat.created_at),
        "last_message_at": iso(chat.last_message_at) if chat.last_message_at else None,
        "message_count": chat.message_count,
        "last_position": chat.last_position,
        "revision": chat.revision,
        "folded_position": chat.folded_position,
        "refold_position": chat.refold_position,
        "unfolded_messages": chat.unfolded_messages,
        "unfolded_tokens": chat.unfolded_tokens,
        "judged_position": chat.judged_position,
    }


def _from_row(row: Row) -> ChatRecord:
    return ChatRecord(
        user_id=row[0],
        chat_id=row[1],
        persona_id=row[2],
        title=row[3],
        created_at=stored(row[4]),
        last_message_at=stored(row[5]) if row[5] else None,
        message_count=row[6],
        last_position=row[7],
        revision=row[8],
        folded_position=row[9],
        refold_position=row[10],
        unfolded_messages=row[11],
        unfolded_tokens=row[12],
        judged_position=row[13],
    )
