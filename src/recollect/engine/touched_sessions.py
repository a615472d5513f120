"""The sessions that recorded messages continue, close or open, written once for a whole batch.

`records/session.touch` decides which session a message belongs to; this module reads sessions once for a run of messages
and returns the resulting jobs. It knows nothing about chats.
"""

from bisect import bisect_right, insort
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from operator import itemgetter

from recollect.engine.parts import Parts
from recollect.records.job import NewJob
from recollect.records.message import Message, Role
from recollect.records.session import IDLE, Session, Touched, touch
from recollect.rules import follow_up
from recollect.store import sessions
from recollect.store.database import Connection


class TouchedSessions:
    """A batch's sessions, read when first needed and written once."""

    def __init__(self, parts: Parts, tx: Connection, user_id: str, persona_id: str | None) -> None:
        self._parts = parts
        self._tx = tx
        self._user_id = user_id
        self._persona_id = persona_id
        self._touched: dict[str, Session] = {}
        #: New sessions.
        self._opened: set[str] = set()
        #: The touched sessions' start times, in order, and the sessions themselves.
        self._starts: list[tuple[datetime, str]] = []
        #: The store's last answer, and the times for which it is valid.
        self._stored: Session | None = None
        self._from: datetime | None = None
        self._until: datetime | None = None
        self._jobs: list[NewJob] = []

    def touched(self, message: Message) -> str:
        """The session that a message belongs to."""
        at = message.created_at
        fresh = Session(
            user_id=self._user_id,
            session_id="",
            persona_id=self._persona_id,
            started_at=at,
            last_activity_at=at,
        )
        done = touch(self._latest(at), at=at, from_user=message.role is Role.USER, fresh=fresh)
        if done.opened:
            # Create the id only now, because few messages open a session.
            done = replace(done, session=replace(done.session, session_id=self._parts.new_id(at)))
            self._opened.add(done.session.session_id)
        self._keep(done.session)
        if done.closed is not None:
            self._keep(done.closed)
        self._jobs += _jobs_of(done)
        return done.session.session_id

    def save(self) -> list[NewJob]:
        """Write the touched sessions; return the resulting jobs."""
        for session_id, session in self._touched.items():
            (sessions.save if session_id in self._opened else sessions.go_on)(self._tx, session)
        return self._jobs

    def _keep(self, session: Session) -> None:
        if session.session_id not in self._touched:
            insort(self._starts, (session.started_at, session.session_id))
        self._touched[session.session_id] = session

    def _latest(self, at: datetime) -> Session | None:
        """The last session that began before a given time, in its current state."""
        stored = self._stored_at(at)
        place = bisect_right(self._starts, at, key=itemgetter(0))
        if not place or (stored is not None and stored.started_at > self._starts[place - 1][0]):
            return stored
        return self._touched[self._starts[place - 1][1]]

    def _stored_at(self, at: datetime) -> Session | None:
        """The last stored session that began before a given time, read once for a run of messages."""
        if self._from is None or at < self._from or (self._until is not None and at >= self._until):
            self._stored = sessions.at(self._tx, self._user_id, self._persona_id, at)
            self._until = sessions.next_start(self._tx, self._user_id, self._persona_id, at)
            self._from = at
        return self._stored


def _jobs_of(done: Touched) -> Iterable[NewJob]:
    if done.closed is not None:
        yield follow_up.summarise_session(done.closed.session_id)
    if done.opened or done.resumed:
        yield follow_up.close_session(done.session.session_id, done.session.last_activity_at + IDLE)
