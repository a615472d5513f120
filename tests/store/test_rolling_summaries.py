"""The rolling_summaries table."""

import pytest

from recollect.errors import StoreError
from recollect.records.session import RollingSummary, SessionState
from recollect.store import rolling_summaries, session_states

from .conftest import Store
from .conversations import minutes
from .rows import NOON


def _rolling(
    revision: int,
    persona_id: str | None = "coach",
    user_id: str = "ann",
    *,
    about: float = 0,
    made: float = 0,
) -> RollingSummary:
    """About messages until a minute, made at another."""
    return RollingSummary(
        user_id=user_id,
        persona_id=persona_id,
        revision=revision,
        summary=f"Summary {revision} with {persona_id}",
        from_message_at=minutes(about - 5),
        until_message_at=minutes(about),
        written_by="offline",
        created_at=minutes(made),
    )


def _write(store: Store, *found: RollingSummary) -> None:
    for one in found:
        store.write(one.user_id, lambda tx, one=one: rolling_summaries.insert(tx, one))


def _shown(store: Store, persona_id: str) -> str:
    row = store.read(
        "ann",
        lambda tx: tx.one(
            "SELECT rolling_summary FROM session_states WHERE user_id = 'ann' AND persona_id = :persona_id",
            {"persona_id": persona_id},
        ),
    )
    assert row is not None
    return row[0]


def test_the_newest_revision_counts(store: Store) -> None:
    """The highest revision of a persona is its rolling summary; all stay, and no persona is one too."""
    found = [_rolling(2), _rolling(10), _rolling(11, None), _rolling(12, user_id="bob")]
    _write(store, *found)
    assert store.read("ann", lambda tx: rolling_summaries.current(tx, "ann", "coach")) == found[1]
    assert store.read("ann", lambda tx: rolling_summaries.current(tx, "ann", None)) == found[2]
    assert store.read("ann", lambda tx: rolling_summaries.current(tx, "ann", "doctor")) is None
    assert store.read("ann", lambda tx: rolling_summaries.revisions(tx, "ann", "coach")) == found[:2]
    with pytest.raises(StoreError):
        _write(store, _rolling(2))


def test_forgetting_takes_what_came_after(store: Store) -> None:
    """What is about the moment or was made since goes; what was over before it stays."""
    before = _rolling(1, about=9, made=9.5)
    about = _rolling(2, about=10, made=9.9)
    since = _rolling(3, about=9, made=10)
    other = _rolling(4, "doctor", about=11, made=11)
    _write(store, before, about, since, other)
    gone = store.write("ann", lambda tx: rolling_summaries.delete_since(tx, "ann", "coach", minutes(10)))
    assert gone == 2
    assert store.read("ann", lambda tx: rolling_summaries.revisions(tx, "ann", "coach")) == [before]
    assert store.read("ann", lambda tx: rolling_summaries.revisions(tx, "ann", "doctor")) == [other]


def test_the_state_shows_the_newest(store: Store) -> None:
    """Whichever is written first, and after forgetting too, the state's row has the newest text or none."""
    _write(store, _rolling(1, about=1, made=1))
    for persona_id in ("coach", "doctor"):
        state = SessionState(user_id="ann", persona_id=persona_id)
        store.write("ann", lambda tx, state=state: session_states.save(tx, state, NOON))
    assert _shown(store, "coach") == "Summary 1 with coach"
    assert _shown(store, "doctor") == ""
    _write(store, _rolling(2, about=5, made=5))
    store.write(
        "ann",
        lambda tx: session_states.save(
            tx, SessionState(user_id="ann", persona_id="coach", message_count=2), NOON
        ),
    )
    assert _shown(store, "coach") == "Summary 2 with coach"
    for minute, left in ((5, "Summary 1 with coach"), (0, "")):
        store.write(
            "ann",
            lambda tx, minute=minute: rolling_summaries.delete_since(tx, "ann", "coach", minutes(minute)),
        )
        assert _shown(store, "coach") == left
