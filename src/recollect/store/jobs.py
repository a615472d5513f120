"""The jobs table: an outbox, written in the same transaction as the change that causes the work.

A worker reads due jobs across all users, then claims one with a conditional update in the scope of its user. `FOR UPDATE
SKIP LOCKED` was rejected, because SQLite lacks it and Citus refuses it across users. Writes for one user take turns, so
the condition alone limits a lane to one job at a time, whatever the number of processes.

Looking for jobs costs the same however many are due. If one statement can return them all, they are used directly;
otherwise users are read in rotation, by name, with the oldest jobs of each.

Jobs in a lane run in the order of their ids, which sort by creation. A job waiting to be retried blocks its lane. A job
that never failed and is scheduled for later does not; it enters its lane when it is due. Two pending jobs of the same kind
and subject are merged in the older one's place. This module does not know what a job does, or the time.
"""

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recollect.records.job import Job, JobKind, JobStatus, NewJob, kept_error
from recollect.records.moment import iso, stored
from recollect.store.database import Connection, Row
from recollect.store.json_text import json_text

_COLUMNS = (
    "user_id, job_id, kind, lane, subject, payload, status, attempts, run_at, leased_until, lease, last_error,"
    " created_at, begun, begun_alone"
)
_SELECT = f"SELECT {_COLUMNS} FROM jobs"
_KINDS = {kind.value: kind for kind in JobKind}
#: Jobs a statement: SQLite takes at most 32,766 values.
_CHUNK = 500

#: Rows that one statement of a look reads, and statements for one kind when more is due than one can show.
WINDOW = 64
STEPS = 3

#: Which jobs are one if they are of one kind and subject, in the words of the index.
_ONE_OF_A_KIND = "status = 'pending' AND attempts >= 0"
_DUE = "status = 'pending' AND run_at <= :now"
#: A job whose worker gave no sign of life. It is the only one running in its lane, so nothing else needs to be asked.
_ABANDONED = "status = 'running' AND leased_until <= :now"


