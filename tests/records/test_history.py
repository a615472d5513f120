"""History: a difference can be undone, for every field and every moment."""

import json
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from recollect.records.category import Category, MemoryType
from recollect.records.history import ChangeKind, HistoryEntry, diff, rewind
from recollect.records.memory import FIELDS, MemoryRecord, Origin, Source, Status

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RECORD = MemoryRecord(
    user_id="alice",
    memory_id="m",
    content="User keeps bees",
    category=Category.FACT,
    type=MemoryType.PROFILE,
    importance=6.0,
    created_at=NOW,
    updated_at=NOW,
    valid_from=NOW,
)

_texts = st.text(max_size=5) | st.none()
_lists = st.lists(st.text(max_size=5), max_size=2).map(tuple)
_times = st.integers(0, 10**6).map(lambda ms: NOW + timedelta(milliseconds=ms))
changes = st.fixed_dictionaries(
    {},
    optional={
        "content": st.text(max_size=20),
        "category": st.sampled_from(Category),
        "type": st.sampled_from(MemoryType),
        "importance": st.floats(0, 10),
        "tags": _lists,
        "entity_refs": _lists,
        "entity_label": _texts,
        "entity_type": _texts,
        "fact_type": _texts,
        "memory_key": _texts,
        "pinned": st.booleans(),
        "confidence": st.floats(0, 1),
        "source": st.sampled_from(Source),
        "origin": st.sampled_from(Origin),
        "source_context": _texts,
        "reasoning": _texts,
        "source_message_ids": _lists,
        "persona_id": _texts,
        "status": st.sampled_from(Status),
        "flagged": st.booleans(),
        "updated_at": _times,
        "valid_from": _times,
        "valid_to": _times | st.none(),
        "supersedes": _texts,
        "superseded_by": _texts,
        "folded_into": _texts,
        "tokens": st.integers(0, 500),
    },
)


def _entry(number: int, before: MemoryRecord, after: MemoryRecord) -> HistoryEntry:
    old, new = (json.loads(json.dumps(part)) for part in diff(before, after))
    at = NOW + timedelta(seconds=number)
    return HistoryEntry(
        memory_id="m", entry=number, at=at, by="user", change=ChangeKind.EDITED, old=old, new=new, reason=""
    )


@given(st.lists(changes, max_size=6), st.randoms(use_true_random=False))
def test_any_past_can_be_read(sequence: list[dict[str, Any]], chance: Any) -> None:
    """Rewinding through any changes, in any order of entries, gives every state back, also through JSON."""
    states = [RECORD]
    entries: list[HistoryEntry] = []
    for number, values in enumerate(sequence, 1):
        states.append(replace(states[-1], **values))
        entries.append(_entry(number, states[-2], states[-1]))
    chance.shuffle(entries)
    for number, state in enumerate(states):
        moment = NOW + timedelta(seconds=number)
        assert rewind(states[-1], entries, moment) == state
        assert rewind(states[-1], entries, moment + timedelta(milliseconds=999)) == state


def test_before_it_was_made() -> None:
    """A memory did not exist before its creation."""
    assert rewind(RECORD, [], NOW - timedelta(milliseconds=1)) is None
    assert rewind(RECORD, [], NOW) == RECORD


def test_entries_of_one_instant_go_by_their_number() -> None:
    """Two changes of one moment are undone in the right order."""
    first, second = replace(RECORD, content="User keeps goats"), replace(RECORD, content="User keeps geese")
    entries = [
        replace(_entry(1, RECORD, first), at=NOW + timedelta(seconds=1)),
        replace(_entry(2, first, second), at=NOW + timedelta(seconds=1)),
    ]
    assert rewind(second, entries, NOW) == RECORD
    assert rewind(second, entries, NOW + timedelta(seconds=1)) == second


def test_use_is_no_change() -> None:
    """Counters are not in a difference."""
    used = replace(RECORD, access_count=5, mention_count=9, last_accessed=NOW)
    assert diff(RECORD, used) == ({}, {})
    assert not {"access_count", "mention_count", "last_accessed"} & FIELDS.keys()


def test_the_shape_on_the_wire() -> None:
    """at, by, change, old, new, reason."""
    entry = _entry(1, RECORD, replace(RECORD, status=Status.ARCHIVED))
    assert entry.to_dict() == {
        "at": "2026-01-01T00:00:01.000Z",
        "by": "user",
        "change": "edited",
        "old": {"status": "ACTIVE"},
        "new": {"status": "ARCHIVED"},
        "reason": "",
    }
