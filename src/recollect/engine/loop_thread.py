"""An event loop in a thread of its own, for callers who do not write `await`."""

import asyncio
import threading
from collections.abc import Coroutine
from typing import Any, TypeVar

from recollect.errors import StoreUnavailable

T = TypeVar("T")


class LoopThread:
    """Runs coroutines and waits for their results."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        # A daemon: a script that forgets to close must still end.
        self._thread = threading.Thread(target=self._loop.run_forever, name="recollect", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        return not self._loop.is_closed()

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of the coroutine; an interrupt cancels it."""
        if not self.running:
            work.close()
            raise StoreUnavailable("This memory is closed.")
        future = asyncio.run_coroutine_threadsafe(work, self._loop)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise

    def stop(self) -> None:
        """End the loop and its thread."""
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()
        self._loop.close()