def _first_in_lane(user: str) -> str:
    """Nobody is at work in the job's lane, and no other pending job comes before it."""
    return f"""(NOT EXISTS (
        SELECT 1 FROM jobs AS other
        WHERE other.user_id = {user} AND other.lane = jobs.lane AND other.status = 'running'
    ) AND NOT EXISTS (
        SELECT 1 FROM jobs AS other
        WHERE other.user_id = {user} AND other.lane = jobs.lane AND other.status = 'pending'
          AND other.job_id < jobs.job_id AND (other.attempts > 0 OR other.run_at <= :now)
    ))"""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The result of a look."""

    #: Jobs that may be begun, at most one of each lane, abandoned ones first.
    jobs: list[Job]
    #: The user with whom it ended, by kind of job; empty if it saw the last one.
    reached: Mapping[str, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class JobFigures:
    """How much work there is, and how late it is."""

    #: By status, then by kind; what there is none of is missing.
    counts: Mapping[str, Mapping[str, int]]
    #: How long the oldest job that could run has been waiting.
    lag_seconds: float
    #: Those of the pending jobs that are for later; the others could run, or wait to be tried again.
    scheduled: int = 0

    def total(self, status: JobStatus) -> int:
        """All kinds together."""
        return sum(self.counts.get(status, {}).values())

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "counts": {status: dict(kinds) for status, kinds in self.counts.items()},
            "scheduled": self.scheduled,
            "lag_seconds": round(self.lag_seconds, 3),
        }


# -- writing work down --------------------------------------------------------------------------------------


def add(
    tx: Connection, user_id: str, jobs: Sequence[NewJob], *, now: datetime, new_id: Callable[[], str]
) -> int:
    """Write jobs down in the order given; an equal pending one swallows them; how many rows that changed.

    A swallowed job may pull the pending one forward, but not when that one waits to be retried: the wait protects
    whatever failed.
    """
    once: dict[tuple[str, str], NewJob] = {}
    for job in jobs:
        known = once.get((job.kind, job.subject))
        if known is None or (job.run_at or now) < (known.run_at or now):
            once[job.kind, job.subject] = job
    # Ids of one millisecond may differ by chance only; sorted, they keep the order of the call.
    ids = sorted(new_id() for _ in once)
    rows = list(zip(ids, once.values(), strict=True))
    return sum(_insert(tx, user_id, rows[at : at + _CHUNK], now) for at in range(0, len(rows), _CHUNK))


def _insert(tx: Connection, user_id: str, rows: Sequence[tuple[str, NewJob]], now: datetime) -> int:
    params: dict[str, object] = {"user_id": user_id, "now": iso(now)}
    places: list[str] = []
    for at, (job_id, job) in enumerate(rows):
        params |= {
            f"id{at}": job_id,
            f"kind{at}": job.kind.value,
            f"lane{at}": job.lane,
            f"subject{at}": job.subject,
            f"payload{at}": json_text(dict(job.payload)),
            f"run_at{at}": iso(job.run_at or now),
        }
        places.append(
            f"(:user_id, :id{at}, :kind{at}, :lane{at}, :subject{at}, :payload{at}, 'pending', 0, 0, 0, :run_at{at}, :now)"
        )
    return tx.run(
        f"""
        INSERT INTO jobs
            (user_id, job_id, kind, lane, subject, payload, status, attempts, begun, begun_alone, run_at, created_at)
        VALUES {", ".join(places)}
        ON CONFLICT (user_id, kind, subject) WHERE {_ONE_OF_A_KIND}
        DO UPDATE SET run_at = excluded.run_at WHERE jobs.attempts = 0 AND excluded.run_at < jobs.run_at
        """,
        params,
    )


# -- taking work --------------------------------------------------------------------------------------------


def due(tx: Connection, now: datetime, reached: Mapping[str, str]) -> Candidates:
    """Jobs that may be begun now; needs the scope of everyone.

    `reached` names the kinds that the worker knows and has slots for, so that others cannot fill its view, each with the
    user that the last look reached.
    """
    if not reached:
        return Candidates(jobs=[], reached={})
    names = {f"kind{at}": kind for at, kind in enumerate(reached)}
    abandoned = tx.all(
        f"""
        {_SELECT} WHERE {_ABANDONED} AND kind IN ({", ".join(f":{name}" for name in names)})
        ORDER BY run_at, user_id, job_id LIMIT :limit
        """,
        {**names, "now": iso(now), "limit": WINDOW},
    )
    # Of every kind: a filter would read on through all the jobs that it leaves out.
    rows = _window(tx, f"{_DUE} ORDER BY run_at, user_id, job_id", now=iso(now))
    ended = dict.fromkeys(reached, "")
    if len(rows) == WINDOW:
        rows.clear()
        for kind, user_id in reached.items():
            found, ended[kind] = _in_rotation(tx, kind, user_id, now)
            rows += found
    pending = [row for row in rows if row[-1] and row[2] in reached]
    return Candidates(jobs=[_from_row(row) for row in (*abandoned, *pending)], reached=ended)


def _window(tx: Connection, condition: str, **params: object) -> list[Row]:
    """Rows that are due, with whether they come first in their lanes: a condition would read on through long lanes."""
    return tx.all(
        f"SELECT {_COLUMNS}, {_first_in_lane('jobs.user_id')} FROM jobs WHERE {condition} LIMIT :limit",
        {**params, "limit": WINDOW},
    )


def _in_rotation(tx: Connection, kind: str, after: str, now: datetime) -> tuple[list[Row], str]:
    """Due rows of one kind, from the user after this one on and round; and the user with whom it ended."""
    found: dict[tuple[str, str], Row] = {}
    from_start = not after
    for _ in range(STEPS):
        rows = _window(
            tx,
            f"{_DUE} AND kind = :kind AND user_id > :after ORDER BY user_id, run_at, job_id",
            kind=kind,
            after=after,
            now=iso(now),
        )
        found |= {(row[0], row[1]): row for row in rows}
        if len(rows) == WINDOW:
            after = rows[-1][0]
            if not any(row[-1] for row in rows if row[0] == after):
                # Only jobs that wait for others of their lane were seen of this user: ask for those that come first.
                first = _window(
                    tx,
                    f"{_DUE} AND kind = :kind AND user_id = :after AND {_first_in_lane('jobs.user_id')}"
                    " ORDER BY run_at, job_id",
                    kind=kind,
                    after=after,
                    now=iso(now),
                )
                found |= {(row[0], row[1]): row for row in first}
            continue
        after = ""
        if from_start:
            break
        from_start = True
    return list(found.values()), after


def waiting_kinds(tx: Connection, now: datetime) -> set[str]:
    """The kinds of all work that could be begun; needs the scope of everyone."""
    rows = tx.all(
        "SELECT DISTINCT kind FROM jobs WHERE status = 'pending' AND run_at <= :now", {"now": iso(now)}
    )
    return {row[0] for row in rows}


def claim(
    tx: Connection, job: Job, *, lease: str, until: datetime, now: datetime, alone: bool = False
) -> Job | None:
    """Take a job, if it is still its turn; None when somebody else came first. `alone`: its worker runs nothing else."""
    row = tx.one(
        f"""
        UPDATE jobs SET status = 'running', begun = begun + 1, begun_alone = begun_alone + :alone,
                        lease = :lease, leased_until = :until
        WHERE user_id = :user_id AND job_id = :job_id
          AND (({_ABANDONED}) OR ({_DUE} AND {_first_in_lane(":user_id")}))
        RETURNING {_COLUMNS}
        """,
        {
            "user_id": job.user_id,
            "job_id": job.job_id,
            "lease": lease,
            "until": iso(until),
            "now": iso(now),
            "alone": int(alone),
        },
    )
    return _from_row(row) if row else None


# -- what only the holder of the lease may do; False when the lease is another's by now -----------------------

_HELD = "user_id = :user_id AND job_id = :job_id AND status = 'running' AND lease = :lease"


def _held(job: Job) -> dict[str, object]:
    return {"user_id": job.user_id, "job_id": job.job_id, "lease": job.lease}


def extend(tx: Connection, job: Job, until: datetime) -> bool:
    """Renew a job's lease."""
    changed = tx.run(
        f"UPDATE jobs SET leased_until = :until WHERE {_HELD}", {**_held(job), "until": iso(until)}
    )
    return changed > 0


