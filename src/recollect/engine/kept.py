"""A cache of values derived from the store, valid until the store changes: a user's profile, a chat's segments.

Each entry is stored with the state of the store that it was made from and is valid only for that state, so changes need no
notification. The lock is needed because several threads read at once, and one of them may forget a user. The cache's
caller defines the state.
"""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")

#: Maximum entries; a profile of 250 memories takes about half a megabyte, a chat's segments a tenth of that.
_HELD = 128

#: The first element is the user.
Key = tuple[str, *tuple[Hashable, ...]]


class Kept(Generic[T]):
    """Recently used entries."""

    def __init__(self) -> None:
        self._held: OrderedDict[Key, tuple[Hashable, T]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, state: Hashable) -> T | None:
        """The entry, if it was made from this state."""
        known = self._held.get(key)
        return known[1] if known is not None and known[0] == state else None

    def put(self, key: Key, state: Hashable, made: T) -> T:
        """Store the entry, and drop the oldest if there are too many."""
        with self._lock:
            self._held.pop(key, None)
            self._held[key] = (state, made)
            while len(self._held) > _HELD:
                self._held.popitem(last=False)
        return made

    def drop(self, user_id: str) -> None:
        """Drop a user's entries."""
        with self._lock:
            for key in [key for key in self._held if key[0] == user_id]:
                del self._held[key]
