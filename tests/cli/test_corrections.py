"""update, pin, unpin, archive and restore."""

import pytest

from .conftest import Cli, Known


def test_update_changes_what_is_named(cli: Cli, filled: Known) -> None:
    """Each option of `update` changes its field, and the reason is kept in the history."""
    given = ["--content", "I play the viola on Sundays", "--importance", "4", "--category", "preference"]
    record = cli(
        "update", filled.cello, *given, "--tag", "music", "--reason", "I mixed them up", "--json"
    ).json
    assert record["content"] == "User plays the viola on Sundays"
    assert record["importance"] == 4
    assert record["category"] == "preference"
    assert record["tags"] == ["music"]
    shown = cli("show", filled.cello)
    assert "edited by user (I mixed them up)" in shown.out
    assert "content: User plays the cello on Sundays → User plays the viola on Sundays" in shown.out


def test_update_for_a_person(cli: Cli, filled: Known) -> None:
    """Without --json the changed memory is shown."""
    ran = cli("update", filled.cello, "--importance", "4")
    assert ran.out.startswith("Updated: User plays the cello on Sundays\n")


def test_update_takes_tags_away(cli: Cli, filled: Known) -> None:
    """--no-tags leaves the memory without tags; without it they stay."""
    assert cli("update", filled.wife, "--importance", "8", "--json").json["tags"] == ["family"]
    assert cli("update", filled.wife, "--no-tags", "--json").json["tags"] == []


def test_update_of_nothing(cli: Cli, filled: Known) -> None:
    """An update that names no change is a mistake of usage."""
    ran = cli("update", filled.cello)
    assert ran.code == 2
    assert "Nothing to change" in ran.err


def test_update_of_a_replaced_memory(cli: Cli, filled: Known) -> None:
    """What was replaced cannot be changed: a conflict, with the id of the memory to change instead."""
    ran = cli("update", filled.berlin, "--importance", "4")
    assert ran.code == 5
    assert filled.lisbon in ran.err


@pytest.mark.parametrize(
    ("verb", "field", "value", "word"),
    [
        ("pin", "pinned", True, "Pinned: "),
        ("unpin", "pinned", False, "Unpinned: "),
        ("archive", "status", "ARCHIVED", "Archived: "),
        ("restore", "status", "ACTIVE", "Restored: "),
    ],
)
def test_simple_changes(cli: Cli, filled: Known, verb: str, field: str, value: object, word: str) -> None:
    """Pinning, archiving and their opposites change one field and show the memory."""
    opposite = {"unpin": "pin", "restore": "archive"}.get(verb)
    if opposite:
        cli(opposite, filled.cello)
    assert cli(verb, filled.cello, "--json").json[field] == value
    ran = cli(verb, filled.cello)
    assert ran.code == 0
    assert ran.out.startswith(f"{word}User plays the cello on Sundays\n")


@pytest.mark.parametrize("verb", ["show", "update", "pin", "unpin", "archive", "restore", "forget"])
def test_an_unknown_id(cli: Cli, filled: Known, verb: str) -> None:
    """Every command that takes an id says that there is no such memory, and another user's is none."""
    extra = ["--importance", "1"] if verb == "update" else []
    ran = cli(verb, "2026-01-01T00:00:00.000Z#00000000", *extra)
    assert (ran.code, ran.out) == (4, "")
    assert ran.err == "recollect: There is no memory '2026-01-01T00:00:00.000Z#00000000'.\n"
    other = cli(verb, filled.cello, *extra, "--user", "mallory", "--json")
    assert other.code == 4
    assert other.json == {"error": f"There is no memory '{filled.cello}'."}
