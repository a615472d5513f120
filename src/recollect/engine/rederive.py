"""Rederive: a message was edited, so the memories that came from it alone must follow its new words.

A memory whose fact the new words still state is rewritten; one that they no longer support is archived, with the reason
in its history, and can be restored. Memories that other messages support as well are left alone.
"""

import logging

from recollect.domain.draft import Draft, Request, compose
from recollect.domain.memory import MemoryRecord
from recollect.domain.message import Message
from recollect.domain.revision import Edit
from recollect.domain.sentence import sentences
from recollect.engine import revise
from recollect.engine.parts import Parts
from recollect.errors import InvalidInput
from recollect.store import memories, messages
from recollect.store.database import Connection

log = logging.getLogger(__name__)

_REASON = "the message that it came from was edited"


async def rederive(parts: Parts, user_id: str, message_id: str) -> int:
    """Bring the memories of one message up to date; how many changed."""

    def load(tx: Connection) -> tuple[Message | None, list[MemoryRecord]]:
        alone = [
            memory_id
            for memory_id, sources in memories.told_by_messages(tx, user_id)
            if sources == (message_id,)
        ]
        found = memories.get_many(tx, user_id, alone)
        return messages.get(tx, user_id, message_id), [item for item in found.values() if item.current]

    message, derived = await parts.database.read(user_id, load)
    if message is None or not derived:
        return 0
    drafts = _drafts(message)
    changed = 0
    for memory in derived:
        change = _change(memory, drafts)
        if change is not None:
            await revise.edit(parts, user_id, memory.memory_id, change, by="rederive", reason=_REASON)
            changed += 1
    log.info("memory.rederived user=%s message=%s changed=%d", user_id, message_id, changed)
    return changed


def _drafts(message: Message) -> list[Draft]:
    """What the message states now."""
    drafts: list[Draft] = []
    for text in dict.fromkeys([message.text, *(sentence.text for sentence in sentences(message.text))]):
        try:
            drafts.append(compose(Request(content=text, by_caller=False), {}))
        except InvalidInput:
            continue
    return drafts


def _change(memory: MemoryRecord, drafts: list[Draft]) -> Edit | None:
    """The new text for the same fact; None when it says so already; archived when nothing states it."""
    if any(draft.content == memory.content for draft in drafts):
        return None
    for draft in drafts:
        if memory.memory_key is not None and draft.memory_key == memory.memory_key:
            return Edit(content=draft.content)
    same = [draft for draft in drafts if draft.category == memory.category]
    if memory.memory_key is None and len(same) == 1:
        return Edit(content=same[0].content)
    return Edit(status="ARCHIVED")
