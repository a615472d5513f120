"""The index of one user: it follows the database exactly."""

from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.index.postings import pack
from recollect.index.query import MemoryFilter
from recollect.index.search import SearchIndexes
from recollect.index.user_index import UserIndex, milliseconds
from recollect.language.terms import terms
from recollect.records.category import Category, MemoryType
from recollect.records.memory import MemoryRecord, Status
from recollect.store import aliases, erase, memories, users, vectors
from recollect.store.database import Connection

from .conftest import Store
from .rows import MODEL, NOON, changing, direction, record, saving

WORDS = ["garden", "bees", "honey", "rome", "train", "coffee"]
SENTENCES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=5).map(" ".join)
QUESTIONS = (
    MemoryFilter(any_persona=True),
    MemoryFilter(),
    MemoryFilter(persona_id="coach"),
    MemoryFilter(category=Category.SKILL, any_persona=True),
    MemoryFilter(type=MemoryType.PEOPLE, any_persona=True),
    MemoryFilter(tags=("x",), any_persona=True),
    MemoryFilter(entity="person:bo", any_persona=True),
    MemoryFilter(since=milliseconds(["2026-03-01T12:00:03.000Z"])[0], any_persona=True),
)
QUERY = direction(99)


def answers(index: UserIndex) -> list[dict[str, tuple[float, float]]]:
    """What each question brings: id, cosine and BM25, without the order of equals."""
    brought: list[dict[str, tuple[float, float]]] = []
    for wanted in QUESTIONS:
        found = index.search(QUERY, list(terms("bees in the garden of rome")), 500, wanted)
        brought.append(
            {
                index.ids[slot]: (round(float(cosine), 5), round(float(bm25), 5))
                for slot, cosine, bm25 in zip(found.slots, found.cosine, found.bm25, strict=True)
            }
        )
    return brought


@dataclass
class Life:
    """Everything that may happen to a user's memories, each in a transaction of its own."""

    store: Store
    user_id: str
    made: dict[int, MemoryRecord] = field(default_factory=dict)
    #: Numbers are not used again: ids are unique for ever.
    used: int = 0

    def add(self, content: str, **values: Any) -> None:
        number, self.used = self.used, self.used + 1
        self.made[number] = record(number, self.user_id, content=content, **values)
        self.store.write(self.user_id, saving(self.made[number]))

    def change(self, number: int, **values: Any) -> None:
        if number in self.made:
            self.made[number] = replace(self.made[number], **values)
            self.store.write(self.user_id, changing(self.made[number]))

    def rewrite(self, number: int, content: str) -> None:
        if number not in self.made:
            return
        after = self.made[number] = replace(self.made[number], content=content)

        def work(tx: Connection) -> None:
            changing(after)(tx)
            vectors.put(tx, self.user_id, MODEL, [(after.memory_id, direction(len(content) + number))])

        self.store.write(self.user_id, work)

    def forget(self, number: int) -> None:
        gone = self.made.pop(number, None)
        if gone is None:
            return

        def work(tx: Connection) -> None:
            erase.memories(tx, self.user_id, [gone.memory_id])
            users.start_epoch(tx, self.user_id)

        self.store.write(self.user_id, work)

    def merge(self) -> None:
        def work(tx: Connection) -> None:
            aliases.add(tx, self.user_id, "person:bob", "person:bo", reason="same", now=NOON)
            users.start_epoch(tx, self.user_id)

        self.store.write(self.user_id, work)


