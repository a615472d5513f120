"""The client for conversations: chats, sessions, todos, the seed, and background work.

The methods are those of `api/conversations.py`.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any

from recollect.api.opened import LOCAL_USER, as_cursor, as_limit, as_moment, as_text
from recollect.client.chat import AsyncClientChat
from recollect.client.connected import Connected
from recollect.client.reading import read, read_all
from recollect.client.spelling import body_of, given, json_value, segment
from recollect.client.transport import LONG_SECONDS, NOBODY, Asked
from recollect.context import Context
from recollect.engine.amend import Amended
from recollect.engine.judge import Judged
from recollect.engine.look_back import PastSession, State
from recollect.errors import InvalidInput
from recollect.records.chat import ChatRecord
from recollect.records.cursor import cursor
from recollect.records.job import Job
from recollect.records.memory import check_user_id
from recollect.records.message import Message, check_name
from recollect.records.pin import Pin
from recollect.records.seed import Seed
from recollect.records.session_state import RollingSummary
from recollect.records.session_summary import SessionSummary
from recollect.records.spine import Spine
from recollect.records.todo import Todo, TodoKind, TodoStatus
from recollect.rules.budget import DEFAULT_BUDGET, check_budget
from recollect.store.jobs import JobFigures

#: Seconds for which the service lets one request wait.
_LONGEST_WAIT = 3600


class Conversations(Connected):
    """What was said, and what is made of it."""

    def chat(self, chat_id: str, *, user: str = LOCAL_USER, persona: str | None = None) -> AsyncClientChat:
        """One thread; it is made with its first message. A persona that is named must be the chat's own."""
        return AsyncClientChat(
            self._transport, chat_id, user_id=check_user_id(user), persona_id=_persona(persona)
        )

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
        return await self._list(
            ChatRecord,
            "/v1/chats",
            user=user,
            limit=limit,
            cursor=_ended(before),
            persona_id=_persona(persona),
        )

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
        found = await self._transport.get(
            "/v1/context",
            user=user,
            query=as_text(query, "query"),
            persona_id=_persona(persona),
            budget=check_budget(budget),
            at=as_moment(at, "at"),
            zone=as_text(zone, "zone"),
        )
        return read(Context, found, user=user)

    async def message(self, message_id: str, *, user: str = LOCAL_USER) -> Message:
        """One message, whichever chat it is in."""
        found = await self._transport.get(f"/v1/messages/{segment(message_id, 'message_id')}", user=user)
        return read(Message, found, user=user)

    async def edit_message(self, message_id: str, text: str, *, user: str = LOCAL_USER) -> Amended:
        """Give a message other words, whichever chat it is in."""
        path = f"/v1/messages/{segment(message_id, 'message_id')}"
        found = await self._transport.send("PATCH", path, body_of(text=text), user=user)
        return read(Amended, found, user=user)

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
        body = given(
            content=content,
            importance_score=importance_score,
            pin_type=pin_type,
            session_id=as_text(chat_id, "chat_id"),
        )
        path = f"/api/memory/pins/{segment(pin_id, 'pin_id')}"
        return read(Pin, await self._transport.send("PATCH", path, body, user=user), user=user)

    async def remove_pin(self, pin_id: str, *, user: str = LOCAL_USER) -> None:
        """Take a pin away, whichever chat it is in."""
        await self._transport.send("DELETE", f"/api/memory/pins/{segment(pin_id, 'pin_id')}", user=user)

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
        return await self._list(
            PastSession,
            "/v1/sessions",
            user=user,
            limit=limit,
            cursor=_ended(before),
            persona_id=_persona(persona),
        )

    async def session(self, session_id: str, *, user: str = LOCAL_USER) -> PastSession:
        """One stretch of activity with its summary."""
        return read(PastSession, await self._whole_session(session_id, user), user=user)

    async def session_summaries(self, session_id: str, *, user: str = LOCAL_USER) -> list[SessionSummary]:
        """Every revision of a session's summary, oldest first."""
        found = await self._whole_session(session_id, user)
        return [read(SessionSummary, item, user=user, session_id=session_id) for item in found["summaries"]]

    async def _whole_session(self, session_id: str, user: str) -> dict[str, Any]:
        return await self._transport.get(f"/v1/sessions/{segment(session_id, 'session_id')}", user=user)

    async def state(self, *, user: str = LOCAL_USER, persona: str | None = None) -> State:
        """How a user stands with a persona: counters, last words, the rolling summary and how it went."""
        found = await self._transport.get("/v1/state", user=user, persona_id=_persona(persona))
        return read(State, found, user=user)

    async def personas(self, *, user: str = LOCAL_USER) -> list[str]:
        """The personas that a user has talked with, by name; talk without a persona has a state, but no name here."""
        return (await self._transport.get("/v1/personas", user=user))["personas"]

    async def rolling_summaries(
        self, *, user: str = LOCAL_USER, persona: str | None = None
    ) -> list[RollingSummary]:
        """Every revision of the rolling summary, oldest first."""
        found = await self._transport.get("/v1/rolling-summaries", user=user, persona_id=_persona(persona))
        return read_all(RollingSummary, found["summaries"], user=user)

    async def spine(self, version: int | None = None, *, user: str = LOCAL_USER) -> Spine | None:
        """The long view of a user: the newest version, or the one asked for; None before there is any."""
        wanted = None if version is None else as_limit(version, "version")
        found = await self._transport.get("/v1/spine", user=user, version=wanted)
        return read(Spine, found, user=user) if found["version"] else None

    async def spines(self, *, user: str = LOCAL_USER) -> list[Spine]:
        """Every version of the spine, oldest first."""
        return read_all(Spine, (await self._transport.get("/v1/spines", user=user))["spines"], user=user)

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
        return await self._list(
            Todo,
            "/v1/todos",
            user=user,
            limit=limit,
            cursor=_ended(before),
            persona_id=_persona(persona),
            status=status,
            kind=kind,
            due_before=as_moment(due_before, "due_before"),
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
        body = body_of(
            text=text,
            kind=kind,
            persona_id=_persona(persona),
            due_at=as_moment(due_at, "due_at"),
            status=status,
            source_message_ids=source_message_ids,
        )
        return read(Todo, await self._transport.send("POST", "/v1/todos", body, user=user), user=user)

    async def update_todo(self, todo_id: str, changes: Mapping[str, Any], *, user: str = LOCAL_USER) -> Todo:
        """Change `text`, `kind`, `status` or `due_at` of a todo; a `due_at` of None takes the date away."""
        if not isinstance(changes, Mapping):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise InvalidInput("changes must be an object with the fields to change.", field="changes")
        path = f"/v1/todos/{segment(todo_id, 'todo_id')}"
        body = {name: json_value(value, name) for name, value in changes.items()}
        return read(Todo, await self._transport.send("PATCH", path, body, user=user), user=user)

    async def delete_todo(self, todo_id: str, *, user: str = LOCAL_USER) -> None:
        """Delete a todo."""
        await self._transport.send("DELETE", f"/v1/todos/{segment(todo_id, 'todo_id')}", user=user)

    async def seed(self, *, user: str = LOCAL_USER) -> Seed:
        """What was known of the user beforehand."""
        return read(Seed, await self._transport.get("/v1/seed", user=user), user=user)

    async def set_seed(
        self, facts: Iterable[Mapping[str, Any]], *, notes: str = "", user: str = LOCAL_USER
    ) -> Seed:
        """Say what is known of the user beforehand; facts become memories, the notes stand in every context."""
        # Planting the same twice is planting it once.
        asked = Asked(
            method="PUT",
            path="/v1/seed",
            user=user,
            body=body_of(facts=facts, notes=notes),
            harmless=True,
            seconds=LONG_SECONDS,
        )
        return read(Seed, (await self._transport.ask(asked)).body, user=user)

    # -- background work ------------------------------------------------------------------------------

    async def judge(self, *, user: str = LOCAL_USER, chat: str | None = None, again: bool = False) -> Judged:
        """Find memories in what was said and waits for it, now instead of behind; in one chat or in all.

        `again` reads from the beginning, also what was said before there was a judge. What is known stays as it is, and
        so does what a person decided since; but what was erased by hand while its message stayed is found again.
        """
        body = {**given(chat_id=as_text(chat, "chat")), **body_of(again=again)}
        asked = Asked(method="POST", path="/v1/judge", user=user, body=body, seconds=LONG_SECONDS)
        return read(Judged, (await self._transport.ask(asked)).body, user=user)

    async def jobs(self, *, user: str = LOCAL_USER, status: str | None = None) -> list[Job]:
        """A user's background work that is not done: pending, running or dead."""
        found = await self._transport.get("/v1/worker/mine", user=user, status=as_text(status, "status"))
        return read_all(Job, found["jobs"], user=user)

    async def open_jobs(self, *, user: str = LOCAL_USER) -> int:
        """How much of a user's background work is under way: running, due or to be retried; not what is for later."""
        return (await self._drained(user, 0))["pending"]

    async def dead_jobs(self) -> list[Job]:
        """Everybody's work that failed too often, for whoever runs the store."""
        found = await self._transport.get("/v1/jobs", user=NOBODY)
        return [read(Job, item, user=item["user_id"]) for item in found["dead"]]

    async def work_figures(self) -> JobFigures:
        """How much background work there is, and how late it is, for whoever runs the store."""
        return read(JobFigures, await self._transport.get("/v1/jobs", user=NOBODY), user="")

    async def revive(self, job_id: str, *, user: str = LOCAL_USER) -> None:
        """Try a dead job again."""
        await self._transport.send("POST", f"/v1/jobs/{segment(job_id, 'job_id')}/revive", user=user)

    async def drain(self, *, user: str = LOCAL_USER, seconds: float = 30.0) -> bool:
        """Wait until a user's background work is done; False when it was not in time.

        A judge by a model, who otherwise waits for more to read, reads at once.
        """
        if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 <= seconds <= 86_400:
            raise InvalidInput("seconds must be a number from 0 to 86400.", field="seconds")
        return (await self._drained(user, seconds))["drained"]

    async def _drained(self, user: str, seconds: float) -> dict[str, Any]:
        asked = Asked(
            method="POST",
            path="/v1/worker/drain",
            user=user,
            query={"timeout": min(seconds, _LONGEST_WAIT)},
            harmless=True,
            seconds=seconds + 30,
        )
        return (await self._transport.ask(asked)).body


def _persona(persona: str | None) -> str | None:
    return None if persona is None else check_name(persona, field="persona_id")


def _ended(before: tuple[datetime | str, str] | None) -> str | None:
    """Where the page before ended, as the service spells it."""
    place = as_cursor(before)
    return None if place is None else cursor(*place)
