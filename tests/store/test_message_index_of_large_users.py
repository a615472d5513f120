"""The index of a user with very many messages: estimates where it does not matter, exact where it does."""

from dataclasses import replace

import numpy as np
import pytest

from recollect.index import message_index
from recollect.index.message_index import MessageIndex
from recollect.index.query import MessageFilter
from recollect.index.search import SearchIndexes
from recollect.index.user_index import milliseconds
from recollect.records.moment import iso
from recollect.store import messages, users
from recollect.store.database import Connection

from .conftest import Store
from .conversations import index, message, minutes, tell
from .rows import direction

QUERY = direction(98)
NONE = np.zeros(0, dtype=np.intp)
EVERY = MessageFilter(any_persona=True)


def _looking(store: Store, indexes: SearchIndexes) -> MessageIndex:
    def look(tx: Connection) -> MessageIndex:
        state = users.state(tx, "ann")
        assert state is not None
        with indexes.messages_of(tx, "ann", state) as found:
            return found

    return store.read("ann", look)


def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make five hundred messages many."""
    monkeypatch.setattr(message_index, "LARGE", 500)
    monkeypatch.setattr(message_index, "worth_exact", lambda rows: 200)


def _crowd(store: Store, size: int) -> MessageIndex:
    """Messages with a vector each; the last five have none yet."""
    said = [message(position, "c0", created_at=minutes(position)) for position in range(1, size + 6)]
    store.write("ann", lambda tx: tell(tx, said))
    store.write(
        "ann",
        lambda tx: index(tx, "ann", lambda text: direction(int(text.split()[1]))[None, :], limit=size),
    )
    return _looking(store, SearchIndexes(2**30))


def test_a_small_user_is_scanned(store: Store) -> None:
    """Up to the limit the meaning of every slot is its cosine."""
    found = _crowd(store, 50)
    assert np.array_equal(
        found.meaning(QUERY, NONE, found.visible(EVERY)).cosines, found.cosines(QUERY[None])[:, 0]
    )


def test_of_a_large_user_what_matters_is_exact(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact are the best estimates and the given slots; the rest is about right, and -1 without a vector."""
    _large(monkeypatch)
    found = _crowd(store, 2000)
    exact = found.cosines(QUERY[None])[:, 0]
    far = np.flatnonzero(found.has_vector)[np.argsort(exact[found.has_vector])[:3]]
    meaning = found.meaning(QUERY, far, found.visible(EVERY)).cosines
    assert meaning.dtype == np.float32 and meaning.shape == (found.size,)
    same = np.isclose(meaning, exact, atol=1e-5)
    assert same[far].all() and 200 <= np.count_nonzero(same[found.has_vector]) < 400
    assert (meaning[~found.has_vector] == -1).all() and np.count_nonzero(~found.has_vector) == 5
    held = found.has_vector
    # These vectors differ in all directions alike, which a sketch can tell least.
    assert np.corrcoef(meaning[held], exact[held])[0, 1] > 0.4


def test_filters_of_a_large_user_miss_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where a filter leaves fewer messages than are looked at, each of them is exact."""
    _large(monkeypatch)
    found = _crowd(store, 2000)
    exact = found.cosines(QUERY[None])[:, 0]
    for until in (150, 8):
        wanted = replace(EVERY, until=milliseconds([iso(minutes(until + 1))])[0])
        mask = found.visible(wanted)
        assert np.count_nonzero(mask) == until
        assert np.allclose(found.meaning(QUERY, NONE, mask).cosines[mask], exact[mask], atol=1e-5)


def test_new_and_edited_messages_of_a_large_user(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came or changed since the sketch was made is found by its meaning at the next look."""
    _large(monkeypatch)
    _crowd(store, 2000)
    indexes = SearchIndexes(2**30)
    _looking(store, indexes)
    changed = replace(message(7, "c0", created_at=minutes(7)), text="Sentence 77777 is new")
    store.write("ann", lambda tx: messages.update(tx, changed))
    store.write("ann", lambda tx: tell(tx, [message(9000, "c0", text="Sentence 88888")]))
    store.write("ann", lambda tx: index(tx, "ann", lambda text: direction(int(text.split()[1]))[None, :]))
    found = _looking(store, indexes)
    assert found.dead == 1
    for message_id, number in (("c0-000007", 77777), ("c0-009000", 88888)):
        meaning = found.meaning(direction(number), NONE, found.visible(EVERY)).cosines
        assert meaning[found.slot_of[message_id]] == pytest.approx(1, abs=1e-3)
