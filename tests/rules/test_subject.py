"""Subjects and the form of keys."""

import pytest

from recollect.errors import InvalidInput
from recollect.records.category import MemoryType
from recollect.records.entity import EntityType
from recollect.rules.subject import FactType, Subject, make_key


def subject(entity_type: EntityType, ref: str, fact_type: FactType, attribute: str | None) -> Subject:
    """A subject with nothing but what the key needs."""
    return Subject(
        entity_type=entity_type,
        primary_ref=ref,
        fact_type=fact_type,
        attribute=attribute,
        entity_refs=(),
        label=ref,
    )


def test_a_relationship_has_four_parts() -> None:
    """The example of the memory model comes out literally."""
    key = subject(EntityType.PERSON, "john_doe", FactType.RELATIONSHIP, None).key
    assert key == "people|person|john_doe|relationship"


def test_a_preference_carries_its_attribute() -> None:
    """The example of the design comes out literally."""
    key = subject(EntityType.PERSON, "user", FactType.PREFERENCE, "editor").key
    assert key == "profile|person|user|preference|editor"


def test_the_type_follows_from_the_subject() -> None:
    """The user is the profile, other people are people, a project is a project."""
    assert subject(EntityType.PERSON, "user", FactType.FACT, "age").type is MemoryType.PROFILE
    assert subject(EntityType.PERSON, "mom", FactType.FACT, "age").type is MemoryType.PEOPLE
    assert subject(EntityType.ORG, "acme", FactType.FACT, "size").type is MemoryType.PEOPLE
    assert subject(EntityType.PROJECT, "atlas", FactType.FACT, "stack").type is MemoryType.PROJECT


@pytest.mark.parametrize("fact_type", [kind for kind in FactType if kind is not FactType.RELATIONSHIP])
def test_what_has_several_values_needs_an_attribute(fact_type: FactType) -> None:
    """Without it one preference, habit, skill, friction or fact would replace another."""
    for attribute in (None, "", "?!"):
        with pytest.raises(InvalidInput) as caught:
            _ = subject(EntityType.PERSON, "user", fact_type, attribute).key
        assert caught.value.field == "attribute"


def test_a_key_is_normalised_and_cannot_be_broken_out_of() -> None:
    """Names and attributes are slugs, so a bar in them adds no part."""
    key = make_key(
        type=MemoryType.PEOPLE,
        entity_type=EntityType.PERSON,
        primary_ref="person:John|Doe",
        fact_type=FactType.FACT,
        attribute="Shoe|Size",
    )
    assert key == "people|person|johndoe|fact|shoesize"


def test_a_subject_without_a_name_has_no_key() -> None:
    """An empty reference is refused."""
    with pytest.raises(InvalidInput) as caught:
        _ = subject(EntityType.PERSON, "!!", FactType.RELATIONSHIP, None).key
    assert caught.value.field == "entity_refs"
