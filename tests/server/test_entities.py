"""Entities over HTTP: who is mentioned, with whom, and which names are one."""

from typing import Any
from urllib.parse import quote

import pytest
from serving import Http, Service

ROUTE = "/v1/entities"


def _tell(http: Http, **facts: str) -> None:
    """Each fact mentions the entities that its name says: person_bob is person:bob."""
    for name, content in facts.items():
        refs = [ref.replace("_", ":", 1) for ref in name.split("__")]
        answer = http.post("/memories", json={"content": content, "entity_refs": refs, "importance": 8})
        assert answer.status_code == 201, answer.text


@pytest.fixture
def bakery(http: Http) -> Http:
    """Bob and Robert, and the place where one of them works."""
    _tell(
        http,
        person_bob="Bob is User's friend from school",
        person_robert__place_graz="Robert works in a bakery in Graz",
    )
    return http


def _merged(http: Http) -> Any:
    return http.post(f"{ROUTE}/merge", json={"from": "person:bob", "into": "person:robert"})


def test_entities_are_listed_last_mentioned_first(bakery: Http) -> None:
    """Each has a key, a label, a type, aliases, a number of facts, and when it was last mentioned."""
    answer = bakery.get(ROUTE).json()
    assert answer["next_cursor"] is None
    assert {item["key"] for item in answer["entities"][:2]} == {"person:robert", "place:graz"}
    bob = answer["entities"][2]
    assert bob == {
        "key": "person:bob",
        "label": "Bob",
        "type": "person",
        "aliases": [],
        "fact_count": 1,
        "last_mentioned": bob["last_mentioned"],
    }
    people = bakery.get(ROUTE, params={"type": "person"}).json()["entities"]
    assert [item["key"] for item in people] == ["person:robert", "person:bob"]


def test_entities_are_paged(bakery: Http) -> None:
    """One at a time one sees all of them once, although two were mentioned at one moment."""
    everything = [item["key"] for item in bakery.get(ROUTE).json()["entities"]]
    assert len(everything) == 3
    found: list[str] = []
    params: dict[str, Any] = {"limit": 1}
    while True:
        answer = bakery.get(ROUTE, params=params).json()
        found += [item["key"] for item in answer["entities"]]
        if answer["next_cursor"] is None:
            break
        params["cursor"] = answer["next_cursor"]
    assert found == everything


def test_one_entity_has_card_memories_and_neighbours(bakery: Http) -> None:
    """By its key, however it is spelled, one gets all that is known about it."""
    details = bakery.get(f"{ROUTE}/{quote('person:Robert', safe='')}").json()
    assert (details["key"], details["type"], details["fact_count"]) == ("person:robert", "person", 1)
    assert details["card"]["facts"] == ["Robert works in a bakery in Graz"]
    assert [item["content"] for item in details["memories"]] == ["Robert works in a bakery in Graz"]
    assert details["neighbours"] == [{"key": "place:graz", "count": 1}]


def test_a_merge_makes_two_names_one_and_is_undone(bakery: Http) -> None:
    """Both names bring both facts; taken back, each brings its own."""
    answer = _merged(bakery)
    assert answer.status_code == 200
    entity = answer.json()
    assert (entity["key"], entity["aliases"], entity["fact_count"]) == ("person:robert", ["person:bob"], 2)
    assert len(bakery.get(f"{ROUTE}/person:bob").json()["memories"]) == 2
    assert _merged(bakery).status_code == 409, "they are the same already"
    undone = bakery.delete(f"{ROUTE}/person:robert/aliases/person:bob")
    assert (undone.status_code, undone.json()) == (200, {"success": True})
    assert bakery.delete(f"{ROUTE}/person:robert/aliases/person:bob").status_code == 404
    assert bakery.get(f"{ROUTE}/person:bob").json()["fact_count"] == 1


def test_an_alias_belongs_to_its_entity(bakery: Http) -> None:
    """Under another entity there is no such alias, and the merge stands."""
    _tell(bakery, person_carol="Carol is User's neighbour upstairs")
    _merged(bakery)
    assert bakery.delete(f"{ROUTE}/person:carol/aliases/person:bob").status_code == 404
    assert bakery.get(f"{ROUTE}/person:bob").json()["key"] == "person:robert"


