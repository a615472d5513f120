"""What other processes do in tests of the worker; run as `python -m worker.child <deed> …` from the tests' folder.

A job of these tests leaves a line in a file when it is done, so that the parent can read what happened in which order.
"""

import asyncio
import os
import secrets
import signal
import sys
import time
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

from recollect.records.job import Job, JobKind
from recollect.settings import Settings
from recollect.store.database import Database
from recollect.store.postgres import PostgresDatabase
from recollect.store.sqlite import SqliteDatabase
from recollect.worker.worker import Worker

#: When the jobs of these tests were written.
START = datetime(2026, 3, 1, 12, tzinfo=UTC)
#: The lane of jobs that kill the process that runs them.
DEADLY = "deadly"


def open_database(url: str) -> Database:
    """The database at an address."""
    kind = PostgresDatabase if url.startswith("postgresql://") else SqliteDatabase
    return kind(url, Settings())


def append(path: Path, line: str) -> None:
    """One line, whole, whoever else writes."""
    file = os.open(path, os.O_WRONLY | os.O_APPEND | os.O_CREAT)
    os.write(file, f"{line}\n".encode())
    os.close(file)


def noting(folder: Path, pause: float) -> Callable[[Job], Awaitable[None]]:
    """Work that notes down that it was done, and that it met another in its lane if it did."""

    async def work(job: Job) -> None:
        occupied = folder / f"{job.user_id}.{job.lane}.lock"
        try:
            os.close(os.open(occupied, os.O_CREAT | os.O_EXCL))
        except FileExistsError:
            append(folder / "met", job.subject)
        await asyncio.sleep(pause)
        if job.lane == DEADLY:
            os.kill(os.getpid(), signal.SIGKILL)
        append(folder / "done", f"{job.user_id} {job.lane} {job.subject}")
        occupied.unlink(missing_ok=True)

    return work


async def work(url: str, folder: str, pause: str, haste: str) -> None:
    """Carry out jobs until killed; the clock runs so many times as fast as the real one, so that leases run out soon.

    When the test itself was killed, nobody is left to kill this: it ends with its parent.
    """
    parent = os.getppid()
    database = open_database(url)
    await database.prepare()

    def clock() -> datetime:
        return START + timedelta(seconds=(time.time() - START.timestamp()) * float(haste))

    worker = Worker(
        database,
        {JobKind.FOLD: noting(Path(folder), float(pause))},
        clock=clock,
        new_id=lambda: secrets.token_hex(8),
        poll_seconds=0.05,
    )
    working = asyncio.create_task(worker.run_forever())
    while not working.done() and os.getppid() == parent:
        await asyncio.wait([working], timeout=1)
    working.cancel()
    await asyncio.wait([working])


if __name__ == "__main__":
    asyncio.run(work(*sys.argv[1:]))
