"""A memory: one fact about a user that outlives chats.

The record, its fields' limits, and its importance at a given moment. The stored importance never changes; the effective one is
computed from it, age and use, so a fact mentioned fifty times outranks one mentioned once and no job has to update every row.
`rules/draft` decides what may become a memory, `rules/curation` how it affects existing ones.
"""

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any, TypeVar, cast

from recollect.errors import InvalidInput
from recollect.records.category import TRAITS, Category, MemoryType
from recollect.records.moment import iso, parse
from recollect.records.safe_text import visible

E = TypeVar("E", bound=StrEnum)

#: Bounds of an importance.
LOWEST, HIGHEST = 0.0, 10.0
#: Characters, S2 and S3.
MIN_CONTENT = 10
MAX_CONTENT = 500
#: Characters of `reasoning`, S2.
MIN_REASONING = 10
MAX_REASONING = 200
#: Maximum characters of a memory's source context; enough for the sentence it was taken from.
MAX_SOURCE_CONTEXT = 2000
MAX_TAGS = 50
MAX_TAG = 100
MAX_ENTITY_REFS = 50
MAX_USER_ID = 256


class Origin(StrEnum):
    """The speaker of the text that a memory was extracted from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    IMPORT = "import"


class Source(StrEnum):
    """How a memory was created."""

    TOOL = "tool"
    SHADOW_EXTRACTION = "shadow_extraction"
    SEEDED_PROFILE = "seeded_profile"
    CURATED_FOLD = "curated_fold"
    IMPORT = "import"
    MANUAL = "manual"


class Status(StrEnum):
    """Whether searches can find a memory."""

    ACTIVE = "ACTIVE"
    ARCHIVED = "ARCHIVED"


def parse_status(value: str) -> Status:
    """Read a status from a caller."""
    try:
        return Status(value.strip().upper())
    except (ValueError, AttributeError):
        raise InvalidInput(f"Unknown status {value!r}. Allowed: ACTIVE, ARCHIVED.", field="status") from None


@dataclass(frozen=True, slots=True, kw_only=True)
class MemoryRecord:
    """One fact with its origin and its state."""

    user_id: str
    #: `{ISO time, ms}Z#{8 hex}`: sorts by creation time.
    memory_id: str
    #: Third person, 10-500 characters.
    content: str
    category: Category
    type: MemoryType
    #: 0-10 as stored; `effective` gives the current value.
    importance: float
    tags: tuple[str, ...] = ()
    #: `person:john_doe`, as written; aliases are resolved when read.
    entity_refs: tuple[str, ...] = ()
    entity_label: str | None = None
    entity_type: str | None = None
    fact_type: str | None = None
    #: The subject of the fact; one active memory per key and persona.
    memory_key: str | None = None
    pinned: bool = False
    confidence: float = 1.0
    source: Source = Source.MANUAL
    origin: Origin = Origin.USER
    source_context: str | None = None
    reasoning: str | None = None
    source_message_ids: tuple[str, ...] = ()
    #: None: shared by all personas.
    persona_id: str | None = None
    status: Status = Status.ACTIVE
    #: Whether the text tries to instruct a model; if so, it is shown as a quotation.
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
    #: Memories that contradict this one; filled when it is read individually or in a list.
    contradicts: tuple[str, ...] = ()
    #: o200k tokens of `content`, counted once when it was stored.
    tokens: int = 0

    def __str__(self) -> str:
        return f"{self.content} ({self.memory_id})"

    @property
    def current(self) -> bool:
        """Active and still true: searches may return it."""
        return self.status is Status.ACTIVE and self.valid_to is None

    @property
    def importance_level(self) -> int:
        """S4's level 0-3; a pinned memory has the highest."""
        return level(10 if self.pinned else self.importance)

    def effective_importance(self, now: datetime) -> float:
        """The importance at this moment."""
        return effective(
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
        """All fields as JSON values; a superset of S3's record."""
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
            "contradicts": list(self.contradicts),
            "tokens": self.tokens,
        }


