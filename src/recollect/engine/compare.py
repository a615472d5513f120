"""Select what a curator run examines: new or changed memories with their neighbours, and those that may have faded.

Everything is bounded, however many memories a user has: the number compared, the neighbours of each, and the faded ones
evaluated. Short reads leave the index free in between. The rest waits for the next run. This module decides nothing.
"""

import time
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from recollect.engine.parts import Parts
from recollect.language.contradiction import CLOSE
from recollect.records.category import TRAITS
from recollect.records.memory import MemoryRecord
from recollect.records.proposal import ProposalStatus
from recollect.rules.curator.plan import FADED, Looked
from recollect.store import histories, memories, proposals, users
from recollect.store.database import Connection
from recollect.store.users import UserState

#: Memories that one run compares with their neighbours.
COMPARED = 256
#: Neighbours of each; larger groups on one subject are folded over several runs.
_NEIGHBOURS = 8
#: Memories per read, during which the user's other requests wait for the index.
_AT_ONCE = 16
#: Old memories that one run evaluates.
WEIGHED = 500
#: Memories reported as having gained importance.
_NAMED = 20
#: Open proposals whose memories are left alone.
_WAITING = 1000
#: How far back the first run looks for repeated statements.
_FIRST_LOOK = timedelta(days=1)

_HALF_LIVES = {category: traits.half_life_days for category, traits in TRAITS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Compared:
    """The input of a run."""

    looked: tuple[Looked, ...]
    faded: tuple[MemoryRecord, ...]
    mentioned: tuple[MemoryRecord, ...]
    left_alone: frozenset[str]
    #: Memories up to this revision have been compared.
    revision: int

    @property
    def count(self) -> int:
        """Memories that were compared or evaluated."""
        return len(self.looked) + len(self.faded)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Waiting:
    """New or changed memories, and everything else read at the same time."""

    changed: tuple[MemoryRecord, ...]
    revision: int
    faded: tuple[MemoryRecord, ...]
    mentioned: tuple[MemoryRecord, ...]
    left_alone: frozenset[str]


async def compare(parts: Parts, user_id: str, now: datetime) -> Compared | None:
    """What one run examines; None for a user without memories."""
    waiting = await parts.database.read(user_id, lambda tx: _waiting(parts, tx, user_id, now))
    if waiting is None:
        return None
    looked: list[Looked] = []
    for start in range(0, len(waiting.changed), _AT_ONCE):
        began = time.process_time()
        some = waiting.changed[start : start + _AT_ONCE]
        looked += await parts.database.read(user_id, lambda tx, some=some: _near(parts, tx, user_id, some))
        await parts.presence.give_way(time.process_time() - began)
    return Compared(
        looked=tuple(looked),
        faded=waiting.faded,
        mentioned=waiting.mentioned,
        left_alone=waiting.left_alone,
        revision=waiting.revision,
    )


def left_after(tx: Connection, user_id: str, revision: int) -> int:
    """How many memories wait to be compared, counted up to the capacity of ten runs."""
    return memories.count_changed_since(tx, user_id, revision, COMPARED * 10)


def _waiting(parts: Parts, tx: Connection, user_id: str, now: datetime) -> _Waiting | None:
    state = users.state(tx, user_id)
    if state is None:
        return None
    changed, revision = _changed(tx, user_id, state)
    with parts.indexes.of(tx, user_id, state) as index:
        faded = index.faded(_HALF_LIVES, now.timestamp() * 1000, FADED)
    # Start at a different place each day; otherwise frequently used memories would always crowd out the others.
    start = (now.toordinal() * WEIGHED) % len(faded) if len(faded) > WEIGHED else 0
    old = memories.get_many(tx, user_id, [*faded[start:], *faded[:start]][:WEIGHED])
    since = users.curated_at(tx, user_id) or now - _FIRST_LOOK
    mentioned = memories.get_many(tx, user_id, histories.mentioned_since(tx, user_id, since, _NAMED))
    asked = proposals.page(tx, user_id, status=ProposalStatus.OPEN, kind=None, limit=_WAITING, after=None)
    return _Waiting(
        changed=changed,
        revision=revision,
        faded=tuple(old[memory_id] for memory_id in sorted(old)),
        mentioned=tuple(mentioned.values()),
        left_alone=frozenset(
            [
                *histories.restored_by_people(tx, user_id),
                *(memory_id for proposal in asked for memory_id in proposal.memory_ids),
            ]
        ),
    )


def _changed(tx: Connection, user_id: str, state: UserState) -> tuple[tuple[MemoryRecord, ...], int]:
    """The next new or changed memories, and the revision up to which they are complete."""
    found = memories.changed_since(tx, user_id, state.curated_revision, COMPARED + 1)
    if len(found) <= COMPARED:
        return tuple(record for record, _ in found), state.revision
    # Memories from one transaction may share a revision, so never split them.
    whole = [(record, revision) for record, revision in found if revision < found[-1][1]] or found
    return tuple(record for record, _ in whole), whole[-1][1]


def _near(parts: Parts, tx: Connection, user_id: str, some: Sequence[MemoryRecord]) -> list[Looked]:
    """These memories with their nearest neighbours in the same scope."""
    state = users.state(tx, user_id)
    if state is None:
        return []
    with parts.indexes.of(tx, user_id, state) as index:
        near = {
            item.memory_id: index.neighbours_of(item.memory_id, _NEIGHBOURS, floor=CLOSE) for item in some
        }
    wanted = {memory_id for found in near.values() for memory_id in found} | near.keys()
    known = memories.get_many(tx, user_id, sorted(wanted))
    return [
        Looked(
            memory=known[memory_id],
            neighbours=tuple((known[other], cosine) for other, cosine in found.items() if other in known),
        )
        for memory_id, found in near.items()
        if memory_id in known
    ]
