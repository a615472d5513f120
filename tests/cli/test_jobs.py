"""jobs, worker and drain: background work seen, done and waited for."""

import contextlib
import signal
import sqlite3
import subprocess
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from patience import LIMIT, ended, line_of

from tests.scripted_model import ScriptedModel, hangs

from .conftest import COMMAND, Cli, kill_jobs, speak


def kinds(cli: Cli, user: str = "local") -> list[str]:
    """What is left to do."""
    return sorted(job["kind"] for job in cli("jobs", "--user", user, "--json").json["jobs"])


@contextlib.contextmanager
def working(*arguments: str) -> Generator["subprocess.Popen[str]"]:
    """A worker that is ready."""
    command, pipe = [*COMMAND, "worker", *arguments], subprocess.PIPE
    with ended(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)) as worker:
        stream = worker.stderr if arguments else worker.stdout
        assert line_of(worker, stream).startswith("The worker is ready on ")
        yield worker


def test_without_work(cli: Cli) -> None:
    """An empty database has no work."""
    assert cli("jobs").out == "There is no background work.\n"
    assert cli("jobs", "dead").out == "No dead jobs.\n"
    assert cli("jobs", "--json").json == {"counts": {}, "scheduled": 0, "lag_seconds": 0.0, "jobs": []}


def test_open_work_is_shown(cli: Cli, db: Path) -> None:
    """The figures of everybody, then the user's own jobs in words."""
    speak(db)
    speak(db, user="ann")
    lines = cli("jobs").out.splitlines()
    assert lines[0].startswith("4 waiting, 2 scheduled, 0 running, 0 dead")
    assert lines[2] == "Of local"
    assert any(line.startswith("  summarise lately") and " waiting " in line for line in lines)
    assert any(line.startswith("  make messages findable") and " waiting " in line for line in lines)
    assert any(line.startswith("  close a session") and " scheduled 20" in line for line in lines)
    assert kinds(cli, "ann") == ["close_session", "index_messages", "rolling_summary"]


def test_work_that_is_tried_again_is_not_for_later(cli: Cli, db: Path) -> None:
    """A job that failed and waits for its next try counts as waiting."""
    speak(db)
    with contextlib.closing(sqlite3.connect(db)) as connection:
        connection.execute("UPDATE jobs SET attempts = 1, run_at = '2999-01-01T00:00:00.000Z'")
        connection.commit()
    out = cli("jobs").out
    assert out.startswith("3 waiting, 0 scheduled, 0 running, 0 dead\n")
    assert out.count(" next try 2999-01-01 00:00 ") == 3


