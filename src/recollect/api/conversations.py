"""The face for conversations: chats, contexts across them, sessions, the spine, todos, the seed, background work.

The methods translate arguments and hand over to the verbs of the engine; no rule lives here.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from recollect.api.asked_episodes import asked_at
from recollect.api.chat import AsyncChat
from recollect.api.opened import LOCAL_USER, Opened, as_cursor, as_limit, as_moment, as_zone
from recollect.context import Context
from recollect.engine import amend, assemble, look_back, spending, track
from recollect.engine import judge as judging
from recollect.engine import pin as pinning
from recollect.engine import seed as seeding
from recollect.engine.amend import Amended
from recollect.engine.judge import Judged
from recollect.engine.look_back import PastSession, State
from recollect.engine.parts import Parts
from recollect.engine.pin import PinEdit
from recollect.engine.spending import SpentToday
from recollect.errors import InvalidInput, NotFound
from recollect.records.chat import ChatRecord, titled
from recollect.records.job import Job, JobKind, JobStatus
from recollect.records.memory import check_user_id
from recollect.records.message import Message, check_message_text, check_name
from recollect.records.pin import Pin
from recollect.records.seed import Seed
from recollect.records.session_state import RollingSummary
from recollect.records.session_summary import SessionSummary
from recollect.records.spine import Spine
from recollect.records.todo import Todo, TodoKind, TodoStatus, parse_kind, parse_todo_status
from recollect.rules.budget import DEFAULT_BUDGET
from recollect.store import (
    chats,
    jobs,
    rolling_summaries,
    seeds,
    session_states,
    session_summaries,
    sessions,
    spines,
    todos,
)
from recollect.store.database import EVERYONE, Connection
from recollect.store.jobs import JobFigures

#: The most rows that one page of a list holds.
MAX_PAGE = 1000


class Conversations(Opened):
    """What was said, and what is made of it."""

    def chat(self, chat_id: str, *, user: str = LOCAL_USER, persona: str | None = None) -> AsyncChat:
        """One thread; it is made with its first message. A persona that is named must be the chat's own."""
        return AsyncChat(self._working, chat_id, user_id=check_user_id(user), persona_id=_persona(persona))

    async def chats(
        self,
        *,
        user: str = LOCAL_USER,
        persona: str | None = None,
        limit: int = 50,
        before: tuple[datetime | str, str] | None = None,
    ) -> list[ChatRecord]:
        """Chats, last active first; without a title of its own each has the beginning of its first message.

        `before` is where the page before ended: `chats[-1].cursor`, a time and an id.
        """
        parts, user_id = await self._for(user)
        ended = as_cursor(before)

        def load(tx: Connection) -> list[ChatRecord]:
            size = min(as_limit(limit), MAX_PAGE)
            found = chats.page(tx, user_id, persona_id=_persona(persona), limit=size, before=ended)
            return [titled(chat, beginning) for chat, beginning in found]

        return await parts.database.read(user_id, load)

    async def context(
        self,
        query: str | None = None,
        *,
        user: str = LOCAL_USER,
        persona: str | None = None,
        budget: int = DEFAULT_BUDGET,
        at: datetime | str | None = None,
        zone: str = "UTC",
    ) -> Context:
        """What a model should see outside any chat: who the user is, what is open, and what the question touches, if any.

        Words of time in the question ("yesterday") are relative to `at`, now unless told, in the time `zone`.
        """
        parts, user_id = await self._for(user)
        return await assemble.assemble(
            parts,
            user_id,
            persona_id=_persona(persona),
            query=query,
            budget=budget,
            at=asked_at(at, parts.now()),
            zone=as_zone(zone),
        )

    async def message(self, message_id: str, *, user: str = LOCAL_USER) -> Message:
        """One message, whichever chat it is in."""
        parts, user_id = await self._for(user)
        wanted = check_name(message_id, field="message_id")
        found, _ = await parts.database.read(user_id, lambda tx: amend.found(tx, user_id, wanted))
        return found

    async def edit_message(self, message_id: str, text: str, *, user: str = LOCAL_USER) -> Amended:
        """Give a message other words, whichever chat it is in."""
        parts, user_id = await self._for_work(user)
        return await amend.edit(
            parts, user_id, check_name(message_id, field="message_id"), check_message_text(text)
        )

    async def update_pin(
        self,
        pin_id: str,
        *,
        user: str = LOCAL_USER,
        content: str | None = None,
        importance_score: float | None = None,
        pin_type: str | None = None,
        chat_id: str | None = None,
    ) -> Pin:
        """Change a pin, or move it to another chat, whichever chat it is in."""
        change = PinEdit(
            content=content, importance_score=importance_score, pin_type=pin_type, chat_id=chat_id
        )
        return await pinning.edit(*await self._for(user), check_name(pin_id, field="pin_id"), change)

    async def remove_pin(self, pin_id: str, *, user: str = LOCAL_USER) -> None:
        """Take a pin away, whichever chat it is in."""
        await pinning.remove(*await self._for(user), check_name(pin_id, field="pin_id"))

    # -- sessions, state, spine -----------------------------------------------------------------------

    async def sessions(
        self,
        *,
        user: str = LOCAL_USER,
        persona: str | None = None,
        limit: int = 50,
        before: tuple[datetime | str, str] | None = None,
    ) -> list[PastSession]:
        """Stretches of activity with their summaries, last begun first; without a persona those of all.

        `before` is where the page before ended: `sessions[-1].cursor`, a time and an id.
        """
        parts, user_id = await self._for(user)
        return await look_back.past_sessions(
            parts,
            user_id,
            persona_id=_persona(persona),
            limit=min(as_limit(limit), MAX_PAGE),
            before=as_cursor(before),
        )

    async def session(self, session_id: str, *, user: str = LOCAL_USER) -> PastSession:
        """One stretch of activity with its summary."""
        parts, user_id = await self._for(user)
        return await look_back.past_session(parts, user_id, check_name(session_id, field="session_id"))

    async def session_summaries(self, session_id: str, *, user: str = LOCAL_USER) -> list[SessionSummary]:
        """Every revision of a session's summary, oldest first."""
        parts, user_id = await self._for(user)

        def load(tx: Connection) -> list[SessionSummary]:
            if sessions.get(tx, user_id, check_name(session_id, field="session_id")) is None:
                raise NotFound(f"There is no session {session_id!r}.", id=session_id)
            return session_summaries.revisions(tx, user_id, session_id)

        return await parts.database.read(user_id, load)

    async def state(self, *, user: str = LOCAL_USER, persona: str | None = None) -> State:
        """How a user stands with a persona: counters, last words, the rolling summary and how it went."""
        return await look_back.state(*await self._for(user), _persona(persona))

    async def personas(self, *, user: str = LOCAL_USER) -> list[str]:
        """The personas that a user has talked with, by name; talk without a persona has a state, but no name here."""
        parts, user_id = await self._for(user)
        states = await parts.database.read(user_id, lambda tx: session_states.of_user(tx, user_id))
        return [state.persona_id for state in states if state.persona_id is not None]

    async def rolling_summaries(
        self, *, user: str = LOCAL_USER, persona: str | None = None
    ) -> list[RollingSummary]:
        """Every revision of the rolling summary, oldest first."""
        parts, user_id = await self._for(user)
        return await parts.database.read(
            user_id, lambda tx: rolling_summaries.revisions(tx, user_id, _persona(persona))
        )

    async def spine(self, version: int | None = None, *, user: str = LOCAL_USER) -> Spine | None:
        """The long view of a user: the newest version, or the one asked for; None before there is any."""
        parts, user_id = await self._for(user)
        if version is None:
            return await parts.database.read(user_id, lambda tx: spines.current(tx, user_id))
        found = await parts.database.read(
            user_id, lambda tx: spines.version(tx, user_id, as_limit(version, "version"))
        )
        if found is None:
            raise NotFound(f"There is no spine of version {version}.", id=str(version))
        return found

    async def spines(self, *, user: str = LOCAL_USER) -> list[Spine]:
        """Every version of the spine, oldest first."""
        parts, user_id = await self._for(user)
        return await parts.database.read(user_id, lambda tx: spines.versions(tx, user_id))

    # -- todos and the seed ---------------------------------------------------------------------------

    async def todos(
        self,
        *,
        user: str = LOCAL_USER,
        persona: str | None = None,
        status: str | None = TodoStatus.OPEN,
        kind: str | None = None,
        due_before: datetime | str | None = None,
        limit: int = 50,
        before: tuple[datetime | str, str] | None = None,
    ) -> list[Todo]:
        """Open things, newest first; a persona sees its own and the shared ones, and a status of None is any.

        `before` is where the page before ended: `todos[-1].cursor`, a time and an id.
        """
        parts, user_id = await self._for(user)
        wanted = todos.Filter(
            persona_id=_persona(persona),
            status=parse_todo_status(status) if status is not None else None,
            kind=parse_kind(kind) if kind is not None else None,
            due_before=as_moment(due_before, "due_before"),
        )
        size, ended = min(as_limit(limit), MAX_PAGE), as_cursor(before)
        return await parts.database.read(
            user_id, lambda tx: todos.page(tx, user_id, wanted, limit=size, before=ended)
        )

    async def add_todo(
        self,
        text: str,
        *,
        user: str = LOCAL_USER,
        kind: str = TodoKind.THREAD,
        status: str = TodoStatus.OPEN,
        persona: str | None = None,
        due_at: datetime | str | None = None,
        source_message_ids: Iterable[str] = (),
    ) -> Todo:
        """Note a commitment, habit, thread or friction."""
        return await track.add(
            *await self._for(user),
            text=text,
            kind=kind,
            status=status,
            persona_id=_persona(persona),
            due_at=as_moment(due_at, "due_at"),
            source_message_ids=source_message_ids,
        )

    async def update_todo(self, todo_id: str, changes: Mapping[str, Any], *, user: str = LOCAL_USER) -> Todo:
        """Change `text`, `kind`, `status` or `due_at` of a todo; a `due_at` of None takes the date away."""
        return await track.change(*await self._for(user), check_name(todo_id, field="todo_id"), changes)

    async def delete_todo(self, todo_id: str, *, user: str = LOCAL_USER) -> None:
        """Delete a todo."""
        await track.remove(*await self._for(user), check_name(todo_id, field="todo_id"))

    async def seed(self, *, user: str = LOCAL_USER) -> Seed:
        """What was known of the user beforehand."""
        parts, user_id = await self._for(user)
        return await parts.database.read(user_id, lambda tx: seeds.get(tx, user_id)) or Seed(user_id=user_id)

    async def set_seed(
        self, facts: Iterable[Mapping[str, Any]], *, notes: str = "", user: str = LOCAL_USER
    ) -> Seed:
        """Say what is known of the user beforehand; facts become memories, the notes stand in every context."""
        return await seeding.plant(*await self._for(user), facts, notes)

    # -- background work ------------------------------------------------------------------------------

    async def judge(self, *, user: str = LOCAL_USER, chat: str | None = None, again: bool = False) -> Judged:
        """Find memories in what was said and waits for it, now instead of behind; in one chat or in all.

        `again` reads from the beginning, also what was said before there was a judge. What is known stays as it is, and
        so does what a person decided since; but what was erased by hand while its message stayed is found again.
        """
        parts, user_id = await self._for_work(user)
        if not isinstance(again, bool):
            raise InvalidInput("again must be true or false.", field="again")
        if chat is None:
            return await judging.judge_all(parts, user_id, again=again)
        return await judging.judge_chat(parts, user_id, check_name(chat, field="chat"), again=again)

    async def spent_today(self) -> SpentToday:
        """What the judge's model has cost today, for whoever runs the store."""
        return await spending.spent_today(await self._ready())

    async def jobs(self, *, user: str = LOCAL_USER, status: str | None = None) -> list[Job]:
        """A user's background work that is not done: pending, running or dead."""
        parts, user_id = await self._for(user)
        wanted = _job_status(status)
        return await parts.database.read(user_id, lambda tx: jobs.of_user(tx, user_id, wanted))

    async def open_jobs(self, *, user: str = LOCAL_USER) -> int:
        """How much of a user's background work is under way: running, due or to be retried; not what is for later."""
        parts, user_id = await self._for(user)
        return await parts.database.read(user_id, lambda tx: jobs.open_count(tx, user_id, parts.now()))

    async def dead_jobs(self) -> list[Job]:
        """Everybody's work that failed too often, for whoever runs the store."""
        parts = await self._ready()
        return await parts.database.read(EVERYONE, jobs.dead)

    async def work_figures(self) -> JobFigures:
        """How much background work there is, and how late it is, for whoever runs the store."""
        parts = await self._ready()
        return await parts.database.read(EVERYONE, lambda tx: jobs.figures(tx, parts.now()))

    async def revive(self, job_id: str, *, user: str = LOCAL_USER) -> None:
        """Try a dead job again."""
        parts, user_id = await self._for_work(user)
        wanted = check_name(job_id, field="job_id")
        if not await parts.database.write(user_id, lambda tx: jobs.revive(tx, user_id, wanted, parts.now())):
            raise NotFound(f"There is no dead job {job_id!r}.", id=job_id)
        parts.bell.ring()

    async def drain(self, *, user: str = LOCAL_USER, seconds: float = 30.0) -> bool:
        """Wait until a user's background work is done; False when it was not in time.

        A judge by a model, who otherwise waits for more to read, reads at once.
        """
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= 86_400:
            raise InvalidInput("seconds must be a number from 0 to 86400.", field="seconds")
        parts, user_id = await self._for_work(user)
        now = parts.now()
        await parts.database.write(user_id, lambda tx: jobs.hasten(tx, user_id, JobKind.JUDGE, now))
        return await self._worker.drain(user_id, seconds)

    async def work(self) -> None:
        """Do everybody's background work until this is cancelled."""
        await self._ready()
        await self._worker.run_forever()

    async def _for_work(self, user: str) -> tuple[Parts, str]:
        """As `_for`, for verbs that leave work behind."""
        return await self._working(), check_user_id(user)


def _persona(persona: str | None) -> str | None:
    return None if persona is None else check_name(persona, field="persona_id")


def _job_status(status: str | None) -> JobStatus | None:
    if status is None:
        return None
    try:
        return JobStatus(status)
    except ValueError:
        raise InvalidInput(f"status must be one of {', '.join(JobStatus)}.", field="status") from None
