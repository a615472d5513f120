"""The parts of a context: everything that was loaded for it, before anything is chosen.

The engine loads them; each field gives its order.
"""

from dataclasses import dataclass
from datetime import datetime

from recollect.records.chat import Brief, Summary
from recollect.records.entity import Card
from recollect.records.hit import EpisodeHit, Hit
from recollect.records.memory import MemoryRecord
from recollect.records.message import Message
from recollect.records.pin import Pin
from recollect.records.session import RollingSummary, SessionSummary
from recollect.records.spine import Spine
from recollect.records.todo import Todo


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextParts:
    """The input for assembling a context."""

    chat_id: str | None
    persona_id: str | None
    now: datetime
    pins: tuple[Pin, ...]
    #: Already selected by `profile.select`, best first.
    profile: tuple[MemoryRecord, ...]
    seed_notes: str
    spine: Spine | None
    #: Of the last closed session of this persona.
    session_summary: SessionSummary | None
    #: Open ones of this persona.
    todos: tuple[Todo, ...]
    rolling: RollingSummary | None
    #: When the current session began; None if unknown.
    session_started_at: datetime | None = None
    brief: Brief | None
    #: The segments that the brief covers, oldest first.
    summaries: tuple[Summary, ...]
    #: Folded messages of importance 8 and more, newest first, at most 5.
    important: tuple[Message, ...]
    #: Such messages that are neither folded nor recent.
    missed: tuple[Message, ...] = ()
    #: At least the last turns, and older messages that are not folded, in the order of the chat.
    recent: tuple[Message, ...]
    #: Messages of the last turns that were not loaded because there are too many, and their tokens.
    unread: int = 0
    unread_tokens: int = 0
    #: Position of the last folded message.
    folded_position: int
    cards: tuple[Card, ...]
    #: Best first.
    hits: tuple[Hit, ...]
    #: Best first; some may also be recent or important messages.
    episodes: tuple[EpisodeHit, ...] = ()
    query: str = ""
    #: Whether the caller sends the conversation and the question itself, so that only memory is included.
    aside: bool = False
