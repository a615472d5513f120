"""Presence: whether somebody is using the memory just now, so that background work gives way to them.

Python runs one thread at a time, and SQLite one writer: work that could as well be done in a second must not stand in the
way of somebody who waits for an answer. Lower priorities were rejected: neither Python nor SQLite has any.
"""

import asyncio
import time
from collections.abc import Callable

#: Seconds for which a call counts as somebody's presence, and after which a rest looks whether they are still there.
_REMEMBERED = 0.05
#: How many times longer than a piece of background work the rest after it is, and the most seconds that it takes.
_REST = 9
_LONGEST = 1.0


class Presence:
    """When somebody last called, and whether somebody waits for the background work itself."""

    def __init__(self) -> None:
        self._last = float("-inf")
        #: Somebody waits for background work to end: then it does not rest.
        self.hurried: Callable[[], bool] = lambda: False

    def noticed(self) -> None:
        """Somebody calls."""
        self._last = time.monotonic()

    async def give_way(self, cpu_seconds: float) -> None:
        """Rest after a piece of work that took so much CPU time (of the process; waiting takes none of anybody's).

        A tenth of the time is enough to get on. The rest ends when nobody is there any more.
        """
        end = time.monotonic() + min(_REST * cpu_seconds, _LONGEST)
        while (now := time.monotonic()) < end and self._is_there(now):  # noqa: ASYNC110 - time passes without an event
            await asyncio.sleep(min(end - now, _REMEMBERED))

    def _is_there(self, now: float) -> bool:
        return now - self._last < _REMEMBERED and not self.hurried()