def done(tx: Connection, job: Job) -> bool:
    """Delete a finished job."""
    return tx.run(f"DELETE FROM jobs WHERE {_HELD}", _held(job)) > 0


def again(tx: Connection, job: Job, run_at: datetime) -> bool:
    """Schedule the job to run again later, without counting a failure."""
    return _put_back(tx, job, run_at=run_at, attempts=0, error=None)


def failed(tx: Connection, job: Job, error: str, run_at: datetime | None) -> bool:
    """Record a failure: retry at the given time, or mark the job dead."""
    if run_at is None:
        return _bury(tx, job, attempts=job.attempts + 1, reason=error)
    return _put_back(tx, job, run_at=run_at, attempts=job.attempts + 1, error=kept_error(error))


def quarantine(tx: Connection, job: Job, reason: str) -> bool:
    """Mark a job dead without a failure."""
    return _bury(tx, job, attempts=job.attempts, reason=reason)


def release(tx: Connection, job: Job) -> bool:
    """Release a stopping worker's job for another to take at once, as if it had not started."""
    return _put_back(tx, job, run_at=job.run_at, attempts=job.attempts, error=job.last_error)


#: What is true of a job that nobody is at work on.
_RESTING = "lease = NULL, leased_until = NULL, begun = 0, begun_alone = 0"


def _bury(tx: Connection, job: Job, *, attempts: int, reason: str) -> bool:
    changed = tx.run(
        f"""
        UPDATE jobs SET status = 'dead', attempts = :attempts, last_error = :reason, {_RESTING} WHERE {_HELD}
        """,
        {**_held(job), "attempts": attempts, "reason": kept_error(reason)},
    )
    return changed > 0


def _put_back(tx: Connection, job: Job, *, run_at: datetime, attempts: int, error: str | None) -> bool:
    """Make a running job pending; an equal one that came since goes up in it, and may pull it forward."""
    if not tx.one(f"SELECT 1 FROM jobs WHERE {_HELD}", _held(job)):
        return False
    swallowed = _swallow(tx, job.user_id, job.kind, job.subject)
    if swallowed is not None and attempts == 0:
        run_at = min(run_at, swallowed)
    tx.run(
        f"""
        UPDATE jobs SET status = 'pending', attempts = :attempts, run_at = :run_at, last_error = :error, {_RESTING}
        WHERE {_HELD}
        """,
        {**_held(job), "attempts": attempts, "run_at": iso(run_at), "error": error},
    )
    return True


def _swallow(tx: Connection, user_id: str, kind: str, subject: str) -> datetime | None:
    """Remove the pending job of this kind and subject, so that an older one can take its place; when it was due."""
    row = tx.one(
        f"""
        DELETE FROM jobs WHERE user_id = :user_id AND kind = :kind AND subject = :subject AND {_ONE_OF_A_KIND}
        RETURNING run_at
        """,
        {"user_id": user_id, "kind": str(kind), "subject": subject},
    )
    return stored(row[0]) if row else None


