"""A user's profile as a persona sees it: the memories in every context, cached until one changes.

Caching avoids reading hundreds of rows each turn and keeps the first sections of a context the same from turn to turn,
because uses alone do not reorder them. A changed memory or a new day rebuilds the profile.
"""

from datetime import datetime

from recollect.engine.kept import Kept
from recollect.records.memory import MemoryRecord
from recollect.rules import profile
from recollect.store import memories
from recollect.store.database import Connection
from recollect.store.users import UserState


class Profiles:
    """Recently used profiles."""

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
        """The preloaded memories, best first, up to a limit."""
        key = (user_id, persona_id, limit)
        made_from = (state.revision, state.epoch, now.date().isoformat())
        known = self._kept.get(key, made_from)
        if known is not None:
            return known
        return self._kept.put(key, made_from, tuple(select(tx, user_id, persona_id, now, limit)))

    def drop(self, user_id: str) -> None:
        """Drop a user's entries."""
        self._kept.drop(user_id)


def select(
    tx: Connection, user_id: str, persona_id: str | None, now: datetime, limit: int
) -> list[MemoryRecord]:
    """Read and select the preloaded memories."""
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
