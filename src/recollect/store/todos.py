"""The todos table: open items between a user and a persona.

Rows in, records out. It does not know what makes a todo. A todo without a persona is shared by all of them, as a memory
is; so a persona's todos are its own and the shared ones. A user's todos are few: they need no index but the key.
"""

import json
from dataclasses import dataclass
from datetime import datetime

from recollect.records.moment import iso, stored
from recollect.records.todo import Todo, TodoKind, TodoStatus
from recollect.store.database import Connection, Row

_COLUMNS = (
    "user_id", "todo_id", "persona_id", "kind", "text", "due_at", "status", "source_message_ids", "created_at",
    "updated_at",
)  # fmt: skip
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM todos WHERE user_id = :user_id"
_INSERT = f"INSERT INTO todos ({', '.join(_COLUMNS)}) VALUES ({', '.join(':' + name for name in _COLUMNS)})"
_MUTABLE = tuple(name for name in _COLUMNS if name not in ("user_id", "todo_id", "created_at"))
_UPDATE = (
    f"UPDATE todos SET {', '.join(f'{name} = :{name}' for name in _MUTABLE)}"
    " WHERE user_id = :user_id AND todo_id = :todo_id"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which todos of a user are wanted; None means any."""

    #: Its own and the shared ones.
    persona_id: str | None = None
    status: TodoStatus | None = None
    kind: TodoKind | None = None
    #: Due earlier than this; what has no date is not due.
    due_before: datetime | None = None


def insert(tx: Connection, todo: Todo) -> bool:
    """A new todo; False when its id is known."""
    return tx.run(f"{_INSERT} ON CONFLICT (user_id, todo_id) DO NOTHING", _to_row(todo)) > 0


def get(tx: Connection, user_id: str, todo_id: str) -> Todo | None:
    """One todo of this user."""
    row = tx.one(f"{_SELECT} AND todo_id = :todo_id", {"user_id": user_id, "todo_id": todo_id})
    return _from_row(row) if row else None


def of_user(tx: Connection, user_id: str) -> list[Todo]:
    """Every todo of a user, oldest first."""
    rows = tx.all(f"{_SELECT} ORDER BY created_at, todo_id", {"user_id": user_id})
    return [_from_row(row) for row in rows]


def page(
    tx: Connection, user_id: str, wanted: Filter, *, limit: int, before: tuple[str, str] | None = None
) -> list[Todo]:
    """Newest first; `before` is the creation of the last todo of the page before, as stored, and its id."""
    query, params = _SELECT, dict[str, object](user_id=user_id, limit=limit)
    if wanted.persona_id is not None:
        query += " AND (persona_id IS NULL OR persona_id = :persona_id)"
        params["persona_id"] = wanted.persona_id
    if wanted.status is not None:
        query, params["status"] = f"{query} AND status = :status", wanted.status.value
    if wanted.kind is not None:
        query, params["kind"] = f"{query} AND kind = :kind", wanted.kind.value
    if wanted.due_before is not None:
        query, params["due_before"] = f"{query} AND due_at < :due_before", iso(wanted.due_before)
    if before is not None:
        query += " AND created_at <= :created_at AND (created_at < :created_at OR todo_id < :todo_id)"
        params["created_at"], params["todo_id"] = before
    rows = tx.all(f"{query} ORDER BY created_at DESC, todo_id DESC LIMIT :limit", params)
    return [_from_row(row) for row in rows]


def open_of(tx: Connection, user_id: str, persona_id: str | None, limit: int) -> list[Todo]:
    """What is open with a persona, its own and the shared ones: what is due first, then the newest."""
    rows = tx.all(
        f"{_SELECT} AND status = 'open' AND (persona_id IS NULL OR persona_id = :persona_id)"
        " ORDER BY CASE WHEN due_at IS NULL THEN 1 ELSE 0 END, due_at, created_at DESC, todo_id DESC LIMIT :limit",
        {"user_id": user_id, "persona_id": persona_id, "limit": limit},
    )
    return [_from_row(row) for row in rows]


def update(tx: Connection, todo: Todo) -> bool:
    """A todo as it is now; False when it is gone."""
    return tx.run(_UPDATE, _to_row(todo)) > 0


def delete(tx: Connection, user_id: str, todo_id: str) -> bool:
    """One todo."""
    return (
        tx.run(
            "DELETE FROM todos WHERE user_id = :user_id AND todo_id = :todo_id",
            {"user_id": user_id, "todo_id": todo_id},
        )
        > 0
    )


def _to_row(todo: Todo) -> dict[str, object]:
    return {
        "user_id": todo.user_id,
        "todo_id": todo.todo_id,
        "persona_id": todo.persona_id,
        "kind": todo.kind.value,
        "text": todo.text,
        "due_at": iso(todo.due_at) if todo.due_at else None,
        "status": todo.status.value,
        "source_message_ids": json.dumps(list(todo.source_message_ids), ensure_ascii=False),
        "created_at": iso(todo.created_at),
        "updated_at": iso(todo.updated_at),
    }


def _from_row(row: Row) -> Todo:
    return Todo(
        user_id=row[0],
        todo_id=row[1],
        persona_id=row[2],
        kind=TodoKind(row[3]),
        text=row[4],
        due_at=stored(row[5]) if row[5] else None,
        status=TodoStatus(row[6]),
        source_message_ids=tuple(json.loads(row[7])),
        created_at=stored(row[8]),
        updated_at=stored(row[9]),
    )
