"""Contexts over HTTP: S0's MemoryContext, with the forms to send and the reason of each line."""

import pytest
from serving import Http, Service

from .talk import record

PATH = "/api/memory/context/session-456"


def test_s0s_workflow(http: Http) -> None:
    """S0's example: an allergy that was said long ago is in the context of a question about antibiotics."""
    said = record(http, "session-456", "My dad is allergic to Penicillin", "I'll remember that.")
    pin = {
        "session_id": "session-456",
        "content": "Patient allergic to Penicillin",
        "source_message_id": said[0]["id"],
        "importance_score": 10.0,
        "pin_type": "auto",
    }
    assert http.post("/api/memory/pins", json=pin).status_code == 201
    answer = http.get(PATH, params={"query": "What antibiotics are safe?", "budget": 8000})
    assert answer.status_code == 200
    context = answer.json()
    assert context["recentMessages"] == said
    assert "Patient allergic to Penicillin" in [item["content"] for item in context["semanticPins"]]
    assert context["summaries"] == []
    assert 0 < context["totalTokens"] <= 8000
    assert "Patient allergic to Penicillin" in context["text"]
    assert context["messages"][-1] == {"role": "user", "content": "What antibiotics are safe?"}
    assert {message["role"] for message in context["messages"]} == {"system", "user", "assistant"}


def test_every_line_says_why(http: Http) -> None:
    """Sections hold lines with their cost, reason and sources; together they are what is in the text."""
    (said, _) = record(http, "session-456", "My dad is allergic to Penicillin", "I'll remember that.")
    sections = http.get(PATH).json()["sections"]
    pinned = next(section for section in sections if section["name"] == "pins")
    (line,) = pinned["lines"]
    assert line["why"]
    assert 0 < line["tokens"] <= pinned["tokens"]
    assert line["sources"]
    tail = next(section for section in sections if section["name"] == "tail")
    assert said["id"] in [source for line in tail["lines"] for source in line["sources"]]


def test_a_tight_budget_says_what_was_dropped(http: Http) -> None:
    """What does not fit is named with its cost and the reason."""
    record(http, "session-456", *("word " * 100 + f"number {at}" for at in range(8)))
    context = http.get(PATH, params={"budget": 200}).json()
    assert context["totalTokens"] <= 200
    assert context["dropped"]
    for item in context["dropped"]:
        assert item["tokens"] > 0
        assert item["why"]


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


def test_words_of_time_are_relative_to_the_question(http: Http) -> None:
    """`at` and `zone` place a question in time: what was said the day before that is found."""
    body = {
        "messages": [
            {"role": "user", "text": "The roses bloom already", "created_at": "2026-05-01T12:00:00Z"},
            {"role": "user", "text": "The tulips are over", "created_at": "2026-05-20T12:00:00Z"},
        ]
    }
    assert http.post("/v1/chats/garden/messages", json=body).status_code == 201
    asked = {"query": "What did I say yesterday?", "at": "2026-05-02T09:00:00Z", "zone": "Europe/Berlin"}
    assert "The roses bloom already" in http.get("/v1/context", params=asked).json()["text"]


def test_a_chat_of_another_persona(http: Http) -> None:
    """Naming a persona whose chat it is not is a conflict."""
    record(http, "session-456", "Hello", persona="coach")
    assert http.get(PATH, params={"persona_id": "coach"}).status_code == 200
    assert http.get(PATH, params={"persona_id": "nurse"}).status_code == 409


def test_nothing_of_another_user(service: Service, http: Http) -> None:
    """A chat of the same name that somebody else has adds nothing."""
    record(service.http("owner-of-contexts"), "session-456", "My dad is allergic to Penicillin")
    for path in (PATH, "/v1/context"):
        answer = http.get(path, params={"query": "Is dad allergic?"})
        assert answer.status_code == 200
        assert "Penicillin" not in answer.text
        assert answer.json()["recentMessages"] == []


def test_a_chat_that_no_chat_can_be(http: Http) -> None:
    """A name that is no name is refused in S0's word for it."""
    for path in ("/api/memory/context/%20", "/api/memory/stats/a%00b"):
        answer = http.get(path)
        assert answer.status_code == 400
        assert "session_id" in answer.json()["error"]
