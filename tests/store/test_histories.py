"""The memory_history table."""

from datetime import timedelta

import pytest

from recollect.errors import StoreError
from recollect.records.history import ChangeKind
from recollect.store import histories

from .conftest import Store
from .rows import NOON, entry


def test_entries_come_back_in_order(store: Store) -> None:
    """The life of a memory is read oldest first, every field unchanged, and it is the user's own."""
    life = [
        entry("a", 3, change=ChangeKind.PINNED, old={"pinned": False}, new={"pinned": True}),
        entry("a", 1, change=ChangeKind.CREATED, old={}, new={"content": "“Ünï” 100% :x", "tags": ["a"]}),
        entry("b", 2),
    ]
    store.write("ann", lambda tx: histories.append(tx, "ann", life))
    store.write("bob", lambda tx: histories.append(tx, "bob", [entry("a", 9)]))
    assert store.read("ann", lambda tx: histories.of_memory(tx, "ann", "a")) == [life[1], life[0]]
    assert store.read("ann", lambda tx: histories.of_user(tx, "ann")) == [life[1], life[2], life[0]]
    later = store.read("ann", lambda tx: histories.since(tx, "ann", NOON + timedelta(seconds=1)))
    assert later == [life[2], life[0]]


def test_an_entry_is_never_rewritten(store: Store) -> None:
    """A second entry with the same number is refused, and the first one stays."""
    store.write("ann", lambda tx: histories.append(tx, "ann", [entry("a", 1)]))
    with pytest.raises(StoreError):
        store.write(
            "ann", lambda tx: histories.append(tx, "ann", [entry("a", 2), entry("a", 1, reason="other")])
        )
    assert store.read("ann", lambda tx: histories.of_user(tx, "ann")) == [entry("a", 1)]


def test_nothing_to_append(store: Store) -> None:
    """No entries is no error."""
    store.write("ann", lambda tx: histories.append(tx, "ann", []))
    assert store.read("ann", lambda tx: histories.of_user(tx, "ann")) == []


def test_what_was_said_again_most(store: Store) -> None:
    """Mentions since a moment are counted; other changes and older ones are not."""

    def add(memory_id: str, number: int, change: ChangeKind = ChangeKind.MENTIONED) -> None:
        made = entry(memory_id, number, change=change)
        store.write("ann", lambda tx: histories.append(tx, "ann", [made]))

    for number in (1, 2, 3):
        add("a", number)
    for number in (11, 12):
        add("b", number)
    add("c", 13)
    add("d", 14, ChangeKind.EDITED)
    since = NOON + timedelta(seconds=10)
    assert store.read("ann", lambda tx: histories.mentioned_since(tx, "ann", since, 9)) == ["b", "c"]
    assert store.read("ann", lambda tx: histories.mentioned_since(tx, "ann", NOON, 1)) == ["a"]
