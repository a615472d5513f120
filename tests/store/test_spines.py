"""The spines table."""

import pytest

from recollect.errors import StoreError
from recollect.records.spine import Spine, SpineContent
from recollect.store import spines

from .conftest import Store
from .conversations import minutes


def _spine(version: int, user_id: str = "ann") -> Spine:
    return Spine(
        user_id=user_id,
        version=version,
        content=SpineContent(
            profile=f"Keeps bees {version} 🐝\nLives in Graz",
            projects="A hive",
            people="Bo",
            open_loops="Honey",
        ),
        message_count=20,
        written_by="offline",
        created_at=minutes(version),
    )


def _write(store: Store, *found: Spine) -> None:
    for one in found:
        store.write(one.user_id, lambda tx, one=one: spines.insert(tx, one))


def test_versions(store: Store) -> None:
    """The highest version is the spine; each is found by its number and none is rewritten."""
    _write(store, _spine(2), _spine(10), _spine(11, "bob"))
    assert store.read("ann", lambda tx: spines.current(tx, "ann")) == _spine(10)
    assert store.read("ann", lambda tx: spines.version(tx, "ann", 2)) == _spine(2)
    assert store.read("ann", lambda tx: spines.version(tx, "ann", 3)) is None
    assert store.read("ann", lambda tx: spines.versions(tx, "ann")) == [_spine(2), _spine(10)]
    assert store.read("cy", lambda tx: spines.current(tx, "cy")) is None
    with pytest.raises(StoreError):
        _write(store, _spine(2))


def test_what_versions_account_for(store: Store) -> None:
    """The messages of all versions of a user together; none before the first."""
    _write(store, _spine(1), _spine(2), _spine(1, "bob"))
    assert store.read("ann", lambda tx: spines.counted(tx, "ann")) == 40
    assert store.read("cy", lambda tx: spines.counted(tx, "cy")) == 0


def test_forgetting_takes_what_came_after(store: Store) -> None:
    """Versions made at the moment or later go; the one before is the spine again."""
    _write(store, _spine(1), _spine(2), _spine(3), _spine(3, "bob"))
    assert store.write("ann", lambda tx: spines.delete_since(tx, "ann", minutes(2))) == 2
    assert store.read("ann", lambda tx: spines.current(tx, "ann")) == _spine(1)
    assert store.read("bob", lambda tx: spines.current(tx, "bob")) == _spine(3, "bob")
