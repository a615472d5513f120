"""`AsyncChat`: one thread of one user, with everything that can be done in it. `Chat` is generated from it.

A handle: creating one reads and writes nothing. The chat itself is created with its first message or pin.
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
        #: The chat is known to be the persona's.
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
        """Record what was said, durably, all or nothing: a turn by keywords, or a list of messages.

        Each message of a list has `role` and `text` (or `content`, as OpenAI calls it), and `model_id`, `model_variant`,
        `token_usage`, `created_at` and `name` if known. By keywords, the model and its usage are those of the answer. The
        same `idempotency_key` with the same words within a day records nothing new and returns what was recorded.
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
        """Everything that a model should see now, in at most so many `tokens`.

        Without a question the user's last message is the question, if it is unanswered. Words of time in it ("yesterday")
        are relative to `at`, now by default, in the time `zone`.
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
        """The newest messages, in their order; the next page goes back. Or those around a message, by its id."""
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
        """Pin a fact: it enters every context of this chat."""
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
        """What is pinned, most important first."""
        return await self._read(lambda tx: pins.of_chat(tx, self.user_id, self.chat_id))

    # -- summaries ------------------------------------------------------------------------------------

    async def brief(self, *, revision: int | None = None, revisions: bool = False) -> Brief:
        """The summary of everything before the tail, or one of its revisions; empty while nothing is folded.

        `revisions` adds every one, oldest first.
        """
        wanted = None if revision is None else as_count(revision, "revision")
        every = as_flag(revisions, "revisions")
        return await look_back.brief(
            await self._parts(), self.user_id, self.chat_id, revision=wanted, revisions=every
        )

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

    # -- the chat itself ------------------------------------------------------------------------------

    async def stats(self) -> ChatStats:
        """The chat in numbers."""
        return await look_back.chat_stats(await self._parts(), self.user_id, self.chat_id)

    async def rename(self, title: str | None, /) -> ChatRecord:
        """Give the chat a title; None or an empty text takes it away."""
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
        """What the methods work with; a persona that was named must be the chat's own."""
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
    """Where a page of messages begins: after this position, before it if it is negative; None: with the newest."""
    if cursor is not None and around is not None:
        raise InvalidInput("Give cursor or around, not both: each says where to read.", field="cursor")
    found = place(cursor, (int,))
    return None if found is None else found[0]


def page_of_messages(shown: Sequence[Message], ended: int | None) -> Page[Message]:
    """A page; its cursor leads back where the position is negative."""
    return Page(shown, None if ended is None else cursor(ended))


def said_in(
    messages: object,
    turn: Mapping[str, object],
    made_by: Mapping[str, object],
    created_at: datetime | str | None,
) -> list[Utterance]:
    """What was said: a list of messages, or a turn in the order in which it is said; its answers have the model's marks."""
    if messages is not None:
        named = [name for name, value in (*turn.items(), *made_by.items()) if value is not None]
        if named or created_at is not None:
            raise InvalidInput(
                "Pass a list of messages or keywords, not both: each message of the list says its own"
                f" {(*named, 'created_at')[0]}.",
                field="messages",
            )
        if isinstance(messages, str):
            raise InvalidInput(
                'Say who speaks: chat.add(user="…"), or chat.add([{"role": "user", "text": "…"}]).',
                field="messages",
            )
        if isinstance(messages, bytes | Mapping) or not isinstance(messages, Iterable):
            raise InvalidInput(
                'messages must be a list of messages with role and text: [{"role": "user", "text": "Hello"}].',
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
    """A message by our own names: OpenAI's messages have `content` where ours have `text`."""
    if not isinstance(item, Mapping):
        raise InvalidInput("messages must be objects with role and text.", field="messages")
    given = cast("Mapping[str, Any]", item)
    if "content" not in given:
        return given
    if "text" in given:
        raise InvalidInput("messages: give text or content, not both: they mean the same.", field="content")
    return {"text" if name == "content" else name: value for name, value in given.items()}
