"""A todo: an open commitment, habit, thread or friction between a user and a persona (S4).

The record, its fields as callers give them, and how it changes. S4's deprecated memory type OPEN_LOOP is read as an open thread.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.errors import InvalidInput
from recollect.language.sign import plain
from recollect.language.spelling import one_spelling
from recollect.language.terms import terms
from recollect.records.memory import check_list, check_text, one_of
from recollect.records.message import said_at
from recollect.records.moment import iso, parse

#: Characters.
MAX_TEXT = 2000
#: Share of common words above which two todos count as the same: "send Tom the report" and "send the report to Tom by Friday"
#: share three of four.
_ALIKE = 0.75
#: Small words that reverse a task and are no terms: "turn off the heating" is not "turn on the heating".
_OPPOSITES = frozenset({("on", "off"), ("up", "down"), ("in", "out"), ("with", "without")})
#: S4's deprecated memory type.
OPEN_LOOP = "OPEN_LOOP"


class TodoKind(StrEnum):
    """The kind of a todo."""

    COMMITMENT = "commitment"
    HABIT = "habit"
    THREAD = "thread"
    FRICTION = "friction"


class TodoStatus(StrEnum):
    """The state of a todo."""

    OPEN = "open"
    DONE = "done"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """One todo."""

    user_id: str
    todo_id: str
    text: str
    kind: TodoKind = TodoKind.THREAD
    status: TodoStatus = TodoStatus.OPEN
    persona_id: str | None = None
    due_at: datetime | None = None
    source_message_ids: tuple[str, ...] = ()
    created_at: datetime
    updated_at: datetime

    def __str__(self) -> str:
        due = f", due {self.due_at:%Y-%m-%d}" if self.due_at else ""
        return f"{self.text} [{self.status.value}{due}] ({self.todo_id})"

    @property
    def cursor(self) -> tuple[str, str]:
        """This todo's place in lists: its creation time, as stored, and its ID."""
        return iso(self.created_at), self.todo_id

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "id": self.todo_id,
            "persona_id": self.persona_id,
            "kind": self.kind.value,
            "text": self.text,
            "due_at": iso(self.due_at) if self.due_at else None,
            "status": self.status.value,
            "source_message_ids": list(self.source_message_ids),
            "created_at": iso(self.created_at),
            "updated_at": iso(self.updated_at),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class TodoEdit:
    """A change of a todo; None leaves a field as it is."""

    text: str | None = None
    kind: TodoKind | None = None
    status: TodoStatus | None = None
    due_at: datetime | None = None
    #: Remove the date; in `due_at` None means no change.
    undated: bool = False


_EDITABLE = ("text", "kind", "status", "due_at")


def new_todo(
    *,
    user_id: str,
    todo_id: str,
    text: object,
    kind: object = TodoKind.THREAD,
    status: object = TodoStatus.OPEN,
    due_at: object = None,
    persona_id: object = None,
    source_message_ids: object = (),
    now: datetime,
) -> Todo:
    """A todo from a caller's values; an error names the field."""
    return Todo(
        user_id=user_id,
        todo_id=todo_id,
        text=_text(text),
        kind=parse_kind(kind),
        status=parse_todo_status(status),
        persona_id=_short(persona_id, "persona_id") if persona_id is not None else None,
        due_at=_due(due_at),
        source_message_ids=tuple(
            _short(item, "source_message_ids")
            for item in check_list(source_message_ids, field="source_message_ids")
        ),
        created_at=now,
        updated_at=now,
    )


def todo_edit(values: Mapping[str, Any]) -> TodoEdit:
    """Read a change from a caller; unknown fields are refused, and a `due_at` of None removes the date."""
    unknown = sorted(str(name) for name in values if name not in _EDITABLE)
    if unknown:
        raise InvalidInput(
            f"todo: {unknown[0]!r} cannot be changed; change one of {', '.join(_EDITABLE)}.", field=unknown[0]
        )
    return TodoEdit(
        text=_text(values["text"]) if "text" in values else None,
        kind=parse_kind(values["kind"]) if "kind" in values else None,
        status=parse_todo_status(values["status"]) if "status" in values else None,
        due_at=_due(values.get("due_at")),
        undated="due_at" in values and values["due_at"] is None,
    )


def edited(todo: Todo, edit: TodoEdit, *, now: datetime) -> Todo:
    """The todo after the change; unchanged, time included, if nothing differs."""
    changed = replace(
        todo,
        text=todo.text if edit.text is None else edit.text,
        kind=edit.kind or todo.kind,
        status=edit.status or todo.status,
        due_at=None if edit.undated else edit.due_at or todo.due_at,
    )
    return todo if changed == todo else replace(changed, updated_at=now)


