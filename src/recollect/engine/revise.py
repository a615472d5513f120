"""Revise: edit, pin, archive and restore memories."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from recollect.engine.parts import Parts
from recollect.engine.reembed import CATCH_UP
from recollect.engine.write import Note, save_changed, save_rewritten
from recollect.errors import Conflict, InvalidInput, NotFound
from recollect.records.history import ChangeKind
from recollect.records.memory import MemoryRecord, check_text
from recollect.rules.curator.plan import unfolded
from recollect.rules.draft import Draft, Request, check_identifier, compose
from recollect.rules.user_edits import Edit, kind_of_change, revise
from recollect.store import aliases, memories, users
from recollect.store.database import Connection
from recollect.store.users import UserState

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Rewritten:
    """A new, normalised text with everything computed from it."""

    draft: Draft
    model: str
    vector: NDArray[np.float32]
    tokens: int


def found(tx: Connection, user_id: str, memory_id: str) -> MemoryRecord:
    """The memory with this id. Browsers and HTTP clients drop `#` and everything after it from a URL, so the part before it
    is enough if unique."""
    wanted = check_text(memory_id, field="memory_id")
    if record := memories.get(tx, user_id, wanted):
        return record
    near = [] if "#" in wanted else memories.with_id_before_hash(tx, user_id, wanted)
    if not near:
        raise NotFound(f"There is no memory {wanted!r}.", id=wanted)
    if len(near) > 1:
        raise InvalidInput(
            f"memory_id {wanted!r} is not unique; use {' or '.join(item.memory_id for item in near)}, with %23 for # in an"
            " address.",
            field="memory_id",
        )
    return near[0]


async def edit(
    parts: Parts, user_id: str, memory_id: str, change: Edit, *, by: str, reason: str = ""
) -> MemoryRecord:
    """Apply an edit to a memory completely or not at all; the history keeps the earlier version."""
    change = change.checked()
    author = check_identifier(by, field="by")
    why = check_text(reason, field="reason")
    while True:
        rewritten = await _rewrite(parts, user_id, memory_id, change)
        after = await parts.database.write(
            user_id, partial(_save, parts, user_id, memory_id, change, rewritten, author, why)
        )
        if after is not None:
            log.info("memory.edited user=%s memory_id=%s", user_id, after.memory_id)
            if rewritten and not rewritten.vector.size:
                parts.bell.ring()
            return after


async def _rewrite(parts: Parts, user_id: str, memory_id: str, change: Edit) -> _Rewritten | None:
    """Normalise and embed a new text, outside any transaction."""
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
    """Write the edit; None if the user's model changed in the meantime."""
    before = found(tx, user_id, memory_id)
    now = parts.now()
    after = revise(before, change, rewritten.draft if rewritten else None, now)
    if after == before:
        return before
    state = parts.touch(tx, user_id, rewritten.model if rewritten else "", now)
    if rewritten is not None and state.embedding_model != rewritten.model:
        return None
    note = (state.revision, now, by)
    if before.folded_into is not None and after.current:
        after = _out_of_fold(tx, after, note)
    after = _with_free_key(tx, before, after)
    if before.superseded_by is not None and after.superseded_by is None:
        _part(tx, before, note)
    if rewritten is None or after.content == before.content:
        save_changed(tx, before, after, kind_of_change(before, after), note, reason=reason)
        return after
    after = replace(after, tokens=rewritten.tokens)
    save_rewritten(tx, before, after, rewritten.vector, note, model=rewritten.model, reason=reason)
    if not rewritten.vector.size:
        parts.write_down(tx, user_id, [CATCH_UP])
    return after


def _part(tx: Connection, restored: MemoryRecord, note: Note) -> None:
    """Detach a restored old version from the memory that replaced it."""
    newer = memories.get(tx, restored.user_id, restored.superseded_by or "")
    if newer is not None and newer.supersedes == restored.memory_id:
        alone = replace(newer, supersedes=None)
        save_changed(tx, newer, alone, ChangeKind.EDITED, note, reason="what it had replaced was restored")


def _out_of_fold(tx: Connection, original: MemoryRecord, note: Note) -> MemoryRecord:
    """Archive the fold of a restored original; it is still forgotten together with the original."""
    fold = memories.get(tx, original.user_id, original.folded_into or "")
    while fold is not None and fold.folded_into is not None and not fold.current:
        fold = memories.get(tx, original.user_id, fold.folded_into)
    if fold is not None and fold.current and fold.memory_id != original.memory_id:
        archived = unfolded(fold, original.memory_id)
        reason = f"{original.memory_id}, which was folded into it, was restored"
        save_changed(tx, fold, archived, ChangeKind.ARCHIVED, note, reason=reason)
    return replace(original, folded_into=None)


def _with_free_key(tx: Connection, before: MemoryRecord, after: MemoryRecord) -> MemoryRecord:
    """Allow one active memory per key.

    An edited text or a restored old version whose key is taken gets no key; an archived memory may not be restored while
    another states its fact.
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
