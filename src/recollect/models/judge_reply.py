"""Checks a model's reply to the judge's prompt: each proposal must be supported by the user's own words.

A reply of the wrong shape is a ValueError, so that the model can be asked again. In a well-formed reply every item is
compared with the message that it names; an unsupported item is skipped with a reason, and the rest stays. So the worst that
a hostile or confused reply can do is to propose nothing.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, tzinfo
from itertools import pairwise
from typing import Any, TypeVar, cast

from recollect.language.explicit_request import strip_request
from recollect.language.judge.due import due
from recollect.language.pattern import Pattern
from recollect.language.secret import holds_secret
from recollect.language.sentence import shorten
from recollect.language.support import question_in, support
from recollect.language.terms import terms
from recollect.language.worth import is_injected, without_injected
from recollect.models.judge_prompt import readable
from recollect.records.category import Category
from recollect.records.entity import EntityType, entity_key, slug
from recollect.records.judgement import (
    Judgement,
    Material,
    Passed,
    ProposedForgetting,
    ProposedMemory,
    ProposedPin,
    ProposedTodo,
)
from recollect.records.memory import MAX_CONTENT, MAX_ENTITY_REFS, MAX_REASONING, MIN_CONTENT, MIN_REASONING
from recollect.records.message import Message, Role
from recollect.records.pin import DEFAULT_IMPORTANCE, PinType
from recollect.records.todo import TodoKind
from recollect.rules.trust import instructs_model

T = TypeVar("T")

#: Confidence below which a memory is skipped.
_LEAST_CONFIDENCE = 0.5
#: Confidence when the model gives none; the prompt asks for none with todos.
_USUAL_CONFIDENCE = 0.7
#: Characters of the user's own words that a proposal carries.
_MAX_SAID = 500
#: The latest due date from now; anything later was misread.
_FARTHEST = timedelta(days=3 * 366)

_LISTS = ("memories", "pins", "todos", "forget")
#: Days in languages that `due` does not read.
_FOREIGN_DAY = Pattern(
    r"\d|\b(?:heute|morgen|(?:mon|diens|donners|frei|sams|sonn)tag|mittwoch|n[äa]chste\w*|demain|lundi|mardi|mercredi|jeudi"
    r"|vendredi|samedi|dimanche|prochaine?|ma[ñn]ana|lunes|martes|mi[ée]rcoles|jueves|viernes|s[áa]bado|domingo|pr[óo]xim[ao]"
    r"|domani|luned[ìi]|marted[ìi]|mercoled[ìi]|gioved[ìi]|venerd[ìi]|amanh[ãa]|segunda|ter[çc]a|quarta|quinta|sexta)\b"
    r"|[^\x00-\u024f]",
    re.IGNORECASE,
)
#: A request to forget; "forget it" and "I forget things" are none, "don't forget" is the opposite.
_ASKS_TO_FORGET = Pattern(
    r"(?<!n't )(?<!not )(?<!never )(?<!\bi )\b(?:forget|delete|erase|remove|wipe|unlearn)\b(?! it\b[.!]*$)"
    r"|\b(?:don't|do not|never|stop|no longer|shouldn't|should not|not) (?:remember|keep|stor|sav|memori)"
    r"|\b(?:vergiss|vergessen sie|lösch\w*|oublie[zs]?|supprime[zs]?|efface[zs]?|olvida|borra|elimina|dimentica|cancella"
    r"|esque[çc]a|apag(?:a|ue)|забудь|удали)\b|忘れて|削除|忘记|忘記|删除|刪除|잊어",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Supported:
    """An item that its message supports."""

    item: Mapping[str, Any]
    content: str
    message: Message
    said: str
    reasoning: str


def judgement_from(values: Mapping[str, Any], material: Material, *, by: str) -> Judgement:
    """The proposals in a reply; a ValueError says what is wrong with its shape."""
    items = {name: _items(values, name) for name in _LISTS}
    reading = _Reading(material, by)
    memories = _once(map(reading.memory, items["memories"]), lambda found: found.content)
    pins = _once(map(reading.pin, items["pins"]), lambda found: found.content)
    todos = _once(map(reading.todo, items["todos"]), lambda found: found.text)
    forgettings = _once(map(reading.forgetting, items["forget"]), lambda found: found.what)
    return Judgement(
        memories=memories[0],
        pins=pins[0],
        todos=todos[0],
        forgettings=forgettings[0],
        passed=(*memories[1], *pins[1], *todos[1], *forgettings[1]),
        judged_by=by,
    )


def _items(values: Mapping[str, Any], name: str) -> list[object]:
    """A list of the reply; only `memories` is required, because models omit empty lists."""
    if name not in values and name != "memories":
        return []
    found = values.get(name)
    if found is None and name in values:
        return []
    if not isinstance(found, list):
        raise ValueError(f"{name} must be a list")
    return cast("list[object]", found)


def _once(found: "map[T | Passed]", text: Callable[[T], str]) -> tuple[tuple[T, ...], tuple[Passed, ...]]:
    """The proposals, each text once, and the skipped items."""
    kept: dict[str, T] = {}
    passed: list[Passed] = []
    for item in found:
        if isinstance(item, Passed):
            passed.append(item)
        else:
            kept.setdefault(" ".join(text(item).casefold().split()), item)
    return tuple(kept.values()), tuple(passed)


class _Reading:
    """One reply, compared with its material."""

    def __init__(self, material: Material, by: str) -> None:
        self._messages = material.messages
        self._before = _questions(material)
        self._zone = material.zone
        self._by = by
        self._keys = {slug(label): key for key, label in material.names.items()}
        self._known = frozenset(term for label in material.names.values() for term in terms(label))

    def memory(self, item: object) -> ProposedMemory | Passed:
        """A fact about the user."""
        found = self._supported(item, "content", shortest=MIN_CONTENT)
        if isinstance(found, Passed):
            return found
        confidence = _number(found.item.get("confidence"), 0.0, 1.0, _USUAL_CONFIDENCE)
        if confidence < _LEAST_CONFIDENCE:
            return _passed(found.content, "the model was not sure", found.message)
        entities = self._entities(found)
        return ProposedMemory(
            content=found.content,
            category=_member(Category, found.item.get("category")),
            entity_refs=tuple(entities),
            entity_label=next(iter(entities.values()), None),
            confidence=confidence,
            reasoning=found.reasoning,
            said=found.said,
            asked_for=strip_request(found.said)[1],
            source_message_ids=(found.message.message_id,),
        )

    def pin(self, item: object) -> ProposedPin | Passed:
        """A fact that should be in every context."""
        found = self._supported(item, "content", shortest=1)
        if isinstance(found, Passed):
            return found
        return ProposedPin(
            content=found.content,
            pin_type=PinType.AUTO,
            importance_score=_number(found.item.get("importance"), 0.0, 10.0, DEFAULT_IMPORTANCE),
            reasoning=found.reasoning,
            source_message_id=found.message.message_id,
        )

    def todo(self, item: object) -> ProposedTodo | Passed:
        """An open task; a thread may be an unanswered question."""
        found = self._supported(item, "text", shortest=1, doubtless=False)
        if isinstance(found, Passed):
            return found
        return ProposedTodo(
            text=found.content,
            kind=_member(TodoKind, found.item.get("kind")) or TodoKind.THREAD,
            due_at=_due_at(found, self._zone),
            confidence=_USUAL_CONFIDENCE,
            reasoning=found.reasoning,
            source_message_ids=(found.message.message_id,),
        )

    def forgetting(self, item: object) -> ProposedForgetting | Passed:
        """What the user asked to forget; the sentence itself must ask."""
        named = self._named(item, "what", shortest=1)
        if isinstance(named, Passed):
            return named
        content, message, _ = named
        text = without_injected(message.text)
        said = support(content, text).said
        # Other sentences of the message may state facts that are to be remembered.
        if not _ASKS_TO_FORGET.search(said.replace("\u2019", "'")):
            return _passed(content, "the user did not ask to forget it", message)
        # Every word must match: what is forgotten by mistake is gone.
        if not frozenset(terms(said)) >= frozenset(terms(content)) - {"user"}:
            return _passed(content, "the user asked to forget something else", message)
        return ProposedForgetting(
            what=content, said=shorten(said, _MAX_SAID), source_message_ids=(message.message_id,)
        )

    def _supported(
        self, item: object, field: str, *, shortest: int, doubtless: bool = True
    ) -> _Supported | Passed:
        """An item that its message supports, or the reason to skip it."""
        named = self._named(item, field, shortest=shortest)
        if isinstance(named, Passed):
            return named
        content, message, values = named
        # A todo begins with a verb, whose capital does not make it a name.
        statement = content if doubtless else content[:1].lower() + content[1:]
        text = without_injected(message.text)
        found = support(
            statement,
            text,
            asked=self._before.get(message.message_id, ""),
            known=self._known,
            doubtless=doubtless,
        )
        if found.missing:
            return _passed(content, found.missing, message)
        if _ASKS_TO_FORGET.search(found.said.replace("\u2019", "'")):
            return _passed(content, "the user asked to forget it", message)
        return _Supported(
            item=values,
            content=content,
            message=message,
            said=shorten(found.said, _MAX_SAID),
            reasoning=self._reasoning(values.get("reasoning")),
        )

    def _named(
        self, item: object, field: str, *, shortest: int
    ) -> tuple[str, Message, Mapping[str, Any]] | Passed:
        """The text of an item and the user's message that it names."""
        if not isinstance(item, dict):
            return Passed(said=str(item)[:_MAX_SAID], reason="it is not an object", source_message_id="")
        values = cast("dict[str, Any]", item)
        given = values.get(field)
        content = " ".join(given.split()) if isinstance(given, str) else ""
        number = _whole(values.get("message"))
        if number is None or not 1 <= number <= len(self._messages):
            return Passed(
                said=content[:_MAX_SAID], reason="it names no existing message", source_message_id=""
            )
        message = self._messages[number - 1]
        if reason := _refusal(content, message, shortest):
            return _passed(content, reason, message)
        return content, message, values

    def _entities(self, fact: _Supported) -> dict[str, str]:
        """The entities that the fact names, by key; others are left out."""
        given = fact.item.get("entities")
        named = frozenset(terms(fact.content))
        found: dict[str, str] = {}
        for item in cast("list[object]", given) if isinstance(given, list) else []:
            values = cast("dict[str, Any]", item) if isinstance(item, dict) else {}
            type, name = _member(EntityType, values.get("type")), values.get("name")
            if type is None or not isinstance(name, str) or slug(name) in ("", "user", "i", "me"):
                continue
            label = " ".join(name.split())
            if named.issuperset(terms(label)):
                found.setdefault(self._keys.get(slug(label)) or entity_key(type, label), label)
        return dict(list(found.items())[:MAX_ENTITY_REFS])

    def _reasoning(self, value: object) -> str:
        text = " ".join(value.split()) if isinstance(value, str) else ""
        return shorten(text, MAX_REASONING) if len(text) >= MIN_REASONING else f"Found by {self._by}."


