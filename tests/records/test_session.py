"""Sessions: S4's timeline of activity, idleness, grace and return."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import pairwise
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.records.session import (
    GRACE,
    IDLE,
    MAX_ITEM,
    MAX_ITEMS,
    ROLLING_EVERY,
    Session,
    SessionDigest,
    SessionState,
    closed,
    digest_from,
    is_over,
    rolling_due,
    touch,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


def _at(minutes: float) -> datetime:
    return NOON + timedelta(minutes=minutes)


def _fresh(minutes: float, name: str = "fresh") -> Session:
    return Session(user_id="ann", session_id=name, started_at=_at(minutes), last_activity_at=_at(minutes))


#: Began at noon; its last message came ten minutes later.
OPEN = replace(_fresh(0, "open"), last_activity_at=_at(10), turn_count=2)


def test_the_first_message_opens_one() -> None:
    """Without a session there is a new one, and only the user's messages count as turns."""
    said = touch(None, at=NOON, from_user=True, fresh=_fresh(0))
    assert said.session == replace(_fresh(0), turn_count=1)
    assert said.opened and not said.resumed and said.closed is None
    assert touch(None, at=NOON, from_user=False, fresh=_fresh(0)).session.turn_count == 0


@pytest.mark.parametrize("idle", [0, 0.001, 15, 29.99, 30])
def test_it_goes_on_for_thirty_minutes(idle: float) -> None:
    """Up to 30 idle minutes the session is the same, active all along."""
    said = touch(OPEN, at=_at(10 + idle), from_user=True, fresh=_fresh(10 + idle))
    assert said.session == replace(OPEN, last_activity_at=_at(10 + idle), turn_count=3)
    assert (said.opened, said.resumed, said.closed) == (False, False, None)


@pytest.mark.parametrize("idle", [30.01, 33, 35])
@pytest.mark.parametrize("noticed", [True, False])
def test_a_return_within_the_grace_resumes(idle: float, noticed: bool) -> None:
    """Up to 5 minutes after the close the same session goes on, whether or not anybody had closed it."""
    before = closed(OPEN) if noticed else OPEN
    said = touch(before, at=_at(10 + idle), from_user=True, fresh=_fresh(10 + idle))
    assert said.session == replace(OPEN, last_activity_at=_at(10 + idle), turn_count=3)
    assert (said.opened, said.resumed, said.closed) == (False, True, None)


@pytest.mark.parametrize("idle", [35.01, 36, 600])
def test_a_later_return_opens_a_new_one(idle: float) -> None:
    """After the grace there is a new session, and the old one ended when it had been idle for 30 minutes."""
    said = touch(OPEN, at=_at(10 + idle), from_user=True, fresh=_fresh(10 + idle))
    assert said.session == replace(_fresh(10 + idle), turn_count=1)
    assert said.opened and not said.resumed
    assert said.closed == replace(OPEN, ended_at=_at(40))


def test_what_has_ended_is_not_closed_twice() -> None:
    """A session that a worker closed is left as it is when the next one opens."""
    said = touch(closed(OPEN), at=_at(600), from_user=True, fresh=_fresh(600))
    assert said.opened and said.closed is None


@pytest.mark.parametrize("ended", [True, False])
def test_a_backdated_message_joins_the_past(ended: bool) -> None:
    """A message from amid a session belongs to it and counts, but neither wakes it nor turns time back."""
    before = closed(OPEN) if ended else OPEN
    said = touch(before, at=_at(5), from_user=True, fresh=_fresh(5))
    assert said.session == replace(before, turn_count=3)
    assert (said.opened, said.resumed, said.closed) == (False, False, None)


def test_a_backdated_message_may_prolong_an_ended_session() -> None:
    """One from after the last activity opens an ended session again, so that it is closed and summarised anew."""
    said = touch(closed(OPEN), at=_at(20), from_user=False, fresh=_fresh(20))
    assert said.session == replace(OPEN, last_activity_at=_at(20), ended_at=None)
    assert said.resumed and not said.opened


