"""The subject of a memory: whose fact it states, which one, and the key that follows.

`type|entityType|primaryRef|factType`, with the attribute as a fifth part where a subject has several
facts of that kind: `people|person|john_doe|relationship`, `profile|person|user|preference|editor`. Two
memories with one key state two values of one fact, and the newer replaces the older. This module reads no
sentence; that is done in `memory_key`. One key a sentence was rejected: it could never notice a changed
mind.
"""

from dataclasses import dataclass
from enum import StrEnum

from recollect.errors import InvalidInput
from recollect.language.attribute import attribute_slug
from recollect.records.category import MemoryType
from recollect.records.entity import EntityType, slug


class FactType(StrEnum):
    """What a memory says about its subject."""

    FACT = "fact"
    PREFERENCE = "preference"
    RELATIONSHIP = "relationship"
    FRICTION = "friction"
    HABIT = "habit"
    SKILL = "skill"


#: Whom facts without another subject are about.
USER = "user"
#: What somebody is to the user has one value; everything else needs its attribute, frictions included:
#: a subject has many of them, and one must not replace another.
SINGLE_VALUED = frozenset({FactType.RELATIONSHIP})


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """Whose fact a sentence states, and which one."""

    entity_type: EntityType
    primary_ref: str
    fact_type: FactType
    #: None for a relationship.
    attribute: str | None
    #: Entities the sentence names; the user is not listed, every memory would have that one.
    entity_refs: tuple[str, ...]
    #: The name to show for the primary entity.
    label: str

    @property
    def type(self) -> MemoryType:
        """The memory type that fits the subject."""
        if self.entity_type is EntityType.PROJECT:
            return MemoryType.PROJECT
        return MemoryType.PROFILE if self.primary_ref == USER else MemoryType.PEOPLE

    @property
    def key(self) -> str:
        """The memory key of this subject."""
        return make_key(
            type=self.type,
            entity_type=self.entity_type,
            primary_ref=self.primary_ref,
            fact_type=self.fact_type,
            attribute=self.attribute,
        )


def make_key(
    *,
    type: MemoryType,
    entity_type: EntityType,
    primary_ref: str,
    fact_type: FactType,
    attribute: str | None = None,
) -> str:
    """Write a key; every fact type but the relationship needs its attribute."""
    reference = slug(primary_ref.partition(":")[2] or primary_ref)
    if not reference:
        raise InvalidInput("A memory key needs the name of its subject.", field="entity_refs")
    parts = [type.value.lower(), entity_type.value, reference, fact_type.value]
    if fact_type not in SINGLE_VALUED:
        named = attribute_slug(attribute or "")
        if not named:
            raise InvalidInput(
                f"A {fact_type.value} needs an attribute: what it is about.", field="attribute"
            )
        parts.append(named)
    return "|".join(parts)
