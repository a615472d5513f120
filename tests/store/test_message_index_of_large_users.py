"""The index of a user with very many messages: approximate where it does not matter, and never wrong where it does."""

import threading
import time
from dataclasses import replace

import numpy as np
import pytest

from recollect.domain.moment import iso
from recollect.store import approximate, message_index, messages, part_vectors, users
from recollect.store.database import Connection, Matrix
from recollect.store.message_index import MessageIndex, WantedMessages
from recollect.store.search import SearchIndexes
from recollect.store.user_index import milliseconds

from .conftest import Store
from .conversations import index, message, minutes, tell
from .rows import direction

QUERIES = np.stack([direction(98), direction(99)])
NONE = np.zeros(0, dtype=np.intp)

pytestmark = pytest.mark.skipif(not approximate.available(), reason="usearch is not installed")


def _looking(store: Store, indexes: SearchIndexes) -> MessageIndex:
    def look(tx: Connection) -> MessageIndex:
        state = users.state(tx, "ann")
        assert state is not None
        with indexes.messages_of(tx, "ann", state) as found:
            return found

    return store.read("ann", look)


def _large(monkeypatch: pytest.MonkeyPatch) -> None:
    """Make five hundred messages many."""
    for name, value in {"LARGE": 500, "NEAREST": 20, "_FEW": 10, "_WIDEST": 400, "_SAMPLE": 100}.items():
        monkeypatch.setattr(message_index, name, value)
    monkeypatch.setattr(part_vectors, "TAIL", 100)


def _crowd(store: Store, size: int) -> MessageIndex:
    """Messages with a vector each, in sessions of three; the last five have none yet."""
    said = [
        message(position, "c0", session_id=f"s{position // 3}", created_at=minutes(position))
        for position in range(1, size + 6)
    ]
    store.write("ann", lambda tx: tell(tx, said))
    store.write(
        "ann",
        lambda tx: index(tx, "ann", lambda text: direction(int(text.split()[1]))[None, :], limit=size),
    )
    return _looking(store, SearchIndexes(2**30))


def _wait(found: MessageIndex, vector: Matrix) -> None:
    """Until the approximate index is built."""
    while np.array_equal(found.meaning(vector, NONE), found.cosines(vector[None, :])[:, 0]):
        time.sleep(0.005)


def test_a_small_user_is_scanned(store: Store) -> None:
    """Up to the limit the meaning of every slot is its cosine."""
    found = _crowd(store, 50)
    assert np.array_equal(found.meaning(QUERIES[0], NONE), found.cosines(QUERIES[:1])[:, 0])


def test_of_a_large_user_what_matters_is_exact(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Exact are the nearest, the given slots and their stretches; the rest is average, and -1 without a vector."""
    _large(monkeypatch)
    found = _crowd(store, 3000)
    vector, exact = QUERIES[0], found.cosines(QUERIES[:1])[:, 0]
    # Before the approximate index is there all of it is exact.
    assert np.array_equal(found.meaning(vector, NONE), exact)
    _wait(found, vector)
    given = np.array([found.slot_of["c0-001234"]])
    meaning = found.meaning(vector, given)
    assert meaning.dtype == np.float32 and meaning.shape == (found.size,)
    same = np.isclose(meaning, exact, atol=1e-5)
    nearest = np.argsort(-exact)[:20]
    assert np.count_nonzero(same[nearest]) >= 19
    stretch = found.column("stretch")
    assert (
        same[stretch == stretch[given[0]]].all()
        and same[np.isin(stretch, stretch[nearest[same[nearest]]])].all()
    )
    assert (meaning[~found.has_vector] == -1).all() and np.count_nonzero(~found.has_vector) == 5
    average = float(exact[found.has_vector].mean())
    assert np.count_nonzero(~same) > 1000 and np.unique(meaning[~same]).tolist() == [
        pytest.approx(average, abs=0.05)
    ]


def test_filters_of_a_large_user_miss_nothing(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Whether a filter leaves most, some or a few messages, the nearest of those it leaves are exact."""
    _large(monkeypatch)
    found = _crowd(store, 3000)
    vector, exact = QUERIES[0], found.cosines(QUERIES[:1])[:, 0]
    _wait(found, vector)
    for until in (2900, 1500, 300, 8):
        mask = found.visible(
            WantedMessages(until=milliseconds([iso(minutes(until + 1))])[0], any_persona=True)
        )
        assert np.count_nonzero(mask) == until
        same = np.isclose(found.meaning(vector, NONE, mask), exact, atol=1e-5)
        nearest = np.flatnonzero(mask)[np.argsort(-exact[mask])[:20]]
        assert np.count_nonzero(same[nearest]) >= 0.95 * len(nearest)


def test_a_long_stretch_is_scanned(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where everything was said in one session, gathering it would cost more than a scan."""
    _large(monkeypatch)
    said = [message(position, "c0", session_id=None) for position in range(1, 601)]
    store.write("ann", lambda tx: tell(tx, said))
    store.write(
        "ann", lambda tx: index(tx, "ann", lambda text: direction(int(text.split()[1]))[None, :], limit=600)
    )
    found = _looking(store, SearchIndexes(2**30))
    for _ in range(20):
        assert np.array_equal(found.meaning(QUERIES[0], NONE), found.cosines(QUERIES[:1])[:, 0])
        time.sleep(0.01)


def test_new_and_edited_messages_of_a_large_user(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    """What came or changed since the approximate index was built is found by its meaning at the next look."""
    _large(monkeypatch)
    _crowd(store, 3000)
    indexes = SearchIndexes(2**30)
    _wait(_looking(store, indexes), QUERIES[0])
    changed = replace(message(7, "c0", session_id="s0", created_at=minutes(7)), text="Sentence 77777 is new")
    store.write("ann", lambda tx: messages.update(tx, changed))
    store.write("ann", lambda tx: tell(tx, [message(9000, "c0", session_id="s900", text="Sentence 88888")]))
    store.write("ann", lambda tx: index(tx, "ann", lambda text: direction(int(text.split()[1]))[None, :]))
    found = _looking(store, indexes)
    assert found.dead == 1
    for message_id, number in (("c0-000007", 77777), ("c0-009000", 88888)):
        meaning = found.meaning(direction(number), NONE)
        assert meaning[found.slot_of[message_id]] == pytest.approx(1, abs=1e-3)
        assert np.count_nonzero(meaning == np.median(meaning)) > 1000
    while any(thread.name == "recollect-approximate" for thread in threading.enumerate()):
        time.sleep(0.005)
    # What was built behind counts from the next look on, although nothing was said.
    before = indexes.nbytes
    assert _looking(store, indexes) is found
    assert before <= indexes.nbytes == found.nbytes
