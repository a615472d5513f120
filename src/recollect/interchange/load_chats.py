"""Load the chats of an export. Each is one transaction, a large one several; an interrupted load continues when it is run again.

If nothing of a chat is stored but the beginning of the file's chat, it is restored exactly: positions, segments and briefs. In any other
chat the unknown messages are appended in order, and summaries are left to the next fold, because those of the file describe
another thread. Loading creates no jobs but that fold, indexing, and judging what the export had not judged. Messages are not
replayed through `record`, because ids, scores and times would change and every old message would create jobs.
"""

import asyncio
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

from recollect.engine.parts import Parts
from recollect.errors import InvalidInput
from recollect.interchange.load_relations import Skipped, save_given, save_late, sorted_out
from recollect.interchange.portable_chat import Folds, GivenChat, chat_from, counted, folds_from
from recollect.records.chat import Brief, ChatRecord, grown
from recollect.records.message import Message, Role
from recollect.records.pin import Pin
from recollect.records.session import SessionState, state_after
from recollect.rules import fold, follow_up
from recollect.store import briefs, chats, messages, pins, session_states, sessions, summaries, users
from recollect.store.database import Connection

#: Messages per transaction.
BATCH = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedChats:
    """Counts of new and of known messages and pins."""

    imported: int
    duplicates: int
    skipped: Skipped


async def load_chats(
    parts: Parts,
    user_id: str,
    given: Sequence[Any],
    personas: Mapping[str, str | None],
    progress: Callable[[int], None],
    *,
    only_at_end: bool = False,
) -> LoadedChats:
    """Store what is new in these chats; `personas` are those of known sessions, `progress` is called with the number of messages done.

    With `only_at_end`, unknown messages before known ones are left out: appended they would be in the wrong place.
    """
    skipped: Skipped = []
    waiting: list[tuple[int, Pin]] = []
    imported = duplicates = done = 0
    for line, value in enumerate(given, 1):
        try:
            # In a thread: checking a large chat takes a while.
            chat = await asyncio.to_thread(
                chat_from, value, user_id=user_id, vocabulary=parts.vocabulary, now=parts.now()
            )
        except InvalidInput as error:
            skipped.append((line, f"chats: {error.message}"))
        else:
            loading = _ChatLoading(parts, chat, personas, partial(_from, done, progress), only_at_end)
            await loading.run()
            imported += loading.imported
            duplicates += loading.duplicates
            skipped += [(line, f"chats: {reason}") for reason in (*chat.skipped, *loading.skipped)]
            waiting += [(line, pin) for pin in loading.waiting]
        done += message_count(value)
        progress(done)
    if waiting:
        added, unfit = await parts.database.write(user_id, partial(save_late, user_id, waiting))
        imported += added
        duplicates += len(waiting) - added - len(unfit)
        skipped += unfit
    return LoadedChats(imported=imported, duplicates=duplicates, skipped=skipped)


def message_count(value: object) -> int:
    """The number of messages in a chat of a file; 0 if it is not a chat."""
    said: object = cast("Mapping[str, object]", value).get("messages") if isinstance(value, Mapping) else None
    return len(cast("list[object]", said)) if isinstance(said, list) else 0


