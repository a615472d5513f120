"""entities: listed, shown, merged."""

from .conftest import Cli, Known


def test_entities_are_listed(cli: Cli, filled: Known) -> None:
    """Everyone who is mentioned is listed with a count of facts."""
    found = {item["key"]: item for item in cli("entities", "--json").json["entities"]}
    assert found["person:jane"]["fact_count"] == 2
    line = next(line for line in cli("entities").out.splitlines() if line.startswith("person:jane"))
    assert line.split()[:3] == ["person:jane", "Jane", "2"]
    assert cli("entities", "--user", "nobody").out == "No entities.\n"
    assert cli("entities", "--user", "nobody", "--json").json == {"entities": [], "next_cursor": None}
    assert [item["key"] for item in cli("entities", "--type", "place", "--json").json["entities"]] == [
        "place:lisbon",
        "place:berlin",
    ]
    assert cli("entities", "--limit", "1").out.endswith("There are more: use --limit 2\n")


def test_one_entity(cli: Cli, filled: Known) -> None:
    """An entity is shown with its card and its memories."""
    answer = cli("entities", "person:jane", "--json").json
    assert len(answer["memories"]) == 2
    assert answer["card"]["entity"] == "person:jane"
    ran = cli("entities", "person:jane")
    assert ran.out.splitlines()[0] == "Jane  person:jane"
    assert "[person:jane]: User's wife" in ran.out
    assert filled.allergy in ran.out


def test_an_unknown_entity(cli: Cli, filled: Known) -> None:
    """An entity that is not there has the code for that; a key that is none is bad input."""
    assert cli("entities", "person:nobody").code == 4
    assert cli("entities", "nobody").code == 2


def test_merge_and_unmerge(cli: Cli, filled: Known) -> None:
    """A merge makes one entity of two, and unmerge takes it back."""
    cli("remember", "Janet works as a nurse")
    merged = cli("entities", "person:janet", "--merge", "person:jane", "--json").json
    assert merged["aliases"] == ["person:janet"]
    assert merged["fact_count"] == 3
    assert "also person:janet" in cli("entities", "person:jane").out
    assert cli("entities", "person:janet", "--merge", "person:jane").code == 5
    assert cli("entities", "--unmerge", "person:janet", "--json").json["fact_count"] == 1
    again = cli("entities", "person:janet", "--merge", "person:jane")
    assert (
        again.out == "Merged: person:janet now means person:jane. To undo this, use --unmerge person:janet.\n"
    )
    undone = cli("entities", "person:jane", "--unmerge", "person:janet")
    assert undone.out == "Unmerged: person:janet is a separate entity again.\n"
    assert cli("entities", "--unmerge", "person:janet").code == 4


def test_merging_different_kinds(cli: Cli, filled: Known) -> None:
    """A person cannot be a place: a conflict."""
    assert cli("entities", "person:jane", "--merge", "place:lisbon").code == 5
