"""The life of `recollect worker`: background work on an event loop of this process, until a signal comes.

A signal is an event like others: the worker takes no more, lets what runs end, and gives back the rest. The command
imports this module when it runs, because the engine takes long to load.
"""

import asyncio
import contextlib
import signal
from collections.abc import Callable, Generator
from types import FrameType

from recollect.api.memory import AsyncMemory
from recollect.settings import Settings
from recollect.store.jobs import JobFigures


def work(settings: Settings, ready: Callable[[str], None]) -> JobFigures:
    """Work until SIGINT or SIGTERM; `ready` is told the database once all is set up. What is left at the end."""
    return asyncio.run(_work(settings, ready))


async def _work(settings: Settings, ready: Callable[[str], None]) -> JobFigures:
    stop = asyncio.Event()
    with ending_signals(stop):
        async with AsyncMemory(settings=settings) as memory:
            name = (await memory.info()).database
            working = asyncio.create_task(memory.work())
            stopped = asyncio.create_task(stop.wait())
            ready(name)
            await asyncio.wait([working, stopped], return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            working.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await working
            return await memory.work_figures()


@contextlib.contextmanager
def ending_signals(stop: asyncio.Event) -> Generator[None]:
    """Both ways of ending a process set the event; what they did before is restored afterwards."""
    loop = asyncio.get_running_loop()

    def leave(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop.set)

    # Not `add_signal_handler`, which does not exist everywhere.
    before = {number: signal.signal(number, leave) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, action)