NUMBERS = st.integers(0, 4)
DEEDS: dict[str, st.SearchStrategy[dict[str, Any]]] = {
    "add": st.fixed_dictionaries(
        {
            "content": SENTENCES,
            "persona_id": st.sampled_from([None, "coach", "cook"]),
            "category": st.sampled_from([Category.FACT, Category.SKILL]),
            "type": st.sampled_from([MemoryType.PROFILE, MemoryType.PEOPLE]),
            "tags": st.sampled_from([(), ("x",), ("x", "y")]),
            "entity_refs": st.sampled_from(
                [(), ("person:bo",), ("person:bob",), ("place:rome", "person:bo")]
            ),
        }
    ),
    "change": st.fixed_dictionaries(
        {"number": NUMBERS},
        optional={
            "status": st.sampled_from(list(Status)),
            "valid_to": st.sampled_from([None, NOON]),
            "importance": st.floats(0, 10),
            "pinned": st.booleans(),
            "persona_id": st.sampled_from([None, "coach"]),
            "tags": st.sampled_from([(), ("x",)]),
        },
    ),
    "rewrite": st.fixed_dictionaries({"number": NUMBERS, "content": SENTENCES}),
    "forget": st.fixed_dictionaries({"number": NUMBERS}),
    "merge": st.just({}),
    "look": st.just({}),
}
#: Forgetting and merging make an index start anew, so they are rare: most of the time it must follow.
OFTEN = ("add",) * 6 + ("change",) * 5 + ("rewrite",) * 3 + ("look",) * 4 + ("forget", "merge")
STEPS = st.sampled_from(OFTEN).flatmap(lambda name: st.tuples(st.just(name), DEEDS[name]))
EXAMPLES = iter(range(10**9))


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(STEPS, min_size=5, max_size=25))
def test_a_followed_index_equals_a_loaded_one(store: Store, steps: list[tuple[str, dict[str, Any]]]) -> None:
    """After any changes, looked at at any moments, the index finds exactly what one read anew would find."""
    life = Life(store, f"user{next(EXAMPLES)}")
    followed = SearchIndexes(2**30)

    def compare(tx: Connection) -> None:
        state = users.state(tx, life.user_id)
        if state is None:
            return
        with followed.of(tx, life.user_id, state) as index:
            assert answers(index) == answers(UserIndex.load(tx, life.user_id, state))
            current = [item for item in memories.everything(tx, life.user_id) if item.current]
            assert set(index.slot_of) == {item.memory_id for item in current}
            for item in current:
                slot = index.slot_of[item.memory_id]
                assert index.column("pinned")[slot] == item.pinned
                assert index.column("importance")[slot] == np.float32(item.importance)

    life.add("bees in the garden")
    for name, values in (("look", {}), *steps, ("look", {})):
        if name == "look":
            store.read(life.user_id, compare)
        else:
            getattr(life, name)(**values)


def test_both_arms_bring_candidates(store: Store) -> None:
    """What only the words find and what only the vector finds are both there, each with its place in its arm."""
    life = Life(store, "ann")
    near, said, neither = (
        record(0, content="coffee"),
        record(1, content="bees bees"),
        record(2, content="rome"),
    )
    for made, vector in ((near, QUERY), (said, -QUERY), (neither, -QUERY)):
        store.write("ann", saving(made, vector))

    def look(tx: Connection) -> None:
        state = users.state(tx, "ann")
        assert state is not None
        index = UserIndex.load(tx, "ann", state)
        found = index.search(QUERY, list(terms("bees")), 1, MemoryFilter())
        assert [index.ids[slot] for slot in found.slots] == [near.memory_id, said.memory_id]
        assert found.vector_rank.tolist() == [1, 0] and found.text_rank.tolist() == [0, 1]
        assert found.cosine == pytest.approx([1, -1], abs=1e-3)
        assert index.nearest(QUERY, None, 5, floor=0.9) == {near.memory_id: pytest.approx(1, abs=1e-3)}
        assert index.nearest(QUERY, "coach", 5, floor=0.9) == {}
        assert index.cosine(said.memory_id, QUERY) == pytest.approx(-1, abs=1e-3)
        assert index.cosine("unknown", QUERY) == 0

    store.read(life.user_id, look)


def test_an_empty_index_finds_nothing(store: Store) -> None:
    """A user without memories gets an empty answer from every call."""
    store.write("ann", lambda tx: users.touch(tx, "ann", model=MODEL, epoch=7, now=NOON))

    def look(tx: Connection) -> None:
        state = users.state(tx, "ann")
        assert state is not None
        index = UserIndex.load(tx, "ann", state)
        assert index.search(QUERY, ["bee"], 5, MemoryFilter()).slots.size == 0
        assert index.nearest(QUERY, None, 5, floor=0.0) == {}

    store.read("ann", look)


def test_an_index_of_the_past_equals_a_loaded_one(store: Store) -> None:
    """Built from records, an index answers as one that was read from the database."""
    life = Life(store, "ann")
    life.add("bees in rome", tags=("x",), entity_refs=("person:bo",))
    life.add("coffee in the garden", persona_id="coach")

    def look(tx: Connection) -> None:
        state = users.state(tx, "ann")
        assert state is not None
        records = [(item, pack(item.content)) for item in memories.everything(tx, "ann")]
        slot_of = {item.memory_id: slot for slot, (item, _) in enumerate(records)}
        matrix, _ = vectors.gather(tx, "ann", MODEL, slot_of)
        past = UserIndex.of_records(records, matrix, state, {})
        assert answers(past) == answers(UserIndex.load(tx, "ann", state))

    store.read("ann", look)


