"""Look back: sessions with their summaries, the state, and a chat in numbers; all of it read, nothing changed."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recollect.engine.parts import Parts
from recollect.errors import NotFound
from recollect.records.job import JobStatus
from recollect.records.moment import iso
from recollect.records.session import Session, SessionChat
from recollect.records.session_state import RollingSummary, SessionState
from recollect.records.session_summary import SessionSummary
from recollect.store import (
    briefs,
    chats,
    jobs,
    messages,
    pins,
    rolling_summaries,
    session_states,
    session_summaries,
    sessions,
    summaries,
)
from recollect.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class PastSession:
    """A session, and its summary once there is one."""

    session: Session
    summary: SessionSummary | None = None
    #: Where it was talked; known where one session was asked for.
    chats: tuple[SessionChat, ...] = ()

    @property
    def cursor(self) -> tuple[str, str]:
        """Where a list that ends with this session ended."""
        return self.session.cursor

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            **self.session.to_dict(),
            "summary": self.summary.digest.to_dict() if self.summary else None,
            "summarised": self.summary.to_dict() if self.summary else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class State:
    """The state of a user with a persona, and the newest rolling summary."""

    state: SessionState
    rolling: RollingSummary | None = None

    @property
    def rolling_summary(self) -> str:
        return self.rolling.summary if self.rolling else ""

    def to_dict(self) -> dict[str, Any]:
        """S4's SessionState, then whose it is and the whole rolling summary."""
        return {
            **self.state.to_dict(self.rolling_summary),
            "persona_id": self.state.persona_id,
            "rolling": self.rolling.to_dict() if self.rolling else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatStats:
    """A chat in numbers: S0's MemoryStats, then sizes, lag and what folding saves."""

    total_messages: int
    total_summaries: int
    total_pins: int
    oldest_message: datetime | None
    newest_message: datetime | None
    average_importance_score: float
    #: Tokens of all messages, of those that are folded, and of the brief that stands for them.
    total_tokens: int
    covered_tokens: int
    brief_tokens: int
    #: S0: what the segments' summaries take, as a share of what they stand for; lower is better.
    compression_ratio: float | None
    #: What follows the brief.
    unfolded_messages: int
    unfolded_tokens: int
    #: The user's jobs that are open, those that are dead, and how long the oldest has been waiting.
    open_jobs: int
    dead_jobs: int
    lag_seconds: float

    def to_dict(self) -> dict[str, Any]:
        """S0's names, and ours in the same manner."""
        return {
            "totalMessages": self.total_messages,
            "totalSummaries": self.total_summaries,
            "totalPins": self.total_pins,
            "oldestMessage": iso(self.oldest_message) if self.oldest_message else None,
            "newestMessage": iso(self.newest_message) if self.newest_message else None,
            "averageImportanceScore": round(self.average_importance_score, 2),
            "totalTokens": self.total_tokens,
            "coveredTokens": self.covered_tokens,
            "briefTokens": self.brief_tokens,
            "compressionRatio": None if self.compression_ratio is None else round(self.compression_ratio, 4),
            "unfoldedMessages": self.unfolded_messages,
            "unfoldedTokens": self.unfolded_tokens,
            "openJobs": self.open_jobs,
            "deadJobs": self.dead_jobs,
            "lagSeconds": round(self.lag_seconds, 3),
        }


async def past_sessions(
    parts: Parts, user_id: str, *, persona_id: str | None, limit: int, before: tuple[str, str] | None
) -> list[PastSession]:
    """Sessions, last begun first; a persona of None means any."""

    def load(tx: Connection) -> list[PastSession]:
        found = sessions.page(tx, user_id, persona_id=persona_id, limit=limit, before=before)
        told = session_summaries.current_of(tx, user_id, [session.session_id for session in found])
        return [PastSession(session=session, summary=told.get(session.session_id)) for session in found]

    return await parts.database.read(user_id, load)


async def past_session(parts: Parts, user_id: str, session_id: str) -> PastSession:
    """One session."""

    def load(tx: Connection) -> PastSession:
        session = sessions.get(tx, user_id, session_id)
        if session is None:
            raise NotFound(f"There is no session {session_id!r}.", id=session_id)
        return PastSession(
            session=session,
            summary=session_summaries.current(tx, user_id, session_id),
            chats=tuple(sessions.chats(tx, user_id, session_id)),
        )

    return await parts.database.read(user_id, load)


async def state(parts: Parts, user_id: str, persona_id: str | None) -> State:
    """How a user stands with a persona; an empty state before the first word."""

    def load(tx: Connection) -> State:
        known = session_states.get(tx, user_id, persona_id)
        return State(
            state=known or SessionState(user_id=user_id, persona_id=persona_id),
            rolling=rolling_summaries.current(tx, user_id, persona_id),
        )

    return await parts.database.read(user_id, load)


async def chat_stats(parts: Parts, user_id: str, chat_id: str) -> ChatStats:
    """A chat in numbers."""

    def load(tx: Connection) -> ChatStats:
        chat = chats.get(tx, user_id, chat_id)
        if chat is None:
            raise NotFound(f"There is no chat {chat_id!r}.", id=chat_id)
        said = messages.figures(tx, user_id, chat_id)
        folded = summaries.totals(tx, user_id, chat_id)
        brief = briefs.current(tx, user_id, chat_id)
        work = jobs.figures(tx, parts.now(), user_id)
        return ChatStats(
            total_messages=said.count,
            total_summaries=folded.count,
            total_pins=len(pins.of_chat(tx, user_id, chat_id)),
            oldest_message=said.oldest,
            newest_message=said.newest,
            average_importance_score=said.average_importance,
            total_tokens=said.tokens,
            covered_tokens=folded.covered_tokens,
            brief_tokens=brief.tokens if brief else 0,
            compression_ratio=folded.tokens / folded.covered_tokens if folded.covered_tokens else None,
            unfolded_messages=chat.unfolded_messages,
            unfolded_tokens=chat.unfolded_tokens,
            open_jobs=jobs.open_count(tx, user_id, parts.now()),
            dead_jobs=work.total(JobStatus.DEAD),
            lag_seconds=work.lag_seconds,
        )

    return await parts.database.read(user_id, load)
