"""`AsyncClientChat`: one thread of one user, over HTTP. The methods are those of `AsyncChat`; `ClientChat` is generated from it.

A handle: making one asks nothing. A persona that is named must be the chat's own, which the first call makes sure of.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final

from recollect.api.chat import MAX_PAGE, turn_of, utterances
from recollect.api.opened import as_count, as_limit, as_moment, as_text
from recollect.client.reading import read, read_all
from recollect.client.spelling import body_of, given, segment
from recollect.client.transport import LONG_SECONDS, Asked, Transport
from recollect.context import Context
from recollect.engine.amend import Amended
from recollect.engine.forget import Receipt
from recollect.engine.look_back import ChatStats
from recollect.engine.record import Recorded
from recollect.errors import InvalidInput, NotFound
from recollect.records.brief import Brief
from recollect.records.chat import ChatRecord, check_persona
from recollect.records.cursor import cursor
from recollect.records.message import Message, Utterance, check_message_text, check_name
from recollect.records.pin import DEFAULT_IMPORTANCE, Pin, PinType
from recollect.records.summary import Summary
from recollect.rules.budget import DEFAULT_BUDGET, check_budget

#: Messages that one answer of the service holds.
_AT_ONCE: Final = 500


class AsyncClientChat:
    """One thread of messages between a user and a persona, kept by a service."""

    def __init__(self, transport: Transport, chat_id: str, *, user_id: str, persona_id: str | None) -> None:
        self._transport = transport
        self.chat_id = check_name(chat_id, field="chat_id")
        self.user_id = user_id
        self.persona_id = persona_id
        #: The chat is known to be the persona's.
        self._agreed = persona_id is None

    def __repr__(self) -> str:
        return f"AsyncClientChat({self.chat_id!r}, user={self.user_id!r}, persona={self.persona_id!r})"

    # -- saying ---------------------------------------------------------------------------------------

    async def add(
        self,
        *,
        user: str | None = None,
        assistant: str | Sequence[str] | None = None,
        system: str | None = None,
        tool: str | None = None,
        model_id: str | None = None,
        model_variant: str | None = None,
        token_usage: int | None = None,
        created_at: datetime | str | None = None,
        key: str | None = None,
    ) -> Recorded:
        """Record a turn, or a part of one, durably: what the user said, what tools returned, what was answered.

        The model and its usage are those of the answer. The same `key` with the same words within a day records
        nothing new and returns what was recorded.
        """
        said = turn_of(
            user=user,
            assistant=assistant,
            system=system,
            tool=tool,
            model_id=model_id,
            model_variant=model_variant,
            token_usage=token_usage,
            created_at=created_at,
        )
        return await self._record(said, key)

    async def record(self, messages: Iterable[Mapping[str, Any]], *, key: str | None = None) -> Recorded:
        """Record messages as they are: each with `role` and `text`, and `model_id`, `model_variant`, `token_usage`,
        `created_at` if known; with `name`, who speaks, when the role does not say it. All or nothing."""
        return await self._record(utterances(messages), key)

    async def edit(self, message_id: str, text: str) -> Amended:
        """Give a message other words; pins, memories and summaries that came from it follow."""
        await self.message(message_id)
        path, body = _message_path(message_id), body_of(text=check_message_text(text))
        return read(
            Amended, await self._transport.send("PATCH", path, body, user=self.user_id), user=self.user_id
        )

    async def delete(self, message_id: str) -> Receipt:
        """Erase a message with everything that was derived from it; says what was erased."""
        await self.message(message_id)
        asked = Asked(
            method="DELETE", path=_message_path(message_id), user=self.user_id, seconds=LONG_SECONDS
        )
        return read(Receipt, (await self._transport.ask(asked)).body, user=self.user_id)

    async def forget(self) -> Receipt:
        """Erase the chat with everything that was derived from it; says what was erased."""
        await self._agree()
        asked = Asked(
            method="POST",
            path="/v1/forget",
            user=self.user_id,
            body=body_of(chat_id=self.chat_id),
            seconds=LONG_SECONDS,
        )
        return read(Receipt, (await self._transport.ask(asked)).body, user=self.user_id)

    # -- what a model sees ----------------------------------------------------------------------------

    async def context(
        self,
        query: str | None = None,
        *,
        budget: int = DEFAULT_BUDGET,
        at: datetime | str | None = None,
        zone: str = "UTC",
    ) -> Context:
        """Everything that a model should see now, within a budget of tokens.

        Without a query the user's last message is the question, if it is unanswered. Words of time in it ("yesterday")
        are relative to `at`, now unless told, in the time `zone`.
        """
        found = await self._transport.get(
            f"/api/memory/context/{segment(self.chat_id, 'chat_id')}",
            user=self.user_id,
            query=as_text(query, "query"),
            persona_id=self.persona_id,
            budget=check_budget(budget),
            at=as_moment(at, "at"),
            zone=as_text(zone, "zone"),
        )
        return read(Context, found, user=self.user_id)

    # -- pins -----------------------------------------------------------------------------------------

    async def pin(
        self,
        content: str,
        *,
        importance_score: float = DEFAULT_IMPORTANCE,
        pin_type: str = PinType.MANUAL,
        source_message_id: str | None = None,
    ) -> Pin:
        """Pin a fact: it enters every context of this chat."""
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
        """What is pinned, most important first."""
        await self._agree()
        found = await self._transport.get("/api/memory/pins", user=self.user_id, session_id=self.chat_id)
        return read_all(Pin, found["pins"], user=self.user_id)

    async def update_pin(
        self,
        pin_id: str,
        *,
        content: str | None = None,
        importance_score: float | None = None,
        pin_type: str | None = None,
        chat_id: str | None = None,
    ) -> Pin:
        """Change a pin, or move it to another chat."""
        path = await self._own_pin(pin_id)
        body = given(
            content=content,
            importance_score=importance_score,
            pin_type=pin_type,
            session_id=as_text(chat_id, "chat_id"),
        )
        found = await self._transport.send("PATCH", path, body, user=self.user_id)
        return read(Pin, found, user=self.user_id)

    async def unpin(self, pin_id: str) -> None:
        """Take a pin away; what its message says stays."""
        await self._transport.send("DELETE", await self._own_pin(pin_id), user=self.user_id)

    # -- reading --------------------------------------------------------------------------------------

    async def messages(
        self,
        *,
        limit: int = 50,
        before: int | None = None,
        after: int | None = None,
        around: str | None = None,
    ) -> list[Message]:
        """The newest messages in order; those before a position, or after one (0: from the first); or around a message."""
        if sum(place is not None for place in (before, after, around)) > 1:
            raise InvalidInput(
                "Give one of before, after and around: each says where to read.", field="before"
            )
        size = min(as_limit(limit), MAX_PAGE)
        if around is not None:
            return await self._page(size, around=check_name(around, field="message_id"))
        if after is not None:
            start = as_count(after, "after")
            return await self._page(size, cursor=cursor(start) if start else None)
        end = None if before is None else as_limit(before, "before")
        return await self._page(size, before=end, newest=end is None)

    async def message(self, message_id: str) -> Message:
        """One message of this chat."""
        await self._agree()
        missing = NotFound(f"There is no message {message_id!r} in chat {self.chat_id!r}.", id=message_id)
        try:
            found = read(
                Message,
                await self._transport.get(_message_path(message_id), user=self.user_id),
                user=self.user_id,
            )
        except NotFound as error:
            raise missing from error
        if found.chat_id != self.chat_id:
            raise missing
        return found

    async def brief(self) -> Brief:
        """The summary of everything before the tail; empty while nothing is folded."""
        found = await self._of_chat("brief")
        if found is None:
            return Brief(user_id=self.user_id, chat_id=self.chat_id)
        return read(Brief, found, user=self.user_id)

    async def briefs(self) -> list[Brief]:
        """Every revision of the brief, oldest first."""
        found = await self._of_chat("briefs")
        return read_all(Brief, found["briefs"], user=self.user_id) if found else []

    async def summaries(self) -> list[Summary]:
        """The folded segments, in the order of the chat."""
        await self._agree()
        found = await self._transport.get("/api/memory/summaries", user=self.user_id, session_id=self.chat_id)
        return read_all(Summary, found["summaries"], user=self.user_id)

    async def summarise(self, start_message_id: str, end_message_id: str, message_count: int) -> Summary:
        """Fold a segment by hand, from the first message that no summary covers; it enters the brief."""
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
        """The chat in numbers."""
        await self._agree()
        path = f"/api/memory/stats/{segment(self.chat_id, 'chat_id')}"
        return read(ChatStats, await self._transport.get(path, user=self.user_id), user=self.user_id)

    async def info(self) -> ChatRecord:
        """The chat's record."""
        found = await self._transport.get(self._path(), user=self.user_id)
        chat = read(ChatRecord, found, user=self.user_id)
        check_persona(chat, self.persona_id)
        self._agreed = True
        return chat

    async def rename(self, title: str | None) -> ChatRecord:
        """Give the chat a title; None or an empty text takes it away."""
        await self._agree()
        found = await self._transport.send("PATCH", self._path(), body_of(title=title), user=self.user_id)
        return read(ChatRecord, found, user=self.user_id)

    # -- inside ---------------------------------------------------------------------------------------

    async def _agree(self) -> None:
        """A persona that was named must be the chat's own; a chat that is not there yet is nobody's."""
        if not self._agreed:
            try:
                await self.info()
            except NotFound:
                return

    async def _record(self, said: Sequence[Utterance], key: str | None) -> Recorded:
        messages = [
            given(
                role=item.role,
                text=item.text,
                model_id=item.model_id,
                model_variant=item.model_variant,
                name=item.name,
                token_usage=item.token_usage,
                created_at=item.created_at,
            )
            for item in said
        ]
        asked = Asked(
            method="POST",
            path=f"{self._path()}/messages",
            user=self.user_id,
            body={"messages": messages, **given(persona_id=self.persona_id)},
            key=key,
        )
        answer = await self._transport.ask(asked)
        repeated = key is not None and answer.headers.get("idempotent-replay") == "true"
        return read(Recorded, answer.body, user=self.user_id, repeated=repeated)

    async def _page(self, size: int, **where: object) -> list[Message]:
        """So many messages in order, in as many answers as that takes; pages from the end go back."""
        await self._agree()
        backwards, around = bool(where.get("newest") or where.get("before")), "around" in where
        found: list[Message] = []
        while len(found) < size:
            count = min(size - len(found), _AT_ONCE)
            try:
                page: Any = await self._transport.get(
                    f"{self._path()}/messages", user=self.user_id, limit=count, **where
                )
            except NotFound:
                if around:
                    raise
                return []
            rows = read_all(Message, page["messages"], user=self.user_id)
            found = rows + found if backwards else found + rows
            where = {"cursor": page["next_cursor"]}
            if page["next_cursor"] is None or around:
                break
        return found

    async def _of_chat(self, name: str) -> Any:
        """Something of this chat; None where there is no chat."""
        await self._agree()
        try:
            return await self._transport.get(f"{self._path()}/{name}", user=self.user_id)
        except NotFound:
            return None

    async def _own_pin(self, pin_id: str) -> str:
        path = f"/api/memory/pins/{segment(pin_id, 'pin_id')}"
        if pin_id not in [pin.pin_id for pin in await self.pins()]:
            raise NotFound(f"There is no pin {pin_id!r} in chat {self.chat_id!r}.", id=pin_id)
        return path

    def _path(self) -> str:
        return f"/v1/chats/{segment(self.chat_id, 'chat_id')}"


def _message_path(message_id: str) -> str:
    return f"/v1/messages/{segment(message_id, 'message_id')}"
