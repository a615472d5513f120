"""An event loop in its own thread, for callers who do not use `await`.

It runs any coroutine and does not depend on memories. A call waits as long as its coroutine takes, because only the
coroutine knows how long that should be. Closing never waits forever: work that cannot be cancelled stays in a daemon
thread, and its callers get an error.
"""

import asyncio
import atexit
import os
import threading
import weakref
from collections.abc import Coroutine
from concurrent.futures import CancelledError, Future
from contextlib import suppress
from typing import Any, Generic, TypeVar

from recollect.api.calls import Explained
from recollect.errors import RecollectError, StoreClosed, StoreUnavailable

T = TypeVar("T")

#: Seconds that cancelled work gets to finish.
END_SECONDS = 5.0


class LoopThread:
    """Runs coroutines and waits for their results."""

    def __init__(self) -> None:
        self._loop = asyncio.new_event_loop()
        self._process = os.getpid()
        #: Held while work is submitted, so that nothing is submitted after closing.
        self._gate = threading.Lock()
        #: Results that callers wait for; changed only while holding the gate.
        self._awaited: set[Future[Any]] = set()
        self._ending = False
        # A daemon thread, so that a script that forgets to close still exits.
        self._thread = threading.Thread(target=self._live, name="recollect", daemon=True)
        self._thread.start()

    @property
    def running(self) -> bool:
        return not self._ending

    def run(self, work: Coroutine[Any, Any, T]) -> T:
        """Run the coroutine and return its result; an interrupt cancels it."""
        if os.getpid() != self._process:
            work.close()
            raise StoreUnavailable(
                "This memory was opened before the process was forked, and its threads exist only in the parent. Open a new memory."
            )
        if threading.current_thread() is self._thread:
            work.close()
            raise StoreUnavailable(
                "This memory was called from inside one of its own calls, which would deadlock. Use AsyncMemory there."
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
            raise StoreClosed("This memory was closed during the call.") from None
        finally:
            with self._gate:
                self._awaited.discard(future)

    def stop(self) -> None:
        """Stop the loop and its thread; callers that are still waiting get an error."""
        with self._gate:
            if self._ending:
                return
            self._ending = True
        self._loop.call_soon_threadsafe(self._loop.stop)
        # Twice: once for the work to finish, and once for a loop that is blocked.
        self._thread.join(2 * END_SECONDS)
        with self._gate:
            left = list(self._awaited)
        for future in left:
            future.cancel()

    def _live(self) -> None:
        """The thread's main function; it cleans up even if nobody waits for it any more."""
        try:
            self._loop.run_forever()
            self._loop.run_until_complete(_cancel_all())
        finally:
            self._loop.close()


def close_at_exit(memory: Any) -> None:
    """Close a memory when the program ends without closing it, so that its jobs go back to the queue.

    Otherwise each such end would look like a worker that died.
    """
    closing = weakref.WeakMethod(memory.close)

    def close() -> None:
        if (found := closing()) is not None:
            with suppress(RecollectError):  # StoreUnavailable in a forked child
                found()

    # `atexit` is too late: the pools of threads that closing needs have ended by then.
    register = getattr(threading, "_register_atexit", atexit.register)
    with suppress(RuntimeError):  # the interpreter is shutting down already
        register(close)


async def _cancel_all() -> None:
    others = asyncio.all_tasks() - {asyncio.current_task()}
    for task in others:
        task.cancel()
    if others:
        await asyncio.wait(others, timeout=END_SECONDS)


Inner = TypeVar("Inner", covariant=True)


class Blocking(Explained, Generic[Inner]):
    """The synchronous form of an asynchronous object, which runs on a thread's event loop."""

    def __init__(self, thread: LoopThread, inner: Inner) -> None:
        self._thread = thread
        self._inner = inner

    def __repr__(self) -> str:
        return repr(self._inner).removeprefix("Async")


def parts_of(blocking: Blocking[Inner]) -> tuple[LoopThread, Inner]:
    """The thread and the asynchronous form, for the other modules of this package."""
    return blocking._thread, blocking._inner  # pyright: ignore[reportPrivateUsage]