def _from(done: int, progress: Callable[[int], None], more: int) -> None:
    progress(done + more)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Look:
    """What is stored of a chat before loading."""

    chat: ChatRecord | None
    known: dict[str, Message]
    known_pins: frozenset[str]
    personas: dict[str, str | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Saved:
    """The result of one transaction."""

    placed: tuple[Message, ...]
    #: Only the beginning of the file's chat is stored.
    continued: bool
    pinned: int = 0
    #: Automatic pins that are known here, or replaced by newer ones.
    outdated: int = 0
    #: Pins with messages of other chats, which may be loaded later.
    waiting: tuple[Pin, ...] = ()
    skipped: tuple[str, ...] = ()


class _ChatLoading:
    """Loads one chat."""

    def __init__(
        self,
        parts: Parts,
        given: GivenChat,
        personas: Mapping[str, str | None],
        progress: Callable[[int], None],
        only_at_end: bool,
    ) -> None:
        self._only_at_end = only_at_end
        self._parts = parts
        self._given = given
        self._user_id = given.chat.user_id
        self._chat_id = given.chat.chat_id
        self._personas = personas
        self._progress = progress
        self.imported = 0
        self.duplicates = 0
        self.skipped: list[str] = []
        self.waiting: list[Pin] = []

    async def run(self) -> None:
        """Load, decide and save, in as many transactions as necessary."""
        look = await self._parts.database.read(self._user_id, self._look)
        persona_id = self._given.chat.persona_id
        if look.chat is not None and look.chat.persona_id != persona_id:
            self.skipped.append(f"it belongs to persona {look.chat.persona_id!r}, not {persona_id!r}.")
            return
        fresh = await self._fresh(look)
        begun = _beginning(look, self._chat_id, self._given.messages)
        folds = await self._folds([*begun, *fresh]) if begun is not None else Folds()
        new_pins = await self._new_pins(look)
        if look.chat is not None and not (fresh or new_pins or folds.summaries):
            return
        known = len(self._given.messages) - len(fresh)
        for start in range(0, len(fresh), BATCH) or (0,):
            batch = fresh[start : start + BATCH]
            is_last = start + BATCH >= len(fresh)
            saving = partial(self._save, batch, begun, folds, new_pins if is_last else [], is_last)
            saved = await self._parts.database.write(self._user_id, saving)
            begun = [*begun, *saved.placed] if saved.continued and begun is not None else None
            self.imported += len(saved.placed) + saved.pinned
            self.duplicates += len(batch) - len(saved.placed) + saved.outdated
            self.skipped += saved.skipped
            self.waiting += saved.waiting
            self._progress(known + start + len(batch))

    # -- load ---------------------------------------------------------------------------------------------

    def _look(self, tx: Connection) -> _Look:
        named = {message.session_id for message in self._given.messages if message.session_id}
        found = {name: sessions.get(tx, self._user_id, name) for name in named - self._personas.keys()}
        ids = [message.message_id for message in self._given.messages]
        return _Look(
            chat=chats.get(tx, self._user_id, self._chat_id),
            known=messages.get_many(tx, self._user_id, ids),
            known_pins=frozenset(
                pin.pin_id for pin in self._given.pins if pins.get(tx, self._user_id, pin.pin_id)
            ),
            personas={name: session.persona_id for name, session in found.items() if session},
        )

    # -- decide -------------------------------------------------------------------------------------------

    async def _fresh(self, look: _Look) -> list[Message]:
        """The messages that are not stored yet, with token counts, each in an existing session."""
        personas = {**self._personas, **look.personas}
        fresh: list[Message] = []
        for message in self._placeable(look):
            known = look.known.get(message.message_id)
            if known is None:
                fresh.append(self._in_session(message, personas))
            elif known.chat_id == self._chat_id:
                self.duplicates += 1
            else:
                self.skipped.append(f"message {message.message_id!r} belongs to another chat.")
        counts = await self._parts.count([message.text for message in fresh])
        return [counted(message, count) for message, count in zip(fresh, counts, strict=True)]

    def _placeable(self, look: _Look) -> Sequence[Message]:
        """The messages of the file; with `only_at_end`, without unknown ones before a known one."""
        given = self._given.messages
        own = [number for number, message in enumerate(given) if self._is_own(look, message)]
        if not (self._only_at_end and own):
            return given
        lost = sum(message.message_id not in look.known for message in given[: own[-1]])
        if lost:
            self.skipped.append(f"unknown messages before known ones cannot be placed: {lost}.")
        return [
            message
            for number, message in enumerate(given)
            if number > own[-1] or message.message_id in look.known
        ]

    def _is_own(self, look: _Look, message: Message) -> bool:
        known = look.known.get(message.message_id)
        return known is not None and known.chat_id == self._chat_id

    def _in_session(self, message: Message, personas: Mapping[str, str | None]) -> Message:
        name = message.session_id
        if name is None or (name in personas and personas[name] == self._given.chat.persona_id):
            return message
        self.skipped.append(
            f"message {message.message_id!r} was loaded without its session {name!r}, which does not exist."
        )
        return replace(message, session_id=None)

    async def _folds(self, said: Sequence[Message]) -> Folds:
        """Segments and briefs if they fit the messages; otherwise none, and the chat is folded when it is due."""
        try:
            found = folds_from(self._given, said)
        except InvalidInput as error:
            self.skipped.append(f"summaries and briefs are left to the next fold: {error.message}")
            return Folds()
        texts = [item.summary for item in found.summaries] + [item.global_summary for item in found.briefs]
        counts = await self._parts.count(texts)
        cut = len(found.summaries)
        if found.briefs and counts[-1] > (cap := self._parts.settings.summary_token_cap):
            self.skipped.append(
                f"summaries and briefs are left to the next fold: the brief has {counts[-1]} tokens (maximum {cap})."
            )
            return Folds()
        return Folds(
            summaries=tuple(
                replace(item, tokens=count) for item, count in zip(found.summaries, counts[:cut], strict=True)
            ),
            briefs=tuple(
                replace(item, tokens=count) for item, count in zip(found.briefs, counts[cut:], strict=True)
            ),
        )

    async def _new_pins(self, look: _Look) -> list[Pin]:
        new = [pin for pin in self._given.pins if pin.pin_id not in look.known_pins]
        self.duplicates += len(self._given.pins) - len(new)
        counts = await self._parts.count([pin.content for pin in new])
        return [replace(pin, tokens=count) for pin, count in zip(new, counts, strict=True)]

    # -- save ---------------------------------------------------------------------------------------------

    def _save(
        self,
        batch: Sequence[Message],
        begun: Sequence[Message] | None,
        folds: Folds,
        new_pins: Sequence[Pin],
        is_last: bool,
        tx: Connection,
    ) -> _Saved:
        given = self._given.chat
        chat = chats.get(tx, self._user_id, self._chat_id)
        continues = begun is not None and _is_beginning(chat, begun)
        if chat is None:
            made = chats.ensure(tx, self._user_id, self._chat_id, given.persona_id, given.created_at)
            chat = replace(made, title=given.title)
        known = messages.get_many(tx, self._user_id, [message.message_id for message in batch])
        unknown = [message for message in batch if message.message_id not in known]
        placed = unknown if continues else _appended(chat, unknown)
        messages.insert_many(tx, placed, _count(self._parts, tx, chat, placed))
        chat = self._judged(chat, grown(chat, placed), unknown, continues)
        skipped: list[str] = []
        if is_last and continues and begun is not None and folds.summaries:
            chat = self._restore(tx, chat, [*begun, *placed], folds, skipped)
        chats.save(tx, chat)
        if is_last and (placed or folds.summaries):
            self._fold_when_due(tx, chat)
        if is_last and self._parts.judge is not None and chat.judged_position < chat.last_position:
            self._parts.write_down(tx, self._user_id, [follow_up.judge_chat(self._chat_id)])
        ready, waiting = sorted_out(tx, self._given, new_pins, skipped)
        pinned, outdated = save_given(tx, chat, ready, skipped)
        return _Saved(
            placed=tuple(placed),
            continued=continues,
            pinned=pinned,
            outdated=outdated,
            waiting=tuple(waiting),
            skipped=tuple(skipped),
        )

    def _judged(
        self, before: ChatRecord, after: ChatRecord, unknown: Sequence[Message], continues: bool
    ) -> ChatRecord:
        """The chat with its judged position: that of the file, but not before the stored one and not after waiting messages."""
        reached = self._given.chat.judged_position
        if continues:
            judged = max(before.judged_position, min(reached, after.last_position))
        elif before.judged_position < before.last_position:
            judged = before.judged_position
        else:
            # They are appended in order, so the judged ones come first.
            judged = before.last_position + sum(message.position <= reached for message in unknown)
        return replace(after, judged_position=judged)

    def _restore(
        self, tx: Connection, chat: ChatRecord, said: Sequence[Message], folds: Folds, skipped: list[str]
    ) -> ChatRecord:
        """Segments, briefs and the cursor as they were."""
        if any(summaries.get(tx, self._user_id, item.summary_id) for item in folds.summaries):
            skipped.append(
                "summaries and briefs are left to the next fold: a summary's id belongs to another chat."
            )
            return chat
        for summary in folds.summaries:
            summaries.insert(tx, summary)
        for brief in folds.briefs:
            briefs.insert(tx, brief)
        reached = folds.summaries[-1].end_position
        rest = [message for message in said if message.position > reached]
        return replace(
            chat,
            revision=folds.briefs[-1].revision,
            folded_position=reached,
            unfolded_messages=len(rest),
            unfolded_tokens=sum(message.tokens for message in rest),
        )

    def _fold_when_due(self, tx: Connection, chat: ChatRecord) -> None:
        brief: Brief | None = briefs.current(tx, self._user_id, self._chat_id)
        threshold = self._parts.settings.fold_threshold_tokens
        if fold.is_due(chat, brief.tokens if brief else 0, threshold=threshold):
            self._parts.write_down(tx, self._user_id, [follow_up.fold_chat(self._chat_id)])


def _beginning(look: _Look, chat_id: str, given: Sequence[Message]) -> list[Message] | None:
    """The stored messages of a chat, if they are the beginning of the file's chat and it is untouched; else None."""
    if look.chat is None:
        return []
    stored = [message for message in look.known.values() if message.chat_id == chat_id]
    stored.sort(key=lambda message: message.position)
    elsewhere = look.known.keys() - {message.message_id for message in stored}
    own = [message for message in given if message.message_id not in elsewhere]
    places = [(message.message_id, message.position) for message in stored]
    if places != [(message.message_id, message.position) for message in own[: len(stored)]]:
        return None
    return stored if _is_beginning(look.chat, stored) else None


def _is_beginning(chat: ChatRecord | None, begun: Sequence[Message]) -> bool:
    """Whether these are all messages of a chat, none of them folded, edited or deleted."""
    if chat is None:
        return not begun
    end = begun[-1].position if begun else 0
    untouched = chat.revision == 0 and chat.folded_position == 0
    return untouched and (chat.message_count, chat.last_position) == (len(begun), end)


def _appended(chat: ChatRecord, unknown: Sequence[Message]) -> list[Message]:
    return [
        replace(message, position=chat.last_position + number) for number, message in enumerate(unknown, 1)
    ]


def _count(parts: Parts, tx: Connection, chat: ChatRecord, placed: Sequence[Message]) -> int:
    """Count the messages for the user and the persona, as if recorded here; return the first one's revision."""
    spoken = sum(message.role is Role.USER for message in placed)
    model, epoch, now = parts.embedders.default, int(parts.suffix(), 16), parts.now()
    counted = users.count_messages(
        tx, chat.user_id, spoken, recorded=len(placed), model=model, epoch=epoch, now=now
    )
    if not placed:
        return counted.first_revision
    parts.write_down(tx, chat.user_id, [follow_up.index_messages()])
    known = session_states.get(tx, chat.user_id, chat.persona_id)
    before = known or SessionState(user_id=chat.user_id, persona_id=chat.persona_id)
    after = state_after(before, placed)
    session_states.save(tx, after, now)
    return counted.first_revision
