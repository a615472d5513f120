"""demo: the tour is real, the prompt answers, and nothing is left behind."""

import os
import pty
import select
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.adapters.cli.tour import Call

from .conftest import COMMAND, Cli


class Terminal:
    """A demo in a terminal of its own, read and typed into like by a person."""

    def __init__(self, folder: Path, *arguments: str, **environment: str) -> None:
        self._side, inner = pty.openpty()
        self.process = subprocess.Popen(
            [*COMMAND, "demo", *arguments],
            stdin=inner,
            stdout=inner,
            stderr=inner,
            env={**os.environ, "TMPDIR": str(folder), "TERM": "xterm", "COLUMNS": "100", **environment},
            start_new_session=True,
        )
        os.close(inner)
        self.seen = ""
        self._from = 0

    def wait_for(self, text: str, seconds: float = 20) -> None:
        """Read on until the text appears behind what was waited for before."""
        deadline = time.monotonic() + seconds
        while text not in self.seen[self._from :]:
            assert self._read(deadline), f"{text!r} did not appear in:\n{self.seen}"
        self._from = self.seen.index(text, self._from) + len(text)

    def type(self, text: str) -> None:
        os.write(self._side, text.encode())

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, later than the instant before readline listens, in which it misses one."""
        time.sleep(0.3)
        self.process.send_signal(number)

    def end(self) -> int:
        """Read to the end; the exit code."""
        deadline = time.monotonic() + 20
        while self._read(deadline):
            pass
        return self.process.wait(20)

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        os.close(self._side)

    def _read(self, deadline: float) -> bool:
        ready, _, _ = select.select([self._side], [], [], max(0.0, deadline - time.monotonic()))
        try:
            data = os.read(self._side, 65536) if ready else b""
        except OSError:
            data = b""
        self.seen += data.decode(errors="replace").replace("\r\n", "\n")
        return bool(data)


@pytest.fixture
def terminal(db: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    """A running demo that keeps its temporary file in a folder of the test."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    running = Terminal(folder, **getattr(request, "param", {}))
    yield running
    running.close()
    assert list(folder.iterdir()) == []
    assert not db.exists()


def test_piped_it_runs_through(shell: Cli, db: Path, tmp_path: Path) -> None:
    """Without a terminal the whole tour is told without waiting, and nothing is left behind."""
    ran = shell("demo", TMPDIR=str(tmp_path))
    assert (ran.code, ran.err) == (0, "")
    for word in (
        '>>> memory.remember("My wife is Jane")\nRemembered: User\'s wife is named Jane\n',
        "Known already: User's wife is named Jane",
        "Updated: User moved to Lisbon",
        "replaces: User lives in Berlin",
        "superseded by user",
        "[person:jane]: User's wife Jane is allergic to peanuts",
        "similarity 0.",
        "User lives in Berlin",
        "Forgotten: 2 memories, 2 vectors",
        "times before, 0 times now",
    ):
        assert word in ran.out
    assert "memory>" not in ran.out
    assert "\x1b" not in ran.out
    assert list(tmp_path.iterdir()) == []


def test_the_tour_as_json(cli: Cli) -> None:
    """Six beats, each with the line that ran and the engine's answer."""
    beats = cli("demo", "--json").json["beats"]
    assert len(beats) == 6
    results = {call["python"]: call["result"] for beat in beats for call in beat["calls"]}
    assert results['memory.remember("My wife is Jane")']["content"] == "User's wife is named Jane"
    assert results['memory.remember("Jane is my wife")']["duplicate"] is True
    now, then = [call["result"]["memories"][0]["content"] for call in beats[4]["calls"]]
    assert (now, then) == ("User moved to Lisbon", "User lives in Berlin")
    assert results['memory.forget(entity="person:jane")']["memories"] == 2


def test_a_shown_line_is_python(tmp_path: Path) -> None:
    """The line on the screen, typed into Python, makes the same call."""
    call = Call("remember", ('She said "hello" to the café',), {"importance": 3, "tags": ["a", "b"]})
    with Memory(tmp_path / "memory.db") as memory:
        done = eval(call.python, {"memory": memory})
    assert done.memory.content == 'She said "hello" to the café'
    assert done.memory.importance == 3
    assert done.memory.tags == ("a", "b")


def test_a_visit(terminal: Terminal) -> None:
    """A visitor takes the tour, tells something, asks, looks why, forgets and leaves."""
    for _ in range(5):
        terminal.wait_for("Enter goes on")
        terminal.type("\n")
    for typed, answer in (
        ("I play the cello on Sundays", "User plays the cello on Sundays"),
        ("which instrument do I play?", " 1. "),
        ("/why 1", "by meaning"),
        ("?cello", " 1. "),
        ("/list", "User plays the cello on Sundays"),
        ("/why 1", "created by user"),
        ("/stats", "3 memories"),
        ("/forget 9", "Which one?"),
        ("/forget x", "Which one?"),
        ("/nonsense", "There is no /nonsense"),
        ("/help", "/quit"),
        ("short", "Content too short"),
        ("", ""),
        ("/forget 1", "Forgotten"),
    ):
        terminal.wait_for("memory>")
        terminal.type(f"{typed}\n")
        terminal.wait_for(answer)
    terminal.wait_for("memory>")
    terminal.type("/quit\n")
    assert terminal.end() == 0
    assert "The temporary file is gone." in terminal.seen
    assert "Traceback" not in terminal.seen


@pytest.mark.parametrize("key", ["\x04", "\x03"])
@pytest.mark.parametrize("where", ["Enter goes on", "memory>"])
def test_leaving_politely(terminal: Terminal, key: str, where: str) -> None:
    """Ctrl-D and Ctrl-C leave at any prompt with a word and code 0."""
    if where == "memory>":
        terminal.wait_for("Enter goes on")
        terminal.type("s\n")
    terminal.wait_for(where)
    if key == "\x03":
        terminal.signal(signal.SIGINT)
    else:
        terminal.type(key)
    assert terminal.end() == 0
    assert "The temporary file is gone." in terminal.seen
    assert "Traceback" not in terminal.seen


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_closed_window_leaves_nothing(terminal: Terminal, number: signal.Signals) -> None:
    """A demo that is ended from outside removes its file all the same."""
    terminal.wait_for("Enter goes on")
    terminal.signal(number)
    assert terminal.end() == 128 + number
    assert "Traceback" not in terminal.seen


@pytest.mark.parametrize("terminal", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], indirect=True)
def test_a_visit_without_colour(terminal: Terminal) -> None:
    """Under NO_COLOR, and where the terminal is dumb, there is no control code at all."""
    terminal.wait_for("Enter goes on")
    terminal.type("s\n")
    terminal.wait_for("memory>")
    terminal.type("/quit\n")
    assert terminal.end() == 0
    assert "\x1b" not in terminal.seen