def test_closing_looks_back() -> None:
    """A session ends 30 minutes after its last message, whenever somebody notices."""
    assert closed(OPEN).ended_at == OPEN.last_activity_at + IDLE
    assert closed(closed(OPEN)) == closed(OPEN)


@pytest.mark.parametrize(("minute", "over"), [(10, False), (39.99, False), (40, True), (600, True)])
def test_when_it_is_over(minute: float, over: bool) -> None:
    """After 30 idle minutes, and only once."""
    assert is_over(OPEN, _at(minute)) is over
    assert is_over(closed(OPEN), _at(minute)) is False


def test_the_shape() -> None:
    """S4's names, with an end only when there is one."""
    assert closed(OPEN).to_dict() == {
        "id": "open",
        "persona_id": None,
        "startedAt": "2026-03-01T12:00:00.000Z",
        "lastActivityAt": "2026-03-01T12:10:00.000Z",
        "endedAt": "2026-03-01T12:40:00.000Z",
        "turnCount": 2,
    }
    assert OPEN.to_dict()["endedAt"] is None


@given(minutes=st.lists(st.integers(0, 600), min_size=1, max_size=40), closing=st.booleans())
def test_sessions_never_overlap(minutes: list[int], closing: bool) -> None:
    """Whatever order messages come in, and whether or not a worker closes, sessions are apart and count every message."""
    held: dict[str, Session] = {}
    for number, minute in enumerate(minutes):
        begun = [session for session in held.values() if session.started_at <= _at(minute)]
        latest = max(begun, key=lambda session: session.started_at, default=None)
        said = touch(latest, at=_at(minute), from_user=True, fresh=_fresh(minute, f"s{number}"))
        for session in (said.closed, said.session):
            if session is not None:
                held[session.session_id] = session
        if closing:
            held = {name: closed(session) for name, session in held.items()}
    ordered = sorted(held.values(), key=lambda session: session.started_at)
    for one, following in pairwise(ordered):
        assert one.last_activity_at < following.started_at
    assert sum(session.turn_count for session in ordered) == len(minutes)


@given(
    gaps=st.lists(st.integers(0, 80), max_size=30), closing=st.lists(st.booleans(), min_size=30, max_size=30)
)
def test_in_order_only_gaps_decide(gaps: list[int], closing: list[bool]) -> None:
    """A message opens a session exactly when more than 35 minutes passed, however punctual the worker is."""
    said = touch(None, at=NOON, from_user=True, fresh=_fresh(0))
    moment = 0
    for gap, noticed in zip(gaps, closing, strict=False):
        moment += gap
        before = said.session
        if noticed and is_over(before, _at(moment)):
            before = closed(before)
        said = touch(before, at=_at(moment), from_user=True, fresh=_fresh(moment, f"s{moment}"))
        assert said.opened is (timedelta(minutes=gap) > IDLE + GRACE)
        assert said.session.last_activity_at == _at(moment)
        assert said.session.ended_at is None


NOON_SESSION_STATE = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_the_shape_of_a_new_state() -> None:
    """S4's names are all there before anything happened."""
    assert SessionState(user_id="ann").to_dict() == {
        "state": {
            "messageCount": 0,
            "lastInteraction": None,
            "lastUserMessage": "",
            "curator": {"lastRunAt": None, "lastMemoryCountAtRun": 0},
            "lastRollingAttemptAt": None,
            "lastRollingSuccessAt": None,
            "lastRollingError": None,
            "lastUserMessageId": None,
        },
        "rollingSummary": "",
    }