def _questions(material: Material) -> dict[str, str]:
    """For each message of the user, the question in the reply right before it."""
    asked: dict[str, str] = {}
    spoken = [
        message
        for message in (*material.earlier, *material.messages)
        if message.role in (Role.USER, Role.ASSISTANT)
    ]
    for before, message in pairwise(spoken):
        if message.role is Role.USER and before.role is Role.ASSISTANT and readable(before):
            asked[message.message_id] = question_in(without_injected(before.text))
    return asked


def _refusal(content: str, message: Message, shortest: int) -> str | None:
    """Why a proposal from this message is refused whatever it says; None if it may be checked."""
    if message.role is not Role.USER:
        return "its source is not a message of the user"
    if not readable(message):
        return "its source was not shown to the model"
    if not max(1, shortest) <= len(content) <= MAX_CONTENT:
        return f"it must have {max(1, shortest)}-{MAX_CONTENT} characters"
    if instructs_model(content) or is_injected(content):
        return "it instructs the model"
    if holds_secret(content):
        return "it holds a secret"
    return None


def _passed(content: str, reason: str, message: Message) -> Passed:
    return Passed(said=content[:_MAX_SAID], reason=reason, source_message_id=message.message_id)


def _due_at(found: _Supported, zone: tzinfo) -> datetime | None:
    """The date in the user's words. Models count days badly, so theirs is used only where the rules cannot read one."""
    said_at = found.message.created_at
    if read := due(found.said, said_at=said_at, zone=zone):
        return read.at
    given = found.item.get("due")
    if not isinstance(given, str) or not _FOREIGN_DAY.search(found.said):
        return None
    try:
        day = date.fromisoformat(given.strip()[:10])
        end = datetime.combine(day, time(23, 59, 59), tzinfo=zone).astimezone(UTC)
    except (ValueError, OverflowError):
        return None
    return end if said_at <= end <= said_at + _FARTHEST else None


def _whole(value: object) -> int | None:
    """The number of a message, also as text ("2", "[2]")."""
    if isinstance(value, str):
        digits = value.strip(" []#")
        return int(digits) if digits.isascii() and digits.isdigit() and len(digits) < 10 else None
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _number(value: object, lowest: float, highest: float, usual: float) -> float:
    """A number within its bounds; the default if it is no number."""
    if isinstance(value, bool) or not isinstance(value, int | float) or value != value:
        return usual
    return float(min(max(value, lowest), highest))


def _member(values: type[T], value: object) -> T | None:
    """A member of an enumeration by its value, case-insensitively."""
    try:
        return values(value.strip().lower()) if isinstance(value, str) else None  # type: ignore[call-arg]
    except ValueError:
        return None
