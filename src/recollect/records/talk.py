"""A talk: one message of the user, answered by a model while the user waits.

The events of it, as clients see them, and what becomes of a reply that broke off. It knows no model and no stream.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from recollect.errors import RecollectError
from recollect.records.message import MAX_TEXT, Message

#: Stands at the end of a reply that is not whole.
BROKEN_OFF = " […]"


class TalkEventKind(StrEnum):
    """What can happen, in this order: `chat`, any number of deltas, then one of the last two."""

    CHAT = "chat"
    DELTA = "content.delta"
    COMPLETED = "message.completed"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class TalkEvent:
    """Something that happened in a talk."""

    kind: TalkEventKind
    #: The shape on the wire.
    data: Mapping[str, Any]
    #: What an `error` came from: over a network it is told in other words.
    cause: RecollectError | None = field(default=None, compare=False, repr=False)


def begun(asked: Message) -> TalkEvent:
    """The user's message is stored."""
    return TalkEvent(kind=TalkEventKind.CHAT, data={"chat_id": asked.chat_id, "message_id": asked.message_id})


def spoken(words: str) -> TalkEvent:
    """The model said something more."""
    return TalkEvent(kind=TalkEventKind.DELTA, data={"delta": words})


def completed(reply: Message) -> TalkEvent:
    """The reply is whole, and stored."""
    told = reply.to_dict()
    return TalkEvent(
        kind=TalkEventKind.COMPLETED,
        data={
            "message_id": reply.message_id,
            "text": reply.text,
            "model_variant": told["model_variant"],
            "token_usage": told["token_usage"],
        },
    )


def failed(error: str, kept: Message | None, cause: RecollectError | None = None) -> TalkEvent:
    """The model failed; what it had said by then is kept as a message, if it said anything."""
    named = {} if kept is None else {"message_id": kept.message_id}
    return TalkEvent(kind=TalkEventKind.ERROR, data={"error": error, **named}, cause=cause)


def kept_reply(text: str, *, whole: bool) -> str:
    """A reply as it is stored: marked when it is not whole, or longer than any message may be."""
    if whole and len(text) <= MAX_TEXT:
        return text
    return text[: MAX_TEXT - len(BROKEN_OFF)].rstrip() + BROKEN_OFF
