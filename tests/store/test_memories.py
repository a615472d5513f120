"""The memories table."""

from dataclasses import replace
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect.errors import StoreError
from recollect.records.category import Category, MemoryType
from recollect.records.memory import MemoryRecord, Origin, Source, Status
from recollect.store import memories
from recollect.store.database import Connection
from recollect.store.memories import Filter

from .conftest import Store
from .rows import NOON, changing, record, saving

FULL = record(
    7,
    content="User's \"sister\" O'Neil likes 100% cocoa: 日本語 🐝 \\ :name %(x)s",
    category=Category.RELATIONSHIP,
    type=MemoryType.PEOPLE,
    importance=7.25,
    tags=("a:b", 'quo"te', "50%", "under_score", "日本"),
    entity_refs=("person:oneil", "place:köln"),
    entity_label="O'Neil",
    entity_type="person",
    fact_type="relationship",
    memory_key="people|person|oneil|relationship",
    pinned=True,
    confidence=0.1 + 0.2,
    source=Source.SHADOW_EXTRACTION,
    origin=Origin.ASSISTANT,
    source_context="said; twice -- really",
    reasoning="because of 'this'",
    source_message_ids=("m1", "m2"),
    persona_id="coach",
    status=Status.ARCHIVED,
    flagged=True,
    valid_to=NOON + timedelta(days=1),
    last_accessed=NOON + timedelta(days=2, milliseconds=3),
    access_count=2**40,
    mention_count=9,
    supersedes="older",
    superseded_by="newer",
    folded_into="folded",
    tokens=17,
)
TEXT = st.text(st.characters(exclude_characters="\x00", exclude_categories=("Cs",)))


def test_every_field_comes_back(store: Store) -> None:
    """A record is read as it was written, to the last bit of its numbers."""
    store.write("ann", saving(FULL))
    assert store.read("ann", lambda tx: memories.get(tx, "ann", FULL.memory_id)) == FULL


