"""A user whom nobody knows: the answer is empty all the same, and a word beside it says why."""

import pytest

from .conftest import Cli, Known

UNKNOWN = "There is no user 'nobody' here; `recollect users` lists them.\n"
_ASKING = (
    ("recall", "Where do I live?"),
    ("memories",),
    ("export",),
    ("stats",),
    ("forget", "--everything", "--yes"),
)


@pytest.mark.parametrize("command", _ASKING, ids=lambda command: command[0])
def test_a_misspelt_user_is_told(cli: Cli, filled: Known, command: tuple[str, ...]) -> None:
    """The word is on standard error, for people and programs alike; the exit code and the answer stay."""
    ran = cli(*command, "--user", "nobody")
    assert (ran.code, ran.err) == (0, UNKNOWN)
    told = cli(*command, "--user", "nobody", "--json")
    assert (told.code, told.err) == (0, UNKNOWN)
    assert isinstance(told.json, dict)


@pytest.mark.parametrize("command", _ASKING, ids=lambda command: command[0])
def test_a_known_user_is_not_doubted(cli: Cli, command: tuple[str, ...]) -> None:
    """Who is there and has nothing, or is the user without a name on an empty database, is told nothing."""
    assert cli(*command).err == ""
    cli("remember", "I live in Lisbon", "--user", "ann")
    assert cli(*command, "--user", "ann").err == ""


def test_nothing_to_forget(cli: Cli, filled: Known) -> None:
    """Of somebody who is not there nothing is said to be gone; everybody else stays."""
    ran = cli("forget", "--everything", "--yes", "--user", "nobody")
    assert ran.out == "There was nothing to forget.\n"
    assert cli("stats", "--json").json["total"] == 4
