"""A memory: one fact about a user that outlives chats.

This file holds the record and the limits of its fields. It does not know how a memory is stored, found or
decided upon: `draft` says what may become one, `curation` what happens when it meets those that exist.
`MemoryRecord` is not called `Memory` because that name belongs to the engine that users import.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, cast

from recollect.errors import InvalidInput
from recollect.records.category import Category, MemoryType
from recollect.records.invisible import visible
from recollect.records.moment import iso, parse
from recollect.rules import importance as importance_rules
from recollect.rules.trust import Origin, Source

#: Characters, S2 and S3.
MIN_CONTENT = 10
MAX_CONTENT = 500
#: Characters of `reasoning`, S2.
MIN_REASONING = 10
MAX_REASONING = 200
#: Characters of free context that may come with a memory; enough for the sentence it was taken from.
MAX_SOURCE_CONTEXT = 2000
MAX_TAGS = 50
MAX_TAG = 100
MAX_ENTITY_REFS = 50
MAX_USER_ID = 256


class Status(StrEnum):
    """Whether a memory takes part in recall."""

    ACTIVE = "ACTIVE"
    ARCHIVED = "ARCHIVED"


def parse_status(value: str) -> Status:
    """Read a status as a caller spells it."""
    try:
        return Status(value.strip().upper())
    except (ValueError, AttributeError):
        raise InvalidInput(f"Unknown status {value!r}. Allowed: ACTIVE, ARCHIVED.", field="status") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecord:
    """One fact, with where it came from and what became of it."""

    user_id: str
    #: `{ISO time, ms}Z#{8 hex}`: sorts by creation time.
    memory_id: str
    #: Third person, 10-500 characters.
    content: str
    category: Category
    type: MemoryType
    #: 0-10 as stored; see `rules/importance.effective` for what it is worth now.
    importance: float
    tags: tuple[str, ...] = ()
    #: `person:john_doe`, as written; aliases are resolved when read.
    entity_refs: tuple[str, ...] = ()
    entity_label: str | None = None
    entity_type: str | None = None
    fact_type: str | None = None
    #: What the fact is about. One active memory a key and persona.
    memory_key: str | None = None
    pinned: bool = False
    confidence: float = 1.0
    source: Source = Source.MANUAL
    #: Who said it.
    origin: Origin = Origin.USER
    source_context: str | None = None
    reasoning: str | None = None
    source_message_ids: tuple[str, ...] = ()
    #: None: shared by all personas.
    persona_id: str | None = None
    status: Status = Status.ACTIVE
    #: The text tries to instruct a model: it is kept and rendered as a quotation.
    flagged: bool = False
    created_at: datetime
    updated_at: datetime
    valid_from: datetime
    #: None: still true.
    valid_to: datetime | None = None
    last_accessed: datetime | None = None
    access_count: int = 0
    mention_count: int = 1
    supersedes: str | None = None
    superseded_by: str | None = None
    folded_into: str | None = None
    #: o200k tokens of `content`, counted once when it was stored.
    tokens: int = 0

    @property
    def current(self) -> bool:
        """Active and still true: what recall may return."""
        return self.status is Status.ACTIVE and self.valid_to is None

    @property
    def importance_level(self) -> int:
        """S4's level 0-3; a pinned memory counts as the highest."""
        return importance_rules.level(10 if self.pinned else self.importance)

    def effective_importance(self, now: datetime) -> float:
        """What the memory is worth at this moment."""
        return importance_rules.effective(
            self.importance,
            self.category,
            pinned=self.pinned,
            age_days=max(0.0, (now - self.updated_at).total_seconds() / 86400),
            mentions=self.mention_count,
            accesses=self.access_count,
        )

    def to_s3(self) -> dict[str, Any]:
        """S3's memory record, exactly."""
        record: dict[str, Any] = {
            "user_id": self.user_id,
            "memory_id": self.memory_id,
            "content": self.content,
            "category": self.category.value,
            "importance": _plain(self.importance),
            "tags": list(self.tags),
            "created_at": iso(self.created_at),
            "last_accessed": iso(self.last_accessed) if self.last_accessed else None,
            "access_count": self.access_count,
        }
        if self.source_context:
            record["source_context"] = self.source_context
        return record

    def to_dict(self) -> dict[str, Any]:
        """Everything, as JSON values; a superset of S3's record."""
        return {
            **self.to_s3(),
            "type": self.type.value,
            "importance_level": self.importance_level,
            "entity_refs": list(self.entity_refs),
            "entity_label": self.entity_label,
            "subtype": {"entityType": self.entity_type, "factType": self.fact_type}
            if self.fact_type
            else None,
            "memory_key": self.memory_key,
            "pinned": self.pinned,
            "confidence": self.confidence,
            "source": self.source.value,
            "origin": self.origin.value,
            "source_context": self.source_context,
            "reasoning": self.reasoning,
            "source_message_ids": list(self.source_message_ids),
            "persona_id": self.persona_id,
            "status": self.status.value,
            "flagged": self.flagged,
            "updated_at": iso(self.updated_at),
            "valid_from": iso(self.valid_from),
            "valid_to": iso(self.valid_to) if self.valid_to else None,
            "mention_count": self.mention_count,
            "supersedes": self.supersedes,
            "superseded_by": self.superseded_by,
            "folded_into": self.folded_into,
            "tokens": self.tokens,
        }


