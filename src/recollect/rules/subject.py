"""The subject of a memory: the entity, the type of fact, and the key that follows from them.

`type|entityType|primaryRef|factType`, with the attribute as a fifth part where an entity has several facts of that type:
`people|person|john_doe|relationship`, `profile|person|user|preference|editor`. Two memories with one key state two values of
the same fact, and the newer replaces the older. A key per sentence could never notice a change of mind. Sentences are read in
`language/memory_key`.
"""

from dataclasses import dataclass
from enum import StrEnum

from recollect.errors import InvalidInput
from recollect.language.attribute import attribute_slug
from recollect.records.category import MemoryType
from recollect.records.entity import EntityType, slug


class FactType(StrEnum):
    """The type of fact."""

    FACT = "fact"
    PREFERENCE = "preference"
    RELATIONSHIP = "relationship"
    FRICTION = "friction"
    HABIT = "habit"
    SKILL = "skill"


#: The subject of facts that name no other.
USER = "user"
#: A person has one relationship to the user. Every other type, friction included, can occur several times per subject
#: and needs an attribute, so that one fact does not replace another.
SINGLE_VALUED = frozenset({FactType.RELATIONSHIP})


@dataclass(frozen=True, slots=True, kw_only=True)
class Subject:
    """The subject of a sentence and the fact about it."""

    entity_type: EntityType
    primary_ref: str
    fact_type: FactType
    #: None for a relationship.
    attribute: str | None
    #: Entities that the sentence names, without the user.
    entity_refs: tuple[str, ...]
    #: The display name of the primary entity.
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
    """Format a key; every fact type but the relationship needs an attribute."""
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
