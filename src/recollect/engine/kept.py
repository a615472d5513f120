"""What was made from the store and is kept until the store has changed: the profile of a user, the segments of a chat.

Each thing is kept with the state of the store that it was made from, and is good for that state alone, so nothing has to be
told of a change. Several threads read at once, and one of them may forget a user: hence the lock. The user of the cache
decides what the state is.
"""

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")

#: Things held at a time; a profile of 250 memories takes about half a megabyte, the segments of a chat a tenth of that.
_HELD = 128

#: Begins with the user.
Key = tuple[str, *tuple[Hashable, ...]]


class Kept(Generic[T]):
    """The things of the last while."""

    def __init__(self) -> None:
        self._held: OrderedDict[Key, tuple[Hashable, T]] = OrderedDict()
        self._lock = Lock()

    def get(self, key: Key, state: Hashable) -> T | None:
        """What is kept and was made from this state."""
        known = self._held.get(key)
        return known[1] if known is not None and known[0] == state else None

    def put(self, key: Key, state: Hashable, made: T) -> T:
        """Keep it, and let the oldest go when there are too many."""
        with self._lock:
            self._held.pop(key, None)
            self._held[key] = (state, made)
            while len(self._held) > _HELD:
                self._held.popitem(last=False)
        return made

    def drop(self, user_id: str) -> None:
        """Hold nothing of a user any longer."""
        with self._lock:
            for key in [key for key in self._held if key[0] == user_id]:
                del self._held[key]
