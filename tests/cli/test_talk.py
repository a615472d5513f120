"""chat: talking with a model, and without one."""

import contextlib
import signal
import sqlite3
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest

from tests.scripted_model import Reply, Request, ScriptedModel, event, refuses, says, streams

from .conftest import Cli
from .terminal import Terminal


@pytest.fixture
def model(db: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[ScriptedModel]:
    """A chat model, as the environment names it."""
    with ScriptedModel() as running:
        monkeypatch.setenv("OPENAI_BASE_URL", running.url)
        monkeypatch.setenv("RECOLLECT_CHAT_MODEL", "gpt-x")
        yield running


@contextlib.contextmanager
def terminal(*arguments: str) -> Generator[Terminal]:
    """A chat in a terminal."""
    running = Terminal("chat", *arguments)
    try:
        running.wait_for("you>")
        yield running
    finally:
        running.close()


def said(cli: Cli, chat: str) -> list[tuple[str, str]]:
    """Who said what in a chat."""
    return [(item["role"], item["text"]) for item in cli("chats", chat, "--json").json["messages"]]


# -- through a pipe -----------------------------------------------------------------------------------------


def test_without_a_model(cli: Cli) -> None:
    """Each line is recorded, and one sees what a model would be given; the hint is no part of the answer."""
    ran = cli("chat", "--chat", "dad", stdin="My dad is allergic to penicillin\n\nWhat can he take?\n")
    assert ran.code == 0
    assert ran.out.startswith("Pinned: User's dad is allergic to penicillin (importance 10)\n")
    first, second = ran.out.split(" of 8000 tokens\n")[1:]
    assert "The question  " in first
    assert "  User: My dad is allergic to penicillin\n" in second
    assert "  What can he take?\n" in second
    assert "RECOLLECT_CHAT_MODEL" in ran.err
    assert said(cli, "dad") == [("user", "My dad is allergic to penicillin"), ("user", "What can he take?")]


def test_with_a_model(cli: Cli, model: ScriptedModel) -> None:
    """The answer is passed through, recorded with its model, and given back on the next turn."""
    model.script("Hello Ann, nice to meet you.", "Still here.")
    ran = cli("chat", "--chat", "a", stdin="Hello, I am Ann\nAre you there?\n")
    assert (ran.code, ran.out, ran.err) == (0, "Hello Ann, nice to meet you.\nStill here.\n", "")
    assert said(cli, "a") == [
        ("user", "Hello, I am Ann"),
        ("assistant", "Hello Ann, nice to meet you."),
        ("user", "Are you there?"),
        ("assistant", "Still here."),
    ]
    assert cli("chats", "a", "--json").json["messages"][1]["model_id"] == "gpt-x"
    asked = model.requests[1].body
    assert (asked["model"], asked["stream"]) == ("gpt-x", True)
    spoken = [message for message in asked["messages"] if message["role"] != "system"]
    assert [message["content"] for message in spoken] == [
        "Hello, I am Ann",
        "Hello Ann, nice to meet you.",
        "Are you there?",
    ]


def test_memories_reach_the_model(cli: Cli, model: ScriptedModel) -> None:
    """What is remembered, pinned and open stands before the conversation."""
    cli("remember", "I play the cello on Sundays")
    cli("todos", "--add", "Buy rosin")
    cli("chat", "--chat", "a", stdin="/pin Strings are old\nWhat should I bring?\n")
    for words in ("User plays the cello on Sundays", "Buy rosin", "Strings are old"):
        assert words in model.requests[0].prompt


def test_the_words_are_stored_before_the_model_is_asked(cli: Cli, model: ScriptedModel, db: Path) -> None:
    """When the model hears the question, it is already in the database."""
    stored: list[str] = []

    def look(request: Request) -> Reply:
        with contextlib.closing(sqlite3.connect(db)) as connection:
            stored.extend(row[0] for row in connection.execute("SELECT text FROM messages"))
        return says("Yes.")(request)

    model.script(look)
    assert cli("chat", stdin="Is this kept?\n").out == "Yes.\n"
    assert stored == ["Is this kept?"]


def test_without_a_key(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A model of OpenAI and no key: the line says that the key is missing, nobody is asked, and the words are kept."""
    monkeypatch.setenv("RECOLLECT_CHAT_MODEL", "gpt-x")
    ran = cli("chat", "--chat", "a", stdin="Is this kept?\n")
    assert ran.code == 7
    assert ran.err.startswith("recollect: OPENAI_API_KEY is not set")
    assert said(cli, "a") == [("user", "Is this kept?")]


@pytest.mark.parametrize(
    ("failure", "word"),
    [
        (refuses(401, "bad key"), "Check the API key."),
        (streams(event("Half an ans"), broken=True), "stopped in the middle"),
        (streams("data: nonsense"), "returned an invalid answer"),
    ],
)
def test_a_model_that_fails(cli: Cli, model: ScriptedModel, failure: object, word: str) -> None:
    """The failure is told in one line, nothing of a broken answer is recorded, and the next turn works."""
    model.script(failure, "Better now.")  # type: ignore[arg-type]
    ran = cli("chat", "--chat", "a", stdin="First question\nSecond question\n")
    assert ran.code == 7
    assert ran.out.endswith("Better now.\n")
    assert word in ran.err
    assert ran.err.count("\n") == 1
    assert said(cli, "a") == [
        ("user", "First question"),
        ("user", "Second question"),
        ("assistant", "Better now."),
    ]


def test_in_json(cli: Cli, model: ScriptedModel) -> None:
    """One document at the end: the chat, and each turn with its messages, its context and what failed."""
    model.script("Fine.", refuses(400, "no such model"))
    ran = cli("chat", "--json", stdin="How are you?\nAnd now?\n")
    assert ran.code == 7
    first, second = ran.json["turns"]
    assert [message["text"] for message in first["messages"]] == ["How are you?", "Fine."]
    assert first["error"] is None
    assert 0 < first["context"]["tokens"] <= first["context"]["budget"] == 8000
    assert [message["text"] for message in second["messages"]] == ["And now?"]
    assert "no such model" in second["error"]
    assert len(said(cli, ran.json["chat_id"])) == 3


def test_the_last_failure_is_the_exit_code(cli: Cli, model: ScriptedModel) -> None:
    """Of several lines that failed, the last one counts; when all went well the code is 0."""
    model.script(refuses(400, "no such model"), "Fine.")
    assert cli("chat", "--chat", "a", stdin="How are you?\n/nonsense\nAnd now?\n").code == 2
    assert cli("chat", "--chat", "a", stdin="And now?\n/pins\n").code == 0


def test_a_new_chat_is_named(cli: Cli, model: ScriptedModel) -> None:
    """Whoever pipes into a new chat learns its id, beside the answers; a known chat needs no word, nor does an empty one."""
    for line in ("Hello, I am Ann\n", "/pin Strings are old\n"):
        ran = cli("chat", stdin=line)
        newest = cli("chats", "--json").json["chats"][0]["chat_id"]
        assert ran.err == f"Saved. To continue, run `recollect chat --chat {newest}`.\n"
        assert newest not in ran.out
    assert cli("chat", "--chat", newest, stdin="Hello again\n").err == ""
    assert cli("chat", stdin="/pins\n").err == ""


def test_slash_commands(cli: Cli) -> None:
    """They answer from the chat, are not recorded, and a wrong one is told."""
    cli("todos", "--add", "Buy rosin")
    lines = (
        "/brief",
        "/todos",
        "/pin Dad is 70",
        "/pins",
        "/help",
        "/context",
        "/pin",
        "/nonsense",
        "/QUIT",
        "no",
    )
    ran = cli("chat", "--chat", "a", stdin="\n".join(lines))
    assert ran.code == 2
    for words in (
        "No brief yet",
        "Buy rosin",
        "Pinned: Dad is 70",
        "importance 5 · manual",
        "/quit",
        " of 8000 ",
    ):
        assert words in ran.out
    assert "Pin what?" in ran.err
    assert "There is no command /nonsense. To list commands, type /help." in ran.err
    assert said(cli, "a") == []


def test_the_budget_and_the_persona(cli: Cli) -> None:
    """Both are the chat's; a chat of one persona is not another's."""
    ran = cli("chat", "--chat", "a", "--persona", "cook", "--budget", "300", stdin="What is for lunch?\n")
    assert " of 300 tokens\n" in ran.out
    assert cli("chats", "--json").json["chats"][0]["persona_id"] == "cook"
    other = cli("chat", "--chat", "a", "--persona", "guide", stdin="Where am I?\n")
    assert "persona" in other.err
    assert other.code == 5
    assert len(said(cli, "a")) == 1
    assert cli("chat", "--budget", "5", stdin="Hello\n").code == 2


def test_background_work_is_done_on_the_way(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """The worker is on inside and gets a moment at the end; switched off, the work is left."""
    lines = "".join(f"We had soup, number {number}\n" for number in range(4))
    cli("chat", stdin=lines)
    assert cli("sessions", "--state", "--json").json["rollingSummary"]
    monkeypatch.setenv("RECOLLECT_WORKER", "off")
    cli("chat", "--user", "ann", stdin=lines)
    assert cli("sessions", "--state", "--user", "ann", "--json").json["rollingSummary"] == ""


def test_bytes_that_are_no_text(cli: Cli, shell: Cli) -> None:
    """Broken UTF-8 is bad input, never a trace; what came before is kept."""
    ran = shell("chat", "--chat", "a", stdin="Hello there\n", PYTHONIOENCODING="ascii:strict")
    assert ran.code == 0
    odd = shell("chat", "--chat", "a", stdin="Café\n", PYTHONIOENCODING="ascii:strict")
    assert odd.code == 2
    assert "Traceback" not in odd.err


# -- in a terminal ------------------------------------------------------------------------------------------


def test_a_visit(cli: Cli, model: ScriptedModel) -> None:
    """A person talks, looks at what the model was given, pins something and leaves."""
    model.script("Nice to meet you, Ann.")
    with terminal("--chat", "visit") as talk:
        assert " · answered by gpt-x\n" in talk.seen
        for typed, answer in (
            ("Hello, I am Ann", "Nice to meet you, Ann."),
            ("/context", "the question"),
            ("/pin I like green tea", "importance 5 · manual"),
            ("/pins", "importance 5 · manual"),
            ("/nothing", "There is no command /nothing"),
        ):
            talk.type(f"{typed}\n")
            talk.wait_for(answer)
            talk.wait_for("you>")
        talk.type("/quit\n")
        assert talk.end() == 0
    assert "To continue, run `recollect chat --chat visit`." in talk.seen
    assert "Traceback" not in talk.seen
    assert len(said(cli, "visit")) == 2


@pytest.mark.parametrize("key", ["\x04", "\x03"])
def test_leaving_politely(cli: Cli, key: str) -> None:
    """Ctrl-D and Ctrl-C at the prompt end with code 0; what was said is kept."""
    with terminal("--chat", "a") as talk:
        assert "without a model" in talk.seen
        talk.type("My dad is allergic to penicillin\n")
        talk.wait_for("tokens")
        talk.wait_for("you>")
        if key == "\x03":
            talk.signal(signal.SIGINT)
        else:
            talk.type(key)
        assert talk.end() == 0
    assert "Traceback" not in talk.seen
    assert said(cli, "a") == [("user", "My dad is allergic to penicillin")]


def test_an_answer_can_be_stopped(cli: Cli, model: ScriptedModel) -> None:
    """Ctrl-C in the middle of an answer leads back to the prompt; the half answer is not kept."""
    model.script(streams(event("It is a long sto"), hang=True), "Short this time.")
    with terminal("--chat", "a") as talk:
        talk.type("Tell me a story\n")
        talk.wait_for("It is a long sto")
        talk.signal(signal.SIGINT)
        talk.wait_for("Stopped.")
        talk.wait_for("you>")
        talk.type("A shorter one\n")
        talk.wait_for("Short this time.")
        talk.wait_for("you>")
        talk.type("\x04")
        assert talk.end() == 0
    assert [text for _, text in said(cli, "a")] == ["Tell me a story", "A shorter one", "Short this time."]


def test_hostile_answers_only_appear(model: ScriptedModel) -> None:
    """Escape codes in an answer are shown as letters in a terminal."""
    model.script("Look \x1b]0;owned\x07 here")
    with terminal() as talk:
        talk.type("Hello\n")
        talk.wait_for("here")
        talk.wait_for("you>")
        talk.type("\x04")
        assert talk.end() == 0
    assert "\\x1b]0;owned\\x07" in talk.seen
    assert "\x1b]0;owned" not in talk.seen
