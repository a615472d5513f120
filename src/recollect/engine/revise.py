"""Revise: a user corrects what is remembered. Edit, pin, archive, restore, and relate memories to each other."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from recollect.engine.parts import Parts
from recollect.engine.write import Note, save_changed, save_rewritten
from recollect.errors import Conflict, NotFound
from recollect.records.history import ChangeKind
from recollect.records.link import Link, make_link
from recollect.records.memory import MemoryRecord, check_text
from recollect.records.revision import Edit, kind_of_change, revise
from recollect.rules.draft import Draft, Request, check_identifier, compose
from recollect.store import aliases, links, memories, users
from recollect.store.database import Connection
from recollect.store.users import UserState

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rewritten:
    """A new text in shape, with everything that is made from it."""

    draft: Draft
    model: str
    vector: NDArray[np.float32]
    tokens: int


def found(tx: Connection, user_id: str, memory_id: str) -> MemoryRecord:
    """The memory, or a clear word that this user has none of that id."""
    record = memories.get(tx, user_id, check_text(memory_id, field="memory_id"))
    if record is None:
        raise NotFound(f"There is no memory {memory_id!r}.", id=memory_id)
    return record


async def edit(
    parts: Parts, user_id: str, memory_id: str, change: Edit, *, by: str, reason: str = ""
) -> MemoryRecord:
    """Change a memory in place, all of the edit or nothing; the history keeps what it was."""
    change = change.checked()
    author = check_identifier(by, field="by")
    why = check_text(reason, field="reason")
    while True:
        rewritten = await _rewrite(parts, user_id, memory_id, change)
        after = await parts.database.write(
            user_id, partial(_save, parts, user_id, memory_id, change, rewritten, author, why)
        )
        if after is not None:
            log.info("memory.edited user=%s memory_id=%s", user_id, memory_id)
            return after


async def _rewrite(parts: Parts, user_id: str, memory_id: str, change: Edit) -> _Rewritten | None:
    """Put a new text into shape and embed it, outside any transaction."""
    content = change.content
    if content is None:
        return None

    def load(tx: Connection) -> tuple[MemoryRecord, UserState | None, Mapping[str, str]]:
        return found(tx, user_id, memory_id), users.state(tx, user_id), aliases.of_user(tx, user_id)

    record, state, alias_of = await parts.database.read(user_id, load)
    request = Request(
        content=content, category=change.category or record.category.value, origin=record.origin.value
    )
    draft = compose(request, alias_of)
    model = state.embedding_model if state else parts.embedders.default
    vectors, counts = await parts.embed_and_count(model, [draft.content])
    return _Rewritten(draft=draft, model=model, vector=vectors[0], tokens=counts[0])


def _save(
    parts: Parts,
    user_id: str,
    memory_id: str,
    change: Edit,
    rewritten: _Rewritten | None,
    by: str,
    reason: str,
    tx: Connection,
) -> MemoryRecord | None:
    """Write the edit; None when the user was moved to another model meanwhile."""
    before = found(tx, user_id, memory_id)
    now = parts.now()
    after = revise(before, change, rewritten.draft if rewritten else None, now)
    if after == before:
        return before
    after = _with_free_key(tx, before, after)
    state = parts.touch(tx, user_id, rewritten.model if rewritten else "", now)
    note = (state.revision, now, by)
    if before.superseded_by is not None and after.superseded_by is None:
        _part(tx, before, note)
    if rewritten is None or after.content == before.content:
        save_changed(tx, before, after, kind_of_change(before, after), note, reason=reason)
        return after
    if state.embedding_model != rewritten.model:
        return None
    after = replace(after, tokens=rewritten.tokens)
    save_rewritten(tx, before, after, rewritten.vector, note, model=rewritten.model, reason=reason)
    return after


def _part(tx: Connection, restored: MemoryRecord, note: Note) -> None:
    """An old version that comes back is no longer the past of the one that replaced it."""
    newer = memories.get(tx, restored.user_id, restored.superseded_by or "")
    if newer is not None and newer.supersedes == restored.memory_id:
        alone = replace(newer, supersedes=None)
        save_changed(tx, newer, alone, ChangeKind.EDITED, note, reason="what it had replaced was restored")


def _with_free_key(tx: Connection, before: MemoryRecord, after: MemoryRecord) -> MemoryRecord:
    """One active memory a key.

    An edited text that meets another's key goes without, and so does an old version that comes back; an archived memory
    may not return while another states its fact.
    """
    if after.memory_key is None or not after.current:
        return after
    holder = memories.by_key(tx, after.user_id, after.memory_key, after.persona_id)
    if holder is None or holder.memory_id == after.memory_id:
        return after
    if before.valid_to is None and not before.current:
        raise Conflict(
            f"Memory {holder.memory_id} states the same fact ({after.memory_key}). Archive or forget that one first."
        )
    return replace(after, memory_key=None)


async def link(parts: Parts, user_id: str, from_id: str, to_id: str, kind: str) -> Link:
    """Relate two memories of one user."""
    made = make_link(from_id, to_id, kind)

    def save(tx: Connection) -> Link:
        found(tx, user_id, from_id)
        found(tx, user_id, to_id)
        links.add(tx, user_id, made, parts.now())
        # As it is stored: it may have been made before.
        return next(link for link in links.of_memory(tx, user_id, from_id) if link == made)

    return await parts.database.write(user_id, save)


async def unlink(parts: Parts, user_id: str, from_id: str, to_id: str, kind: str) -> bool:
    """Take a relation back; says whether there was one."""
    made = make_link(from_id, to_id, kind)
    return await parts.database.write(user_id, lambda tx: links.remove(tx, user_id, made))
