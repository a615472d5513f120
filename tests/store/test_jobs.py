"""The jobs table, on both databases: order in a lane, one at a time, one of a kind, retries, leases, users apart."""

from collections.abc import Callable, Mapping
from datetime import datetime, timedelta
from itertools import count

import pytest

from recollect.records.job import LEASE, MAX_ERROR, Job, JobKind, JobStatus, NewJob
from recollect.records.moment import iso
from recollect.store import jobs
from recollect.store.database import EVERYONE, Connection
from recollect.store.sqlite import SqliteDatabase

from .conftest import Store
from .rows import NOON
from .test_database import Watched

SOON = NOON + timedelta(seconds=1)
LATER = NOON + timedelta(minutes=35)
EXPIRED = NOON + LEASE
#: A look at jobs of every kind, from the first user on.
ALL_KINDS = {kind.value: "" for kind in JobKind}


def new(
    subject: str, lane: str = "chat:1", kind: JobKind = JobKind.FOLD, run_at: datetime | None = None
) -> NewJob:
    """A job to be written down."""
    return NewJob(kind=kind, lane=lane, subject=subject, run_at=run_at)


class Outbox:
    """The table with short words for what workers do."""

    def __init__(self, store: Store) -> None:
        self.store = store
        self._ids = count(1)
        self._leases = count(1)

    def add(self, *made: NewJob, user_id: str = "ann", now: datetime = NOON) -> int:
        def work(tx: Connection) -> int:
            return jobs.add(tx, user_id, made, now=now, new_id=lambda: f"{next(self._ids):04}")

        return self.store.write(user_id, work)

    def look(self, now: datetime = NOON, reached: Mapping[str, str] = ALL_KINDS) -> jobs.Candidates:
        return self.store.read(EVERYONE, lambda tx: jobs.due(tx, now, reached))

    def due(self, now: datetime = NOON, reached: Mapping[str, str] = ALL_KINDS) -> list[str]:
        return [job.subject for job in self.look(now, reached).jobs]

    def claim(self, job: Job, now: datetime = NOON, *, alone: bool = False) -> Job | None:
        lease = f"lease{next(self._leases)}"
        return self.store.write(
            job.user_id, lambda tx: jobs.claim(tx, job, lease=lease, until=now + LEASE, now=now, alone=alone)
        )

    def take(self, now: datetime = NOON, *, alone: bool = False) -> Job:
        """Claim the first that is due."""
        claimed = self.claim(self.look(now).jobs[0], now, alone=alone)
        assert claimed is not None
        return claimed

    def write(self, work: Callable[[Connection], bool], user_id: str = "ann") -> bool:
        return self.store.write(user_id, work)

    def all(self, user_id: str = "ann", status: JobStatus | None = None) -> list[Job]:
        return self.store.read(user_id, lambda tx: jobs.of_user(tx, user_id, status))


@pytest.fixture
def outbox(store: Store) -> Outbox:
    """An empty table."""
    return Outbox(store)


# -- writing down -----------------------------------------------------------------------------------------------


def test_a_job_is_stored_as_it_was_given(outbox: Outbox) -> None:
    """Every field comes back, and a time is `now` unless given."""
    made = NewJob(kind=JobKind.SPINE, lane="spine", subject="s", payload={"id": "ä"}, run_at=LATER)
    assert outbox.add(new("a"), made) == 2
    first, second = outbox.all()
    assert (first.run_at, first.status, first.attempts, first.lease) == (NOON, JobStatus.PENDING, 0, None)
    assert (second.kind, second.lane, second.subject, second.payload, second.run_at, second.created_at) == (
        *(JobKind.SPINE, "spine", "s", {"id": "ä"}, LATER, NOON),
    )
    assert outbox.add() == 0


def test_equal_pending_jobs_are_one(outbox: Outbox) -> None:
    """The same kind and subject is swallowed, in one call and later; another kind is another job."""
    assert outbox.add(new("a"), new("a")) == 1
    assert outbox.add(new("a")) == 0
    assert outbox.add(new("a", kind=JobKind.REDERIVE)) == 1
    assert [(job.kind, job.subject) for job in outbox.all()] == [(JobKind.FOLD, "a"), (JobKind.REDERIVE, "a")]


