"""Load: read an export, once or repeatedly with the same result.

A memory with a known id or text is skipped; one that states the same fact as a known one becomes its older or newer version, by
date. Texts are embedded in batches and each batch is one transaction, so an interrupted load continues when it is run again.
Everything that cannot be read is listed. `load_chats` and `load_sessions` read conversations, `foreign` the exports of other
products.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from recollect.engine.due_curation import leave_curation
from recollect.engine.parts import Parts
from recollect.engine.reembed import CATCH_UP, Progress, no_progress
from recollect.engine.write import Note, save_changed, save_new
from recollect.errors import InvalidInput
from recollect.interchange.export import FORMAT, KEYS
from recollect.interchange.foreign import AUTO, Given, check_format, read
from recollect.interchange.load_chats import LoadedChats, load_chats, message_count
from recollect.interchange.load_relations import load_relations, load_todos
from recollect.interchange.load_sessions import load_long_view, load_sessions
from recollect.interchange.portable import history_from, memory_from
from recollect.interchange.portable_value import CLOCKS_DIFFER
from recollect.records.history import ChangeKind, HistoryEntry, diff
from recollect.records.memory import MemoryRecord
from recollect.records.todo import OPEN_LOOP, Todo, from_open_loop
from recollect.rules.curation import closed
from recollect.rules.duplicate import normalise
from recollect.rules.trust import outranks
from recollect.store import histories, memories, users
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Memories per transaction.
BATCH = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """The result of loading a document.

    Memories, todos, messages and pins are counted. Chats, sessions, summaries, states, spines, names, links and the seed follow
    from those or describe them and are not counted, but what cannot be read of them is listed.
    """

    #: New here.
    imported: int
    #: Known before, by id or, for memories, by their text.
    duplicates: int
    #: Place in its list of the document from 1, and the reason.
    skipped: tuple[tuple[int, str], ...]

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "imported": self.imported,
            "duplicates": self.duplicates,
            "skipped": [{"line": line, "reason": reason} for line, reason in self.skipped],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Item:
    record: MemoryRecord
    history: tuple[HistoryEntry, ...]


async def load(
    parts: Parts,
    user_id: str,
    source: Mapping[str, Any] | Sequence[Any] | str,
    *,
    by: str,
    format: str = AUTO,
    progress: Progress = no_progress,
) -> Loaded:
    """Store the content of an export, ours or another product's."""
    wanted = check_format(format)
    # In a thread: checking a large document takes seconds.
    given = await asyncio.to_thread(read, source, wanted, user_id=user_id, now=parts.now())
    document = given.document
    _check(document)
    latest = parts.now() + CLOCKS_DIFFER
    items, open_loops, unfit = await asyncio.to_thread(_parsed, document["memories"], user_id, latest)
    known = await parts.database.read(user_id, lambda tx: memories.everything(tx, user_id))
    fresh = await asyncio.to_thread(_unknown, items, known, ever=given.is_foreign)
    done = len(items) - len(fresh)
    total = len(items) + sum(map(message_count, document.get("chats", [])))
    imported = 0
    progress(done, total)
    for start in range(0, len(fresh), BATCH):
        batch = fresh[start : start + BATCH]
        imported += await _store(parts, user_id, batch, by)
        progress(done + start + len(batch), total)
    new_todos, unread = await parts.database.write(
        user_id, lambda tx: load_todos(tx, user_id, document, open_loops)
    )
    wished = len(document["memories"]) + len(document.get("todos", []))
    known_before = wished - imported - new_todos - len(unfit) - len(unread)
    skipped = [*given.skipped, *((given.memory_line(line), reason) for line, reason in unfit), *unread]
    skipped += await parts.database.write(user_id, lambda tx: load_relations(parts, tx, user_id, document))
    said = await _conversations(parts, user_id, given, lambda done: progress(len(items) + done, total))
    skipped += said.skipped
    for line, reason in skipped:
        log.warning("import.skipped user=%s line=%d reason=%s", user_id, line, reason)
    return Loaded(
        imported=imported + new_todos + said.imported,
        duplicates=known_before + said.duplicates,
        skipped=tuple(skipped),
    )


async def _conversations(
    parts: Parts, user_id: str, given: Given, progress: Callable[[int], None]
) -> LoadedChats:
    """Load sessions, then the chats with their messages, then what covers both."""
    document = given.document
    stretches = await load_sessions(parts, user_id, document.get("sessions", []))
    said = await load_chats(
        parts, user_id, document.get("chats", []), stretches.personas, progress, only_at_end=given.is_foreign
    )
    above = await load_long_view(parts, user_id, document)
    parts.bell.ring()
    unfit = [(given.chat_line(line), reason) for line, reason in said.skipped]
    return replace(said, skipped=[*stretches.skipped, *unfit, *above])


def _unknown(items: Sequence[_Item], known: Sequence[MemoryRecord], *, ever: bool) -> list[_Item]:
    """The items that are not stored yet, by id or by text; references to a known text point to the known memory.

    With `ever`, texts that are no longer current are known too: an earlier import of this file may have replaced them.
    """
    ids = {record.memory_id for record in known}
    texts = {_said(record): record.memory_id for record in known if ever or record.current}
    same = {
        item.record.memory_id: texts[said]
        for item in items
        if item.record.current and (said := _said(item.record)) in texts
    }
    return [
        replace(item, record=_pointing(item.record, same))
        for item in items
        if item.record.memory_id not in ids and item.record.memory_id not in same
    ]


def _said(record: MemoryRecord) -> tuple[str | None, str]:
    """The persona and the text of a memory: with another persona the same text is another memory."""
    return record.persona_id, normalise(record.content)