@settings(max_examples=40, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(content=TEXT, tag=TEXT, importance=st.floats(0, 10), user_id=TEXT.filter(bool))
def test_any_text_comes_back(store: Store, content: str, tag: str, importance: float, user_id: str) -> None:
    """Whatever Unicode a text, a tag or a user's name holds, it is kept unchanged."""
    made = record(1, user_id, content=content, tags=(tag,), importance=importance)

    def once(tx: Connection) -> MemoryRecord | None:
        tx.run("DELETE FROM memories WHERE user_id = :user_id", {"user_id": user_id})
        memories.insert(tx, made, terms=b"", revision=1)
        return memories.get(tx, user_id, made.memory_id)

    assert store.write(user_id, once) == made


def test_update_replaces_every_field(store: Store) -> None:
    """A changed record is read as changed."""
    store.write("ann", saving(record(7)))
    store.write("ann", changing(FULL))
    assert store.read("ann", lambda tx: memories.get(tx, "ann", FULL.memory_id)) == FULL


def test_mention_and_access_change_counters_only(store: Store) -> None:
    """Being said again or found again moves counters and nothing that an index follows."""
    made = record()
    revision = store.write("ann", saving(made))
    store.write(
        "ann", lambda tx: memories.mention(tx, replace(made, mention_count=4, source_message_ids=("m9",)))
    )
    for count in (2, 3):
        store.write(
            "ann", lambda tx, count=count: memories.accessed(tx, "ann", [(made.memory_id, count)], NOON)
        )
    found = store.read("ann", lambda tx: memories.get(tx, "ann", made.memory_id))
    assert found == replace(
        made, mention_count=4, source_message_ids=("m9",), access_count=5, last_accessed=NOON
    )
    row = store.read("ann", lambda tx: tx.one("SELECT revision FROM memories WHERE user_id = 'ann'"))
    assert row == (revision,)


def test_get_many_takes_more_ids_than_one_statement_holds(store: Store) -> None:
    """A long list of ids is split; strangers and unknown ids are left out."""
    made = [record(number) for number in range(3)]
    for item in made:
        store.write("ann", saving(item))
    store.write("bob", saving(record(9, "bob")))
    ids = [f"unknown{number}" for number in range(1200)] + [item.memory_id for item in made]
    ids.append(record(9, "bob").memory_id)
    found = store.read("ann", lambda tx: memories.get_many(tx, "ann", ids))
    assert found == {item.memory_id: item for item in made}


def test_one_active_memory_a_key_and_persona(store: Store) -> None:
    """The database itself refuses a second active holder of a key in one scope, and allows it everywhere else."""
    key = "profile|person|user|name"
    store.write("ann", saving(record(1, memory_key=key)))
    with pytest.raises(StoreError):
        store.write("ann", saving(record(2, memory_key=key)))
    store.write("ann", saving(record(3, memory_key=key, persona_id="coach")))
    store.write("ann", saving(record(4, memory_key=key, valid_to=NOON)))
    store.write("ann", saving(record(5, memory_key=key, status=Status.ARCHIVED)))
    store.write("bob", saving(record(6, "bob", memory_key=key)))
    found = {
        persona: store.read("ann", lambda tx, persona=persona: memories.by_key(tx, "ann", key, persona))
        for persona in (None, "coach", "cook")
    }
    assert {persona: item and item.memory_id for persona, item in found.items()} == {
        None: record(1).memory_id,
        "coach": record(3).memory_id,
        "cook": None,
    }


def test_page_runs_from_new_to_old(store: Store) -> None:
    """Pages follow each other without gap or overlap, newest first."""
    for number in (3, 1, 2, 5, 4):
        store.write("ann", saving(record(number)))
    first = store.read("ann", lambda tx: memories.page(tx, "ann", Filter(), limit=2))
    second = store.read(
        "ann", lambda tx: memories.page(tx, "ann", Filter(), limit=9, before=first[-1].memory_id)
    )
    assert [item.memory_id for item in first + second] == [record(n).memory_id for n in (5, 4, 3, 2, 1)]


@pytest.mark.parametrize(
    ("wanted", "numbers"),
    [
        (Filter(), {1, 2, 3}),
        (Filter(past=True), {1, 2, 3, 5}),
        (Filter(status=None), {1, 2, 3, 4}),
        (Filter(status=None, past=True), {1, 2, 3, 4, 5}),
        (Filter(category=Category.SKILL), {2}),
        (Filter(type=MemoryType.PEOPLE), {3}),
        (Filter(persona_id="coach"), {1, 2, 3}),
        (Filter(persona_id="cook"), {1, 2}),
        (Filter(tag="Work"), {1}),
        (Filter(tag="work"), {2}),
        (Filter(tag="wor"), set()),
        (Filter(tag="50%"), {2}),
        (Filter(tag='a"b\\c'), {3}),
        (Filter(entities=("person:bo", "place:rome")), {1, 3}),
        (Filter(entities=("person:nobody",)), set()),
        (Filter(since=record(2).created_at), {2, 3}),
        (Filter(until=record(2).created_at), {1}),
        (Filter(since=record(2).created_at, until=record(3).created_at), {2}),
    ],
)
def test_page_filters(store: Store, wanted: Filter, numbers: set[int]) -> None:
    """Each filter means the same on both databases, the case of letters included."""
    for made in (
        record(1, tags=("Work", "homework"), entity_refs=("person:bo",)),
        record(2, tags=("work", "50%"), category=Category.SKILL),
        record(3, tags=('a"b\\c',), type=MemoryType.PEOPLE, persona_id="coach", entity_refs=("place:rome",)),
        record(4, status=Status.ARCHIVED),
        record(5, valid_to=NOON),
        record(6, "bob", tags=("Work",)),
    ):
        store.write(made.user_id, saving(made))
    found = store.read("ann", lambda tx: memories.page(tx, "ann", wanted, limit=50))
    assert {item.memory_id for item in found} == {record(number).memory_id for number in numbers}


def test_everything_is_all_of_one_user(store: Store) -> None:
    """An export sees past and archived memories, oldest first, and nobody else's."""
    made = [record(2, status=Status.ARCHIVED), record(1), record(3, valid_to=NOON)]
    for item in (*made, record(4, "bob")):
        store.write(item.user_id, saving(item))
    found = store.read("ann", lambda tx: memories.everything(tx, "ann"))
    assert found == sorted(made, key=lambda item: item.memory_id)


def test_statistics(store: Store) -> None:
    """Counts, sums and days are numbers of the same kind on both databases."""
    for made in (
        record(1, importance=2.5, access_count=1),
        record(2, importance=3.0, access_count=5),
        record(3, category=Category.SKILL),
        record(4, valid_to=NOON, access_count=50),
    ):
        store.write("ann", saving(made))
    tallies = store.read("ann", lambda tx: sorted(memories.tallies(tx, "ann")))
    assert tallies == [
        ("fact", "PROFILE", "ACTIVE", "manual", 2, 5.5),
        ("skill", "PROFILE", "ACTIVE", "manual", 1, 6.0),
    ]
    assert all(type(row[4]) is int and type(row[5]) is float for row in tallies)
    used = store.read("ann", lambda tx: memories.most_used(tx, "ann", 5))
    assert [item.memory_id for item in used] == [record(2).memory_id, record(1).memory_id]
    assert store.read("ann", lambda tx: memories.days_of_creation(tx, "ann")) == [("2026-03-01", 3)]


def test_what_is_new_or_changed(store: Store) -> None:
    """Current memories whose revision is later, the oldest change first; counted no further than asked."""
    for number in (1, 2, 3):
        store.write("ann", saving(record(number)))
    store.write("ann", changing(replace(record(1), importance=9.0)))
    store.write("ann", changing(replace(record(2), status=Status.ARCHIVED)))
    found = store.read("ann", lambda tx: memories.changed_since(tx, "ann", 2, 9))
    assert [(item.memory_id, revision) for item, revision in found] == [
        (record(3).memory_id, 3),
        (record(1).memory_id, 4),
    ]
    assert len(store.read("ann", lambda tx: memories.changed_since(tx, "ann", 2, 1))) == 1
    counts = [
        store.read("ann", lambda tx, most=most: memories.count_changed_since(tx, "ann", 2, most))
        for most in (1, 9)
    ]
    assert counts == [1, 2]


def test_what_was_folded_into_one(store: Store) -> None:
    """The originals of a fold are found by it."""
    store.write("ann", saving(record(1, folded_into="f")))
    store.write("ann", saving(record(2)))
    found = store.read("ann", lambda tx: memories.folded_into(tx, "ann", "f"))
    assert [item.memory_id for item in found] == [record(1).memory_id]
