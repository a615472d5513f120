"""Pins over HTTP: S0's requests and answers."""

from typing import Any

import pytest
from serving import Http, Service

from .talk import UNSTORABLE, record, refused


def _pin(http: Http, **given: Any) -> dict[str, Any]:
    answer = http.post("/api/memory/pins", json={"session_id": "session-456", **given})
    assert answer.status_code == 201, answer.text
    return answer.json()


def test_s0s_request(http: Http) -> None:
    """S0's CreatePinRequest example makes S0's SemanticPin."""
    (source,) = record(http, "session-456", "My dad is fine")
    request = {
        "content": "Patient allergic to Penicillin",
        "source_message_id": source["id"],
        "importance_score": 10.0,
        "pin_type": "manual",
    }
    pin = _pin(http, **request)
    assert pin.items() >= (request | {"session_id": "session-456"}).items()
    assert isinstance(pin["id"], str)
    assert pin["created_at"].endswith("Z")
    assert http.get("/api/memory/pins?session_id=session-456").json() == {"pins": [pin]}


def test_s0s_defaults(http: Http) -> None:
    """Without them the importance is 5.0, the type manual, and no source is named; the chat is made."""
    pin = _pin(http, content="Patient prefers large-print instructions")
    assert (pin["importance_score"], pin["pin_type"]) == (5.0, "manual")
    assert "source_message_id" not in pin
    assert http.get("/v1/chats/session-456").json()["message_count"] == 0


@pytest.mark.parametrize(
    ("content", "score", "kind"),
    [
        ("Patient allergic to Penicillin and Sulfa drugs", 10.0, "auto"),
        ("Glucose target range: 80-130 mg/dL fasting", 8.0, "concept"),
        ("Emergency contact: Jane Doe, 555-1234", 9, "system"),
        ("Patient glucose tracking formula: (fasting + 2hr_post_meal) / 2", 0, "code"),
    ],
)
def test_s0s_examples(http: Http, content: str, score: float, kind: str) -> None:
    """S0's examples of content, in each of its types; a whole number is a number."""
    pin = _pin(http, content=content, importance_score=score, pin_type=kind)
    assert (pin["content"], pin["importance_score"], pin["pin_type"]) == (content, score, kind)


def test_pins_come_most_important_first(http: Http) -> None:
    """The list is by importance, and of one chat alone."""
    for score in (4, 10, 7):
        _pin(http, content=f"Fact of importance {score}", importance_score=score)
    http.post("/api/memory/pins", json={"session_id": "other", "content": "Elsewhere"})
    found = http.get("/api/memory/pins?session_id=session-456").json()["pins"]
    assert [pin["importance_score"] for pin in found] == [10, 7, 4]


def test_a_chat_must_be_named(http: Http) -> None:
    """Without a chat there is no list; a chat that is not there has no pins."""
    answer = http.get("/api/memory/pins")
    assert (answer.status_code, answer.json()) == (400, {"error": "session_id required"})
    assert http.get("/api/memory/pins?session_id=").status_code == 400
    assert http.get("/api/memory/pins?session_id=nothing").json() == {"pins": []}


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"session_id": None}, "session_id"),
        ({"session_id": ""}, "session_id"),
        ({"content": None}, "content"),
        ({"content": ""}, "content"),
        ({"content": "x" * 2001}, "content"),
        ({"importance_score": 10.5}, "importance_score"),
        ({"importance_score": -1}, "importance_score"),
        ({"importance_score": "high"}, "importance_score"),
        ({"importance_score": True}, "importance_score"),
        ({"importance_score": 10**40}, "importance_score"),
        ({"pin_type": "sticky"}, "pin_type"),
        ({"pin_type": 1}, "pin_type"),
        ({"source_message_id": ""}, "source_message_id"),
        ({"colour": "red"}, "colour"),
        *(
            ({name: text}, name)
            for name in ("session_id", "content", "source_message_id")
            for text in UNSTORABLE
        ),
    ],
)
def test_a_bad_pin_is_refused(http: Http, change: dict[str, Any], field: str) -> None:
    """Each wrong field is refused with a sentence that names it."""
    body = {"session_id": "c", "content": "Patient allergic to Penicillin", **change}
    assert field in refused(http, "POST", "/api/memory/pins", body)
    assert http.get("/v1/chats").json()["chats"] == []


