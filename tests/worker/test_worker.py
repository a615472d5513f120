"""The worker, on both databases: order, retries, leases, closing, waiting, and a store that fails."""

import asyncio
import logging
import secrets
import time
from collections.abc import Callable
from contextlib import suppress
from datetime import timedelta
from pathlib import Path
from typing import TypeVar

import pytest
from conftest import FakeClock, FakeEmbedder

from recollect import AsyncMemory
from recollect.errors import ModelError, StoreUnavailable
from recollect.records.job import (
    FIRST_WAIT,
    LEASE,
    MAX_ATTEMPTS,
    MAX_DEATHS,
    Job,
    JobKind,
    JobStatus,
    NewJob,
)
from recollect.store import jobs
from recollect.store.database import Connection, Database
from recollect.worker import worker as module
from recollect.worker.worker import Again, Worker

from .conftest import Desk, fold, until

T = TypeVar("T")


class Recorder:
    """Work that notes down what it was given, and can be told to fail or to wait."""

    def __init__(self) -> None:
        self.begun: list[str] = []
        self.ended: list[str] = []
        self.error: Exception | None = None
        #: While closed, jobs do not end.
        self.gate = asyncio.Event()
        self.gate.set()

    async def __call__(self, job: Job) -> None:
        self.begun.append(job.subject)
        await self.gate.wait()
        if self.error is not None:
            raise self.error
        self.ended.append(job.subject)


# -- order ------------------------------------------------------------------------------------------------------


def test_two_thousand_jobs_in_twenty_lanes_are_done_in_order(desk: Desk) -> None:
    """Every job of every lane is done once, in the order of its writing."""
    order: dict[str, list[str]] = {}

    async def work(job: Job) -> None:
        order.setdefault(job.lane, []).append(job.subject)

    async def test() -> None:
        lanes = [f"chat:{number}" for number in range(20)]
        await desk.add(*(fold(f"{lane}/{n}", lane) for n in range(100) for lane in lanes))
        async with desk.worker(work) as worker:
            assert await worker.drain("ann", 120)
        assert (worker.done, worker.failed) == (2000, 0)
        assert order == {lane: [f"{lane}/{n}" for n in range(100)] for lane in lanes}
        assert await desk.all() == []

    asyncio.run(test())


def test_two_workers_never_meet_in_a_lane(desk: Desk) -> None:
    """Two workers on one database share the work; in a lane only one is at work at any moment, and the order holds."""
    busy: set[str] = set()
    order: dict[str, list[int]] = {}

    async def work(job: Job) -> None:
        assert job.lane not in busy
        busy.add(job.lane)
        await asyncio.sleep(0.001)
        busy.remove(job.lane)
        order.setdefault(job.lane, []).append(int(job.subject.split("/")[1]))

    async def test() -> None:
        await desk.add(*(fold(f"{lane}/{n}", str(lane)) for n in range(20) for lane in range(6)))
        async with desk.worker(work) as one, desk.worker(work) as other:
            assert await one.drain("ann", 60)
        assert one.done + other.done == 120
        assert one.failed + other.failed == 0
        assert order == {str(lane): list(range(20)) for lane in range(6)}

    asyncio.run(test())


def test_no_more_jobs_than_slots(desk: Desk) -> None:
    """Ten users are waiting and two slots are there: two jobs run, and as they end the others."""

    async def test() -> None:
        work = Recorder()
        work.gate.clear()
        for number in range(10):
            await desk.add(fold(str(number)), user_id=f"user{number}")
        async with desk.worker(work, concurrency=2) as worker:
            await until(lambda: len(work.begun) == 2)
            await asyncio.sleep(0.1)
            assert len(work.begun) == worker.running == 2
            work.gate.set()
            await until(lambda: worker.done == 10)
        assert sorted(work.ended) == [str(number) for number in range(10)]

    asyncio.run(test())


# -- users in rotation ------------------------------------------------------------------------------------------


