"""An event loop in a thread of its own, for callers who do not write `await`."""

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError
from typing import Any, TypeVar

from recollect.errors import StoreClosed, StoreUnavailable

T = TypeVar("T")


class LoopThread:
    """Runs coroutines and waits for their results."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._process = os.getpid()
        #: Held while work is handed over, so that nothing can slip in behind the end.
        self._gate = threading.Lock()
        self._ending = False
        # A daemon: a script that forgets to close must still end.
        self._thread = threading.Thread(target=self._loop.run_forever, name="recollect", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        return not self._ending

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of the coroutine; an interrupt cancels it."""
        if os.getpid() != self._process:
            work.close()
            raise StoreUnavailable(
                "This memory was opened before the process was forked, and its threads stayed behind. Open a new one."
            )
        if threading.current_thread() is self._thread:
            work.close()
            raise StoreUnavailable(
                "This memory was called from inside one of its own calls, which would wait for itself. Use AsyncMemory there."
            )
        with self._gate:
            if self._ending:
                work.close()
                raise StoreClosed("This memory is closed.")
            future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise
        except CancelledError:
            raise StoreClosed("This memory was closed meanwhile.") from None

    def stop(self) -> None:
        """End the loop and its thread; whoever still waits for an answer is told."""
        with self._gate:
            if self._ending:
                return
            self._ending = True
        asyncio.run_coroutine_threadsafe(_cancel_all(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()


async def _cancel_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    await asyncio.gather(*others, return_exceptions=True)
