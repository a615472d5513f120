"""forget: what it erases, and what it asks first."""

import sys

import pytest

from recollect.cli.rendering import counted
from recollect.store.erase import TABLES

from .conftest import Cli, Known


class _Typed:
    """A terminal at which somebody types one line."""

    closed = False

    def __init__(self, line: str) -> None:
        self._line = line

    def isatty(self) -> bool:
        return True

    def readline(self) -> str:
        return self._line


def test_one_memory_is_forgotten_at_once(cli: Cli, filled: Known) -> None:
    """An id needs no confirmation; the receipt counts what went and the bytes are gone from the file."""
    ran = cli("forget", filled.cello)
    assert ran.code == 0
    assert ran.out.startswith("Forgotten: 1 memory, 1 vector, 1 history entry\n")
    assert cli("memories", filled.cello).code == 4
    assert b"cello" not in filled.file.read_bytes()


def test_the_receipt_in_json(cli: Cli, filled: Known) -> None:
    """The receipt has the shape of the wire."""
    receipt = cli("forget", filled.berlin, "--json").json["receipt"]
    assert receipt["memories"] == 1
    assert receipt["erased_from_disk"] is True


@pytest.mark.parametrize("target", [["--entity", "person:jane"], ["--everything"]])
def test_many_need_a_yes_from_scripts(cli: Cli, filled: Known, target: list[str]) -> None:
    """Without a terminal and without --yes nothing is forgotten, and the error says how many it would be."""
    ran = cli("forget", *target, stdin="y\n")
    assert ran.code == 2
    assert "Add --yes" in ran.err
    assert "2 memories" in ran.err or "4 memories" in ran.err
    assert cli("stats", "--json").json["total"] == 4


@pytest.mark.parametrize(("target", "left"), [(["--entity", "person:jane"], 2), (["--everything"], 0)])
def test_yes_forgets_many(cli: Cli, filled: Known, target: list[str], left: int) -> None:
    """With --yes an entity goes with all that mentions it, and a user goes as a whole."""
    assert cli("forget", *target, "--yes", "--json").json["receipt"]["memories"] >= 2
    assert cli("stats", "--json").json["total"] == left


@pytest.mark.parametrize(
    ("typed", "code", "left"), [("y\n", 0, 0), ("yes\n", 0, 0), ("n\n", 1, 4), ("", 1, 4)]
)
def test_a_person_is_asked(
    cli: Cli, filled: Known, monkeypatch: pytest.MonkeyPatch, typed: str, code: int, left: int
) -> None:
    """At a terminal the person is asked; anything but yes, the end of input included, leaves all as it is."""
    monkeypatch.setattr(sys, "stdin", _Typed(typed))
    ran = cli("forget", "--everything")
    assert ran.code == code
    assert ran.err.startswith("Forget all data of local: 4 memories? This cannot be undone. [y/N] ")
    assert cli("stats", "--json").json["total"] == left


def test_an_unknown_entity_is_not_asked_about(cli: Cli, filled: Known) -> None:
    """An entity that is not there is an error before any question."""
    ran = cli("forget", "--entity", "person:nobody")
    assert ran.code == 4
    assert "[y/N]" not in ran.err


def test_a_message_is_forgotten_at_once(cli: Cli) -> None:
    """A message goes without a question, with the pin that it brought, down to the bytes."""
    done = cli("chats", "dad", "--record", "My dad is allergic to penicillin", "--json").json
    ran = cli("forget", "--message", done["messages"][0]["id"])
    assert ran.code == 0
    assert ran.out.startswith("Forgotten: 1 message, 1 pin")
    assert cli("pins", "dad").out == "No pins.\n"
    assert cli("forget", "--message", done["messages"][0]["id"]).code == 4


def test_a_todo_is_forgotten_at_once(cli: Cli) -> None:
    """A todo goes without a question."""
    todo = cli("todos", "--add", "Call the doctor", "--json").json
    assert cli("forget", "--todo", todo["id"]).out.startswith("Forgotten: 1 todo\n")
    assert cli("forget", "--todo", todo["id"]).code == 4


def test_a_chat_needs_a_yes(cli: Cli, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chat takes much along: a script must Add --yes, a person is asked."""
    cli("chats", "dad", "--record", "How is he today?")
    refused = cli("forget", "--chat", "dad", stdin="")
    assert refused.code == 2
    assert "chat dad with 1 message, and everything derived from it" in refused.err
    monkeypatch.setattr(sys, "stdin", _Typed("y\n"))
    ran = cli("forget", "--chat", "dad")
    assert ran.err.startswith("Forget chat dad with 1 message, and everything derived from it? ")
    assert ran.out.startswith("Forgotten: 1 chat, 1 message")
    assert cli("forget", "--chat", "dad", "--yes").code == 4
    assert cli("chats", "--json").json["chats"] == []


def test_a_whole_user_in_words(cli: Cli) -> None:
    """The question says what was said, and the receipt names no table of the database."""
    cli("chats", "dad", "--record", "My wife Jane is allergic to peanuts")
    cli("remember", "My wife is Jane")
    refused = cli("forget", "--everything", stdin="")
    assert "all data of local: 1 memory, 1 message in 1 chat." in refused.err
    told = cli("forget", "--everything", "--yes").out.splitlines()[0]
    assert "1 chat, 1 message" in told
    assert "1 session state" in told
    assert "_" not in told


@pytest.mark.parametrize("table", TABLES)
def test_every_table_has_a_human_name(table: str) -> None:
    """One and many of each kind of row that a receipt can count differ, and neither is a name of SQL."""
    named = {"memory_vectors": "vectors", "memory_history": "history", "memory_links": "links"}
    kind = named.get(table, table)
    assert counted(1, kind) != counted(2, kind).replace("2", "1")
    assert "_" not in counted(2, kind)


@pytest.mark.parametrize(
    "given",
    [
        [],
        ["x", "--everything"],
        ["--message", "x", "--chat", "y"],
        ["--entity", "person:jane", "--everything"],
    ],
)
def test_exactly_one_thing(cli: Cli, given: list[str]) -> None:
    """Nothing or two things to forget is a mistake of usage."""
    ran = cli("forget", *given, "--yes")
    assert ran.code == 2
    assert "exactly one thing" in ran.err
