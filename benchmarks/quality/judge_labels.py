"""Labelled dialogues for the judge: what was said, and what of it a good judge would keep.

The records and the one way to read them, a dialogue a line of JSON. Every error names the line and the field, because a
label with a typing error would only show as a worse judge. A user's turn without any label is a trap: nothing may come of
it. Labels marked `optional` are for what careful people disagree about; finding them is neither right nor wrong. It knows
no judge. Labelling whole dialogues was rejected: a judge that keeps the wrong sentence of the right dialogue would pass.
"""

import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from importlib.resources import files
from pathlib import Path
from typing import Any, TypeVar

from recollect.errors import InvalidInput
from recollect.interchange.portable_value import fields, listed, moment, truth, whole
from recollect.records.category import Category, parse_category
from recollect.records.memory import check_text
from recollect.records.message import Role
from recollect.records.todo import TodoKind, parse_kind

AREAS = ("medical", "work", "family", "travel", "software", "everyday")
#: Between the spellings of a word that a label accepts: "co-founder|cofounder".
_OR = "|"
_DATA = files("benchmarks.quality") / "data"
_DIALOGUE = frozenset(("id", "area", "said_at", "turns", "expect", "forget", "todos"))
_TURN = frozenset(("role", "text"))
_LABEL = frozenset(("turn", "must", "optional"))

T = TypeVar("T")
#: Words that must all be there, each in one of its spellings.
Must = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Said:
    """One turn."""

    role: Role
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """A memory that should come of a turn."""

    turn: int
    #: None: several would do.
    category: Category | None
    must: Must
    #: A good wording, for people who read the list of errors.
    content: str
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedTodo:
    """Something open that should be noticed."""

    turn: int
    kind: TodoKind
    due: date | None
    must: Must
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ExpectedForgetting:
    """Something that the user asks to forget."""

    turn: int
    must: Must
    optional: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """A short conversation with its labels."""

    id: str
    area: str
    #: When the first turn was said; each next one follows a minute later.
    said_at: datetime
    turns: tuple[Said, ...]
    expect: tuple[Expected, ...]
    forget: tuple[ExpectedForgetting, ...]
    todos: tuple[ExpectedTodo, ...]

    def utterances(self) -> tuple[int, ...]:
        """The user's turns."""
        return tuple(place for place, said in enumerate(self.turns) if said.role is Role.USER)

    def traps(self) -> tuple[int, ...]:
        """The user's turns of which nothing may come."""
        labelled = {label.turn for label in (*self.expect, *self.forget, *self.todos)}
        return tuple(place for place in self.utterances() if place not in labelled)


def packaged(*, unseen: bool = False) -> tuple[Dialogue, ...]:
    """The dialogues in the package; `unseen`: those that no rule was tuned on."""
    name = "judge_unseen.jsonl" if unseen else "judge_dialogues.jsonl"
    return parsed((_DATA / name).read_text("utf-8"), name)


def read(path: Path) -> tuple[Dialogue, ...]:
    """The dialogues of a file."""
    try:
        return parsed(path.read_text("utf-8"), str(path))
    except (OSError, UnicodeDecodeError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidInput(f"{path} cannot be read: {why}.", field="data") from error


def parsed(text: str, name: str) -> tuple[Dialogue, ...]:
    """The dialogues of a text, one a line; blank lines are skipped."""
    found: dict[str, Dialogue] = {}
    # Not splitlines(): a line of JSON may hold the separators that it also splits at.
    for number, line in enumerate(text.split("\n"), 1):
        if not line.strip():
            continue
        try:
            dialogue = _dialogue(_json(line))
            if dialogue.id in found:
                raise InvalidInput(f"id {dialogue.id!r} stands there twice.", field="id")
        except InvalidInput as error:
            raise InvalidInput(f"{name}, line {number}: {error.message}", field=error.field) from error
        found[dialogue.id] = dialogue
    if not found:
        raise InvalidInput(f"{name} holds no dialogue.", field="data")
    return tuple(found.values())


def _json(line: str) -> Mapping[str, Any]:
    try:
        return fields(json.loads(line), "the line")
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"is not JSON: {error}.", field="line") from error


