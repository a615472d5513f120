"""Merge: two names for one entity, reversible, and what is known about one."""

import pytest

from recollect import Conflict, InvalidInput, Memory, NotFound

from .fakes import FakeClock


@pytest.fixture
def people(memory: Memory, clock: FakeClock) -> Memory:
    for content, refs, importance in (
        ("Bob is User's old friend from school", ["person:bob"], 8),
        ("Robert works at Acme as a pilot", ["person:robert", "org:acme"], 7),
        ("Roberto sings in the choir", ["person:roberto"], 5),
    ):
        memory.remember(content, entity_refs=refs, importance=importance)
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
    stored = memory.remember("User told a long story about many things", entity_refs=refs).memory
    assert stored.entity_refs == (
        "person:john_doe",
        "org:acme_corp",
        "place:austin_texas",
        "project:dashboard_redesign",
        "person:jürgen_müßig",
    )


def test_a_merge_joins_and_an_unmerge_parts(people: Memory) -> None:
    """Under one name all facts are found; taken back, each name has its own again, and no memory was rewritten."""
    before = people.export()
    people.merge("person:robert", "person:bob")
    bob = people.entity("person:robert")
    assert (bob.entity.key, bob.entity.aliases, bob.entity.fact_count) == (
        "person:bob",
        ("person:robert",),
        2,
    )
    assert {memory.content for memory in bob.memories} == {
        "Bob is User's old friend from school",
        "Robert works at Acme as a pilot",
    }
    assert dict(bob.neighbours) == {"org:acme": 1}
    assert (
        len(people.memories(entity="person:bob"))
        == len(people.recall("User", entity="person:robert").hits)
        == 2
    )
    people.unmerge("person:robert")
    assert people.export()["memories"] == before["memories"]
    assert people.entity("person:bob").entity.fact_count == 1
    assert len(people.recall("User", entity="person:bob").hits) == 1


def test_merges_can_be_chained(people: Memory) -> None:
    """A name of a name leads to the same entity; undoing one link undoes only that one."""
    people.merge("person:roberto", "person:robert")
    people.merge("person:robert", "person:bob")
    assert people.entity("person:roberto").entity.fact_count == 3
    people.unmerge("person:robert")
    assert people.entity("person:roberto").entity.key == "person:robert"


def test_keys_follow_a_merge(people: Memory) -> None:
    """After a merge a fact under the second name meets the fact under the first."""
    people.merge("person:robert", "person:bob")
    first = people.remember("User's best friend is named Bob", category="relationship").memory
    second = people.remember("User's friend is named Robert", category="relationship")
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


def test_different_types_cannot_be_one(people: Memory) -> None:
    """A person is no organisation."""
    before = people.export()
    with pytest.raises(Conflict):
        people.merge("person:bob", "org:acme")
    assert people.export() == before


def test_unknown_names(people: Memory) -> None:
    """Only known entities can be merged, unmerged or described."""
    for act in (
        lambda: people.merge("person:bob", "person:nobody"),
        lambda: people.merge("person:nobody", "person:bob"),
        lambda: people.unmerge("person:bob"),
        lambda: people.entity("person:nobody"),
    ):
        with pytest.raises(NotFound):
            act()


@pytest.mark.parametrize("key", ["bob", "", ":", "person:", "animal:rex", "person:???"])
def test_bad_keys(people: Memory, key: str) -> None:
    """What is no entity key is refused by the name of its field."""
    for act in (
        lambda: people.merge(key, "person:bob"),
        lambda: people.merge("person:bob", key),
        lambda: people.unmerge(key),
        lambda: people.entity(key),
        lambda: people.memories(entity=key),
        lambda: people.forget(entity=key),
    ):
        with pytest.raises(InvalidInput) as raised:
            act()
        assert raised.value.field == "entity_refs"


def test_entities_are_listed_last_mentioned_first(people: Memory) -> None:
    """The list shows each entity with its label, type and number of current facts."""
    assert people.entities()[0].to_dict() == {
        "key": "person:roberto",
        "label": "Roberto",
        "type": "person",
        "aliases": [],
        "fact_count": 1,
        "last_mentioned": "2026-03-01T12:02:00.000Z",
    }
    people.archive(people.memories()[0].memory_id)
    assert people.entities()[0].fact_count == 0


def test_merges_belong_to_a_user(people: Memory) -> None:
    """One user's merge says nothing about another user's people."""
    people.remember("Bob is User's dentist in town", user="carol", entity_refs=["person:bob"])
    people.remember("Robert is User's baker in town", user="carol", entity_refs=["person:robert"])
    people.merge("person:robert", "person:bob")
    assert people.entity("person:bob", user="carol").entity.aliases == ()


def test_the_description_on_the_wire(people: Memory) -> None:
    """An entity comes with its card, its memories and its neighbours."""
    described = people.entity("org:acme").to_dict()
    assert described["card"]["text"] == "[org:acme]: Robert works at Acme as a pilot"
    assert [memory["content"] for memory in described["memories"]] == ["Robert works at Acme as a pilot"]
    assert described["neighbours"] == [{"key": "person:robert", "count": 1}]


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
    old = people.remember("Roberto is User's colleague", category="relationship").memory
    people.merge("person:roberto", "person:robert")
    new = people.remember("Robert is User's boss", category="relationship")
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
    return {hit.memory.content: hit.explain.text_rank for hit in memory.recall(question).hits}


def test_names_in_passing_are_entities(memory: Memory) -> None:
    """Whoever a statement names is referred to, so that cards, neighbours and forgetting reach it."""
    stored = memory.remember("cousin Wolfgang crashed my car").memory
    assert stored.entity_refs == ("person:wolfgang",)
    assert memory.forget(entity="person:wolfgang").counts["memories"] == 1


def test_known_names_in_lower_case(memory: Memory) -> None:
    """Once Jane is known, "jane" is Jane; what the caller names is left as it is."""
    memory.remember("My wife is Jane")
    assert memory.remember("i think jane hates mushrooms a lot").memory.entity_refs == ("person:jane",)
    given = memory.remember("i think jane adores the sea", entity_refs=["person:mother"]).memory
    assert given.entity_refs == ("person:mother",)


def test_labels_are_as_written(memory: Memory) -> None:
    """An entity is shown as the statement writes it, the second one too."""
    memory.remember("User had dinner with Ana-Maria O'Brien at McKinley GmbH")
    assert {item.label for item in memory.entities()} == {"Ana-Maria O'Brien", "McKinley GmbH"}
