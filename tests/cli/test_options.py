"""Options: what many commands share is declared, and refused, in one way."""

import pytest

from .conftest import Cli

#: Every place of a command that takes an id, left empty as an unset shell variable leaves it.
_EMPTY = (
    ("review", "--accept", ""),
    ("review", "--accept", "p1", "--keep", "  "),
    ("review", "--reject", ""),
    ("doctor", "--revive", ""),
    ("forget", "", "--yes"),
    ("forget", "--message", ""),
    ("forget", "--chat", "", "--yes"),
    ("forget", "--todo", ""),
    ("forget", "--entity", "", "--yes"),
    ("recall", "where do I live", "--chat", ""),
    ("recall", "where do I live", "--persona", ""),
    ("recall", "where do I live", "--entity", ""),
    ("memories", ""),
    ("memories", "--cursor", ""),
    ("memories", "--persona", ""),
    ("context", "where do I live", "--chat", ""),
    ("chat", "--chat", ""),
    ("chats", ""),
    ("chats", "", "--record", "Hello."),
    ("pins", "", "--add", "Hello."),
    ("pins", "c", "--remove", ""),
    ("todos", "--done", ""),
    ("entities", ""),
    ("entities", "person:bob", "--merge", ""),
    ("entities", "--unmerge", ""),
    ("sessions", ""),
    ("update", "", "--archive"),
    ("token", "revoke", ""),
)


@pytest.mark.parametrize("arguments", _EMPTY, ids=" ".join)
def test_an_empty_id_is_refused(cli: Cli, arguments: tuple[str, ...]) -> None:
    """It is a mistake of usage, said before anything is opened, and never the command without the option."""
    ran = cli(*arguments)
    assert ran.code == 2
    assert "it is empty" in ran.err
    assert ran.out == ""
