"""demo: the tour is real, the prompt answers, and nothing is left behind."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.adapters.cli.tour import Call

from .conftest import Cli
from .terminal import Terminal


@pytest.fixture
def terminal(db: Path, tmp_path: Path, request: pytest.FixtureRequest) -> Iterator[Terminal]:
    """A running demo that keeps its temporary file in a folder of the test."""
    folder = tmp_path / "scratch"
    folder.mkdir()
    running = Terminal("demo", TMPDIR=str(folder), **getattr(request, "param", {}))
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
        '>>> chat.add(user="My dad is allergic to penicillin", assistant="Noted.")\nPinned: User\'s dad is',
        " of 1000 tokens\n",
        "Forgotten: 2 memories, 2 vectors",
        "times before, 0 times now",
    ):
        assert word in ran.out
    assert "memory>" not in ran.out
    assert "\x1b" not in ran.out
    assert list(tmp_path.iterdir()) == []


def test_the_tour_as_json(cli: Cli) -> None:
    """Seven beats, each with the line that ran and the engine's answer."""
    beats = cli("demo", "--json").json["beats"]
    assert len(beats) == 7
    results = {call["python"]: call["result"] for beat in beats for call in beat["calls"]}
    assert results['memory.remember("My wife is Jane")']["content"] == "User's wife is named Jane"
    assert results['memory.remember("Jane is my wife")']["duplicate"] is True
    now, then = [call["result"]["memories"][0]["content"] for call in beats[4]["calls"]]
    assert (now, then) == ("User moved to Lisbon", "User lives in Berlin")
    recorded, given = [call["result"] for call in beats[5]["calls"]]
    assert [pin["content"] for pin in recorded["pins"]] == ["User's dad is allergic to penicillin"]
    assert "- User's dad is allergic to penicillin" in given["text"]
    assert given["tokens"] <= given["budget"] == 1000
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
    for _ in range(6):
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
