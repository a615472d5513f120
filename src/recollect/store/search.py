"""The search indexes of the users who were active lately.

A look goes through `of`: it holds the user's lock, brings the index up to date within the caller's own
transaction and lends it out. Indexes of users not seen for long make room for others. Nothing here is
authoritative: every index can be dropped at any time and is read again from the database.
"""

import threading
from collections import OrderedDict
from collections.abc import Generator
from contextlib import contextmanager

from recollect.store.database import Connection
from recollect.store.user_index import UserIndex
from recollect.store.users import UserState

#: With more dead slots than living ones an index is read anew.
_WORTH_KEEPING_DEAD = 1000


class _Place:
    """A user's index and the lock that guards it."""

    __slots__ = ("index", "lock")

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.index: UserIndex | None = None


class SearchIndexes:
    """At most so many bytes of indexes, the least recently used go first."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._places: OrderedDict[str, _Place] = OrderedDict()
        self._guard = threading.Lock()

    @contextmanager
    def of(self, tx: Connection, user_id: str, state: UserState) -> Generator[UserIndex, None, None]:
        """This user's index as of this transaction."""
        with self._guard:
            place = self._places.setdefault(user_id, _Place())
            self._places.move_to_end(user_id)
        with place.lock:
            index = place.index
            if index is None or self._stale(index, state):
                index = place.index = UserIndex.load(tx, user_id, state)
                self._make_room()
            elif index.state.revision < state.revision:
                index.follow(tx, user_id, state)
            yield index

    def drop(self, user_id: str) -> None:
        """Forget an index, and with it everything of this user that is in memory."""
        with self._guard:
            self._places.pop(user_id, None)

    @property
    def nbytes(self) -> int:
        """About what all indexes hold in memory."""
        with self._guard:
            return sum(place.index.nbytes for place in self._places.values() if place.index)

    def _stale(self, index: UserIndex, state: UserState) -> bool:
        return (
            index.state.epoch != state.epoch
            or index.state.embedding_model != state.embedding_model
            or index.dead > max(_WORTH_KEEPING_DEAD, len(index.slot_of))
        )

    def _make_room(self) -> None:
        with self._guard:
            held = sum(place.index.nbytes for place in self._places.values() if place.index)
            while held > self._limit and len(self._places) > 1:
                _, place = self._places.popitem(last=False)
                held -= place.index.nbytes if place.index else 0
