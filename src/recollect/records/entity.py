"""Entities: the people, organisations, places and projects that memories refer to.

An entity is known by its key, `person:john_doe`: a type and a slug. Slugs are lower case, without
punctuation, with underscores for spaces and hyphens; letters of every script stay. This module does
not decide that two names mean the same person; it only follows aliases that somebody else decided.
Transliterating to ASCII was rejected: it would merge different people and lose names it cannot spell.
"""

import unicodedata
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from recollect.errors import InvalidInput


class EntityType(StrEnum):
    """What an entity is."""

    PERSON = "person"
    ORG = "org"
    PLACE = "place"
    PROJECT = "project"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityKey:
    """The normalised name of an entity, as it stands in `entity_refs`."""

    type: EntityType
    slug: str

    def __str__(self) -> str:
        return f"{self.type.value}:{self.slug}"


def slug(name: str) -> str:
    """Normalise a name so that its spellings with other case, spacing or punctuation agree."""
    while (reduced := _reduce(name)) != name:
        # Dropping a character can bring two others together that compose; a second look settles it.
        name = reduced
    return name


def _reduce(name: str) -> str:
    kept: list[str] = []
    for char in unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", name).lower()):
        kind = unicodedata.category(char)
        # A combining mark belongs to the letter before it; without one it means nothing.
        if kind[0] in "LN" or (kind[0] == "M" and kept and kept[-1] != "_"):
            kept.append(char)
        elif (kind[0] == "Z" or kind in ("Pd", "Pc") or char in "\t\n\r\f\v") and kept and kept[-1] != "_":
            kept.append("_")
    return "".join(kept).strip("_")


def entity_key(type: EntityType, name: str) -> str:
    """The key of an entity by its name; refuses a name that has no letter or digit."""
    return str(EntityKey(type=type, slug=_required_slug(name)))


def parse_entity_key(text: str) -> EntityKey:
    """Read a key as a caller spells it, `person:John Doe` as well as `person:john_doe`."""
    if not isinstance(text, str):
        raise InvalidInput(
            f"An entity is a text such as person:john_doe, not {text!r:.40}.", field="entity_refs"
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
    """Read a type as a caller spells it."""
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
    """Follow the aliases of a key to the entity it stands for.

    A circle of aliases has no end; all its members then stand for its first one in sorted order, so that
    they still agree with each other.
    """
    path = [key]
    while (following := aliases.get(path[-1])) is not None:
        if following in path:
            return min(path[path.index(following) :])
        path.append(following)
    return path[-1]
