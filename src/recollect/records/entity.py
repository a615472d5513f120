"""Entities: the people, organisations, places and projects that memories refer to, and their cards.

An entity's key is `person:john_doe`: a type and a slug. Slugs are lower case, without punctuation, with underscores for spaces
and hyphens, and keep letters of every script: transliterating to ASCII would merge different people. Other
modules decide whether two names mean one person; this one follows known aliases. A card has the few best facts about one entity (S4).
"""

import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from recollect.errors import InvalidInput
from recollect.records.memory import MemoryRecord
from recollect.records.safe_text import as_data


class EntityType(StrEnum):
    """The kind of an entity."""

    PERSON = "person"
    ORG = "org"
    PLACE = "place"
    PROJECT = "project"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityKey:
    """The normalised name of an entity, as in `entity_refs`."""

    type: EntityType
    slug: str

    def __str__(self) -> str:
        return f"{self.type.value}:{self.slug}"


def slug(name: str) -> str:
    """Normalise a name: spellings that differ in case, spacing or punctuation give the same slug."""
    while (reduced := _reduce(name)) != name:
        # Dropping a character can make two others compose, so this repeats until nothing changes.
        name = reduced
    return name


def _reduce(name: str) -> str:
    kept: list[str] = []
    for char in unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).lower()):
        kind = unicodedata.category(char)
        # A combining mark belongs to the letter before it; without one it is dropped.
        if kind[0] in "LN" or (kind[0] == "M" and kept and kept[-1] != "_"):
            kept.append(char)
        elif (kind[0] == "Z" or kind in ("Pd", "Pc") or char in "\t\n\r\f\v") and kept and kept[-1] != "_":
            kept.append("_")
    return "".join(kept).strip("_")


def entity_key(type: EntityType, name: str) -> str:
    """The key of an entity; refuses a name without letters and digits."""
    return str(EntityKey(type=type, slug=_required_slug(name)))


def parse_entity_key(text: str) -> EntityKey:
    """Read a key from a caller: `person:John Doe` as well as `person:john_doe`."""
    if not isinstance(text, str):
        raise InvalidInput(
            f"entity_refs must be strings such as person:john_doe, not {text!r:.40}.", field="entity_refs"
        )
    kind, colon, name = text.partition(":")
    if not colon:
        raise InvalidInput(
            f"Entity {text[:60]!r} has no type. Write it as type:name, with one of: {_allowed()}.",
            field="entity_refs",
        )
    try:
        type = EntityType(kind.strip().lower())
    except ValueError:
        raise InvalidInput(
            f"Unknown entity type {kind[:40]!r} in {text[:60]!r}. Allowed: {_allowed()}.", field="entity_refs"
        ) from None
    return EntityKey(type=type, slug=_required_slug(name))


def parse_entity_type(value: str) -> EntityType:
    """Read a type from a caller."""
    try:
        return EntityType(value.strip().lower())
    except (ValueError, AttributeError):
        raise InvalidInput(
            f"Unknown entity type {str(value)[:40]!r}. Allowed: {_allowed()}.", field="type"
        ) from None


def _allowed() -> str:
    return ", ".join(type.value for type in EntityType)


def _required_slug(name: str) -> str:
    normalised = slug(name)
    if not normalised:
        raise InvalidInput(
            f"Entity name {name[:60]!r} is empty: it needs at least one letter or digit.", field="entity_refs"
        )
    return normalised


def canonical(key: str, aliases: Mapping[str, str]) -> str:
    """Follow the aliases of a key to its entity.

    All members of a loop of aliases resolve to the first of them in sorted order.
    """
    path = [key]
    while (following := aliases.get(path[-1])) is not None:
        if following in path:
            return min(path[path.index(following) :])
        path.append(following)
    return path[-1]


FACTS_PER_CARD = 3
#: S4: only facts of level 2, which starts at importance 7, and pinned ones are on cards.
MIN_IMPORTANCE = 7.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Card:
    """The best facts about one entity, best first."""

    entity: str
    label: str
    #: Escaped, ready for a prompt.
    facts: tuple[str, ...]
    memory_ids: tuple[str, ...] = ()

    def __str__(self) -> str:
        return self.text

    @property
    def text(self) -> str:
        """`[person:john]: fact1; fact2; fact3`."""
        return f"[{self.entity}]: " + "; ".join(self.facts)

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "entity": self.entity,
            "label": self.label,
            "facts": list(self.facts),
            "text": self.text,
            "memory_ids": list(self.memory_ids),
        }


def belongs_on_card(memory: MemoryRecord) -> bool:
    """Whether a fact is important enough for a card, or pinned."""
    return memory.pinned or memory.importance >= MIN_IMPORTANCE


def make_card(entity: str, label: str, facts: Sequence[MemoryRecord]) -> Card | None:
    """The best facts: pinned first, then the most important, then the newest. None if no fact qualifies."""
    best = sorted(
        (fact for fact in facts if belongs_on_card(fact)),
        key=lambda fact: (fact.pinned, fact.importance, fact.created_at, fact.memory_id),
        reverse=True,
    )[:FACTS_PER_CARD]
    if not best:
        return None
    return Card(
        entity=entity,
        label=label,
        facts=tuple(as_data(fact.content, flagged=fact.flagged) for fact in best),
        memory_ids=tuple(fact.memory_id for fact in best),
    )
