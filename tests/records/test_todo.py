"""Todos: what may be written, and how one changes."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from recollect.errors import InvalidInput
from recollect.records.todo import (
    MAX_TEXT,
    Todo,
    TodoEdit,
    TodoKind,
    TodoStatus,
    edited,
    from_open_loop,
    new_todo,
    said_again,
    same_todo,
    todo_edit,
    todo_from,
    told_at,
    told_done,
    was_told_done,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
LATER = NOON + timedelta(hours=1)
TODO = Todo(user_id="ann", todo_id="t1", text="Call Bo", due_at=NOON, created_at=NOON, updated_at=NOON)


def _new(**values: Any) -> Todo:
    return new_todo(**{"user_id": "ann", "todo_id": "t1", "text": "Call Bo", "now": NOON} | values)


def test_a_new_todo() -> None:
    """Text suffices: an open thread of no persona, without a date."""
    assert _new(text=" Call Bo ") == Todo(
        user_id="ann", todo_id="t1", text="Call Bo", created_at=NOON, updated_at=NOON
    )


def test_a_new_todo_with_everything() -> None:
    """Kind, date, persona and sources are kept; a date without a zone is UTC."""
    made = _new(
        kind="habit", due_at="2026-03-01T13:00:00", persona_id="coach", source_message_ids=["m1", "m2"]
    )
    assert (made.kind, made.due_at, made.persona_id) == (TodoKind.HABIT, LATER, "coach")
    assert made.source_message_ids == ("m1", "m2")
    assert made.status is TodoStatus.OPEN
    assert _new(due_at=LATER).due_at == LATER


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": "  "}, "text"),
        ({"text": None}, "text"),
        ({"text": "x" * (MAX_TEXT + 1)}, "text"),
        ({"kind": "chore"}, "kind"),
        ({"kind": None}, "kind"),
        ({"due_at": "soon"}, "due_at"),
        ({"due_at": 5}, "due_at"),
        ({"persona_id": ""}, "persona_id"),
        ({"persona_id": "x" * 257}, "persona_id"),
        ({"source_message_ids": "m1"}, "source_message_ids"),
        ({"source_message_ids": [5]}, "source_message_ids"),
    ],
)
def test_what_is_refused(change: dict[str, Any], field: str) -> None:
    """Whatever cannot be kept is refused with the name of the field."""
    with pytest.raises(InvalidInput) as raised:
        _new(**change)
    assert raised.value.field == field


def test_the_longest_text() -> None:
    """The limit itself is allowed."""
    assert len(_new(text="x" * MAX_TEXT).text) == MAX_TEXT


@pytest.mark.parametrize(
    ("values", "changes"),
    [
        ({"text": " Write to Bo "}, {"text": "Write to Bo"}),
        ({"status": "done"}, {"status": TodoStatus.DONE}),
        ({"kind": "friction"}, {"kind": TodoKind.FRICTION}),
        ({"due_at": "2026-03-01T13:00:00Z"}, {"due_at": LATER}),
        ({"due_at": None}, {"due_at": None}),
        (
            {"status": "dropped", "text": "Never mind"},
            {"status": TodoStatus.DROPPED, "text": "Never mind"},
        ),
    ],
)
def test_a_change(values: dict[str, Any], changes: dict[str, Any]) -> None:
    """Only what is named changes, and the time of the change; a date of null goes."""
    found = edited(TODO, todo_edit(values), now=LATER)
    for name in ("text", "kind", "status", "due_at"):
        assert getattr(found, name) == changes.get(name, getattr(TODO, name))
    assert (found.updated_at, found.created_at, found.todo_id) == (LATER, NOON, "t1")


@pytest.mark.parametrize(
    "values", [{}, {"text": "Call Bo"}, {"status": "open", "due_at": "2026-03-01T12:00:00Z"}]
)
def test_no_change(values: dict[str, Any]) -> None:
    """Saying what is so already leaves the todo as it is, its time too."""
    assert edited(TODO, todo_edit(values), now=LATER) == TODO


def test_an_edit_made_in_code() -> None:
    """An empty edit names nothing."""
    assert todo_edit({}) == TodoEdit()
    assert edited(TODO, TodoEdit(undated=True), now=LATER).due_at is None


@pytest.mark.parametrize(
    ("values", "field"),
    [
        ({"text": ""}, "text"),
        ({"text": None}, "text"),
        ({"kind": "chore"}, "kind"),
        ({"status": "finished"}, "status"),
        ({"status": None}, "status"),
        ({"due_at": "soon"}, "due_at"),
        ({"id": "t2"}, "id"),
        ({"persona_id": "coach"}, "persona_id"),
    ],
)
def test_what_cannot_be_changed(values: dict[str, Any], field: str) -> None:
    """A bad value and an unknown field are refused by name."""
    with pytest.raises(InvalidInput) as raised:
        todo_edit(values)
    assert raised.value.field == field


def test_a_todo_survives_its_json() -> None:
    """What is shown can be read again."""
    full = _new(kind="commitment", due_at=LATER, persona_id="coach", source_message_ids=["m1"])
    done = edited(full, todo_edit({"status": "done"}), now=LATER)
    assert todo_from(done.to_dict(), user_id="ann") == done


def test_an_open_loop_is_a_thread() -> None:
    """S4's deprecated memory becomes an open thread of the same id and text."""
    found = from_open_loop(
        {
            "memory_id": "x1",
            "content": "Ask Bo about honey",
            "created_at": "2026-03-01T12:00:00Z",
            "source_message_ids": ["m1"],
        },
        user_id="ann",
    )
    assert (found.todo_id, found.text, found.kind, found.status) == (
        "x1",
        "Ask Bo about honey",
        TodoKind.THREAD,
        TodoStatus.OPEN,
    )
    assert found.source_message_ids == ("m1",)


