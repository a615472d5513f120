"""Entities over HTTP: who is mentioned, with whom, and which names are one."""

from typing import Any

import pytest
from serving import Http

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


def test_an_alias_belongs_to_its_entity(bakery: Http) -> None:
    """Under another entity there is no such alias, and the merge stands."""
    _tell(bakery, person_carol="Carol is User's neighbour upstairs")
    _merged(bakery)
    assert bakery.delete(f"{ROUTE}/person:carol/aliases/person:bob").status_code == 404
    assert bakery.get(f"{ROUTE}/person:bob").json()["key"] == "person:robert"


@pytest.mark.parametrize(
    ("method", "path", "body", "status", "sentence"),
    [
        ("GET", "?type=animal", None, 400, "Unknown entity type 'animal'"),
        ("GET", "?limit=0", None, 400, "limit must be at least 1, not '0'."),
        ("GET", "?cursor=WyJ4Il0", None, 400, "Invalid cursor."),
        ("GET", "?cursor=WyJ4IiwieSJd", None, 400, "cursor: 'x' is not an ISO-8601 time"),
        ("GET", "/bob", None, 400, "Entity 'bob' has no type"),
        ("GET", "/person:%00", None, 400, "is empty"),
        ("GET", "/person:nobody", None, 404, "There is no entity 'person:nobody'."),
        ("GET", "/graph?limit=0", None, 400, "limit must be at least 1, not '0'."),
        ("GET", "/graph?limit=1001", None, 400, "limit must be at most 1000, not '1001'."),
        ("GET", "/proposals?cursor=x", None, 400, "Invalid cursor."),
        ("POST", "/merge", {}, 400, "from is required"),
        ("POST", "/merge", {"from": "person:bob"}, 400, "into is required"),
        ("POST", "/merge", {"from": 1, "into": "person:robert"}, 400, "from must be text, not 1."),
        ("POST", "/merge", {"from_": "person:bob", "into": "person:robert"}, 400, "did you mean 'from'?"),
        ("POST", "/merge", {"from": "bob", "into": "person:robert"}, 400, "Entity 'bob' has no type"),
        ("POST", "/merge", {"from": "person:nobody", "into": "person:bob"}, 404, "person:nobody"),
        ("POST", "/merge", {"from": "person:bob", "into": "place:graz"}, 409, "different types"),
        ("POST", "/merge", {"from": "person:bob", "into": "person:bob"}, 409, "already the same entity"),
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
