"""todos: what is open."""

import pytest

from .conftest import Cli


def test_a_todo_from_open_to_gone(cli: Cli) -> None:
    """Noted, listed, done, reopened, dropped and removed."""
    assert cli("todos").out == "No open todos.\n"
    todo = cli(
        "todos", "--add", "Call the doctor", "--kind", "commitment", "--due", "2026-11-01", "--json"
    ).json
    listed = cli("todos").out
    assert listed == f"Call the doctor\n  commitment · due 2026-11-01 · {todo['id']}\n"
    assert cli("todos", "--done", todo["id"]).out.startswith("Done: Call the doctor\n  commitment · done · ")
    assert cli("todos").out == "No open todos.\n"
    assert cli("todos", "--all", "--json").json["todos"][0]["status"] == "done"
    assert cli("todos", "--reopen", todo["id"], "--json").json["status"] == "open"
    assert cli("todos", "--drop", todo["id"], "--json").json["status"] == "dropped"
    assert cli("forget", "--todo", todo["id"]).code == 0
    assert cli("todos", "--all", "--json").json["todos"] == []


def test_chosen_by_kind_and_date(cli: Cli) -> None:
    """--kind and --due-before choose, --limit cuts and says so."""
    cli("todos", "--add", "Run every morning", "--kind", "habit")
    cli("todos", "--add", "Send the letter", "--due", "2026-01-10")
    cli("todos", "--add", "Renew the passport", "--due", "2027-01-10")
    texts = [todo["text"] for todo in cli("todos", "--due-before", "2026-02-01", "--json").json["todos"]]
    assert texts == ["Send the letter"]
    assert cli("todos", "--kind", "habit").out.startswith("Run every morning\n  habit · ")
    assert cli("todos", "--limit", "2").out.endswith("There are more: use --limit 4\n")


@pytest.mark.parametrize(
    ("given", "code", "word"),
    [
        (["--done", "nothing"], 4, "There is no todo 'nothing'."),
        (["--add", " "], 2, "text must have"),
        (["--add", "A thing", "--kind", "odd"], 2, "kind must be one of"),
        (["--add", "A thing", "--due", "soon"], 2, "due_at"),
        (["--ad", "A thing"], 2, "Did you mean --add?"),
        (["--done", "x", "--drop", "y"], 2, "--done and --drop cannot be combined."),
    ],
)
def test_mistakes(cli: Cli, given: list[str], code: int, word: str) -> None:
    """What cannot be done is one line."""
    ran = cli("todos", *given)
    assert (ran.code, ran.out) == (code, "")
    assert word in ran.err