def test_the_shape_of_a_full_state() -> None:
    """Times are ISO, an error has its reason and its detail, and the last message is named."""
    state = SessionState(
        user_id="ann",
        persona_id="coach",
        message_count=5,
        last_interaction=NOON_SESSION_STATE,
        last_user_message="Hello",
        last_user_message_id="m1",
        last_rolling_attempt_at=NOON_SESSION_STATE,
        last_rolling_success_at=NOON_SESSION_STATE,
        last_rolling_error=("timeout", "after 30 s"),
        curator_last_run_at=NOON_SESSION_STATE,
        curator_memory_count=25,
    )
    time = "2026-03-01T12:00:00.000Z"
    assert state.to_dict("They spoke of bees.") == {
        "state": {
            "messageCount": 5,
            "lastInteraction": time,
            "lastUserMessage": "Hello",
            "curator": {"lastRunAt": time, "lastMemoryCountAtRun": 25},
            "lastRollingAttemptAt": time,
            "lastRollingSuccessAt": time,
            "lastRollingError": {"reason": "timeout", "detail": "after 30 s"},
            "lastUserMessageId": "m1",
        },
        "rollingSummary": "They spoke of bees.",
    }


@pytest.mark.parametrize(
    ("before", "after", "due"),
    [(0, 3, False), (3, 4, True), (4, 7, False), (7, 8, True), (0, 100, True), (4, 4, False)],
)
def test_every_fourth_message(before: int, after: int, due: bool) -> None:
    """A rolling summary is due when the count passes a multiple of four, by however much."""
    assert rolling_due(before, after) is due


@given(steps=st.lists(st.integers(0, 9), max_size=50))
def test_no_summary_is_skipped_for_long(steps: list[int]) -> None:
    """Between two due moments there are never four messages or more."""
    count = since = 0
    for step in steps:
        since = 0 if rolling_due(count, count + step) else since + step
        count += step
        assert since < ROLLING_EVERY


FULL: dict[str, Any] = {
    "one_liner": "They planned a hive",
    "what_mattered": ["bees", "honey"],
    "open_loops": ["call Bo"],
    "commitments": ["send the plan"],
    "people": ["Bo"],
    "tone": "warm",
}


def test_a_digest_is_read_and_shown() -> None:
    """S4's JSON comes back as it was."""
    assert digest_from(FULL).to_dict() == FULL


def test_only_the_one_liner_is_needed() -> None:
    """What is missing or null is empty, and the tone neutral."""
    bare = SessionDigest(one_liner="Hello")
    assert digest_from({"one_liner": "Hello"}) == bare
    assert digest_from({"one_liner": "Hello", "people": None, "tone": None, "mood": 5}) == bare


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ({"one_liner": None}, "one_liner"),
        ({"one_liner": ["a"]}, "one_liner"),
        ({"people": "Bo"}, "people"),
        ({"open_loops": [1]}, "open_loops"),
        ({"tone": 5}, "tone"),
    ],
)
def test_what_cannot_be_read(change: dict[str, Any], name: str) -> None:
    """A model's malformed reply is refused with the name of the field."""
    with pytest.raises(ValueError, match=name):
        digest_from(FULL | change)


def test_a_missing_one_liner_is_refused() -> None:
    """A reply without the one field that must be there is malformed, not a crash."""
    with pytest.raises(ValueError, match="one_liner"):
        digest_from({})


def test_it_is_tidied() -> None:
    """Blanks are collapsed, repetitions and empty items go, and neither list nor text grows without end."""
    found = digest_from(
        {
            "one_liner": "  a \n b ",
            "people": ["Bo", " Bo ", "", " "],
            "open_loops": [f"loop {number}" for number in range(20)],
            "commitments": ["x" * 999],
        }
    )
    assert found.one_liner == "a b"
    assert found.people == ("Bo",)
    assert found.open_loops == tuple(f"loop {number}" for number in range(MAX_ITEMS))
    assert found.commitments == ("x" * MAX_ITEM,)


@given(
    one_liner=st.text(max_size=700),
    items=st.lists(st.text(max_size=400), max_size=12),
    tone=st.text(max_size=9),
)
def test_reading_twice_changes_nothing(one_liner: str, items: list[str], tone: str) -> None:
    """A digest that was read once is read from the store as the same."""
    once = digest_from({"one_liner": one_liner, "what_mattered": items, "people": items, "tone": tone})
    assert digest_from(once.to_dict()).to_dict() == once.to_dict() | {"tone": once.tone or "neutral"}
