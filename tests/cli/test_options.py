"""Options: what many commands share is declared, and refused, in one way."""

import pytest

from .conftest import Cli

#: Every place of a command that takes an id, left empty as an unset shell variable leaves it.
_EMPTY = (
    ("curate", "--undo", ""),
    ("curate", "--undo", "  "),
    ("proposals", "accept", ""),
    ("proposals", "accept", "p1", "--keep", ""),
    ("proposals", "reject", ""),
    ("jobs", "retry", ""),
    ("judge", "--chat", ""),
    ("forget", "", "--yes"),
    ("forget", "--message", ""),
    ("forget", "--chat", "", "--yes"),
    ("forget", "--entity", "", "--yes"),
    ("recall", "where do I live", "--chat", ""),
    ("recall", "where do I live", "--persona", ""),
    ("recall", "where do I live", "--entity", ""),
    ("memories", "--before", ""),
    ("memories", "--persona", ""),
    ("context", "where do I live", "--chat", ""),
    ("chat", "--chat", ""),
    ("chats", "show", ""),
    ("chats", "record", "", "Hello."),
    ("chats", "edit", "", "Hello."),
    ("pins", "add", "", "Hello."),
    ("pins", "edit", "p1", "--chat", ""),
    ("pins", "remove", ""),
    ("todos", "done", ""),
    ("entity", ""),
    ("archive", ""),
)


@pytest.mark.parametrize("arguments", _EMPTY, ids=" ".join)
def test_an_empty_id_is_refused(cli: Cli, arguments: tuple[str, ...]) -> None:
    """It is a mistake of usage, said before anything is opened, and never the command without the option."""
    ran = cli(*arguments)
    assert ran.code == 2
    assert "it is empty" in ran.err
    assert ran.out == ""


def test_an_empty_undo_tidies_nothing(cli: Cli) -> None:
    """A script whose variable is not set does not start a run of the curator."""
    for text in ("I drink coffee", "I drink coffee in the morning"):
        assert cli("remember", text).code == 0
    assert cli("curate", "--undo", "").code == 2
    assert len(cli("memories", "--json").json["memories"]) == 2
    assert cli("curate", "--runs").out == "Nothing was tidied yet.\n"
