"""The past: memories as they were at a given time, read from the history."""

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime
from itertools import islice

from recollect.records.history import HistoryEntry, rewind
from recollect.records.memory import MemoryRecord
from recollect.store import histories, memories, vectors
from recollect.store.database import Connection, Matrix
from recollect.store.memories import Filter
from recollect.store.users import UserState


@dataclass(frozen=True, slots=True, kw_only=True)
class PastState:
    """The memories that were current at a given time, with the vectors that are still valid."""

    records: list[MemoryRecord]
    matrix: Matrix
    #: Positions of records whose text has changed since, so that their rows of the matrix are invalid.
    changed: tuple[int, ...]
    state: UserState


def past_memories(tx: Connection, user_id: str, moment: datetime) -> list[tuple[MemoryRecord, MemoryRecord]]:
    """Every memory that existed at a given time, as it was then and as it is now, oldest first."""
    later: dict[str, list[HistoryEntry]] = defaultdict(list)
    for entry in histories.since(tx, user_id, moment):
        later[entry.memory_id].append(entry)
    pairs = [
        (rewind(record, later[record.memory_id], moment), record)
        for record in memories.everything(tx, user_id)
    ]
    return [(then, now) for then, now in pairs if then is not None]


def past_page(
    tx: Connection, user_id: str, moment: datetime, wanted: Filter, *, limit: int, before: str | None = None
) -> list[MemoryRecord]:
    """Like a page of current memories, but each as it was then: newest first, starting after the memory `before`."""
    newest_first = (then for then, _ in reversed(past_memories(tx, user_id, moment)))
    found = (then for then in newest_first if before is None or then.memory_id < before)
    return list(islice(filter(wanted.fits, found), limit))


def past_state(tx: Connection, user_id: str, state: UserState, moment: datetime) -> PastState:
    """What a search at that time would have covered."""
    pairs = [(then, now) for then, now in past_memories(tx, user_id, moment) if then.current]
    place = {now.memory_id: number for number, (_, now) in enumerate(pairs)}
    matrix, found = vectors.gather(tx, user_id, state.embedding_model, place)
    same = [bool(found[number]) and then.content == now.content for number, (then, now) in enumerate(pairs)]
    changed = tuple(number for number, is_same in enumerate(same) if not is_same)
    return PastState(records=[then for then, _ in pairs], matrix=matrix, changed=changed, state=state)
