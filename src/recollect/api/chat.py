"""`AsyncChat`: one user's chat, with every operation on it. `Chat` is generated from it.

It is a handle: creating one reads and writes nothing. The first message or pin creates the chat itself.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any, TypeVar, cast

from recollect.api.arguments import as_count, as_flag, as_name, as_page, as_zone, asked_at
from recollect.api.calls import Explained
from recollect.api.engine import Engine
from recollect.context import Context
from recollect.engine import assemble, fold, look_back
from recollect.engine import pin as pinning
from recollect.engine.look_back import ChatStats
from recollect.engine.parts import Parts
from recollect.engine.pin import PinRequest
from recollect.engine.record import Recorded, record
from recollect.errors import InvalidInput, NotFound
from recollect.records.chat import MAX_TITLE, Brief, ChatRecord, Summary, check_persona
from recollect.records.cursor import Page, cursor, place
from recollect.records.memory import check_list, check_text
from recollect.records.message import Message, Role, Utterance, check_message_text, check_name, utterance
from recollect.records.pin import DEFAULT_IMPORTANCE, Pin, PinType
from recollect.rules.budget import DEFAULT_BUDGET, check_budget
from recollect.store import chats, messages, pins, summaries
from recollect.store.database import Connection

T = TypeVar("T")


class AsyncChat(Explained):
    """One thread of messages between a user and a persona."""

    _written = "chat"

    def __init__(self, engine: Engine, chat_id: str, *, user_id: str, persona_id: str | None) -> None:
        self._engine = engine
        self.chat_id = check_name(chat_id, field="chat_id")
        self.user_id = user_id
        self.persona_id = persona_id
        #: Whether the chat is known to belong to the persona.
        self._agreed = False

    def __repr__(self) -> str:
        return f"AsyncChat({self.chat_id!r}, user={self.user_id!r}, persona={self.persona_id!r})"

    # -- saying ---------------------------------------------------------------------------------------

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
        """Record messages durably, all or none: one turn by keyword, or a list of messages.

        Each message in a list has `role` and `text` (or OpenAI's `content`), plus `model_id`, `model_variant`,
        `token_usage`, `created_at` and `name` if known. With keywords, the model and usage apply to the answer. Repeating
        the same messages with the same `idempotency_key` within a day records nothing new and returns the first result.
        """
        turn = {"user": user, "assistant": assistant, "system": system, "tool": tool}
        made_by = {"model_id": model_id, "model_variant": model_variant, "token_usage": token_usage}
        said = said_in(messages, turn, made_by, created_at)
        key = as_name(idempotency_key, "idempotency_key")
        return await record(
            await self._parts(), self.user_id, self.chat_id, said, persona_id=self.persona_id, key=key
        )

    # -- what a model sees ----------------------------------------------------------------------------

    async def context(
        self,
        query: str | None = None,
        /,
        *,
        tokens: int = DEFAULT_BUDGET,
        at: datetime | str | None = None,
        zone: str = "UTC",
    ) -> Context:
        """Assemble what a model should see now, in at most `tokens` tokens.

        Without a `query`, the user's last message is the question if it is unanswered. Time expressions ("yesterday") are
        relative to `at` (default: now) in the time zone `zone`.
        """
        parts = await self._parts()
        return await assemble.assemble(
            parts,
            self.user_id,
            chat_id=self.chat_id,
            persona_id=self.persona_id,
            query=query,
            budget=check_budget(tokens, field="tokens"),
            at=asked_at(at, parts.now()),
            zone=as_zone(zone),
        )

    async def messages(
        self, *, around: str | None = None, limit: int = 50, cursor: str | None = None
    ) -> Page[Message]:
        """List the newest messages in chronological order, or those around the message with the id `around`.

        The next page holds earlier messages.
        """
        size = as_page(limit)
        start = start_of(cursor, around)

        def load(tx: Connection) -> Page[Message]:
            if around is not None:
                middle = self._message(tx, around)
                shown = messages.around(tx, self.user_id, self.chat_id, middle.position, (size - 1) // 2)
                last = shown[-1].position
                more = messages.after(tx, self.user_id, self.chat_id, last, 1)
                return page_of_messages(shown, last if more else None)
            if start is not None and start >= 0:
                rows = messages.after(tx, self.user_id, self.chat_id, start, size + 1)
                shown = rows[:size]
                return page_of_messages(shown, shown[-1].position if len(rows) > size else None)
            before = None if start is None else -start
            rows = messages.latest(tx, self.user_id, self.chat_id, size + 1, before)
            shown = rows[-size:]
            return page_of_messages(shown, -shown[0].position if len(rows) > size else None)

        return await self._read(load)

    # -- pins -----------------------------------------------------------------------------------------

    async def pin(
        self,
        content: str,
        /,
        *,
        importance_score: float = DEFAULT_IMPORTANCE,
        pin_type: str = PinType.MANUAL,
        source_message_id: str | None = None,
    ) -> Pin:
        """Pin a fact, so that every context of this chat contains it."""
        request = PinRequest(
            content=content,
            importance_score=importance_score,
            pin_type=pin_type,
            source_message_id=as_name(source_message_id, "source_message_id"),
        )
        return await pinning.add(
            await self._parts(), self.user_id, self.chat_id, request, persona_id=self.persona_id
        )

    async def pins(self) -> list[Pin]:
        """List the chat's pins, most important first."""
        return await self._read(lambda tx: pins.of_chat(tx, self.user_id, self.chat_id))

    # -- summaries ------------------------------------------------------------------------------------

    async def brief(self, *, revision: int | None = None, revisions: bool = False) -> Brief:
        """Get the brief, which summarises all messages before the latest ones, or one of its revisions.

        It is empty until messages have been folded. `revisions` adds every revision, oldest first.
        """
        wanted = None if revision is None else as_count(revision, "revision")
        every = as_flag(revisions, "revisions")
        return await look_back.brief(
            await self._parts(), self.user_id, self.chat_id, revision=wanted, revisions=every
        )

    async def summaries(self) -> list[Summary]:
        """List the summaries of folded segments, in chronological order."""
        return await self._read(lambda tx: summaries.of_chat(tx, self.user_id, self.chat_id))

    async def summarise(self, start_message_id: str, end_message_id: str, message_count: int) -> Summary:
        """Summarise a segment now and add it to the brief. It must start at the first message that no summary covers."""
        return await fold.summarise(
            await self._parts(),
            self.user_id,
            self.chat_id,
            check_name(start_message_id, field="start_message_id"),
            check_name(end_message_id, field="end_message_id"),
            message_count,
        )

    # -- the chat itself ------------------------------------------------------------------------------

    async def stats(self) -> ChatStats:
        """Get the chat's statistics."""
        return await look_back.chat_stats(await self._parts(), self.user_id, self.chat_id)

    async def rename(self, title: str | None, /) -> ChatRecord:
        """Set the chat's title; None or an empty text removes it."""
        chosen = None if title is None else check_text(title, field="title").strip() or None
        if chosen is not None and len(chosen) > MAX_TITLE:
            raise InvalidInput(f"title must have at most {MAX_TITLE} characters.", field="title")
        parts = await self._parts()

        def work(tx: Connection) -> ChatRecord:
            known = chats.get(tx, self.user_id, self.chat_id)
            if known is None:
                raise NotFound(f"There is no chat {self.chat_id!r}.", id=self.chat_id)
            named = replace(known, title=chosen)
            chats.save(tx, named)
            return named

        return await parts.database.write(self.user_id, work)

    # -- inside ---------------------------------------------------------------------------------------

    async def _parts(self) -> Parts:
        """The engine's services, after checking that the chat belongs to the given persona."""
        parts = await self._engine.with_worker()
        if self.persona_id is not None and not self._agreed:
            known = await parts.database.read(
                self.user_id, lambda tx: chats.get(tx, self.user_id, self.chat_id)
            )
            if known is not None:
                check_persona(known, self.persona_id)
                self._agreed = True
        return parts

    async def _read(self, load: Callable[[Connection], T]) -> T:
        parts = await self._parts()
        return await parts.database.read(self.user_id, load)

    def _message(self, tx: Connection, message_id: str) -> Message:
        found = messages.get(tx, self.user_id, check_name(message_id, field="around"))
        if found is None or found.chat_id != self.chat_id:
            raise NotFound(f"There is no message {message_id!r} in chat {self.chat_id!r}.", id=message_id)
        return found


def start_of(cursor: str | None, around: str | None) -> int | None:
    """The position after which a page of messages begins (before it if negative); None starts with the newest."""
    if cursor is not None and around is not None:
        raise InvalidInput("Give cursor or around, not both: each sets where to start.", field="cursor")
    found = place(cursor, (int,))
    return None if found is None else found[0]


def page_of_messages(shown: Sequence[Message], ended: int | None) -> Page[Message]:
    """A page; its cursor goes backwards if the position is negative."""
    return Page(shown, None if ended is None else cursor(ended))


def said_in(
    messages: object,
    turn: Mapping[str, object],
    made_by: Mapping[str, object],
    created_at: datetime | str | None,
) -> list[Utterance]:
    """The messages given: a list, or one turn in order, with the model's details on its answers."""
    if messages is not None:
        named = [name for name, value in (*turn.items(), *made_by.items()) if value is not None]
        if named or created_at is not None:
            raise InvalidInput(
                "Pass a list of messages or keywords, not both: each message in the list has its own"
                f" {(*named, 'created_at')[0]}.",
                field="messages",
            )
        if isinstance(messages, str):
            raise InvalidInput(
                'Give the role of each message: chat.add(user="…"), or chat.add([{"role": "user", "text": "…"}]).',
                field="messages",
            )
        if isinstance(messages, bytes | Mapping) or not isinstance(messages, Iterable):
            raise InvalidInput(
                'messages must be a list of objects with role and text: [{"role": "user", "text": "Hello"}].',
                field="messages",
            )
        return [utterance(_with_text(item)) for item in cast("Iterable[object]", messages)]
    answers = turn["assistant"]
    replies = [answers] if isinstance(answers, str) else check_list(answers or (), field="assistant")
    spoken = [(role, turn[role.value]) for role in (Role.SYSTEM, Role.USER, Role.TOOL)]
    spoken += [(Role.ASSISTANT, text) for text in replies]
    said = [
        utterance(
            {
                "role": role,
                "text": check_message_text(text, field=role.value),
                "created_at": created_at,
                **(made_by if role is Role.ASSISTANT else {}),
            }
        )
        for role, text in spoken
        if text is not None
    ]
    if not said:
        raise InvalidInput("Pass at least one of user, assistant, system or tool, or a list of messages.")
    return said


def _with_text(item: object) -> Mapping[str, Any]:
    """A message with our field names: `text` where OpenAI has `content`."""
    if not isinstance(item, Mapping):
        raise InvalidInput("messages must be a list of objects with role and text.", field="messages")
    given = cast("Mapping[str, Any]", item)
    if "content" not in given:
        return given
    if "text" in given:
        raise InvalidInput("messages: give text or content, not both; they mean the same.", field="content")
    return {"text" if name == "content" else name: value for name, value in given.items()}
