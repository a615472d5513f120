"""The pins table: facts that appear in every context of their chat.

Rows in, records out. This module does not know how pins are derived or how many fit into a context. A persona's pins are
found through its chats; a persona column was rejected, because it would duplicate the chat's.
"""

from collections.abc import Sequence

from recollect.records.moment import iso, stored
from recollect.records.pin import Pin, PinType
from recollect.store.database import Connection, Row

_COLUMNS = (
    "user_id", "pin_id", "chat_id", "content", "source_message_id", "importance_score", "pin_type", "derived", "tokens",
    "created_at",
)  # fmt: skip
_SELECT = f"SELECT {', '.join('p.' + name for name in _COLUMNS)} FROM pins p"
_INSERT = f"INSERT INTO pins ({', '.join(_COLUMNS)}) VALUES ({', '.join(':' + name for name in _COLUMNS)})"
_MUTABLE = tuple(name for name in _COLUMNS if name not in ("user_id", "pin_id", "created_at"))
_UPDATE = (
    f"UPDATE pins SET {', '.join(f'{name} = :{name}' for name in _MUTABLE)}"
    " WHERE user_id = :user_id AND pin_id = :pin_id"
)
_ORDER = "ORDER BY p.importance_score DESC, p.created_at, p.pin_id"


def get(tx: Connection, user_id: str, pin_id: str) -> Pin | None:
    """One pin of this user."""
    row = tx.one(
        f"{_SELECT} WHERE p.user_id = :user_id AND p.pin_id = :pin_id",
        {"user_id": user_id, "pin_id": pin_id},
    )
    return _from_row(row) if row else None


def of_chat(tx: Connection, user_id: str, chat_id: str) -> list[Pin]:
    """The pins of a chat, most important first, then oldest first."""
    rows = tx.all(
        f"{_SELECT} WHERE p.user_id = :user_id AND p.chat_id = :chat_id {_ORDER}",
        {"user_id": user_id, "chat_id": chat_id},
    )
    return [_from_row(row) for row in rows]


def critical_of_persona(
    tx: Connection, user_id: str, persona_id: str | None, minimum: float, limit: int
) -> list[Pin]:
    """The important pins of all chats with a persona, most important first; below 8 none is found.

    The 8 is spelled out because only then may the partial index serve, and the join is a cross join in name only: so
    SQLite goes through the important pins and not through the chats.
    """
    params: dict[str, object] = {"user_id": user_id, "minimum": minimum, "limit": limit}
    if persona_id is not None:
        params["persona_id"] = persona_id
    rows = tx.all(
        f"{_SELECT} CROSS JOIN chats c"
        " WHERE p.user_id = :user_id AND p.importance_score >= 8 AND p.importance_score >= :minimum"
        " AND c.user_id = :user_id AND c.chat_id = p.chat_id"
        f" AND c.persona_id {'IS NULL' if persona_id is None else '= :persona_id'} {_ORDER} LIMIT :limit",
        params,
    )
    return [_from_row(row) for row in rows]


def count(tx: Connection, user_id: str, chat_id: str) -> int:
    """How many pins a chat has."""
    row = tx.one(
        "SELECT count(*) FROM pins WHERE user_id = :user_id AND chat_id = :chat_id",
        {"user_id": user_id, "chat_id": chat_id},
    )
    return row[0] if row else 0


def derived_of_chat(tx: Connection, user_id: str, chat_id: str) -> list[Pin]:
    """What rules made of a chat's messages, most important first."""
    rows = tx.all(
        f"{_SELECT} WHERE p.user_id = :user_id AND p.chat_id = :chat_id AND p.derived = 1 {_ORDER}",
        {"user_id": user_id, "chat_id": chat_id},
    )
    return [_from_row(row) for row in rows]


def derived_of_user(tx: Connection, user_id: str) -> list[Pin]:
    """What rules made of the messages of all chats, most important first."""
    rows = tx.all(f"{_SELECT} WHERE p.user_id = :user_id AND p.derived = 1 {_ORDER}", {"user_id": user_id})
    return [_from_row(row) for row in rows]


def contents_by_hand(tx: Connection, user_id: str, chat_id: str) -> list[str]:
    """What a chat's other pins say, most important first."""
    rows = tx.all(
        f"SELECT p.content FROM pins p WHERE p.user_id = :user_id AND p.chat_id = :chat_id AND p.derived = 0 {_ORDER}",
        {"user_id": user_id, "chat_id": chat_id},
    )
    return [row[0] for row in rows]


def derived_of_message(tx: Connection, user_id: str, message_id: str) -> list[Pin]:
    """What a rule made of a message: the pins that change with it."""
    rows = tx.all(
        f"{_SELECT} WHERE p.user_id = :user_id AND p.source_message_id = :message_id AND p.derived = 1 {_ORDER}",
        {"user_id": user_id, "message_id": message_id},
    )
    return [_from_row(row) for row in rows]


def insert_many(tx: Connection, pins: Sequence[Pin]) -> None:
    """New pins."""
    if pins:
        tx.many(_INSERT, [_to_row(pin) for pin in pins])


def update(tx: Connection, pin: Pin) -> bool:
    """A pin as it is now, in whichever chat. False when it is gone."""
    return tx.run(_UPDATE, _to_row(pin)) > 0


def delete(tx: Connection, user_id: str, pin_id: str) -> bool:
    """One pin."""
    return (
        tx.run(
            "DELETE FROM pins WHERE user_id = :user_id AND pin_id = :pin_id",
            {"user_id": user_id, "pin_id": pin_id},
        )
        > 0
    )


def delete_many(tx: Connection, pins: Sequence[Pin]) -> None:
    """These pins, wherever they are."""
    if pins:
        tx.many(
            "DELETE FROM pins WHERE user_id = :user_id AND pin_id = :pin_id",
            [{"user_id": pin.user_id, "pin_id": pin.pin_id} for pin in pins],
        )


def forget_source(tx: Connection, user_id: str, message_id: str) -> int:
    """Pins no longer name a message that is gone; how many did."""
    return tx.run(
        "UPDATE pins SET source_message_id = NULL WHERE user_id = :user_id AND source_message_id = :message_id",
        {"user_id": user_id, "message_id": message_id},
    )


def delete_all(tx: Connection, user_id: str, chat_id: str) -> int:
    """Every pin of a chat; how many."""
    return tx.run(
        "DELETE FROM pins WHERE user_id = :user_id AND chat_id = :chat_id",
        {"user_id": user_id, "chat_id": chat_id},
    )


def _to_row(pin: Pin) -> dict[str, object]:
    return {
        "user_id": pin.user_id,
        "pin_id": pin.pin_id,
        "chat_id": pin.chat_id,
        "content": pin.content,
        "source_message_id": pin.source_message_id,
        "importance_score": pin.importance_score,
        "pin_type": pin.pin_type.value,
        "derived": int(pin.derived),
        "tokens": pin.tokens,
        "created_at": iso(pin.created_at),
    }


def _from_row(row: Row) -> Pin:
    return Pin(
        user_id=row[0],
        pin_id=row[1],
        chat_id=row[2],
        content=row[3],
        source_message_id=row[4],
        importance_score=row[5],
        pin_type=PinType(row[6]),
        derived=bool(row[7]),
        tokens=row[8],
        created_at=stored(row[9]),
    )
