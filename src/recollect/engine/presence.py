"""Presence: whether somebody is using the memory just now, so that work behind gives way to them.

Python runs one thread at a time, and SQLite one writer: work that could as well be done in a second must not stand in the
way of whoever waits for an answer. Lower priorities were rejected: neither Python nor SQLite has any.
"""

import asyncio
import time

#: Seconds for which a call counts as somebody's presence.
_REMEMBERED = 0.05
#: How many times longer than its work whoever works behind rests, while somebody is there.
_REST = 9


class Presence:
    """When somebody last called."""

    def __init__(self) -> None:
        self._last = float("-inf")

    def noticed(self) -> None:
        """Somebody calls."""
        self._last = time.monotonic()

    async def give_way(self, worked_seconds: float) -> None:
        """Rest after a piece of work, if somebody is there: a tenth of the time is enough to get on."""
        if time.monotonic() - self._last < _REMEMBERED:
            await asyncio.sleep(_REST * worked_seconds)
