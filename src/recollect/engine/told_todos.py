"""Told todos: what a judge found to be open becomes todos, each once, in the transaction of whoever calls.

A todo that is open takes what was said again. One that is closed stays so for the messages that told it and for those that
were said before somebody closed it; said anew later, it is a new todo. A message that is read again changes nothing about
its todos, whatever a person has made of them since. What was deleted left no trace: it comes again with its message.
"""

from collections.abc import Sequence
from datetime import datetime

from recollect.domain.decided import Decided
from recollect.domain.todo import Todo, TodoStatus, said_again, same_todo
from recollect.store import todos
from recollect.store.database import Connection


def save_told(tx: Connection, user_id: str, told: Sequence[Todo], decided: Decided, now: datetime) -> int:
    """Write what is new among the todos that messages told; how many are new."""
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


def _rewritten(known: Sequence[Todo], told: Sequence[Todo], decided: Decided) -> list[Todo]:
    """Todos that somebody has put into other words: each stands for one that its message tells and nobody else is."""
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
