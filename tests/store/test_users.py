"""The users table."""

import asyncio
import threading
from concurrent.futures import ThreadPoolExecutor

from recollect.store import users
from recollect.store.database import EVERYONE, Connection, Database
from recollect.store.users import Counted, UserState

from .conftest import Store
from .rows import NOON


def _touch(store: Store, user_id: str, model: str = "m") -> UserState:
    return store.write(user_id, lambda tx: users.touch(tx, user_id, model=model, epoch=7, now=NOON))


def test_touch_makes_a_user_and_counts(store: Store) -> None:
    """The first change makes the user; each further one is counted; the model stays."""
    assert store.read("ann", lambda tx: users.state(tx, "ann")) is None
    first = _touch(store, "ann")
    second = _touch(store, "ann", "another")
    assert (first.revision, second.revision, second.embedding_model) == (1, 2, "m")
    assert second.before().revision == first.revision
    assert store.read("ann", lambda tx: users.state(tx, "ann")) == second


def _count(
    store: Store, user_id: str, said: int, recorded: int = 0, model: str = "m", epoch: int = 5
) -> Counted:
    return store.write(
        user_id,
        lambda tx: users.count_messages(
            tx, user_id, said, recorded=recorded, model=model, epoch=epoch, now=NOON
        ),
    )


def test_messages_are_counted_without_a_revision(store: Store) -> None:
    """Counting makes a user without a change of memories, adds up, and leaves revision, epoch and model alone."""
    assert store.read("ann", lambda tx: users.message_count(tx, "ann")) == 0
    assert _count(store, "ann", 3).said == 3
    assert store.read("ann", lambda tx: users.message_count(tx, "ann")) == 3
    assert store.read("ann", lambda tx: users.state(tx, "ann")) == UserState(
        revision=0, epoch=5, embedding_model="m", message_epoch=5
    )
    touched = _touch(store, "ann")
    assert touched == UserState(revision=1, epoch=5, embedding_model="m", message_epoch=5)
    assert (_count(store, "ann", 0).said, _count(store, "ann", 4, model="other").said) == (3, 7)
    assert store.read("ann", lambda tx: users.state(tx, "ann")) == touched
    assert _touch(store, "bob").message_epoch == 7
    assert _count(store, "bob", 2).said == 2


def test_each_recorded_message_has_a_revision_of_its_own(store: Store) -> None:
    """A batch takes the next revisions, a changed message the one after; nobody else's are touched."""
    assert _count(store, "ann", 1, recorded=3).first_revision == 1
    assert _count(store, "ann", 1, recorded=2).first_revision == 4
    assert store.write("ann", lambda tx: users.change_message(tx, "ann")) == 6
    assert _count(store, "bob", 0, recorded=1).first_revision == 1
    assert store.write("cy", lambda tx: users.change_message(tx, "cy")) == 0
    assert store.read("cy", lambda tx: users.state(tx, "cy")) is None


def test_indexing_goes_forward_only(store: Store) -> None:
    """How far messages are indexed never goes back, and each step is a change that indexes must follow."""
    _count(store, "ann", 0, recorded=9)

    def step(revision: int) -> UserState:
        state = store.write("ann", lambda tx: users.index_until(tx, "ann", revision))
        assert state is not None and state == store.read("ann", lambda tx: users.state(tx, "ann"))
        return state

    found = [step(revision) for revision in (4, 9, 6)]
    assert [state.indexed_revision for state in found] == [4, 9, 9]
    assert [state.message_revision for state in found] == [10, 11, 12]
    assert store.write("bob", lambda tx: users.index_until(tx, "bob", 1)) is None


def test_advance_epoch_and_model(store: Store) -> None:
    """Further changes, vanished rows and another model each leave their mark."""
    before = _touch(store, "ann")

    def change(tx: Connection) -> None:
        users.advance(tx, "ann", 4)
        users.start_epoch(tx, "ann")
        users.start_message_epoch(tx, "ann")
        users.serve_by(tx, "ann", "other")

    store.write("ann", change)
    after = store.read("ann", lambda tx: users.state(tx, "ann"))
    assert after == UserState(
        revision=before.revision + 4,
        epoch=before.epoch + 2,
        embedding_model="other",
        message_epoch=before.message_epoch + 2,
    )


def test_models_of_everyone(store: Store) -> None:
    """Only the scope of everyone counts all users."""
    for user_id, model in (("ann", "m"), ("bob", "m"), ("cy", "other")):
        _touch(store, user_id, model)
    assert store.read(EVERYONE, users.models) == {"m": 2, "other": 1}
    assert store.read(EVERYONE, lambda tx: users.not_served_by(tx, "m")) == ["cy"]


def test_writers_of_one_user_take_turns(store: Store) -> None:
    """Read, decide and write without any lock of one's own: no update is lost, however many write at once."""
    _touch(store, "ann")

    def add_one(tx: Connection) -> None:
        row = tx.one("SELECT epoch FROM users WHERE user_id = :user_id", {"user_id": "ann"})
        assert row is not None
        threading.Event().wait(0.002)
        tx.run("UPDATE users SET epoch = :epoch WHERE user_id = 'ann'", {"epoch": row[0] + 1})

    async def all_at_once(database: Database) -> None:

        await asyncio.gather(*(database.write("ann", add_one) for _ in range(20)))

    before = store.read("ann", lambda tx: users.state(tx, "ann"))
    store.call(all_at_once(store.database))
    after = store.read("ann", lambda tx: users.state(tx, "ann"))
    assert before is not None and after is not None
    assert after.epoch - before.epoch == 20


def test_reads_go_on_while_another_user_is_written(store: Store) -> None:
    """An open write does not keep anybody from reading, and what is not committed is not seen."""
    _touch(store, "ann")
    inside, go_on = threading.Event(), threading.Event()

    def slow(tx: Connection) -> None:
        users.start_epoch(tx, "ann")
        inside.set()
        go_on.wait(10)

    with ThreadPoolExecutor(1) as elsewhere:
        writing = elsewhere.submit(lambda: asyncio.run(store.database.write("ann", slow)))
        assert inside.wait(10)
        seen = store.read("ann", lambda tx: users.state(tx, "ann"))
        go_on.set()
        writing.result(10)
    after = store.read("ann", lambda tx: users.state(tx, "ann"))
    assert seen is not None and after is not None
    assert after.epoch == seen.epoch + 1


def test_how_far_the_curator_has_come(store: Store) -> None:
    """It is noted with the time, part of the user's state, and never goes back; a stranger has none."""
    assert store.read("ann", lambda tx: users.curated_at(tx, "ann")) is None
    _touch(store, "ann")
    assert store.read("ann", lambda tx: users.curated_at(tx, "ann")) is None
    for revision in (7, 5):
        store.write("ann", lambda tx, revision=revision: users.curate_until(tx, "ann", revision, NOON))
    state = store.read("ann", lambda tx: users.state(tx, "ann"))
    assert state is not None
    assert state.curated_revision == 7
    assert store.read("ann", lambda tx: users.curated_at(tx, "ann")) == NOON
