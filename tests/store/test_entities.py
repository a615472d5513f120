"""The entities table and memory_entities."""

from datetime import timedelta

from recollect.records.memory import Status
from recollect.store import entities
from recollect.store.entities import EntityRow

from .conftest import Store
from .rows import NOON, record, saving


def test_mentions_are_counted(store: Store) -> None:
    """An entity counts its current facts only and moves up when it is mentioned again."""
    for made in (
        record(1, entity_refs=("person:bo", "place:rome")),
        record(2, entity_refs=("person:bo",)),
        record(3, entity_refs=("person:bo",), valid_to=NOON),
        record(4, entity_refs=("person:bo",), status=Status.ARCHIVED),
        record(5, "bob", entity_refs=("person:bo", "org:acme")),
    ):
        store.write(made.user_id, saving(made))
    assert store.read("ann", lambda tx: entities.of_user(tx, "ann")) == [
        EntityRow(
            entity_key="person:bo",
            type="person",
            label="Bo",
            last_mentioned=NOON + timedelta(seconds=4),
            fact_count=2,
        ),
        EntityRow(
            entity_key="place:rome",
            type="place",
            label="Rome",
            last_mentioned=NOON + timedelta(seconds=1),
            fact_count=1,
        ),
    ]


def test_labels_and_relabelling(store: Store) -> None:
    """The first label stays until somebody gives another."""
    store.write("ann", lambda tx: entities.mention(tx, "ann", [("person:bo", "Bo")], "a", NOON))
    store.write("ann", lambda tx: entities.mention(tx, "ann", [("person:bo", "BO!")], "a", NOON))
    assert store.read("ann", lambda tx: entities.labels(tx, "ann", ["person:bo", "person:x"])) == {
        "person:bo": "Bo"
    }
    store.write("ann", lambda tx: entities.describe(tx, "ann", "person:bo", "Bo Ek", None))
    assert store.read("ann", lambda tx: entities.labels(tx, "ann", ["person:bo"])) == {"person:bo": "Bo Ek"}
    assert store.read("ann", lambda tx: entities.labels(tx, "ann", [])) == {}
    assert store.read("bob", lambda tx: entities.labels(tx, "bob", ["person:bo"])) == {}


def test_memories_of_entities(store: Store) -> None:
    """The memories of several names are found once each, until a memory mentions nobody any more."""
    for made in (record(1, entity_refs=("person:bo", "person:bob")), record(2, entity_refs=("person:bob",))):
        store.write("ann", saving(made))
    keys = ["person:bo", "person:bob"]
    both = [record(1).memory_id, record(2).memory_id]
    assert store.read("ann", lambda tx: entities.memories_of(tx, "ann", keys)) == both
    store.write("ann", lambda tx: entities.unmention(tx, "ann", both[0]))
    assert store.read("ann", lambda tx: entities.memories_of(tx, "ann", keys)) == both[1:]


def test_being_folded_is_no_mention(store: Store) -> None:
    """A memory that was made of others counts for the entity, whose last mention stays when it was."""
    store.write("ann", saving(record(1, entity_refs=("person:bo",))))
    store.write("ann", saving(record(2)))
    (before,) = store.read("ann", lambda tx: entities.of_user(tx, "ann"))
    for _ in range(2):
        store.write("ann", lambda tx: entities.attach(tx, "ann", ["person:bo"], record(2).memory_id))
    (after,) = store.read("ann", lambda tx: entities.of_user(tx, "ann"))
    assert (after.fact_count, after.last_mentioned) == (2, before.last_mentioned)
