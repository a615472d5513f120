"""The rate: bursts pass, floods wait, the quiet are forgotten."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.server.gate import Rate


class Seconds:
    """A clock that the test sets."""

    def __init__(self) -> None:
        self.now = 1000.0

    def __call__(self) -> float:
        return self.now


def test_a_burst_passes_and_the_rest_waits() -> None:
    """Ten seconds' worth at once; then one at a time, as the bucket fills."""
    clock = Seconds()
    rate = Rate(60, clock=clock)
    assert [rate.take("ann") for _ in range(10)] == [0] * 10
    assert rate.take("ann") == 1
    assert rate.take("bob") == 0
    clock.now += 0.5
    assert rate.take("ann") == 1
    clock.now += 0.5
    assert rate.take("ann") == 0
    assert rate.take("ann") == 1


def test_the_wait_is_long_enough() -> None:
    """Whoever comes back after the seconds that were named passes."""
    clock = Seconds()
    rate = Rate(2, clock=clock)
    assert rate.take("ann") == 0
    wait = rate.take("ann")
    assert wait == 30
    clock.now += wait
    assert rate.take("ann") == 0


def test_no_limit() -> None:
    """0 means that nobody is counted."""
    rate = Rate(0, clock=Seconds())
    assert [rate.take("ann") for _ in range(1000)] == [0] * 1000
    assert len(rate) == 0


@given(st.lists(st.floats(0, 30), max_size=60), st.sampled_from([6, 60, 600]))
def test_no_more_than_the_rate_allows(pauses: list[float], per_minute: int) -> None:
    """Over any time, at most the burst and what the rate gives."""
    clock = Seconds()
    rate = Rate(per_minute, clock=clock)
    begun, passed = clock.now, 0
    for pause in pauses:
        clock.now += pause
        passed += sum(rate.take("ann") == 0 for _ in range(40))
        allowed = max(1, per_minute / 6) + (clock.now - begun) * per_minute / 60
        assert passed <= allowed + 1e-6


def test_the_quiet_are_forgotten() -> None:
    """Whoever was quiet until the bucket was full is held no longer."""
    clock = Seconds()
    rate = Rate(600, clock=clock)
    for number in range(100):
        rate.take(f"user{number}")
    assert len(rate) == 100
    clock.now += 10
    for _ in range(100):
        rate.take("ann")
    assert len(rate) == 1


@pytest.mark.parametrize("limit", [1, 50])
def test_memory_is_bounded(limit: int) -> None:
    """However many callers come at once, only so many are held."""
    rate = Rate(600, clock=Seconds(), limit=limit)
    for number in range(500):
        rate.take(f"user{number}")
    assert len(rate) == limit
