"""Portable records: what was written can be read, and nothing else is believed."""

import json
from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.interchange.portable import history_from, memory_from
from recollect.records.category import Category, MemoryType
from recollect.records.history import ChangeKind, HistoryEntry
from recollect.records.memory import MemoryRecord, Origin, Source, Status

NOW = datetime(2026, 1, 1, tzinfo=UTC)
FULL = MemoryRecord(
    user_id="alice",
    memory_id="2026-01-01T00:00:00.000Z#00000001",
    content="User's wife is named Jane",
    category=Category.RELATIONSHIP,
    type=MemoryType.PEOPLE,
    importance=8.5,
    tags=("family", "ü"),
    entity_refs=("person:jane",),
    entity_label="Jane",
    entity_type="person",
    fact_type="relationship",
    memory_key="people|person|jane|relationship",
    pinned=True,
    confidence=0.5,
    source=Source.TOOL,
    origin=Origin.SYSTEM,
    source_context="at lunch",
    reasoning="Family matters",
    source_message_ids=("m1",),
    persona_id="coach",
    status=Status.ARCHIVED,
    flagged=False,
    created_at=NOW,
    updated_at=NOW,
    valid_from=NOW,
    valid_to=NOW,
    last_accessed=NOW,
    access_count=3,
    mention_count=4,
    supersedes="older",
    superseded_by="newer",
    folded_into="fold",
    tokens=5,
)
LEAST = {
    "memory_id": "m",
    "content": "User keeps bees",
    "category": "fact",
    "created_at": "2026-01-01T00:00:00Z",
}


def test_every_field_comes_back() -> None:
    """A record that was written as JSON is read as the same record."""
    assert memory_from(json.loads(json.dumps(FULL.to_dict())), user_id="alice") == FULL
    assert memory_from(FULL.to_dict(), user_id="bob") == replace(FULL, user_id="bob")


def test_missing_fields_take_their_defaults() -> None:
    """A document of another hand needs only what a memory cannot be without."""
    record = memory_from(LEAST, user_id="alice")
    assert (record.importance, record.status, record.valid_from, record.tags) == (5.0, Status.ACTIVE, NOW, ())


@pytest.mark.parametrize("name", list(LEAST))
def test_what_a_memory_cannot_be_without(name: str) -> None:
    """A missing field is named."""
    with pytest.raises(InvalidInput) as raised:
        memory_from({key: value for key, value in LEAST.items() if key != name}, user_id="alice")
    assert raised.value.field == name


_junk = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(max_size=3), inner, max_size=2),
    max_leaves=4,
)


@given(st.sampled_from(sorted(set(FULL.to_dict()) | {"subtype"})), _junk)
def test_any_value_is_read_or_refused(name: str, value: Any) -> None:
    """Nothing but InvalidInput comes of a wrong value; what is read is a record that can be written again."""
    with suppress(InvalidInput):
        record = memory_from({**FULL.to_dict(), name: value}, user_id="alice")
        assert memory_from(json.loads(json.dumps(record.to_dict())), user_id="alice") == record


def test_a_history_comes_back() -> None:
    """An entry that was written as JSON is read as the same entry; fields that nobody knows are dropped."""
    entry = HistoryEntry(
        memory_id="m",
        entry=7,
        at=NOW,
        by="user",
        change=ChangeKind.EDITED,
        old={"content": "a", "tags": ["x"]},
        new={"content": "b", "tags": []},
        reason="because",
    )
    wire = json.loads(json.dumps(entry.to_dict()))
    assert history_from(wire, memory_id="m", entry=7) == entry
    wire["old"]["colour"] = "red"
    assert history_from(wire, memory_id="m", entry=7) == entry


@given(_junk)
def test_no_other_history(value: Any) -> None:
    """What is no entry is refused."""
    with pytest.raises(InvalidInput):
        history_from(value, memory_id="m", entry=0)
