"""Background work gives way to people who are there, for a while."""

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from conftest import FakeEmbedder
from numpy.typing import NDArray

from recollect import AsyncMemory, Settings
from recollect.engine import presence as module
from recollect.engine.judge import judge
from recollect.engine.presence import Presence


class Clock:
    """Time that passes only in rests; `ticked` is called whenever some has passed."""

    def __init__(self) -> None:
        self.now = 0.0
        self.ticked: Callable[[], None] = lambda: None

    def monotonic(self) -> float:
        return self.now

    async def sleep(self, seconds: float) -> None:
        self.now += seconds
        self.ticked()

    def rest(self, presence: Presence, cpu_seconds: float) -> float:
        """How long the rest after a piece of work takes."""
        began = self.now
        asyncio.run(presence.give_way(cpu_seconds))
        return self.now - began


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    """The clock of presence."""
    clock = Clock()
    monkeypatch.setattr(module, "time", clock)
    monkeypatch.setattr(module, "asyncio", SimpleNamespace(sleep=clock.sleep))
    return clock


def test_nobody_is_waited_for(clock: Clock) -> None:
    """While nobody calls, work goes on without a rest."""
    assert clock.rest(Presence(), 60.0) == 0.0


def test_a_piece_of_work_is_followed_by_a_longer_rest(clock: Clock) -> None:
    """While somebody calls, a piece of work is followed by a rest that is nine times as long."""
    presence = Presence()
    clock.ticked = presence.noticed
    presence.noticed()
    assert clock.rest(presence, 0.01) == pytest.approx(0.09)


def test_a_rest_ends_when_nobody_is_there_any_more(clock: Clock) -> None:
    """Somebody called once: however long the work took, the rest looks again and ends."""
    presence = Presence()
    presence.noticed()
    assert clock.rest(presence, 3.0) == pytest.approx(0.05)


def test_a_rest_is_bounded(clock: Clock) -> None:
    """Somebody calls all the time: however long the work took, it goes on after a second."""
    presence = Presence()
    clock.ticked = presence.noticed
    presence.noticed()
    assert clock.rest(presence, 60.0) == pytest.approx(1.0)


def test_work_that_is_waited_for_does_not_rest(clock: Clock) -> None:
    """During `drain` there is no rest, and one that has begun ends."""
    presence, waited_for = Presence(), [False, False, True]
    clock.ticked = presence.noticed
    presence.noticed()
    presence.hurried = lambda: waited_for.pop(0)
    assert clock.rest(presence, 60.0) == pytest.approx(0.1)


class DistantEmbedder(FakeEmbedder):
    """An embedder that is waited for."""

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        await asyncio.sleep(1.0)
        return await super().embed(texts)


def test_waiting_is_no_work(sqlite_path: Path) -> None:
    """A piece of work that waited for an embedder rests for what it computed, not for what it waited."""

    async def run() -> None:
        settings = Settings(worker="off", sqlite_synchronous="normal")
        async with AsyncMemory(sqlite_path, settings=settings, embedder=DistantEmbedder()) as memory:
            parts, counted = memory._engine.parts, list[float]()

            async def give_way(cpu_seconds: float) -> None:
                counted.append(cpu_seconds)

            parts.presence.give_way = give_way
            chat = memory.chat("c", user="ann")
            for text in ("I live in Graz.", "I'm allergic to walnuts."):
                await chat.add(user=text)
                assert (await judge(parts, "ann", "c")).added == 1
            # What the first judgement prepares once is not counted.
            assert counted[-1] < 1.0

    asyncio.run(run())
