"""The seed over HTTP: S4's UserSeed."""

from typing import Any

import pytest
from serving import Http, Service

from .talk import UNSTORABLE, refused

#: S4's examples of profile facts.
SEED = {
    "facts": [
        {"content": "User lives in Austin, Texas", "category": "identity"},
        {"content": "User prefers dark mode", "category": "preference", "importance": 7},
        {"content": "User is a morning person"},
    ],
    "notes": "Prefers short answers.",
}


def test_there_is_no_seed_at_first(http: Http) -> None:
    """An empty seed, in the shape of any other."""
    assert http.get("/v1/seed").json() == {"facts": [], "notes": ""}


def test_a_seed_is_planted(http: Http) -> None:
    """What is put is what is read; its facts are memories, its notes stand in the context."""
    answer = http.put("/v1/seed", json=SEED)
    assert (answer.status_code, answer.json()) == (200, SEED)
    assert http.get("/v1/seed").json() == SEED
    stored = {memory["content"] for memory in http.get("/memories").json()["memories"]}
    assert stored == {fact["content"] for fact in SEED["facts"]}
    assert "Prefers short answers." in http.get("/v1/context").json()["text"]


def test_planting_again_replaces(http: Http) -> None:
    """What the new seed no longer says is no memory any more; an empty one clears all."""
    http.put("/v1/seed", json=SEED)
    http.put("/v1/seed", json={"facts": SEED["facts"][:1]})
    assert http.get("/v1/seed").json() == {"facts": SEED["facts"][:1], "notes": ""}
    assert [memory["content"] for memory in http.get("/memories").json()["memories"]] == [
        "User lives in Austin, Texas"
    ]
    assert http.put("/v1/seed", json={}).json() == {"facts": [], "notes": ""}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({"facts": "User lives in Austin"}, "facts"),
        ({"facts": ["User lives in Austin"]}, "facts"),
        ({"facts": [{}]}, "facts"),
        ({"facts": [{"content": "short"}]}, "facts: number 1"),
        ({"facts": [{"content": 5}]}, "facts: number 1"),
        ({"facts": [{"content": "User lives in Austin", "category": "weather"}]}, "facts: number 1"),
        ({"facts": [{"content": "User lives in Austin", "importance": 11}]}, "facts: number 1"),
        ({"facts": [{"content": "User lives in Austin", "importance": "high"}]}, "facts: number 1"),
        ({"facts": [{"content": "User lives in Austin", "tags": 5}]}, "facts: number 1"),
        ({"facts": [{"content": "User lives in Austin", "subtype": [1]}]}, "facts: number 1"),
        ({"facts": [{"content": "User lives in Austin", "entity_refs": {"a": 1}}]}, "facts: number 1"),
        ({"facts": [{"content": "User lives in Austin", "pinned": "yes"}]}, "facts: number 1"),
        ({"facts": [{"content": "User lives in Austin", "source": "tool"}]}, "facts: number 1"),
        ({"facts": [{"content": "User lives in Austin", "colour": "red"}]}, "colour"),
        ({"facts": [{"content": "User lives in Austin, Texas"}] * 201}, "facts"),
        ({"notes": "x" * 4001}, "notes"),
        ({"notes": None}, "notes"),
        ({"seed": {}}, "seed"),
        *(({"notes": text}, "notes") for text in UNSTORABLE),
        *(({"facts": [{"content": f"User lives in {text}"}]}, "facts") for text in UNSTORABLE),
    ],
)
def test_a_bad_seed_is_refused(http: Http, body: Any, field: str) -> None:
    """Each wrong field is refused with a sentence that names it, and nothing is planted."""
    assert field in refused(http, "PUT", "/v1/seed", body)
    assert http.get("/v1/seed").json() == {"facts": [], "notes": ""}
    assert http.get("/memories").json()["memories"] == []


def test_a_seed_is_its_users(service: Service, http: Http) -> None:
    """Nobody else sees it."""
    service.http("owner-of-seeds").put("/v1/seed", json=SEED)
    assert http.get("/v1/seed").json() == {"facts": [], "notes": ""}
