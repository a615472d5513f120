"""The indexes of all users: fresh, apart, and within their memory."""

from contextlib import AbstractContextManager, suppress

from recollect.store import erase, users
from recollect.store.database import Connection
from recollect.store.search import SearchIndexes
from recollect.store.user_index import UserIndex

from .conftest import Store
from .rows import record, saving


def _of(indexes: SearchIndexes, tx: Connection, user_id: str) -> AbstractContextManager[UserIndex]:
    state = users.state(tx, user_id)
    assert state is not None
    return indexes.of(tx, user_id, state)


def _ids(store: Store, indexes: SearchIndexes, user_id: str) -> set[str]:
    def look(tx: Connection) -> set[str]:
        with _of(indexes, tx, user_id) as index:
            return set(index.slot_of)

    return store.read(user_id, look)


def test_each_user_has_an_index_of_their_own(store: Store) -> None:
    """An index holds its user's memories and no other's."""
    indexes = SearchIndexes(2**30)
    for user_id in ("ann", "bob"):
        store.write(user_id, saving(record(1, user_id)))
    store.write("bob", saving(record(2, "bob")))
    assert _ids(store, indexes, "ann") == {record(1).memory_id}
    assert _ids(store, indexes, "bob") == {record(1).memory_id, record(2).memory_id}


def test_a_commit_is_seen_by_the_next_look(store: Store) -> None:
    """The same index is kept and brought up to date, whichever process wrote."""
    indexes = SearchIndexes(2**30)
    store.write("ann", saving(record(1)))
    _ids(store, indexes, "ann")

    def index_of(tx: Connection) -> UserIndex:
        with _of(indexes, tx, "ann") as index:
            return index

    before = store.read("ann", index_of)
    store.write("ann", saving(record(2)))
    after = store.read("ann", index_of)
    assert after is before and set(after.slot_of) == {record(1).memory_id, record(2).memory_id}


def test_what_was_erased_elsewhere_is_gone_at_the_next_look(store: Store) -> None:
    """A new epoch makes every index start anew, so nothing forgotten stays in it."""
    indexes = SearchIndexes(2**30)
    for number in (1, 2):
        store.write("ann", saving(record(number)))
    _ids(store, indexes, "ann")

    def forget(tx: Connection) -> None:
        erase.memories(tx, "ann", [record(1).memory_id])
        users.start_epoch(tx, "ann")

    store.write("ann", forget)
    assert _ids(store, indexes, "ann") == {record(2).memory_id}


def test_a_rolled_back_change_never_enters_an_index(store: Store) -> None:
    """An index that was looked at inside a failed transaction holds only what is committed."""
    indexes = SearchIndexes(2**30)
    store.write("ann", saving(record(1)))

    def fail(tx: Connection) -> None:
        state = users.touch(tx, "ann", model="m", epoch=7, now=record(2).created_at)
        with indexes.of(tx, "ann", state.before()) as index:
            assert set(index.slot_of) == {record(1).memory_id}
        raise InterruptedError

    with suppress(InterruptedError):
        store.write("ann", fail)
    store.write("ann", saving(record(3)))
    assert _ids(store, indexes, "ann") == {record(1).memory_id, record(3).memory_id}


def test_the_least_recently_used_make_room(store: Store) -> None:
    """Memory stays within its limit; whoever was dropped is simply read again."""
    everyone = [f"user{number}" for number in range(6)]
    for user_id in everyone:
        store.write(user_id, saving(record(1, user_id)))
    roomy = SearchIndexes(2**30)
    for user_id in everyone:
        _ids(store, roomy, user_id)
    one = roomy.nbytes // len(everyone)
    indexes = SearchIndexes(one * 2 + one // 2)
    for user_id in everyone * 2:
        assert _ids(store, indexes, user_id) == {record(1).memory_id}
        assert indexes.nbytes <= one * 3
    indexes.drop(everyone[-1])
    assert indexes.nbytes < one * 2
