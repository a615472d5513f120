"""curate and proposals: tidying memories, taking it back, and deciding."""

import pytest

from .conftest import Cli


@pytest.fixture
def told(cli: Cli) -> Cli:
    """Two memories that say one thing, and two that cannot both be true."""
    for text in ("I drink coffee", "I drink coffee in the morning", "I am vegetarian", "I love eating steak"):
        assert cli("remember", text).code == 0
    return cli


def test_tidying_from_the_dry_run_to_the_undoing(told: Cli) -> None:
    """A dry run says what would be done, the run does it, the list shows it, and undoing takes it back."""
    assert told("curate", "--runs").out == "Nothing was tidied yet.\n"
    would = told("curate", "--dry-run").out
    assert would.startswith("Would do: 1 folded, 0 archived, 0 risen, 1 proposed · 4 looked at\n")
    assert "  User drinks coffee in the morning  say one thing" in would
    assert "    from User drinks coffee  " in would
    assert told("curate", "--dry-run", "--json").json["dry_run"] is True
    done = told("curate", "--json").json
    assert [fold["into"]["content"] for fold in done["folds"]] == ["User drinks coffee in the morning"]
    assert len(told("memories", "--json").json["memories"]) == 3
    assert told("curate").out.startswith("Nothing: 0 folded")
    assert done["run_id"] in told("curate", "--runs").out
    assert told("curate", "--runs", "--json").json["runs"][0]["run_id"] == done["run_id"]
    assert told("curate", "--undo", done["run_id"]).out.startswith("Undone: 1 folded")
    assert len(told("memories", "--json").json["memories"]) == 4


def test_deciding(told: Cli) -> None:
    """A proposal is shown with the memories that it is about, and accepted or rejected by its id."""
    assert told("proposals").out == "Nothing waits for a decision.\n"
    (proposal,) = told("curate", "--json").json["proposals"]
    shown = told("proposals").out
    assert shown.startswith("contradiction: the one excludes steak\n  User is vegetarian  ")
    assert proposal["id"] in shown
    assert told("proposals", "--json").json["proposals"] == [proposal]
    assert told("proposals", "--kind", "merge").out == "Nothing waits for a decision.\n"
    keep = proposal["memory_ids"][0]
    accepted = told("proposals", "accept", proposal["id"], "--keep", keep, "--json").json
    assert accepted["status"] == "accepted"
    contents = [item["content"] for item in told("memories", "--json").json["memories"]]
    assert "User is vegetarian" in contents
    assert "User loves eating steak" not in contents
    assert "accepted by user" in told("proposals", "--all").out
    assert told("proposals", "reject", proposal["id"]).code == 5


def test_rejecting(told: Cli) -> None:
    """Rejected, it is asked no more."""
    (proposal,) = told("curate", "--json").json["proposals"]
    assert told("proposals", "reject", proposal["id"]).out == f"Rejected: contradiction {proposal['id']}\n"
    assert told("proposals").out == "Nothing waits for a decision.\n"


@pytest.mark.parametrize(
    ("given", "code", "word"),
    [
        (["curate", "--undo", "nothing"], 4, "There is no run 'nothing'"),
        (["curate", "--dry-run", "--runs"], 2, "one of --dry-run, --undo and --runs"),
        (["proposals", "accept", "nothing"], 4, "There is no proposal 'nothing'"),
        (["proposals", "reject", "nothing"], 4, "There is no proposal 'nothing'"),
        (["proposals", "--kind", "odd"], 2, "kind must be one of"),
    ],
)
def test_mistakes(told: Cli, given: list[str], code: int, word: str) -> None:
    """What cannot be done is one line."""
    ran = told(*given)
    assert (ran.code, ran.out) == (code, "")
    assert word in ran.err
