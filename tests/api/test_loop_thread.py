"""The loop's thread: its end has a limit, whatever runs on it."""

import asyncio
import threading
from collections.abc import Callable, Coroutine
from contextlib import suppress
from typing import Any

import pytest
from patience import LIMIT, join

from recollect.api import loop_thread
from recollect.api.loop_thread import LoopThread
from recollect.errors import StoreUnavailable


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    """The end gives up soon."""
    monkeypatch.setattr(loop_thread, "END_SECONDS", 0.05)


def calling(thread: LoopThread, work: Callable[[], Coroutine[Any, Any, None]]) -> Callable[[], list[str]]:
    """Wait for a coroutine in a thread of its own; the function says how the waiting ended."""
    ended: list[str] = []

    def call() -> None:
        try:
            thread.run(work())
            ended.append("answered")
        except StoreUnavailable as error:
            ended.append(str(error))

    caller = threading.Thread(target=call, daemon=True)
    caller.start()

    def end() -> list[str]:
        join(caller)
        return ended

    return end


def test_the_end_of_an_idle_loop() -> None:
    """A loop that was used ends with its thread, and says so to the next caller."""
    thread = LoopThread()
    assert thread.run(asyncio.sleep(0, "slept")) == "slept"
    thread.stop()
    thread.stop()
    assert not thread._thread.is_alive() and thread._loop.is_closed()
    with pytest.raises(StoreUnavailable, match="closed"):
        thread.run(asyncio.sleep(0))


@pytest.mark.usefixtures("impatient")
def test_work_that_cannot_be_cancelled_holds_nobody_up() -> None:
    """A coroutine that goes on although cancelled is left behind, and whoever waits for it is told."""
    thread, begun = LoopThread(), threading.Event()

    async def stubborn() -> None:
        while True:
            begun.set()
            with suppress(asyncio.CancelledError):
                await asyncio.sleep(0.001)

    ended = calling(thread, stubborn)
    assert begun.wait(LIMIT)
    thread.stop()
    assert ended() == ["This memory was closed during the call."]
    join(thread._thread)


@pytest.mark.usefixtures("impatient")
def test_a_loop_that_is_held_up_holds_nobody_up() -> None:
    """While something blocks the loop itself the end returns all the same; the loop ends once it is let go."""
    thread, begun, let_go = LoopThread(), threading.Event(), threading.Event()

    async def blocking() -> None:
        begun.set()
        let_go.wait(LIMIT)

    ended = calling(thread, blocking)
    assert begun.wait(LIMIT)
    thread.stop()
    assert thread._thread.is_alive()
    assert ended() == ["This memory was closed during the call."]
    let_go.set()
    join(thread._thread)
    assert thread._loop.is_closed()
