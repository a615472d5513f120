"""The state of a user with a persona: what survives from session to session (S4's SessionState).

Counters, the last words, and how the last attempts at a rolling summary went. The rolling summary itself is kept in
revisions; the state shows the newest.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from recollect.records.message import Message, Role
from recollect.records.moment import iso

#: Characters of `lastUserMessage`; S4: "truncated".
MAX_LAST_MESSAGE = 200
#: Characters of a rolling summary (S4).
MAX_ROLLING = 600
#: The user's messages between two rolling summaries (S4: every 4 turns).
ROLLING_EVERY = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """One row a user and persona."""

    user_id: str
    persona_id: str | None = None
    #: The user's messages to this persona, ever (design 11.6).
    message_count: int = 0
    last_interaction: datetime | None = None
    last_user_message: str = ""
    #: Whose beginning that is, so that it can be forgotten with its message.
    last_user_message_id: str | None = None
    last_rolling_attempt_at: datetime | None = None
    last_rolling_success_at: datetime | None = None
    #: Why the last attempt failed: reason and detail; None when it did not.
    last_rolling_error: tuple[str, str] | None = None
    curator_last_run_at: datetime | None = None
    curator_memory_count: int = 0

    def to_dict(self, rolling_summary: str = "") -> dict[str, Any]:
        """S4's shape."""
        error = self.last_rolling_error
        return {
            "state": {
                "messageCount": self.message_count,
                "lastInteraction": _iso(self.last_interaction),
                "lastUserMessage": self.last_user_message,
                "curator": {
                    "lastRunAt": _iso(self.curator_last_run_at),
                    "lastMemoryCountAtRun": self.curator_memory_count,
                },
                "lastRollingAttemptAt": _iso(self.last_rolling_attempt_at),
                "lastRollingSuccessAt": _iso(self.last_rolling_success_at),
                "lastRollingError": {"reason": error[0], "detail": error[1]} if error else None,
                "lastUserMessageId": self.last_user_message_id,
            },
            "rollingSummary": rolling_summary,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class RollingSummary:
    """One revision of the rolling summary."""

    user_id: str
    persona_id: str | None
    revision: int
    summary: str
    #: The messages that it is about: from the first it was told of to the last.
    from_message_at: datetime
    until_message_at: datetime
    written_by: str = ""
    created_at: datetime

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "persona_id": self.persona_id,
            "revision": self.revision,
            "summary": self.summary,
            "from_message_at": iso(self.from_message_at),
            "until_message_at": iso(self.until_message_at),
            "written_by": self.written_by,
            "created_at": iso(self.created_at),
        }


def rolling_due(before: int, after: int) -> bool:
    """Whether these messages of the user call for a new rolling summary."""
    return after // ROLLING_EVERY > before // ROLLING_EVERY


def told(state: SessionState, said: Sequence[Message]) -> SessionState:
    """The state after these messages; what was said earlier than the last interaction does not become the last words."""
    if not said:
        return state
    spoken = [message for message in said if message.role is Role.USER]
    last = max(message.created_at for message in said)
    after = replace(
        state,
        message_count=state.message_count + len(spoken),
        last_interaction=max(last, state.last_interaction) if state.last_interaction else last,
    )
    words = max(spoken, key=lambda message: (message.created_at, message.position), default=None)
    if words is None or (state.last_interaction is not None and words.created_at < state.last_interaction):
        return after
    return replace(
        after, last_user_message=words.text[:MAX_LAST_MESSAGE], last_user_message_id=words.message_id
    )


def _iso(moment: datetime | None) -> str | None:
    return iso(moment) if moment else None
