"""A todo: a commitment, habit, thread or friction that is open between a user and a persona (S4).

Today todos come from imports only: S4's deprecated memory type OPEN_LOOP is read as a thread that is still open.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.domain.memory import check_text
from recollect.domain.moment import iso, parse
from recollect.errors import InvalidInput

#: Characters.
MAX_TEXT = 2000
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
