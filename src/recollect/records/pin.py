"""A pin: a fact that enters every context of its chat (S0's SemanticPin).

The record and what may be pinned by hand. Which messages bring pins of their own is `pinning`'s business.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.errors import InvalidInput
from recollect.records.memory import check_text
from recollect.records.moment import iso

#: Characters. A pin is in every context: S0 advises 10-50 tokens, this is the limit.
MAX_CONTENT = 2000
#: S0's default.
DEFAULT_IMPORTANCE = 5.0
#: Pins of at least this importance are the last to go when tokens are short (design 6.2).
CRITICAL = 8.0
#: Pins of a chat; a hand cannot add more. All are read for every context, and at S0's 10-50 tokens each so many fill
#: 10,000-50,000 tokens.
MAX_PINS = 1000
#: Pins of a chat that rules made: the least important, then the oldest, go. They come on top of those by hand: what a
#: life may hang on is not refused because somebody pinned much.
MAX_DERIVED = 50


class PinType(StrEnum):
    """How a pin came about."""

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
    #: Made by a rule from its message, and made anew when the message changes; S0's types do not tell.
    derived: bool = False
    tokens: int
    created_at: datetime

    def to_dict(self) -> dict[str, Any]:
        """S0's shape, then ours; `source_message_id` only where there is one."""
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
    """One or more lines, trimmed."""
    text = check_text(value, field="content").strip()
    if not 1 <= len(text) <= MAX_CONTENT:
        raise InvalidInput(f"content of a pin must have 1-{MAX_CONTENT} characters.", field="content")
    return text


def check_pin_importance(value: object) -> float:
    """0-10."""
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 10:
        raise InvalidInput(
            f"importance_score must be a number from 0 to 10, not {str(value)[:40]}.",
            field="importance_score",
        )
    return float(value)


def check_pin_count(count: int, chat_id: str) -> None:
    """Refuse one more pin by hand where there are enough."""
    if count >= MAX_PINS:
        raise InvalidInput(
            f"Chat {chat_id!r} has {count:,} pins (maximum {MAX_PINS:,}): unpin something first,"
            " or remember facts of this kind instead.",
            field="content",
        )


def parse_pin_type(value: object) -> PinType:
    """One of S0's five types."""
    try:
        return PinType(value)  # type: ignore[arg-type]
    except ValueError:
        raise InvalidInput(
            f"pin_type must be one of {', '.join(PinType)}, not {str(value)[:40]!r}.", field="pin_type"
        ) from None