def test_a_swallowed_job_pulls_forward_and_never_pushes_back(outbox: Outbox) -> None:
    """The earlier of both times holds, whichever came first, within one call too."""
    outbox.add(new("a", run_at=LATER), new("b", run_at=SOON))
    assert outbox.add(new("a", run_at=SOON), new("b", run_at=LATER)) == 1
    outbox.add(new("c", run_at=LATER), new("c", run_at=SOON))
    assert [job.run_at for job in outbox.all()] == [SOON, SOON, SOON]


def test_a_new_job_does_not_shorten_the_wait_after_a_failure(outbox: Outbox) -> None:
    """Messages that go on arriving do not use up the tries of a job whose model is down."""
    outbox.add(new("a"))
    job = outbox.take()
    outbox.write(lambda tx: jobs.failed(tx, job, "down", LATER))
    assert outbox.add(new("a")) == 0
    assert [job.run_at for job in outbox.all()] == [LATER]


def test_work_that_comes_while_its_like_is_running_is_kept(outbox: Outbox) -> None:
    """A running job has read its state already, so a new one is written and runs after it."""
    outbox.add(new("a"))
    job = outbox.take()
    assert outbox.add(new("a")) == 1
    assert outbox.due() == []
    assert outbox.write(lambda tx: jobs.done(tx, job))
    assert outbox.due() == ["a"]


def test_many_jobs_at_once_keep_their_order(outbox: Outbox) -> None:
    """More jobs than fit one statement, with ids that come in any order, stand in the order of the call."""
    ids = iter(sorted((f"{n:04}" for n in range(1201)), key=lambda text: text[::-1]))
    made = [new(str(n)) for n in range(1201)]
    outbox.store.write("ann", lambda tx: jobs.add(tx, "ann", made, now=NOON, new_id=lambda: next(ids)))
    assert [job.subject for job in outbox.all()] == [str(n) for n in range(1201)]


def test_a_job_is_written_with_its_cause_or_not_at_all(outbox: Outbox) -> None:
    """When the transaction fails, so does the job."""

    def work(tx: Connection) -> None:
        jobs.add(tx, "ann", [new("a")], now=NOON, new_id=lambda: "1")
        raise LookupError

    with pytest.raises(LookupError):
        outbox.store.write("ann", work)
    assert outbox.all() == []


# -- whose turn it is -------------------------------------------------------------------------------------------


def test_a_lane_goes_in_order_one_at_a_time(outbox: Outbox) -> None:
    """Only the first of a lane is due; the next when it is done; other lanes and users do not wait."""
    outbox.add(new("a"), new("b"), new("other", lane="chat:2"))
    outbox.add(new("bob's"), user_id="bob")
    assert sorted(outbox.due()) == ["a", "bob's", "other"]
    job = outbox.take()
    assert job.subject == "a"
    assert "b" not in outbox.due()
    outbox.write(lambda tx: jobs.done(tx, job))
    assert "b" in outbox.due()


def test_only_kinds_that_were_asked_for_are_seen(outbox: Outbox) -> None:
    """A look brings jobs of the kinds named, abandoned ones too."""
    outbox.add(*(new(str(n), lane=str(n)) for n in range(9)), new("s", lane="s", kind=JobKind.SPINE))
    assert outbox.due(reached={"spine": ""}) == ["s"]
    assert outbox.due(reached={}) == []
    assert len(outbox.due(reached={"spine": "", "fold": ""})) == 10
    outbox.take()
    assert outbox.due(EXPIRED, {"spine": ""}) == ["s"]


