"""A chat: one thread of messages between a user and a persona.

The record with its counters. What is counted here (how much is not folded yet) lets a message be recorded without
reading the thread: its cost does not grow with the chat. S0 calls a chat's id `session_id`, S1 `chat_id`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from recollect.errors import Conflict
from recollect.records.message import Message
from recollect.records.moment import iso

#: Characters of a title.
MAX_TITLE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRecord:
    """One thread."""

    user_id: str
    chat_id: str
    persona_id: str | None = None
    #: Given by hand; without one, a list shows the beginning of the first message.
    title: str | None = None
    created_at: datetime
    last_message_at: datetime | None = None
    message_count: int = 0
    #: The highest position ever given.
    last_position: int = 0
    #: Grows with each change but an append: folds, edits, deletions. What was decided on an older one is stale.
    revision: int = 0
    #: Position of the last message that the brief covers; 0: nothing is folded.
    folded_position: int = 0
    #: Up to here everything had been folded before an edit or a deletion took it back: it is folded again, due or not.
    refold_position: int = 0
    #: What follows the fold: S1's chunk buffer, in numbers.
    unfolded_messages: int = 0
    unfolded_tokens: int = 0
    #: Position of the last message that the judge has read; 0: none.
    judged_position: int = 0

    @property
    def cursor(self) -> tuple[str, str]:
        """Where a list that ends with this chat ended: its last activity, as stored, and its id."""
        return iso(self.last_message_at or self.created_at), self.chat_id

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "chat_id": self.chat_id,
            "title": self.title,
            "persona_id": self.persona_id,
            "message_count": self.message_count,
            "last_message_at": iso(self.last_message_at) if self.last_message_at else None,
            "created_at": iso(self.created_at),
            "last_position": self.last_position,
            "revision": self.revision,
            "folded_position": self.folded_position,
            "refold_position": self.refold_position,
            "unfolded_messages": self.unfolded_messages,
            "unfolded_tokens": self.unfolded_tokens,
            "judged_position": self.judged_position,
        }


def check_persona(chat: ChatRecord, persona_id: str | None) -> None:
    """A chat belongs to one persona; whoever names another means another chat."""
    if persona_id is not None and chat.persona_id != persona_id:
        raise Conflict(f"Chat {chat.chat_id!r} belongs to persona {chat.persona_id!r}, not {persona_id!r}.")


def titled(chat: ChatRecord, beginning: str) -> ChatRecord:
    """The chat as a list shows it: under its own title, or under its first words."""
    return chat if chat.title else replace(chat, title=" ".join(beginning.split()) or None)


def grown(chat: ChatRecord, said: Sequence[Message]) -> ChatRecord:
    """The chat with these messages at its end."""
    if not said:
        return chat
    last = max(message.created_at for message in said)
    return replace(
        chat,
        last_message_at=max(last, chat.last_message_at) if chat.last_message_at else last,
        message_count=chat.message_count + len(said),
        last_position=said[-1].position,
        unfolded_messages=chat.unfolded_messages + len(said),
        unfolded_tokens=chat.unfolded_tokens + sum(message.tokens for message in said),
    )
