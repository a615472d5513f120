"""Standing: before older messages are enacted, look up later decisions that people made about memories.

Read-only, in the caller's transaction. For new messages there is almost nothing to read, because the history is queried by
time. Only if messages were read before are the user's memories searched for those that came from them.
"""

from collections.abc import Collection, Mapping
from datetime import datetime

from recollect.records.memory import MemoryRecord
from recollect.rules.user_edits import MACHINES, Decided, Told, taken_away, told
from recollect.store import histories, memories
from recollect.store.database import Connection


def look_up(
    tx: Connection, user_id: str, said: Mapping[str, datetime], *, read_before: bool, edited: bool
) -> Decided:
    """The decisions that override these messages' statements."""
    if not said:
        return Decided()
    entries = histories.since(tx, user_id, min(said.values()), not_by=MACHINES)
    known = memories.get_many(tx, user_id, list(dict.fromkeys(entry.memory_id for entry in entries)))
    return Decided(
        said=said,
        touched={entry.memory_id: entry.at for entry in entries},
        taken=taken_away(entries, known),
        told=_told(tx, user_id, said.keys()) if read_before else {},
        edited=edited,
    )


def _told(tx: Connection, user_id: str, message_ids: Collection[str]) -> dict[str, list[Told]]:
    """Earlier statements from these messages that no longer hold as stated."""
    from_them = {
        memory_id: sources
        for memory_id, sources in memories.told_by_messages(tx, user_id)
        if not set(sources).isdisjoint(message_ids)
    }
    found: dict[str, list[Told]] = {}
    for memory in memories.get_many(tx, user_id, list(from_them)).values():
        if memory.current and memory.updated_at == memory.created_at:
            continue
        entries = histories.of_memory(tx, user_id, memory.memory_id)
        item = told(memory, entries, replaced=_replaced(tx, memory))
        for message_id in from_them[memory.memory_id] if item.gone else ():
            found.setdefault(message_id, []).append(item)
    return found


def _replaced(tx: Connection, memory: MemoryRecord) -> bool:
    """Whether a newer value still exists; if it was forgotten, this one may be restored."""
    later = memory.superseded_by
    return later is not None and memories.get(tx, memory.user_id, later) is not None
