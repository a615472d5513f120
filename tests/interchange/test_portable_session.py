"""Portable sessions: what was written can be read, and joining two files takes nothing away."""

from contextlib import suppress
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.interchange.portable_session import (
    continuation,
    joined_session,
    joined_state,
    rolling_from,
    seed_from,
    session_from,
    session_values,
    spine_from,
    state_from,
    state_values,
)
from recollect.records.seed import Seed
from recollect.records.session import RollingSummary, Session, SessionDigest, SessionState, SessionSummary
from recollect.records.spine import Spine, SpineContent

NOW = datetime(2026, 1, 1, tzinfo=UTC)
#: When a file is read.
LATER = NOW + timedelta(hours=1)
SESSION = Session(
    user_id="alice",
    session_id="s",
    persona_id="coach",
    started_at=NOW,
    last_activity_at=NOW + timedelta(minutes=5),
    ended_at=NOW + timedelta(minutes=35),
    turn_count=3,
)
STATE = SessionState(
    user_id="alice",
    persona_id="coach",
    message_count=12,
    last_interaction=NOW,
    last_user_message="Hello",
    last_user_message_id="m1",
    last_rolling_attempt_at=NOW,
    last_rolling_success_at=NOW,
    last_rolling_error=("model_failed", "gone"),
    curator_last_run_at=NOW,
    curator_memory_count=4,
)


def _told(revision: int) -> SessionSummary:
    return SessionSummary(
        user_id="alice",
        session_id="s",
        revision=revision,
        digest=SessionDigest(one_liner="Bees", what_mattered=("Honey",), people=("Bob",), tone="calm"),
        written_by="offline",
        created_at=NOW,
    )


def test_a_session_comes_back() -> None:
    """A session that was written is read as it was, with each revision of its summary."""
    read = session_from(session_values(SESSION, [_told(1), _told(3)]), user_id="alice", now=LATER)
    assert (read.session, read.summaries, read.skipped) == (SESSION, (_told(1), _told(3)), None)


def test_broken_summaries_leave_the_session() -> None:
    """A session whose summaries cannot be read is still a session, and the reason is told."""
    read = session_from(session_values(SESSION, [_told(2), _told(1)]), user_id="alice", now=LATER)
    assert (read.session, read.summaries) == (SESSION, ()) and read.skipped


def test_a_state_comes_back_without_its_words() -> None:
    """A state is read as it was; the last words are those of the message, which the file only names."""
    assert state_from(state_values(STATE), user_id="alice", now=LATER) == replace(STATE, last_user_message="")


def test_rolling_summaries_and_spines_come_back() -> None:
    """Revisions and versions are read as they were."""
    rolling = RollingSummary(
        user_id="alice",
        persona_id=None,
        revision=2,
        summary="Bees",
        from_message_at=NOW,
        until_message_at=NOW,
        written_by="offline",
        created_at=NOW,
    )
    spine = Spine(
        user_id="alice",
        version=3,
        content=SpineContent(profile="Keeps bees", people="Bob"),
        message_count=20,
        written_by="offline",
        created_at=NOW,
    )
    assert rolling_from(rolling.to_dict(), user_id="alice") == rolling
    assert spine_from(spine.to_dict(), user_id="alice") == spine


def test_a_seed_comes_back_and_an_empty_one_is_none() -> None:
    """Facts and notes are read as they were."""
    seed = Seed(user_id="alice", facts=({"content": "User keeps bees"},), notes="German", updated_at=NOW)
    assert seed_from(seed.to_dict(), user_id="alice", now=NOW) == seed
    assert seed_from({}, user_id="alice", now=NOW) is None


@given(st.lists(st.integers(0, 3), max_size=4), st.lists(st.integers(0, 3), max_size=4))
def test_a_history_goes_on_or_stays(known: list[int], given: list[int]) -> None:
    """After joining, the known revisions are still the beginning, and nothing foreign follows them."""
    rest = list(continuation(known, given))
    assert [*known, *rest] == (given if given[: len(known)] == known else known)


minutes = st.integers(0, 50)


@given(minutes, minutes, st.integers(0, 9), st.integers(0, 9), st.integers(0, 9))
def test_a_joined_session_has_not_less(mine: int, theirs: int, turns: int, told: int, stored: int) -> None:
    """The later activity and the larger count stay, and joining again changes nothing."""
    known = replace(SESSION, last_activity_at=NOW + timedelta(minutes=mine), turn_count=turns)
    given = replace(SESSION, last_activity_at=NOW + timedelta(minutes=theirs), turn_count=told, ended_at=None)
    joined = joined_session(known, given, stored)
    assert joined.last_activity_at == max(known.last_activity_at, given.last_activity_at)
    assert joined.turn_count == max(turns, told, stored)
    assert joined.ended_at == (None if theirs > mine else known.ended_at)
    assert joined_session(joined, given, stored) == joined


@given(minutes, minutes, st.integers(0, 99), st.integers(0, 99))
def test_a_joined_state_has_not_less(mine: int, theirs: int, said: int, told: int) -> None:
    """Counters do not go down, what happened later stays, and joining again changes nothing."""
    at, then = NOW + timedelta(minutes=mine), NOW + timedelta(minutes=theirs)
    known = replace(STATE, message_count=said, last_interaction=at, last_rolling_attempt_at=at)
    given = replace(
        STATE,
        message_count=told,
        last_interaction=then,
        last_rolling_attempt_at=then,
        last_rolling_error=None,
        last_user_message="Theirs",
    )
    joined = joined_state(known, given)
    assert (joined.message_count, joined.last_interaction) == (max(said, told), max(at, then))
    assert joined.last_rolling_error == (None if theirs > mine else STATE.last_rolling_error)
    assert joined.last_user_message == "Hello"
    assert joined_state(joined, given) == joined


def test_a_first_state_is_the_files() -> None:
    """Where nothing is known everything comes from the file."""
    fresh = SessionState(user_id="alice", persona_id="coach")
    given = replace(STATE, last_user_message="", last_user_message_id=None)
    assert joined_state(fresh, given) == given


values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=6,
)
READERS = [
    (session_from, session_values(SESSION, [_told(1)])),
    (state_from, state_values(STATE)),
]


@pytest.mark.parametrize(("read", "good"), READERS, ids=["session", "state"])
@given(data=st.data())
def test_any_value_is_read_or_refused(read: Any, good: dict[str, Any], data: st.DataObject) -> None:
    """Whatever JSON stands there, it is read or refused, and never anything else."""
    changes = data.draw(st.dictionaries(st.sampled_from(sorted(good)), values))
    with suppress(InvalidInput):
        assert read({**good, **changes}, user_id="alice", now=LATER) is not None
