"""The curator_runs table: what the curator did, by ids, so that it can be read and taken back.

Steps are a JSON list. A run is written with each group of its steps, so one that was killed can be undone as far as it
came. This file does not know what a step means to a memory.
"""

import json
from collections.abc import Collection
from dataclasses import replace
from datetime import datetime
from typing import Any, assert_never

from recollect.records.link import Link, LinkKind
from recollect.records.moment import iso, stored
from recollect.rules.curator.run import Archived, CuratorRun, FoldMade, Merged, Proposed, Raised, Step
from recollect.store.database import Connection, Row

_SELECT = (
    "SELECT user_id, run_id, steps, looked_at, started_at, ended_at, undone_at FROM curator_runs"
    " WHERE user_id = :user_id"
)


def save(tx: Connection, run: CuratorRun) -> None:
    """A run as far as it has come."""
    tx.run(
        """
        INSERT INTO curator_runs (user_id, run_id, steps, looked_at, started_at, ended_at, undone_at)
        VALUES (:user_id, :run_id, :steps, :looked_at, :started_at, :ended_at, :undone_at)
        ON CONFLICT (user_id, run_id) DO UPDATE SET steps = excluded.steps, looked_at = excluded.looked_at,
            ended_at = excluded.ended_at, undone_at = excluded.undone_at
        """,
        {
            "user_id": run.user_id,
            "run_id": run.run_id,
            "steps": json.dumps([_to_json(step) for step in run.steps], ensure_ascii=False),
            "looked_at": run.looked_at,
            "started_at": iso(run.started_at),
            "ended_at": iso(run.ended_at),
            "undone_at": iso(run.undone_at) if run.undone_at else None,
        },
    )


def get(tx: Connection, user_id: str, run_id: str) -> CuratorRun | None:
    """One run of this user."""
    row = tx.one(f"{_SELECT} AND run_id = :run_id", {"user_id": user_id, "run_id": run_id})
    return _from_row(row) if row else None


def page(tx: Connection, user_id: str, *, limit: int, after: str | None = None) -> list[CuratorRun]:
    """Newest first, starting after the run named by `after`; ids sort by time."""
    query, params = _SELECT, dict[str, object](user_id=user_id, limit=limit)
    if after is not None:
        query, params["after"] = f"{query} AND run_id < :after", after
    return [_from_row(row) for row in tx.all(f"{query} ORDER BY run_id DESC LIMIT :limit", params)]


def undone(tx: Connection, user_id: str) -> list[CuratorRun]:
    """What was taken back; people do that rarely, so there are few."""
    rows = tx.all(f"{_SELECT} AND undone_at IS NOT NULL ORDER BY run_id", {"user_id": user_id})
    return [_from_row(row) for row in rows]


def undo(tx: Connection, user_id: str, run_id: str, now: datetime) -> None:
    """Note that a run was taken back."""
    tx.run(
        "UPDATE curator_runs SET undone_at = :now WHERE user_id = :user_id AND run_id = :run_id",
        {"user_id": user_id, "run_id": run_id, "now": iso(now)},
    )


def forget(tx: Connection, user_id: str, names: Collection[str]) -> None:
    """No run may name these memories or entities any more; one of which nothing is left goes."""
    gone = set(names)
    for row in tx.all(f"{_SELECT} ORDER BY run_id", {"user_id": user_id}):
        # Names stand between quotes in the JSON; most runs have none of them, and reading text is cheap.
        if gone.isdisjoint(row[2].split('"')):
            continue
        run = _from_row(row)
        left = tuple(kept for step in run.steps if (kept := _without(step, gone)) is not None)
        if left:
            save(tx, replace(run, steps=left))
        else:
            tx.run(
                "DELETE FROM curator_runs WHERE user_id = :user_id AND run_id = :run_id",
                {"user_id": user_id, "run_id": run.run_id},
            )


def _without(step: Step, gone: set[str]) -> Step | None:
    if not gone.isdisjoint(step.memory_ids) or (isinstance(step, Merged) and {step.alias, step.into} & gone):
        return None
    if isinstance(step, FoldMade):
        return replace(
            step, links=tuple(link for link in step.links if not {link.from_id, link.to_id} & gone)
        )
    return step


def _to_json(step: Step) -> dict[str, Any]:
    match step:
        case FoldMade():
            return {
                "do": "fold",
                "into": step.into,
                "wording": step.wording,
                "from": list(step.originals),
                "mentions": step.mentions,
                "links": [[link.from_id, link.kind.value, link.to_id] for link in step.links],
                "reason": step.reason,
            }
        case Archived():
            return {"do": "archive", "memory_id": step.memory_id, "reason": step.reason}
        case Raised():
            return {"do": "raise", "memory_id": step.memory_id, "reason": step.reason}
        case Proposed():
            return {"do": "propose", "proposal_id": step.proposal_id}
        case Merged():
            return {"do": "merge", "alias": step.alias, "into": step.into}
        case _:
            assert_never(step)


def _from_json(value: dict[str, Any]) -> Step:
    match value["do"]:
        case "fold":
            return FoldMade(
                into=value["into"],
                wording=value["wording"],
                originals=tuple(value["from"]),
                mentions=value["mentions"],
                links=tuple(
                    Link(from_id=from_id, kind=LinkKind(kind), to_id=to_id)
                    for from_id, kind, to_id in value["links"]
                ),
                reason=value["reason"],
            )
        case "archive":
            return Archived(memory_id=value["memory_id"], reason=value["reason"])
        case "raise":
            return Raised(memory_id=value["memory_id"], reason=value["reason"])
        case "merge":
            return Merged(alias=value["alias"], into=value["into"])
        case _:
            return Proposed(proposal_id=value["proposal_id"])


def _from_row(row: Row) -> CuratorRun:
    return CuratorRun(
        user_id=row[0],
        run_id=row[1],
        steps=tuple(_from_json(value) for value in json.loads(row[2])),
        looked_at=row[3],
        started_at=stored(row[4]),
        ended_at=stored(row[5]),
        undone_at=stored(row[6]) if row[6] else None,
    )
