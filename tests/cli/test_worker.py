"""worker: background work, until a signal or once."""

import contextlib
import signal
import subprocess
import time
from collections.abc import Generator
from pathlib import Path

import pytest
from patience import LIMIT, ended, line_of

from tests.scripted_model import ScriptedModel, hangs

from .conftest import COMMAND, Cli, speak


def kinds(cli: Cli, user: str = "local") -> list[str]:
    """What is left to do."""
    return sorted(job["kind"] for job in cli("doctor", "--jobs", "--user", user, "--json").json["jobs"])


@contextlib.contextmanager
def working(*arguments: str) -> Generator["subprocess.Popen[str]"]:
    """A worker that is ready."""
    command, pipe = [*COMMAND, "worker", *arguments], subprocess.PIPE
    with ended(subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)) as worker:
        stream = worker.stderr if arguments else worker.stdout
        assert line_of(worker, stream).startswith("The worker is running on ")
        yield worker


def test_drained(cli: Cli, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """--once does what is open, leaves what is for later, and says so with code 0, whatever RECOLLECT_WORKER says."""
    speak(db)
    monkeypatch.setenv("RECOLLECT_WORKER", "off")
    ran = cli("worker", "--once", "--seconds", "20")
    assert (ran.code, ran.out) == (0, "Done: no open work; 1 job scheduled for later.\n")
    assert kinds(cli) == ["close_session"]
    assert cli("worker", "--once", "--json").json == {"drained": True, "pending": 1, "dead": 0}


def test_once_for_all_users_or_one(cli: Cli, db: Path) -> None:
    """Without --user everybody's work is done."""
    for user in ("ann", "bob", "carl"):
        speak(db, user=user)
    assert cli("worker", "--once", "--user", "ann", "--json").json["pending"] == 1
    assert kinds(cli, "ann") == ["close_session"]
    assert cli("worker", "--once").out == "Done: no open work; 3 jobs scheduled for later.\n"
    assert kinds(cli, "bob") == kinds(cli, "carl") == ["close_session"]


def test_not_in_time(cli: Cli, db: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Work that does not end in time is code 8, and is kept."""
    speak(db)
    with ScriptedModel() as model:
        model.script(hangs())
        monkeypatch.setenv("OPENAI_BASE_URL", model.url)
        monkeypatch.setenv("MEMORY_SUMMARIZER_MODEL", "slow")
        ran = cli("worker", "--once", "--seconds", "0.2")
        assert cli("worker", "--once", "--seconds", "0.2", "--json").json["drained"] is False
    # Whether the messages were indexed in that time is a matter of the machine.
    assert ran.code == 8
    assert ran.out in {f"Out of time: {left} jobs left.\n" for left in (2, 3)}
    assert "rolling_summary" in kinds(cli)


@pytest.mark.parametrize("seconds", ["-1", "nan", "1e9"])
def test_impossible_waits(cli: Cli, db: Path, seconds: str) -> None:
    """A wait must be a sensible number."""
    speak(db, 1)
    assert cli("worker", "--once", "--seconds", seconds).code == 2


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_a_worker_works_until_a_signal(cli: Cli, db: Path, number: signal.Signals) -> None:
    """It does what another process wrote, and ends with a word and code 0."""
    with working() as worker:
        speak(db)
        wait_until_done(cli)
        worker.send_signal(number)
        out, err = worker.communicate(timeout=LIMIT)
    assert (worker.returncode, err) == (0, "")
    assert out == "The worker has stopped. 0 waiting, 1 scheduled, 0 running, 0 failed.\n"


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
    assert cli("sessions", "--state", "--user", "ann", "--json").json["rollingSummary"]


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