@pytest.mark.parametrize(
    ("first", "second", "same"),
    [
        ("send the report to Tom", "Send Tom the report.", True),
        ("send the report to Tom", "send the report to Tom by Friday", True),
        ("send the report to Tom", "send the report to Ann", False),
        ("send 2 reports to Tom", "send 3 reports to Tom", False),
        ("call the dentist", "call the plumber", False),
        ("User needs to renew User's passport.", "User needs to renew the passport.", True),
        ("User needs to renew User's passport.", "User needs to renew User's daughter's passport.", False),
        ("Turn off the heating.", "Turn the heating off!", True),
        ("Turn off the heating.", "Turn on the heating.", False),
        ("買い物", "買い物", True),
        ("!?", "!?", True),
        ("!?", "??", False),
    ],
)
def test_one_thing_in_other_words(first: str, second: str, same: bool) -> None:
    """Two todos are one when hardly a word differs; another name or number is another thing."""
    assert same_todo(_new(text=first), _new(text=second)) is same
    assert same_todo(_new(text=second), _new(text=first)) is same


def test_a_todo_that_is_told_as_done() -> None:
    """It bears the moment at which it was told, by which it is known until somebody touches it."""
    told = _new(source_message_ids=[f"{int(LATER.timestamp() * 1000):013}-00000000"])
    assert told_at(told) == LATER and told_at(TODO) == NOON
    assert told_at(edited(TODO, TodoEdit(text="Write to Bo"), now=LATER)) == LATER
    done = told_done(TODO, LATER)
    assert (done.status, done.updated_at) == (TodoStatus.DONE, LATER)
    assert was_told_done(done, LATER) and not was_told_done(done, NOON) and not was_told_done(TODO, NOON)
    assert not was_told_done(edited(done, TodoEdit(text="Write to Bo"), now=LATER + timedelta(1)), LATER)


def test_a_deed_that_was_told_before_its_todo_was_found() -> None:
    """A todo is never older than itself."""
    early = NOON - timedelta(hours=1)
    done = told_done(TODO, early)
    assert done.updated_at == done.created_at and was_told_done(done, early)


def test_another_kind_or_persona_is_another_todo() -> None:
    """The same words as a habit, or said to somebody else, are something else."""
    assert not same_todo(_new(kind="habit"), _new(kind="commitment"))
    assert not same_todo(_new(persona_id="coach"), _new())


def test_a_todo_that_is_said_again() -> None:
    """It gets the new date, if one was named, and both sources; nothing new leaves it as it is."""
    first = _new(source_message_ids=["m1"], due_at=NOON)
    again = said_again(first, _new(source_message_ids=["m2"], due_at=LATER), now=LATER)
    assert (again.due_at, again.source_message_ids, again.updated_at) == (LATER, ("m1", "m2"), LATER)
    assert said_again(first, _new(source_message_ids=["m1"]), now=LATER) is first
