"""The seven categories of memories, and everything that follows from a category alone.

The list is the union of the categories of the save-memory tool (S2) and of the memory API (S3). A category decides the base
importance, the type, whether the memory is preloaded and how fast it fades; what the text adds is in `rules/importance`.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum

from recollect.errors import InvalidInput


class Category(StrEnum):
    """The kind of fact that a memory states."""

    IDENTITY = "identity"
    PREFERENCE = "preference"
    RELATIONSHIP = "relationship"
    PROJECT = "project"
    SKILL = "skill"
    FACT = "fact"
    CONTEXT = "context"


class MemoryType(StrEnum):
    """The subject of a memory: the user, other people, or a project."""

    PROFILE = "PROFILE"
    PEOPLE = "PEOPLE"
    PROJECT = "PROJECT"


@dataclass(frozen=True, slots=True)
class Traits:
    """The properties of a category."""

    #: Importance before the text is considered, 0-10.
    base_importance: float
    type: MemoryType
    #: Whether such memories are in every context; others are found by searches.
    preloaded: bool
    #: Days until the importance has halved; None means that it does not fade.
    half_life_days: float | None


#: Base importance, type, preloaded, half-life in days.
TRAITS: Mapping[Category, Traits] = {
    Category.IDENTITY: Traits(10.0, MemoryType.PROFILE, True, None),
    Category.PREFERENCE: Traits(9.0, MemoryType.PROFILE, True, 365.0),
    Category.RELATIONSHIP: Traits(8.0, MemoryType.PEOPLE, True, None),
    Category.PROJECT: Traits(7.0, MemoryType.PROJECT, False, 90.0),
    Category.SKILL: Traits(7.0, MemoryType.PROFILE, False, 180.0),
    Category.FACT: Traits(6.0, MemoryType.PROFILE, False, 180.0),
    Category.CONTEXT: Traits(5.0, MemoryType.PROFILE, False, 30.0),
}


def type_of(category: Category) -> MemoryType:
    """The type of memories of this category, unless the subject decides otherwise."""
    return TRAITS[category].type


def heading(category: Category) -> str:
    """The heading of a group of memories: `[PREFERENCE]`."""
    return f"[{category.value.upper()}]"


def parse_category(value: str) -> Category:
    """Read a category from a caller; case and surrounding space do not matter."""
    try:
        return Category(value.strip().lower())
    except (ValueError, AttributeError):
        allowed = ", ".join(category.value for category in Category)
        raise InvalidInput(
            f"Unknown category {str(value)[:40]!r}. Allowed: {allowed}.", field="category"
        ) from None


def parse_type(value: str) -> MemoryType:
    """Read a memory type from a caller."""
    try:
        return MemoryType(value.strip().upper())
    except (ValueError, AttributeError):
        allowed = ", ".join(type.value for type in MemoryType)
        raise InvalidInput(f"Unknown type {str(value)[:40]!r}. Allowed: {allowed}.", field="type") from None
