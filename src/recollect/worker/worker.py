"""The worker: takes jobs from the outbox and runs them, with any number of workers in any number of processes.

Each process has one dispatcher, which looks for due jobs without writing and claims only those it has a free slot for,
because many claimers would compete for SQLite's single writer. `ring` wakes it at once; it also polls, in case another
process created work. No transaction is open while a job runs. A heartbeat renews the leases of running jobs; a killed
worker's leases expire, and another worker takes over its jobs. So each job runs at least once.

Users are served in rotation. Jobs that wait for a provider have separate slots, so that a hanging model delays nothing
else, and no user may use more than half of the slots of a kind. A job whose worker died twice runs alone, so that it
affects no other job; if three workers die running it, it is quarantined.

The worker does not know what a job does; each kind has its own function. Times in the store follow the given clock, but
waiting uses real time. `LISTEN`/`NOTIFY` was rejected: SQLite lacks it, and half a second's delay harms no summary.
"""

import asyncio
import logging
import time
import traceback
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime

from recollect.errors import RecollectError, StoreClosed
from recollect.records.job import ALONE_AFTER, LEASE, MAX_DEATHS, Job, JobKind, JobStatus, next_try
from recollect.records.moment import iso
from recollect.store import jobs
from recollect.store.database import EVERYONE, Connection, Database

log = logging.getLogger(__name__)

#: Seconds between signs of life: two may fail before a lease runs out.
HEARTBEAT_SECONDS = LEASE.total_seconds() / 3
#: Slots for what waits for a provider, for each, and for the work of this process; one user alone can hold half of them.
#: measured: with 2 per user, a single user's backlog takes a third longer than with 4
SLOTS = 8
#: Seconds for which a look serves: what others write meanwhile waits no longer than that for its turn.
LOOK_SECONDS = 0.1
#: Seconds to wait after another process was faster, after the store failed, and between two looks of `drain`.
MISSED_SECONDS = 0.01
STORE_FAILED_SECONDS = 1.0
DRAIN_SECONDS = 0.05
#: Seconds to wait when some of what is due had better wait, or was not seen yet.
WAITING_SECONDS = 0.1
#: Seconds that running jobs get to end by themselves when the worker is closed, and then to let themselves be cancelled.
GRACE_SECONDS = 2.0
#: Seconds that the dispatcher gets to end a look or a claim when the worker is closed: a lease that it took before is
#: not worth waiting for any longer.
CLAIM_SECONDS = LEASE.total_seconds()
#: Seconds that the store gets to write down how the last jobs ended when the worker is closed: a busy one must not cost
#: others the wait for a lease, and one that never answers must not hold up the end.
SETTLE_SECONDS = 10.0
#: Seconds between two looks for kinds of jobs that nobody here knows.
STRANGERS_SECONDS = 60.0
#: How long others go first before a job that must run alone stops them from starting.
SUSPECT_WAITS_SECONDS = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Again:
    """Returned by a job that should run again without having failed."""

    at: datetime


#: None: it is done.
Outcome = Again | None


@dataclass(slots=True)
class _Running:
    """A running job: its task, and the task that monitors it."""

    job: Job
    work: "asyncio.Task[Outcome]"
    task: "asyncio.Task[None]"