@pytest.mark.parametrize("lanes", [1, 1000], ids=["one lane", "a lane each"])
def test_a_user_with_many_jobs_hides_nobody(outbox: Outbox, lanes: int) -> None:
    """However many older jobs of one user are due, those of others are seen, of the same kind and of another."""
    outbox.add(*(new(str(n), f"chat:{n % lanes}") for n in range(1000)), user_id="heavy")
    outbox.add(new("before"), user_id="ann", now=SOON)
    outbox.add(new("after"), new("other", "spine", JobKind.SPINE), user_id="zoe", now=SOON)
    seen = outbox.look(SOON)
    assert {(job.user_id, job.subject) for job in seen.jobs} >= {
        *(("heavy", "0"), ("ann", "before"), ("zoe", "after"), ("zoe", "other"))
    }


def test_looks_go_round(outbox: Outbox) -> None:
    """With more busy users than a look shows, one look goes on where the last ended, until everybody was seen."""
    for number in range(9):
        made = [new(f"{number}-{n}", f"chat:{n}") for n in range(jobs.WINDOW + 1)]
        outbox.add(*made, user_id=f"user{number}")
    reached, seen = {"fold": ""}, list[set[str]]()
    for _ in range(4):
        found = outbox.look(reached=reached)
        seen.append({job.user_id for job in found.jobs})
        assert len({job.job_id for job in found.jobs}) == len(found.jobs)
        reached = dict(found.reached)
    names = [{f"user{number}" for number in three} for three in ((0, 1, 2), (3, 4, 5), (6, 7, 8))]
    assert seen[:3] == names
    assert "user0" in seen[3]


def test_a_job_that_waits_for_its_retry_holds_its_lane(outbox: Outbox) -> None:
    """What comes after a failed job waits with it: the order is strict."""
    outbox.add(new("a"), new("b"))
    job = outbox.take()
    outbox.write(lambda tx: jobs.failed(tx, job, "down", SOON))
    assert outbox.due() == []
    assert outbox.due(SOON) == ["a"]


def test_a_job_scheduled_for_later_does_not_hold_its_lane(outbox: Outbox) -> None:
    """A timer enters its lane when its time has come, and then it is first by its age."""
    outbox.add(new("timer", run_at=LATER), new("a"))
    assert outbox.due() == ["a"]
    job = outbox.take()
    assert outbox.due(NOON + timedelta(seconds=5)) == []
    outbox.write(lambda tx: jobs.done(tx, job))
    outbox.add(new("b"))
    assert outbox.due(LATER) == ["timer"]


def test_an_older_job_that_comes_late_waits_for_the_running_one(outbox: Outbox) -> None:
    """A transaction that took its id early and committed late does not make two run at once in a lane."""
    outbox.store.write("ann", lambda tx: jobs.add(tx, "ann", [new("b")], now=NOON, new_id=lambda: "2"))
    seen = outbox.look().jobs[0]
    outbox.store.write("ann", lambda tx: jobs.add(tx, "ann", [new("a")], now=NOON, new_id=lambda: "1"))
    assert outbox.claim(seen) is None
    running = outbox.take()
    assert running.subject == "a"
    outbox.store.write("ann", lambda tx: jobs.add(tx, "ann", [new("0")], now=NOON, new_id=lambda: "0"))
    assert outbox.due() == []
    # Once the lease has run out neither waits for the other: what was begun goes first.
    assert outbox.due(EXPIRED) == ["a"]


def test_one_of_two_claims_wins(outbox: Outbox) -> None:
    """What two have seen only one gets; a job that is not due or is dead nobody gets."""
    outbox.add(new("a"), new("later", lane="x", run_at=LATER))
    seen, later = outbox.all()
    first = outbox.claim(seen)
    assert first is not None and (first.status, first.attempts) == (JobStatus.RUNNING, 0)
    assert first.leased_until == NOON + LEASE
    assert outbox.claim(seen) is None
    assert outbox.claim(later) is None
    outbox.write(lambda tx: jobs.failed(tx, first, "no", None))
    assert outbox.claim(seen, LATER) is None


# -- leases -----------------------------------------------------------------------------------------------------


def test_a_lease_that_ran_out_is_taken_over(outbox: Outbox) -> None:
    """An abandoned job is due again, before younger ones, and has not failed."""
    outbox.add(new("a"), new("b"))
    first = outbox.take()
    assert outbox.due(EXPIRED - timedelta(milliseconds=1)) == []
    assert outbox.due(EXPIRED) == ["a"]
    second = outbox.take(EXPIRED)
    assert (second.job_id, second.attempts) == (first.job_id, 0)
    assert second.lease != first.lease


