"""`AsyncClientChat`: one user's chat over HTTP.

It is a handle: creating one sends no request. If you give a persona, the first call checks that the chat belongs to it.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any

from recollect.api.arguments import as_count, as_flag, as_moment, as_page, as_text
from recollect.api.chat import AsyncChat, said_in, start_of
from recollect.client.connected import page_from
from recollect.client.reading import read, read_all
from recollect.client.spelling import body_of, given, segment
from recollect.client.transport import LONG_SECONDS, Asked, Transport
from recollect.context import Context
from recollect.engine.look_back import ChatStats
from recollect.engine.record import Recorded
from recollect.errors import NotFound
from recollect.records.chat import Brief, ChatRecord, Summary, check_persona
from recollect.records.cursor import Page
from recollect.records.message import Message, check_name
from recollect.records.pin import DEFAULT_IMPORTANCE, Pin, PinType
from recollect.rules.budget import DEFAULT_BUDGET, check_budget


class AsyncClientChat(AsyncChat):
    """One thread of messages between a user and a persona, stored by a service."""

    def __init__(self, transport: Transport, chat_id: str, *, user_id: str, persona_id: str | None) -> None:
        self._transport = transport
        self.chat_id = check_name(chat_id, field="chat_id")
        self.user_id = user_id
        self.persona_id = persona_id
        #: Whether the chat is known to belong to the persona.
        self._agreed = persona_id is None

    async def add(
        self,
        messages: Iterable[Mapping[str, Any]] | None = None,
        /,
        *,
        user: str | None = None,
        assistant: str | Sequence[str] | None = None,
        system: str | None = None,
        tool: str | None = None,
        model_id: str | None = None,
        model_variant: str | None = None,
        token_usage: int | None = None,
        created_at: datetime | str | None = None,
        idempotency_key: str | None = None,
    ) -> Recorded:
        turn = {"user": user, "assistant": assistant, "system": system, "tool": tool}
        made_by = {"model_id": model_id, "model_variant": model_variant, "token_usage": token_usage}
        said = [
            given(
                role=item.role,
                text=item.text,
                model_id=item.model_id,
                model_variant=item.model_variant,
                name=item.name,
                token_usage=item.token_usage,
                created_at=item.created_at,
            )
            for item in said_in(messages, turn, made_by, created_at)
        ]
        asked = Asked(
            method="POST",
            path=f"{self._path()}/messages",
            user=self.user_id,
            body={"messages": said, **given(persona_id=self.persona_id)},
            key=idempotency_key,
        )
        answer = await self._transport.ask(asked)
        replayed = answer.headers.get("idempotent-replay") == "true"
        repeated = idempotency_key is not None and replayed
        return read(Recorded, answer.body, user=self.user_id, repeated=repeated)

    async def context(
        self,
        query: str | None = None,
        /,
        *,
        tokens: int = DEFAULT_BUDGET,
        at: datetime | str | None = None,
        zone: str = "UTC",
    ) -> Context:
        found = await self._transport.get(
            f"/api/memory/context/{segment(self.chat_id, 'chat_id')}",
            user=self.user_id,
            query=as_text(query, "query"),
            persona_id=self.persona_id,
            budget=check_budget(tokens, field="tokens"),
            at=as_moment(at, "at"),
            zone=as_text(zone, "zone"),
        )
        return read(Context, found, user=self.user_id)

    async def messages(
        self, *, around: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[Message]:
        size = as_page(limit)
        newest = start_of(cursor, around) is None and around is None
        await self._agree()
        try:
            found = await self._transport.get(
                f"{self._path()}/messages",
                user=self.user_id,
                limit=size,
                cursor=cursor,
                around=None if around is None else check_name(around, field="around"),
                newest=newest or None,
            )
        except NotFound:
            if around is not None:
                raise
            return Page()
        return page_from(Message, found, "messages", user=self.user_id)

    async def pin(
        self,
        content: str,
        /,
        *,
        importance_score: float = DEFAULT_IMPORTANCE,
        pin_type: str = PinType.MANUAL,
        source_message_id: str | None = None,
    ) -> Pin:
        await self._agree()
        body = {
            **body_of(
                session_id=self.chat_id,
                content=content,
                importance_score=importance_score,
                pin_type=pin_type,
            ),
            **given(source_message_id=source_message_id, persona_id=self.persona_id),
        }
        found = await self._transport.send("POST", "/api/memory/pins", body, user=self.user_id)
        return read(Pin, found, user=self.user_id)

    async def pins(self) -> list[Pin]:
        await self._agree()
        found = await self._transport.get("/api/memory/pins", user=self.user_id, session_id=self.chat_id)
        return read_all(Pin, found["pins"], user=self.user_id)

    async def brief(self, *, revision: int | None = None, revisions: bool = False) -> Brief:
        wanted = None if revision is None else as_count(revision, "revision")
        every = as_flag(revisions, "revisions") or None
        await self._agree()
        try:
            found = await self._transport.get(
                f"{self._path()}/brief", user=self.user_id, revision=wanted, revisions=every
            )
        except NotFound:
            if wanted is not None:
                raise
            return Brief(user_id=self.user_id, chat_id=self.chat_id)
        return read(Brief, found, user=self.user_id)

    async def summaries(self) -> list[Summary]:
        await self._agree()
        found = await self._transport.get("/api/memory/summaries", user=self.user_id, session_id=self.chat_id)
        return read_all(Summary, found["summaries"], user=self.user_id)

    async def summarise(self, start_message_id: str, end_message_id: str, message_count: int) -> Summary:
        await self._agree()
        body = body_of(
            session_id=self.chat_id,
            start_message_id=start_message_id,
            end_message_id=end_message_id,
            message_count=message_count,
        )
        asked = Asked(
            method="POST",
            path="/api/memory/summaries",
            user=self.user_id,
            body=body,
            seconds=LONG_SECONDS,
        )
        return read(Summary, (await self._transport.ask(asked)).body, user=self.user_id)

    async def stats(self) -> ChatStats:
        await self._agree()
        path = f"/api/memory/stats/{segment(self.chat_id, 'chat_id')}"
        return read(ChatStats, await self._transport.get(path, user=self.user_id), user=self.user_id)

    async def rename(self, title: str | None, /) -> ChatRecord:
        await self._agree()
        found = await self._transport.send("PATCH", self._path(), body_of(title=title), user=self.user_id)
        return read(ChatRecord, found, user=self.user_id)

    async def _agree(self) -> None:
        """Check that an existing chat belongs to the given persona."""
        if self._agreed:
            return
        try:
            found = await self._transport.get(self._path(), user=self.user_id)
        except NotFound:
            return
        check_persona(read(ChatRecord, found, user=self.user_id), self.persona_id)
        self._agreed = True

    def _path(self) -> str:
        return f"/v1/chats/{segment(self.chat_id, 'chat_id')}"
