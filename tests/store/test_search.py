"""The indexes of all users: fresh, apart, and within their memory."""

from contextlib import AbstractContextManager, suppress

import pytest

from recollect.index.search import SearchIndexes
from recollect.index.user_index import UserIndex
from recollect.store import erase, messages, users
from recollect.store.database import Connection, Params, Row

from .conftest import Store
from .conversations import index, message, tell
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


def _told(store: Store, indexes: SearchIndexes, user_id: str) -> set[str]:
    def look(tx: Connection) -> set[str]:
        state = users.state(tx, user_id)
        assert state is not None
        with indexes.messages_of(tx, user_id, state) as index:
            return set(index.slot_of)

    return store.read(user_id, look)


def test_memories_and_messages_share_one_limit(store: Store) -> None:
    """Both kinds count, the least recently used go first whatever they are, and dropping a user drops both."""
    everyone = [f"user{number}" for number in range(4)]
    roomy = SearchIndexes(2**30)
    for user_id in everyone:
        store.write(user_id, saving(record(1, user_id)))
        store.write(
            user_id, lambda tx, user_id=user_id: (tell(tx, [message(1, "c1", user_id)]), index(tx, user_id))
        )
        _ids(store, roomy, user_id)
    memories_only = roomy.nbytes
    for user_id in everyone:
        _told(store, roomy, user_id)
    both = (roomy.nbytes - memories_only) // len(everyone) + memories_only // len(everyone)
    assert roomy.nbytes > memories_only
    indexes = SearchIndexes(both * 2)
    for user_id in everyone * 2:
        assert _ids(store, indexes, user_id) == {record(1).memory_id}
        assert _told(store, indexes, user_id) == {"c1-000001"}
        assert indexes.nbytes <= both * 2
    assert indexes.nbytes > both
    indexes.drop(everyone[-1])
    assert 0 < indexes.nbytes <= both
    roomy.drop(everyone[0])
    assert roomy.nbytes <= both * 3


def test_an_index_that_grows_makes_others_go(store: Store) -> None:
    """The limit holds also when an index becomes large by following, not by being read."""
    for user_id in ("ann", "bob"):
        store.write(user_id, lambda tx, user_id=user_id: tell(tx, [message(1, "c1", user_id)]))
    indexes = SearchIndexes(100_000)
    _told(store, indexes, "ann")
    _told(store, indexes, "bob")
    before = indexes.nbytes
    store.write("bob", lambda tx: tell(tx, [message(number, "c1", "bob") for number in range(2, 1000)]))
    _told(store, indexes, "bob")
    large = indexes.nbytes
    assert large > 100_000
    indexes.drop("bob")
    assert before > 0 and indexes.nbytes == 0


def test_a_change_of_messages_leaves_memories_alone(store: Store) -> None:
    """A deleted message makes the index of messages start anew, and no other."""
    indexes = SearchIndexes(2**30)
    store.write("ann", saving(record(1)))
    store.write("ann", lambda tx: tell(tx, [message(1), message(2)]))

    def both(tx: Connection) -> tuple[object, object]:
        state = users.state(tx, "ann")
        assert state is not None
        with indexes.of(tx, "ann", state) as facts, indexes.messages_of(tx, "ann", state) as said:
            return facts, said

    facts, said = store.read("ann", both)
    assert store.read("ann", both) == (facts, said)
    store.write("ann", lambda tx: messages.delete(tx, "ann", "c1-000001"))
    after_facts, after_said = store.read("ann", both)
    assert after_facts is facts and after_said is not said
    assert _told(store, indexes, "ann") == {"c1-000002"}


def test_an_index_that_failed_to_follow_is_read_anew(store: Store) -> None:
    """When the database fails half-way, what is half up to date is never lent out."""
    indexes = SearchIndexes(2**30)
    store.write("ann", lambda tx: tell(tx, [message(1)]))

    def lent(tx: Connection) -> object:
        state = users.state(tx, "ann")
        assert state is not None
        with indexes.messages_of(tx, "ann", state) as found:
            return found

    before = store.read("ann", lent)
    store.write("ann", lambda tx: tell(tx, [message(1, "new chat")]))

    class Failing:
        """A connection that breaks when an index asks whose a chat is."""

        def __init__(self, tx: Connection) -> None:
            self._tx = tx

        def __getattr__(self, name: str) -> object:
            return getattr(self._tx, name)

        def all(self, sql: str, params: Params = {}) -> list[Row]:
            if "persona_id" in sql:
                raise InterruptedError
            return self._tx.all(sql, params)

    with pytest.raises(InterruptedError):
        store.read("ann", lambda tx: lent(Failing(tx)))  # type: ignore[arg-type]
    assert store.read("ann", lent) is not before
    assert _told(store, indexes, "ann") == {"c1-000001", "new chat-000001"}
