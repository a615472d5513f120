"""Forget: erase a memory, everything about an entity, or a whole user, and say what was erased.

Rows go in one transaction: the memory, its older versions, vectors, words, history, links, job payloads and stored
answers. Then the store makes sure that the bytes are gone from disk, and what this process holds in memory is dropped.
"""

import logging
from dataclasses import dataclass
from typing import Any

from recollect.domain.entity import canonical, parse_entity_key
from recollect.engine.parts import Parts
from recollect.engine.revise import found
from recollect.errors import InvalidInput, NotFound
from recollect.store import aliases, entities, erase, users
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Bytes of a piece of text that is looked for on disk.
_PIECE = 40


@dataclass(frozen=True, slots=True, kw_only=True)
class Receipt:
    """What was erased, counted by kind."""

    counts: dict[str, int]
    #: The bytes are gone from the file and its log. False: another process kept the log open, or the database
    #: reclaims space on its own time (PostgreSQL); see docs/limits.md.
    erased_from_disk: bool

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {**self.counts, "erased_from_disk": self.erased_from_disk}


async def forget_memory(parts: Parts, user_id: str, memory_id: str) -> Receipt:
    """Erase one memory with all its versions."""

    def work(tx: Connection) -> tuple[dict[str, int], list[str]]:
        found(tx, user_id, memory_id)
        return _erase(tx, user_id, [memory_id])

    return await _forget(parts, user_id, await parts.database.erase(user_id, work))


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
        counts, texts = _erase(tx, user_id, entities.memories_of(tx, user_id, keys))
        counts["entities"] += erase.entity(tx, user_id, keys)
        counts["history"] += former
        return counts, texts + past_texts

    return await _forget(parts, user_id, await parts.database.erase(user_id, work))


async def forget_everything(parts: Parts, user_id: str) -> Receipt:
    """Erase a whole user."""
    counts = await parts.database.erase(user_id, lambda tx: erase.everything(tx, user_id))
    _drop(parts, user_id)
    log.info("user.forgotten rows=%d", sum(counts.values()))
    named = {"memory_vectors": "vectors", "memory_history": "history", "memory_links": "links"}
    counts = {named.get(table, table): count for table, count in counts.items()}
    return Receipt(counts=counts, erased_from_disk=await parts.database.sweep(None))


def _erase(tx: Connection, user_id: str, memory_ids: list[str]) -> tuple[dict[str, int], list[str]]:
    every = erase.with_ancestors(tx, user_id, memory_ids)
    texts = erase.texts(tx, user_id, every)
    counts = erase.memories(tx, user_id, every)
    users.start_epoch(tx, user_id)
    return counts, texts


async def _forget(parts: Parts, user_id: str, erased: tuple[dict[str, int], list[str]]) -> Receipt:
    counts, texts = erased
    _drop(parts, user_id)
    log.info("memory.forgotten user=%s memories=%d", user_id, counts["memories"])
    swept = await parts.database.sweep([piece for text in texts for piece in _pieces(text)])
    return Receipt(counts=counts, erased_from_disk=swept)


def _drop(parts: Parts, user_id: str) -> None:
    parts.indexes.drop(user_id)
    parts.accesses.drop(user_id)
    parts.seen.drop(user_id)


def _pieces(text: str) -> list[bytes]:
    """Start, middle and end: what is left of a text when pages were written over is one of them."""
    data = text.encode()
    middle = max(0, len(data) // 2 - _PIECE // 2)
    return list(dict.fromkeys((data[:_PIECE], data[middle : middle + _PIECE], data[-_PIECE:])))


def check_target(memory_id: str | None, entity: str | None, everything: bool) -> None:
    """Exactly one thing must be named."""
    if not isinstance(everything, bool):
        raise InvalidInput("everything must be true or false.", field="everything")
    if sum((memory_id is not None, entity is not None, everything)) != 1:
        raise InvalidInput("Name exactly one thing to forget: a memory_id, an entity, or everything.")
