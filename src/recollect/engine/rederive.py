"""Rederive: after a message is edited, update the memories that came from it alone.

A memory whose fact the new text still states is rewritten; one that it no longer supports is archived, with the reason in
its history, and can be restored. Memories that other messages also support, and those that a person has reworded since,
are left alone. The message is then judged again, as if its new text were the original; a todo that it no longer mentions
is dropped, and a pending request to forget is withdrawn. A message that has not been judged yet is left to the judge.
"""

import logging
from contextlib import suppress
from dataclasses import replace
from functools import partial

from recollect.engine import revise
from recollect.engine.enact import request_for
from recollect.engine.judge import judge_anew, write_anew
from recollect.engine.parts import Parts
from recollect.errors import InvalidInput
from recollect.language.sentence import sentences
from recollect.records.judgement import Judgement
from recollect.records.memory import MemoryRecord
from recollect.records.message import Message
from recollect.records.proposal import ProposalKind, ProposalStatus
from recollect.records.todo import TodoStatus, same_todo
from recollect.rules import follow_up
from recollect.rules.draft import Draft, Request, compose
from recollect.rules.user_edits import REDERIVE, Edit, rewritten_by_hand
from recollect.store import histories, memories, messages, proposals, spines, todos
from recollect.store.database import Connection

log = logging.getLogger(__name__)

_REASON = "the message that it came from was edited"


async def rederive(parts: Parts, user_id: str, message_id: str) -> int:
    """Update one message's memories; return how many changed or were added."""
    message, derived = await parts.database.read(user_id, partial(_load, user_id, message_id))
    if message is None:
        return 0
    found = await judge_anew(parts, user_id, message_id)
    drafts = [*_proposed(found.judgement if found else None), *_drafts(message)]
    changed = 0
    for memory in derived:
        change = _change(memory, drafts)
        if change is not None:
            await revise.edit(parts, user_id, memory.memory_id, change, by=REDERIVE, reason=_REASON)
            changed += 1
    if found is not None:
        await parts.database.write(user_id, partial(_take_back, parts, user_id, message_id, found.judgement))
        read = await write_anew(parts, found)
        changed += read.added + read.updated
    if changed:
        await parts.database.write(user_id, partial(_retell, parts, message))
    if derived or changed:
        log.info("memory.rederived user=%s message=%s changed=%d", user_id, message_id, changed)
    return changed


def _load(user_id: str, message_id: str, tx: Connection) -> tuple[Message | None, list[MemoryRecord]]:
    alone = [
        memory_id for memory_id, sources in memories.told_by_messages(tx, user_id) if sources == (message_id,)
    ]
    found = memories.get_many(tx, user_id, alone)
    derived = [item for item in found.values() if item.current and not _is_corrected(tx, item)]
    return messages.get(tx, user_id, message_id), derived


def _retell(parts: Parts, message: Message, tx: Connection) -> None:
    """Rewrite a long view written since the edit, because it may contain the memory's old text."""
    if spines.delete_since(tx, message.user_id, message.created_at):
        parts.write_down(tx, message.user_id, [follow_up.grow_spine()])


def _is_corrected(tx: Connection, memory: MemoryRecord) -> bool:
    return rewritten_by_hand(histories.of_memory(tx, memory.user_id, memory.memory_id))


def _proposed(found: Judgement | None) -> list[Draft]:
    """The judge's findings in the new text, as statements."""
    drafts: list[Draft] = []
    for item in found.memories if found else ():
        with suppress(InvalidInput):
            drafts.append(compose(request_for(item), {}))
    return drafts


def _take_back(parts: Parts, user_id: str, message_id: str, found: Judgement, tx: Connection) -> None:
    """Remove open todos from this message alone, and its request to forget, if the new text lacks them."""
    now = parts.now()
    wish = proposals.about(tx, user_id, ProposalKind.FORGETTING, message_id)
    if wish is not None and not found.forgettings:
        proposals.decide(tx, user_id, wish.proposal_id, ProposalStatus.REJECTED, REDERIVE, now)
    for todo in todos.of_user(tx, user_id):
        if todo.source_message_ids != (message_id,) or todo.status is not TodoStatus.OPEN:
            continue
        named = (replace(todo, text=item.text, kind=item.kind) for item in found.todos)
        if not any(same_todo(todo, other) for other in named):
            todos.update(tx, replace(todo, status=TodoStatus.DROPPED, updated_at=now))


def _drafts(message: Message) -> list[Draft]:
    """The message's current statements."""
    drafts: list[Draft] = []
    for text in dict.fromkeys([message.text, *(sentence.text for sentence in sentences(message.text))]):
        try:
            drafts.append(compose(Request(content=text, by_caller=False), {}))
        except InvalidInput:
            continue
    return drafts


def _change(memory: MemoryRecord, drafts: list[Draft]) -> Edit | None:
    """The memory with the new text for its fact; None if unchanged; archived if nothing states it."""
    if any(draft.content == memory.content for draft in drafts):
        return None
    for draft in drafts:
        if memory.memory_key is not None and draft.memory_key == memory.memory_key:
            return Edit(content=draft.content)
    same = [draft for draft in drafts if draft.category == memory.category]
    if memory.memory_key is None and len(same) == 1:
        return Edit(content=same[0].content)
    return Edit(status="ARCHIVED")
