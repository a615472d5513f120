"""The watchdog and the limits of waiting: a hang fails, is explained, and holds nobody up."""

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest
from patience import LIMIT, ended, join, line_of

TESTS = Path(__file__).parent

_HANGING = """
import pytest, threading

@pytest.fixture
def stuck_afterwards():
    yield
    stuck()

def stuck():
    threading.Event().wait()

def test_one(): pass
def test_hangs(): stuck()
def test_fails_and_hangs_behind(stuck_afterwards): assert False
def test_two(): pass
"""


def _run(folder: Path, *options: str) -> "subprocess.CompletedProcess[str]":
    (folder / "test_hanging.py").write_text(_HANGING, "utf-8")
    own = {name: value for name, value in os.environ.items() if not name.startswith("PYTEST")}
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-p",
        "watchdog",
        "-p",
        "no:cacheprovider",
        *options,
        str(folder),
    ]
    env = {**own, "RECOLLECT_TEST_SECONDS": "1.5", "PYTHONPATH": str(TESTS)}
    return subprocess.run(command, cwd=folder, env=env, capture_output=True, text=True, timeout=LIMIT)


def test_a_test_that_hangs_fails_and_the_others_go_on(tmp_path: Path) -> None:
    """A test that hangs, also one that failed before, is a failure with its stacks; every other test is run."""
    done = _run(tmp_path, "-n", "1", "-v")
    assert done.returncode == 1, done.stdout + done.stderr
    assert done.stderr.count("Timeout (0:00:01.500000)!") == 2
    assert done.stderr.count(" in stuck\n") == 2
    for name in ("test_hangs", "test_fails_and_hangs_behind"):
        assert f"crashed while running 'test_hanging.py::{name}'" in done.stdout
    for name in ("test_one", "test_two"):
        assert f"PASSED test_hanging.py::{name}" in done.stdout


def test_without_workers_the_run_ends(tmp_path: Path) -> None:
    """In a single process the hang ends the run, with the stacks."""
    done = _run(tmp_path)
    assert done.returncode == 1
    assert "Timeout (0:00:01.500000)!" in done.stderr
    assert " in test_hangs\n" in done.stderr


def test_a_silent_process_is_not_waited_for() -> None:
    """A process that says nothing is killed, and the test that waits for it is told which it was."""
    with ended(
        subprocess.Popen(
            [sys.executable, "-c", "import time; time.sleep(600)"], stdout=subprocess.PIPE, text=True
        )
    ) as silent:
        with pytest.raises(AssertionError, match=r"said nothing for 0\.1 s"):
            line_of(silent, seconds=0.1)
        assert silent.wait(LIMIT) < 0


def test_a_thread_that_does_not_end_is_told_by_name(monkeypatch: pytest.MonkeyPatch) -> None:
    """Joining gives up and names the thread."""
    monkeypatch.setattr("patience.LIMIT", 0.05)
    let_go = threading.Event()
    thread = threading.Thread(target=let_go.wait, args=(60,), name="sleepy")
    thread.start()
    try:
        with pytest.raises(AssertionError, match=r"sleepy did not end within 0\.05 s"):
            join(thread)
    finally:
        let_go.set()
        thread.join(60)