def _pointing(record: MemoryRecord, same: Mapping[str, str]) -> MemoryRecord:
    return replace(
        record,
        supersedes=same.get(record.supersedes or "", record.supersedes),
        superseded_by=same.get(record.superseded_by or "", record.superseded_by),
        folded_into=same.get(record.folded_into or "", record.folded_into),
    )


def _check(document: Mapping[str, Any]) -> None:
    if not isinstance(document, Mapping) or document.get("recollect") != FORMAT:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidInput(
            f'This is not an export of Recollect: it should start with {{"recollect": {FORMAT}}}.',
            field="document",
        )
    for name, kind in KEYS.items():
        if not isinstance(document.get(name, kind()), kind):
            raise InvalidInput(f"{name} must be {'a list' if kind is list else 'an object'}.", field=name)
    if "memories" not in document:
        raise InvalidInput("memories is missing.", field="memories")


def _parsed(
    values: Sequence[Any], user_id: str, latest: datetime
) -> tuple[list[_Item], list[Todo], list[tuple[int, str]]]:
    """Memories, each id once; S4's open loops as todos; and what cannot be read."""
    items: dict[str, _Item] = {}
    loops: list[Todo] = []
    skipped: list[tuple[int, str]] = []
    for line, value in enumerate(values, 1):
        try:
            if not isinstance(value, Mapping):
                raise InvalidInput("not an object.")
            fields = cast("Mapping[str, Any]", value)
            if fields.get("type") == OPEN_LOOP:
                loops.append(from_open_loop(fields, user_id=user_id))
                continue
            item = _item(fields, user_id)
            if item.record.created_at > latest:
                raise InvalidInput("created_at lies in the future.", field="created_at")
            items.setdefault(item.record.memory_id, item)
        except InvalidInput as error:
            skipped.append((line, error.message))
    return list(items.values()), loops, skipped


def _item(fields: Mapping[str, Any], user_id: str) -> _Item:
    record = memory_from(fields, user_id=user_id)
    entries: Any = fields.get("history", [])
    if not isinstance(entries, list):
        raise InvalidInput("history must be a list.", field="history")
    history = [
        history_from(entry, memory_id=record.memory_id, entry=number)
        for number, entry in enumerate(cast("list[Any]", entries))
    ]
    return _Item(record=record, history=tuple(history))


async def _store(parts: Parts, user_id: str, batch: Sequence[_Item], by: str) -> int:
    texts = [item.record.content for item in batch]
    while True:
        model = (await parts.look_at(user_id)).model
        vectors, counts = await parts.embed_and_count(model, texts)
        stored = await parts.database.write(
            user_id, partial(_save, parts, user_id, batch, vectors, counts, model, by)
        )
        if stored is not None:
            return stored


def _save(
    parts: Parts,
    user_id: str,
    batch: Sequence[_Item],
    vectors: NDArray[np.float32],
    counts: Sequence[int],
    model: str,
    by: str,
    tx: Connection,
) -> int | None:
    """Save one batch; None if the user was moved to another embedding model meanwhile."""
    now = parts.now()
    state = parts.touch(tx, user_id, model, now)
    if state.embedding_model != model:
        return None
    known = memories.get_many(tx, user_id, [item.record.memory_id for item in batch])
    revision = state.revision
    stored = 0
    for item, vector, tokens in zip(batch, vectors, counts, strict=True):
        if item.record.memory_id in known:
            continue
        given = replace(item.record, tokens=tokens)
        record = _placed(tx, given, (revision, now, by))
        save_new(tx, record, vector, model=model, revision=revision)
        past = [*item.history, *_replaced(given, record, by), _imported(record, now, by)]
        histories.append(
            tx, user_id, [replace(entry, entry=revision + number) for number, entry in enumerate(past)]
        )
        revision += len(past)
        stored += 1
    users.advance(tx, user_id, revision - state.revision)
    if stored:
        leave_curation(parts, tx, user_id, state, now)
        if not vectors.size:
            parts.write_down(tx, user_id, [CATCH_UP])
    return stored


def _placed(tx: Connection, record: MemoryRecord, note: Note) -> MemoryRecord:
    """The memory with its place among known ones: of two values of the same fact the later stays current."""
    if record.memory_key is None or not record.current:
        return record
    holder = memories.by_key(tx, record.user_id, record.memory_key, record.persona_id)
    if holder is None:
        return record
    if outranks(holder.origin, record.origin):
        # A less trusted value is kept without the key.
        return replace(record, memory_key=None)
    if holder.valid_from >= record.valid_from:
        return replace(record, valid_to=holder.valid_from, superseded_by=holder.memory_id)
    revision, _, by = note
    # It ended when the newer value began, not at the import, so that the past shows one of them.
    then = (revision, record.valid_from, by)
    older = closed(holder, by=record, now=record.valid_from)
    save_changed(tx, holder, older, ChangeKind.SUPERSEDED, then, reason="a newer value was imported")
    return replace(record, supersedes=holder.memory_id)


def _replaced(given: MemoryRecord, placed: MemoryRecord, by: str) -> list[HistoryEntry]:
    """The history entry of a value that was imported as an older one."""
    if placed.valid_to is None or given.valid_to is not None:
        return []
    old, new = diff(given, placed)
    reason = "a newer value was known"
    return [
        HistoryEntry(
            memory_id=placed.memory_id,
            entry=0,
            at=placed.valid_to,
            by=by,
            change=ChangeKind.SUPERSEDED,
            old=old,
            new=new,
            reason=reason,
        )
    ]


def _imported(record: MemoryRecord, now: datetime, by: str) -> HistoryEntry:
    reason = "read from an export"
    return HistoryEntry(
        memory_id=record.memory_id,
        entry=0,
        at=now,
        by=by,
        change=ChangeKind.IMPORTED,
        old={},
        new={},
        reason=reason,
    )
