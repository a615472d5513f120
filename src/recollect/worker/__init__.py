"""Background work: the worker, a handler for each kind of job, and `work` for a process that does nothing else."""

from typing import Protocol


class _Working(Protocol):
    async def _work(self) -> None: ...


async def work(memory: _Working) -> None:
    """Do everybody's background work on an `AsyncMemory` until this is cancelled."""
    await memory._work()  # pyright: ignore[reportPrivateUsage]
