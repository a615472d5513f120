"""demo: the examples are real, the prompt answers, and nothing is left."""

import io
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from recollect import Memory
from recollect.cli.demo import Noted, look, noted, noted_lines
from recollect.cli.output import Output

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
    """Without a terminal the examples run without waiting, and nothing is left."""
    ran = shell("demo", TMPDIR=str(tmp_path))
    assert (ran.code, ran.err) == (0, "")
    for words in (
        "you> I live in Berlin, and my wife Jane is allergic to peanuts.\n",
        "Remembered: User lives in Berlin.\nRemembered: User's wife Jane is allergic to peanuts.\n",
        "Todo: Renew",
        "Pinned: User's wife Jane is allergic to peanuts (importance 10)",
        "Updated: User moved to Lisbon.\n  replaces: User lives in Berlin.",
        'not kept: "I might learn the cello." It is hedged.',
        "[person:jane]: User's wife Jane is allergic to peanuts",
        " 1. 0.",
    ):
        assert words in ran.out
    assert "Your turn" not in ran.out
    assert "\x1b" not in ran.out
    assert list(tmp_path.iterdir()) == []


def test_the_examples_as_json(cli: Cli) -> None:
    """Each line with what was remembered and found."""
    first, todo, moved, asked, where = cli("demo", "--json").json["turns"]
    assert [item["content"] for item in first["noted"]["memories"]] == [
        "User lives in Berlin.",
        "User's wife Jane is allergic to peanuts.",
    ]
    assert [item["text"] for item in todo["noted"]["todos"]] == ["Renew User's passport by Friday."]
    assert moved["noted"]["memories"][0]["replaces"] == "User lives in Berlin."
    assert {"said": "I might learn the cello.", "reason": "It is hedged."} in moved["noted"]["not_kept"]
    assert asked["found"][0]["content"] == "User's wife Jane is allergic to peanuts."
    assert where["found"][0]["content"] == "User moved to Lisbon."


def test_a_visit(terminal: Terminal) -> None:
    """A visitor says something, asks, looks why, forgets and leaves."""
    terminal.wait_for("Your turn")
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
        ("/stats", " memories, "),
        ("/forget 9", "Which one?"),
        ("/forget x", "Which one?"),
        ("/nonsense", "There is no command /nonsense"),
        ("/help", "/quit"),
        ("", ""),
        ("/forget 1", "Forgotten"),
    ):
        terminal.wait_for("you> ")
        terminal.type(f"{typed}\n")
        terminal.wait_for(answer)
    terminal.wait_for("you> ")
    terminal.type("/quit\n")
    assert terminal.end() == 0
    assert "The temporary file has been deleted." in terminal.seen
    assert "Traceback" not in terminal.seen


@pytest.mark.parametrize("key", ["\x04", "\x03"])
def test_leaving_politely(terminal: Terminal, key: str) -> None:
    """Ctrl-D and Ctrl-C at the prompt leave with a word and code 0."""
    terminal.wait_for("Your turn")
    terminal.wait_for("you> ")
    if key == "\x03":
        terminal.signal(signal.SIGINT)
    else:
        terminal.type(key)
    assert terminal.end() == 0
    assert "The temporary file has been deleted." in terminal.seen
    assert "Traceback" not in terminal.seen


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGHUP])
def test_a_closed_window_leaves_nothing(terminal: Terminal, number: signal.Signals) -> None:
    """A demo that is ended from outside removes its file all the same."""
    terminal.wait_for("Your turn")
    terminal.signal(number)
    assert terminal.end() == 128 + number
    assert "Traceback" not in terminal.seen


@pytest.mark.parametrize("terminal", [{"NO_COLOR": "1"}, {"TERM": "dumb"}], indirect=True)
def test_a_visit_without_colour(terminal: Terminal) -> None:
    """Under NO_COLOR, and where the terminal is dumb, there is no control code at all."""
    terminal.wait_for("Your turn")
    terminal.wait_for("you> ")
    terminal.type("/quit\n")
    assert terminal.end() == 0
    assert "\x1b" not in terminal.seen


# -- what a message changed -----------------------------------------------------------------------------


@pytest.fixture
def memory(tmp_path: Path) -> Iterator[Memory]:
    """A memory with its judge."""
    with Memory(tmp_path / "noted.db") as opened:
        yield opened


def _said(memory: Memory, text: str) -> Noted:
    before = look(memory)
    done = memory.chat("talk").add(user=text)
    assert memory.drain()
    return noted(memory, before, done.messages)


def _shown(memory: Memory, what: Noted) -> str:
    stream = io.StringIO()
    noted_lines(Output(stream=stream), what, memory)
    return stream.getvalue()


def test_a_compound_sentence_is_several_things(memory: Memory) -> None:
    """Facts and a todo of one message are told apart, in the order in which they were said."""
    found = _said(memory, "I live in Berlin, my sister Ida lives in Oslo, and I have to call Jo by Friday.")
    assert [new.content for new, _ in found.added] == [
        "User lives in Berlin.",
        "User's sister Ida lives in Oslo.",
    ]
    assert [todo.text for todo in found.todos] == ["User has to call Jo by Friday."]
    assert "Todo: User has to call Jo by Friday. (commitment · due " in _shown(memory, found)


def test_a_new_value_names_the_old_one(memory: Memory) -> None:
    """What is replaced is named with what replaces it, and is not taken for forgotten."""
    _said(memory, "I live in Berlin.")
    found = _said(memory, "I moved to Lisbon.")
    assert [(new.content, old.content if old else None) for new, old in found.added] == [
        ("User moved to Lisbon.", "User lives in Berlin.")
    ]
    assert found.forgotten == ()


def test_said_again(memory: Memory) -> None:
    """A known fact that is said again is told as known."""
    _said(memory, "I live in Berlin.")
    found = _said(memory, "I live in Berlin.")
    assert (found.added, [known.content for known in found.again]) == ((), ["User lives in Berlin."])
    assert _shown(memory, found) == "Already known: User lives in Berlin.\n"


def test_forgetting(memory: Memory) -> None:
    """What the user asks to forget is told as forgotten; of what is not known it is said that nothing went."""
    _said(memory, "I play the cello on Sundays.")
    found = _said(memory, "Forget that I play the cello on Sundays.")
    assert [gone.content for gone in found.forgotten] == ["User plays the cello on Sundays."]
    unknown = _said(memory, "Forget that I speak Klingon.")
    assert unknown.unfound and not unknown
    assert "nothing was forgotten" in _shown(memory, unknown)


def test_what_contradicts_is_left_to_the_person(memory: Memory) -> None:
    """A contradiction is shown as a proposal with both memories."""
    _said(memory, "I am vegetarian.")
    shown = _shown(memory, _said(memory, "I love steak."))
    assert "For you to decide:\n  contradiction: the one excludes steak\n" in shown
    assert "    User is vegetarian.  " in shown


def test_nothing_to_remember(memory: Memory) -> None:
    """Where nothing is kept, that is said, with the reason if the rules have one."""
    assert _shown(memory, _said(memory, "hello")) == "Nothing to remember.\n"
    found = _said(memory, "I might learn the cello.")
    assert (
        _shown(memory, found)
        == 'Nothing to remember.\n  not kept: "I might learn the cello." It is hedged.\n'
    )
    assert found.to_dict()["not_kept"] == [{"said": "I might learn the cello.", "reason": "It is hedged."}]
