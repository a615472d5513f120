"""Forget: erase a memory, everything about an entity, or a whole user, and report what was erased.

One transaction deletes the rows: the memory, its older versions, vectors, words, history, links, job payloads and stored
answers. The store then makes sure that the bytes are gone from disk, and this process clears its caches.
"""

import logging
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

from recollect.engine.parts import Parts
from recollect.engine.revise import found
from recollect.engine.seed import unplant
from recollect.engine.write import Note, save_changed
from recollect.errors import InvalidInput, NotFound
from recollect.records.entity import canonical, parse_entity_key
from recollect.records.history import ChangeKind
from recollect.records.memory import MemoryRecord, Source
from recollect.rules import follow_up
from recollect.rules.curator.plan import restored
from recollect.store import aliases, entities, erase, idempotency_keys, memories, spines, todos, users
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Kinds that a receipt always counts on the wire, even if the count is 0.
_PROMISED = ("memories", "messages", "summaries", "pins", "todos", "vectors")
#: Bytes of each text sample searched for on disk.
_PIECE = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """Counts of what was erased, by kind."""

    counts: dict[str, int]
    #: Chats whose summaries are rewritten from the remaining messages.
    refolded: tuple[str, ...] = ()
    #: Whether the bytes are gone from the file and its log; never true on PostgreSQL, which reuses space later.
    erased_from_disk: bool
    #: A sentence about what happened to the bytes.
    disk: str = ""

    def __str__(self) -> str:
        told = ", ".join(f"{kind.replace('_', ' ')} {count}" for kind, count in self.counts.items() if count)
        return f"erased: {told or 'nothing'}"

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        counted = {**dict.fromkeys(_PROMISED, 0), **self.counts}
        return {
            "receipt": {**counted, "erased_from_disk": self.erased_from_disk},
            "refolded": list(self.refolded),
            "disk": self.disk,
        }


async def forget_memory(parts: Parts, user_id: str, memory_id: str) -> Receipt:
    """Erase one memory with all its versions."""

    def work(tx: Connection) -> tuple[dict[str, int], list[str]]:
        return erase_memories(parts, tx, user_id, [found(tx, user_id, memory_id).memory_id])

    counts, texts = await parts.database.erase(user_id, work)
    log.info("memory.forgotten user=%s memories=%d", user_id, counts["memories"])
    return await finish(parts, user_id, counts, texts)


async def forget_entity(parts: Parts, user_id: str, key: str) -> Receipt:
    """Erase an entity, its other names and every memory that mentions it."""
    wanted = str(parse_entity_key(key))

    def work(tx: Connection) -> tuple[dict[str, int], list[str]]:
        alias_of = aliases.of_user(tx, user_id)
        known = {row.entity_key for row in entities.of_user(tx, user_id)} | set(alias_of)
        target = canonical(wanted, alias_of)
        keys = sorted({name for name in known | {target} if canonical(name, alias_of) == target})
        former, past_texts = erase.former_mentions(tx, user_id, keys)
        if not former and not known & set(keys):
            raise NotFound(f"There is no entity {wanted!r}.", id=wanted)
        counts, texts = erase_memories(parts, tx, user_id, entities.memories_of(tx, user_id, keys))
        counts["entities"] += erase.entity(tx, user_id, keys)
        counts["history"] += former
        return counts, texts + past_texts

    counts, texts = await parts.database.erase(user_id, work)
    log.info("memory.forgotten user=%s memories=%d", user_id, counts["memories"])
    return await finish(parts, user_id, counts, texts)


async def forget_todo(parts: Parts, user_id: str, todo_id: str) -> Receipt:
    """Erase one todo."""

    def work(tx: Connection) -> tuple[str, int]:
        todo = todos.get(tx, user_id, todo_id)
        if todo is None:
            raise NotFound(f"There is no todo {todo_id!r}.", id=todo_id)
        todos.delete(tx, user_id, todo_id)
        return todo.text, idempotency_keys.drop_mentioning(tx, user_id, [todo_id])

    text, answers = await parts.database.erase(user_id, work)
    return await _swept(parts, {"todos": 1, "answers": answers}, _pieces(text))


async def forget_everything(parts: Parts, user_id: str) -> Receipt:
    """Erase a whole user."""
    counts = await parts.database.erase(user_id, lambda tx: erase.everything(tx, user_id))
    _drop(parts, user_id)
    parts.known_tokens.drop_user(user_id)
    log.info("user.forgotten rows=%d", sum(counts.values()))
    named = {"memory_vectors": "vectors", "memory_history": "history", "memory_links": "links"}
    return await _swept(parts, {named.get(table, table): count for table, count in counts.items()}, None)


