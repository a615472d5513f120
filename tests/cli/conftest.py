"""What tests of the command line start from: a database, and the command run inside this process or as its own.

`cli` runs `main` in this process, with captured output: the same path as the installed command, without 0.4 s of
imports. `shell` runs the real thing, for what only a process shows: pipes, signals, encodings, exit codes.
"""

import contextlib
import io
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from patience import LIMIT

from recollect import Memory
from recollect.cli.app import main
from recollect.settings import Settings, documented

COMMAND = [sys.executable, "-c", "import sys; from recollect.cli.app import main; sys.exit(main())"]


@dataclass(frozen=True)
class Ran:
    """What a command did."""

    code: int
    out: str
    err: str

    @property
    def json(self) -> Any:
        return json.loads(self.out)


Cli = Callable[..., Ran]


@dataclass(frozen=True)
class Known:
    """The memories that `filled` starts with."""

    file: Path
    wife: str
    allergy: str
    berlin: str
    lisbon: str
    cello: str


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Known:
    """A database with a few memories of the user `local`, made once."""
    file = tmp_path_factory.mktemp("cli") / "template.db"
    with Memory(file) as memory:
        ids = [
            memory.add(text, tags=tags).memory.memory_id
            for text, tags in (
                ("My wife is Jane", ("family",)),
                ("My wife Jane is allergic to peanuts", ("family", "health")),
                ("I live in Berlin", ()),
                ("I live in Lisbon", ()),
                ("I play the cello on Sundays", ()),
            )
        ]
    return Known(file, *ids)


@pytest.fixture
def filled(template: Known, db: Path) -> Known:
    """A copy of the template, as the database that the environment names."""
    shutil.copy(template.file, db)
    return Known(db, template.wife, template.allergy, template.berlin, template.lisbon, template.cello)


@pytest.fixture
def db(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the environment says the database is; nothing is there yet."""
    file = tmp_path / "memory.db"
    monkeypatch.setenv("RECOLLECT_DATABASE_URL", str(file))
    for name in ("NO_COLOR", "RECOLLECT_DEBUG", "FORCE_COLOR", *(name for name, _, _ in documented())):
        if name != "RECOLLECT_DATABASE_URL":
            monkeypatch.delenv(name, raising=False)
    return file


@pytest.fixture
def cli(db: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Cli:
    """Runs a command in this process."""

    def run(*arguments: str, stdin: str | None = None) -> Ran:
        if stdin is not None:
            monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(stdin.encode()), encoding="utf-8"))
        capsys.readouterr()
        code = main(arguments)
        seen = capsys.readouterr()
        return Ran(code, seen.out, seen.err)

    return run


@pytest.fixture
def shell(db: Path) -> Cli:
    """Runs a command as a process of its own."""

    def run(*arguments: str, stdin: str = "", **environment: str) -> Ran:
        done = subprocess.run(
            [*COMMAND, *arguments],
            input=stdin.encode(),
            capture_output=True,
            env={**os.environ, **environment},
            timeout=LIMIT,
            check=False,
        )
        return Ran(done.returncode, done.stdout.decode(), done.stderr.decode())

    return run


def speak(db: Path, times: int = 4, user: str = "local") -> None:
    """Say enough that a rolling summary is due, and leave it to others."""
    with Memory(settings=Settings(database_url=str(db), worker="off", judge_model="off")) as memory:
        for number in range(times):
            memory.chat("lunch", user=user).add(user=f"We had soup for lunch, number {number}")


def kill_jobs(db: Path) -> None:
    """Make dead jobs of all."""
    with contextlib.closing(sqlite3.connect(db)) as connection:
        connection.execute("UPDATE jobs SET status = 'dead', attempts = 8, last_error = 'ModelError: no'")
        connection.commit()
