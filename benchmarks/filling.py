"""Fill a store quickly: rows are written as the engine writes them, many to a transaction."""

import random
from datetime import UTC, datetime, timedelta

import numpy as np
from rich.progress import track

from benchmarks.facts import fact, unit_vectors
from recollect.domain.draft import Request, compose
from recollect.domain.history import ChangeKind
from recollect.domain.memory import make_id
from recollect.engine.write import append_change, save_new
from recollect.store import users
from recollect.store.database import Connection, Database

_BATCH = 2000
_START = datetime(2025, 1, 1, tzinfo=UTC)


async def fill(database: Database, owners: list[str], each: int, *, label: str) -> None:
    """Give every owner so many memories, interleaved as they would come."""
    dice, vectors = random.Random(3), np.random.default_rng(3)
    draft = compose(Request(content="User keeps a blue kettle in Porto", category="fact"), {})
    jobs = [owner for _ in range(max(1, each // _BATCH)) for owner in owners]
    made = dict.fromkeys(owners, 0)
    for owner in track(jobs, description=label, transient=True):
        batch = min(_BATCH, each)
        rows = unit_vectors(batch, vectors)
        first = made[owner]
        made[owner] += batch

        def write(tx: Connection, owner: str = owner, first: int = first, rows: object = rows) -> None:
            state = users.touch(tx, owner, model="canned", epoch=1, now=_START)
            for number, vector in enumerate(rows, first):  # type: ignore[arg-type]
                moment = _START + timedelta(minutes=number)
                record = draft.to_record(
                    user_id=owner, memory_id=make_id(moment, f"{number:08x}"), now=moment, tokens=20
                )
                record = type(record)(
                    **{**_values(record), "content": fact(number, dice), "memory_key": None}
                )
                save_new(tx, record, vector, model="canned", revision=state.revision)
                append_change(
                    tx,
                    owner,
                    record.memory_id,
                    ChangeKind.CREATED,
                    (state.revision, moment, "bench"),
                    reason="",
                )

        await database.write(owner, write)


def _values(record: object) -> dict[str, object]:
    return {name: getattr(record, name) for name in record.__slots__}  # type: ignore[attr-defined]
