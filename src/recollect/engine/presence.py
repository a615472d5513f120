"""Presence: whether somebody is using the memory right now, so that background work yields to them.

Python runs one thread at a time and SQLite has one writer, so work that can wait must not delay somebody who is waiting
for an answer. Lower priorities were rejected, because neither Python nor SQLite supports them.
"""

import asyncio
import time
from collections.abc import Callable

#: Seconds for which a call counts as presence, and after which a rest checks for it again.
_REMEMBERED = 0.05
#: The rest after background work, as a multiple of its duration, and its maximum in seconds.
_REST = 9
_LONGEST = 1.0


class Presence:
    """When somebody last called, and whether somebody is waiting for the background work itself."""

    def __init__(self) -> None:
        self._last = float("-inf")
        #: Returns whether somebody is waiting for background work to finish; if so, it does not rest.
        self.hurried: Callable[[], bool] = lambda: False

    def noticed(self) -> None:
        """Record a call."""
        self._last = time.monotonic()

    async def give_way(self, cpu_seconds: float) -> None:
        """Rest after work that took this much of the process's CPU time (waiting uses none).

        A tenth of the time is enough to make progress. The rest ends when nobody is present any more.
        """
        end = time.monotonic() + min(_REST * cpu_seconds, _LONGEST)
        while (now := time.monotonic()) < end and self._is_there(now):  # noqa: ASYNC110 - time passes without an event
            await asyncio.sleep(min(end - now, _REMEMBERED))

    def _is_there(self, now: float) -> bool:
        return now - self._last < _REMEMBERED and not self.hurried()
