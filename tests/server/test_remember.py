"""Storing memories over HTTP: S2's shapes, also when it is refused."""

from typing import Any

import pytest
from serving import Http, Service

ROUTE = "/memories"
CAPPED = b'{"content": "User likes green tea", "importance": %s}'


def _part(answer: dict[str, Any], expected: dict[str, Any]) -> dict[str, Any]:
    """Those of the answer's values that are expected; it may tell more."""
    return {name: answer[name] for name in expected}


def _count(http: Http) -> int:
    return len(http.get(ROUTE).json()["memories"])


def test_success_has_s2s_shape(http: Http) -> None:
    """A new fact is a 201 with S2's message, the id, and the text as it is stored."""
    answer = http.post(
        ROUTE,
        json={
            "content": "I prefer TypeScript over JavaScript",
            "category": "preference",
            "reasoning": "Core tech stack preference that affects recommendations",
        },
    )
    assert answer.status_code == 201
    said = answer.json()
    expected = {
        "success": True,
        "message": "Memory saved successfully",
        "memoryId": said["memoryId"],
        "content": "User prefers TypeScript over JavaScript",
        "category": "preference",
    }
    assert _part(said, expected) == expected
    (stored,) = http.get(ROUTE).json()["memories"]
    assert (stored["memory_id"], stored["content"]) == (said["memoryId"], said["content"])


def test_a_duplicate_has_s2s_shape_and_the_known_id(http: Http) -> None:
    """The same again is a 200 that shows what was known, and stores nothing."""
    first = http.post(ROUTE, json={"content": "User prefers TypeScript", "category": "preference"}).json()
    answer = http.post(ROUTE, json={"content": "I prefer TypeScript", "category": "preference"})
    assert answer.status_code == 200
    expected = {
        "success": False,
        "duplicate": True,
        "message": "Similar memory already exists",
        "existingContent": "User prefers TypeScript",
        "memoryId": first["memoryId"],
    }
    assert _part(answer.json(), expected) == expected
    assert _count(http) == 1


def test_a_new_value_of_a_known_fact_is_a_success(http: Http) -> None:
    """It replaces the old one, which stays in the past."""
    old = http.post(ROUTE, json={"content": "I live in Paris", "category": "identity"}).json()
    answer = http.post(ROUTE, json={"content": "I live in Berlin now", "category": "identity"})
    assert (answer.status_code, answer.json()["success"]) == (201, True)
    (known,) = http.get(ROUTE).json()["memories"]
    assert known["supersedes"] == old["memoryId"]
    assert len(http.get(ROUTE, params={"past": "true"}).json()["memories"]) == 2


@pytest.mark.parametrize(
    ("said", "stored"),
    [
        ("I am a software engineer", "User is a software engineer"),
        ("My wife is Jane", "User's wife is named Jane"),
        ("I prefer TypeScript", "User prefers TypeScript"),
        ("I'm based in London", "User is based in London"),
    ],
)
def test_the_first_person_is_rewritten(http: Http, said: str, stored: str) -> None:
    """S2's table: the reply shows the third person, which is what is stored."""
    assert http.post(ROUTE, json={"content": said}).json()["content"] == stored


def test_every_field_is_stored(http: Http) -> None:
    """What a caller says about a fact is in its record."""
    given = {
        "content": "User's friend John plays the oboe",
        "category": "relationship",
        "importance": 6.5,
        "tags": ["music", "friends"],
        "reasoning": "They rehearse together every week",
        "persona_id": "coach",
        "pinned": True,
        "entity_refs": ["person:John Doe"],
        "entity_label": "John",
        "subtype": {"entityType": "person", "factType": "relationship"},
        "source_message_ids": ["m1"],
        "source_context": "John plays the oboe, you know",
        "source": "tool",
        "type": "PEOPLE",
        "confidence": 0.9,
        "by": "importer",
    }
    answer = http.post(ROUTE, json=given)
    assert answer.status_code == 201
    (stored,) = http.get(ROUTE).json()["memories"]
    expected = {name: value for name, value in given.items() if name != "by"}
    assert _part(stored, expected) == {**expected, "entity_refs": ["person:john_doe"]}
    (made,) = http.get(f"{ROUTE}/{answer.json()['memoryId'].replace('#', '%23')}/history").json()["history"]
    assert made["by"] == "importer"


