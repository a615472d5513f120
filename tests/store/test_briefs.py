"""The briefs table."""

from typing import Any

import pytest

from recollect.errors import StoreError
from recollect.records.chat import Brief
from recollect.store import briefs

from .conftest import Store
from .conversations import minutes


def _brief(revision: int, chat_id: str = "c1", user_id: str = "ann", **changes: Any) -> Brief:
    return Brief(
        user_id=user_id,
        chat_id=chat_id,
        revision=revision,
        global_summary=f"The user keeps {revision} bees.",
        last_summarized_message_id=f"m{revision}",
        tokens=revision,
        written_by="offline",
        created_at=minutes(revision),
        **changes,
    )


def _write(store: Store, *found: Brief) -> None:
    for one in found:
        store.write(one.user_id, lambda tx, one=one: briefs.insert(tx, one))


def test_the_newest_revision_counts(store: Store) -> None:
    """Of all revisions the highest is the brief; the others stay, oldest first."""
    _write(store, _brief(9), _brief(2), _brief(10), _brief(11, "c2"), _brief(12, user_id="bob"))
    assert store.read("ann", lambda tx: briefs.current(tx, "ann", "c1")) == _brief(10)
    assert store.read("ann", lambda tx: briefs.revisions(tx, "ann", "c1")) == [
        _brief(2),
        _brief(9),
        _brief(10),
    ]
    assert store.read("ann", lambda tx: briefs.current(tx, "ann", "none")) is None


def test_a_revision_is_never_rewritten(store: Store) -> None:
    """A second brief of one revision is refused: the fold that lost the race finds out."""
    _write(store, _brief(1))
    with pytest.raises(StoreError):
        _write(store, _brief(1))


def test_going_back_to_an_earlier_revision(store: Store) -> None:
    """A revision goes with everything that was written from it; other chats keep theirs."""
    _write(store, _brief(1), _brief(3), _brief(5), _brief(5, "c2"), _brief(5, user_id="bob"))
    assert store.write("ann", lambda tx: briefs.delete_from(tx, "ann", "c1", 3)) == 2
    assert store.read("ann", lambda tx: briefs.current(tx, "ann", "c1")) == _brief(1)
    assert store.write("ann", lambda tx: briefs.delete_all(tx, "ann", "c1")) == 1
    assert store.read("ann", lambda tx: briefs.revisions(tx, "ann", "c1")) == []
    assert store.read("ann", lambda tx: briefs.current(tx, "ann", "c2")) == _brief(5, "c2")
    assert store.read("bob", lambda tx: briefs.current(tx, "bob", "c1")) == _brief(5, user_id="bob")
