"""The parts of a context: everything that was loaded for it, before anything is chosen.

Records as they are stored, in the order that each field names. Loading them is the engine's business; nothing here
decides what is shown.
"""

from dataclasses import dataclass
from datetime import datetime

from recollect.index.episode.hit import EpisodeHit
from recollect.index.recall import Hit
from recollect.records.brief import Brief
from recollect.records.card import Card
from recollect.records.memory import MemoryRecord
from recollect.records.message import Message
from recollect.records.pin import Pin
from recollect.records.session_state import RollingSummary
from recollect.records.session_summary import SessionSummary
from recollect.records.spine import Spine
from recollect.records.summary import Summary
from recollect.records.todo import Todo


@dataclass(frozen=True, slots=True, kw_only=True)
class ContextParts:
    """What a context is assembled from."""

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
    #: When the session of this moment began; None: no matter.
    session_started_at: datetime | None = None
    brief: Brief | None
    #: The segments behind the brief, oldest first.
    summaries: tuple[Summary, ...]
    #: Folded messages of importance 8 and more, newest first, at most 5.
    important: tuple[Message, ...]
    #: The same of messages that are neither folded nor recent.
    missed: tuple[Message, ...] = ()
    #: In the order of the chat: at least the last turns, and older messages that are not folded.
    recent: tuple[Message, ...]
    #: Messages inside the last turns that were not loaded because there are too many, and their tokens.
    unread: int = 0
    unread_tokens: int = 0
    #: Position of the last folded message.
    folded_position: int
    cards: tuple[Card, ...]
    #: Best first.
    hits: tuple[Hit, ...]
    #: Best first; some of them may be recent or important messages too.
    episodes: tuple[EpisodeHit, ...] = ()
    query: str = ""
    #: Conversation and question are sent by somebody else: only what is remembered is wanted.
    aside: bool = False
