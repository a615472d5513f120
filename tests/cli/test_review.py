"""review: tidying memories, and deciding what is proposed."""

import pytest

from .conftest import Cli


@pytest.fixture
def told(cli: Cli) -> Cli:
    """Two memories that say one thing, and two that cannot both be true."""
    for text in ("I drink coffee", "I drink coffee in the morning", "I am vegetarian", "I love eating steak"):
        assert cli("remember", text).code == 0
    return cli


def test_tidying(told: Cli) -> None:
    """A dry run says what would be done, and the run does it."""
    would = told("review", "--tidy", "--dry-run").out
    assert would.startswith("Would do: 1 folded, 0 archived, 0 raised, 1 proposed · 4 memories examined\n")
    assert "  User drinks coffee in the morning  say one thing" in would
    assert "    from User drinks coffee  " in would
    assert told("review", "--tidy", "--dry-run", "--json").json["dry_run"] is True
    assert len(told("memories", "--json").json["memories"]) == 4
    done = told("review", "--tidy", "--json").json
    assert [fold["into"]["content"] for fold in done["folds"]] == ["User drinks coffee in the morning"]
    assert len(told("memories", "--json").json["memories"]) == 3
    assert told("review", "--tidy").out.startswith("Nothing to do: 0 folded")


def test_deciding(told: Cli) -> None:
    """A proposal is shown with the memories that it is about, and accepted or rejected by its id."""
    assert told("review").out == "No proposals.\n"
    (proposal,) = told("review", "--tidy", "--json").json["proposals"]
    shown = told("review").out
    assert shown.startswith("contradiction: the one excludes steak\n  User is vegetarian  ")
    assert proposal["id"] in shown
    assert told("review", "--json").json["proposals"] == [proposal]
    assert told("review", "--kind", "merge").out == "No proposals.\n"
    keep = proposal["memory_ids"][0]
    accepted = told("review", "--accept", proposal["id"], "--keep", keep, "--json").json
    assert accepted["status"] == "accepted"
    contents = [item["content"] for item in told("memories", "--json").json["memories"]]
    assert "User is vegetarian" in contents
    assert "User loves eating steak" not in contents
    assert "accepted by user" in told("review", "--all").out
    assert told("review", "--reject", proposal["id"]).code == 5


def test_rejecting(told: Cli) -> None:
    """A rejected proposal is not made again."""
    (proposal,) = told("review", "--tidy", "--json").json["proposals"]
    assert told("review", "--reject", proposal["id"]).out == f"Rejected: contradiction {proposal['id']}\n"
    assert told("review").out == "No proposals.\n"


@pytest.mark.parametrize(
    ("given", "code", "word"),
    [
        (["--dry-run"], 2, "--dry-run requires --tidy"),
        (["--reject", "x", "--keep", "y"], 2, "--keep requires --accept"),
        (["--accept", "x", "--reject", "y"], 2, "cannot be combined"),
        (["--accept", "nothing"], 4, "There is no proposal 'nothing'"),
        (["--reject", "nothing"], 4, "There is no proposal 'nothing'"),
        (["--kind", "odd"], 2, "kind must be one of"),
    ],
)
def test_mistakes(told: Cli, given: list[str], code: int, word: str) -> None:
    """What cannot be done is one line."""
    ran = told("review", *given)
    assert (ran.code, ran.out) == (code, "")
    assert word in ran.err
