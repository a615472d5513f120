"""Judge: read a chat's new messages and turn what is worth keeping into memories, todos, pins and proposals.

A chat is read in batches from its cursor. The judge is asked outside any transaction. Its proposals and the new cursor are
then written in one, provided that cursor and messages are unchanged; otherwise the batch is read again. So a killed job
resumes where it stopped, and two processes judge a message only once. This module does not know whether rules or a model
judge, or what makes a statement worth keeping. Judging while recording was rejected, because a turn must not wait for it.
"""

import logging
import time
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime
from functools import partial
from itertools import accumulate
from typing import Any

from recollect.engine.enact import Enacted, Moved, Ready, enact, make_ready
from recollect.engine.forget import finish
from recollect.engine.parts import Parts
from recollect.engine.remember import tell
from recollect.engine.standing import look_up
from recollect.errors import NotFound
from recollect.language.terms import terms
from recollect.models.judge import Judge
from recollect.records.chat import ChatRecord
from recollect.records.judgement import Judgement, Material
from recollect.records.message import Message, Role
from recollect.store import chats, entities, memories, messages, unjudged, users
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Messages and tokens per write for rules: a few milliseconds of work and a short transaction.
RULES_MESSAGES = 40
RULES_TOKENS = 30_000
#: Messages and tokens that a model reads at once. Small models miss the middle of longer transcripts, and a failed call's
#: cost is lost. A single message may be longer.
MODEL_MESSAGES = 40
MODEL_TOKENS = 3_000
#: Preceding messages, which show what is being answered and whether role-play is in progress.
EARLIER = 16
#: Known facts shown to a model, and characters of the user's text used to search for them.
KNOWN = 12
_SOUGHT = 2000
#: Cosine below which a known fact is unrelated to the conversation.
_RELATED = 0.25
#: The most recently mentioned entities, whose names help to recognise them.
_NAMES = 2000


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """Counts of what judging produced."""

    #: Messages read, of every role.
    messages: int = 0
    #: Proposed memories and their outcomes; `refused` counts proposals of every kind.
    proposed: int = 0
    added: int = 0
    updated: int = 0
    duplicates: int = 0
    refused: int = 0
    todos: int = 0
    pins: int = 0
    #: Proposals about pairs of memories that cannot both be true.
    contradictions: int = 0
    #: Requests to forget: carried out, proposed for a decision, and without a match.
    forgotten: int = 0
    forgettings_asked: int = 0
    forgettings_unfound: int = 0
    #: Who judged: "rules", the name of a model, or both; empty if nobody did.
    judged_by: tuple[str, ...] = ()

    def __add__(self, other: "Judged") -> "Judged":
        counts = {
            item.name: getattr(self, item.name) + getattr(other, item.name)
            for item in fields(self)
            if item.name != "judged_by"
        }
        return Judged(**counts, judged_by=tuple(dict.fromkeys((*self.judged_by, *other.judged_by))))

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            item.name: list(self.judged_by) if item.name == "judged_by" else getattr(self, item.name)
            for item in fields(self)
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Batch:
    """Messages judged together, as read."""

    chat: ChatRecord
    messages: tuple[Message, ...]
    earlier: tuple[Message, ...]
    names: dict[str, str]
    #: The user's own messages among them.
    own: tuple[Message, ...]
    #: The cursor from which it was read; None if read again regardless of the cursor.
    start: int | None
    #: Read again because its text was edited.
    edited: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Anew:
    """The findings for an edited message, with the message as read."""

    batch: _Batch
    judgement: Judgement


class _Overtaken(Exception):
    """The cursor or the messages have changed since they were read."""


async def judge(
    parts: Parts,
    user_id: str,
    chat_id: str,
    *,
    by: Judge | None = None,
    again: bool = False,
    enough: int | None = None,
) -> Judged:
    """Judge a chat's new messages, to its end or up to a limit; `again` starts from the beginning.

    `by` replaces the configured judge. Judging the same messages again changes nothing.
    """
    who = by or parts.judge
    done = Judged()
    if who is None:
        return done
    position = 0 if again else None
    while enough is None or done.messages < enough:
        began = time.process_time()
        batch = await parts.database.read(user_id, partial(_next, user_id, chat_id, who, position))
        if batch is None:
            break
        try:
            done += await _judge_batch(parts, who, batch)
        except _Overtaken:
            log.info("judge.overtaken user=%s chat=%s", user_id, chat_id)
            continue
        if again:
            position = batch.messages[-1].position
        await parts.presence.give_way(time.process_time() - began)
    return done


