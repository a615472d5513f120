"""The memory_history table."""

from datetime import timedelta

import pytest

from recollect.domain.history import ChangeKind
from recollect.errors import StoreError
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
