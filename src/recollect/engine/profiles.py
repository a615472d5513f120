"""The profile of a user as a persona sees it: what stands in every context, kept until a memory changes.

Kept, so that a context need not read hundreds of rows each turn, and so that its first sections stay the same from turn
to turn: uses alone do not reorder them. A change of a memory or a new day makes it anew.
"""

from datetime import datetime

from recollect.engine.kept import Kept
from recollect.records.memory import MemoryRecord
from recollect.rules import profile
from recollect.store import memories
from recollect.store.database import Connection
from recollect.store.users import UserState


class Profiles:
    """The profiles of the last while."""

    def __init__(self) -> None:
        self._kept = Kept[tuple[MemoryRecord, ...]]()

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
        made_from = (state.revision, state.epoch, now.date().isoformat())
        known = self._kept.get(key, made_from)
        if known is not None:
            return known
        return self._kept.put(key, made_from, tuple(select(tx, user_id, persona_id, now, limit)))

    def drop(self, user_id: str) -> None:
        """Hold nothing of a user any longer."""
        self._kept.drop(user_id)


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
