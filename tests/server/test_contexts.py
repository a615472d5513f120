"""Contexts over HTTP: S0's MemoryContext, with the forms to send and the reason of each line."""

import pytest
from serving import Http

from .talk import record

PATH = "/api/memory/context/session-456"


def test_the_last_question_is_the_question(http: Http) -> None:
    """Without a query, or with an empty one, the user's unanswered message is what is asked."""
    record(http, "session-456", "What time should dad take his evening meds?")
    for asked in ({}, {"query": ""}):
        context = http.get(PATH, params=asked).json()
        assert context["messages"][-1]["content"] == "What time should dad take his evening meds?"


@pytest.mark.parametrize("path", [PATH, "/v1/context"])
@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ("budget=199", "budget"),
        ("budget=0", "budget"),
        ("budget=-5", "budget"),
        (f"budget={10**30}", "budget"),
        ("budget=lots", "budget"),
        ("query=%20", "query"),
        ("query=a%00b", "query"),
        ("at=tomorrow", "at"),
        ("at=", "at"),
        ("zone=Atlantis", "zone"),
        ("zone=", "zone"),
        ("zone=../etc/passwd", "zone"),
        ("zone=a%00", "zone"),
        ("persona_id=", "persona_id"),
        (f"persona_id={'p' * 257}", "persona_id"),
    ],
)
def test_a_bad_question_names_the_field(http: Http, path: str, asked: str, field: str) -> None:
    """Each wrong parameter is refused with a sentence that names it; under 200 tokens no context can live."""
    answer = http.get(f"{path}?{asked}")
    assert answer.status_code == 400, answer.text
    assert field in answer.json()["error"]


def test_a_new_chat_knows_the_user(http: Http) -> None:
    """A chat without messages has a context: what the user said elsewhere."""
    record(http, "old", "My dad is allergic to Penicillin", "I'll remember that.")
    context = http.get("/api/memory/context/new", params={"query": "Is dad allergic to Penicillin?"}).json()
    assert context["recentMessages"] == []
    assert "allergic to Penicillin" in context["text"]


def test_across_chats(http: Http) -> None:
    """Outside any chat a context holds what is critical in all of them, with a question or without."""
    http.post(
        "/api/memory/pins",
        json={"session_id": "c", "content": "Patient allergic to Penicillin", "importance_score": 10},
    )
    for asked in ({}, {"query": "Which antibiotics are safe?", "zone": "Europe/Berlin"}):
        context = http.get("/v1/context", params=asked).json()
        assert "Patient allergic to Penicillin" in context["text"]
        assert context["recentMessages"] == []


def test_a_chat_of_another_persona(http: Http) -> None:
    """Naming a persona whose chat it is not is a conflict."""
    record(http, "session-456", "Hello", persona="coach")
    assert http.get(PATH, params={"persona_id": "coach"}).status_code == 200
    assert http.get(PATH, params={"persona_id": "nurse"}).status_code == 409


def test_a_chat_that_no_chat_can_be(http: Http) -> None:
    """A name that is no name is refused in S0's word for it."""
    for path in ("/api/memory/context/%20", "/api/memory/stats/a%00b"):
        answer = http.get(path)
        assert answer.status_code == 400
        assert "session_id" in answer.json()["error"]
