"""Told todos: turn a judge's open items into todos, each once, in the caller's transaction.

Repeating an open todo updates it. A closed one stays closed for its source messages and for any sent before it was closed;
if it is mentioned again later, it becomes a new todo. Reading a message again does not change its todos, whatever a person
has done to them since. A deleted todo leaves no trace, so it returns if its message is read again. When the user reports
something as done, the earlier todo is closed (`language/done_deed.py`); if that message is edited, retracted or forgotten,
the todo is reopened. That message does not become a source of the todo, which is deleted only with its own sources.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.language.done_deed import ToldDeeds, deeds, fulfilled
from recollect.records.message import Message, Role
from recollect.records.todo import Todo, TodoStatus, said_again, same_todo, told_done, was_told_done
from recollect.rules.user_edits import Decided
from recollect.store import todos
from recollect.store.database import Connection


def save_told(tx: Connection, user_id: str, told: Sequence[Todo], decided: Decided, now: datetime) -> int:
    """Write the new todos from messages; return how many there are."""
    known = todos.of_user(tx, user_id) if told else []
    rewritten = [] if decided.edited else _rewritten(known, told, decided)
    added = 0
    for todo in told:
        twin = next((item for item in known if _is_twin(item, todo, decided)), None)
        if twin is None:
            twin = next((item for item in rewritten if _told_by(item, todo) and item.kind is todo.kind), None)
            if twin is not None:
                rewritten.remove(twin)
                continue
            todos.insert(tx, todo)
            known.append(todo)
            added += 1
        elif twin.status is TodoStatus.OPEN and (decided.edited or not _told_by(twin, todo)):
            again = said_again(twin, todo, now=now)
            todos.update(tx, again)
            known[known.index(twin)] = again
    return added


@dataclass(frozen=True, slots=True, kw_only=True)
class Settled:
    """How many todos were closed, and how many were reopened."""

    closed: int = 0
    reopened: int = 0


def settle(tx: Connection, user_id: str, persona_id: str | None, told: ToldDeeds, now: datetime) -> Settled:
    """Reopen todos no longer reported as done, then close those that are, among a persona's own and shared todos."""
    if not told.done and not told.undone:
        return Settled()
    before = {
        todo.todo_id: todo for todo in todos.of_user(tx, user_id) if todo.persona_id in (None, persona_id)
    }
    # As they were before they were reported as done: an edited message may report it again.
    after = before | {
        todo.todo_id: replace(todo, status=TodoStatus.OPEN, updated_at=todo.created_at)
        for todo in before.values()
        if any(was_told_done(todo, at) for at in told.undone)
    }
    for at, found in told.done:
        after |= {todo.todo_id: told_done(todo, at) for todo in fulfilled(found, after.values(), at=at)}
    changed = [todo for todo in after.values() if todo.status is not before[todo.todo_id].status]
    for todo in changed:
        todos.update(tx, todo if todo.status is TodoStatus.DONE else replace(todo, updated_at=now))
    closed = sum(todo.status is TodoStatus.DONE for todo in changed)
    return Settled(closed=closed, reopened=len(changed) - closed)


def moments_of_deeds(said: Iterable[Message]) -> list[datetime]:
    """The times at which these messages reported something as done."""
    return [
        message.created_at
        for message in said
        if message.role is Role.USER and deeds(message.text, at=message.created_at)
    ]


def reopened(todo: Todo, moments: Iterable[datetime], now: datetime) -> Todo:
    """A todo without the reports made at these times: reopened if one of them closed it."""
    if not any(was_told_done(todo, at) for at in moments):
        return todo
    return replace(todo, status=TodoStatus.OPEN, updated_at=now)


def _rewritten(known: Sequence[Todo], told: Sequence[Todo], decided: Decided) -> list[Todo]:
    """Todos reworded by a person: each replaces a todo in its message that no other todo matches."""
    return [
        item
        for item in known
        if item.updated_at > item.created_at and not any(_is_twin(item, todo, decided) for todo in told)
    ]


def _is_twin(known: Todo, todo: Todo, decided: Decided) -> bool:
    if not same_todo(known, todo):
        return False
    return known.status is TodoStatus.OPEN or _told_by(known, todo) or _closed_since(known, todo, decided)


def _told_by(known: Todo, todo: Todo) -> bool:
    return set(todo.source_message_ids) <= set(known.source_message_ids)


def _closed_since(known: Todo, todo: Todo, decided: Decided) -> bool:
    times = [decided.said[each] for each in todo.source_message_ids if each in decided.said]
    return bool(times) and max(times) < known.updated_at
