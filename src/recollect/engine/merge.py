"""Merge: record that two names mean the same entity, undo this, and show what is known about an entity.

A merge is an alias, not a rewrite: memories keep the name they were written with, so undoing loses nothing. An undone
merge is remembered as a rejected proposal, so the variant is never merged or proposed again.
"""

import logging
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recollect.engine.entity_graph import neighbours
from recollect.engine.parts import Parts
from recollect.errors import Conflict, NotFound
from recollect.records.entity import Card, EntityType, canonical, make_card, parse_entity_key
from recollect.records.memory import MemoryRecord
from recollect.records.moment import iso
from recollect.records.proposal import Proposal, ProposalKind, ProposalStatus
from recollect.store import aliases, entities, memories, proposals, users
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Memories shown with an entity.
_SHOWN = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Entity:
    """A person, organisation, place or project, under its current name."""

    key: str
    label: str
    type: str
    #: Other names that were merged into this one.
    aliases: tuple[str, ...]
    fact_count: int
    last_mentioned: datetime

    def __str__(self) -> str:
        return f"{self.label} ({self.key})"

    @property
    def cursor(self) -> tuple[str, str]:
        """The cursor of a page that ends with this entity."""
        return iso(self.last_mentioned), self.key

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "key": self.key,
            "label": self.label,
            "type": self.type,
            "aliases": list(self.aliases),
            "fact_count": self.fact_count,
            "last_mentioned": iso(self.last_mentioned),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityDetails:
    """Everything known about one entity."""

    entity: Entity
    card: Card | None
    memories: tuple[MemoryRecord, ...]
    #: Entities mentioned with it and the number of memories, most frequent first.
    neighbours: tuple[tuple[str, int], ...]

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            **self.entity.to_dict(),
            "card": self.card.to_dict() if self.card else None,
            "memories": [memory.to_dict() for memory in self.memories],
            "neighbours": [{"key": key, "count": count} for key, count in self.neighbours],
        }


async def list_entities(
    parts: Parts,
    user_id: str,
    *,
    type: EntityType | None = None,
    limit: int | None = None,
    before: tuple[str, str] | None = None,
) -> list[Entity]:
    """Entities under their current names, most recently mentioned first; all of them, or a page of one type."""
    found = await parts.database.read(user_id, lambda tx: _entities(tx, user_id))
    return [
        entity
        for entity in found
        if (type is None or entity.type == type.value) and (before is None or entity.cursor < before)
    ][:limit]


def _entities(tx: Connection, user_id: str) -> list[Entity]:
    alias_of = aliases.of_user(tx, user_id)
    rows = {row.entity_key: row for row in entities.of_user(tx, user_id)}
    names: dict[str, list[str]] = {}
    for key in rows:
        names.setdefault(canonical(key, alias_of), []).append(key)
    found = [
        Entity(
            key=key,
            label=rows[key].label if key in rows else key.partition(":")[2].replace("_", " ").title(),
            type=key.partition(":")[0],
            aliases=tuple(sorted(name for name in own if name != key)),
            fact_count=sum(rows[name].fact_count for name in own),
            last_mentioned=max(rows[name].last_mentioned for name in own),
        )
        for key, own in names.items()
    ]
    return sorted(found, key=lambda entity: (entity.last_mentioned, entity.key), reverse=True)


async def describe(parts: Parts, user_id: str, key: str) -> EntityDetails:
    """An entity's card, memories and neighbours."""
    wanted = str(parse_entity_key(key))

    def load(tx: Connection) -> EntityDetails:
        alias_of = aliases.of_user(tx, user_id)
        target = canonical(wanted, alias_of)
        entity = next((item for item in _entities(tx, user_id) if item.key == target), None)
        if entity is None:
            raise NotFound(f"There is no entity {wanted!r}.", id=wanted)
        chosen = memories.Filter(entities=(target, *entity.aliases))
        known = memories.page(tx, user_id, chosen, limit=_SHOWN)
        return EntityDetails(
            entity=entity,
            card=make_card(target, entity.label, known),
            memories=tuple(known),
            neighbours=neighbours(tx, user_id, (target, *entity.aliases), alias_of),
        )

    return await parts.database.read(user_id, load)


async def merge(parts: Parts, user_id: str, alias: str, into: str, *, reason: str = "merged by hand") -> None:
    """Make `alias` another name for `into`."""
    await parts.database.write(user_id, lambda tx: add_alias(parts, tx, user_id, alias, into, reason=reason))
    tell_of_merge(user_id, alias, into)


def tell_of_merge(user_id: str, alias: str, into: str) -> None:
    """Log a merge, once it is durable."""
    log.info(
        "entity.merged user=%s alias=%s into=%s", user_id, parse_entity_key(alias), parse_entity_key(into)
    )


def add_alias(parts: Parts, tx: Connection, user_id: str, alias: str, into: str, *, reason: str) -> None:
    """Like `merge`, but in the caller's transaction."""
    first, second = parse_entity_key(alias), parse_entity_key(into)
    if first.type is not second.type:
        raise Conflict(f"{first} and {second} have different types and cannot be the same.")
    alias_of = aliases.of_user(tx, user_id)
    known = entities.labels(tx, user_id, (str(first), str(second)))
    for key in (str(first), str(second)):
        if key not in known:
            raise NotFound(f"There is no entity {key!r}.", id=key)
    root = canonical(str(first), alias_of)
    if canonical(str(second), alias_of) == root:
        raise Conflict(f"{first} and {second} are already the same entity.")
    if root != str(first):
        # Pointing it elsewhere would silently undo the earlier merge.
        raise Conflict(f"{first} is another name of {root}. Merge {root}, or unmerge {first} first.")
    aliases.add(tx, user_id, str(first), str(second), reason=reason, now=parts.now())
    users.start_epoch(tx, user_id)


async def unmerge(parts: Parts, user_id: str, alias: str, *, of: str | None = None) -> None:
    """Undo a merge; `of` is the entity that the name is expected to belong to."""
    key = str(parse_entity_key(alias))
    owner = str(parse_entity_key(of)) if of is not None else None

    def save(tx: Connection) -> None:
        alias_of = aliases.of_user(tx, user_id)
        if owner is not None and canonical(key, alias_of) != canonical(owner, alias_of):
            raise NotFound(f"{key!r} is not another name of {owner!r}.", id=key)
        into = alias_of.get(key)
        if into is None or not aliases.remove(tx, user_id, key):
            raise NotFound(f"{key!r} is not another name of anything.", id=key)
        proposals.add(tx, _taken_back(parts, user_id, key, into))
        users.start_epoch(tx, user_id)

    await parts.database.write(user_id, save)
    log.info("entity.unmerged user=%s alias=%s", user_id, key)


def _taken_back(parts: Parts, user_id: str, alias: str, into: str) -> Proposal:
    now = parts.now()
    return Proposal(
        user_id=user_id,
        proposal_id=parts.new_id(now),
        kind=ProposalKind.MERGE,
        subject=f"{alias}|{into}",
        entity_keys=(alias, into),
        reason="merged and taken back",
        confidence=0.0,
        status=ProposalStatus.REJECTED,
        decided_by="user",
        created_at=now,
        updated_at=now,
    )