def test_a_sign_of_life_keeps_the_lease(outbox: Outbox) -> None:
    """Extended, it runs out later."""
    outbox.add(new("a"))
    job = outbox.take()
    assert outbox.write(lambda tx: jobs.extend(tx, job, EXPIRED + LEASE))
    assert outbox.due(EXPIRED) == []
    assert outbox.due(EXPIRED + LEASE) == ["a"]


@pytest.mark.parametrize("deed", ["extend", "done", "again", "failed", "dead", "release"])
def test_who_lost_the_lease_changes_nothing(outbox: Outbox, deed: str) -> None:
    """Only the holder may finish a job, put it back or extend it; the one before is told so."""
    outbox.add(new("a"))
    lost = outbox.take()
    held = outbox.take(EXPIRED)
    outbox.add(new("a"))
    before = outbox.all()
    deeds: dict[str, Callable[[Connection, Job], bool]] = {
        "extend": lambda tx, job: jobs.extend(tx, job, LATER),
        "done": jobs.done,
        "again": lambda tx, job: jobs.again(tx, job, LATER),
        "failed": lambda tx, job: jobs.failed(tx, job, "no", LATER),
        "dead": lambda tx, job: jobs.failed(tx, job, "no", None),
        "release": jobs.release,
    }
    assert not outbox.write(lambda tx: deeds[deed](tx, lost))
    assert outbox.all() == before
    assert outbox.write(lambda tx: deeds[deed](tx, held))
    assert outbox.all() != before


# -- ends -------------------------------------------------------------------------------------------------------


def test_what_is_done_is_gone(outbox: Outbox) -> None:
    """No row stays behind."""
    outbox.add(new("a"))
    job = outbox.take()
    assert outbox.write(lambda tx: jobs.done(tx, job))
    assert outbox.all() == []


def test_again_forgets_the_attempts(outbox: Outbox) -> None:
    """A job that its own work reschedules has not failed."""
    outbox.add(new("a"))
    for _ in range(3):
        job = outbox.take()
        outbox.write(lambda tx, job=job: jobs.failed(tx, job, "no", NOON))
    job = outbox.take()
    assert job.attempts == 3
    assert outbox.write(lambda tx: jobs.again(tx, job, LATER))
    (back,) = outbox.all()
    assert (back.status, back.attempts, back.run_at, back.lease, back.last_error) == (
        *(JobStatus.PENDING, 0, LATER, None, None),
    )


def test_a_failure_says_why_in_few_words(outbox: Outbox) -> None:
    """The error is kept, cut to its limit, without what a database cannot keep."""
    outbox.add(new("a"))
    job = outbox.take()
    assert outbox.write(lambda tx: jobs.failed(tx, job, "no\x00 \ud800" + "x" * 999, SOON))
    (back,) = outbox.all()
    assert back.last_error is not None and back.last_error.startswith("no ?x")
    assert len(back.last_error) == MAX_ERROR
    assert (back.attempts, back.run_at) == (1, SOON)


def test_a_released_job_was_never_begun(outbox: Outbox) -> None:
    """Another worker gets it at once, with the attempts it had."""
    outbox.add(new("a"))
    job = outbox.take()
    assert outbox.write(lambda tx: jobs.release(tx, job))
    (back,) = outbox.all()
    assert (back.attempts, back.run_at, back.lease, back.leased_until) == (0, NOON, None, None)
    assert outbox.due() == ["a"]


