"""When new messages are judged."""

from datetime import UTC, datetime

import pytest

from recollect.rules.judging_time import ENOUGH_MESSAGES, ENOUGH_TOKENS, WAIT, judged_at

_NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def test_rules_do_not_wait() -> None:
    """By rules every turn is read at once."""
    assert judged_at(_NOW, by_rules=True, messages=1, tokens=1) == _NOW


@pytest.mark.parametrize(
    ("messages", "tokens", "waits"),
    [
        (1, ENOUGH_TOKENS - 1, True),
        (1, ENOUGH_TOKENS, False),
        (ENOUGH_MESSAGES - 1, 10, True),
        (ENOUGH_MESSAGES, 10, False),
    ],
)
def test_a_model_waits_for_a_heap(messages: int, tokens: int, waits: bool) -> None:
    """A model waits a minute, unless enough was said for a call of its own."""
    at = judged_at(_NOW, by_rules=False, messages=messages, tokens=tokens)
    assert at == (_NOW + WAIT if waits else _NOW)