async def judge_all(parts: Parts, user_id: str, *, again: bool = False) -> Judged:
    """Judge new messages in every chat, least recently active first, so that the latest statement wins."""
    which = chats.ids if again else unjudged.chat_ids
    done = Judged()
    for chat_id in await parts.database.read(user_id, lambda tx: which(tx, user_id)):
        done += await judge(parts, user_id, chat_id, again=again)
    return done


async def judge_chat(parts: Parts, user_id: str, chat_id: str, *, again: bool = False) -> Judged:
    """Like `judge`, but raise an error if the named chat does not exist."""
    if await parts.database.read(user_id, lambda tx: chats.get(tx, user_id, chat_id)) is None:
        raise NotFound(f"There is no chat {chat_id!r}.", id=chat_id)
    return await judge(parts, user_id, chat_id, again=again)


async def judge_anew(parts: Parts, user_id: str, message_id: str) -> Anew | None:
    """The findings for one edited message that was judged before; None if it has not been judged yet."""
    batch = await parts.database.read(user_id, partial(_alone, user_id, message_id))
    if parts.judge is None or batch is None:
        return None
    return Anew(batch=batch, judgement=await _asked(parts, parts.judge, batch))


async def write_anew(parts: Parts, found: Anew) -> Judged:
    """Write the findings for one message without moving the cursor; write nothing if it changed in the meantime."""
    try:
        return await _write(parts, found.batch, found.judgement)
    except _Overtaken:
        # The change created a job that reads it again.
        return Judged()


def _alone(user_id: str, message_id: str, tx: Connection) -> _Batch | None:
    message = messages.get(tx, user_id, message_id)
    chat = chats.get(tx, user_id, message.chat_id) if message else None
    if message is None or chat is None or message.position > chat.judged_position:
        return None
    return replace(_batch(tx, chat, [message], None), edited=True)


# -- load --------------------------------------------------------------------------------------------------


def _next(user_id: str, chat_id: str, who: Judge, position: int | None, tx: Connection) -> _Batch | None:
    """The next batch after the cursor or a position; None if there are no messages."""
    chat = chats.get(tx, user_id, chat_id)
    if chat is None:
        return None
    start = chat.judged_position if position is None else position
    by_rules = who.name == "rules"
    most, size = (RULES_MESSAGES, RULES_TOKENS) if by_rules else (MODEL_MESSAGES, MODEL_TOKENS)
    found = messages.after(tx, user_id, chat_id, start, most)
    fitting = sum(total <= size for total in accumulate(message.tokens for message in found))
    taken = found[: max(fitting, 1)]
    return _batch(tx, chat, taken, start if position is None else None) if taken else None


def _batch(tx: Connection, chat: ChatRecord, taken: Sequence[Message], start: int | None) -> _Batch:
    first = taken[0].position
    return _Batch(
        chat=chat,
        messages=tuple(taken),
        earlier=tuple(messages.latest(tx, chat.user_id, chat.chat_id, EARLIER, before_position=first)),
        names=entities.names(tx, chat.user_id, _NAMES),
        own=tuple(_own(tx, chat, taken)),
        start=start,
    )


def _own(tx: Connection, chat: ChatRecord, taken: Sequence[Message]) -> list[Message]:
    """The user's messages: if several people speak as users, only the unnamed ones."""
    spoken = [message for message in taken if message.role is Role.USER]
    if all(message.name is None for message in spoken):
        return spoken
    if len(messages.speakers(tx, chat.user_id, chat.chat_id, 2)) < 2:
        return spoken
    return [message for message in spoken if message.name is None]


async def _material(parts: Parts, who: Judge, batch: _Batch) -> Material:
    known: list[str] = []
    if who.name != "rules":
        known = await _known(parts, batch)
    return Material(messages=batch.messages, earlier=batch.earlier, known=known, names=batch.names)


async def _known(parts: Parts, batch: _Batch) -> list[str]:
    """The known facts most related to the user's text, shown to a model so that it does not repeat them."""
    user_id = batch.chat.user_id
    words = " ".join(message.text for message in batch.own)[:_SOUGHT]
    seen = parts.seen.get(user_id) or await parts.look_at(user_id)
    (vector,) = await parts.embedders.soon(seen.model, [words])

    def load(tx: Connection) -> list[str]:
        state = users.state(tx, user_id)
        if state is None or state.embedding_model != seen.model:
            return []
        with parts.indexes.of(tx, user_id, state) as index:
            by_words = [] if vector.size else index.saying(terms(words), None, KNOWN)
            near = by_words or index.nearest(vector, None, KNOWN, floor=_RELATED)
        found = memories.get_many(tx, user_id, list(near))
        return [found[memory_id].content for memory_id in near if memory_id in found]

    return await parts.database.read(user_id, load)


