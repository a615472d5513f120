"""The answers that are on their way: each in a task of its own, so that a client who leaves does not stop it.

It knows no model and no reply; it makes sure that whatever has begun is brought to an end before the engine closes, and
knows for whom an answer is on its way: their background work waits a little, so that it takes no time from the first word.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Coroutine
from typing import Any

#: Seconds that answers get to end by themselves when the engine closes.
GRACE_SECONDS = 10.0
#: Seconds that they then get to store what has come so far.
SETTLE_SECONDS = 5.0
#: Seconds that background work waits for an answer, at most: longer than most models take for their first word.
HUSHED_SECONDS = 5.0
#: Users for whom an answer may be expected at once, before those are let go whose time is up.
_EXPECTED = 1000


class Talks:
    """What is being answered."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[Any]] = set()
        #: Until when an answer is waited for, by user.
        self._expected: dict[str, float] = {}
        #: How many answers are on their way, by user.
        self._answers: Counter[str] = Counter()

    def expect(self, user_id: str) -> None:
        """Somebody is about to be answered."""
        now = time.monotonic()
        if len(self._expected) >= _EXPECTED:
            self._expected = {user: until for user, until in self._expected.items() if until > now}
        self._expected[user_id] = now + HUSHED_SECONDS

    def expects(self, user_id: str) -> bool:
        """Whether an answer to this user is on its way, and not for long yet."""
        return self._expected.get(user_id, 0.0) > time.monotonic()

    def begin(self, work: Coroutine[Any, Any, None], user_id: str) -> None:
        """Answer somebody in the background."""
        self.expect(user_id)
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)
        self._answers[user_id] += 1
        task.add_done_callback(lambda _: self._ended(user_id))

    def _ended(self, user_id: str) -> None:
        """With the last of a user's answers nothing is waited for any longer."""
        self._answers[user_id] -= 1
        if not self._answers[user_id]:
            del self._answers[user_id]
            self._expected.pop(user_id, None)

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
