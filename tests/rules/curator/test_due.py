"""When the curator comes."""

from datetime import timedelta

from recollect.rules.curator import ENOUGH_NEW, due_at

from .memories import NOON


def test_many_at_once_few_within_a_day() -> None:
    """After 25 new memories at once, else at the same time of the next day."""
    assert ENOUGH_NEW == 25
    assert due_at(25, NOON) == due_at(400, NOON) == NOON
    assert due_at(24, NOON) == due_at(0, NOON) == NOON + timedelta(days=1)
