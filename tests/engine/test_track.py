"""Todos: noted, changed, seen by their persona, deleted."""

from datetime import timedelta

import pytest

from recollect import InvalidInput, Memory, NotFound

from .fakes import FakeClock


def test_the_life_of_a_todo(memory: Memory, clock: FakeClock) -> None:
    """A todo is noted, dated, done, and then no longer among the open ones."""
    due = clock.now + timedelta(days=2)
    todo = memory.add_todo("Call Jane", user="ann", kind="commitment", persona="Coach", due_at=due)
    assert memory.todos(user="ann", persona="Coach") == [todo]
    assert (todo.status, todo.due_at) == ("open", due)
    clock.move(hours=1)
    changed = memory.update_todo(todo.todo_id, {"text": "Call Jane at home", "due_at": None}, user="ann")
    assert (changed.text, changed.due_at, changed.updated_at) == ("Call Jane at home", None, clock.now)
    memory.update_todo(todo.todo_id, {"status": "done"}, user="ann")
    assert memory.todos(user="ann", persona="Coach") == []
    assert [item.status for item in memory.todos(user="ann", persona="Coach", status=None)] == ["done"]
    memory.delete_todo(todo.todo_id, user="ann")
    assert memory.todos(user="ann", persona="Coach", status=None) == []


def test_a_promise_to_one_persona_is_not_told_by_another(memory: Memory) -> None:
    """S4: a todo is in the contexts of its persona; a shared one in those of all."""
    memory.add_todo("Walk tomorrow", user="ann", persona="Coach")
    memory.add_todo("Renew the passport", user="ann")
    shown = {
        persona: memory.chat("new", user="ann", persona=persona).context("What is open?").to_text()
        for persona in ("Coach", "Chef")
    }
    assert "Walk tomorrow" in shown["Coach"]
    assert "Walk tomorrow" not in shown["Chef"]
    assert all("Renew the passport" in text for text in shown.values())


def test_what_cannot_be_tracked(memory: Memory) -> None:
    """Bad kinds, statuses and empty changes are refused; others' todos are not found."""
    todo = memory.add_todo("Call Jane", user="ann")
    with pytest.raises(InvalidInput):
        memory.add_todo(" ", user="ann")
    with pytest.raises(InvalidInput):
        memory.add_todo("ok", user="ann", kind="wish")
    for change in ({}, {"status": "maybe"}, {"colour": "red"}):
        with pytest.raises(InvalidInput):
            memory.update_todo(todo.todo_id, change, user="ann")
    with pytest.raises(NotFound):
        memory.update_todo(todo.todo_id, {"status": "done"}, user="bob")
    with pytest.raises(NotFound):
        memory.delete_todo(todo.todo_id, user="bob")
    assert memory.todos(user="ann") == [todo]
