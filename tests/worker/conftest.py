"""What tests of the worker start from: a database that can be filled with jobs, and workers that are closed."""

import asyncio
import secrets
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import timedelta
from itertools import count
from typing import Any

import pytest

from recollect.records.job import Job, JobKind, JobStatus, NewJob
from recollect.store import jobs
from recollect.store.database import EVERYONE, Connection, Database
from recollect.worker.worker import Outcome, Worker

Work = Callable[[Job], Awaitable[Outcome]]


class Desk:
    """Where work is written down and workers are hired."""

    def __init__(self, database: Database, clock: Callable[[], Any]) -> None:
        self.database = database
        self.clock = clock
        self._ids = count(1)

    async def add(self, *made: NewJob, user_id: str = "ann") -> None:
        def work(tx: Connection) -> int:
            return jobs.add(tx, user_id, made, now=self.clock(), new_id=lambda: f"{next(self._ids):06}")

        await self.database.write(user_id, work)

    async def all(self, user_id: str = "ann", status: JobStatus | None = None) -> list[Job]:
        return await self.database.read(user_id, lambda tx: jobs.of_user(tx, user_id, status))

    async def die(self, *, alone: bool = True, leased_seconds: float = 0.0) -> None:
        """A worker begins all that it may, one job alone or several, and is killed; its leases run out then."""
        now = self.clock()
        until = now + timedelta(seconds=leased_seconds)
        found = await self.database.read(
            EVERYONE, lambda tx: jobs.due(tx, now, {kind.value: "" for kind in JobKind})
        )
        for job in found.jobs:
            await self.database.write(
                job.user_id,
                lambda tx, job=job: jobs.claim(tx, job, lease="dead", until=until, now=now, alone=alone),
            )

    @asynccontextmanager
    async def worker(self, work: Work, **options: Any) -> AsyncIterator[Worker]:
        """A worker that is at work until the end of the block."""
        options = {"poll_seconds": 0.02, "grace_seconds": 0.02, **options}
        worker = Worker(
            self.database,
            {JobKind.FOLD: work},
            clock=self.clock,
            new_id=lambda: secrets.token_hex(8),
            **options,
        )
        worker.start()
        try:
            yield worker
        finally:
            await worker.aclose()


def fold(subject: str, lane: str = "chat:1") -> NewJob:
    """A job to be written down."""
    return NewJob(kind=JobKind.FOLD, lane=lane, subject=subject)


async def until(condition: Callable[[], bool], seconds: float = 30.0) -> None:
    """Wait for what other tasks do; the limit only ends a test that has failed."""
    async with asyncio.timeout(seconds):
        while not condition():  # noqa: ASYNC110 - what is waited for is no event
            await asyncio.sleep(0.005)


@pytest.fixture
def desk(database: Database, clock: Callable[[], Any]) -> Desk:
    """A fresh, migrated database, once for each kind, and a clock that stands still."""
    return Desk(database, clock)
