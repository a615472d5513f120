"""Messages: utterances in a chat, kept verbatim, and the turns that they form.

A deleted message leaves its position empty; positions are never reused. A turn is a message of the user with everything up to
the next one: several replies, tool and system messages, or nothing while the reply is missing. Messages before the user's
first one form a turn without a user. So every message is in exactly one turn, and a fold of whole turns is complete. Turns
are derived, never stored (S1). `rules/importance` scores messages.
"""

import unicodedata
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

from recollect.errors import InvalidInput
from recollect.records.memory import check_text, one_of
from recollect.records.moment import iso, parse, whole_milliseconds

#: Maximum characters of one message.
MAX_TEXT = 200_000
#: Maximum characters of an ID from a caller: chats, personas, models.
MAX_NAME = 256
#: Maximum messages per call, so that transactions stay short.
MAX_BATCH = 10_000
#: The largest count that JSON readers in other languages can represent.
_LARGEST = 2**53
#: Digits of the milliseconds at the beginning of our ids.
_ID_DIGITS = 13
#: Unicode's control characters, line separators and paragraph separators.
_UNSEEN = frozenset(("Cc", "Zl", "Zp"))


class Role(StrEnum):
    """The speaker's role."""

    USER = "user"
    ASSISTANT = "assistant"
    SYSTEM = "system"
    TOOL = "tool"


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """One message."""

    user_id: str
    message_id: str
    chat_id: str
    #: Counts up from 1 within the chat; never reused.
    position: int
    role: Role
    text: str
    model_id: str | None = None
    model_variant: str | None = None
    #: The speaker's name, where several people share a role.
    name: str | None = None
    #: Tokens that the provider billed, if known.
    token_usage: int | None = None
    #: Tokens of the text in our tokenizer.
    tokens: int
    importance_score: float
    #: Its session, a period of activity.
    session_id: str | None = None
    created_at: datetime

    def __str__(self) -> str:
        return f"{self.name or self.role.value}: {self.text} ({self.message_id})"

    def placed(self, position: int, session_id: str) -> "Message":
        """The message with its position; spelled out because `replace` takes four times as long."""
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
        """S0's MessageWithImportance and our fields; the name only if there is one.

        S0 has one number for the usage: what the provider billed, or else our count.
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
    """A message to record; checked, but without id, position and score."""

    role: Role
    text: str
    model_id: str | None = None
    model_variant: str | None = None
    #: The speaker's name, where several people share a role.
    name: str | None = None
    token_usage: int | None = None
    #: None: now.
    created_at: datetime | None = None


_FIELDS = ("role", "text", "model_id", "model_variant", "name", "token_usage", "created_at")


def utterance(values: Mapping[str, Any]) -> Utterance:
    """Read a message from a caller; an error names the field, and unknown fields are refused."""
    unknown = sorted(str(name) for name in values if name not in _FIELDS)
    if unknown:
        raise InvalidInput(
            f"messages: unknown field {unknown[0]!r}; known fields are {', '.join(_FIELDS)}.",
            field=unknown[0],
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
    """When a message was created, according to its id; None for ids that are not ours."""
    number, mark, _ = message_id.partition("-")
    if not mark or len(number) != _ID_DIGITS or not (number.isascii() and number.isdigit()):
        return None
    return datetime.fromtimestamp(int(number) / 1000, UTC)


def parse_role(value: object) -> Role:
    """One of the four roles."""
    return one_of(Role, value, field="role")


def check_message_text(value: object, *, field: str = "text") -> str:
    """The text unchanged; refuses empty and overlong texts."""
    text = check_text(value, field=field)
    if not text.strip():
        raise InvalidInput(f"{field} must not be empty.", field=field)
    if len(text) > MAX_TEXT:
        raise InvalidInput(f"{field} has {len(text)} characters (maximum {MAX_TEXT}).", field=field)
    return text


def check_name(value: object, *, field: str) -> str:
    """An id or a name from a caller."""
    text = check_text(value, field=field)
    if not text.strip() or len(text) > MAX_NAME:
        raise InvalidInput(f"{field} must have 1-{MAX_NAME} characters.", field=field)
    return text


def check_speaker(value: object) -> str:
    """The speaker's name, without control characters: searches use it and lists show it."""
    name = check_name(value, field="name")
    if any(unicodedata.category(character) in _UNSEEN for character in name):
        raise InvalidInput("name must not contain control characters.", field="name")
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
        # The common case; formatting and parsing it would give the same at five times the cost.
        return whole_milliseconds(value)
    if isinstance(value, datetime):
        return parse(value.isoformat(), field="created_at")
    return parse(value, field="created_at")  # type: ignore[arg-type]


SPEAKERS = {Role.USER: "User", Role.ASSISTANT: "Assistant", Role.SYSTEM: "System", Role.TOOL: "Tool"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One exchange: at least one message, in the order of the chat."""

    messages: tuple[Message, ...]

    @property
    def replies(self) -> tuple[Message, ...]:
        """The assistant's messages; empty while the reply is missing."""
        return tuple(message for message in self.messages if message.role is Role.ASSISTANT)

    @property
    def tokens(self) -> int:
        return sum(message.tokens for message in self.messages)

    @property
    def last(self) -> Message:
        return self.messages[-1]


def turns_of(messages: Iterable[Message]) -> list[Turn]:
    """Group messages, given in the order of the chat, into turns."""
    groups: list[list[Message]] = []
    for message in messages:
        if message.role is Role.USER or not groups:
            groups.append([message])
        else:
            groups[-1].append(message)
    return [Turn(messages=tuple(group)) for group in groups]


def messages_of(turns: Sequence[Turn]) -> list[Message]:
    """The messages of these turns, in order."""
    return [message for turn in turns for message in turn.messages]


#: The question marks of Latin and most other scripts, of Chinese and Japanese, and of Arabic.
_MARKS = ("?", "？", "؟")
#: Characters at the end of a message to search for its question: two sentences, because people add thanks.
NEAR_END = 160


def asks(text: str) -> bool:
    """Whether a message ends with a question, so that the next one is likely its answer: a question mark near its end."""
    end = text[-NEAR_END:]
    return any(mark in end for mark in _MARKS)
