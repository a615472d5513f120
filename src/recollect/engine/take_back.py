"""Take back: what a run of the curator did to memories is undone, all of it or, where something stands in the way, nothing.

Also the other way in which a fold ends: an original that must be forgotten takes the fold along, because its words may be
in it, and the other originals come back. Everything runs in the caller's transaction.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from recollect.engine.write import Note, save_changed
from recollect.errors import Conflict
from recollect.records.history import ChangeKind
from recollect.records.memory import MemoryRecord, Status
from recollect.rules.curator import Archived, CuratorRun, FoldMade, Merged
from recollect.rules.curator.fold import restored, taken_apart, with_mentions_of
from recollect.rules.trust import Source
from recollect.store import aliases, histories, links, memories, users
from recollect.store.database import Connection

#: Who tidies, in histories.
BY = "curator"


def take_back(tx: Connection, run: CuratorRun, note: Note) -> None:
    """Undo the steps of a run; raises `Conflict` when a later change makes that impossible."""
    known = memories.get_many(tx, run.user_id, [each for step in run.steps for each in step.memory_ids])
    reason = f"run {run.run_id} of the curator was undone"
    for step in reversed(run.steps):
        match step:
            case FoldMade():
                _part(tx, step, known, note, reason)
            case Archived():
                _restore(tx, known[step.memory_id], known[step.memory_id], note, reason)
            case Merged():
                _unmerge(tx, run.user_id, step)
            case _:
                # What rose was only told, and proposals are decided on their own.
                pass


def _unmerge(tx: Connection, user_id: str, step: Merged) -> None:
    """Two names are two again, unless somebody has decided otherwise since."""
    if aliases.of_user(tx, user_id).get(step.alias) == step.into:
        aliases.remove(tx, user_id, step.alias)
        users.start_epoch(tx, user_id)


def _part(tx: Connection, step: FoldMade, known: Mapping[str, MemoryRecord], note: Note, reason: str) -> None:
    fold = known[step.into]
    _check_fold(tx, fold)
    save_changed(tx, fold, taken_apart(fold, step.wording), ChangeKind.ARCHIVED, note, reason=reason)
    for link in step.links:
        links.remove(tx, fold.user_id, link)
    for memory_id in step.originals:
        original = known[memory_id]
        if original.folded_into != fold.memory_id:
            # Somebody has parted it from the fold already.
            continue
        after = restored(original)
        if memory_id == step.wording:
            after = with_mentions_of(after, fold, step.mentions)
        _restore(tx, original, after, note, reason)


def _check_fold(tx: Connection, fold: MemoryRecord) -> None:
    """Whether a fold is still what the curator made of it: a person's later change is not thrown away."""
    name = f"Memory {fold.memory_id}, which the run made,"
    if fold.folded_into is not None:
        raise Conflict(f"{name} was folded into {fold.folded_into} since. Undo that run first.")
    if fold.superseded_by is not None:
        raise Conflict(
            f"{name} was replaced by {fold.superseded_by} since. Restore it first, or archive single memories by hand."
        )
    for entry in histories.of_memory(tx, fold.user_id, fold.memory_id):
        # What the curator did to it and took back again has left it as it was.
        if entry.change is not ChangeKind.MENTIONED and entry.by != BY:
            raise Conflict(
                f"{name} was {entry.change.value} by {entry.by} since. Restore its originals by hand instead."
            )
    if not fold.current:
        raise Conflict(f"{name} was archived by the curator since. Undo that run first.")
    if fold.pinned:
        raise Conflict(f"{name} was pinned since. Unpin it, or restore its originals by hand instead.")


def _restore(tx: Connection, before: MemoryRecord, after: MemoryRecord, note: Note, reason: str) -> None:
    """Bring a memory back; its key must be free. One that is active already is left as it is."""
    if before.status is Status.ACTIVE and after == before:
        return
    if before.valid_to is None and after.memory_key is not None:
        holder = memories.by_key(tx, after.user_id, after.memory_key, after.persona_id)
        if holder is not None and holder.memory_id != after.memory_id:
            raise Conflict(
                f"Memory {holder.memory_id} states the fact of {after.memory_id} since ({after.memory_key})."
                " Archive or forget that one first."
            )
    after = replace(after, status=Status.ACTIVE)
    save_changed(tx, before, after, ChangeKind.RESTORED, note, reason=reason)


def dissolve(tx: Connection, user_id: str, memory_ids: Iterable[str], note: Note) -> list[str]:
    """These memories and the folds that hold their words, which are about to be erased; their other originals come back."""
    gone = dict.fromkeys(memory_ids)
    waiting = list(gone)
    while waiting:
        memory = memories.get(tx, user_id, waiting.pop())
        fold = memories.get(tx, user_id, memory.folded_into) if memory and memory.folded_into else None
        if fold is None or fold.source is not Source.CURATED_FOLD or fold.memory_id in gone:
            continue
        gone[fold.memory_id] = None
        waiting.append(fold.memory_id)
        if fold.memory_key is not None:
            # It holds the key of one of them.
            freed = replace(fold, memory_key=None)
            save_changed(tx, fold, freed, ChangeKind.EDITED, note, reason="an original was forgotten")
        for other in memories.folded_into(tx, user_id, fold.memory_id):
            if other.memory_id not in gone:
                _let_go(tx, fold, other, note)
    return list(gone)


def _let_go(tx: Connection, fold: MemoryRecord, original: MemoryRecord, note: Note) -> None:
    """An original whose fold is erased: current again if the fold was, without a key that another holds."""
    after = restored(original) if fold.current else replace(original, folded_into=None)
    if after.current and after.memory_key is not None:
        holder = memories.by_key(tx, after.user_id, after.memory_key, after.persona_id)
        if holder is not None:
            after = replace(after, memory_key=None)
    reason = "what it was folded with was forgotten"
    save_changed(tx, original, after, ChangeKind.RESTORED, note, reason=reason)