@pytest.mark.parametrize("deed", ["again", "failed", "release"])
def test_a_job_that_comes_back_takes_in_its_like(outbox: Outbox, deed: str) -> None:
    """An equal job that was written meanwhile goes up in the older one, which keeps its place."""
    outbox.add(new("a"), new("b"))
    job = outbox.take()
    outbox.add(new("a"))
    deeds: dict[str, Callable[[Connection], bool]] = {
        "again": lambda tx: jobs.again(tx, job, LATER),
        "failed": lambda tx: jobs.failed(tx, job, "no", LATER),
        "release": lambda tx: jobs.release(tx, job),
    }
    assert outbox.write(deeds[deed])
    first, second = outbox.all()
    assert (first.job_id, first.subject, second.subject) == (job.job_id, "a", "b")
    # New work pulls forward what is merely scheduled, and not what failed.
    assert first.run_at == (LATER if deed == "failed" else NOON)


def test_only_failures_are_attempts(outbox: Outbox) -> None:
    """A worker that dies counts as a time that the job was begun, until the job ends in whatever way."""
    outbox.add(new("a"))
    outbox.take(alone=True)
    outbox.take(EXPIRED)
    job = outbox.take(EXPIRED + LEASE, alone=True)
    assert (job.attempts, job.begun, job.begun_alone) == (0, 3, 2)
    outbox.write(lambda tx: jobs.failed(tx, job, "no", SOON))
    (back,) = outbox.all()
    assert (back.attempts, back.begun, back.begun_alone) == (1, 0, 0)


def test_a_quarantined_job_is_seen_and_revived(outbox: Outbox) -> None:
    """It is dead with the reason and without a failure; revived it starts anew, as if no worker had died of it."""
    outbox.add(new("a"))
    outbox.take(alone=True)
    job = outbox.take(EXPIRED, alone=True)
    assert outbox.write(lambda tx: jobs.quarantine(tx, job, "Quarantined."))
    (dead,) = outbox.store.read(EVERYONE, jobs.dead)
    assert (dead.attempts, dead.last_error, dead.lease) == (0, "Quarantined.", None)
    assert outbox.due(LATER) == []
    assert outbox.write(lambda tx: jobs.revive(tx, "ann", dead.job_id, SOON))
    again = outbox.take(SOON)
    assert (again.begun, again.begun_alone) == (1, 0)


def test_a_dead_job_is_seen_and_revived(outbox: Outbox) -> None:
    """It stays, holds nobody up, and starts anew when revived, in its old place; only once."""
    outbox.add(new("a"), new("b"))
    job = outbox.take()
    outbox.write(lambda tx: jobs.failed(tx, job, "no", None))
    assert [dead.subject for dead in outbox.store.read(EVERYONE, jobs.dead)] == ["a"]
    assert [dead.subject for dead in outbox.all(status=JobStatus.DEAD)] == ["a"]
    assert outbox.due() == ["b"]
    outbox.add(new("a"))
    assert not outbox.write(lambda tx: jobs.revive(tx, "bob", job.job_id, SOON), "bob")
    assert outbox.write(lambda tx: jobs.revive(tx, "ann", job.job_id, SOON))
    assert not outbox.write(lambda tx: jobs.revive(tx, "ann", job.job_id, SOON))
    back, _ = outbox.all()
    assert (back.job_id, back.attempts, back.run_at, back.last_error) == (job.job_id, 0, SOON, "no")
    assert outbox.due(SOON) == ["a"]


# -- counting ---------------------------------------------------------------------------------------------------


def test_open_work_is_running_due_or_to_be_retried(outbox: Outbox) -> None:
    """What is scheduled for later or dead is not waited for."""

    def open_count() -> int:
        return outbox.store.read("ann", lambda tx: jobs.open_count(tx, "ann", NOON))

    outbox.add(new("later", lane="x", run_at=LATER))
    assert open_count() == 0
    outbox.add(new("a"), new("b"))
    assert open_count() == 2
    job = outbox.take()
    assert open_count() == 2
    outbox.write(lambda tx: jobs.failed(tx, job, "no", SOON))
    assert open_count() == 2
    held = outbox.take(SOON)
    outbox.write(lambda tx: jobs.failed(tx, held, "no", None))
    outbox.add(new("bob's"), user_id="bob")
    assert open_count() == 1