def test_proposed_merges(http: Http) -> None:
    """S4's variants of one name wait with their evidence, and are decided by their id."""
    _tell(
        http,
        person_makesh="Makesh handles the backend of the app",
        person_mukesh="Mukesh chose the new database",
    )
    (variant,) = http.get(f"{ROUTE}/variants").json()["variants"]
    assert {variant["from"], variant["into"]} == {"person:makesh", "person:mukesh"}
    assert variant["sure"] is False
    assert http.get(f"{ROUTE}/proposals").json() == {"proposals": [], "next_cursor": None}
    http.post("/memories/consolidate", json={"dry_run": False})
    (proposal,) = http.get(f"{ROUTE}/proposals").json()["proposals"]
    assert {name: proposal[name] for name in ("from", "into", "evidence", "score")} == {
        name: variant[name] for name in ("from", "into", "evidence", "score")
    }
    assert http.get(f"{ROUTE}/variants").json() == {"variants": []}
    assert http.post(f"/v1/proposals/{quote(proposal['id'], safe='')}/accept").is_success
    assert http.get(f"{ROUTE}/person:makesh").json()["fact_count"] == 2
    assert http.get(f"{ROUTE}/proposals").json()["proposals"] == []


def test_the_graph(bakery: Http) -> None:
    """Points are entities with their number of memories, lines the memories that mention both."""
    graph = bakery.get(f"{ROUTE}/graph").json()
    assert {node["key"]: node["count"] for node in graph["nodes"]} == {
        "person:bob": 1,
        "person:robert": 1,
        "place:graz": 1,
    }
    assert graph["edges"] == [{"a": "person:robert", "b": "place:graz", "count": 1}]
    assert len(bakery.get(f"{ROUTE}/graph", params={"limit": 1}).json()["nodes"]) == 1


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "sentence"),
    [
        ("GET", "?type=animal", None, 400, "Unknown entity type 'animal'"),
        ("GET", "?limit=0", None, 400, "limit must be at least 1."),
        ("GET", "?cursor=WyJ4Il0", None, 400, "cursor is none of ours"),
        ("GET", "?cursor=WyJ4IiwieSJd", None, 400, "before: 'x' is not an ISO-8601 time"),
        ("GET", "/bob", None, 400, "Entity 'bob' has no type"),
        ("GET", "/person:%00", None, 400, "is empty"),
        ("GET", "/person:nobody", None, 404, "There is no entity 'person:nobody'."),
        ("GET", "/graph?limit=0", None, 400, "limit must be at least 1."),
        ("GET", "/graph?limit=1001", None, 400, "limit must be at most 1000."),
        ("GET", "/proposals?cursor=x", None, 400, "cursor is none of ours"),
        ("POST", "/merge", {}, 400, "from required"),
        ("POST", "/merge", {"from": "person:bob"}, 400, "into required"),
        ("POST", "/merge", {"from": 1, "into": "person:robert"}, 400, "from must be text."),
        ("POST", "/merge", {"from_": "person:bob", "into": "person:robert"}, 400, "from required"),
        ("POST", "/merge", {"from": "bob", "into": "person:robert"}, 400, "Entity 'bob' has no type"),
        ("POST", "/merge", {"from": "person:nobody", "into": "person:bob"}, 404, "person:nobody"),
        ("POST", "/merge", {"from": "person:bob", "into": "place:graz"}, 409, "different types"),
        ("POST", "/merge", {"from": "person:bob", "into": "person:bob"}, 409, "the same entity already"),
        ("DELETE", "/person:robert/aliases/person:bob", None, 404, "is not another name"),
        ("DELETE", "/robert/aliases/person:bob", None, 400, "has no type"),
        ("DELETE", "/person:robert/aliases/bob", None, 400, "has no type"),
    ],
)
def test_bad_requests(bakery: Http, method: str, path: str, body: Any, status: int, sentence: str) -> None:
    """Each says what is wrong."""
    answer = bakery.request(method, f"{ROUTE}{path}", **({} if body is None else {"json": body}))
    assert answer.status_code == status
    assert sentence in answer.json()["error"]


def test_anothers_entities_are_not_there(service: Service, bakery: Http) -> None:
    """A stranger sees none of them, and can merge none."""
    _merged(bakery)
    stranger = service.http("a-stranger")
    assert stranger.get(ROUTE).json()["entities"] == []
    assert stranger.get(f"{ROUTE}/person:robert").status_code == 404
    assert _merged(stranger).status_code == 404
    assert stranger.delete(f"{ROUTE}/person:robert/aliases/person:bob").status_code == 404
    assert stranger.get(f"{ROUTE}/graph").json() == {"nodes": [], "edges": []}