def test_nobody_waits_for_all_the_work_of_another(desk: Desk) -> None:
    """Beside a user with thousands of older jobs, others are served in turn: each after at most one of the heavy user's."""

    async def test() -> None:
        served: list[str] = []

        async def work(job: Job) -> None:
            served.append(job.user_id)

        await desk.add(*(fold(str(n), f"chat:{n}") for n in range(3000)), user_id="heavy")
        desk.clock.move(seconds=1)
        for user_id in ("ann", "zoe"):
            await desk.add(*(fold(str(n), f"chat:{n}") for n in range(5)), user_id=user_id)
        async with desk.worker(work, concurrency=1) as worker:
            assert await worker.drain("ann", 60) and await worker.drain("zoe", 60)
        assert set(served[:15]) == {"ann", "heavy", "zoe"}
        assert all(served[:15].count(user_id) == 5 for user_id in ("ann", "heavy", "zoe"))

    asyncio.run(test())


def test_a_user_holds_at_most_half_of_the_slots(desk: Desk) -> None:
    """Somebody who comes later finds a free slot, however long the work of the first takes."""

    async def test() -> None:
        work = Recorder()
        work.gate.clear()
        await desk.add(*(fold(f"a{n}", f"chat:{n}") for n in range(9)))
        async with desk.worker(work, concurrency=4) as worker:
            await until(lambda: worker.running == 2)
            await asyncio.sleep(0.1)
            assert worker.running == 2
            await desk.add(fold("b"), user_id="bob")
            worker.ring()
            await until(lambda: len(work.begun) == 3)
            assert work.begun[2] == "b"
            work.gate.set()
            assert await worker.drain("ann", 30)

    asyncio.run(test())


def test_a_provider_that_hangs_holds_up_only_its_own_work(desk: Desk) -> None:
    """While nobody gets an answer from a model, work that needs none goes on, of the same users and of others."""
    hanging = NewJob(kind=JobKind.JUDGE, lane="judge:1", subject="1")

    async def test() -> None:
        never, work = asyncio.Event(), Recorder()

        async def wait(job: Job) -> None:
            await never.wait()

        worker = Worker(
            desk.database,
            {JobKind.JUDGE: wait, JobKind.FOLD: work},
            clock=desk.clock,
            new_id=lambda: secrets.token_hex(8),
            providers={JobKind.JUDGE: "model"},
            concurrency=2,
            grace_seconds=0.02,
        )
        users = [f"user{number}" for number in range(6)]
        for user_id in users:
            await desk.add(hanging, user_id=user_id)
        worker.start()
        await until(lambda: worker.running == 2)
        for user_id in users:
            await desk.add(fold(user_id), user_id=user_id)
        worker.ring()
        await until(lambda: sorted(work.ended) == users and worker.running == 2)
        await worker.aclose()

    asyncio.run(test())


def test_the_bell_wakes_it_at_once(desk: Desk) -> None:
    """With a poll of ten minutes, a ring alone brings the job to work."""

    async def test() -> None:
        work = Recorder()
        async with desk.worker(work, poll_seconds=600) as worker:
            await asyncio.sleep(0.05)
            await desk.add(fold("a"))
            worker.ring()
            await until(lambda: work.ended == ["a"])

    asyncio.run(test())


def test_work_of_another_process_is_found_by_polling(desk: Desk) -> None:
    """Nobody rings, and the job is done all the same."""

    async def test() -> None:
        work = Recorder()
        async with desk.worker(work):
            await asyncio.sleep(0.05)
            await desk.add(fold("a"))
            await until(lambda: work.ended == ["a"])

    asyncio.run(test())


def test_every_user_is_served(desk: Desk) -> None:
    """A job runs for the user who caused it, and two users' jobs of one lane name do not wait for each other."""

    async def test() -> None:
        seen: list[tuple[str, str]] = []
        together = asyncio.Barrier(2)

        async def work(job: Job) -> None:
            async with asyncio.timeout(30):
                await together.wait()
            seen.append((job.user_id, job.subject))

        await desk.add(fold("a"))
        await desk.add(fold("b"), user_id="bob")
        async with desk.worker(work) as worker:
            assert await worker.drain("ann", 30) and await worker.drain("bob", 30)
        assert sorted(seen) == [("ann", "a"), ("bob", "b")]

    asyncio.run(test())


# -- outcomes ---------------------------------------------------------------------------------------------------


