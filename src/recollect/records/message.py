"""A message: one utterance in a chat, kept verbatim.

The record and what may be said. It does not know turns, folds or contexts; how important a message is, is
`message_importance`'s business. Messages are never renumbered: a deleted one leaves its position empty.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from recollect.errors import InvalidInput
from recollect.records.memory import check_text
from recollect.records.moment import iso, parse, whole_milliseconds

#: Characters of one message.
MAX_TEXT = 200_000
#: Characters of an id that a caller gives: chats, personas, models.
MAX_NAME = 256
#: Messages that one call records, so that one transaction stays short.
MAX_BATCH = 10_000
#: The largest count that JSON readers of other languages can hold.
_LARGEST = 2**53
#: Digits of the milliseconds that an id of ours begins with.
_ID_DIGITS = 13
#: Unicode's control characters and separators of lines and paragraphs.
_UNSEEN = frozenset(("Cc", "Zl", "Zp"))


class Role(StrEnum):
    """Who speaks."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One utterance."""

    user_id: str
    message_id: str
    chat_id: str
    #: Grows by one within the chat, from 1; never used twice.
    position: int
    role: Role
    text: str
    model_id: str | None = None
    model_variant: str | None = None
    #: Who speaks, when the role does not say it: one of several people.
    name: str | None = None
    #: What the provider billed, if the caller says so.
    token_usage: int | None = None
    #: What the text has in our own tokenizer.
    tokens: int
    importance_score: float
    #: The stretch of activity that it belongs to.
    session_id: str | None = None
    created_at: datetime

    def placed(self, position: int, session_id: str) -> "Message":
        """The message at its place; spelled out, because `replace` takes four times as long and bulk has many."""
        return Message(
            user_id=self.user_id,
            message_id=self.message_id,
            chat_id=self.chat_id,
            position=position,
            role=self.role,
            text=self.text,
            model_id=self.model_id,
            model_variant=self.model_variant,
            name=self.name,
            token_usage=self.token_usage,
            tokens=self.tokens,
            importance_score=self.importance_score,
            session_id=session_id,
            created_at=self.created_at,
        )

    def to_dict(self) -> dict[str, Any]:
        """S0's MessageWithImportance, then ours; with the name only where there is one.

        S0 has one number for the usage: what the provider billed, or else our own count.
        """
        return {
            "id": self.message_id,
            "session_id": self.chat_id,
            "role": self.role.value,
            **({} if self.name is None else {"name": self.name}),
            "text": self.text,
            "model_id": self.model_id or "",
            "model_variant": self.model_variant,
            "token_usage": self.tokens if self.token_usage is None else self.token_usage,
            "created_at": iso(self.created_at),
            "importance_score": self.importance_score,
            "position": self.position,
            "tokens": self.tokens,
            "billed_tokens": self.token_usage,
            "session": self.session_id,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Utterance:
    """What a caller wants recorded; checked, but not yet a message."""

    role: Role
    text: str
    model_id: str | None = None
    model_variant: str | None = None
    #: Who speaks, when the role does not say it.
    name: str | None = None
    token_usage: int | None = None
    #: None: now.
    created_at: datetime | None = None


_FIELDS = ("role", "text", "model_id", "model_variant", "name", "token_usage", "created_at")


def utterance(values: Mapping[str, Any]) -> Utterance:
    """Read what a caller gives; an error names the field, and unknown fields are refused."""
    unknown = sorted(str(name) for name in values if name not in _FIELDS)
    if unknown:
        raise InvalidInput(
            f"messages: {unknown[0]!r} is no field; known are {', '.join(_FIELDS)}.", field=unknown[0]
        )
    created = values.get("created_at")
    return Utterance(
        role=parse_role(values.get("role")),
        text=check_message_text(values.get("text")),
        model_id=_name(values.get("model_id"), "model_id"),
        model_variant=_name(values.get("model_variant"), "model_variant"),
        name=check_speaker(given) if (given := values.get("name")) is not None else None,
        token_usage=_usage(values.get("token_usage")),
        created_at=_moment(created) if created is not None else None,
    )


def said_at(message_id: str) -> datetime | None:
    """When a message was said, by its id; None for ids that somebody else made."""
    number, mark, _ = message_id.partition("-")
    if not mark or len(number) != _ID_DIGITS or not (number.isascii() and number.isdigit()):
        return None
    return datetime.fromtimestamp(int(number) / 1000, UTC)


def parse_role(value: object) -> Role:
    """One of the four roles."""
    try:
        return Role(value)  # type: ignore[arg-type]
    except ValueError:
        raise InvalidInput(
            f"role must be one of {', '.join(Role)}, not {str(value)[:40]!r}.", field="role"
        ) from None


def check_message_text(value: object, *, field: str = "text") -> str:
    """Kept as it is, blanks included; but something must be said, and not without end."""
    text = check_text(value, field=field)
    if not text.strip():
        raise InvalidInput(f"{field} is empty; a message says something.", field=field)
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"{field} has {len(text)} characters (maximum {MAX_TEXT}).", field=field)
    return text


def check_name(value: object, *, field: str) -> str:
    """An id or a name that a caller chose."""
    text = check_text(value, field=field)
    if not text.strip() or len(text) > MAX_NAME:
        raise InvalidInput(f"{field} must have 1-{MAX_NAME} characters.", field=field)
    return text


def check_speaker(value: object) -> str:
    """The name of who speaks: one line, because words are looked up under it and lists show it."""
    name = check_name(value, field="name")
    if any(unicodedata.category(character) in _UNSEEN for character in name):
        raise InvalidInput("name has characters that cannot be seen.", field="name")
    return name


def _name(value: object, field: str) -> str | None:
    return None if value is None else check_name(value, field=field)


def _usage(value: object) -> int | None:
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < _LARGEST:
        raise InvalidInput("token_usage must be a whole number.", field="token_usage")
    return value


def _moment(value: object) -> datetime:
    if type(value) is datetime and value.tzinfo is UTC:
        # As most are; written out and read back it would be the same, at five times the cost.
        return whole_milliseconds(value)
    if isinstance(value, datetime):
        return parse(value.isoformat(), field="created_at")
    return parse(value, field="created_at")  # type: ignore[arg-type]
