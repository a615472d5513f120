"""Sessions: periods of activity between a user and a persona, their summaries, and the state that outlives them (S4).

A session opens with a message and closes after 30 idle minutes. A message within the grace period after that resumes it; a
later one opens a new session. Only message times count, so the result does not depend on whether a worker closed the session
in time. Each close writes a revision of the session's summary. The state has counters, the user's last message and the
outcome of the last rolling summary, which has its own revisions.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any, cast

from recollect.records.message import Message, Role
from recollect.records.moment import iso

IDLE = timedelta(minutes=30)
#: After the idle time: a user who returns this soon continues the same session.
GRACE = timedelta(minutes=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One session."""

    user_id: str
    session_id: str
    persona_id: str | None = None
    started_at: datetime
    last_activity_at: datetime
    #: None while it is active.
    ended_at: datetime | None = None
    #: The user's messages in it (design 11.6).
    turn_count: int = 0

    @property
    def cursor(self) -> tuple[str, str]:
        """This session's place in lists: its start, as stored, and its ID."""
        return iso(self.started_at), self.session_id

    def to_dict(self) -> dict[str, Any]:
        """S4's names, without the summary."""
        return {
            "id": self.session_id,
            "persona_id": self.persona_id,
            "startedAt": iso(self.started_at),
            "lastActivityAt": iso(self.last_activity_at),
            "endedAt": iso(self.ended_at) if self.ended_at else None,
            "turnCount": self.turn_count,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionChat:
    """A chat of a session, with its first message in that session."""

    chat_id: str
    title: str | None
    first_message_id: str
    message_count: int

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "chat_id": self.chat_id,
            "title": self.title,
            "first_message_id": self.first_message_id,
            "message_count": self.message_count,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """The effect of a message on sessions."""

    session: Session
    #: Whether the message opened it.
    opened: bool = False
    #: Whether the message resumed it after it had been idle too long.
    resumed: bool = False
    #: The previous session, which is now closed.
    closed: Session | None = None


def touch(latest: Session | None, *, at: datetime, from_user: bool, fresh: Session) -> Touched:
    """The session for a message at this moment; `latest` is the last session that started before it.

    `fresh` is the session to open if needed; the caller chooses its ID and times.
    """
    if latest is None:
        return Touched(session=_counted(fresh, from_user), opened=True)
    idle = at - latest.last_activity_at
    if idle > IDLE + GRACE:
        over = None if latest.ended_at is not None else closed(latest)
        return Touched(session=_counted(fresh, from_user), opened=True, closed=over)
    later = at > latest.last_activity_at
    # Spelled out, because `replace` takes four times as long, and an import calls this thousands of times.
    going_on = Session(
        user_id=latest.user_id,
        session_id=latest.session_id,
        persona_id=latest.persona_id,
        started_at=latest.started_at,
        last_activity_at=at if later else latest.last_activity_at,
        ended_at=None if later else latest.ended_at,
        turn_count=latest.turn_count + int(from_user),
    )
    return Touched(
        session=going_on, resumed=idle > IDLE or (latest.ended_at is not None and going_on.ended_at is None)
    )


def closed(session: Session) -> Session:
    """The closed session; its end is after 30 idle minutes, not when that was noticed."""
    return replace(session, ended_at=session.last_activity_at + IDLE)


def is_over(session: Session, now: datetime) -> bool:
    """Whether it has been idle long enough to be closed."""
    return session.ended_at is None and now - session.last_activity_at >= IDLE


def _counted(session: Session, from_user: bool) -> Session:
    return replace(session, turn_count=session.turn_count + int(from_user))


#: Characters of `lastUserMessage`; S4: "truncated".
MAX_LAST_MESSAGE = 200
#: Characters of a rolling summary (S4).
MAX_ROLLING = 600
#: The user's messages between two rolling summaries (S4: every 4 turns).
ROLLING_EVERY = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionState:
    """The state of one user with one persona."""

    user_id: str
    persona_id: str | None = None
    #: The user's messages to this persona, ever (design 11.6).
    message_count: int = 0
    last_interaction: datetime | None = None
    last_user_message: str = ""
    #: The message whose beginning is `last_user_message`, so that both are forgotten together.
    last_user_message_id: str | None = None
    last_rolling_attempt_at: datetime | None = None
    last_rolling_success_at: datetime | None = None
    #: Why the last attempt failed: reason and detail; None if it succeeded.
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
    #: The times of the first and the last message that it covers.
    from_message_at: datetime
    until_message_at: datetime
    written_by: str = ""
    created_at: datetime

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
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
    """Whether these user messages require a new rolling summary."""
    return after // ROLLING_EVERY > before // ROLLING_EVERY


def state_after(state: SessionState, said: Sequence[Message]) -> SessionState:
    """The state after these messages; one older than the last interaction does not become the last message."""
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


#: Items of each list and characters of each text of a digest.
MAX_ITEMS = 7
MAX_ITEM = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionDigest:
    """The content of a session, in S4's six fields."""

    one_liner: str
    what_mattered: tuple[str, ...] = ()
    open_loops: tuple[str, ...] = ()
    commitments: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    tone: str = "neutral"

    def to_dict(self) -> dict[str, Any]:
        """S4's JSON."""
        return {
            "one_liner": self.one_liner,
            "what_mattered": list(self.what_mattered),
            "open_loops": list(self.open_loops),
            "commitments": list(self.commitments),
            "people": list(self.people),
            "tone": self.tone,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionSummary:
    """One revision of a session's digest."""

    user_id: str
    session_id: str
    revision: int
    digest: SessionDigest
    #: When the session ended; known when the summary was loaded with its session.
    session_at: datetime | None = None
    written_by: str = ""
    created_at: datetime

    def to_dict(self) -> dict[str, Any]:
        """The wire format: S4's fields, wrapped in the revision."""
        return {
            "revision": self.revision,
            "summary": self.digest.to_dict(),
            "written_by": self.written_by,
            "session_at": iso(self.session_at) if self.session_at else None,
            "created_at": iso(self.created_at),
        }


def digest_from(values: Mapping[str, Any]) -> SessionDigest:
    """Read S4's JSON; a ValueError says what is wrong."""
    return SessionDigest(
        one_liner=_item(values.get("one_liner"), "one_liner"),
        tone=_item(values.get("tone") or "neutral", "tone"),
        **{
            name: _items(values.get(name) or [], name)
            for name in ("what_mattered", "open_loops", "commitments", "people")
        },
    )


def _items(value: object, name: str) -> tuple[str, ...]:
    if not isinstance(value, list):
        raise ValueError(f"{name} must be a list")
    texts = [_item(item, name) for item in cast("list[object]", value)]
    return tuple(dict.fromkeys(text for text in texts if text))[:MAX_ITEMS]


def _item(value: object, name: str) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{name} must be text")
    return " ".join(value.split())[:MAX_ITEM].rstrip()