class Worker:
    """Runs all users' jobs, a few at once, one at a time in each lane."""

    def __init__(
        self,
        database: Database,
        handlers: Mapping[JobKind, Callable[[Job], Awaitable[Outcome]]],
        *,
        clock: Callable[[], datetime],
        new_id: Callable[[], str],
        concurrency: int = SLOTS,
        poll_seconds: float = 0.5,
        providers: Mapping[JobKind, str] | None = None,
        waits: Callable[[Job], bool] = lambda job: False,
        grace_seconds: float = GRACE_SECONDS,
    ) -> None:
        self._database = database
        self._handlers = {str(kind): handler for kind, handler in handlers.items()}
        self._clock = clock
        self._new_id = new_id
        self._concurrency = concurrency
        #: What jobs of a kind wait for outside this process; a kind without an entry waits for nothing.
        self._providers = {str(kind): provider for kind, provider in (providers or {}).items()}
        self._poll_seconds = poll_seconds
        #: Whether a job that is due is better begun a little later.
        self._waits = waits
        self._grace_seconds = grace_seconds
        self._bell = asyncio.Event()
        #: Set, and replaced, whenever a job has ended.
        self._ended = asyncio.Event()
        self._stopping = False
        #: How many wait in `drain`.
        self.draining = 0
        self._tasks: list[asyncio.Task[None]] = []
        #: The event loop that it works on.
        self._loop: asyncio.AbstractEventLoop | None = None
        #: Seen to be due and not yet claimed, and until when that counts; a claim asks again.
        self._ready: list[Job] = []
        self._ready_until = 0.0
        #: How long to wait when none of these can be begun.
        self._pause = poll_seconds
        #: The user whom the last look reached, by kind, and the user who was served last, by provider.
        self._reached: dict[str, str] = {}
        self._served: dict[str, str] = {}
        #: Jobs that must run alone, by user and id, and since when they have waited.
        self._suspected: dict[tuple[str, str], float] = {}
        #: What is at work, by lease.
        self._running: dict[str, _Running] = {}
        self._strangers: set[str] = set()
        self._strangers_at = 0.0
        #: It has looked for work, and the store answered.
        self._looked = False
        #: Counted since the start, for metrics. `failed` counts every failure: `retried` and `dead` add up to it.
        self.done = 0
        self.failed = 0
        self.retried = 0
        self.dead = 0
        self.quarantined = 0

    # -- from outside -------------------------------------------------------------------------------------

    @property
    def running(self) -> int:
        """The number of running jobs."""
        return len(self._running)

    @property
    def answers(self) -> bool:
        """Whether it was started, has looked for work and is still looking."""
        return self._looked and bool(self._tasks) and not self._tasks[0].done()

    def start(self) -> None:
        """Work in the background of the running event loop; a second call changes nothing.

        What was begun on a loop that has ended since is given up: its leases run out, and it is begun again.
        """
        loop = asyncio.get_running_loop()
        if self._tasks and self._loop is not loop:
            self._tasks, self._running = [], {}
            self._ready.clear()
            self._bell, self._ended = asyncio.Event(), asyncio.Event()
        self._loop = loop
        if not self._tasks and not self._stopping:
            self._tasks = [asyncio.create_task(self._dispatch()), asyncio.create_task(self._beat())]

    def ring(self) -> None:
        """Look for new work at once."""
        self._ready_until = 0.0
        self._bell.set()

    async def run_forever(self) -> None:
        """Work until cancelled, or until the database is closed."""
        self.start()
        try:
            await asyncio.wait(self._tasks[:1])
        finally:
            await self.aclose()
            self._stopping = False  # Only this run has ended: the worker can be started again.

    async def drain(self, user_id: str, seconds: float) -> bool:
        """Wait until any process has done a user's work; False on timeout.

        Jobs scheduled for later and dead jobs do not count.
        """
        deadline = time.monotonic() + seconds
        self.draining += 1
        try:
            while True:
                ended = self._ended
                if not await self._database.read(
                    user_id, lambda tx: jobs.open_count(tx, user_id, self._clock())
                ):
                    return True
                rest = deadline - time.monotonic()
                if rest <= 0:
                    return False
                self._bell.set()
                await _wait(ended, min(rest, DRAIN_SECONDS))
        finally:
            self.draining -= 1

    async def aclose(self) -> None:
        """Take no more jobs, finish or cancel running ones, and release their leases so that others can continue at once."""
        self._stopping = True
        if self._loop is not asyncio.get_running_loop():
            # Nothing of another loop can be awaited here.
            self._tasks, self._running = [], {}
        self.ring()
        if self._tasks:
            # Not cancelled at once: in the middle of a claim that would leave a lease that nobody holds.
            await asyncio.wait(self._tasks[:1], timeout=CLAIM_SECONDS)
        if self._running:
            await asyncio.wait([each.task for each in self._running.values()], timeout=self._grace_seconds)
        for each in self._running.values():
            each.work.cancel()
        if self._running:
            # What does not even let itself be cancelled keeps its lease, which will run out.
            await asyncio.wait([each.work for each in self._running.values()], timeout=self._grace_seconds)
        if ended := [each.task for each in self._running.values() if each.work.done()]:
            await asyncio.wait(ended, timeout=SETTLE_SECONDS)
        for task in self._tasks:
            task.cancel()
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=self._grace_seconds)
        self._tasks = []

    # -- taking -------------------------------------------------------------------------------------------

    async def _dispatch(self) -> None:
        """Look and claim until stopped, whatever happens to the store."""
        while not self._stopping:
            self._bell.clear()
            try:
                pause = await self._take()
                self._looked = True
            except StoreClosed:
                # By its owner: no waiting will change that.
                return
            except Exception as error:
                _tell_of_store(error)
                pause = STORE_FAILED_SECONDS
            if pause:
                await _wait(self._bell, pause)

    async def _take(self) -> float:
        """Begin one job; how long to wait before the next."""
        kinds = [kind for kind in self._handlers if self._has_slot(self._provider(kind))]
        if not kinds:
            return self._poll_seconds
        stale = not self._ready or time.monotonic() >= self._ready_until
        if stale:
            # First, so that a ring that comes meanwhile is not lost.
            self._ready_until = time.monotonic() + LOOK_SECONDS
            self._ready = await self._look(kinds)
        job = self._next()
        if job is None or self._stopping:
            return self._pause if stale else LOOK_SECONDS
        self._ready.remove(job)
        if not await self._begin(job):
            self._ready = []
            return MISSED_SECONDS
        return 0.0

    def _next(self) -> Job | None:
        """The job to begin now: abandoned ones first, then the users' in rotation; None: none has a slot."""
        running = [each.job for each in self._running.values()]
        if any(job.begun > ALONE_AFTER for job in running):
            return None
        suspects = [job for job in self._ready if job.begun >= ALONE_AFTER]
        if suspects and (not running or self._waited(suspects[0])):
            return None if running else suspects[0]

        def turn(job: Job) -> tuple[bool, bool, str, datetime]:
            served = self._served.get(self._provider(job.kind), "")
            return job.status is JobStatus.PENDING, job.user_id <= served, job.user_id, job.run_at

        free = [
            job
            for job in self._ready
            if job.begun < ALONE_AFTER and self._has_slot(self._provider(job.kind), job.user_id)
        ]
        return min(free, key=turn, default=None)

    def _waited(self, suspect: Job) -> bool:
        """Whether a job that must run alone has waited so long that the others must let it."""
        since = self._suspected.setdefault((suspect.user_id, suspect.job_id), time.monotonic())
        return time.monotonic() - since > SUSPECT_WAITS_SECONDS

    def _provider(self, kind: str) -> str:
        return self._providers.get(kind, "")

    def _has_slot(self, provider: str, user_id: str | None = None) -> bool:
        """Whether one more job may wait for this provider; one user's at most in half of the slots."""
        holders = [
            each.job.user_id for each in self._running.values() if self._provider(each.job.kind) == provider
        ]
        half = max(1, self._concurrency // 2)
        return len(holders) < self._concurrency and (user_id is None or holders.count(user_id) < half)

    async def _look(self, kinds: Collection[str]) -> list[Job]:
        now = self._clock()
        reached = {kind: self._reached.get(kind, "") for kind in kinds}
        for_strangers = time.monotonic() >= self._strangers_at

        def load(tx: Connection) -> tuple[jobs.Candidates, set[str]]:
            return jobs.due(tx, now, reached), jobs.waiting_kinds(tx, now) if for_strangers else set()

        found, waiting = await self._database.read(EVERYONE, load)
        self._reached.update(found.reached)
        if for_strangers:
            self._strangers_at = time.monotonic() + STRANGERS_SECONDS
        for kind in sorted(waiting - self._handlers.keys() - self._strangers):
            # A newer version's worker may know it.
            log.warning("job.unknown_kind kind=%s", kind)
            self._strangers.add(kind)
        ready = [job for job in found.jobs if not self._waits(job)]
        soon = len(ready) < len(found.jobs) or any(found.reached.values())
        self._pause = min(self._poll_seconds, WAITING_SECONDS) if soon else self._poll_seconds
        return ready

    async def _begin(self, seen: Job) -> bool:
        """Claim a job and set it going; False when somebody else came first."""
        now, lease = self._clock(), self._new_id()
        # Of others that are ready some are begun next; beside what two workers died of, none are.
        alone = not self._running and (not self._ready or seen.begun >= ALONE_AFTER)
        job = await self._database.write(
            seen.user_id,
            lambda tx: jobs.claim(tx, seen, lease=lease, until=now + LEASE, now=now, alone=alone),
        )
        if job is None:
            return False
        self._served[self._provider(job.kind)] = job.user_id
        self._suspected.pop((job.user_id, job.job_id), None)
        if job.begun_alone > MAX_DEATHS:
            await self._quarantine(job)
            return True
        work = asyncio.create_task(self._work(job))
        self._running[lease] = _Running(job, work, asyncio.create_task(self._see_through(job, work)))
        return True

    # -- carrying out -------------------------------------------------------------------------------------

    async def _work(self, job: Job) -> Outcome:
        return await self._handlers[job.kind](job)

    async def _see_through(self, job: Job, work: "asyncio.Task[Outcome]") -> None:
        """Wait for the work and record its outcome."""
        began = time.monotonic()
        assert job.lease is not None
        try:
            await asyncio.wait([work])
            await self._write_outcome(job, work, time.monotonic() - began)
        except asyncio.CancelledError:
            # The event loop is being torn down.
            work.cancel()
            await self._settle(job, lambda tx: jobs.release(tx, job))
            raise
        finally:
            del self._running[job.lease]
            self._ended.set()
            self._ended = asyncio.Event()
            self._bell.set()

    async def _write_outcome(self, job: Job, work: "asyncio.Task[Outcome]", seconds: float) -> None:
        if work.cancelled() and self._stopping:
            await self._settle(job, lambda tx: jobs.release(tx, job))
            return
        error = asyncio.CancelledError() if work.cancelled() else work.exception()
        if error is not None:
            await self._fail(job, error)
            return
        outcome = work.result()
        fields = (job.user_id, job.job_id, job.kind)
        if outcome is None:
            if await self._settle(job, lambda tx: jobs.done(tx, job)):
                self.done += 1
                log.info("job.done user=%s job=%s kind=%s seconds=%.3f", *fields, seconds)
        elif await self._settle(job, lambda tx: jobs.again(tx, job, outcome.at)):
            log.info("job.again user=%s job=%s kind=%s at=%s", *fields, iso(outcome.at))

    async def _fail(self, job: Job, error: BaseException) -> None:
        """Try again later, or never; the words of the error stay with the job, the log has only its name."""
        failures = job.attempts + 1
        run_at = next_try(failures, self._clock())
        words = _described(error)
        if not await self._settle(job, lambda tx: jobs.failed(tx, job, words, run_at)):
            return
        self.failed += 1
        fields = (job.user_id, job.job_id, job.kind, failures, type(error).__name__)
        if run_at is None:
            self.dead += 1
            log.error("job.dead user=%s job=%s kind=%s attempts=%d error=%s", *fields)
        else:
            self.retried += 1
            log.warning("job.failed user=%s job=%s kind=%s attempts=%d error=%s", *fields)

    async def _quarantine(self, job: Job) -> None:
        """Do not begin it again: its workers died of it, each time without a word."""
        words = f"Quarantined: {MAX_DEATHS} times its worker died while it ran alone."
        if await self._settle(job, lambda tx: jobs.quarantine(tx, job, words)):
            self.quarantined += 1
            log.error("job.quarantined user=%s job=%s kind=%s", job.user_id, job.job_id, job.kind)

    async def _settle(self, job: Job, write: Callable[[Connection], bool]) -> bool:
        """Write down how it ended; False when it could not be, or the job is no longer ours: it will run again."""
        try:
            kept = await self._database.write(job.user_id, write)
        except Exception as error:
            _tell_of_store(error)
            return False
        if not kept:
            log.warning("job.lost user=%s job=%s kind=%s", job.user_id, job.job_id, job.kind)
        return kept

    # -- signs of life --------------------------------------------------------------------------------------

    async def _beat(self) -> None:
        """Renew the leases of running jobs."""
        while True:
            await asyncio.sleep(HEARTBEAT_SECONDS)
            by_user: dict[str, list[_Running]] = {}
            for each in self._running.values():
                by_user.setdefault(each.job.user_id, []).append(each)
            for user_id, held in by_user.items():
                await self._extend(user_id, held)

    async def _extend(self, user_id: str, held: list[_Running]) -> None:
        until = self._clock() + LEASE
        try:
            kept = await self._database.write(
                user_id, lambda tx: [jobs.extend(tx, each.job, until) for each in held]
            )
        except Exception as error:
            _tell_of_store(error)
            return
        for each, is_kept in zip(held, kept, strict=True):
            if not is_kept and not each.work.done():
                # Another worker is at it, or its user was forgotten; how it ends here changes nothing any more.
                each.work.cancel()


async def _wait(event: asyncio.Event, seconds: float) -> None:
    # Not `wait_for`: before Python 3.12 it loses a cancellation that comes with the event (python/cpython#86296), and
    # ending the event loop waits for ever for a task that was never cancelled.
    with suppress(TimeoutError):
        async with asyncio.timeout(seconds):
            await event.wait()


def _described(error: BaseException) -> str:
    """Our own words, or where it happened: a foreign message may quote what a user said, which jobs never hold."""
    name = type(error).__name__
    if isinstance(error, RecollectError):
        return f"{name}: {error.message}"
    frames = traceback.extract_tb(error.__traceback__)
    return f"{name} in {frames[-1].name}, line {frames[-1].lineno}" if frames else name


def _tell_of_store(error: Exception) -> None:
    """A program that ends without closing its memory is no fault of the store: its jobs are taken up next time."""
    level = logging.INFO if isinstance(error, StoreClosed) else logging.WARNING
    log.log(level, "worker.store_failed error=%s", _described(error))
