"""The todos table."""

import json

from recollect.domain.moment import iso, stored
from recollect.domain.todo import Todo, TodoKind, TodoStatus
from recollect.store.database import Connection


def insert(tx: Connection, todo: Todo) -> bool:
    """A new todo; False when its id is known."""
    return (
        tx.run(
            """
            INSERT INTO todos (user_id, todo_id, persona_id, kind, text, due_at, status, source_message_ids,
                               created_at, updated_at)
            VALUES (:user_id, :todo_id, :persona_id, :kind, :text, :due_at, :status, :sources, :created_at, :updated_at)
            ON CONFLICT (user_id, todo_id) DO NOTHING
            """,
            {
                "user_id": todo.user_id,
                "todo_id": todo.todo_id,
                "persona_id": todo.persona_id,
                "kind": todo.kind.value,
                "text": todo.text,
                "due_at": iso(todo.due_at) if todo.due_at else None,
                "status": todo.status.value,
                "sources": json.dumps(list(todo.source_message_ids), ensure_ascii=False),
                "created_at": iso(todo.created_at),
                "updated_at": iso(todo.updated_at),
            },
        )
        > 0
    )


def of_user(tx: Connection, user_id: str) -> list[Todo]:
    """Every todo of a user, oldest first."""
    rows = tx.all(
        """
        SELECT todo_id, persona_id, kind, text, due_at, status, source_message_ids, created_at, updated_at
        FROM todos WHERE user_id = :user_id ORDER BY created_at, todo_id
        """,
        {"user_id": user_id},
    )
    return [
        Todo(
            user_id=user_id,
            todo_id=row[0],
            persona_id=row[1],
            kind=TodoKind(row[2]),
            text=row[3],
            due_at=stored(row[4]) if row[4] else None,
            status=TodoStatus(row[5]),
            source_message_ids=tuple(json.loads(row[6])),
            created_at=stored(row[7]),
            updated_at=stored(row[8]),
        )
        for row in rows
    ]
