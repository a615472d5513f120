"""The profile of a user as a persona sees it: what stands in every context, kept until a memory changes.

Kept, so that a context need not read hundreds of rows each turn, and so that its first sections stay the same from turn
to turn: uses alone do not reorder them. A change of a memory or a new day makes it anew.
"""

from collections import OrderedDict
from datetime import datetime

from recollect.domain import profile
from recollect.domain.memory import MemoryRecord
from recollect.store import memories
from recollect.store.database import Connection
from recollect.store.users import UserState

#: Profiles held at a time; one of 250 memories takes about half a megabyte.
_HELD = 128

_Key = tuple[str, str | None, int]
_Made = tuple[int, int, str]


class Profiles:
    """The profiles of the last while."""

    def __init__(self) -> None:
        self._held: OrderedDict[_Key, tuple[_Made, tuple[MemoryRecord, ...]]] = OrderedDict()

    def of(
        self,
        tx: Connection,
        user_id: str,
        state: UserState,
        persona_id: str | None,
        now: datetime,
        limit: int,
    ) -> tuple[MemoryRecord, ...]:
        """The preloaded memories, best first, at most so many."""
        key = (user_id, persona_id, limit)
        made = (state.revision, state.epoch, now.date().isoformat())
        known = self._held.get(key)
        if known is not None and known[0] == made:
            return known[1]
        found = tuple(select(tx, user_id, persona_id, now, limit))
        self._held[key] = (made, found)
        self._held.move_to_end(key)
        while len(self._held) > _HELD:
            self._held.popitem(last=False)
        return found

    def drop(self, user_id: str) -> None:
        """Hold nothing of a user any longer."""
        for key in [key for key in self._held if key[0] == user_id]:
            del self._held[key]


def select(
    tx: Connection, user_id: str, persona_id: str | None, now: datetime, limit: int
) -> list[MemoryRecord]:
    """Read and choose what is preloaded."""
    known = memories.standing(
        tx,
        user_id,
        persona_id=persona_id,
        critical=profile.CRITICAL,
        notable=profile.NOTABLE,
        since=now - profile.NOTABLE_FOR,
        categories=profile.PRELOADED,
        limit=limit,
    )
    return profile.select(known, now)
