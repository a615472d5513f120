"""Fill a store quickly: memories with their words and vectors, many to a transaction."""

import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from benchmarks.facts import fact, unit_vectors
from recollect.index.postings import pack
from recollect.records.memory import MemoryRecord, make_id
from recollect.rules.draft import Draft, Request, compose
from recollect.store import memories, users, vectors
from recollect.store.database import Connection, Database

_BATCH = 2000
_START = datetime(2025, 1, 1, tzinfo=UTC)


async def fill(database: Database, owners: list[str], each: int, *, label: str) -> None:
    """Give every owner so many memories, interleaved as they would come."""
    dice, directions = random.Random(3), np.random.default_rng(3)
    draft = compose(Request(content="User keeps a blue kettle in Porto", category="fact"), {})
    jobs = [owner for _ in range(max(1, each // _BATCH)) for owner in owners]
    made = dict.fromkeys(owners, 0)
    for owner in track(jobs, description=label, transient=True):
        batch = min(_BATCH, each)
        rows = unit_vectors(batch, directions)
        first = made[owner]
        made[owner] += batch

        records = [_record(draft, owner, number, dice) for number in range(first, first + batch)]

        def write(
            tx: Connection, records: list[MemoryRecord] = records, rows: NDArray[np.float32] = rows
        ) -> None:
            state = users.touch(tx, records[0].user_id, model="canned", epoch=1, now=_START)
            for record in records:
                memories.insert(tx, record, terms=pack(record.content), revision=state.revision)
            pairs = [(record.memory_id, row) for record, row in zip(records, rows, strict=True)]
            vectors.put(tx, records[0].user_id, "canned", pairs)

        await database.write(owner, write)


def _record(draft: Draft, owner: str, number: int, dice: random.Random) -> MemoryRecord:
    moment = _START + timedelta(minutes=number)
    record = draft.to_record(user_id=owner, memory_id=make_id(moment, f"{number:08x}"), now=moment, tokens=20)
    return replace(record, content=fact(number, dice), memory_key=None)