#: Fields that can change, with the reader for each JSON value.
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


# Each doubling of use adds half a point: 2 mentions +0.5, 4 +1, 16 +2, 50 +2.8, 64 and more +3. So 50 mentions lift a
# plain fact (6) above every relationship mentioned once (8), and the usual range, 2 to 20 mentions, is well resolved.
_MOST_FROM_USE = 3.0
_PER_DOUBLING = 0.5
# Accesses are caused by searches; counted in full, a memory found once would keep being found.
_ACCESS_WEIGHT = 0.25  # mentions

_HALF_LIVES = {category: traits.half_life_days for category, traits in TRAITS.items()}


def effective(
    stored: float, category: Category, *, pinned: bool, age_days: float, mentions: int, accesses: int
) -> float:
    """The current importance: it fades with age, rises with use, and is 10 for pinned memories."""
    if pinned:
        return HIGHEST
    half_life = _HALF_LIVES[category]
    if half_life is not None and age_days > 0.0:
        stored *= 0.5 ** (age_days / half_life)
    value = stored + boost(mentions, accesses)
    return LOWEST if value < LOWEST else HIGHEST if value > HIGHEST else value


def boost(mentions: int, accesses: int) -> float:
    """The points that use adds, 0 to 3."""
    # The first mention is the memory itself.
    repeated = (mentions - 1 if mentions > 1 else 0) + (accesses if accesses > 0 else 0) * _ACCESS_WEIGHT
    return min(_PER_DOUBLING * math.log2(1.0 + repeated), _MOST_FROM_USE)


def level(importance: float) -> int:
    """S4's level of an importance, 0-3."""
    return 3 if importance >= 9 else 2 if importance >= 7 else 1 if importance >= 3 else 0


def make_id(moment: datetime, suffix: str) -> str:
    """S3's id: the time of creation, then eight hexadecimal digits."""
    return f"{iso(moment)}#{suffix}"


def check_text(value: object, *, field: str) -> str:
    """Refuse characters that a database cannot store: NUL and lone surrogates."""
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
        raise InvalidInput("user_id must not be empty.", field="user_id")
    if text == "*":
        raise InvalidInput("user_id '*' is reserved for all users.", field="user_id")
    if len(text) > MAX_USER_ID:
        raise InvalidInput(f"user_id has {len(text)} characters (maximum {MAX_USER_ID}).", field="user_id")
    return text


def check_content(content: object) -> str:
    """S2's limits with S2's error texts; invisible characters are removed."""
    text = visible(check_text(content, field="content")).strip()
    if len(text) < MIN_CONTENT:
        raise InvalidInput(f"Content too short (minimum {MIN_CONTENT} characters)", field="content")
    if len(text) > MAX_CONTENT:
        raise InvalidInput(f"Content too long (maximum {MAX_CONTENT} characters)", field="content")
    return text


def one_of(kind: type[E], value: object, *, field: str) -> E:
    """Read a member of an enumeration from a caller."""
    try:
        return kind(value)
    except ValueError:
        raise InvalidInput(
            f"{field} must be one of {', '.join(kind)}, not {str(value)[:40]!r}.", field=field
        ) from None


def check_list(values: object, *, field: str) -> list[object]:
    """Accept any collection except a string, which would be read as a list of letters."""
    if isinstance(values, str | bytes) or not isinstance(values, Iterable):
        raise InvalidInput(f"{field} must be a list of strings.", field=field)
    return list(cast("Iterable[object]", values))


def check_tags(tags: Iterable[object]) -> tuple[str, ...]:
    """Trimmed, unique, in the order given."""
    seen: dict[str, None] = {}
    for tag in check_list(tags, field="tags"):
        text = check_text(tag, field="tags").strip()
        if not text or len(text) > MAX_TAG:
            raise InvalidInput(f"tags: each tag must have 1-{MAX_TAG} characters.", field="tags")
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