def erase_memories(
    parts: Parts, tx: Connection, user_id: str, memory_ids: list[str]
) -> tuple[dict[str, int], list[str]]:
    """Erase these memories, their older versions and the spines that may mention them; return their texts."""
    if any(memory.folded_into for memory in memories.get_many(tx, user_id, memory_ids).values()):
        now = parts.now()
        revision = parts.touch(tx, user_id, parts.embedders.default, now).revision
        memory_ids = _dissolve(tx, user_id, memory_ids, (revision, now, "forget"))
    every = erase.with_ancestors(tx, user_id, memory_ids)
    texts = erase.texts(tx, user_id, every)
    known = memories.get_many(tx, user_id, every)
    counts = erase.memories(tx, user_id, every)
    texts += unplant(tx, user_id, {memory.content for memory in known.values()}, aliases.of_user(tx, user_id))
    if known:
        earliest = min(memory.created_at for memory in known.values())
        counts["spines"] = spines.delete_since(tx, user_id, earliest)
        if counts["spines"]:
            parts.write_down(tx, user_id, [follow_up.grow_spine()])
    users.start_epoch(tx, user_id)
    return counts, texts


async def finish(
    parts: Parts, user_id: str, counts: dict[str, int], texts: list[str], *, refolded: tuple[str, ...] = ()
) -> Receipt:
    """After the rows are deleted, clear this process's caches and make sure that the bytes leave the disk."""
    _drop(parts, user_id)
    parts.bell.ring()
    return await _swept(parts, counts, [piece for text in texts for piece in _pieces(text)], refolded)


async def _swept(
    parts: Parts, counts: dict[str, int], fragments: list[bytes] | None, refolded: tuple[str, ...] = ()
) -> Receipt:
    """Make sure that the bytes leave the disk, and report the result."""
    swept = await parts.database.sweep(fragments)
    return Receipt(
        counts=counts,
        refolded=refolded,
        erased_from_disk=swept,
        disk=parts.database.describe_sweep(swept),
    )


def _drop(parts: Parts, user_id: str) -> None:
    parts.indexes.drop(user_id)
    parts.accesses.drop(user_id)
    parts.seen.drop(user_id)
    parts.speakers.drop(user_id)
    parts.profiles.drop(user_id)
    parts.segments.drop(user_id)


def _pieces(text: str) -> list[bytes]:
    """The start, middle and end of a text; if pages were partly overwritten, one of them remains."""
    data = text.encode()
    middle = max(0, len(data) // 2 - _PIECE // 2)
    return list(dict.fromkeys((data[:_PIECE], data[middle : middle + _PIECE], data[-_PIECE:])))


def check_target(**named: object) -> None:
    """Check that exactly one thing is named."""
    if not isinstance(named["everything"], bool):
        raise InvalidInput("everything must be true or false.", field="everything")
    if sum(value is not None and value is not False for value in named.values()) != 1:
        raise InvalidInput(
            "Name exactly one thing to forget: a memory, message, chat, todo or entity by its id, or everything=True."
        )


def _dissolve(tx: Connection, user_id: str, memory_ids: Iterable[str], note: Note) -> list[str]:
    """These memories and the folds that contain their text, all to be erased; other originals are restored."""
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
            # It has the key of one of them.
            freed = replace(fold, memory_key=None)
            save_changed(tx, fold, freed, ChangeKind.EDITED, note, reason="an original was forgotten")
        for other in memories.folded_into(tx, user_id, fold.memory_id):
            if other.memory_id not in gone:
                _let_go(tx, fold, other, note)
    return list(gone)


def _let_go(tx: Connection, fold: MemoryRecord, original: MemoryRecord, note: Note) -> None:
    """Restore the original of an erased fold: current if the fold was, and without a key that another memory has."""
    after = restored(original) if fold.current else replace(original, folded_into=None)
    if after.current and after.memory_key is not None:
        holder = memories.by_key(tx, after.user_id, after.memory_key, after.persona_id)
        if holder is not None:
            after = replace(after, memory_key=None)
    reason = "what it was folded with was forgotten"
    save_changed(tx, original, after, ChangeKind.RESTORED, note, reason=reason)
