"""The session_states table."""

from recollect.records.session import SessionState
from recollect.store import session_states

from .conftest import Store
from .conversations import minutes
from .rows import NOON

FULL = SessionState(
    user_id="ann",
    persona_id="coach",
    message_count=7,
    last_interaction=minutes(1),
    last_user_message='She said: "🐝"',
    last_user_message_id="m1",
    last_rolling_attempt_at=minutes(2),
    last_rolling_success_at=minutes(3),
    last_rolling_error=("timeout", "after 30 s"),
    curator_last_run_at=minutes(4),
    curator_memory_count=5,
)
BARE = SessionState(user_id="ann")


def _save(store: Store, state: SessionState) -> None:
    store.write(state.user_id, lambda tx: session_states.save(tx, state, NOON))


def test_every_field_comes_back(store: Store) -> None:
    """A full state and an empty one are read as they were saved, each persona its own, no persona one too."""
    for state in (FULL, BARE, SessionState(user_id="bob", message_count=1)):
        _save(store, state)
    assert store.read("ann", lambda tx: session_states.get(tx, "ann", "coach")) == FULL
    assert store.read("ann", lambda tx: session_states.get(tx, "ann", None)) == BARE
    assert store.read("ann", lambda tx: session_states.get(tx, "ann", "doctor")) is None
    assert store.read("ann", lambda tx: session_states.of_user(tx, "ann")) == [BARE, FULL]


def test_saving_replaces(store: Store) -> None:
    """There is one row a user and persona, the last one saved, with its time."""
    _save(store, FULL)
    changed = SessionState(user_id="ann", persona_id="coach", message_count=8)
    store.write("ann", lambda tx: session_states.save(tx, changed, minutes(9)))
    assert store.read("ann", lambda tx: session_states.of_user(tx, "ann")) == [changed]
    times = store.read("ann", lambda tx: tx.all("SELECT updated_at FROM session_states"))
    assert times == [("2026-03-01T12:09:00.000Z",)]
