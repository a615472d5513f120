"""The pieces that a foreign document falls into: facts, talks, and what was left out.

A reader of a format yields them in the order of the document, each with its place there, so that a reader needs no state
and whoever is told of an entry can find it. Ids are hashes of the source's ids under the format's name: what is read
twice has the same id twice, and nothing of another product can take the id of something of ours.
"""

import hashlib
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.interchange.foreign.format import Format
from recollect.interchange.foreign.lines import Unreadable
from recollect.interchange.portable_value import past
from recollect.records.chat import MAX_TITLE
from recollect.records.memory import check_text
from recollect.records.message import MAX_NAME, Role, check_message_text
from recollect.records.moment import iso
from recollect.rules.draft import Request, compose
from recollect.rules.trust import Origin, Source

#: Bytes of a derived id: among a billion ids two are the same with a chance of one in 10^11.
_ID_BYTES = 12
#: Unix times from here on are milliseconds: as seconds they would lie in the year 5138.
_MILLISECONDS = 10**11


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A memory, in the values that our own import takes."""

    line: int
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """A chat with its messages, in the values that our own import takes."""

    line: int
    values: Mapping[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Skipped:
    """What was left out, and why."""

    line: int
    reason: str


Piece = Fact | Talk | Skipped


def derived(format: Format, *source: str) -> str:
    """An id that is the same whenever the source's ids are."""
    digest = hashlib.blake2b(digest_size=_ID_BYTES)
    for part in source:
        # With its length, so that no two lists of parts read alike; a lone surrogate is refused elsewhere.
        data = part.encode("utf-8", "surrogatepass")
        digest.update(b"%d:" % len(data) + data)
    return f"{format}-{digest.hexdigest()}"


def objects(entries: Sequence[object]) -> Iterator[tuple[int, Mapping[str, Any]] | Skipped]:
    """The entries that are objects, with their places from 1; the others are left out."""
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
    """A memory from another product's words; it is put into shape like any other, and an import said it."""
    request = Request(
        content=check_text(words, field="content"),
        category=category,
        tags=tags,
        source=Source.IMPORT,
        origin=Origin.IMPORT,
    )
    draft = compose(request, {})
    # With its words: what the source changed under one id is another statement.
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
    """A message in the values that our own import takes."""
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
    """A chat in the values that our own import takes; nobody has judged it yet."""
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
    """A title or a name, cut where it is too long; what is none is left away, because nothing hangs on it."""
    if not isinstance(value, str):
        return None
    try:
        return check_text(value, field="title").strip()[:longest].strip() or None
    except InvalidInput:
        return None


def moment_of(value: object, field: str, now: datetime) -> datetime | None:
    """A moment as other products write it: ISO-8601, or Unix seconds or milliseconds; None when there is none."""
    if value is None or value == "":
        return None
    if isinstance(value, int | float) and not isinstance(value, bool):
        try:
            if not math.isfinite(value):
                raise ValueError
            seconds = value / 1000 if abs(value) >= _MILLISECONDS else value
            value = iso(datetime.fromtimestamp(seconds, UTC))
        except (ValueError, OverflowError, OSError):
            raise InvalidInput(f"{field} is no time.", field=field) from None
    return past(value, field, now)


def began(value: object, now: datetime) -> datetime | None:
    """When a conversation began; a wrong time is none, because its messages have their own."""
    try:
        return moment_of(value, "created_at", now)
    except InvalidInput:
        return None


def name_of(value: object, field: str) -> str:
    """An id of the source; without one nothing could be known again."""
    if isinstance(value, int) and not isinstance(value, bool):
        value = str(value) if abs(value) < 2**63 else None
    if not isinstance(value, str) or not value:
        raise InvalidInput(f"it has no {field}.", field=field)
    return check_text(value, field=field)
