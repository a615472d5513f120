"""Workers in several processes on one database: they share the work, keep the lanes apart, and may be killed."""

import asyncio
import random
import signal
import subprocess
import sys
import time
from itertools import count
from pathlib import Path

import pytest

from recollect.records.job import NewJob
from recollect.store import jobs
from recollect.store.database import EVERYONE, Connection, Database
from recollect.worker.worker import Worker

from .child import DEADLY, START
from .conftest import fold

TESTS = Path(__file__).parent.parent


def hire(url: str, folder: Path, *, pause: float, haste: float = 1.0) -> subprocess.Popen[str]:
    """Another process with a worker; it ends when it is killed."""
    command = [sys.executable, "-m", "worker.child", url, str(folder), str(pause), str(haste)]
    return subprocess.Popen(command, cwd=TESTS, stderr=subprocess.PIPE, text=True, start_new_session=True)


def dismiss(process: subprocess.Popen[str]) -> None:
    """Kill it, without a warning."""
    process.send_signal(signal.SIGKILL)
    process.communicate(timeout=30)


def fill(database: Database, lanes: int, each: int) -> dict[str, list[str]]:
    """Write jobs of two users into lanes; what is to be done in each, in order."""
    ids = count(1)
    wanted: dict[str, list[str]] = {}
    for user_id in ("ann", "bob"):
        made = [fold(f"{lane}/{n}", f"lane{lane}") for n in range(each) for lane in range(lanes)]
        for job in made:
            wanted.setdefault(f"{user_id} {job.lane}", []).append(job.subject)

        def work(tx: Connection, user_id: str = user_id, made: list[NewJob] = made) -> int:
            return jobs.add(tx, user_id, made, now=START, new_id=lambda: f"{next(ids):06}")

        asyncio.run(database.write(user_id, work))
    return wanted


def left(database: Database) -> int:
    """How many jobs there are."""
    rows = asyncio.run(database.read(EVERYONE, lambda tx: tx.all("SELECT count(*) FROM jobs")))
    return rows[0][0]


def was_done(folder: Path) -> dict[str, list[str]]:
    """What was done in each lane, in order."""
    found: dict[str, list[str]] = {}
    if (folder / "done").exists():
        for line in (folder / "done").read_text("utf-8").splitlines():
            lane, _, subject = line.rpartition(" ")
            found.setdefault(lane, []).append(subject)
    return found


def wait_for(database: Database, remaining: int, seconds: float = 120.0) -> None:
    """Until so few jobs are left; the limit only ends a test that has failed."""
    deadline = time.monotonic() + seconds
    while left(database) > remaining:
        assert time.monotonic() < deadline, f"{left(database)} jobs are left"
        time.sleep(0.02)


def test_two_processes_share_the_lanes(database_url: str, database: Database, tmp_path: Path) -> None:
    """Each job is done once, each lane in order, never two of a lane at once; who waits elsewhere learns of the end."""
    wanted = fill(database, lanes=5, each=12)
    hired = [hire(database_url, tmp_path, pause=0.003) for _ in range(2)]
    bystander = Worker(database, {}, clock=lambda: START, new_id=str)

    async def wait() -> bool:
        return await bystander.drain("ann", 120) and await bystander.drain("bob", 120)

    try:
        assert asyncio.run(wait())
        assert left(database) == 0
    finally:
        for process in hired:
            dismiss(process)
    assert was_done(tmp_path) == wanted
    assert not (tmp_path / "met").exists()


@pytest.mark.parametrize("seed", [1, 2])
def test_killed_workers_lose_no_job(database_url: str, database: Database, tmp_path: Path, seed: int) -> None:
    """kill -9 of one worker after another, at random moments: every job is done at least once, in order."""
    dice = random.Random(seed)
    wanted = fill(database, lanes=4, each=50)
    kills = 0
    hired = [hire(database_url, tmp_path, pause=0.01, haste=40) for _ in range(2)]
    try:
        while left(database) and kills < 6:
            wait_for(database, left(database) - dice.randint(1, 12))
            dismiss(hired.pop(0))
            kills += 1
            hired.append(hire(database_url, tmp_path, pause=0.01, haste=40))
        wait_for(database, 0)
    finally:
        for process in hired:
            dismiss(process)
    assert kills >= 3
    for lane, subjects in was_done(tmp_path).items():
        # Once is enough for the order: a job that was cut off is done again before the next one begins.
        assert list(dict.fromkeys(subjects)) == wanted[lane]
    assert was_done(tmp_path).keys() == wanted.keys()


def test_a_job_that_kills_every_worker_is_quarantined(
    database_url: str, database: Database, tmp_path: Path
) -> None:
    """Processes that run it die, until it is quarantined; all other work is done, and no other job is given up."""
    wanted = fill(database, lanes=3, each=4)
    deadly = [fold("x", DEADLY)]
    asyncio.run(
        database.write("eve", lambda tx: jobs.add(tx, "eve", deadly, now=START, new_id=lambda: "000000"))
    )

    def given_up() -> list[str]:
        return [job.subject for job in asyncio.run(database.read(EVERYONE, jobs.dead))]

    deaths = 0
    while not given_up():
        process = hire(database_url, tmp_path, pause=0.01, haste=40)
        while process.poll() is None and not given_up():
            time.sleep(0.02)
        deaths += process.poll() is not None
        assert deaths < 10
        if given_up():
            wait_for(database, 1)
        dismiss(process)
    assert deaths >= 3
    assert given_up() == ["x"]
    assert {lane: list(dict.fromkeys(subjects)) for lane, subjects in was_done(tmp_path).items()} == wanted
