"""Merge: two names for one entity, reversible, and what is known about one."""

import pytest

from recollect import Conflict, Memory, NewMemory

from .fakes import FakeClock


@pytest.fixture
def people(memory: Memory, clock: FakeClock) -> Memory:
    for content, refs, importance in (
        ("Bob is User's old friend from school", ["person:bob"], 8),
        ("Robert works at Acme as a pilot", ["person:robert", "org:acme"], 7),
        ("Roberto sings in the choir", ["person:roberto"], 5),
    ):
        memory.add(NewMemory(content, entity_refs=refs, importance=importance))
        clock.move(minutes=1)
    return memory


def test_slugs(memory: Memory) -> None:
    """S4's rules: lower case, punctuation removed, spaces and hyphens become underscores, letters of any script stay."""
    refs = [
        "person:John Doe",
        "org:ACME, Corp.",
        "place:Austin-Texas",
        "project:Dashboard  Redesign!",
        "person:Jürgen Müßig",
    ]
    stored = memory.add(NewMemory("User told a long story about many things", entity_refs=refs)).memory
    assert stored.entity_refs == (
        "person:john_doe",
        "org:acme_corp",
        "place:austin_texas",
        "project:dashboard_redesign",
        "person:jürgen_müßig",
    )


def test_keys_follow_a_merge(people: Memory) -> None:
    """After a merge a fact under the second name meets the fact under the first."""
    people.merge("person:robert", "person:bob")
    first = people.add("User's best friend is named Bob", category="relationship").memory
    second = people.add("User's friend is named Robert", category="relationship")
    assert first.memory_key == second.memory.memory_key
    assert second.outcome == "updated"


def test_no_circles(people: Memory) -> None:
    """A merge that would lead back to its start is a conflict, and so is a second one of the same pair."""
    people.merge("person:roberto", "person:robert")
    people.merge("person:robert", "person:bob")
    before = people.export()
    for alias, into in (
        ("person:bob", "person:roberto"),
        ("person:bob", "person:robert"),
        ("person:bob", "person:bob"),
        ("person:roberto", "person:bob"),
    ):
        with pytest.raises(Conflict):
            people.merge(alias, into)
    assert people.export() == before


def test_merges_belong_to_a_user(people: Memory) -> None:
    """One user's merge says nothing about another user's people."""
    people.add(NewMemory("Bob is User's dentist in town", entity_refs=["person:bob"]), user="carol")
    people.add(NewMemory("Robert is User's baker in town", entity_refs=["person:robert"]), user="carol")
    people.merge("person:robert", "person:bob")
    assert people.entity("person:bob", user="carol").entity.aliases == ()


def test_a_name_is_not_moved_by_the_way(people: Memory) -> None:
    """What is another name already cannot be pointed elsewhere: the earlier merge would be lost without a word."""
    people.merge("person:robert", "person:bob")
    with pytest.raises(Conflict, match="another name of person:bob"):
        people.merge("person:robert", "person:roberto")
    people.merge("person:bob", "person:roberto")
    assert people.entity("person:robert").entity.fact_count == 3


def test_undo_after_further_merges(people: Memory) -> None:
    """Who was merged into Robert stays with Robert when Robert is parted from Bob, in whatever order it was said."""
    people.merge("person:robert", "person:bob")
    people.merge("person:roberto", "person:robert")
    people.unmerge("person:robert")
    assert people.entity("person:roberto").entity.key == "person:robert"
    assert people.entity("person:bob").entity.aliases == ()


def test_a_fact_from_before_a_merge_is_met(people: Memory) -> None:
    """A fact stored under the other name is replaced after the merge, not doubled."""
    old = people.add("Roberto is User's colleague", category="relationship").memory
    people.merge("person:roberto", "person:robert")
    new = people.add("Robert is User's boss", category="relationship")
    assert (new.outcome, new.previous and new.previous.memory_id) == ("updated", old.memory_id)


def test_a_question_by_the_other_name(people: Memory) -> None:
    """After a merge a question about Bob is searched with the words of Robert too, and back."""
    assert _text_ranks(people, "What does Bob fly?")["Robert works at Acme as a pilot"] is None
    people.merge("person:robert", "person:bob")
    assert _text_ranks(people, "What does Bob fly?")["Robert works at Acme as a pilot"] is not None
    assert _text_ranks(people, "what does robert do?")["Bob is User's old friend from school"] is not None
    people.unmerge("person:robert")
    assert _text_ranks(people, "What does Bob fly?")["Robert works at Acme as a pilot"] is None


def _text_ranks(memory: Memory, question: str) -> dict[str, int | None]:
    return {hit.memory.content: hit.explain.text_rank for hit in memory.search(question).hits}


def test_names_in_passing_are_entities(memory: Memory) -> None:
    """Whoever a statement names is referred to, so that cards, neighbours and forgetting reach it."""
    stored = memory.add("cousin Wolfgang crashed my car").memory
    assert stored.entity_refs == ("person:wolfgang",)
    assert memory.forget(entity="person:wolfgang").counts["memories"] == 1


def test_known_names_in_lower_case(memory: Memory) -> None:
    """Once Jane is known, "jane" is Jane; what the caller names is left as it is."""
    memory.add("My wife is Jane")
    assert memory.add("i think jane hates mushrooms a lot").memory.entity_refs == ("person:jane",)
    given = memory.add(NewMemory("i think jane adores the sea", entity_refs=["person:mother"])).memory
    assert given.entity_refs == ("person:mother",)


def test_labels_are_as_written(memory: Memory) -> None:
    """An entity is shown as the statement writes it, the second one too."""
    memory.add("User had dinner with Ana-Maria O'Brien at McKinley GmbH")
    assert {item.label for item in memory.entities()} == {"Ana-Maria O'Brien", "McKinley GmbH"}
