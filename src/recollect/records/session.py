"""A session: a stretch of activity of a user with a persona (S4).

It opens with a message and closes after 30 idle minutes. Whoever returns within the grace period after that resumes it;
later a new one opens. Only the times of messages decide, so the answer is the same whether or not a worker was there
to close the session in time.
"""

from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any

from recollect.records.moment import iso

IDLE = timedelta(minutes=30)
#: After the idle time: a user who is back this soon goes on with the same session.
GRACE = timedelta(minutes=5)


@dataclass(frozen=True, slots=True, kw_only=True)
class Session:
    """One stretch."""

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
        """Where a list that ends with this session ended: its start, as stored, and its id."""
        return iso(self.started_at), self.session_id

    def to_dict(self) -> dict[str, Any]:
        """S4's names; the summary is added by whoever loads it."""
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
    """Where a session was talked: a chat, and the message in it that came first."""

    chat_id: str
    title: str | None
    first_message_id: str
    message_count: int

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "chat_id": self.chat_id,
            "title": self.title,
            "first_message_id": self.first_message_id,
            "message_count": self.message_count,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Touched:
    """What a message does to sessions."""

    session: Session
    #: The message opened it.
    opened: bool = False
    #: The message brought it back after it had been idle too long.
    resumed: bool = False
    #: The one before, which is over now.
    closed: Session | None = None


def touch(latest: Session | None, *, at: datetime, from_user: bool, fresh: Session) -> Touched:
    """Where a message of this moment belongs; `latest` is the last session that began before it.

    `fresh` is the session to open if one must be opened: its ids and times are the caller's to choose.
    """
    if latest is None:
        return Touched(session=_counted(fresh, from_user), opened=True)
    idle = at - latest.last_activity_at
    if idle > IDLE + GRACE:
        over = None if latest.ended_at is not None else closed(latest)
        return Touched(session=_counted(fresh, from_user), opened=True, closed=over)
    later = at > latest.last_activity_at
    # Spelled out, as a message's place is: `replace` takes four times as long, and an import touches thousands of times.
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
    """The session as it ends: when it had been idle for 30 minutes, not when somebody noticed."""
    return replace(session, ended_at=session.last_activity_at + IDLE)


def is_over(session: Session, now: datetime) -> bool:
    """Whether it has been idle long enough to be closed."""
    return session.ended_at is None and now - session.last_activity_at >= IDLE


def _counted(session: Session, from_user: bool) -> Session:
    return replace(session, turn_count=session.turn_count + int(from_user))
