"""The client's conversations: chats, contexts, sessions, todos, the seed, tools, and model answers."""

import json
from collections.abc import AsyncGenerator, AsyncIterator, Iterable, Mapping
from datetime import datetime
from types import EllipsisType
from typing import Any, Final, cast

from recollect.api.arguments import (
    LOCAL_USER,
    as_flag,
    as_limit,
    as_moment,
    as_name,
    as_page,
    as_persona,
    as_seconds,
    as_text,
)
from recollect.api.conversations import check_revisions
from recollect.api.tools import AsyncTools
from recollect.client.chat import AsyncClientChat
from recollect.client.connected import Connected, page_from
from recollect.client.reading import read
from recollect.client.spelling import body_of, given, segment
from recollect.client.transport import LONG_SECONDS, NOBODY, Asked, Transport
from recollect.context import Context
from recollect.engine.amend import Amended
from recollect.engine.look_back import PastSession, State
from recollect.errors import InvalidInput, NotFound
from recollect.records.chat import ChatRecord
from recollect.records.cursor import Page
from recollect.records.memory import check_user_id
from recollect.records.message import Message, check_message_text
from recollect.records.pin import Pin
from recollect.records.seed import Seed
from recollect.records.spine import Spine
from recollect.records.talk import TalkEvent, TalkEventKind
from recollect.records.todo import Todo, TodoKind, TodoStatus
from recollect.records.tool_reply import ToolReply, refusal
from recollect.rules.budget import DEFAULT_BUDGET, check_budget

#: Maximum seconds that one request may wait at the service.
_LONGEST_WAIT: Final = 3600


