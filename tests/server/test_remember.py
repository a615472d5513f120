"""Storing memories over HTTP: S2's shapes, also when it is refused."""

from typing import Any

import pytest
from serving import Http

ROUTE = "/memories"


def _count(http: Http) -> int:
    return len(http.get(ROUTE).json()["memories"])


FACT = "User likes green tea"
REFUSED: list[tuple[Any, str]] = [
    ({"content": "too short"}, "Content too short (minimum 10 characters)"),
    ({"content": " " * 30}, "Content too short (minimum 10 characters)"),
    ({"content": "User likes tea " * 40}, "Content too long (maximum 500 characters)"),
    ({"content": FACT, "category": "nonsense"}, "Unknown category 'nonsense'"),
    ({"content": FACT, "category": ""}, "Unknown category ''"),
    ({}, "content is required; put it in the JSON body."),
    ({"content": None}, "content must be text, not null."),
    ({"content": 5}, "content must be text, not 5."),
    ({"content": ["User likes tea"]}, "content must be text, not a list."),
    ({"content": FACT, "colour": "green"}, "The body has no field 'colour'; it takes content, category, "),
    ({"content": FACT, "importance": "9"}, "importance must be a number, not '9'."),
    ({"content": FACT, "importance": True}, "importance must be a number, not true."),
    ({"content": FACT, "importance": 11}, "importance must be a number from 0 to 10"),
    ({"content": FACT, "importance": -1}, "importance must be a number from 0 to 10"),
    ({"content": FACT, "tags": "tea"}, "tags must be a list, not 'tea'."),
    ({"content": FACT, "tags": [1]}, "tags.0 must be text, not 1."),
    ({"content": FACT, "tags": [""]}, "tags: each tag must have 1-100 characters."),
    ({"content": FACT, "tags": ["t" * 101]}, "tags: each tag must have 1-100 characters."),
    ({"content": FACT, "reasoning": "short"}, "reasoning must have 10-200 characters"),
    ({"content": FACT, "persona_id": ""}, "persona_id must have 1-256 characters"),
    ({"content": FACT, "persona_id": 1}, "persona_id must be text, not 1."),
    ({"content": FACT, "pinned": "yes"}, "pinned must be true or false, not 'yes'."),
    ({"content": FACT, "pinned": 1}, "pinned must be true or false, not 1."),
    ({"content": FACT, "entity_refs": ["john"]}, "Entity 'john' has no type"),
    ({"content": FACT, "entity_refs": ["animal:rex"]}, "Unknown entity type 'animal'"),
    ({"content": FACT, "entity_refs": ["person:\u0000"]}, "entity_refs contains a NUL character"),
    ({"content": FACT, "subtype": "person"}, "subtype must be an object, not 'person'."),
    ({"content": FACT, "subtype": {"colour": 1}}, "subtype has unknown fields: colour."),
    ({"content": FACT, "subtype": {"factType": {"a": 1}}}, "Unknown subtype.factType"),
    ({"content": FACT, "source_message_ids": [""]}, "source_message_ids must have 1-256 characters."),
    ({"content": FACT, "origin": "nobody"}, "Unknown origin 'nobody'"),
    ({"content": FACT, "source": "nowhere"}, "Unknown source 'nowhere'"),
    ({"content": FACT, "type": "OTHER"}, "type"),
    ({"content": FACT, "confidence": 2}, "confidence must be a number from 0 to 1"),
    ({"content": FACT, "by": "me"}, "The body has no field 'by'"),
    (
        {"content": FACT, "origin": "assistant", "pinned": True},
        "pinned must be false: only what the user said",
    ),
    ({"content": "User likes \u0000 green tea"}, "content contains a NUL character; remove it."),
    ({"contnt": FACT}, "The body has no field 'contnt'; did you mean 'content'?"),
    ({"contnt": FACT, "category": 5}, "The body has no field 'contnt'; did you mean 'content'?"),
    ("text", "body must be an object, not 'text'."),
    (None, "body is required"),
]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ([FACT], f"0 must be an object, not '{FACT}'."),
        ([{"content": FACT}, {"content": 1}], "1.content must be text, not 1."),
        ([{"content": FACT}] * 1001, "body must have at most 1000 entries"),
        ([{"contents": FACT}], "0 has no field 'contents'; did you mean 'content'?"),
    ],
)
def test_a_malformed_list_stores_nothing(http: Http, body: Any, sentence: str) -> None:
    """A list with an entry that is not a memory is refused as a whole."""
    answer = http.post(ROUTE, json=body)
    assert (answer.status_code, answer.json()["success"]) == (400, False)
    assert sentence in answer.json()["error"]
    assert _count(http) == 0


def test_an_empty_list(http: Http) -> None:
    """Nothing given, nothing done."""
    assert http.post(ROUTE, json=[]).json() == {"results": []}