def test_a_memory_without_a_vector_is_found_by_its_words(store: Store) -> None:
    """A text that waits for its vector has no place among the nearest until it has one, in an index that was there before too."""

    def waiting(tx: Connection) -> None:
        saving(record(1))(tx)
        tx.run("DELETE FROM memory_vectors WHERE user_id = :user_id", {"user_id": "ann"})

    store.write("ann", waiting)
    indexes = SearchIndexes(2**30)

    def found(tx: Connection) -> dict[str, tuple[float, int, int]]:
        state = users.state(tx, "ann")
        assert state is not None
        with indexes.of(tx, "ann", state) as index:
            near = index.search(QUERY, terms("bees"), 10, MemoryFilter())
            columns = (near.cosine.round(2).tolist(), near.vector_rank.tolist(), near.text_rank.tolist())
            ids = [index.ids[slot] for slot in near.slots.tolist()]
            assert {index.ids[slot] for slot in index._later} == {
                memory_id for memory_id in ids if index.vector(memory_id) is None
            }
            return dict(zip(ids, zip(*columns, strict=True), strict=True))

    first, second = record(1).memory_id, record(2).memory_id
    assert store.read("ann", found) == {first: (0.0, 0, 1)}
    store.write("ann", saving(record(2), QUERY))
    assert store.read("ann", found) == {first: (0.0, 0, 1), second: (1.0, 1, 2)}

    def arrive(tx: Connection) -> None:
        state = users.touch(tx, "ann", model=MODEL, epoch=7, now=NOON)
        vectors.put(tx, "ann", MODEL, [(first, QUERY)])
        memories.revise(tx, "ann", [first], state.revision)

    store.write("ann", arrive)
    assert {id: place[1] for id, place in store.read("ann", found).items()} == {first: 2, second: 1}


def _loaded(store: Store) -> UserIndex:
    state = store.read("ann", lambda tx: users.state(tx, "ann"))
    assert state is not None
    return store.read("ann", lambda tx: UserIndex.load(tx, "ann", state))


def test_the_neighbours_of_a_memory(store: Store) -> None:
    """The nearest of its own scope above the floor, itself left out; of a stranger there are none."""
    near = direction(1) + 0.1 * direction(2)
    for number, vector, persona in (
        (1, direction(1), None),
        (2, near / np.linalg.norm(near), None),
        (3, direction(1), "coach"),
        (4, direction(3), None),
    ):
        store.write("ann", saving(record(number, persona_id=persona), vector))
    index = _loaded(store)
    found = index.neighbours_of(record(1).memory_id, 3, floor=0.6)
    assert list(found) == [record(2).memory_id]
    assert found[record(2).memory_id] > 0.9
    assert index.neighbours_of("nobody", 3, floor=0.6) == {}


def test_what_has_faded_by_age_alone(store: Store) -> None:
    """What is pinned or does not fade is left out, whatever its age."""
    for number, changes in (
        (1, {"importance": 6.0}),
        (2, {"importance": 9.0}),
        (3, {"importance": 6.0, "pinned": True}),
        (4, {"importance": 0.5, "category": Category.IDENTITY}),
    ):
        store.write("ann", saving(record(number, **changes)))
    half_lives = {category: None if category is Category.IDENTITY else 10.0 for category in Category}
    now = NOON.timestamp() * 1000 + 30 * 86_400_000
    assert _loaded(store).faded(half_lives, now, 1.0) == [record(1).memory_id]
    assert _loaded(store).faded(half_lives, now, 2.0) == [record(1).memory_id, record(2).memory_id]


def test_who_might_say_the_same(store: Store) -> None:
    """By words alone: the memories of the scope that hold most of them, with their vectors; gone ones are not found."""
    told = ("bees in the garden", "the garden of rome", "coffee on the train")
    for number, text in enumerate(told, 1):
        store.write("ann", saving(record(number, content=text, memory_id=f"m{number}"), direction(number)))
    theirs = record(4, content="bees in the garden", memory_id="m4", persona_id="coach")
    store.write("ann", saving(theirs, direction(4)))

    def look(tx: Connection) -> None:
        state = users.state(tx, "ann")
        assert state is not None
        index = UserIndex.load(tx, "ann", state)
        assert index.saying(terms("Bees in the garden!"), None, 5) == ["m1", "m2"]
        assert index.saying(terms("Bees in the garden!"), "coach", 5) == ["m4"]
        assert index.saying(terms("Bees in the garden!"), "muse", 5) == []
        assert index.saying(terms("honey"), None, 5) == []
        vector = index.vector("m2")
        assert vector is not None
        assert float(vector @ direction(2)) > 0.99
        assert index.vector("m9") is None

    store.read("ann", look)
    nobody = UserIndex(users.UserState(revision=0, epoch=0, embedding_model=MODEL), {})
    assert nobody.saying(["bees"], None, 5) == []
