"""The answers that are on their way: each in a task of its own, so that a client who leaves does not stop it.

It knows no model and no reply; it only makes sure that whatever has begun is brought to an end before the engine closes.
"""

import asyncio
from collections.abc import Coroutine
from typing import Any

#: Seconds that answers get to end by themselves when the engine closes.
GRACE_SECONDS = 10.0
#: Seconds that they then get to store what has come so far.
SETTLE_SECONDS = 5.0


class Talks:
    """What is being answered."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()

    def begin(self, work: Coroutine[Any, Any, None]) -> None:
        """Answer in the background."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    @property
    def running(self) -> int:
        """How many answers are on their way."""
        return len(self._tasks)

    async def aclose(self, seconds: float = GRACE_SECONDS) -> None:
        """Wait for what is on its way, and what begins meanwhile; then tell it to store what it has."""
        loop = asyncio.get_running_loop()
        end = loop.time() + seconds
        while (mine := self._mine(loop)) and (left := end - loop.time()) > 0:
            await asyncio.wait(mine, timeout=left)
        for task in mine:
            task.cancel()
        if mine:
            await asyncio.wait(mine, timeout=SETTLE_SECONDS)

    def _mine(self, loop: asyncio.AbstractEventLoop) -> set[asyncio.Task[Any]]:
        return {task for task in self._tasks if task.get_loop() is loop}
