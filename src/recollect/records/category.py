"""The seven categories of memories, and what follows from a category alone.

One list serves every face: the union of the categories of the save-memory tool and of the memory API.
A category decides the base importance, the type, whether the memory is preloaded and how fast it fades.
This module does not know a memory's text; what the text adds or takes away is in `importance`.
A table was preferred to a method per trait, so that the whole policy can be read in one place.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from recollect.errors import InvalidInput


class Category(StrEnum):
    """What kind of fact a memory states."""

    IDENTITY = "identity"
    PREFERENCE = "preference"
    RELATIONSHIP = "relationship"
    PROJECT = "project"
    SKILL = "skill"
    FACT = "fact"
    CONTEXT = "context"


class MemoryType(StrEnum):
    """Whom or what a memory is about: the user, other people, or something in the works."""

    PROFILE = "PROFILE"
    PEOPLE = "PEOPLE"
    PROJECT = "PROJECT"


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What follows from a category alone."""

    #: Importance before the text is looked at, 0-10.
    base_importance: float
    type: MemoryType
    #: Enters every context; the others are found on demand.
    preloaded: bool
    #: Days after which the importance has halved; None does not fade.
    half_life_days: float | None


TRAITS: Mapping[Category, Traits] = {
    Category.IDENTITY: Traits(
        base_importance=10.0, type=MemoryType.PROFILE, preloaded=True, half_life_days=None
    ),
    Category.PREFERENCE: Traits(
        base_importance=9.0, type=MemoryType.PROFILE, preloaded=True, half_life_days=365.0
    ),
    Category.RELATIONSHIP: Traits(
        base_importance=8.0, type=MemoryType.PEOPLE, preloaded=True, half_life_days=None
    ),
    Category.PROJECT: Traits(
        base_importance=7.0, type=MemoryType.PROJECT, preloaded=False, half_life_days=90.0
    ),
    Category.SKILL: Traits(
        base_importance=7.0, type=MemoryType.PROFILE, preloaded=False, half_life_days=180.0
    ),
    Category.FACT: Traits(
        base_importance=6.0, type=MemoryType.PROFILE, preloaded=False, half_life_days=180.0
    ),
    Category.CONTEXT: Traits(
        base_importance=5.0, type=MemoryType.PROFILE, preloaded=False, half_life_days=30.0
    ),
}


def base_importance(category: Category) -> float:
    """The importance of a memory of this category before its text is looked at."""
    return TRAITS[category].base_importance


def type_of(category: Category) -> MemoryType:
    """The type a memory of this category has unless its subject says otherwise."""
    return TRAITS[category].type


def is_preloaded(category: Category) -> bool:
    """Whether memories of this category enter every context."""
    return TRAITS[category].preloaded


def half_life_days(category: Category) -> float | None:
    """Days after which the importance has halved; None for categories that do not fade."""
    return TRAITS[category].half_life_days


def parse_category(value: str) -> Category:
    """Read a category as a caller spells it; case and surrounding space do not matter."""
    try:
        return Category(value.strip().lower())
    except (ValueError, AttributeError):
        allowed = ", ".join(category.value for category in Category)
        raise InvalidInput(
            f"Unknown category {str(value)[:40]!r}. Allowed: {allowed}.", field="category"
        ) from None


def parse_type(value: str) -> MemoryType:
    """Read a memory type as a caller spells it."""
    try:
        return MemoryType(value.strip().upper())
    except (ValueError, AttributeError):
        allowed = ", ".join(type.value for type in MemoryType)
        raise InvalidInput(f"Unknown type {str(value)[:40]!r}. Allowed: {allowed}.", field="type") from None
