"""Plain entries: messages and memories, mixed, one per line or in a list; OpenAI's list of messages is one.

A message has a `role` and a text (`text` or `content`); a memory has a text (`memory`, `content` or `text`) and no role. Messages with one
`chat_id` form a chat, in the order of the lines; those without form one chat, recognised by its beginning up to the first text
that is no system prompt. An entry without an id is recognised by its content, its time and the number of equal entries before
it. Times may be missing, because OpenAI's messages have none: a message then has the time of the one before it, or of the import.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.interchange.foreign import mem0
from recollect.interchange.foreign.piece import (
    Format,
    Piece,
    Skipped,
    derived,
    message,
    moment_of,
    name_of,
    objects,
    talk,
)
from recollect.interchange.portable_value import fields
from recollect.records.message import Role, check_message_text, check_name, check_speaker, parse_role

_FORMAT = Format.JSONL
_ROLES = {
    "human": Role.USER,
    "developer": Role.SYSTEM,
    "function": Role.TOOL,
    "model": Role.ASSISTANT,
    "ai": Role.ASSISTANT,
}


@dataclass(frozen=True, slots=True, kw_only=True)
class _Said:
    """A message without its id and possibly without its time."""

    role: Role
    words: str
    name: str | None
    model: object
    at: datetime | None
    #: What it is recognised by.
    source: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Thread:
    """The messages of one chat."""

    line: int
    said: list[_Said] = field(default_factory=list["_Said"])


def is_entry(value: Mapping[str, Any]) -> bool:
    """Whether an object is a message or a memory."""
    return (_is_message(value) and _spoken(value) is not None) or (
        "memory_id" not in value and isinstance(value.get("content", value.get("text")), str)
    )


def read(entries: Sequence[object], user_id: str, now: datetime) -> Iterator[Piece]:
    """The memories, then the chats."""
    threads: dict[str | None, _Thread] = {}
    users = mem0.users_of(entries)
    mem0.check_users(users, user_id)
    only = user_id if len(users) > 1 else None
    for entry in objects(entries):
        if isinstance(entry, Skipped):
            yield entry
            continue
        line, values = entry
        if not _is_message(values):
            yield mem0.memory(line, values, format=_FORMAT, user_id=only, now=now, missing=now)
            continue
        try:
            said = _said(values, now)
            chat_id = values.get("chat_id")
            named = check_name(chat_id, field="chat_id") if chat_id is not None else None
            threads.setdefault(named, _Thread(line=line)).said.append(said)
        except InvalidInput as error:
            yield Skipped(line=line, reason=error.message)
    for named, thread in threads.items():
        yield _talk(named, thread, now)


def _is_message(values: Mapping[str, Any]) -> bool:
    return "role" in values


def _spoken(values: Mapping[str, Any]) -> object:
    return values["text"] if values.get("text") is not None else values.get("content")


def _said(values: Mapping[str, Any], now: datetime) -> _Said:
    given, name = values.get("role"), values.get("name")
    role = (_ROLES.get(given) if isinstance(given, str) else None) or parse_role(given)
    words = check_message_text(_words(_spoken(values)))
    speaker = check_speaker(name) if name is not None else None
    time = values.get("created_at", values.get("timestamp"))
    at = moment_of(time, "created_at", now)
    known = values.get("id")
    source = (
        ("id", name_of(known, "id")) if known is not None else (role, speaker or "", words, str(time or ""))
    )
    return _Said(
        role=role,
        words=words,
        name=speaker,
        model=values.get("model_id", values.get("model")),
        at=at,
        source=source,
    )


def _words(given: object) -> object:
    """A text, or the texts of OpenAI's parts."""
    if given is None:
        raise InvalidInput("text is missing.", field="text")
    if not isinstance(given, list):
        return given
    return "\n".join(_part(fields(part, "a part")) for part in cast("list[object]", given))


def _part(part: Mapping[str, Any]) -> str:
    text = part.get("text")
    if isinstance(text, str):
        return text
    kind = str(part.get("type"))
    return "[image]" if "image" in kind else "[audio]" if "audio" in kind else "[attachment]"


def _talk(named: str | None, thread: _Thread, now: datetime) -> Piece:
    chat_id = named if named is not None else derived(_FORMAT, *_beginning(thread.said))
    seen: dict[tuple[str, ...], int] = {}
    messages: list[dict[str, Any]] = []
    last = next((said.at for said in thread.said if said.at), now)
    for said in thread.said:
        # The same text again is another message; the import refuses the same id.
        again = seen[said.source] = seen.get(said.source, 0) + 1
        place = () if said.source[0] == "id" else (str(again),)
        last = said.at or last
        message_id = derived(_FORMAT, chat_id, *said.source, *place)
        messages.append(message(message_id, said.role, said.words, last, model=said.model, name=said.name))
    return talk(thread.line, chat_id, messages, title=None, began=None)


def _beginning(said: Sequence[_Said]) -> list[str]:
    """The system prompts, which many chats share, and the first text after them: constant when the file grows."""
    end = next((number for number, item in enumerate(said, 1) if item.role is not Role.SYSTEM), len(said))
    return [part for item in said[:end] for part in item.source]