def test_figures_count_by_status_and_kind(outbox: Outbox) -> None:
    """For everyone and for one user: how many, and how late the oldest due one is."""
    outbox.add(new("a"), new("b", lane="b", kind=JobKind.SPINE), new("later", lane="c", run_at=LATER))
    outbox.add(new("bob's"), user_id="bob", now=SOON)
    now = NOON + timedelta(seconds=5)
    everyone = outbox.store.read(EVERYONE, lambda tx: jobs.figures(tx, now))
    assert everyone.counts == {"pending": {"fold": 3, "spine": 1}}
    assert everyone.total(JobStatus.PENDING) == 4 and everyone.total(JobStatus.DEAD) == 0
    assert (everyone.lag_seconds, everyone.scheduled) == (5.0, 1)
    bob = outbox.store.read("bob", lambda tx: jobs.figures(tx, now, "bob"))
    assert (bob.counts, bob.lag_seconds) == ({"pending": {"fold": 1}}, 4.0)
    outbox.take(SOON)
    abandoned = outbox.store.read(EVERYONE, lambda tx: jobs.figures(tx, SOON + LEASE))
    assert abandoned.counts["running"] == {"fold": 1}
    nobody = outbox.store.read("eve", lambda tx: jobs.figures(tx, now, "eve"))
    assert (nobody.counts, nobody.lag_seconds) == ({}, 0.0)


def test_a_kind_of_another_version_can_be_seen(outbox: Outbox) -> None:
    """A kind that this version does not know is listed under its name and breaks nothing."""
    outbox.add(new("a"))
    outbox.store.write("ann", lambda tx: tx.run("UPDATE jobs SET kind = 'dream' WHERE user_id = 'ann'"))
    (job,) = outbox.all()
    assert job.kind == "dream" and job.to_dict()["kind"] == "dream"
    assert outbox.store.read(EVERYONE, lambda tx: jobs.waiting_kinds(tx, NOON)) == {"dream"}
    assert outbox.due() == []


# -- users apart ------------------------------------------------------------------------------------------------


def test_nobody_touches_another_users_jobs(outbox: Outbox) -> None:
    """With another's job in hand, a user sees and changes nothing."""
    outbox.add(new("a"))
    job = outbox.take()
    before = outbox.all()

    def work(tx: Connection) -> list[object]:
        from_bob = Job(**{**{name: getattr(job, name) for name in Job.__slots__}, "user_id": "bob"})
        return [
            jobs.of_user(tx, "bob"),
            jobs.open_count(tx, "bob", NOON),
            jobs.figures(tx, NOON, "bob").counts,
            jobs.claim(tx, from_bob, lease="x", until=LATER, now=LATER),
            jobs.extend(tx, from_bob, LATER),
            jobs.done(tx, from_bob),
            jobs.again(tx, from_bob, LATER),
            jobs.failed(tx, from_bob, "no", None),
            jobs.release(tx, from_bob),
            jobs.quarantine(tx, from_bob, "no"),
        ]

    assert not any(outbox.store.write("bob", work))
    assert outbox.all() == before


def test_the_database_itself_keeps_jobs_apart(outbox: Outbox) -> None:
    """On PostgreSQL row-level security hides another's jobs even from a statement that names everyone's."""
    if isinstance(outbox.store.database, SqliteDatabase):
        pytest.skip("SQLite has no row-level security")
    outbox.add(new("a"))
    assert outbox.store.read("bob", lambda tx: jobs.due(tx, NOON, ALL_KINDS)).jobs == []
    assert outbox.store.read("bob", lambda tx: tx.all("SELECT 1 FROM jobs")) == []
    assert outbox.store.write("bob", lambda tx: tx.run("DELETE FROM jobs")) == 0
    assert outbox.due() == ["a"]


# -- plans ------------------------------------------------------------------------------------------------------