class AsyncClientTools(AsyncTools):
    """Tools of a service that a model can call."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    async def schemas(self, format: str = "openai") -> list[dict[str, Any]]:
        return (await self._transport.get("/v1/tools", user=NOBODY, format=format))["tools"]

    async def call(
        self,
        name: str,
        arguments: Mapping[str, Any] | str | None = None,
        /,
        *,
        user: str = LOCAL_USER,
        chat: str | None = None,
        persona: str | None = None,
    ) -> ToolReply:
        try:
            body = body_of(arguments=_object(name, arguments))
        except InvalidInput as error:
            return refusal(error.message)
        body |= given(persona_id=as_persona(persona), chat_id=as_name(chat, "chat_id"))
        found = await self._transport.send("POST", f"/v1/tools/{segment(name, 'name')}", body, user=user)
        return read(ToolReply, found, user=user)


class Conversations(Connected):
    """Conversations, and everything derived from them."""

    @property
    def tools(self) -> AsyncTools:
        return AsyncClientTools(self._transport)

    def chat(self, chat_id: str, /, *, user: str = LOCAL_USER, persona: str | None = None) -> AsyncClientChat:
        return AsyncClientChat(
            self._transport, chat_id, user_id=check_user_id(user), persona_id=as_persona(persona)
        )

    async def chats(
        self,
        *,
        user: str = LOCAL_USER,
        chat: str | None = None,
        persona: str | None = None,
        limit: int = 50,
        cursor: str | None = None,
    ) -> Page[ChatRecord]:
        size, one, whose = as_page(limit), as_name(chat, "chat"), as_persona(persona)
        if one is not None:
            found = await self._transport.get(f"/v1/chats/{segment(one, 'chat')}", user=user)
            record = read(ChatRecord, found, user=user)
            if whose is not None and record.persona_id != whose:
                raise NotFound(f"There is no chat {one!r}.", id=one)
            return Page([record])
        found = await self._transport.get("/v1/chats", user=user, limit=size, cursor=cursor, persona_id=whose)
        return page_from(ChatRecord, found, "chats", user=user)

    async def message(self, message_id: str, /, *, user: str = LOCAL_USER) -> Message:
        return read(Message, await self._transport.get(_message(message_id), user=user), user=user)

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
        found = await self._transport.get(
            "/v1/context",
            user=user,
            query=as_text(query, "query"),
            persona_id=as_persona(persona),
            budget=check_budget(tokens, field="tokens"),
            at=as_moment(at, "at"),
            zone=as_text(zone, "zone"),
        )
        return read(Context, found, user=user)

    async def edit(self, message_id: str, text: str, /, *, user: str = LOCAL_USER) -> Amended:
        body = {"text": check_message_text(text)}
        found = await self._transport.send("PATCH", _message(message_id), body, user=user)
        return read(Amended, found, user=user)

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
        body = given(
            content=content,
            importance_score=importance_score,
            pin_type=pin_type,
            session_id=as_text(chat, "chat"),
        )
        return read(Pin, await self._transport.send("PATCH", _pin(pin_id), body, user=user), user=user)

    async def unpin(self, pin_id: str, /, *, user: str = LOCAL_USER) -> None:
        await self._transport.send("DELETE", _pin(pin_id), user=user)

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
        body = {
            **body_of(text=text, sources=sources, budget=check_budget(tokens, field="tokens")),
            **given(chat_id=chat, persona_id=persona, model=model, instructions=instructions),
        }
        asked = Asked(
            method="POST",
            path="/v1/message/first" if chat is None else "/v1/message",
            user=user,
            body=body,
            key=idempotency_key,
            headers={"Accept": "text/event-stream"},
        )
        async with self._transport.stream(asked) as response:
            async for event in _events(response.aiter_lines()):
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
        size, every = as_page(limit), check_revisions(revisions, session)
        if session is not None:
            path = f"/v1/sessions/{segment(session, 'session')}"
            found = await self._transport.get(path, user=user, revisions=every or None)
            return Page([read(PastSession, found, user=user)])
        found = await self._transport.get(
            "/v1/sessions", user=user, limit=size, cursor=cursor, persona_id=as_persona(persona)
        )
        return page_from(PastSession, found, "sessions", user=user)

    async def state(
        self, *, user: str = LOCAL_USER, persona: str | None = None, revisions: bool = False
    ) -> State:
        every = as_flag(revisions, "revisions") or None
        found = await self._transport.get(
            "/v1/state", user=user, persona_id=as_persona(persona), revisions=every
        )
        return read(State, found, user=user)

    async def spine(
        self, *, user: str = LOCAL_USER, version: int | None = None, revisions: bool = False
    ) -> Spine | None:
        wanted = None if version is None else as_limit(version, "version")
        every = as_flag(revisions, "revisions") or None
        found = await self._transport.get("/v1/spine", user=user, version=wanted, revisions=every)
        return read(Spine, found, user=user) if found["version"] else None

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
        found = await self._transport.get(
            "/v1/todos",
            user=user,
            limit=as_page(limit),
            cursor=cursor,
            persona_id=as_persona(persona),
            status=status,
            kind=kind,
            due_before=as_moment(due_before, "due_before"),
        )
        return page_from(Todo, found, "todos", user=user)

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
        body = body_of(
            text=text,
            kind=kind,
            persona_id=as_persona(persona),
            due_at=as_moment(due_at, "due_at"),
            status=status,
            source_message_ids=source_message_ids,
        )
        return read(Todo, await self._transport.send("POST", "/v1/todos", body, user=user), user=user)

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
        body = given(text=text, kind=kind, status=status)
        if due_at is not ...:
            body |= body_of(due_at=as_moment(due_at, "due_at"))
        path = f"/v1/todos/{segment(todo_id, 'todo_id')}"
        return read(Todo, await self._transport.send("PATCH", path, body, user=user), user=user)

    async def seed(self, *, user: str = LOCAL_USER) -> Seed:
        return read(Seed, await self._transport.get("/v1/seed", user=user), user=user)

    async def set_seed(
        self, facts: Iterable[Mapping[str, Any]], /, *, user: str = LOCAL_USER, notes: str = ""
    ) -> Seed:
        # Setting the same seed twice has the same effect as once.
        asked = Asked(
            method="PUT",
            path="/v1/seed",
            user=user,
            body=body_of(facts=facts, notes=notes),
            harmless=True,
            seconds=LONG_SECONDS,
        )
        return read(Seed, (await self._transport.ask(asked)).body, user=user)

    async def drain(self, *, user: str = LOCAL_USER, timeout: float = 30.0) -> bool:  # noqa: ASYNC109
        seconds = as_seconds(timeout)
        asked = Asked(
            method="POST",
            path="/v1/jobs/drain",
            user=user,
            query={"timeout": min(seconds, _LONGEST_WAIT)},
            harmless=True,
            seconds=seconds + 30,
        )
        return (await self._transport.ask(asked)).body["drained"]


async def _events(lines: AsyncIterator[str]) -> AsyncGenerator[TalkEvent, None]:
    """Parse the service's server-sent events: a name, one line of data, an empty line."""
    kind = ""
    async for line in lines:
        name, _, value = line.partition(": ")
        if name == "event":
            kind = value
        elif name == "data":
            yield TalkEvent(kind=TalkEventKind(kind), data=json.loads(value))


def _object(tool: str, arguments: object) -> Mapping[str, Any]:
    """The arguments as an object, as the service requires."""
    found: object = arguments
    if isinstance(arguments, str):
        try:
            found = json.loads(arguments) if arguments.strip() else {}
        except (ValueError, RecursionError):
            raise InvalidInput(
                f"The arguments of {tool} are not valid JSON. Send one JSON object.", field="arguments"
            ) from None
    if found is not None and not isinstance(found, Mapping):
        raise InvalidInput(f"The arguments of {tool} must be one JSON object.", field="arguments")
    return cast("Mapping[str, Any]", found or {})


def _message(message_id: str) -> str:
    return f"/v1/messages/{segment(message_id, 'message_id')}"


def _pin(pin_id: str) -> str:
    return f"/api/memory/pins/{segment(pin_id, 'pin_id')}"