def same_todo(first: Todo, second: Todo) -> bool:
    """Whether two todos mean the same task: same kind and persona, and nearly the same words."""
    if (first.kind, first.persona_id) != (second.kind, second.persona_id) or _apart(first.text, second.text):
        return False
    one, two = set(terms(one_spelling(first.text))), set(terms(one_spelling(second.text)))
    if not one or not two:
        return first.text == second.text
    numbers = {term for term in one ^ two if any(character.isdigit() for character in term)}
    return not numbers and len(one & two) >= _ALIKE * len(one | two)


def _apart(first: str, second: str) -> bool:
    """Whether one names an owner that the other does not, or reverses the other's task."""
    one, two = ({word.strip(".,!?") for word in plain(text).split()} for text in (first, second))
    if any(word.endswith("'s") and word != "user's" for word in one ^ two):
        return True
    return any(
        (here, there) in _OPPOSITES or (there, here) in _OPPOSITES
        for here in one - two
        for there in two - one
    )


def urgency(todo: Todo) -> tuple[bool, float, float, str]:
    """The order of lists: dated ones first, the earliest date first; then the newest."""
    due = todo.due_at.timestamp() if todo.due_at else 0.0
    return todo.due_at is None, due, -todo.created_at.timestamp(), todo.todo_id


def said_again(todo: Todo, again: Todo, *, now: datetime) -> Todo:
    """A known todo after it was mentioned again: with the new date, if there is one, and with both sources."""
    sources = tuple(dict.fromkeys((*todo.source_message_ids, *again.source_message_ids)))
    changed = replace(todo, due_at=again.due_at or todo.due_at, source_message_ids=sources)
    return todo if changed == todo else replace(changed, updated_at=now)


def told_at(todo: Todo) -> datetime:
    """When a todo was last mentioned or changed."""
    said = [at for source in todo.source_message_ids if (at := said_at(source)) is not None]
    touched = [todo.updated_at] if todo.updated_at > todo.created_at else []
    return max((*said, *touched), default=todo.created_at)


def told_done(todo: Todo, at: datetime) -> Todo:
    """The todo after the user reported it as done, with that message's time for `was_told_done`."""
    return replace(todo, status=TodoStatus.DONE, updated_at=max(at, todo.created_at))


def was_told_done(todo: Todo, at: datetime) -> bool:
    """Whether the message at that time closed it and it has not changed since."""
    return todo == told_done(todo, at)


def parse_kind(value: object) -> TodoKind:
    """One of S4's four kinds."""
    return one_of(TodoKind, value, field="kind")


def parse_todo_status(value: object) -> TodoStatus:
    """Open, done or dropped."""
    return one_of(TodoStatus, value, field="status")


def todo_from(values: Mapping[str, Any], *, user_id: str) -> Todo:
    """A todo from its JSON values."""
    try:
        created = parse(values["created_at"], field="created_at")
        due = values.get("due_at")
        persona = values.get("persona_id")
        return Todo(
            user_id=user_id,
            todo_id=_short(values["id"], "id"),
            text=_text(values["text"]),
            kind=TodoKind(values.get("kind", TodoKind.THREAD)),
            status=TodoStatus(values.get("status", TodoStatus.OPEN)),
            persona_id=_short(persona, "persona_id") if persona is not None else None,
            due_at=parse(due, field="due_at") if due else None,
            source_message_ids=tuple(
                _short(item, "source_message_ids") for item in values.get("source_message_ids", ())
            ),
            created_at=created,
            updated_at=parse(values.get("updated_at") or values["created_at"], field="updated_at"),
        )
    except (KeyError, TypeError, ValueError) as error:
        raise InvalidInput(f"todo: {error} is missing or cannot be read.", field="todos") from error


def from_open_loop(values: Mapping[str, Any], *, user_id: str) -> Todo:
    """A todo from a memory of S4's deprecated type OPEN_LOOP."""
    return todo_from(
        {
            "id": values.get("memory_id"),
            "text": values.get("content"),
            "created_at": values.get("created_at"),
            "persona_id": values.get("persona_id"),
            "source_message_ids": values.get("source_message_ids") or (),
        },
        user_id=user_id,
    )


def _due(value: object) -> datetime | None:
    if value is None:
        return None
    return parse(value.isoformat() if isinstance(value, datetime) else value, field="due_at")  # type: ignore[arg-type]


def _text(value: object) -> str:
    text = check_text(value, field="text").strip()
    if not 1 <= len(text) <= MAX_TEXT:
        raise InvalidInput(f"text must have 1-{MAX_TEXT} characters.", field="text")
    return text


def _short(value: object, field: str) -> str:
    text = check_text(value, field=field)
    if not 1 <= len(text) <= 256:
        raise InvalidInput(f"{field} must have 1-256 characters.", field=field)
    return text
