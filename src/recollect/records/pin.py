"""A pin: a fact included in every context of its chat (S0's SemanticPin).

The record and the limits of manual pins. `language/pinning` decides which messages are pinned automatically.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.errors import InvalidInput
from recollect.records.memory import check_text, one_of
from recollect.records.moment import iso

#: Characters. S0 advises 10-50 tokens, because a pin is in every context; this is the limit.
MAX_CONTENT = 2000
#: S0's default.
DEFAULT_IMPORTANCE = 5.0
#: Pins of at least this importance are trimmed last (design 6.2).
CRITICAL = 8.0
#: Manual pins per chat. All are read for every context; at S0's 10-50 tokens each, this many fill 10,000-50,000 tokens.
MAX_PINS = 1000
#: Automatic pins per chat; beyond it, the least important, then the oldest, are removed. They do not count towards the manual
#: limit, so that many manual pins cannot block safety-critical facts.
MAX_DERIVED = 50


class PinType(StrEnum):
    """How a pin was created."""

    MANUAL = "manual"
    AUTO = "auto"
    CODE = "code"
    CONCEPT = "concept"
    SYSTEM = "system"


@dataclass(frozen=True, slots=True, kw_only=True)
class Pin:
    """One pinned fact."""

    user_id: str
    pin_id: str
    chat_id: str
    content: str
    source_message_id: str | None = None
    importance_score: float = DEFAULT_IMPORTANCE
    pin_type: PinType = PinType.MANUAL
    #: Whether a rule created it from its message; it is then updated when the message changes. S0's types do not show this.
    derived: bool = False
    tokens: int
    created_at: datetime

    def __str__(self) -> str:
        return f"{self.content} ({self.pin_id})"

    def to_dict(self) -> dict[str, Any]:
        """S0's shape and our fields; `source_message_id` only if there is one."""
        values: dict[str, Any] = {"id": self.pin_id, "session_id": self.chat_id, "content": self.content}
        if self.source_message_id is not None:
            values["source_message_id"] = self.source_message_id
        return values | {
            "importance_score": self.importance_score,
            "pin_type": self.pin_type.value,
            "created_at": iso(self.created_at),
            "derived": self.derived,
            "tokens": self.tokens,
        }


def check_pin_content(value: object) -> str:
    """The content, trimmed; one or more lines."""
    text = check_text(value, field="content").strip()
    if not 1 <= len(text) <= MAX_CONTENT:
        raise InvalidInput(f"content must have 1-{MAX_CONTENT} characters.", field="content")
    return text


def check_pin_importance(value: object) -> float:
    """A number from 0 to 10."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 10:
        raise InvalidInput(
            f"importance_score must be a number from 0 to 10, not {str(value)[:40]}.",
            field="importance_score",
        )
    return float(value)


def check_pin_count(count: int, chat_id: str) -> None:
    """Refuse a manual pin if the chat already has the maximum."""
    if count >= MAX_PINS:
        raise InvalidInput(
            f"Chat {chat_id!r} has {count:,} pins (maximum {MAX_PINS:,}): unpin something first,"
            " or remember facts of this kind instead.",
            field="content",
        )


def parse_pin_type(value: object) -> PinType:
    """One of S0's five types."""
    return one_of(PinType, value, field="pin_type")
