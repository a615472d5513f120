"""The todos table."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from recollect.records.todo import Todo, TodoKind, TodoStatus
from recollect.store import todos
from recollect.store.todos import Filter

from .conftest import Store
from .conversations import minutes


def _todo(number: int, user_id: str = "ann", **changes: Any) -> Todo:
    made = Todo(
        user_id=user_id,
        todo_id=f"t{number}",
        text=f"Call Bo {number} times",
        created_at=minutes(number),
        updated_at=minutes(number),
    )
    return replace(made, **changes)


def _write(store: Store, *found: Todo) -> None:
    for one in found:
        assert store.write(one.user_id, lambda tx, one=one: todos.insert(tx, one))


def _ids(found: Sequence[Todo]) -> list[str]:
    return [todo.todo_id for todo in found]


def test_every_field_comes_back(store: Store) -> None:
    """What is written is what is read; an id that is known is left alone."""
    made = _todo(
        1,
        persona_id="coach",
        kind=TodoKind.HABIT,
        status=TodoStatus.DONE,
        due_at=minutes(60),
        source_message_ids=("m1", "m2"),
        updated_at=minutes(2),
    )
    _write(store, made)
    assert store.write("ann", lambda tx: todos.insert(tx, _todo(1))) is False
    assert store.read("ann", lambda tx: todos.get(tx, "ann", "t1")) == made
    assert store.read("bob", lambda tx: todos.get(tx, "bob", "t1")) is None
    assert store.read("ann", lambda tx: todos.of_user(tx, "ann")) == [made]


def test_a_todo_is_changed_and_deleted(store: Store) -> None:
    """Both say whether there was a todo of this user."""
    _write(store, _todo(1), _todo(1, "bob"))
    changed = _todo(
        1, text="Write to Bo", status=TodoStatus.DROPPED, due_at=minutes(5), updated_at=minutes(9)
    )
    assert store.write("ann", lambda tx: todos.update(tx, changed)) is True
    assert store.read("ann", lambda tx: todos.get(tx, "ann", "t1")) == changed
    assert store.write("ann", lambda tx: todos.delete(tx, "ann", "t1")) is True
    assert store.write("ann", lambda tx: todos.delete(tx, "ann", "t1")) is False
    assert store.write("ann", lambda tx: todos.update(tx, changed)) is False
    assert store.read("bob", lambda tx: todos.get(tx, "bob", "t1")) == _todo(1, "bob")


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        (Filter(), ["t5", "t4", "t3", "t2", "t1"]),
        (Filter(persona_id="coach"), ["t5", "t4", "t2", "t1"]),
        (Filter(persona_id="doctor"), ["t5", "t4", "t3"]),
        (Filter(status=TodoStatus.OPEN), ["t5", "t3", "t2", "t1"]),
        (Filter(status=TodoStatus.DONE), ["t4"]),
        (Filter(kind=TodoKind.HABIT), ["t2"]),
        (Filter(due_before=minutes(60)), ["t1"]),
        (Filter(due_before=minutes(61)), ["t2", "t1"]),
        (Filter(persona_id="coach", status=TodoStatus.OPEN, kind=TodoKind.THREAD), ["t5", "t1"]),
    ],
)
def test_which_todos_are_wanted(store: Store, wanted: Filter, found: list[str]) -> None:
    """Each condition narrows the list; a persona sees its own and the shared ones."""
    _write(
        store,
        _todo(1, persona_id="coach", due_at=minutes(30)),
        _todo(2, persona_id="coach", kind=TodoKind.HABIT, due_at=minutes(60)),
        _todo(3, persona_id="doctor"),
        _todo(4, status=TodoStatus.DONE),
        _todo(5),
        _todo(6, "bob"),
    )
    assert _ids(store.read("ann", lambda tx: todos.page(tx, "ann", wanted, limit=9))) == found


def test_pages_neither_repeat_nor_skip(store: Store) -> None:
    """Newest first, also when several were made at once."""
    _write(store, *(_todo(number, created_at=minutes(number // 3)) for number in range(7)))
    walked: list[str] = []
    before: tuple[str, str] | None = None
    while listed := store.read(
        "ann", lambda tx, before=before: todos.page(tx, "ann", Filter(), limit=2, before=before)
    ):
        walked += _ids(listed)
        before = listed[-1].cursor
    assert walked == ["t6", "t5", "t4", "t3", "t2", "t1", "t0"]


def test_what_is_open_with_a_persona(store: Store) -> None:
    """What is due comes first, soonest before later, then the newest; nothing done, nothing of other personas."""
    _write(
        store,
        _todo(1, persona_id="coach"),
        _todo(2, persona_id="coach", due_at=minutes(99)),
        _todo(3, due_at=minutes(50)),
        _todo(4, persona_id="coach"),
        _todo(5, persona_id="coach", status=TodoStatus.DONE),
        _todo(6, persona_id="doctor"),
        _todo(7, "bob"),
    )

    def read(persona_id: str | None, limit: int) -> list[str]:
        return _ids(store.read("ann", lambda tx: todos.open_of(tx, "ann", persona_id, limit)))

    assert read("coach", 9) == ["t3", "t2", "t4", "t1"]
    assert read("coach", 2) == ["t3", "t2"]
    assert read(None, 9) == ["t3"]