# -- decide and save ---------------------------------------------------------------------------------------


async def _judge_batch(parts: Parts, who: Judge, batch: _Batch) -> Judged:
    """Ask the judge about one batch and write its findings."""
    return await _write(parts, batch, await _asked(parts, who, batch))


async def _asked(parts: Parts, who: Judge, batch: _Batch) -> Judgement:
    if not batch.own:
        return Judgement(judged_by="")
    return await who.judge(await _material(parts, who, batch))


async def _write(parts: Parts, batch: _Batch, judgement: Judgement) -> Judged:
    user_id = batch.chat.user_id
    seen = parts.seen.get(user_id) or await parts.look_at(user_id)
    # Erasing requires a sweep afterwards, even if this process dies first.
    run = parts.database.erase if judgement.forgettings else parts.database.write
    while True:
        ready = await make_ready(
            parts,
            seen,
            batch.chat,
            batch.messages,
            batch.own,
            judgement,
            earlier=batch.earlier,
            edited=batch.edited,
        )
        try:
            enacted = await run(user_id, partial(_save, parts, batch, ready))
            break
        except Moved:
            seen = await parts.look_at(user_id)
    done = _counted(batch, ready, enacted)
    _tell(batch, done, ready, enacted)
    if judgement.forgettings:
        await finish(parts, user_id, dict(enacted.erased), enacted.texts)
    parts.bell.ring()
    return done


def _save(parts: Parts, batch: _Batch, ready: Ready, tx: Connection) -> Enacted:
    chat = chats.get(tx, batch.chat.user_id, batch.chat.chat_id)
    if chat is None or (batch.start is not None and chat.judged_position != batch.start):
        raise _Overtaken
    if not messages.unchanged(tx, batch.messages):
        raise _Overtaken
    now = parts.now()
    # Edited text counts as said now, because it is the user's latest statement.
    said = {message.message_id: now if batch.edited else message.created_at for message in batch.own}
    decided = look_up(
        tx, chat.user_id, _sources(ready, said), read_before=batch.start is None, edited=batch.edited
    )
    enacted = enact(parts, tx, chat, ready, decided)
    reached = max(chat.judged_position, batch.messages[-1].position)
    if reached != chat.judged_position:
        chats.save(tx, replace(chat, judged_position=reached))
    return enacted


def _sources(ready: Ready, said: Mapping[str, datetime]) -> dict[str, datetime]:
    """The messages from which something was derived."""
    told = [*ready.prepared.drafts, *ready.todos]
    return {each: said[each] for item in told for each in item.source_message_ids if each in said}


def _counted(batch: _Batch, ready: Ready, enacted: Enacted) -> Judged:
    outcomes = Counter(result.outcome for result in enacted.memories)
    judged_by = ready.judgement.judged_by
    return Judged(
        messages=len(batch.messages),
        proposed=len(ready.judgement.memories),
        added=outcomes["added"],
        updated=outcomes["updated"],
        duplicates=outcomes["duplicate"],
        refused=sum(ready.refused.values()),
        todos=enacted.todos,
        pins=enacted.pins,
        contradictions=enacted.contradictions,
        forgotten=enacted.forgotten,
        forgettings_asked=enacted.asked,
        forgettings_unfound=enacted.unfound,
        judged_by=(judged_by,) if judged_by else (),
    )


def _tell(batch: _Batch, done: Judged, ready: Ready, enacted: Enacted) -> None:
    """Log a batch's outcome, once it is durable."""
    user_id, chat_id = batch.chat.user_id, batch.chat.chat_id
    tell(user_id, enacted.memories)
    for reason, count in ready.refused.items():
        log.info("judge.refused user=%s chat=%s count=%d reason=%s", user_id, chat_id, count, reason)
    if done.forgettings_unfound:
        log.info("judge.nothing_to_forget user=%s chat=%s", user_id, chat_id)
    log.info(
        "judge.done user=%s chat=%s messages=%d proposed=%d added=%d updated=%d duplicates=%d refused=%d todos=%d closed=%d reopened=%d forgettings=%d by=%s",
        user_id,
        chat_id,
        done.messages,
        done.proposed,
        done.added,
        done.updated,
        done.duplicates,
        done.refused,
        done.todos,
        enacted.closed,
        enacted.reopened,
        done.forgotten + done.forgettings_asked,
        ready.judgement.judged_by or "nobody",
    )
