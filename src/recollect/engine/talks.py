"""Answers in progress: each runs in its own task, so that a disconnecting client does not stop it.

This module knows nothing about models or replies. It makes sure that every answer finishes before the engine closes, and
tracks the users being answered: their background work waits briefly, so that it does not delay the first word.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Coroutine
from typing import Any

#: Seconds for answers to finish by themselves when the engine closes.
GRACE_SECONDS = 10.0
#: Seconds that they then have to store the text received so far.
SETTLE_SECONDS = 5.0
#: Maximum seconds that background work waits for an answer: longer than most models take for their first word.
HUSHED_SECONDS = 5.0
#: Users tracked at once before expired entries are removed.
_EXPECTED = 1000


class Talks:
    """The answers in progress."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        #: Until when background work waits for an answer, by user.
        self._expected: dict[str, float] = {}
        #: Answers in progress, by user.
        self._answers: Counter[str] = Counter()

    def expect(self, user_id: str) -> None:
        """Record that a user is about to be answered."""
        now = time.monotonic()
        if len(self._expected) >= _EXPECTED:
            self._expected = {user: until for user, until in self._expected.items() if until > now}
        self._expected[user_id] = now + HUSHED_SECONDS

    def expects(self, user_id: str) -> bool:
        """Whether an answer to this user is in progress and the wait has not expired."""
        return self._expected.get(user_id, 0.0) > time.monotonic()

    def begin(self, work: Coroutine[Any, Any, None], user_id: str) -> None:
        """Answer a user in the background."""
        self.expect(user_id)
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._answers[user_id] += 1
        task.add_done_callback(lambda _: self._ended(user_id))

    def _ended(self, user_id: str) -> None:
        """Stop waiting when a user's last answer ends."""
        self._answers[user_id] -= 1
        if not self._answers[user_id]:
            del self._answers[user_id]
            self._expected.pop(user_id, None)

    @property
    def running(self) -> int:
        """The number of answers in progress."""
        return len(self._tasks)

    async def aclose(self, seconds: float = GRACE_SECONDS) -> None:
        """Wait for answers in progress, including new ones; then make the rest store what they have."""
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
