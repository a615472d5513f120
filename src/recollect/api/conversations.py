"""Conversations: chats, contexts across chats, sessions, the spine, todos, the seed, and model answers.

The methods translate arguments and call the engine; they contain no rules.
"""

from collections.abc import AsyncGenerator, Iterable, Mapping
from contextlib import aclosing
from datetime import datetime
from types import EllipsisType
from typing import Any

from recollect.api.arguments import (
    LOCAL_USER,
    as_flag,
    as_limit,
    as_moment,
    as_name,
    as_page,
    as_persona,
    as_seconds,
    as_time_and_id,
    as_zone,
    asked_at,
)
from recollect.api.chat import AsyncChat
from recollect.api.engine import OnEngine
from recollect.context import Context
from recollect.engine import amend, assemble, look_back, talk, track
from recollect.engine import pin as pinning
from recollect.engine import seed as seeding
from recollect.engine.amend import Amended
from recollect.engine.look_back import PastSession, State
from recollect.engine.pin import PinEdit
from recollect.errors import InvalidInput, NotFound
from recollect.records.chat import ChatRecord, titled
from recollect.records.cursor import Page, page_of
from recollect.records.job import JobKind
from recollect.records.memory import check_text, check_user_id
from recollect.records.message import MAX_TEXT, Message, check_message_text, check_name
from recollect.records.pin import Pin
from recollect.records.seed import Seed
from recollect.records.spine import Spine
from recollect.records.talk import TalkEvent, parse_passages
from recollect.records.todo import Todo, TodoKind, TodoStatus, parse_kind, parse_todo_status
from recollect.rules.budget import DEFAULT_BUDGET, check_budget
from recollect.store import chats, jobs, seeds, todos
from recollect.store.database import Connection


