"""How many requests a caller may make: a bucket that fills at an even rate and holds ten seconds' worth.

A caller who was quiet for ten seconds has a full bucket, like one who was never seen: so only those of the last ten
seconds are held, and memory stays bounded without a loss. Each process counts for itself; a shared count would cost every
request a write. A window of a minute was rejected: it lets twice the number through at its edge.
"""

import math
import time
from collections import OrderedDict
from collections.abc import Callable

#: Seconds of requests that may come at once.
BURST_SECONDS = 10.0
#: Callers held at once; beyond it the longest quiet one is forgotten, which gives it a full bucket.
_LIMIT = 50_000


class Rate:
    """The buckets of one process."""

    def __init__(
        self, per_minute: int, *, clock: Callable[[], float] = time.monotonic, limit: int = _LIMIT
    ) -> None:
        self._per_second = per_minute / 60
        self._size = max(1.0, self._per_second * BURST_SECONDS)
        self._clock = clock
        self._limit = limit
        #: What is left, and when that was; the longest quiet first.
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> int:
        """Count a request; 0 if it may pass, else the whole seconds to wait."""
        if not self._per_second:
            return 0
        now = self._clock()
        left, then = self._buckets.get(caller, (self._size, now))
        left = min(self._size, left + (now - then) * self._per_second)
        wait = 0 if left >= 1 else math.ceil((1 - left) / self._per_second)
        self._buckets[caller] = (left if wait else left - 1, now)
        self._buckets.move_to_end(caller)
        self._let_go(now)
        return wait

    def __len__(self) -> int:
        return len(self._buckets)

    def _let_go(self, now: float) -> None:
        """At most two, so that no request pays for the others; as only one is added, they become fewer."""
        for _ in range(2):
            quiet, (_, then) = next(iter(self._buckets.items()))
            full = now - then >= self._size / self._per_second
            if len(self._buckets) <= self._limit and not full:
                return
            del self._buckets[quiet]
