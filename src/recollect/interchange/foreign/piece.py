"""The pieces of a foreign document: facts, chats and skipped entries, and what the readers of all formats share.

A reader yields pieces in the order of the document, each with its place, so that a user can find a reported entry. Ids are hashes of the
source's ids under the format's name: the same entry always gets the same id, and none can collide with ours. Products keep
edited and regenerated messages, so a conversation is a tree; `branch` follows the one that the user saw last.
"""

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.interchange.portable_value import past
from recollect.records.chat import MAX_TITLE
from recollect.records.memory import Origin, Source, check_text
from recollect.records.message import MAX_NAME, Role, check_message_text
from recollect.records.moment import iso
from recollect.rules.draft import Request, compose

#: Recognise the format from the content.
AUTO = "auto"


class Format(StrEnum):
    """The format of an export."""

    RECOLLECT = "recollect"
    CHATGPT = "chatgpt"
    CLAUDE = "claude"
    MEM0 = "mem0"
    JSONL = "jsonl"

    @property
    def described(self) -> str:
        """Its name for people."""
        return _DESCRIBED[self]


_DESCRIBED = {
    Format.RECOLLECT: "an export of Recollect",
    Format.CHATGPT: "conversations of ChatGPT",
    Format.CLAUDE: "conversations of Claude",
    Format.MEM0: "memories of mem0",
    Format.JSONL: "messages and memories, one per entry",
}


def check_format(value: object) -> Format | None:
    """Read a format from a caller; None means that the content decides."""
    if value == AUTO:
        return None
    try:
        return Format(value)  # type: ignore[arg-type]
    except ValueError:
        allowed = ", ".join((AUTO, *Format))
        raise InvalidInput(
            f"Unknown format {str(value)[:40]!r}. Allowed: {allowed}.", field="format"
        ) from None


#: Bytes of a derived id: a billion ids collide with a probability of 10^-11.
_ID_BYTES = 12
#: Unix times from here on are milliseconds: as seconds they would be after the year 5138.
_MILLISECONDS = 10**11


@dataclass(frozen=True, slots=True)
class Unreadable:
    """A line without JSON; a blank line has no reason."""

    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A memory as our import reads it."""

    line: int
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A chat with its messages as our import reads it."""

    line: int
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """A skipped entry with the reason."""

    line: int
    reason: str


Piece = Fact | Talk | Skipped


def derived(format: Format, *source: str) -> str:
    """An id that depends only on the source's ids."""
    digest = hashlib.blake2b(digest_size=_ID_BYTES)
    for part in source:
        # With its length, so that different lists of parts never give the same bytes; lone surrogates are refused elsewhere.
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data) + data)
    return f"{format}-{digest.hexdigest()}"


def objects(entries: Sequence[object]) -> Iterator[tuple[int, Mapping[str, Any]] | Skipped]:
    """The entries that are objects, with their places from 1; others are skipped."""
    for line, value in enumerate(entries, 1):
        if isinstance(value, Mapping):
            yield line, cast("Mapping[str, Any]", value)
        elif not isinstance(value, Unreadable):
            yield Skipped(line=line, reason="not an object.")
        elif value.reason:
            yield Skipped(line=line, reason=value.reason)


def fact(
    line: int,
    words: object,
    *,
    format: Format,
    source: Sequence[str],
    at: datetime,
    category: str | None = None,
    tags: Sequence[str] = (),
) -> Fact:
    """A memory from another product's text, normalised like any other, with an import as its origin."""
    request = Request(
        content=check_text(words, field="content"),
        category=category,
        tags=tags,
        source=Source.IMPORT,
        origin=Origin.IMPORT,
    )
    draft = compose(request, {})
    # With its text: a text that the source changed under one id is another memory.
    memory_id = derived(format, "memory", *source, draft.content)
    record = draft.to_record(user_id="", memory_id=memory_id, now=at, tokens=0)
    return Fact(line=line, values=record.to_dict())


def message(
    message_id: str,
    role: Role,
    words: object,
    at: datetime,
    *,
    model: object = None,
    name: str | None = None,
) -> dict[str, Any]:
    """A message as our import reads it."""
    return {
        "id": message_id,
        "role": role.value,
        "text": check_message_text(words),
        "created_at": iso(at),
        "model_id": short(model, MAX_NAME),
        "name": name,
    }


def talk(
    line: int, chat_id: str, messages: Sequence[Mapping[str, Any]], *, title: object, began: datetime | None
) -> Talk:
    """A chat as our import reads it, not judged yet."""
    return Talk(
        line=line,
        values={
            "chat_id": chat_id,
            "title": short(title, MAX_TITLE),
            "created_at": iso(began) if began else None,
            "judged_position": 0,
            "messages": list(messages),
        },
    )


def short(value: object, longest: int) -> str | None:
    """A title or a name, cut if it is too long; an invalid one is dropped."""
    if not isinstance(value, str):
        return None
    try:
        return check_text(value, field="title").strip()[:longest].strip() or None
    except InvalidInput:
        return None


def moment_of(value: object, field: str, now: datetime) -> datetime | None:
    """A moment as other products write it: ISO-8601, Unix seconds or milliseconds; None if missing."""
    if value is None or value == "":
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            if not math.isfinite(value):
                raise ValueError
            seconds = value / 1000 if abs(value) >= _MILLISECONDS else value
            value = iso(datetime.fromtimestamp(seconds, UTC))
        except (ValueError, OverflowError, OSError):
            raise InvalidInput(f"{field} is not a valid time.", field=field) from None
    return past(value, field, now)


def began(value: object, now: datetime) -> datetime | None:
    """When a conversation began; an invalid time is dropped, because the messages have their own."""
    try:
        return moment_of(value, "created_at", now)
    except InvalidInput:
        return None


def name_of(value: object, field: str) -> str:
    """An id of the source, which is required to recognise the entry again."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value) if abs(value) < 2**63 else None
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"it has no {field}.", field=field)
    return check_text(value, field=field)


def branch(parents: Mapping[str, str | None], end: str) -> tuple[list[str], str | None]:
    """The names of messages from the beginning to the end, and the missing one if the branch is incomplete."""
    way: list[str] = []
    seen: set[str] = set()
    name: str | None = end
    while name is not None and name in parents:
        if name in seen:
            raise InvalidInput("the conversation contains a loop.")
        seen.add(name)
        way.append(name)
        name = parents[name]
    way.reverse()
    return way, name


def last_leaf(parents: Mapping[str, str | None]) -> str | None:
    """The last name, in the given order, that no message follows."""
    inner = set(parents.values())
    return next((name for name in reversed(list(parents)) if name not in inner), None)
