"""The search indexes of recently active users: one of memories and one of messages per user.

`of` and `messages_of` hold the index's lock, bring the index up to date within the caller's transaction and lend it out. The least
recently used indexes are dropped when the shared limit of memory is reached. Every index can be dropped at any time and is
read again from the database.
"""

import threading
from collections import OrderedDict
from collections.abc import Generator
from contextlib import AbstractContextManager, contextmanager
from typing import Protocol, Self, TypeVar

from recollect.index.message_index import MessageIndex
from recollect.index.user_index import UserIndex
from recollect.store.database import Connection
from recollect.store.users import UserState

#: Dead slots that are tolerated; above this, an index with more dead slots than living ones is read again.
_WORTH_KEEPING_DEAD = 1000


class Index(Protocol):
    """The interface of both kinds."""

    dead: int
    slot_of: dict[str, int]

    @classmethod
    def load(cls, tx: Connection, user_id: str, state: UserState) -> Self: ...

    def follow(self, tx: Connection, user_id: str, state: UserState) -> None: ...

    def outdated(self, state: UserState) -> bool: ...

    def behind(self, state: UserState) -> bool: ...

    @property
    def nbytes(self) -> int: ...


I = TypeVar("I", bound=Index)  # noqa: E741
#: A kind of index and a user.
_Key = tuple[type[Index], str]


class _Place:
    """An index and the lock that guards it."""

    __slots__ = ("index", "lock", "nbytes")

    def __init__(self) -> None:
        self.lock = threading.Lock()
        self.index: Index | None = None
        #: The size of the index when it was last lent.
        self.nbytes = 0


class SearchIndexes:
    """Indexes within a limit of bytes; the least recently used are dropped first."""

    def __init__(self, limit_bytes: int) -> None:
        self._limit = limit_bytes
        self._places: OrderedDict[_Key, _Place] = OrderedDict()
        self._held = 0
        self._guard = threading.Lock()

    def of(self, tx: Connection, user_id: str, state: UserState) -> AbstractContextManager[UserIndex]:
        """This user's memories as of this transaction."""
        return self._lent(UserIndex, tx, user_id, state)

    def messages_of(
        self, tx: Connection, user_id: str, state: UserState
    ) -> AbstractContextManager[MessageIndex]:
        """This user's messages as of this transaction."""
        return self._lent(MessageIndex, tx, user_id, state)

    def drop(self, user_id: str) -> None:
        """Drop both indexes, and with them everything of this user in memory."""
        with self._guard:
            for kind in (UserIndex, MessageIndex):
                self._let_go((kind, user_id))

    @property
    def nbytes(self) -> int:
        """The approximate size of all indexes."""
        with self._guard:
            return self._held

    @contextmanager
    def _lent(
        self, kind: type[I], tx: Connection, user_id: str, state: UserState
    ) -> Generator[I, None, None]:
        key = (kind, user_id)
        with self._guard:
            place = self._places.setdefault(key, _Place())
            self._places.move_to_end(key)
        with place.lock:
            index = place.index
            if not isinstance(index, kind) or _worn(index) or index.outdated(state):
                # Drop the old one first: two of a large user would not fit.
                place.index = None
                index = place.index = kind.load(tx, user_id, state)
            elif index.behind(state):
                # A half-updated index is dropped: it returns only after success.
                place.index = None
                index.follow(tx, user_id, state)
                place.index = index
            # Also for an index that is up to date: a search may have made a sketch.
            if (nbytes := index.nbytes) != place.nbytes:
                self._weigh(key, place, nbytes)
            yield index

    def _weigh(self, key: _Key, place: _Place, nbytes: int) -> None:
        """Record the size of an index and make room for it, unless it was dropped meanwhile."""
        with self._guard:
            if self._places.get(key) is not place:
                return
            self._held += nbytes - place.nbytes
            place.nbytes = nbytes
            if self._held <= self._limit:
                return
            # The two indexes of one user do not displace each other: a large user would load one per question.
            others = [other for other in self._places if other[1] != key[1]]
            for other in others:
                if self._held <= self._limit:
                    break
                self._let_go(other)

    def _let_go(self, key: _Key) -> None:
        place = self._places.pop(key, None)
        if place is not None:
            self._held -= place.nbytes


def _worn(index: Index) -> bool:
    return index.dead > max(_WORTH_KEEPING_DEAD, len(index.slot_of))
