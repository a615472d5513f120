"""Look back: read sessions with their summaries, the state, and a chat's statistics, without changing anything."""

from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from recollect.engine.parts import Parts
from recollect.errors import NotFound
from recollect.records.chat import Brief
from recollect.records.job import JobStatus
from recollect.records.moment import iso
from recollect.records.session import RollingSummary, Session, SessionChat, SessionState, SessionSummary
from recollect.records.spine import Spine
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
    spines,
    summaries,
)
from recollect.store.database import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class PastSession:
    """A session, and its summary if there is one."""

    session: Session
    summary: SessionSummary | None = None
    #: The session's chats; set only if a single session was requested.
    chats: tuple[SessionChat, ...] = ()
    #: Every revision of the summary, oldest first, if requested.
    summaries: tuple[SessionSummary, ...] = ()

    def __str__(self) -> str:
        told = self.summary.digest.one_liner if self.summary else "not summarised yet"
        return f"{self.session.started_at:%Y-%m-%d %H:%M}: {told} ({self.session.session_id})"

    @property
    def cursor(self) -> tuple[str, str]:
        """The cursor of a page that ends with this session."""
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
    #: The personas that the user has talked with, by name.
    personas: tuple[str, ...] = ()
    #: Every revision of the rolling summary, oldest first, if requested.
    rolling_summaries: tuple[RollingSummary, ...] = ()

    @property
    def rolling_summary(self) -> str:
        return self.rolling.summary if self.rolling else ""

    def to_dict(self) -> dict[str, Any]:
        """S4's SessionState, followed by its user and persona and the whole rolling summary."""
        return {
            **self.state.to_dict(self.rolling_summary),
            "persona_id": self.state.persona_id,
            "rolling": self.rolling.to_dict() if self.rolling else None,
            "personas": list(self.personas),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class ChatStats:
    """A chat's statistics: S0's MemoryStats, then sizes, lag and the savings from folding."""

    total_messages: int
    total_summaries: int
    total_pins: int
    oldest_message: datetime | None
    newest_message: datetime | None
    average_importance_score: float
    #: Tokens of all messages, of the folded ones, and of the brief that replaces them.
    total_tokens: int
    covered_tokens: int
    brief_tokens: int
    #: S0: the segment summaries' size relative to the text they replace; lower is better.
    compression_ratio: float | None
    #: Messages after the brief.
    unfolded_messages: int
    unfolded_tokens: int
    #: The user's open and dead jobs, and how long the oldest has been waiting.
    open_jobs: int
    dead_jobs: int
    lag_seconds: float

    def to_dict(self) -> dict[str, Any]:
        """S0's field names, and ours in the same style."""
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
    parts: Parts,
    user_id: str,
    *,
    persona_id: str | None,
    limit: int,
    before: tuple[str, str] | None,
) -> list[PastSession]:
    """Sessions, most recent first; a persona of None means any."""

    def load(tx: Connection) -> list[PastSession]:
        found = sessions.page(tx, user_id, persona_id=persona_id, limit=limit, before=before)
        told = session_summaries.current_of(tx, user_id, [session.session_id for session in found])
        return [PastSession(session=session, summary=told.get(session.session_id)) for session in found]

    return await parts.database.read(user_id, load)


async def past_session(
    parts: Parts, user_id: str, session_id: str, *, revisions: bool = False
) -> PastSession:
    """One session."""

    def load(tx: Connection) -> PastSession:
        session = sessions.get(tx, user_id, session_id)
        if session is None:
            raise NotFound(f"There is no session {session_id!r}.", id=session_id)
        every = session_summaries.revisions(tx, user_id, session_id) if revisions else ()
        return PastSession(
            session=session,
            summary=session_summaries.current(tx, user_id, session_id),
            chats=tuple(sessions.chats(tx, user_id, session_id)),
            summaries=tuple(every),
        )

    return await parts.database.read(user_id, load)


async def state(parts: Parts, user_id: str, persona_id: str | None, *, revisions: bool = False) -> State:
    """The state of a user with a persona; empty before the first message."""

    def load(tx: Connection) -> State:
        states = session_states.of_user(tx, user_id)
        known = next((one for one in states if one.persona_id == persona_id), None)
        every = rolling_summaries.revisions(tx, user_id, persona_id) if revisions else ()
        return State(
            state=known or SessionState(user_id=user_id, persona_id=persona_id),
            rolling=rolling_summaries.current(tx, user_id, persona_id),
            personas=tuple(one.persona_id for one in states if one.persona_id is not None),
            rolling_summaries=tuple(every),
        )

    return await parts.database.read(user_id, load)


async def spine(
    parts: Parts, user_id: str, *, version: int | None = None, revisions: bool = False
) -> Spine | None:
    """The newest or the given version; None if there are none yet."""

    def load(tx: Connection) -> Spine | None:
        if version is None:
            found = spines.current(tx, user_id)
        else:
            found = spines.version(tx, user_id, version)
            if found is None:
                raise NotFound(f"There is no spine of version {version}.", id=str(version))
        if found is None or not revisions:
            return found
        return replace(found, revisions=tuple(spines.versions(tx, user_id)))

    return await parts.database.read(user_id, load)


async def brief(
    parts: Parts, user_id: str, chat_id: str, *, revision: int | None = None, revisions: bool = False
) -> Brief:
    """The newest or the given revision; empty if nothing has been folded."""

    def load(tx: Connection) -> Brief:
        empty = Brief(user_id=user_id, chat_id=chat_id)
        if revision is None and not revisions:
            return briefs.current(tx, user_id, chat_id) or empty
        every = briefs.revisions(tx, user_id, chat_id)
        if revision is None:
            found = every[-1] if every else empty
        else:
            found = next((one for one in every if one.revision == revision), None)
            if found is None:
                raise NotFound(f"Chat {chat_id!r} has no brief of revision {revision}.", id=str(revision))
        return replace(found, revisions=tuple(every)) if revisions else found

    return await parts.database.read(user_id, load)


async def chat_stats(parts: Parts, user_id: str, chat_id: str) -> ChatStats:
    """A chat's statistics."""

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