def test_drained(cli: Cli, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """drain does what is open, leaves what is for later, and says so with code 0, whatever RECOLLECT_WORKER says."""
    speak(db)
    monkeypatch.setenv("RECOLLECT_WORKER", "off")
    ran = cli("drain", "--seconds", "20")
    assert (ran.code, ran.out) == (0, "Done: nothing is open; 1 job for later.\n")
    assert kinds(cli) == ["close_session"]
    assert cli("drain", "--json").json == {"drained": True, "pending": 1, "dead": 0}


def test_not_in_time(cli: Cli, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that does not end in time is code 8, and is kept."""
    speak(db)
    with ScriptedModel() as model:
        model.script(hangs())
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        monkeypatch.setenv("MEMORY_SUMMARIZER_MODEL", "slow")
        ran = cli("drain", "--seconds", "0.2")
        assert cli("drain", "--seconds", "0.2", "--json").json["drained"] is False
    # Whether the messages were indexed in that time is a matter of the machine.
    assert ran.code == 8
    assert ran.out in {f"Not in time: {left} jobs left.\n" for left in (2, 3)}
    assert "rolling_summary" in kinds(cli)


@pytest.mark.parametrize("seconds", ["-1", "nan", "1e9"])
def test_impossible_waits(cli: Cli, db: Path, seconds: str) -> None:
    """A wait must be a sensible number."""
    speak(db, 1)
    assert cli("drain", "--seconds", seconds).code == 2


def test_dead_jobs_are_tried_again(cli: Cli, db: Path) -> None:
    """Dead jobs are listed with whose they are and why; one or all are revived, whoever's they are."""
    speak(db, user="ann")
    kill_jobs(db)
    found = cli("jobs", "dead", "--json").json["jobs"]
    ran = cli("jobs", "dead")
    assert " ann\n" in ran.out
    assert f"{found[0]['id']}: ModelError: no\n" in ran.out
    assert cli("jobs").out.startswith("0 waiting, 0 scheduled, 0 running, 3 dead")
    assert cli("drain", "--user", "ann").out.endswith("3 jobs dead: see `recollect jobs dead`.\n")
    assert cli("jobs", "retry", found[0]["id"], "--user", "bob").code == 4
    assert cli("jobs", "retry", found[0]["id"]).out == "To be tried again: 1 job, by the next worker\n"
    assert cli("jobs", "retry", found[0]["id"]).code == 4
    revived = cli("jobs", "retry", "--all", "--json").json["revived"]
    assert sorted(revived) == sorted(job["id"] for job in found[1:])
    assert cli("jobs", "retry", "--all").out == "No dead jobs.\n"


@pytest.mark.parametrize("given", [[], ["some", "--all"]])
def test_one_or_all(cli: Cli, given: list[str]) -> None:
    """Which jobs to try again must be said."""
    ran = cli("jobs", "retry", *given)
    assert ran.code == 2
    assert "Name one job, or say --all." in ran.err


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_works_until_a_signal(cli: Cli, db: Path, number: signal.Signals) -> None:
    """It does what another process wrote, and ends with a word and code 0."""
    with working() as worker:
        speak(db)
        wait_until_done(cli)
        worker.send_signal(number)
        out, err = worker.communicate(timeout=LIMIT)
    assert (worker.returncode, err) == (0, "")
    assert out == "The worker has stopped. 0 waiting, 1 scheduled, 0 running, 0 dead.\n"


def test_a_worker_in_json(cli: Cli, db: Path) -> None:
    """With --json the only word on standard output is what is left."""
    with working("--json") as worker:
        worker.send_signal(signal.SIGTERM)
        out, _ = worker.communicate(timeout=LIMIT)
    assert worker.returncode == 0
    assert out.replace(" ", "").replace("\n", "") == '{"counts":{},"scheduled":0,"lag_seconds":0.0}'


def test_two_workers(cli: Cli, db: Path) -> None:
    """A second worker is fine: the work is done, and both end well."""
    with working() as first, working() as second:
        speak(db)
        speak(db, user="ann")
        wait_until_done(cli)
        wait_until_done(cli, "ann")
        for worker in (first, second):
            worker.send_signal(signal.SIGTERM)
        assert [worker.wait(LIMIT) for worker in (first, second)] == [0, 0]
    assert cli("state", "--user", "ann", "--json").json["rollingSummary"]


def test_a_worker_without_a_database(cli: Cli, tmp_path: Path) -> None:
    """A path into nowhere is one line and code 4, and no file is made."""
    for missing in (tmp_path / "mistyped.db", tmp_path / "no" / "memory.db"):
        ran = cli("worker", "--db", str(missing))
        assert (ran.code, ran.out) == (4, "")
        assert ran.err.startswith(f"recollect: There is no database at {missing} yet")
        assert ran.err.count("\n") == 1
        assert not missing.exists()


def wait_until_done(cli: Cli, user: str = "local") -> None:
    """Until only the closing of the session is left, which is for later."""
    deadline = time.monotonic() + 20
    while kinds(cli, user) != ["close_session"]:
        assert time.monotonic() < deadline, f"still open: {kinds(cli, user)}"
        time.sleep(0.05)
