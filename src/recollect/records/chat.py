"""A chat: one thread of messages between a user and a persona, with its brief and the segments that the brief covers.

The counters allow recording a message without reading the thread. Each fold writes a new revision of the brief and keeps the
older ones. Segments are contiguous: each starts right after the previous one, so no message is summarised twice or left
out. `rules/fold` decides what to fold. S0 calls a chat's ID `session_id`, S1 `chat_id`.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from recollect.errors import Conflict
from recollect.records.message import Message
from recollect.records.moment import iso

#: Maximum characters of a title.
MAX_TITLE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatRecord:
    """One chat."""

    user_id: str
    chat_id: str
    persona_id: str | None = None
    #: Set by the user; without one, lists show the beginning of the first message.
    title: str | None = None
    created_at: datetime
    last_message_at: datetime | None = None
    message_count: int = 0
    #: The highest position ever assigned.
    last_position: int = 0
    #: Increases with each fold, edit and deletion, but not with an append. Decisions based on an older revision are stale.
    revision: int = 0
    #: Position of the last message that the brief covers; 0 if nothing is folded.
    folded_position: int = 0
    #: The end of what was folded before an edit or a deletion undid it; it is folded again, due or not.
    refold_position: int = 0
    #: Messages and tokens after the fold (S1's chunk buffer).
    unfolded_messages: int = 0
    unfolded_tokens: int = 0
    #: Position of the last message that the judge has read; 0 if none.
    judged_position: int = 0

    def __str__(self) -> str:
        return f"{self.title or 'untitled'} ({self.chat_id})"

    @property
    def cursor(self) -> tuple[str, str]:
        """This chat's place in lists: its last activity, as stored, and its ID."""
        return iso(self.last_message_at or self.created_at), self.chat_id

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
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
    """Refuse any persona other than the chat's."""
    if persona_id is not None and chat.persona_id != persona_id:
        raise Conflict(f"Chat {chat.chat_id!r} belongs to persona {chat.persona_id!r}, not {persona_id!r}.")


def titled(chat: ChatRecord, beginning: str) -> ChatRecord:
    """The chat with a title for lists: its own, or its first words."""
    return chat if chat.title else replace(chat, title=" ".join(beginning.split()) or None)


def grown(chat: ChatRecord, said: Sequence[Message]) -> ChatRecord:
    """The chat after appending these messages."""
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


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """One revision of a chat's brief: the summary of all messages before its tail (S1)."""

    user_id: str
    chat_id: str
    #: The chat's revision when it was written; 0 if nothing is folded.
    revision: int = 0
    global_summary: str = ""
    last_summarized_message_id: str | None = None
    tokens: int = 0
    #: Its author: "offline", a model's name, or a prompt's ID and version.
    written_by: str = ""
    created_at: datetime | None = None
    #: Every revision, oldest first, if requested.
    revisions: tuple["Brief", ...] = ()

    def __str__(self) -> str:
        return self.global_summary

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "chat_id": self.chat_id,
            "global_summary": self.global_summary,
            "last_summarized_message_id": self.last_summarized_message_id,
            "revision": self.revision,
            "updated_at": iso(self.created_at) if self.created_at else None,
            "tokens": self.tokens,
            "written_by": self.written_by,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """The summary of one folded segment of a chat (S0's ConversationSummary)."""

    user_id: str
    summary_id: str
    chat_id: str
    summary: str
    message_count: int
    start_message_id: str
    end_message_id: str
    #: The positions of these messages, which order segments without reading messages.
    start_position: int
    end_position: int
    importance_score: float
    #: Tokens of the summary, and of the messages that it covers.
    tokens: int
    covered_tokens: int
    created_at: datetime

    def to_dict(self) -> dict[str, Any]:
        """S0's shape, then ours."""
        return {
            "id": self.summary_id,
            "session_id": self.chat_id,
            "summary": self.summary,
            "message_count": self.message_count,
            "start_message_id": self.start_message_id,
            "end_message_id": self.end_message_id,
            "importance_score": self.importance_score,
            "created_at": iso(self.created_at),
            "start_position": self.start_position,
            "end_position": self.end_position,
            "tokens": self.tokens,
            "covered_tokens": self.covered_tokens,
        }