# -- looking after it ---------------------------------------------------------------------------------------


def of_user(tx: Connection, user_id: str, status: JobStatus | None = None) -> list[Job]:
    """A user's jobs in order of creation."""
    chosen = " AND status = :status" if status else ""
    rows = tx.all(
        f"{_SELECT} WHERE user_id = :user_id{chosen} ORDER BY job_id",
        {"user_id": user_id, "status": status.value if status else None},
    )
    return [_from_row(row) for row in rows]


def dead(tx: Connection, limit: int = 1000) -> list[Job]:
    """Everybody's dead jobs, those that were due first at the top; needs the scope of everyone."""
    rows = tx.all(
        f"{_SELECT} WHERE status = 'dead' ORDER BY run_at, user_id, job_id LIMIT :limit", {"limit": limit}
    )
    return [_from_row(row) for row in rows]


def revive(tx: Connection, user_id: str, job_id: str, now: datetime) -> bool:
    """Retry a dead job in its old place; False if there is no such dead job."""
    params = {"user_id": user_id, "job_id": job_id}
    row = tx.one(
        "SELECT kind, subject FROM jobs WHERE user_id = :user_id AND job_id = :job_id AND status = 'dead'",
        params,
    )
    if row is None:
        return False
    _swallow(tx, user_id, row[0], row[1])
    tx.run(
        """
        UPDATE jobs SET status = 'pending', attempts = 0, run_at = :now
        WHERE user_id = :user_id AND job_id = :job_id
        """,
        {**params, "now": iso(now)},
    )
    return True


def hasten(tx: Connection, user_id: str, kind: JobKind, now: datetime) -> int:
    """Let a user's jobs of one kind be due now that wait for more of the same; how many. What failed keeps its pause."""
    return tx.run(
        """
        UPDATE jobs SET run_at = :now
        WHERE user_id = :user_id AND kind = :kind AND status = 'pending' AND attempts = 0 AND run_at > :now
        """,
        {"user_id": user_id, "kind": kind.value, "now": iso(now)},
    )


def open_count(tx: Connection, user_id: str, now: datetime) -> int:
    """How much work is under way: running, due or to be retried; what is merely scheduled does not count."""
    row = tx.one(
        """
        SELECT count(*) FROM jobs WHERE user_id = :user_id
          AND (status = 'running' OR (status = 'pending' AND (run_at <= :now OR attempts > 0)))
        """,
        {"user_id": user_id, "now": iso(now)},
    )
    return row[0] if row else 0


def figures(tx: Connection, now: datetime, user_id: str | None = None) -> JobFigures:
    """What there is to do, of one user or, in the scope of everyone, in all."""
    whose = "user_id = :user_id" if user_id is not None else "1 = 1"
    params = {"user_id": user_id, "now": iso(now)}
    counts: dict[str, dict[str, int]] = {}
    for status, kind, count in tx.all(
        f"SELECT status, kind, count(*) FROM jobs WHERE {whose} GROUP BY status, kind", params
    ):
        counts.setdefault(status, {})[kind] = count
    waiting = [
        row[0]
        for moment, status in (("run_at", "pending"), ("leased_until", "running"))
        for row in tx.all(
            f"SELECT min({moment}) FROM jobs WHERE {whose} AND status = '{status}' AND {moment} <= :now",
            params,
        )
        if row[0] is not None
    ]
    lag = (now - stored(min(waiting))).total_seconds() if waiting else 0.0
    later = tx.one(
        f"SELECT count(*) FROM jobs WHERE {whose} AND status = 'pending' AND attempts = 0 AND run_at > :now",
        params,
    )
    return JobFigures(counts=counts, lag_seconds=max(0.0, lag), scheduled=later[0] if later else 0)


def _kind(text: str) -> JobKind | str:
    return _KINDS.get(text, text)


def _from_row(row: Row) -> Job:
    return Job(
        user_id=row[0],
        job_id=row[1],
        kind=_kind(row[2]),
        lane=row[3],
        subject=row[4],
        payload=json.loads(row[5]),
        status=JobStatus(row[6]),
        attempts=row[7],
        run_at=stored(row[8]),
        leased_until=stored(row[9]) if row[9] else None,
        lease=row[10],
        last_error=row[11],
        created_at=stored(row[12]),
        begun=row[13],
        begun_alone=row[14],
    )
