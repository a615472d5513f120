"""entities, entity, merge and unmerge."""

from .conftest import Cli, Known


def test_entities_are_listed(cli: Cli, filled: Known) -> None:
    """Everyone who is mentioned is listed with a count of facts."""
    found = {item["key"]: item for item in cli("entities", "--json").json["entities"]}
    assert found["person:jane"]["fact_count"] == 2
    line = next(line for line in cli("entities").out.splitlines() if line.startswith("person:jane"))
    assert line.split()[:3] == ["person:jane", "Jane", "2"]
    assert cli("entities", "--user", "nobody").out == "No entities.\n"
    assert cli("entities", "--user", "nobody", "--json").json == {"entities": []}


def test_one_entity(cli: Cli, filled: Known) -> None:
    """An entity is shown with its card and its memories."""
    answer = cli("entity", "person:jane", "--json").json
    assert len(answer["memories"]) == 2
    assert answer["card"]["entity"] == "person:jane"
    ran = cli("entity", "person:jane")
    assert ran.out.splitlines()[0] == "Jane  person:jane"
    assert "[person:jane]: User's wife" in ran.out
    assert filled.allergy in ran.out


def test_an_unknown_entity(cli: Cli, filled: Known) -> None:
    """An entity that is not there has the code for that; a key that is none is bad input."""
    assert cli("entity", "person:nobody").code == 4
    assert cli("entity", "nobody").code == 2


def test_merge_and_unmerge(cli: Cli, filled: Known) -> None:
    """A merge makes one entity of two, and unmerge takes it back."""
    cli("remember", "Janet works as a nurse", "--entity", "person:janet")
    merged = cli("merge", "person:janet", "person:jane", "--json").json
    assert merged["aliases"] == ["person:janet"]
    assert merged["fact_count"] == 3
    assert "also person:janet" in cli("entity", "person:jane").out
    assert cli("merge", "person:janet", "person:jane").code == 5
    assert cli("unmerge", "person:janet", "--json").json["fact_count"] == 1
    assert "Merged: person:janet means person:jane" in cli("merge", "person:janet", "person:jane").out
    assert "Unmerged: person:janet is an entity of its own" in cli("unmerge", "person:janet").out
    assert cli("unmerge", "person:janet").code == 4


def test_merging_different_kinds(cli: Cli, filled: Known) -> None:
    """A person cannot be a place: a conflict."""
    assert cli("merge", "person:jane", "place:lisbon").code == 5


def test_variants_and_graph(cli: Cli, filled: Known) -> None:
    """Pairs of names that may be one, and who is mentioned with whom; not both at once."""
    assert cli("entities", "--variants").out == "No names that may mean the same.\n"
    cli("remember", "Jayne had lunch with Bob", "--entity", "person:jayne", "--entity", "person:bob")
    (pair,) = cli("entities", "--variants", "--json").json["variants"]
    assert {pair["from"], pair["into"]} == {"person:jane", "person:jayne"}
    assert "person:jayne" in cli("entities", "--variants").out
    edges = cli("entities", "--graph", "--json").json["edges"]
    assert {"a": "person:bob", "b": "person:jayne", "count": 1} in edges
    assert "person:bob" in cli("entities", "--graph").out
    assert "Nobody" in cli("entities", "--graph", "--user", "nobody").out
    assert cli("entities", "--graph", "--variants").code == 2
