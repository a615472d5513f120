"""An event loop in a thread of its own, for callers who do not write `await`.

It knows nothing of memories: it runs coroutines. A call waits for as long as its coroutine takes, because only that
knows what is long. The end never waits without a limit: what cannot be cancelled is left behind in a daemon thread,
and its callers get an error.
"""

import asyncio
import os
import threading
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from typing import Any, Generic, TypeVar

from recollect.api.calls import Explained
from recollect.errors import StoreClosed, StoreUnavailable

T = TypeVar("T")

#: Seconds that cancelled work gets to end.
END_SECONDS = 5.0


class LoopThread:
    """Runs coroutines and waits for their results."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._process = os.getpid()
        #: Held while work is handed over, so that nothing can slip in behind the end.
        self._gate = threading.Lock()
        #: What callers are waiting for; changed under the gate.
        self._awaited: set[Future[Any]] = set()
        self._ending = False
        # A daemon: a script that forgets to close must still end.
        self._thread = threading.Thread(target=self._live, name="recollect", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        return not self._ending

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of the coroutine; an interrupt cancels it."""
        if os.getpid() != self._process:
            work.close()
            raise StoreUnavailable(
                "This memory was opened before the process was forked, and its threads exist only in the parent. Open a new one."
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
            self._awaited.add(future)
        try:
            return future.result()
        except KeyboardInterrupt:
            future.cancel()
            raise
        except CancelledError:
            raise StoreClosed("This memory was closed meanwhile.") from None
        finally:
            with self._gate:
                self._awaited.discard(future)

    def stop(self) -> None:
        """End the loop and its thread; callers that still wait get an error."""
        with self._gate:
            if self._ending:
                return
            self._ending = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        # Twice: the work gets its time, and so does a loop that something holds up.
        self._thread.join(2 * END_SECONDS)
        with self._gate:
            left = list(self._awaited)
        for future in left:
            future.cancel()

    def _live(self) -> None:
        """The thread's life; it cleans up by itself, also when nobody waits for that any more."""
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(_cancel_all())
        finally:
            self._loop.close()


async def _cancel_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=END_SECONDS)


Inner = TypeVar("Inner", covariant=True)


class Blocking(Explained, Generic[Inner]):
    """The synchronous form of something asynchronous, which lives on the loop of a thread."""

    def __init__(self, thread: LoopThread, inner: Inner) -> None:
        self._thread = thread
        self._inner = inner

    def __repr__(self) -> str:
        return repr(self._inner).removeprefix("Async")


def parts_of(blocking: Blocking[Inner]) -> tuple[LoopThread, Inner]:
    """The thread and the asynchronous form, for the modules beside it."""
    return blocking._thread, blocking._inner  # pyright: ignore[reportPrivateUsage]