class Conversations(OnEngine):
    """Conversations, and everything derived from them."""

    def chat(self, chat_id: str, /, *, user: str = LOCAL_USER, persona: str | None = None) -> AsyncChat:
        """Get a handle for one chat; its first message creates it. If you give a persona, the chat must belong to it."""
        return AsyncChat(self._engine, chat_id, user_id=check_user_id(user), persona_id=as_persona(persona))

    async def chats(
        self,
        *,
        user: str = LOCAL_USER,
        chat: str | None = None,
        persona: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[ChatRecord]:
        """List chats, most recently active first, or one `chat` by its id.

        A chat without a title shows the beginning of its first message instead.
        """
        parts, user_id = await self._for(user)
        size, ended, one = as_page(limit), as_time_and_id(cursor), as_name(chat, "chat")

        def load(tx: Connection) -> list[ChatRecord]:
            found = chats.page(
                tx, user_id, chat_id=one, persona_id=as_persona(persona), limit=size + 1, before=ended
            )
            return [titled(record, beginning) for record, beginning in found]

        rows = await parts.database.read(user_id, load)
        if one is not None and not rows:
            raise NotFound(f"There is no chat {one!r}.", id=one)
        return page_of(rows, size, lambda record: record.cursor)

    async def message(self, message_id: str, /, *, user: str = LOCAL_USER) -> Message:
        """Get one message by its id, from any chat."""
        parts, user_id = await self._for(user)
        wanted = check_name(message_id, field="message_id")
        found, _ = await parts.database.read(user_id, lambda tx: amend.found(tx, user_id, wanted))
        return found

    async def context(
        self,
        query: str | None = None,
        /,
        *,
        user: str = LOCAL_USER,
        persona: str | None = None,
        tokens: int = DEFAULT_BUDGET,
        at: datetime | str | None = None,
        zone: str = "UTC",
    ) -> Context:
        """Assemble what a model should see outside any chat: who the user is, what is open, and what is relevant to `query`.

        The context has at most `tokens` tokens. Time expressions ("yesterday") are relative to `at` (default: now) in the
        time zone `zone`.
        """
        parts, user_id = await self._for(user)
        return await assemble.assemble(
            parts,
            user_id,
            persona_id=as_persona(persona),
            query=query,
            budget=check_budget(tokens, field="tokens"),
            at=asked_at(at, parts.now()),
            zone=as_zone(zone),
        )

    async def edit(self, message_id: str, text: str, /, *, user: str = LOCAL_USER) -> Amended:
        """Change a message's text. Pins, memories and summaries derived from it are updated."""
        parts, user_id = await self._for_work(user)
        return await amend.edit(
            parts, user_id, check_name(message_id, field="message_id"), check_message_text(text)
        )

    async def update_pin(
        self,
        pin_id: str,
        /,
        *,
        user: str = LOCAL_USER,
        chat: str | None = None,
        content: str | None = None,
        importance_score: float | None = None,
        pin_type: str | None = None,
    ) -> Pin:
        """Change a pin, or move it to another `chat`."""
        change = PinEdit(content=content, importance_score=importance_score, pin_type=pin_type, chat_id=chat)
        return await pinning.edit(*await self._for(user), check_name(pin_id, field="pin_id"), change)

    async def unpin(self, pin_id: str, /, *, user: str = LOCAL_USER) -> None:
        """Remove a pin. The message it came from is kept."""
        await pinning.remove(*await self._for(user), check_name(pin_id, field="pin_id"))

    async def talk(
        self,
        text: str,
        /,
        *,
        user: str = LOCAL_USER,
        chat: str | None = None,
        persona: str | None = None,
        model: str | None = None,
        instructions: str | None = None,
        sources: Iterable[str | Mapping[str, Any]] = (),
        tokens: int = DEFAULT_BUDGET,
        idempotency_key: str | None = None,
    ) -> AsyncGenerator[TalkEvent, None]:
        """Send a message and stream a model's answer. Both are recorded, even if the caller stops reading.

        Without `chat`, a new chat is created. `model` overrides the one in the settings. `instructions` come first;
        `sources` (texts, or objects with title and text) come before recalled memories and the question. Neither counts
        towards `tokens`. Repeating a message with the same `idempotency_key` within a day records it only once.
        """
        asked = talk.Asked(
            text=text,
            chat_id=as_name(chat, "chat"),
            persona_id=as_persona(persona),
            model=as_name(model, "model"),
            instructions=_instructions(instructions),
            sources=parse_passages(sources),
            budget=check_budget(tokens, field="tokens"),
            key=as_name(idempotency_key, "idempotency_key"),
        )
        parts, user_id = await self._for_work(user)
        async with aclosing(talk.talk(parts, user_id, asked)) as events:
            async for event in events:
                yield event

    # -- sessions, state, spine -----------------------------------------------------------------------

    async def sessions(
        self,
        *,
        user: str = LOCAL_USER,
        persona: str | None = None,
        session: str | None = None,
        revisions: bool = False,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[PastSession]:
        """List sessions with their summaries, most recently started first, or get one `session` by its id with its chats.

        With `session`, `revisions` adds every revision of its summary, oldest first.
        """
        parts, user_id = await self._for(user)
        size, ended, every = as_page(limit), as_time_and_id(cursor), check_revisions(revisions, session)
        if session is not None:
            wanted = check_name(session, field="session")
            return Page([await look_back.past_session(parts, user_id, wanted, revisions=every)])
        rows = await look_back.past_sessions(
            parts, user_id, persona_id=as_persona(persona), limit=size + 1, before=ended
        )
        return page_of(rows, size, lambda past: past.cursor)

    async def state(
        self, *, user: str = LOCAL_USER, persona: str | None = None, revisions: bool = False
    ) -> State:
        """Get the state between a user and a persona: counters, last message and rolling summary. Lists all personas too.

        `revisions` adds every revision of the rolling summary, oldest first.
        """
        every = as_flag(revisions, "revisions")
        return await look_back.state(*await self._for(user), as_persona(persona), revisions=every)

    async def spine(
        self, *, user: str = LOCAL_USER, version: int | None = None, revisions: bool = False
    ) -> Spine | None:
        """Get the spine, a user's long-term profile: the newest version or the one requested.

        Returns None if there is none yet. `revisions` adds every version, oldest first.
        """
        wanted = None if version is None else as_limit(version, "version")
        return await look_back.spine(
            *await self._for(user), version=wanted, revisions=as_flag(revisions, "revisions")
        )

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
        cursor: str | None = None,
    ) -> Page[Todo]:
        """List todos, newest first; by default, open ones. With `status=None`, todos of any status are listed.

        A persona sees its own todos and the shared ones.
        """
        parts, user_id = await self._for(user)
        wanted = todos.Filter(
            persona_id=as_persona(persona),
            status=parse_todo_status(status) if status is not None else None,
            kind=parse_kind(kind) if kind is not None else None,
            due_before=as_moment(due_before, "due_before"),
        )
        size, ended = as_page(limit), as_time_and_id(cursor)
        rows = await parts.database.read(
            user_id, lambda tx: todos.page(tx, user_id, wanted, limit=size + 1, before=ended)
        )
        return page_of(rows, size, lambda todo: todo.cursor)

    async def add_todo(
        self,
        text: str,
        /,
        *,
        user: str = LOCAL_USER,
        persona: str | None = None,
        kind: str = TodoKind.THREAD,
        status: str = TodoStatus.OPEN,
        due_at: datetime | str | None = None,
        source_message_ids: Iterable[str] = (),
    ) -> Todo:
        """Add a todo: a commitment, habit, thread or friction."""
        return await track.add(
            *await self._for(user),
            text=text,
            kind=kind,
            status=status,
            persona_id=as_persona(persona),
            due_at=as_moment(due_at, "due_at"),
            source_message_ids=source_message_ids,
        )

    async def update_todo(
        self,
        todo_id: str,
        /,
        *,
        user: str = LOCAL_USER,
        text: str | None = None,
        kind: str | None = None,
        status: str | None = None,
        due_at: datetime | str | EllipsisType | None = ...,
    ) -> Todo:
        """Change a todo's text, kind, status or due date. `due_at=None` removes the date."""
        changes = changes_of_todo(text=text, kind=kind, status=status, due_at=due_at)
        return await track.change(*await self._for(user), check_name(todo_id, field="todo_id"), changes)

    async def seed(self, *, user: str = LOCAL_USER) -> Seed:
        """Get the seed: what was known about the user in advance."""
        parts, user_id = await self._for(user)
        return await parts.database.read(user_id, lambda tx: seeds.get(tx, user_id)) or Seed(user_id=user_id)

    async def set_seed(
        self, facts: Iterable[Mapping[str, Any]], /, *, user: str = LOCAL_USER, notes: str = ""
    ) -> Seed:
        """Set what is known about the user in advance. Facts become memories; notes appear in every context."""
        return await seeding.plant(*await self._for(user), facts, notes)

    async def drain(self, *, user: str = LOCAL_USER, timeout: float = 30.0) -> bool:  # noqa: ASYNC109
        """Wait up to `timeout` seconds for a user's background work, and return whether it is done.

        A model-based judge, which otherwise waits for more messages, starts immediately.
        """
        seconds = as_seconds(timeout)
        parts, user_id = await self._for_work(user)
        now = parts.now()
        await parts.database.write(user_id, lambda tx: jobs.hasten(tx, user_id, JobKind.JUDGE, now))
        return await self._engine.worker.drain(user_id, seconds)


def check_revisions(revisions: object, session: str | None) -> bool:
    """Whether revisions are requested; they need a session."""
    if as_flag(revisions, "revisions") and session is None:
        raise InvalidInput(
            "revisions requires a session: sessions(session=…, revisions=True).", field="session"
        )
    return bool(revisions)


def changes_of_todo(*, due_at: datetime | str | EllipsisType | None, **values: object) -> dict[str, object]:
    """The requested changes to a todo, by field name."""
    changes = {name: value for name, value in values.items() if value is not None}
    return changes if due_at is ... else {**changes, "due_at": due_at}


def _instructions(value: str | None) -> str:
    text = "" if value is None else check_text(value, field="instructions").strip()
    if len(text) > MAX_TEXT:
        raise InvalidInput(
            f"instructions have {len(text)} characters (maximum {MAX_TEXT}).", field="instructions"
        )
    return text
