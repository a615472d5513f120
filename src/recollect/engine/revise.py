"""Revise: a user corrects what is remembered. Edit, pin, archive, restore, and relate memories to each other."""

import logging
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from recollect.domain.draft import Draft, Request, compose
from recollect.domain.link import Link, make_link
from recollect.domain.memory import MemoryRecord
from recollect.domain.revision import Edit, kind_of_change, revise
from recollect.engine.parts import Parts
from recollect.engine.write import save_changed, save_rewritten
from recollect.errors import Conflict, NotFound
from recollect.store import aliases, links, memories, users
from recollect.store.database import Connection

log = logging.getLogger(__name__)


def found(tx: Connection, user_id: str, memory_id: str) -> MemoryRecord:
    """The memory, or a clear word that this user has none of that id."""
    record = memories.get(tx, user_id, memory_id)
    if record is None:
        raise NotFound(f"There is no memory {memory_id!r}.", id=memory_id)
    return record


async def edit(
    parts: Parts, user_id: str, memory_id: str, change: Edit, *, by: str, reason: str = ""
) -> MemoryRecord:
    """Change a memory in place, all of the edit or nothing; the history keeps what it was."""
    change.check()
    rewritten = vector = None
    tokens, model = 0, ""
    if change.content is not None:
        rewritten, model = await parts.database.read(
            user_id, lambda tx: _compose(tx, user_id, memory_id, change.content or "", change.category)
        )
        vectors, counts = await parts.embed_and_count(model, [rewritten.content])
        vector, tokens = vectors[0], counts[0]
    after = await parts.database.write(
        user_id,
        lambda tx: _save(parts, tx, user_id, memory_id, change, rewritten, vector, model, tokens, by, reason),
    )
    log.info("memory.edited user=%s memory_id=%s", user_id, memory_id)
    return after


def _compose(
    tx: Connection, user_id: str, memory_id: str, content: str, category: str | None
) -> tuple[Draft, str]:
    """The new text in shape, and the model that embeds it."""
    record = found(tx, user_id, memory_id)
    state = users.state(tx, user_id)
    assert state is not None
    request = Request(content=content, category=category or record.category.value, origin=record.origin.value)
    return compose(request, aliases.of_user(tx, user_id)), state.embedding_model


def _save(
    parts: Parts,
    tx: Connection,
    user_id: str,
    memory_id: str,
    change: Edit,
    rewritten: Draft | None,
    vector: NDArray[np.float32] | None,
    model: str,
    tokens: int,
    by: str,
    reason: str,
) -> MemoryRecord:
    before = found(tx, user_id, memory_id)
    now = parts.now()
    after = revise(before, change, rewritten, now)
    if after == before:
        return before
    after = _with_free_key(tx, before, after)
    state = parts.touch(tx, user_id, model, now)
    note = (state.revision, now, by)
    if rewritten is None or vector is None or after.content == before.content:
        save_changed(tx, before, after, kind_of_change(before, after), note, reason=reason)
        return after
    after = replace(after, tokens=tokens)
    # A user who was moved to another model meanwhile gets this vector on the next run of re-embedding.
    save_rewritten(tx, before, after, vector, note, model=model, reason=reason)
    return after


def _with_free_key(tx: Connection, before: MemoryRecord, after: MemoryRecord) -> MemoryRecord:
    """One active memory a key: an edited text that meets another's key goes without, a restored memory may not return."""
    if after.memory_key is None or not after.current:
        return after
    holder = memories.by_key(tx, after.user_id, after.memory_key, after.persona_id)
    if holder is None or holder.memory_id == after.memory_id:
        return after
    if not before.current:
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
        return made

    return await parts.database.write(user_id, save)


async def unlink(parts: Parts, user_id: str, from_id: str, to_id: str, kind: str) -> bool:
    """Take a relation back; says whether there was one."""
    made = make_link(from_id, to_id, kind)
    return await parts.database.write(user_id, lambda tx: links.remove(tx, user_id, made))