def _populate(tx: Connection) -> None:
    """Sixty users with fifty lanes and many jobs for later, as in a busy installation, and one with 100,000 due."""
    for user in range(60):
        made = [new(f"{n}", lane=f"chat:{n % 50}", run_at=LATER if n >= 55 else None) for n in range(200)]
        ids = count(1)
        jobs.add(tx, f"user{user}", made, now=NOON, new_id=lambda ids=ids: f"{next(ids):04}")
    tx.run(
        """
        INSERT INTO jobs
            (user_id, job_id, kind, lane, subject, payload, status, attempts, begun, begun_alone, run_at, created_at)
        WITH RECURSIVE numbers (n) AS (SELECT 100001 UNION ALL SELECT n + 1 FROM numbers WHERE n < 200000)
        SELECT 'heavy', '0' || n, 'fold', 'chat:' || n, 'chat:' || n, '{}', 'pending', 0, 0, 0, :now, :now
        FROM numbers
        """,
        {"now": iso(NOON - timedelta(minutes=1))},
    )


def test_the_hot_statements_use_an_index(outbox: Outbox) -> None:
    """To find work, take it, count it and finish it, neither database reads the whole table or sorts all that is due."""
    store = outbox.store
    is_sqlite = isinstance(store.database, SqliteDatabase)
    store.write(EVERYONE, _populate)
    explain, whole = ("EXPLAIN QUERY PLAN ", "SCAN jobs") if is_sqlite else ("EXPLAIN ", "Seq Scan")
    sorting = "TEMP B-TREE" if is_sqlite else "Sort Key"

    def plans(tx: Connection) -> list[str]:
        watched = Watched(tx)
        found = jobs.due(watched, NOON, dict.fromkeys(("fold", "judge"), ""))
        job = next(job for job in found.jobs if job.user_id == "user0")
        claimed = jobs.claim(watched, job, lease="x", until=EXPIRED, now=NOON)
        assert claimed is not None
        jobs.open_count(watched, job.user_id, NOON)
        jobs.extend(watched, claimed, LATER)
        jobs.again(watched, claimed, LATER)
        jobs.dead(watched)
        return [
            "\n".join(str(row[-1]) for row in tx.all(explain + sql, params)) for sql, params in watched.asked
        ]

    # PostgreSQL has not counted the rows yet; what it asks about lanes must be cheap all the same.
    assert all("jobs_lane" in plan for plan in store.write(EVERYONE, plans)[1:7])
    if not is_sqlite:
        store.write(EVERYONE, lambda tx: tx.run("ANALYZE jobs"))
    found = store.write(EVERYONE, plans)
    assert not [plan for plan in found if whole in plan]
    abandoned, *looks = found[:6]
    claiming = found[6]
    assert "jobs_due" in abandoned and "jobs_due" in looks[0]
    # Three statements see the heavy user, those after him, and the beginning again; the last kind has nothing due.
    assert all("jobs_by_kind" in plan for plan in looks[1:])
    assert not [plan for plan in looks[:2] if sorting in plan]
    assert all("jobs_lane" in plan for plan in (*looks, claiming))


def test_waiting_jobs_of_one_kind_can_be_hastened(outbox: Outbox) -> None:
    """Only the user's own of that kind that were never tried become due; what failed keeps its pause."""
    outbox.add(new("c1", "judge:1", JobKind.JUDGE, LATER), new("c2", "judge:2", JobKind.JUDGE))
    outbox.add(new("s1", "close:1", JobKind.CLOSE_SESSION, LATER))
    outbox.add(new("c9", "judge:9", JobKind.JUDGE, LATER), user_id="bob")
    failed = outbox.take()
    assert failed.subject == "c2"
    outbox.write(lambda tx: jobs.failed(tx, failed, "away", LATER))
    assert outbox.due(SOON) == []
    assert outbox.store.write("ann", lambda tx: jobs.hasten(tx, "ann", JobKind.JUDGE, SOON)) == 1
    assert outbox.due(SOON) == ["c1"]


def test_a_failed_head_does_not_hide_its_lane(outbox: Outbox) -> None:
    """More jobs of one lane than a look reads, whose first failed and waits behind them: the first is found all the same."""
    outbox.add(*(new(f"s{number}") for number in range(2 * jobs.WINDOW)))
    head = outbox.take()
    outbox.write(lambda tx: jobs.failed(tx, head, "down", SOON))
    found = outbox.look(LATER, reached={"fold": ""})
    assert [job.job_id for job in found.jobs] == [head.job_id]
