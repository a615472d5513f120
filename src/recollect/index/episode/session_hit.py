"""A session that was found: what was said in one chat in one sitting, told by its best message.

The record and its shape on the wire. A session that went through two chats is found in each of them by itself. It does not
know how sessions are ranked (`theme`), nor what else was said there.
"""

from dataclasses import dataclass
from typing import Any

from recollect.index.episode.hit import said
from recollect.records.message import Message


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionHit:
    """One found session."""

    #: The message that fits the question best; `session_id` and `chat_id` say where it was.
    message: Message
    #: Of that message, 0-1.
    score: float
    #: 0-1: how much this session is about the same as those before it in the answer.
    theme: float = 0.0

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {**said(self.message), "score": self.score, "theme": self.theme}
