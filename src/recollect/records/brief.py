"""The brief of a chat: the summary of everything that is no longer in its tail, and how far it reaches (S1).

A chat has one brief at a time; each fold writes a new revision and the older ones stay, so nothing that a summary once
said is lost. How a fold is decided is `fold`'s business.
"""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recollect.records.moment import iso


@dataclass(frozen=True, slots=True, kw_only=True)
class Brief:
    """One revision."""

    user_id: str
    chat_id: str
    #: The chat's revision when it was written; 0: nothing is folded yet.
    revision: int = 0
    global_summary: str = ""
    last_summarized_message_id: str | None = None
    tokens: int = 0
    #: Which summariser wrote it: "offline", a model's name, or a prompt's id and version.
    written_by: str = ""
    created_at: datetime | None = None

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "chat_id": self.chat_id,
            "global_summary": self.global_summary,
            "last_summarized_message_id": self.last_summarized_message_id,
            "revision": self.revision,
            "updated_at": iso(self.created_at) if self.created_at else None,
            "tokens": self.tokens,
            "written_by": self.written_by,
        }
