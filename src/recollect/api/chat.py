"""`AsyncChat`: one thread of one user, with everything that can be done in it. `Chat` is generated from it.

A handle: making one reads and writes nothing. The chat itself is made with its first message or pin.
"""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar, cast

from recollect.api.asked_episodes import asked_at
from recollect.api.opened import as_count, as_limit, as_zone
from recollect.context import Context
from recollect.engine import amend, assemble, fold, forget_conversation, look_back
from recollect.engine import pin as pinning
from recollect.engine.amend import Amended
from recollect.engine.forget import Receipt
from recollect.engine.look_back import ChatStats
from recollect.engine.parts import Parts
from recollect.engine.pin import PinEdit, PinRequest
from recollect.engine.record import Recorded, record
from recollect.errors import InvalidInput, NotFound
from recollect.records.brief import Brief
from recollect.records.chat import MAX_TITLE, ChatRecord, check_persona
from recollect.records.memory import check_list, check_text
from recollect.records.message import Message, Role, Utterance, check_message_text, check_name, utterance
from recollect.records.pin import DEFAULT_IMPORTANCE, Pin, PinType
from recollect.records.summary import Summary
from recollect.rules.budget import DEFAULT_BUDGET
from recollect.store import briefs, chats, messages, pins, summaries
from recollect.store.database import Connection

T = TypeVar("T")

#: The most messages that one page of a chat holds.
MAX_PAGE = 1000


class AsyncChat:
    """One thread of messages between a user and a persona."""

    def __init__(
        self, ready: Callable[[], Awaitable[Parts]], chat_id: str, *, user_id: str, persona_id: str | None
    ) -> None:
        self._ready = ready
        self.chat_id = check_name(chat_id, field="chat_id")
        self.user_id = user_id
        self.persona_id = persona_id
        #: The chat is known to be the persona's.
        self._agreed = False

    def __repr__(self) -> str:
        return f"AsyncChat({self.chat_id!r}, user={self.user_id!r}, persona={self.persona_id!r})"

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
        `created_at` if known; with `name`, who speaks, when the role does not say it. All or nothing.

        `content`, as OpenAI calls it, is taken for `text`."""
        return await self._record(utterances(messages), key)

    async def edit(self, message_id: str, text: str) -> Amended:
        """Give a message other words; pins, memories and summaries that came from it follow."""
        parts = await self._parts()
        await self._own(parts, message_id)
        return await amend.edit(parts, self.user_id, message_id, check_message_text(text))

    async def delete(self, message_id: str) -> Receipt:
        """Erase a message with everything that was derived from it; says what was erased."""
        parts = await self._parts()
        await self._own(parts, message_id)
        return await forget_conversation.forget_message(parts, self.user_id, message_id)

    async def forget(self) -> Receipt:
        """Erase the chat with everything that was derived from it; says what was erased."""
        return await forget_conversation.forget_chat(await self._parts(), self.user_id, self.chat_id)

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
        parts = await self._parts()
        return await assemble.assemble(
            parts,
            self.user_id,
            chat_id=self.chat_id,
            persona_id=self.persona_id,
            query=query,
            budget=budget,
            at=asked_at(at, parts.now()),
            zone=as_zone(zone),
        )

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
        request = PinRequest(
            content=content,
            importance_score=importance_score,
            pin_type=pin_type,
            source_message_id=check_name(source_message_id, field="source_message_id")
            if source_message_id is not None
            else None,
        )
        return await pinning.add(
            await self._parts(), self.user_id, self.chat_id, request, persona_id=self.persona_id
        )

    async def pins(self) -> list[Pin]:
        """What is pinned, most important first."""
        return await self._read(lambda tx: pins.of_chat(tx, self.user_id, self.chat_id))

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
        change = PinEdit(
            content=content, importance_score=importance_score, pin_type=pin_type, chat_id=chat_id
        )
        await self._read(lambda tx: self._own_pin(tx, pin_id))
        return await pinning.edit(await self._parts(), self.user_id, pin_id, change)

    async def unpin(self, pin_id: str) -> None:
        """Take a pin away; what its message says stays."""
        await self._read(lambda tx: self._own_pin(tx, pin_id))
        await pinning.remove(await self._parts(), self.user_id, pin_id)

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
        size = min(as_limit(limit), MAX_PAGE)
        if sum(place is not None for place in (before, after, around)) > 1:
            raise InvalidInput(
                "Give one of before, after and around: each says where to read.", field="before"
            )
        if before is not None:
            as_limit(before, "before")
        start = None if after is None else as_count(after, "after")

        def load(tx: Connection) -> list[Message]:
            if start is not None:
                return messages.after(tx, self.user_id, self.chat_id, start, size)
            if around is None:
                return messages.latest(tx, self.user_id, self.chat_id, size, before)
            middle = self._message(tx, around)
            return messages.around(tx, self.user_id, self.chat_id, middle.position, (size - 1) // 2)

        return await self._read(load)

    async def message(self, message_id: str) -> Message:
        """One message of this chat."""
        return await self._read(lambda tx: self._message(tx, message_id))

    async def brief(self) -> Brief:
        """The summary of everything before the tail; empty while nothing is folded."""
        empty = Brief(user_id=self.user_id, chat_id=self.chat_id)
        return await self._read(lambda tx: briefs.current(tx, self.user_id, self.chat_id)) or empty

    async def briefs(self) -> list[Brief]:
        """Every revision of the brief, oldest first."""
        return await self._read(lambda tx: briefs.revisions(tx, self.user_id, self.chat_id))

    async def summaries(self) -> list[Summary]:
        """The folded segments, in the order of the chat."""
        return await self._read(lambda tx: summaries.of_chat(tx, self.user_id, self.chat_id))

    async def summarise(self, start_message_id: str, end_message_id: str, message_count: int) -> Summary:
        """Fold a segment by hand, from the first message that no summary covers; it enters the brief."""
        return await fold.summarise(
            await self._parts(),
            self.user_id,
            self.chat_id,
            check_name(start_message_id, field="start_message_id"),
            check_name(end_message_id, field="end_message_id"),
            message_count,
        )

    async def stats(self) -> ChatStats:
        """The chat in numbers."""
        return await look_back.chat_stats(await self._parts(), self.user_id, self.chat_id)

    async def info(self) -> ChatRecord:
        """The chat's record."""
        return await self._read(self._chat)

    async def rename(self, title: str | None) -> ChatRecord:
        """Give the chat a title; None or an empty text takes it away."""
        chosen = None if title is None else check_text(title, field="title").strip() or None
        if chosen is not None and len(chosen) > MAX_TITLE:
            raise InvalidInput(f"title must have at most {MAX_TITLE} characters.", field="title")
        parts = await self._parts()

        def work(tx: Connection) -> ChatRecord:
            named = replace(self._chat(tx), title=chosen)
            chats.save(tx, named)
            return named

        return await parts.database.write(self.user_id, work)

    # -- inside ---------------------------------------------------------------------------------------

    async def _parts(self) -> Parts:
        """What the verbs work with; a persona that was named must be the chat's own."""
        parts = await self._ready()
        if self.persona_id is not None and not self._agreed:
            known = await parts.database.read(
                self.user_id, lambda tx: chats.get(tx, self.user_id, self.chat_id)
            )
            if known is not None:
                check_persona(known, self.persona_id)
                self._agreed = True
        return parts

    async def _record(self, said: Sequence[Utterance], key: str | None) -> Recorded:
        named = None if key is None else check_name(key, field="key")
        return await record(
            await self._parts(), self.user_id, self.chat_id, said, persona_id=self.persona_id, key=named
        )

    async def _read(self, load: Callable[[Connection], T]) -> T:
        parts = await self._parts()
        return await parts.database.read(self.user_id, load)

    async def _own(self, parts: Parts, message_id: str) -> None:
        await parts.database.read(self.user_id, lambda tx: self._message(tx, message_id))

    def _message(self, tx: Connection, message_id: str) -> Message:
        found = messages.get(tx, self.user_id, check_name(message_id, field="message_id"))
        if found is None or found.chat_id != self.chat_id:
            raise NotFound(f"There is no message {message_id!r} in chat {self.chat_id!r}.", id=message_id)
        return found

    def _own_pin(self, tx: Connection, pin_id: str) -> None:
        if pinning.found(tx, self.user_id, check_name(pin_id, field="pin_id")).chat_id != self.chat_id:
            raise NotFound(f"There is no pin {pin_id!r} in chat {self.chat_id!r}.", id=pin_id)

    def _chat(self, tx: Connection) -> ChatRecord:
        found = chats.get(tx, self.user_id, self.chat_id)
        if found is None:
            raise NotFound(f"There is no chat {self.chat_id!r}.", id=self.chat_id)
        return found


