"""Forget a message or a whole chat, with everything derived from it, and report what was erased.

Derived data includes automatic pins, briefs and segments that covered it, session, rolling and long-view summaries written
since, memories and todos that came from it alone, stored answers and jobs. Data that other messages support stays, without
naming the erased message; a todo that it reported as done is reopened. Jobs created in the same transaction rewrite the
summaries from the remaining messages.
"""

import logging
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from recollect.engine.amend import (
    Reread,
    change_message,
    drop_retellings,
    repin,
    unfold,
    unpin,
    unpin_elsewhere,
)
from recollect.engine.forget import Receipt, erase_memories, finish
from recollect.engine.parts import Parts
from recollect.engine.told_todos import moments_of_deeds, reopened
from recollect.errors import NotFound
from recollect.records.chat import ChatRecord
from recollect.records.message import Message, Role
from recollect.rules import follow_up
from recollect.store import (
    briefs,
    chats,
    erase,
    idempotency_keys,
    memories,
    message_vectors,
    messages,
    pins,
    sessions,
    summaries,
    todos,
)
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Erased rows by kind, the texts that must not be found afterwards, and the chats to fold again.
_Erased = tuple[Counter[str], list[str], tuple[str, ...]]


async def forget_message(parts: Parts, user_id: str, message_id: str) -> Receipt:
    """Erase one message."""
    erased = await change_message(parts, user_id, message_id, partial(_message, parts), parts.database.erase)
    return await _finish(parts, user_id, erased)


async def forget_chat(parts: Parts, user_id: str, chat_id: str) -> Receipt:
    """Erase a chat with all its messages."""
    erased = await parts.database.erase(user_id, partial(_chat, parts, user_id, chat_id))
    return await _finish(parts, user_id, erased)


async def _finish(parts: Parts, user_id: str, erased: _Erased) -> Receipt:
    counts, texts, refolded = erased
    log.info("conversation.forgotten user=%s messages=%d", user_id, counts["messages"])
    return await finish(parts, user_id, dict(counts), texts, refolded=refolded)


def _message(parts: Parts, reread: Reread, chat: ChatRecord, tx: Connection) -> _Erased:
    message = reread.before
    user_id, message_id = message.user_id, message.message_id
    counts: Counter[str] = Counter(messages=1, message_vectors=message_vectors.drop(tx, user_id, message_id))
    texts = [message.text]
    messages.delete(tx, user_id, message_id)
    gone_pins = unpin(tx, message)
    repin(parts, tx, reread)
    # A pin set by hand stays, because somebody wants it kept.
    pins.forget_source(tx, user_id, message_id)
    gone = unfold(parts, tx, replace(chat, message_count=chat.message_count - 1), message.position)
    counts.update(pins=len(gone_pins), summaries=len(gone.summaries), briefs=len(gone.briefs))
    texts += [pin.content for pin in gone_pins]
    texts += [summary.summary for summary in gone.summaries] + [brief.global_summary for brief in gone.briefs]
    counts += _derived(parts, tx, chat, [message], texts)
    return counts, texts, (chat.chat_id,) if gone.summaries else ()


def _chat(parts: Parts, user_id: str, chat_id: str, tx: Connection) -> _Erased:
    chat = chats.get(tx, user_id, chat_id)
    if chat is None:
        raise NotFound(f"There is no chat {chat_id!r}.", id=chat_id)
    said = messages.after(tx, user_id, chat_id, 0)
    texts = [message.text for message in said]
    elsewhere = unpin_elsewhere(parts, tx, chat, said)
    texts += [pin.content for pin in (*elsewhere, *pins.of_chat(tx, user_id, chat_id))]
    texts += [summary.summary for summary in summaries.of_chat(tx, user_id, chat_id)]
    texts += [brief.global_summary for brief in briefs.revisions(tx, user_id, chat_id)]
    counts: Counter[str] = Counter(
        chats=1,
        message_vectors=message_vectors.drop_chat(tx, user_id, chat_id),
        messages=messages.delete_all(tx, user_id, chat_id),
        pins=len(elsewhere) + pins.delete_all(tx, user_id, chat_id),
        summaries=summaries.delete_from(tx, user_id, chat_id, 0),
        briefs=briefs.delete_all(tx, user_id, chat_id),
    )
    chats.delete(tx, user_id, chat_id)
    counts["jobs"] += erase.jobs_of_chat(tx, user_id, chat_id)
    counts["answers"] += idempotency_keys.drop_mentioning(tx, user_id, [chat_id])
    if said:
        counts += _derived(parts, tx, chat, said, texts)
    return counts, texts, ()


def _derived(
    parts: Parts, tx: Connection, chat: ChatRecord, said: Sequence[Message], texts: list[str]
) -> Counter[str]:
    """Erase data derived from these messages outside the chat."""
    user_id = chat.user_id
    ids = {message.message_id for message in said}
    told = drop_retellings(parts, tx, chat, said)
    counts: Counter[str] = Counter(
        session_summaries=told.session_summaries,
        rolling_summaries=told.rolling_summaries,
        spines=told.spines,
        answers=idempotency_keys.drop_mentioning(tx, user_id, ids),
    )
    alone: list[str] = []
    for memory_id, sources in memories.told_by_messages(tx, user_id):
        left = [source for source in sources if source not in ids]
        if not left:
            alone.append(memory_id)
        elif len(left) < len(sources):
            memories.retell(tx, user_id, memory_id, left)
    if alone:
        _read_again(parts, tx, user_id, alone, ids)
        erased, words = erase_memories(parts, tx, user_id, alone)
        counts.update(erased)
        texts += words
    counts["todos"] += _todos(tx, user_id, said, texts, parts.now())
    asked, reasons = erase.proposals_of_messages(tx, user_id, ids)
    counts["proposals"] += asked
    texts += reasons
    _uncount(tx, user_id, said)
    counts["sessions"] += sessions.delete_empty(
        tx, user_id, {item.session_id for item in said if item.session_id}
    )
    return counts


def _read_again(parts: Parts, tx: Connection, user_id: str, alone: Sequence[str], gone: set[str]) -> None:
    """Judge the messages with older values again: those values were erased with the newer ones but are true again."""
    if parts.judge is None:
        return
    older = memories.get_many(tx, user_id, erase.with_ancestors(tx, user_id, alone))
    told = {source for memory in older.values() for source in memory.source_message_ids} - gone
    found = messages.get_many(tx, user_id, sorted(told))
    work = [follow_up.rederive(item.chat_id, item.message_id) for item in found.values()]
    parts.write_down(tx, user_id, work)


def _uncount(tx: Connection, user_id: str, said: Sequence[Message]) -> None:
    """Update the sessions' counts of the user's messages."""
    for session_id, gone in Counter(item.session_id for item in said if item.role is Role.USER).items():
        session = sessions.get(tx, user_id, session_id) if session_id else None
        if session is not None:
            sessions.save(tx, replace(session, turn_count=session.turn_count - gone))


def _todos(tx: Connection, user_id: str, said: Sequence[Message], texts: list[str], now: datetime) -> int:
    """Delete todos that came from these messages alone; remove the messages from others, and reopen those they closed."""
    ids, moments = {message.message_id for message in said}, moments_of_deeds(said)
    gone = 0
    for todo in todos.of_user(tx, user_id):
        left = tuple(source for source in todo.source_message_ids if source not in ids)
        if todo.source_message_ids and not left:
            todos.delete(tx, user_id, todo.todo_id)
            texts.append(todo.text)
            gone += 1
            continue
        after = replace(reopened(todo, moments, now), source_message_ids=left)
        if after != todo:
            todos.update(tx, after)
    return gone
