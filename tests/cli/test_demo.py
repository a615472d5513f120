"""demo: the tour is real, the prompt answers, and nothing is left behind."""

import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.cli.tour import Call

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
        '>>> chat.add(user="Remind me to renew my passport by Friday. How is the weather?")\n>>> memory.drain()\n',
        "Remembered: User lives in Berlin.\nRemembered: User's wife Jane is allergic to peanuts.\nTodo: Renew",
        "Pinned: User's wife Jane is allergic to peanuts (importance 10)",
        "Updated: User moved to Lisbon.\n  replaces: User lives in Berlin.",
        "superseded by judge",
        'Nothing to remember.\n  not kept: "I might learn the cello." It is hedged.',
        "[person:jane]: User's wife Jane is allergic to peanuts",
        "similarity 0.",
        " 1. 0.85  User lives in Berlin.",
        " of 1000 tokens\nas it is sent; its parts, each counted by itself, add up to ",
        "- [commitment] Renew User's passport by Friday.",
        ">>> memory.drain()\nForgotten: User moved to Lisbon.",
        "Forgotten: 1 chat, ",
        "times before, 0 times now",
    ):
        assert word in ran.out
    assert "memory>" not in ran.out
    assert "\x1b" not in ran.out
    assert list(tmp_path.iterdir()) == []


def test_the_tour_as_json(cli: Cli) -> None:
    """Seven beats, each with the lines that ran, the engine's answers and what was noted."""
    beats = cli("demo", "--json").json["beats"]
    assert len(beats) == 7
    talk, change, refused, asked, past, given, forgotten = beats
    assert [item["content"] for item in talk["noted"]["memories"]] == [
        "User lives in Berlin.",
        "User's wife Jane is allergic to peanuts.",
    ]
    assert [item["text"] for item in talk["noted"]["todos"]] == ["Renew User's passport by Friday."]
    [moved] = change["noted"]["memories"]
    assert (moved["content"], moved["replaces"]) == (
        "User moved to Lisbon.",
        "User lives in Berlin.",
    )
    assert refused["noted"]["memories"] == []
    assert {"said": "I might learn the cello.", "reason": "It is hedged."} in refused["noted"]["not_kept"]
    assert asked["calls"][0]["python"].startswith("memory.recall(")
    now, then = [call["result"]["memories"][0]["content"] for call in past["calls"]]
    assert (now, then) == ("User moved to Lisbon.", "User lives in Berlin.")
    [context] = [call["result"] for call in given["calls"]]
    assert "- User's wife Jane is allergic to peanuts" in context["text"]
    assert context["tokens"] <= context["budget"] == 1000
    assert forgotten["noted"]["forgotten"] == ["User moved to Lisbon."]
    assert forgotten["calls"][-1]["python"] == "chat.forget()"


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
        ("I play the cello on Sundays and my sister Ida lives in Oslo.", "User plays the cello on Sundays."),
        ("I have to call Ida by Friday.", "User has to call Ida by Friday."),
        ("I am vegetarian.", "User is vegetarian."),
        ("I love steak.", "For you to decide"),
        ("hello", "Nothing to remember."),
        ("Forget that I am vegetarian.", "Forgotten"),
        ("Forget that I speak Klingon.", "nothing was forgotten"),
        ("I moved to Rome. Where do I live?", "User moved to Rome."),
        ("which instrument do I play?", " 1. "),
        ("/why 1", "by meaning"),
        ("?cello", " 1. "),
        ("/list", "User plays the cello on Sundays"),
        ("/why 1", "created by judge"),
        ("/stats", "4 memories"),
        ("/forget 9", "Which one?"),
        ("/forget x", "Which one?"),
        ("/nonsense", "There is no /nonsense"),
        ("/help", "/quit"),
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
