"""The seed over HTTP: S4's UserSeed."""

from typing import Any

import pytest
from serving import Http

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