@pytest.mark.parametrize("missing", ["session_id", "content"])
def test_what_a_pin_must_have(http: Http, missing: str) -> None:
    """Both required fields are asked for by name."""
    body = {"session_id": "c", "content": "Patient allergic to Penicillin"}
    del body[missing]
    assert refused(http, "POST", "/api/memory/pins", body) == f"{missing} required"


def test_a_source_must_be_of_the_chat(http: Http) -> None:
    """A message of another chat, or none, is no source."""
    (elsewhere,) = record(http, "d", "Hello")
    for source in (elsewhere["id"], "msg-42"):
        body = {"session_id": "c", "content": "Patient allergic", "source_message_id": source}
        assert "source_message_id" in refused(http, "POST", "/api/memory/pins", body, status=404)


def test_a_pin_is_changed(http: Http) -> None:
    """Content, importance and type change one by one; what is left out stays."""
    pin = _pin(http, content="Patient allergic to Penicillin")
    for change in ({"content": "Allergic to Sulfa"}, {"importance_score": 9.5}, {"pin_type": "concept"}):
        answer = http.patch(f"/api/memory/pins/{pin['id']}", json=change)
        assert answer.status_code == 200
        changed = answer.json()
        del changed["tokens"]
        pin = {name: value for name, value in (pin | change).items() if name != "tokens"}
        assert changed == pin


def test_a_pin_moves_to_another_chat(http: Http) -> None:
    """`session_id` moves it; the other chat must be there."""
    pin = _pin(http, content="Patient allergic to Penicillin")
    path = f"/api/memory/pins/{pin['id']}"
    assert refused(http, "PATCH", path, {"session_id": "other"}, status=404)
    record(http, "other", "Hello")
    assert http.patch(path, json={"session_id": "other"}).json()["session_id"] == "other"
    assert http.get("/api/memory/pins?session_id=session-456").json() == {"pins": []}


@pytest.mark.parametrize(
    ("body", "field"),
    [
        ({}, "content"),
        ({"content": ""}, "content"),
        ({"content": 5}, "content"),
        ({"importance_score": 11}, "importance_score"),
        ({"pin_type": "sticky"}, "pin_type"),
        ({"session_id": " "}, "session_id"),
        ({"id": "x"}, "id"),
        *(({"content": text}, "content") for text in UNSTORABLE),
    ],
)
def test_a_bad_change_is_refused(http: Http, body: Any, field: str) -> None:
    """Nothing changes when one field is wrong."""
    pin = _pin(http, content="Patient allergic to Penicillin")
    assert field in refused(http, "PATCH", f"/api/memory/pins/{pin['id']}", body)
    assert http.get("/api/memory/pins?session_id=session-456").json() == {"pins": [pin]}


def test_a_pin_is_taken_away(http: Http) -> None:
    """It is gone, and a second time it is not there."""
    pin = _pin(http, content="Patient allergic to Penicillin")
    answer = http.delete(f"/api/memory/pins/{pin['id']}")
    assert (answer.status_code, answer.json()) == (200, {"success": True})
    assert http.get("/api/memory/pins?session_id=session-456").json() == {"pins": []}
    assert http.delete(f"/api/memory/pins/{pin['id']}").status_code == 404


def test_another_users_pins_are_not_there(service: Service, http: Http) -> None:
    """Neither listed nor changed nor removed by somebody else."""
    pin = _pin(service.http("owner-of-pins"), content="Mine alone")
    path = f"/api/memory/pins/{pin['id']}"
    assert http.get("/api/memory/pins?session_id=session-456").json() == {"pins": []}
    assert http.patch(path, json={"content": "Theirs"}).status_code == 404
    assert http.delete(path).status_code == 404
    assert service.http("owner-of-pins").get("/api/memory/pins?session_id=session-456").json() == {
        "pins": [pin]
    }