def test_a_failing_job_is_tried_again_with_growing_waits_until_it_is_dead(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    """Each wait is twice the one before; after the last try the job is dead, and revived it is done."""
    caplog.set_level(logging.INFO, "recollect.worker")

    async def test() -> None:
        work = Recorder()
        work.error = ModelError("The model is down.")
        await desk.add(fold("a"))
        async with desk.worker(work) as worker:
            for attempt in range(1, MAX_ATTEMPTS):
                await until(lambda attempt=attempt: worker.retried == attempt)
                (job,) = await desk.all()
                assert (job.status, job.attempts) == (JobStatus.PENDING, attempt)
                assert job.run_at == desk.clock() + FIRST_WAIT * 2 ** (attempt - 1)
                assert job.last_error == "ModelError: The model is down."
                desk.clock.now = job.run_at
            await until(lambda: worker.dead == 1)
            assert (worker.failed, worker.retried, len(work.begun)) == (
                MAX_ATTEMPTS,
                MAX_ATTEMPTS - 1,
                MAX_ATTEMPTS,
            )
            (job,) = await desk.all(status=JobStatus.DEAD)
            assert await worker.drain("ann", 0)
            work.error = None
            assert await desk.database.write(
                "ann", lambda tx: jobs.revive(tx, "ann", job.job_id, desk.clock())
            )
            assert await worker.drain("ann", 30)
        assert work.ended == ["a"]

    asyncio.run(test())
    events = [record.getMessage() for record in caplog.records]
    assert events[0] == "job.failed user=ann job=000001 kind=fold attempts=1 error=ModelError"
    assert events[-2] == "job.dead user=ann job=000001 kind=fold attempts=8 error=ModelError"
    assert events[-1].startswith("job.done user=ann job=000001 kind=fold seconds=0.")


def test_the_words_of_a_foreign_error_are_not_kept(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """What a library says may quote a user: neither the job nor the log holds it, but they say where it happened."""

    async def test() -> None:
        work = Recorder()
        work.error = ValueError("could not parse: I have a rare disease")
        await desk.add(fold("a"))
        async with desk.worker(work) as worker:
            await until(lambda: worker.failed == 1)
        (job,) = await desk.all()
        assert job.last_error is not None and job.last_error.startswith("ValueError in __call__, line ")

    asyncio.run(test())
    assert "disease" not in caplog.text


def test_a_job_can_ask_to_run_again(desk: Desk) -> None:
    """What returns `Again` waits for its time, counts no failure, and holds no `drain` up."""

    async def test() -> None:
        at = desk.clock() + timedelta(minutes=35)
        answers = [Again(at=at), None]

        async def work(job: Job) -> Again | None:
            return answers.pop(0)

        await desk.add(fold("a"))
        async with desk.worker(work) as worker:
            assert await worker.drain("ann", 30)
            (job,) = await desk.all()
            assert (job.status, job.attempts, job.run_at) == (JobStatus.PENDING, 0, at)
            assert len(answers) == 1
            desk.clock.now = at
            assert await worker.drain("ann", 30)
        assert (worker.done, worker.failed) == (1, 0)
        assert await desk.all() == [] and not answers

    asyncio.run(test())


def test_a_job_that_kills_its_worker_is_quarantined(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """Three workers died while they ran it and nothing else: no fourth begins it, until somebody revives it."""

    async def test() -> None:
        await desk.add(fold("a"))
        for _ in range(MAX_DEATHS):
            await desk.die()
        work = Recorder()
        async with desk.worker(work) as worker:
            await until(lambda: worker.quarantined == 1)
            assert (worker.failed, worker.dead) == (0, 0)
            (job,) = await desk.all(status=JobStatus.DEAD)
            assert (job.attempts, job.last_error) == (
                0,
                "Quarantined: 3 times its worker died while it ran alone.",
            )
            assert work.begun == []
            await desk.database.write("ann", lambda tx: jobs.revive(tx, "ann", job.job_id, desk.clock()))
            assert await worker.drain("ann", 30)
        assert work.ended == ["a"]

    asyncio.run(test())
    events = [record.getMessage() for record in caplog.records]
    assert events == ["job.quarantined user=ann job=000001 kind=fold"]


def test_kills_alone_do_not_end_a_job(desk: Desk) -> None:
    """However often its worker dies beside other work, a job lives on and has not failed."""

    async def test() -> None:
        await desk.add(fold("a"), fold("b", "chat:2"))
        for _ in range(MAX_ATTEMPTS + 1):
            await desk.die(alone=False)
        work = Recorder()
        async with desk.worker(work) as worker:
            assert await worker.drain("ann", 30)
            assert (worker.done, worker.failed, worker.quarantined) == (2, 0, 0)
        assert sorted(work.ended) == ["a", "b"]

    asyncio.run(test())


def test_what_workers_died_of_runs_alone(desk: Desk) -> None:
    """A job that may have killed two workers takes nobody along: it waits for the others, and they wait for it."""

    async def test() -> None:
        begun, gate = list[str](), asyncio.Event()

        async def work(job: Job) -> None:
            begun.append(job.subject)
            await gate.wait()
            if job.subject == "b":
                await asyncio.sleep(0.1)
                assert worker.running == 1

        await desk.add(fold("b"), user_id="bob")
        await desk.die(alone=False)
        await desk.die(alone=False, leased_seconds=1)
        await desk.add(*(fold(f"a{n}", f"chat:{n}") for n in range(3)))
        async with desk.worker(work, concurrency=4) as worker:
            await until(lambda: begun == ["a0", "a1"])
            desk.clock.move(seconds=2)
            await asyncio.sleep(0.1)
            gate.set()
            assert await worker.drain("ann", 30) and await worker.drain("bob", 30)
            assert worker.failed == 0
        assert begun == ["a0", "a1", "a2", "b"]

    asyncio.run(test())


def test_kinds_that_nobody_here_knows_stay(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    """A kind of another version or without work is left for others, said once, and holds nobody else up."""

    async def test() -> None:
        await desk.add(*(NewJob(kind=JobKind.SPINE, lane=f"x{n}", subject=str(n)) for n in range(99)))
        await desk.add(fold("a"))
        work = Recorder()
        async with desk.worker(work) as worker:
            await until(lambda: work.ended == ["a"])
            worker.ring()
            await asyncio.sleep(0.1)
        left = await desk.all()
        assert len(left) == 99 and {job.attempts for job in left} == {0}

    asyncio.run(test())
    assert [record.getMessage() for record in caplog.records] == ["job.unknown_kind kind=spine"]


# -- leases -----------------------------------------------------------------------------------------------------


def test_an_abandoned_job_is_taken_up(desk: Desk) -> None:
    """When a lease runs out another worker does the job; the first one's end changes nothing then."""

    async def test() -> None:
        slow, quick = Recorder(), Recorder()
        slow.gate.clear()
        await desk.add(fold("a"), fold("b"))
        async with desk.worker(slow, concurrency=1) as stalled:
            await until(lambda: slow.begun == ["a"])
            async with desk.worker(quick) as other:
                await asyncio.sleep(0.1)
                assert quick.begun == []
                # Nobody looks after the stalled worker's lease: its heartbeat comes every five real seconds.
                desk.clock.move(seconds=LEASE.total_seconds())
                quick.gate.clear()
                await until(lambda: quick.begun == ["a"])
                slow.gate.set()
                await until(lambda: slow.ended == ["a"])
                await until(lambda: stalled.running == 0)
                assert (stalled.done, [job.subject for job in await desk.all()]) == (0, ["a", "b"])
                quick.gate.set()
                assert await other.drain("ann", 30)
        assert stalled.done + other.done == 2
        assert sorted(slow.ended + quick.ended) == ["a", "a", "b"]

    asyncio.run(test())


def test_a_heartbeat_keeps_the_lease(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """A job that runs for longer than its lease stays with its worker as long as that lives."""
    monkeypatch.setattr(module, "HEARTBEAT_SECONDS", 0.01)

    async def test() -> None:
        slow, quick = Recorder(), Recorder()
        slow.gate.clear()
        await desk.add(fold("a"))
        async with desk.worker(slow) as living:
            await until(lambda: slow.begun == ["a"])
            async with desk.worker(quick):
                for _ in range(8):
                    moved = desk.clock.move(seconds=LEASE.total_seconds() / 2)
                    async with asyncio.timeout(30):
                        while (await desk.all())[0].leased_until != moved + LEASE:  # noqa: ASYNC110 - as in `until`
                            await asyncio.sleep(0.005)
                assert quick.begun == []
                slow.gate.set()
                assert await living.drain("ann", 30)
        assert slow.ended == ["a"]

    asyncio.run(test())


def test_work_whose_lease_is_lost_is_cancelled(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """When its user is forgotten meanwhile, a job is stopped and leaves nothing behind."""
    monkeypatch.setattr(module, "HEARTBEAT_SECONDS", 0.01)

    async def test() -> None:
        work = Recorder()
        work.gate.clear()
        await desk.add(fold("a"))
        async with desk.worker(work) as worker:
            await until(lambda: work.begun == ["a"])
            await desk.database.write("ann", lambda tx: tx.run("DELETE FROM jobs WHERE user_id = 'ann'"))
            await until(lambda: worker.running == 0)
            assert (worker.done, worker.failed, work.ended) == (0, 0, [])
        assert await desk.all() == []

    asyncio.run(test())


# -- closing ----------------------------------------------------------------------------------------------------


def test_a_closed_worker_gives_its_jobs_back(desk: Desk) -> None:
    """What does not end in time is cancelled and free for others at once, as if it had not been begun."""

    async def test() -> None:
        work = Recorder()
        work.gate.clear()
        await desk.add(fold("a"), fold("b", "chat:2"))
        async with desk.worker(work) as worker:
            await until(lambda: len(work.begun) == 2)
            await worker.aclose()
            back = await desk.all()
            assert [(job.status, job.attempts, job.lease) for job in back] == [
                (JobStatus.PENDING, 0, None)
            ] * 2
        work.gate.set()
        async with desk.worker(work) as other:
            assert await other.drain("ann", 30)
        assert sorted(work.ended) == ["a", "b"]

    asyncio.run(test())


def test_closing_waits_for_what_is_nearly_done(desk: Desk) -> None:
    """Within the grace a job ends by itself and is done; nothing new is taken."""

    async def test() -> None:
        begun = asyncio.Event()

        async def work(job: Job) -> None:
            begun.set()
            await asyncio.sleep(0.05)

        await desk.add(fold("a"), fold("b"))
        async with desk.worker(work, grace_seconds=30) as worker:
            await until(begun.is_set)
            await worker.aclose()
            assert (worker.done, worker.running) == (1, 0)
        assert [job.subject for job in await desk.all()] == ["b"]

    asyncio.run(test())


def test_what_cannot_be_stopped_keeps_its_lease(desk: Desk) -> None:
    """A job that goes on although cancelled is not given to others while it may still be at work."""

    async def test() -> None:
        stop, begun = asyncio.Event(), asyncio.Event()

        async def work(job: Job) -> None:
            begun.set()
            while not stop.is_set():
                with suppress(asyncio.CancelledError):
                    await stop.wait()

        await desk.add(fold("a"))
        async with desk.worker(work) as worker:
            await until(begun.is_set)
            await worker.aclose()
            (job,) = await desk.all()
            assert (job.status, job.leased_until) == (JobStatus.RUNNING, desk.clock() + LEASE)
            stop.set()
            await until(lambda: worker.running == 0)
        assert await desk.all() == []

    asyncio.run(test())


def test_a_job_that_cancels_itself_has_failed(desk: Desk) -> None:
    """A cancellation that nobody asked for is a failure with a wait, not a job given back for the next moment."""

    async def work(job: Job) -> None:
        raise asyncio.CancelledError

    async def test() -> None:
        await desk.add(fold("a"))
        async with desk.worker(work) as worker:
            await until(lambda: worker.failed == 1)
        (job,) = await desk.all()
        assert (job.attempts, job.last_error) == (1, "CancelledError")

    asyncio.run(test())


def test_a_cancelled_worker_gives_its_jobs_back(desk: Desk) -> None:
    """Ctrl-C on `run_forever` cancels it, and the leases are free all the same."""

    async def test() -> None:
        work = Recorder()
        work.gate.clear()
        worker = Worker(
            desk.database, {JobKind.FOLD: work}, clock=desk.clock, new_id=lambda: "lease", grace_seconds=0.02
        )
        await desk.add(fold("a"))
        running = asyncio.create_task(worker.run_forever())
        await until(lambda: work.begun == ["a"])
        running.cancel()
        with pytest.raises(asyncio.CancelledError):
            await running
        (job,) = await desk.all()
        assert (job.status, job.attempts) == (JobStatus.PENDING, 0)

    asyncio.run(test())


def test_a_slow_store_still_gets_the_leases_back(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time that jobs get to end is not the store's: however short it is, what was cancelled is written down."""
    release = module.jobs.release

    def slowly(tx: Connection, job: Job) -> bool:
        time.sleep(0.3)
        return release(tx, job)

    monkeypatch.setattr(module.jobs, "release", slowly)

    async def test() -> None:
        work = Recorder()
        work.gate.clear()
        await desk.add(fold("a"))
        async with desk.worker(work, grace_seconds=0.01):
            await until(lambda: work.begun == ["a"])
        (job,) = await desk.all()
        assert (job.status, job.attempts, job.lease) == (JobStatus.PENDING, 0, None)

    asyncio.run(test())


@pytest.mark.parametrize("ticks", range(4))
def test_a_cancellation_that_comes_with_the_bell_is_not_lost(desk: Desk, ticks: int) -> None:
    """An event loop that ends in the instant of a ring ends: nothing of the worker goes on although cancelled."""

    async def test() -> None:
        async with desk.worker(Recorder(), poll_seconds=600) as worker:
            await asyncio.sleep(0.05)
            worker.ring()
            for _ in range(ticks):
                await asyncio.sleep(0)
            others = asyncio.all_tasks() - {asyncio.current_task()}
            for task in others:
                task.cancel()
            _, left = await asyncio.wait(others, timeout=10)
            assert not left

    asyncio.run(test())


def test_a_store_that_never_answers_does_not_hold_up_the_end(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A look or a claim that hangs is given up when the worker is closed."""
    monkeypatch.setattr(module, "CLAIM_SECONDS", 0.05)

    async def test() -> None:
        silent = Failing(desk.database)
        silent.answers.clear()
        worker = Worker(silent, {JobKind.FOLD: Recorder()}, clock=desk.clock, new_id=lambda: "lease")  # type: ignore[arg-type]
        worker.start()
        await until(lambda: silent.asked)
        async with asyncio.timeout(30):
            await worker.aclose()
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(test())


# -- waiting ----------------------------------------------------------------------------------------------------


def test_drain_waits_for_one_user_alone(desk: Desk) -> None:
    """Another's work, and work scheduled for later, are not waited for; one's own is, in vain if it does not end."""

    async def test() -> None:
        work = Recorder()
        work.gate.clear()
        at = desk.clock() + timedelta(hours=1)
        await desk.add(fold("a"))
        await desk.add(NewJob(kind=JobKind.FOLD, lane="x", subject="later", run_at=at), user_id="bob")
        async with desk.worker(work) as worker:
            assert await worker.drain("bob", 0)
            assert await worker.drain("nobody", 0)
            assert not await worker.drain("ann", 0.1)
            work.gate.set()
            assert await worker.drain("ann", 30)

    asyncio.run(test())


# -- a store that fails -----------------------------------------------------------------------------------------


class Failing:
    """A database that can be told to fail or to be silent; otherwise it is the one it was made of."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self.reads_fail = 0
        self.writes_fail = 0
        #: While closed, no read ends.
        self.answers = asyncio.Event()
        self.answers.set()
        self.asked = False

    async def read(self, user_id: str, work: Callable[[Connection], T]) -> T:
        self.asked = True
        await self.answers.wait()
        if self.reads_fail:
            self.reads_fail -= 1
            raise StoreUnavailable("The server is restarting.")
        return await self._database.read(user_id, work)

    async def write(self, user_id: str, work: Callable[[Connection], T]) -> T:
        if self.writes_fail:
            self.writes_fail -= 1
            raise StoreUnavailable("The server is restarting.")
        return await self._database.write(user_id, work)


def test_a_failing_store_does_not_end_it(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """When looks and claims fail the worker says so, waits, and goes on when the store is back."""
    monkeypatch.setattr(module, "STORE_FAILED_SECONDS", 0.01)

    async def test() -> None:
        work, failing = Recorder(), Failing(desk.database)
        failing.reads_fail = failing.writes_fail = 3
        await desk.add(fold("a"))
        worker = Worker(failing, {JobKind.FOLD: work}, clock=desk.clock, new_id=lambda: "lease")  # type: ignore[arg-type]
        worker.start()
        await until(lambda: work.ended == ["a"])
        await worker.aclose()

    asyncio.run(test())
    words = "worker.store_failed error=StoreUnavailable: The server is restarting."
    assert [record.getMessage() for record in caplog.records] == [words] * 6


def test_a_job_whose_end_could_not_be_stored_runs_again(desk: Desk) -> None:
    """Late, not lost: its lease runs out, and it is done once more."""

    async def test() -> None:
        failing = Failing(desk.database)
        begun: list[str] = []

        async def work(job: Job) -> None:
            begun.append(job.subject)
            failing.writes_fail = 1 if len(begun) == 1 else 0

        await desk.add(fold("a"))
        worker = Worker(
            failing,  # type: ignore[arg-type]
            {JobKind.FOLD: work},
            clock=desk.clock,
            new_id=lambda: f"lease{len(begun)}",
            poll_seconds=0.02,
        )
        worker.start()
        await until(lambda: len(begun) == 1 and worker.running == 0)
        desk.clock.move(seconds=LEASE.total_seconds())
        assert await worker.drain("ann", 30)
        await worker.aclose()
        assert begun == ["a", "a"]

    asyncio.run(test())


def test_what_had_better_wait_is_begun_later(desk: Desk) -> None:
    """A job that is due is left where it is while its user is being answered, and the work of others goes on."""

    async def test() -> None:
        work, answered = Recorder(), {"ann"}
        await desk.add(fold("a"))
        await desk.add(fold("b"), user_id="bob")
        async with desk.worker(work, waits=lambda job: job.user_id in answered) as worker:
            await until(lambda: work.begun == ["b"])
            assert await worker.drain("bob", 30)
            assert not await worker.drain("ann", 0)
            answered.clear()
            assert await worker.drain("ann", 30)
            assert work.begun == ["b", "a"]

    asyncio.run(test())


def test_many_that_wait_hold_up_nobody_else(desk: Desk) -> None:
    """However many jobs of somebody who is being answered are due, another's is begun."""

    async def test() -> None:
        work, answered = Recorder(), {"ann"}
        await desk.add(*(fold(f"a{number}", f"chat:{number}") for number in range(40)))
        desk.clock.move(seconds=1)
        await desk.add(fold("b"), user_id="bob")
        async with desk.worker(work, waits=lambda job: job.user_id in answered) as worker:
            assert await worker.drain("bob", 30)
            assert work.begun == ["b"]

    asyncio.run(test())


def test_a_closed_database_ends_it(desk: Desk) -> None:
    """Its owner closed the database: there is nothing left to wait for."""

    async def test() -> None:
        work = Recorder()
        async with desk.worker(work) as worker:
            running = asyncio.create_task(worker.run_forever())
            await asyncio.sleep(0.05)
            await desk.database.aclose()
            async with asyncio.timeout(30):
                await running

    asyncio.run(test())


def test_a_cancelled_run_can_be_started_again(desk: Desk) -> None:
    """What `work` did until it was cancelled, it does when it is called again."""

    async def test() -> None:
        work = Recorder()
        async with desk.worker(work) as worker:
            for subject in ("a", "b"):
                running = asyncio.create_task(worker.run_forever())
                await desk.add(fold(subject, f"chat:{subject}"))
                worker.ring()
                assert await worker.drain("ann", 30)
                running.cancel()
                await asyncio.wait([running])
        assert work.begun == ["a", "b"]

    asyncio.run(test())


def test_a_new_event_loop_is_worked_on(sqlite_path: Path, clock: FakeClock) -> None:
    """A worker whose loop has ended works on the next one, and closes without a word."""
    memory = AsyncMemory(sqlite_path, embedder=FakeEmbedder(), clock=clock)

    async def talk() -> bool:
        chat = memory.chat("c", user="ann")
        await chat.add([{"role": "user", "text": f"I walked {number} km."} for number in range(60)])
        return await memory.drain(user="ann")

    assert asyncio.run(talk())
    assert asyncio.run(talk())
    asyncio.run(memory.close())
