"""Background work: the worker, a handler for each kind of job, and `work` for a dedicated process."""

from typing import Protocol


class _Working(Protocol):
    async def _work(self) -> None: ...


async def work(memory: _Working) -> None:
    """Do all users' background work on an `AsyncMemory` until cancelled."""
    await memory._work()  # pyright: ignore[reportPrivateUsage]
