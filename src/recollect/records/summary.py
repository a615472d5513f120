"""A summary: the record of one folded segment of a chat (S0's ConversationSummary).

Segments touch: each starts at the message after the last one's end, so no message is summarised twice or left out.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recollect.records.moment import iso


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What one segment said."""

    user_id: str
    summary_id: str
    chat_id: str
    summary: str
    message_count: int
    start_message_id: str
    end_message_id: str
    #: Positions of the two, so that segments can be ordered without reading messages.
    start_position: int
    end_position: int
    importance_score: float
    #: Tokens of the summary, and of the messages that it stands for.
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
