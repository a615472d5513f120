"""Track: add, change, complete and drop todos, the open items between a user and a persona (S4)."""

from collections.abc import Mapping
from typing import Any

from recollect.engine.parts import Parts
from recollect.errors import InvalidInput, NotFound
from recollect.records.todo import Todo, edited, new_todo, todo_edit
from recollect.store import todos
from recollect.store.database import Connection


async def add(parts: Parts, user_id: str, **given: Any) -> Todo:
    """Add a todo."""
    now = parts.now()
    todo = new_todo(user_id=user_id, todo_id=parts.new_id(now), now=now, **given)
    await parts.database.write(user_id, lambda tx: todos.insert(tx, todo))
    return todo


async def change(parts: Parts, user_id: str, todo_id: str, values: Mapping[str, Any]) -> Todo:
    """Change a todo; a `due_at` of None removes its date."""
    if not isinstance(values, Mapping):
        raise InvalidInput("changes must be an object with text, kind, status or due_at.", field="changes")
    if not values:
        raise InvalidInput("Nothing to change: give text, kind, status or due_at.")
    edit = todo_edit(values)

    def work(tx: Connection) -> Todo:
        after = edited(found(tx, user_id, todo_id), edit, now=parts.now())
        todos.update(tx, after)
        return after

    return await parts.database.write(user_id, work)


def found(tx: Connection, user_id: str, todo_id: str) -> Todo:
    """One of this user's todos."""
    todo = todos.get(tx, user_id, todo_id)
    if todo is None:
        raise NotFound(f"There is no todo {todo_id!r}.", id=todo_id)
    return todo
