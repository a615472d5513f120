"""Processes that are killed and processes that meet: nothing acknowledged is lost, and a fold happens once."""

import os
import random
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

import pytest
from patience import LIMIT, ended, line_of
from scripted_model import ScriptedModel, hangs, says

from recollect import Memory
from recollect.records.job import LEASE

from .conftest import Opener
from .conversing import QUICK, check_chat, everything_said, until

TESTS = Path(__file__).parents[1]
ROUNDS = 25


class Talkers:
    """Other processes that record and fold; see `talker.py`."""

    def __init__(self, **environ: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "engine.talker"],
            cwd=TESTS,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            env={**os.environ, "OMP_NUM_THREADS": "1", **environ},
        )
        self._talking: set[int] = set()

    def start(self, url: str, name: str, file: Path, turns: int) -> int:
        pid = self._tell(f"start {url} {name} {file} {turns}")
        self._talking.add(pid)
        return pid

    def reap(self, pid: int) -> int:
        ended = self._tell(f"reap {pid}")
        self._talking.remove(pid)
        return ended

    def _tell(self, line: str) -> int:
        assert self._process.stdin is not None
        self._process.stdin.write(line + "\n")
        self._process.stdin.flush()
        return int(line_of(self._process))

    def __enter__(self) -> "Talkers":
        return self

    def __exit__(self, *_: object) -> None:
        with ended(self._process):
            for pid in self._talking:
                # A test that failed left it talking; not reaped, so the number is still its own.
                os.kill(pid, signal.SIGKILL)


@pytest.fixture(scope="module")
def talkers() -> Iterator[Talkers]:
    with Talkers() as started:
        yield started


def _acknowledged(file: Path) -> list[str]:
    """The ids that a talker was sure of; a line without its end was cut off by the kill."""
    whole = file.read_bytes().decode().split("\n")[:-1] if file.exists() else []
    return [one for line in whole for one in line.split()]


def _ids(memory: Memory) -> list[str]:
    return [message.message_id for message in everything_said(memory.chat("c", user="ann"))]


def test_two_processes_fold_once(opener: Opener, talkers: Talkers, database_url: str, tmp_path: Path) -> None:
    """Two processes that record into one chat and both do its work leave no gap, no overlap and no message out."""
    memory = opener(database_url, settings=QUICK, clock=lambda: datetime.now(UTC))
    memory.migrate()
    files = [tmp_path / "left", tmp_path / "right"]
    started = [talkers.start(database_url, file.name, file, 60) for file in files]
    assert [talkers.reap(pid) for pid in started] == [0, 0]
    said = [one for file in files for one in _acknowledged(file)]
    assert len(said) == 240
    assert memory.drain(user="ann", seconds=LIMIT)
    assert sorted(_ids(memory)) == sorted(said)
    chat = memory.chat("c", user="ann")
    assert len(chat.briefs()) == len(chat.summaries()) > 1
    assert memory.jobs(user="ann", status="dead") == []
    check_chat(chat)


def test_a_killed_process_loses_nothing(
    opener: Opener, talkers: Talkers, database_url: str, tmp_path: Path
) -> None:
    """After `kill -9` at any moment, again and again: all acknowledged messages, a chat in order, and work goes on."""
    dice = random.Random(7)
    watcher = opener(database_url, settings=replace(QUICK, worker="off"), clock=lambda: datetime.now(UTC))
    watcher.migrate()
    said: list[str] = []
    for number in range(ROUNDS):
        file = tmp_path / f"round{number}"
        pid = talkers.start(database_url, file.name, file, 0)
        until(lambda file=file: file.exists() and file.stat().st_size)
        time.sleep(dice.uniform(0, 0.05))
        os.kill(pid, signal.SIGKILL)
        assert talkers.reap(pid) == signal.SIGKILL
        told = _acknowledged(file)
        assert told
        said += told
        if number % 5 == 0:
            assert set(said) <= set(_ids(watcher))
    assert set(said) <= set(_ids(watcher))
    # Later, when the leases of the killed have run out: their work is taken up, and nothing of it is lost.
    later = opener(database_url, settings=QUICK, clock=lambda: datetime.now(UTC) + LEASE)
    chat = later.chat("c", user="ann")
    before = chat.info().message_count
    chat.add(user="Still there?", assistant="Yes.")
    assert later.drain(user="ann", seconds=LIMIT)
    assert chat.info().message_count == before + 2
    assert chat.summaries()
    assert later.jobs(user="ann", status="dead") == []
    check_chat(chat)


def test_a_process_killed_in_the_middle_of_a_fold_leaves_no_trace_of_it(
    opener: Opener, sqlite_path: Path, tmp_path: Path
) -> None:
    """While a model is writing, `kill -9`, again and again: nothing of the fold is there, and the next one does it."""
    with (
        ScriptedModel() as model,
        Talkers(MEMORY_SUMMARIZER_MODEL="m", OPENAI_BASE_URL=model.url) as talkers,
    ):
        model.script(hangs())
        settings = replace(QUICK, summarizer_model="m", openai_base_url=model.url)
        watcher = opener(
            sqlite_path, settings=replace(settings, worker="off"), clock=lambda: datetime.now(UTC)
        )
        chat = watcher.chat("c", user="ann")
        for number in range(5):
            asked = _folds_asked(model)
            pid = talkers.start(str(sqlite_path), f"round{number}", tmp_path / f"round{number}", 12)
            until(lambda asked=asked: _folds_asked(model) > asked)
            os.kill(pid, signal.SIGKILL)
            assert talkers.reap(pid) == signal.SIGKILL
            assert chat.summaries() == []
            assert chat.briefs() == []
            check_chat(chat)
            _free_leases(sqlite_path)
        model.script(says("They talked about the garden."))
        heir = opener(sqlite_path, settings=settings, clock=lambda: datetime.now(UTC) + 2 * LEASE)
        folded = heir.chat("c", user="ann")
        folded.add(user="Still there?", assistant="Yes.")
        until(folded.summaries)
        # A long backlog takes several folds: what is read in several calls must not change between them.
        until(lambda: not any(job.kind == "fold" for job in heir.jobs(user="ann")))
        assert folded.brief().global_summary == "They talked about the garden."
        check_chat(folded)


def _folds_asked(model: ScriptedModel) -> int:
    return sum("EXISTING_SUMMARY" in request.prompt for request in list(model.requests))


def _free_leases(path: Path) -> None:
    """Let time pass for the jobs of a killed process: its leases run out."""
    with closing(sqlite3.connect(path)) as raw, raw:
        raw.execute("UPDATE jobs SET leased_until = '2000-01-01T00:00:00.000Z' WHERE status = 'running'")