def turn_of(
    *,
    user: str | None,
    assistant: str | Sequence[str] | None,
    system: str | None,
    tool: str | None,
    model_id: str | None,
    model_variant: str | None,
    token_usage: int | None,
    created_at: datetime | str | None,
) -> list[Utterance]:
    """What was said in a turn, in the order in which it is said; the model and its usage are those of the answers."""
    replies = [assistant] if isinstance(assistant, str) else check_list(assistant or (), field="assistant")
    spoken: list[tuple[Role, object]] = [
        (role, text)
        for role, text in ((Role.SYSTEM, system), (Role.USER, user), (Role.TOOL, tool))
        if text is not None
    ]
    spoken += [(Role.ASSISTANT, text) for text in replies]
    if not spoken:
        raise InvalidInput("Nothing was said: give user, assistant, system or tool.")
    said = [utterance({"role": role, "text": text, "created_at": created_at}) for role, text in spoken]
    made_by = utterance(
        {
            "role": Role.ASSISTANT,
            "text": "-",
            "model_id": model_id,
            "model_variant": model_variant,
            "token_usage": token_usage,
        }
    )
    return [_answered(item, made_by) if item.role is Role.ASSISTANT else item for item in said]


def utterances(messages: Iterable[Mapping[str, Any]]) -> list[Utterance]:
    """Messages as a caller gives them, checked."""
    single: object = messages
    if isinstance(single, str | bytes | Mapping) or not isinstance(single, Iterable):
        raise InvalidInput(
            'messages must be a list of messages with role and text: [{"role": "user", "text": "Hello"}].',
            field="messages",
        )
    return [utterance(_with_text(item)) for item in messages]


def _with_text(item: object) -> Mapping[str, Any]:
    """A message by our own names: OpenAI's messages have `content` where ours have `text`."""
    if not isinstance(item, Mapping):
        raise InvalidInput("messages must be objects with role and text.", field="messages")
    given = cast("Mapping[str, Any]", item)
    if "content" not in given:
        return given
    if "text" in given:
        raise InvalidInput("messages: give text or content, not both: they mean the same.", field="content")
    return {"text" if name == "content" else name: value for name, value in given.items()}


def _answered(said: Utterance, by: Utterance) -> Utterance:
    return replace(said, model_id=by.model_id, model_variant=by.model_variant, token_usage=by.token_usage)
