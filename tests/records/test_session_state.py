"""The state of a user with a persona."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.records.session_state import ROLLING_EVERY, SessionState, rolling_due

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)


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
        last_interaction=NOON,
        last_user_message="Hello",
        last_user_message_id="m1",
        last_rolling_attempt_at=NOON,
        last_rolling_success_at=NOON,
        last_rolling_error=("timeout", "after 30 s"),
        curator_last_run_at=NOON,
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
