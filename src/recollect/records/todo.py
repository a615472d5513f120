"""A todo: a commitment, habit, thread or friction that is open between a user and a persona (S4).

The record, what a caller may write into it, and how it changes. It does not know who finds todos in what was said. S4's
deprecated memory type OPEN_LOOP is read as a thread that is still open.
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
from recollect.records.memory import check_list, check_text
from recollect.records.message import said_at
from recollect.records.moment import iso, parse

#: Characters.
MAX_TEXT = 2000
#: Share of all words that two todos have in common who are one: "send Tom the report" and "send the report to Tom by
#: Friday" have three of four.
_ALIKE = 0.75
#: Small words that turn a deed around, and that terms leave out: "turn off the heating" is not to turn it on.
_OPPOSITES = frozenset({("on", "off"), ("up", "down"), ("in", "out"), ("with", "without")})
#: How S4 spelled what is a todo now.
OPEN_LOOP = "OPEN_LOOP"


class TodoKind(StrEnum):
    """What is open."""

    COMMITMENT = "commitment"
    HABIT = "habit"
    THREAD = "thread"
    FRICTION = "friction"


class TodoStatus(StrEnum):
    """Whether it still is."""

    OPEN = "open"
    DONE = "done"
    DROPPED = "dropped"


@dataclass(frozen=True, slots=True, kw_only=True)
class Todo:
    """One open thing."""

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

    @property
    def cursor(self) -> tuple[str, str]:
        """Where a list that ends with this todo ended: when it was made, as stored, and its id."""
        return iso(self.created_at), self.todo_id

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
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
    """What a caller wants changed; None leaves a field as it is."""

    text: str | None = None
    kind: TodoKind | None = None
    status: TodoStatus | None = None
    due_at: datetime | None = None
    #: Take the date away; `due_at` cannot say that, for its None means no change.
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
    """A todo from what a caller gives; an error names the field."""
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
    """Read a change as a caller gives it; unknown fields are refused, and a `due_at` of None takes the date away."""
    unknown = sorted(str(name) for name in values if name not in _EDITABLE)
    if unknown:
        raise InvalidInput(
            f"todo: {unknown[0]!r} cannot be changed; only {', '.join(_EDITABLE)} can.", field=unknown[0]
        )
    return TodoEdit(
        text=_text(values["text"]) if "text" in values else None,
        kind=parse_kind(values["kind"]) if "kind" in values else None,
        status=parse_todo_status(values["status"]) if "status" in values else None,
        due_at=_due(values.get("due_at")),
        undated="due_at" in values and values["due_at"] is None,
    )


def edited(todo: Todo, edit: TodoEdit, *, now: datetime) -> Todo:
    """The todo after the change; when nothing differs, the same todo with its old time."""
    changed = replace(
        todo,
        text=todo.text if edit.text is None else edit.text,
        kind=edit.kind or todo.kind,
        status=edit.status or todo.status,
        due_at=None if edit.undated else edit.due_at or todo.due_at,
    )
    return todo if changed == todo else replace(changed, updated_at=now)


def same_todo(first: Todo, second: Todo) -> bool:
    """Whether two todos are about one thing: the same kind and persona, and hardly a word that only one of them has."""
    if (first.kind, first.persona_id) != (second.kind, second.persona_id) or _apart(first.text, second.text):
        return False
    one, two = set(terms(one_spelling(first.text))), set(terms(one_spelling(second.text)))
    if not one or not two:
        return first.text == second.text
    numbers = {term for term in one ^ two if any(character.isdigit() for character in term)}
    return not numbers and len(one & two) >= _ALIKE * len(one | two)


def _apart(first: str, second: str) -> bool:
    """Whether one is about somebody's thing that the other does not name, or turns the other's deed around."""
    one, two = ({word.strip(".,!?") for word in plain(text).split()} for text in (first, second))
    if any(word.endswith("'s") and word != "user's" for word in one ^ two):
        return True
    return any(
        (here, there) in _OPPOSITES or (there, here) in _OPPOSITES
        for here in one - two
        for there in two - one
    )


def urgency(todo: Todo) -> tuple[bool, float, float, str]:
    """The order of a list: dated ones first, the nearest before the others; then the newest."""
    due = todo.due_at.timestamp() if todo.due_at else 0.0
    return todo.due_at is None, due, -todo.created_at.timestamp(), todo.todo_id


def said_again(todo: Todo, again: Todo, *, now: datetime) -> Todo:
    """A known todo after it was said once more: with the new date, if one was named, and with both sources."""
    sources = tuple(dict.fromkeys((*todo.source_message_ids, *again.source_message_ids)))
    changed = replace(todo, due_at=again.due_at or todo.due_at, source_message_ids=sources)
    return todo if changed == todo else replace(changed, updated_at=now)


def told_at(todo: Todo) -> datetime:
    """When a todo was last said, or changed since it was found."""
    said = [at for source in todo.source_message_ids if (at := said_at(source)) is not None]
    touched = [todo.updated_at] if todo.updated_at > todo.created_at else []
    return max((*said, *touched), default=todo.created_at)


def told_done(todo: Todo, at: datetime) -> Todo:
    """A todo after the user told it as done. It bears the moment of that message, by which `was_told_done` knows it."""
    return replace(todo, status=TodoStatus.DONE, updated_at=max(at, todo.created_at))


def was_told_done(todo: Todo, at: datetime) -> bool:
    """Whether it was closed by what the user said at a moment, and nobody has touched it since."""
    return todo == told_done(todo, at)


def parse_kind(value: object) -> TodoKind:
    """One of S4's four kinds."""
    try:
        return TodoKind(value)  # type: ignore[arg-type]
    except ValueError:
        raise InvalidInput(
            f"kind must be one of {', '.join(TodoKind)}, not {str(value)[:40]!r}.", field="kind"
        ) from None


def parse_todo_status(value: object) -> TodoStatus:
    """Open, done or dropped."""
    try:
        return TodoStatus(value)  # type: ignore[arg-type]
    except ValueError:
        raise InvalidInput(
            f"status must be one of {', '.join(TodoStatus)}, not {str(value)[:40]!r}.", field="status"
        ) from None


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
    """S4's deprecated memory of type OPEN_LOOP as a todo."""
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
        raise InvalidInput(f"text of a todo must have 1-{MAX_TEXT} characters.", field="text")
    return text


def _short(value: object, field: str) -> str:
    text = check_text(value, field=field)
    if not 1 <= len(text) <= 256:
        raise InvalidInput(f"{field} must have 1-256 characters.", field=field)
    return text
