"""The only functions that write a memory, each together with everything that must change with it.

A memory consists of a row, a vector, its words, its mentions of entities and a history entry. The verbs use these
functions so that no part is missed. They run inside the caller's transaction.
"""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.index.postings import pack
from recollect.language.entity_names import recognise
from recollect.records.history import ChangeKind, HistoryEntry, diff
from recollect.records.memory import MemoryRecord
from recollect.store import entities, histories, memories, vectors
from recollect.store.database import Connection

#: A change's revision, time and author.
Note = tuple[int, datetime, str]


def save_new(
    tx: Connection, record: MemoryRecord, vector: NDArray[np.float32], *, model: str, revision: int
) -> None:
    """Write a new memory; the caller writes its history. The vector may be empty, to be made later."""
    memories.insert(tx, record, terms=pack(record.content), revision=revision)
    if vector.size:
        vectors.put(tx, record.user_id, model, [(record.memory_id, vector)])
    entities.mention(tx, record.user_id, labels_of(record), record.memory_id, record.created_at)


def save_copy(tx: Connection, record: MemoryRecord, same_as: str, *, model: str, revision: int) -> None:
    """Write a new memory with another's text: copy its vector and do not count its entities as mentioned again."""
    memories.insert(tx, record, terms=pack(record.content), revision=revision)
    vectors.copy(tx, record.user_id, model, same_as, record.memory_id)
    entities.attach(tx, record.user_id, record.entity_refs, record.memory_id)


def save_changed(
    tx: Connection, before: MemoryRecord, after: MemoryRecord, change: ChangeKind, note: Note, *, reason: str
) -> None:
    """Write the row and history of a memory whose text is unchanged."""
    old, new = diff(before, after)
    memories.update(tx, after, terms=pack(after.content), revision=note[0])
    append_change(tx, after.user_id, after.memory_id, change, note, reason=reason, old=old, new=new)


def save_mentioned(
    tx: Connection, before: MemoryRecord, after: MemoryRecord, note: Note, *, said: str, reason: str
) -> None:
    """Record a repeated memory; the history keeps the wording, in case it contained more."""
    old, new = diff(before, after)
    if said != before.content:
        new["said"] = said
    if (before.pinned, before.tags) != (after.pinned, after.tags):
        memories.update(tx, after, terms=pack(after.content), revision=note[0])
    else:
        memories.mention(tx, after)
    append_change(
        tx, after.user_id, after.memory_id, ChangeKind.MENTIONED, note, reason=reason, old=old, new=new
    )


def save_rewritten(
    tx: Connection,
    before: MemoryRecord,
    after: MemoryRecord,
    vector: NDArray[np.float32],
    note: Note,
    *,
    model: str,
    reason: str,
) -> None:
    """Write a memory's new text, replacing everything made from the old one. The vector may be empty, to be made later."""
    save_changed(tx, before, after, ChangeKind.EDITED, note, reason=reason)
    vectors.drop(tx, after.user_id, after.memory_id)
    if vector.size:
        vectors.put(tx, after.user_id, model, [(after.memory_id, vector)])
    entities.unmention(tx, after.user_id, after.memory_id)
    entities.mention(tx, after.user_id, labels_of(after), after.memory_id, note[1])
    entities.drop_orphans(tx, after.user_id, set(before.entity_refs) - set(after.entity_refs))


def append_change(
    tx: Connection,
    user_id: str,
    memory_id: str,
    change: ChangeKind,
    note: Note,
    *,
    reason: str,
    old: Mapping[str, Any] | None = None,
    new: Mapping[str, Any] | None = None,
) -> None:
    """Add an entry to a memory's history."""
    revision, at, by = note
    entry = HistoryEntry(
        memory_id=memory_id,
        entry=revision,
        at=at,
        by=by,
        change=change,
        old=old or {},
        new=new or {},
        reason=reason,
    )
    histories.append(tx, user_id, [entry])


def labels_of(record: MemoryRecord) -> list[tuple[str, str]]:
    """Save a memory's entities with their display names; the label belongs to the first entity."""
    refs = record.entity_refs
    if len(refs) == 1 and record.entity_label:
        return [(refs[0], record.entity_label)]
    written = {found.key: found.label for found in recognise(record.content)} if refs else {}
    labels = [(key, written.get(key) or key.partition(":")[2].replace("_", " ").title()) for key in refs]
    if labels and record.entity_label:
        labels[0] = (labels[0][0], record.entity_label)
    return labels