#: Fields that can change, each with how its JSON value becomes a value again.
FIELDS: dict[str, Callable[[Any], Any]] = {
    "content": str,
    "category": Category,
    "type": MemoryType,
    "importance": float,
    "tags": tuple,
    "entity_refs": tuple,
    "entity_label": str,
    "entity_type": str,
    "fact_type": str,
    "memory_key": str,
    "pinned": bool,
    "confidence": float,
    "source": Source,
    "origin": Origin,
    "source_context": str,
    "reasoning": str,
    "source_message_ids": tuple,
    "persona_id": str,
    "status": Status,
    "flagged": bool,
    "updated_at": parse,
    "valid_from": parse,
    "valid_to": parse,
    "supersedes": str,
    "superseded_by": str,
    "folded_into": str,
    "tokens": int,
}


def _plain(number: float) -> float | int:
    return int(number) if float(number).is_integer() else number


def make_id(moment: datetime, suffix: str) -> str:
    """S3's id: the time of creation, then eight hexadecimal digits."""
    return f"{iso(moment)}#{suffix}"


def check_text(value: object, *, field: str) -> str:
    """Refuse what no database can keep unchanged: NUL bytes and lone surrogates."""
    if not isinstance(value, str):
        raise InvalidInput(f"{field} must be text, not {type(value).__name__}.", field=field)
    if "\x00" in value:
        raise InvalidInput(f"{field} contains a NUL character; remove it.", field=field)
    try:
        value.encode("utf-8")
    except UnicodeEncodeError as error:
        raise InvalidInput(
            f"{field} contains a lone surrogate (broken UTF-16); repair the text.", field=field
        ) from error
    return value


def check_user_id(user_id: object) -> str:
    """Any non-empty text of at most 256 characters."""
    text = check_text(user_id, field="user_id")
    if not text.strip():
        raise InvalidInput("user_id is empty; name the user whose memory this is.", field="user_id")
    if text == "*":
        raise InvalidInput("user_id '*' is reserved; it would mean everyone.", field="user_id")
    if len(text) > MAX_USER_ID:
        raise InvalidInput(f"user_id has {len(text)} characters (maximum {MAX_USER_ID}).", field="user_id")
    return text


def check_content(content: object) -> str:
    """S2's limits, in S2's words; what cannot be seen is left out."""
    text = visible(check_text(content, field="content")).strip()
    if len(text) < MIN_CONTENT:
        raise InvalidInput(f"Content too short (minimum {MIN_CONTENT} characters)", field="content")
    if len(text) > MAX_CONTENT:
        raise InvalidInput(f"Content too long (maximum {MAX_CONTENT} characters)", field="content")
    return text


def check_list(values: object, *, field: str) -> list[object]:
    """Any collection of values but one text, whose letters nobody means."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidInput(f"{field} must be a list of texts.", field=field)
    return list(cast("Iterable[object]", values))


def check_tags(tags: Iterable[object]) -> tuple[str, ...]:
    """Trimmed, unique, in the order given."""
    seen: dict[str, None] = {}
    for tag in check_list(tags, field="tags"):
        text = check_text(tag, field="tags").strip()
        if not text or len(text) > MAX_TAG:
            raise InvalidInput(f"tags: each tag has 1-{MAX_TAG} characters.", field="tags")
        seen[text] = None
    if len(seen) > MAX_TAGS:
        raise InvalidInput(f"tags: {len(seen)} given (maximum {MAX_TAGS}).", field="tags")
    return tuple(seen)


def check_importance(value: object) -> float:
    """0-10; S3's 1-10 is the same scale."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 10:
        raise InvalidInput(
            f"importance must be a number from 0 to 10, not {str(value)[:40]}.", field="importance"
        )
    return float(value)
