"""Load: read an export back, once or many times with the same result.

A memory whose id or text is known is skipped; one that states the same fact as a known one becomes the older or the
newer version of it, by its date. Texts are embedded in batches and each batch is one transaction, so a load that was
killed goes on where it stopped when it is run again. What cannot be read is listed, never dropped in silence.
"""

import logging
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from recollect.domain.curation import closed
from recollect.domain.duplicate import normalise
from recollect.domain.entity import parse_entity_key
from recollect.domain.history import ChangeKind, HistoryEntry
from recollect.domain.link import make_link
from recollect.domain.memory import MemoryRecord, check_text
from recollect.domain.portable import history_from, memory_from
from recollect.domain.todo import OPEN_LOOP, Todo, from_open_loop, todo_from
from recollect.engine.export import FORMAT
from recollect.engine.parts import Parts
from recollect.engine.reembed import Progress, no_progress
from recollect.engine.write import append_change, save_changed, save_new
from recollect.errors import InvalidInput
from recollect.store import aliases, entities, histories, links, memories, todos, users
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Memories of one transaction.
BATCH = 256


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """What became of a document."""

    imported: int
    duplicates: int
    #: Place in the document from 1, and the reason.
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
    parts: Parts, user_id: str, document: Mapping[str, Any], *, by: str, progress: Progress = no_progress
) -> Loaded:
    """Store what an export holds."""
    _check(document)
    items, open_loops, skipped = _parsed(document["memories"], user_id)
    known = await parts.database.read(user_id, lambda tx: memories.everything(tx, user_id))
    ids = {record.memory_id for record in known}
    texts = {normalise(record.content) for record in known if record.current}
    fresh = [
        item
        for item in items
        if item.record.memory_id not in ids
        and not (item.record.current and normalise(item.record.content) in texts)
    ]
    done = len(items) - len(fresh)
    imported = 0
    progress(done, len(items))
    for start in range(0, len(fresh), BATCH):
        batch = fresh[start : start + BATCH]
        imported += await _store(parts, user_id, batch, by)
        progress(done + start + len(batch), len(items))
    new_todos, unread = await parts.database.write(
        user_id, lambda tx: _todos(tx, user_id, document, open_loops)
    )
    given = len(document["memories"]) + len(document.get("todos", []))
    known_before = given - imported - new_todos - len(skipped) - len(unread)
    skipped += unread
    skipped += await parts.database.write(user_id, lambda tx: _relations(parts, tx, user_id, document))
    for line, reason in skipped:
        log.warning("import.skipped user=%s line=%d reason=%s", user_id, line, reason)
    return Loaded(imported=imported + new_todos, duplicates=known_before, skipped=tuple(skipped))


def _check(document: Mapping[str, Any]) -> None:
    if not isinstance(document, Mapping) or document.get("recollect") != FORMAT:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise InvalidInput(
            f'This is no export of Recollect: it should start with {{"recollect": {FORMAT}}}.',
            field="document",
        )
    for name, kind in {
        "memories": list,
        "todos": list,
        "links": list,
        "entities": list,
        "aliases": dict,
    }.items():
        if not isinstance(document.get(name, kind()), kind):
            raise InvalidInput(f"{name} must be a {'list' if kind is list else 'object'}.", field=name)
    if "memories" not in document:
        raise InvalidInput("memories is missing.", field="memories")


def _parsed(values: Sequence[Any], user_id: str) -> tuple[list[_Item], list[Todo], list[tuple[int, str]]]:
    """Memories, each id once; S4's open loops, which are todos now; and what cannot be read."""
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
            items.setdefault(item.record.memory_id, item)
        except InvalidInput as error:
            skipped.append((line, error.message))
    return list(items.values()), loops, skipped


def _item(fields: Mapping[str, Any], user_id: str) -> _Item:
    record = memory_from(fields, user_id=user_id)
    entries: Any = fields.get("history") or []
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
    """One batch; None when the user was moved to another model meanwhile."""
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
        record = _placed(tx, replace(item.record, tokens=tokens), (revision, by, parts))
        save_new(tx, record, vector, model=model, revision=revision)
        histories.append(
            tx,
            user_id,
            [replace(entry, entry=revision + number) for number, entry in enumerate(item.history)],
        )
        revision += len(item.history)
        append_change(
            tx,
            user_id,
            record.memory_id,
            ChangeKind.IMPORTED,
            (revision, now, by),
            reason="read from an export",
        )
        revision += 1
        stored += 1
    users.advance(tx, user_id, revision - state.revision)
    return stored


def _placed(tx: Connection, record: MemoryRecord, note: tuple[int, str, Parts]) -> MemoryRecord:
    """Where a known memory states the same fact, the later one stays current."""
    revision, by, parts = note
    if record.memory_key is None or not record.current:
        return record
    holder = memories.by_key(tx, record.user_id, record.memory_key, record.persona_id)
    if holder is None:
        return record
    if holder.valid_from >= record.valid_from:
        return replace(record, valid_to=holder.valid_from, superseded_by=holder.memory_id)
    now = parts.now()
    older = closed(holder, by=record, now=now)
    save_changed(
        tx, holder, older, ChangeKind.SUPERSEDED, (revision, now, by), reason="a newer value was imported"
    )
    return replace(record, supersedes=holder.memory_id)


def _relations(
    parts: Parts, tx: Connection, user_id: str, document: Mapping[str, Any]
) -> list[tuple[int, str]]:
    """Names, aliases and links, after the memories are there."""
    skipped: list[tuple[int, str]] = []
    now = parts.now()
    for line, entity in enumerate(document.get("entities", []), 1):
        try:
            label = check_text(entity["label"], field="entities.label")[:256]
            entities.relabel(tx, user_id, str(parse_entity_key(entity["key"])), label)
        except (InvalidInput, KeyError, TypeError, AttributeError) as error:
            skipped.append((line, f"entities: {error}"))
    known = aliases.of_user(tx, user_id)
    for line, (alias, target) in enumerate(document.get("aliases", {}).items(), 1):
        try:
            key = str(parse_entity_key(alias))
            if key not in known:
                aliases.add(tx, user_id, key, str(parse_entity_key(target)), reason="imported", now=now)
                users.start_epoch(tx, user_id)
        except (InvalidInput, TypeError, AttributeError) as error:
            skipped.append((line, f"aliases: {error}"))
    for line, link in enumerate(document.get("links", []), 1):
        try:
            made = make_link(link["from"], link["to"], link["kind"])
            if len(memories.get_many(tx, user_id, [made.from_id, made.to_id])) == 2:
                links.add(tx, user_id, made, now)
        except (InvalidInput, KeyError, TypeError) as error:
            skipped.append((line, f"links: {error}"))
    return skipped


def _todos(
    tx: Connection, user_id: str, document: Mapping[str, Any], open_loops: Sequence[Todo]
) -> tuple[int, list[tuple[int, str]]]:
    """How many todos are new, and what cannot be read."""
    skipped: list[tuple[int, str]] = []
    found = list(open_loops)
    for line, value in enumerate(document.get("todos", []), 1):
        try:
            found.append(todo_from(value, user_id=user_id))
        except (InvalidInput, AttributeError) as error:
            skipped.append((line, f"todos: {error}"))
    return sum(todos.insert(tx, todo) for todo in found), skipped