FACT = "User likes green tea"
REFUSED: list[tuple[Any, str]] = [
    ({"content": "too short"}, "Content too short (minimum 10 characters)"),
    ({"content": " " * 30}, "Content too short (minimum 10 characters)"),
    ({"content": "User likes tea " * 40}, "Content too long (maximum 500 characters)"),
    ({"content": FACT, "category": "nonsense"}, "Unknown category 'nonsense'"),
    ({"content": FACT, "category": ""}, "Unknown category ''"),
    ({}, "content required"),
    ({"content": None}, "content must be text."),
    ({"content": 5}, "content must be text."),
    ({"content": ["User likes tea"]}, "content must be text."),
    ({"content": FACT, "colour": "green"}, "colour is no field of this request; remove it."),
    ({"content": FACT, "importance": "9"}, "importance must be a number."),
    ({"content": FACT, "importance": True}, "importance must be a number."),
    ({"content": FACT, "importance": 11}, "importance must be a number from 0 to 10"),
    ({"content": FACT, "importance": -1}, "importance must be a number from 0 to 10"),
    ({"content": FACT, "tags": "tea"}, "tags must be a list."),
    ({"content": FACT, "tags": [1]}, "tags.0 must be text."),
    ({"content": FACT, "tags": [""]}, "tags: each tag has 1-100 characters."),
    ({"content": FACT, "tags": ["t" * 101]}, "tags: each tag has 1-100 characters."),
    ({"content": FACT, "reasoning": "short"}, "reasoning must have 10-200 characters"),
    ({"content": FACT, "persona_id": ""}, "persona_id must have 1-256 characters"),
    ({"content": FACT, "persona_id": 1}, "persona_id must be text."),
    ({"content": FACT, "pinned": "yes"}, "pinned must be true or false."),
    ({"content": FACT, "pinned": 1}, "pinned must be true or false."),
    ({"content": FACT, "entity_refs": ["john"]}, "Entity 'john' has no type"),
    ({"content": FACT, "entity_refs": ["animal:rex"]}, "Unknown entity type 'animal'"),
    ({"content": FACT, "entity_refs": ["person:\u0000"]}, "entity_refs contains a NUL character"),
    ({"content": FACT, "subtype": "person"}, "subtype must be an object."),
    ({"content": FACT, "subtype": {"colour": 1}}, "subtype has unknown fields: colour."),
    ({"content": FACT, "subtype": {"factType": {"a": 1}}}, "Unknown subtype.factType"),
    ({"content": FACT, "source_message_ids": [""]}, "source_message_ids must have 1-256 characters."),
    ({"content": FACT, "origin": "nobody"}, "Unknown origin 'nobody'"),
    ({"content": FACT, "source": "nowhere"}, "Unknown source 'nowhere'"),
    ({"content": FACT, "type": "OTHER"}, "type"),
    ({"content": FACT, "confidence": 2}, "confidence must be a number from 0 to 1"),
    ({"content": FACT, "by": ""}, "by must have 1-256 characters."),
    ({"content": FACT, "origin": "assistant", "pinned": True}, "pinned: only what the user said"),
    ({"content": "User likes \u0000 green tea"}, "content contains a NUL character; remove it."),
    ({"contnt": FACT}, "content required; contnt is no field of this request"),
    ({"contnt": FACT, "category": 5}, "content required; contnt is no field of this request"),
    ([], "body must be an object."),
    (None, "body required"),
]


@pytest.mark.parametrize(("body", "sentence"), REFUSED)
def test_what_is_refused_says_why(http: Http, body: Any, sentence: str) -> None:
    """Each bad field is a 400 in S2's shape whose sentence names it; nothing is stored."""
    answer = http.post(ROUTE, json=body)
    assert answer.status_code == 400
    assert answer.json()["success"] is False
    assert sentence in answer.json()["error"]
    assert _count(http) == 0


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"nonsense",
        b"\xff\xfe\x00",
        b'{"content": "\\ud800 is half a letter"}',
        b'{"content": "User likes green tea", "\\udfff": 1}',
        b'{"content": "User likes green tea", "tags": ["\\ud800"]}',
        b'{"content": "User likes green tea", "subtype": {"\\ud800": 1}}',
        CAPPED % b"NaN",
        CAPPED % b"-Infinity",
        CAPPED % b"1e999",
        CAPPED % (b"9" * 400),
        CAPPED % (b"9" * 5000),
    ],
)
def test_hostile_bodies_are_refused(http: Http, body: bytes) -> None:
    """Whatever is sent instead of JSON, or within it, is a 400 with a sentence."""
    answer = http.post(ROUTE, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code == 400
    assert answer.json()["error"]
    assert _count(http) == 0


def test_a_token_is_needed(service: Service) -> None:
    """Without one it is a 401, in everybody's shape."""
    answer = service.anyone.post(ROUTE, json={"content": FACT})
    assert (answer.status_code, answer.json()) == (401, {"error": "Authentication required"})


def test_a_batch_answers_in_order(http: Http) -> None:
    """Each statement has its own result: stored, known, or refused with the reason."""
    answer = http.post(
        f"{ROUTE}/batch",
        json={
            "memories": [
                {"content": "I keep bees behind the house"},
                {"content": "too short"},
                {"content": "User keeps bees behind the house"},
                {"content": "I play the oboe on Fridays", "tags": ["music"]},
            ]
        },
    )
    assert answer.status_code == 200
    results = answer.json()["results"]
    assert [result["success"] for result in results] == [True, False, False, True]
    assert results[1]["error"] == "Content too short (minimum 10 characters)"
    assert results[2]["memoryId"] == results[0]["memoryId"]
    listed = http.get(ROUTE).json()["memories"]
    assert {item["memory_id"] for item in listed} == {results[0]["memoryId"], results[3]["memoryId"]}


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "memories required"),
        ({"memories": {}}, "memories must be a list."),
        ({"memories": [FACT]}, "memories.0 must be an object."),
        ({"memories": [{"content": FACT}, {"content": 1}]}, "memories.1.content must be text."),
        ({"memories": [{"content": FACT}] * 1001}, "memories must have at most 1000 entries."),
        ({"memories": [{"content": FACT, "by": "me"}]}, "memories.0.by is no field of this request"),
        ({"memories": [{"content": FACT}], "by": ""}, "by must have 1-256 characters."),
    ],
)
def test_a_malformed_batch_stores_nothing(http: Http, body: Any, sentence: str) -> None:
    """A body that is not a batch is refused as a whole."""
    answer = http.post(f"{ROUTE}/batch", json=body)
    assert (answer.status_code, answer.json()["success"]) == (400, False)
    assert sentence in answer.json()["error"]
    assert _count(http) == 0


def test_an_empty_batch(http: Http) -> None:
    """Nothing given, nothing done."""
    assert http.post(f"{ROUTE}/batch", json={"memories": []}).json() == {"results": []}
