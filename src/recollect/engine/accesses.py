"""Count which memories were used, without delaying any answer.

Uses are collected in memory and written together a moment later. A killed process loses the last half second of
counts, which is acceptable because they are only statistics.
"""

import asyncio
import logging
from collections import Counter
from collections.abc import Callable, Generator, Iterable
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import datetime

from recollect.errors import RecollectError, StoreClosed
from recollect.store import memories
from recollect.store.database import Connection, Database

log = logging.getLogger(__name__)

#: Seconds before a use is written.
DELAY = 0.5
#: Whether memories found by this task count as used.
_COUNTED: ContextVar[bool] = ContextVar("recollect_counted", default=True)


@contextmanager
def counted(wanted: bool) -> Generator[None]:
    """Set whether memories found inside count as used; merely viewing them does not."""
    before = _COUNTED.set(wanted)
    try:
        yield
    finally:
        _COUNTED.reset(before)


class Accesses:
    """Uses that have not been written yet."""

    def __init__(self, database: Database, clock: Callable[[], datetime]) -> None:
        self._database = database
        self._clock = clock
        self._counts: dict[str, Counter[str]] = {}
        self._task: asyncio.Task[None] | None = None

    def record(self, user_id: str, memory_ids: Iterable[str]) -> None:
        """Count one use of each memory; return at once."""
        used = Counter(memory_ids)
        if not used or not _COUNTED.get():
            return
        self._counts.setdefault(user_id, Counter()).update(used)
        if self._task is None or self._task.done():
            self._task = asyncio.get_running_loop().create_task(self._later())

    def drop(self, user_id: str) -> None:
        """Drop this user's unwritten counts."""
        self._counts.pop(user_id, None)

    async def flush(self) -> None:
        """Write the collected counts."""
        gathered, self._counts = self._counts, {}
        for user_id, counts in gathered.items():
            try:
                await self._database.write(user_id, self._writing(user_id, counts))
            except RecollectError as error:
                # The program is exiting; the store has not failed.
                log.log(
                    logging.INFO if isinstance(error, StoreClosed) else logging.WARNING,
                    "accesses.not_counted user=%s memories=%d error=%s",
                    user_id,
                    len(counts),
                    error,
                )

    async def aclose(self) -> None:
        """Write the remaining counts."""
        if self._task is not None:
            self._task.cancel()
        await self.flush()

    async def _later(self) -> None:
        await asyncio.sleep(DELAY)
        await self.flush()

    def _writing(self, user_id: str, counts: Counter[str]) -> Callable[[Connection], None]:
        now = self._clock()
        return lambda tx: memories.accessed(tx, user_id, sorted(counts.items()), now)