def _dialogue(held: Mapping[str, Any]) -> Dialogue:
    _known(held, _DIALOGUE, "")
    area = _named(held, "area", "")
    if area not in AREAS:
        raise InvalidInput(f"area must be one of {', '.join(AREAS)}, not {area[:40]!r}.", field="area")
    turns = tuple(
        _said(fields(item, f"turns[{place}]"), f"turns[{place}].")
        for place, item in enumerate(listed(held.get("turns"), "turns"))
    )
    if not turns:
        raise InvalidInput("turns is empty.", field="turns")
    return Dialogue(
        id=_named(held, "id", ""),
        area=area,
        said_at=moment(held.get("said_at"), "said_at"),
        turns=turns,
        expect=_labels(held, "expect", turns, _expected),
        forget=_labels(held, "forget", turns, _forgetting),
        todos=_labels(held, "todos", turns, _todo),
    )


def _said(held: Mapping[str, Any], prefix: str) -> Said:
    _known(held, _TURN, prefix)
    try:
        role = Role(held.get("role"))
    except ValueError:
        raise InvalidInput(f"{prefix}role must be one of {', '.join(Role)}.", field=f"{prefix}role") from None
    return Said(role=role, text=_named(held, "text", prefix))


def _labels(
    held: Mapping[str, Any],
    name: str,
    turns: tuple[Said, ...],
    make: Callable[[Mapping[str, Any], int, Must, str], T],
) -> tuple[T, ...]:
    made: list[T] = []
    for place, item in enumerate(listed(held.get(name, []), name)):
        prefix = f"{name}[{place}]."
        label = fields(item, f"{name}[{place}]")
        turn = whole(label.get("turn"), f"{prefix}turn")
        if turn >= len(turns) or turns[turn].role is not Role.USER:
            raise InvalidInput(f"{prefix}turn must be a turn of the user.", field=f"{prefix}turn")
        made.append(make(label, turn, _must(label, prefix), prefix))
    return tuple(made)


def _must(label: Mapping[str, Any], prefix: str) -> Must:
    field = f"{prefix}must"
    words = tuple(
        tuple(check_text(item, field=f"{field}[{place}]").split(_OR))
        for place, item in enumerate(listed(label.get("must"), field))
    )
    if not words or any(not spelling.strip() for one in words for spelling in one):
        raise InvalidInput(f"{field} needs words, and none of them empty.", field=field)
    return words


def _expected(label: Mapping[str, Any], turn: int, must: Must, prefix: str) -> Expected:
    _known(label, _LABEL | {"category", "content"}, prefix)
    category = label.get("category")
    return Expected(
        turn=turn,
        category=None if category is None else _about(prefix, "category", parse_category, category),
        must=must,
        content=_named(label, "content", prefix),
        optional=truth(label.get("optional", False), f"{prefix}optional"),
    )


def _forgetting(label: Mapping[str, Any], turn: int, must: Must, prefix: str) -> ExpectedForgetting:
    _known(label, _LABEL, prefix)
    optional = truth(label.get("optional", False), f"{prefix}optional")
    return ExpectedForgetting(turn=turn, must=must, optional=optional)


def _todo(label: Mapping[str, Any], turn: int, must: Must, prefix: str) -> ExpectedTodo:
    _known(label, _LABEL | {"kind", "due"}, prefix)
    due = label.get("due")
    return ExpectedTodo(
        turn=turn,
        kind=_about(prefix, "kind", parse_kind, label.get("kind")),
        due=None if due is None else _day(due, f"{prefix}due"),
        must=must,
        optional=truth(label.get("optional", False), f"{prefix}optional"),
    )


def _about(prefix: str, name: str, parse: Callable[[Any], T], value: object) -> T:
    """Read a value by a rule that knows its field, but not where that stands here."""
    try:
        return parse(value)
    except InvalidInput as error:
        raise InvalidInput(f"{prefix}{name}: {error.message}", field=f"{prefix}{name}") from error


def _day(value: object, field: str) -> date:
    try:
        return date.fromisoformat(check_text(value, field=field))
    except ValueError:
        raise InvalidInput(f"{field} must be a day such as 2026-01-28.", field=field) from None


def _named(held: Mapping[str, Any], name: str, prefix: str) -> str:
    """A text that has to say something."""
    text = check_text(held.get(name), field=f"{prefix}{name}")
    if not text.strip():
        raise InvalidInput(f"{prefix}{name} is empty.", field=f"{prefix}{name}")
    return text


def _known(held: Mapping[str, Any], names: frozenset[str] | set[str], prefix: str) -> None:
    """A field that nobody reads is a mistyped one."""
    for name in held:
        if name not in names:
            raise InvalidInput(f"{prefix}{name} is no field here.", field=f"{prefix}{name}")
