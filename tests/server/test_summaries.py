"""Summaries over HTTP: S0's request folds a segment by hand."""

from typing import Any

import pytest
from serving import Http, Service

from .talk import UNSTORABLE, record, refused

#: S0's opening, and what follows it.
THREAD = (
    "My dad has diabetes",
    "I understand. What's his medication?",
    "He takes Metformin 500mg twice daily",
    "Metformin is an important medication for type 2 diabetes.",
    "Should he check glucose before or after meals?",
    "Blood glucose should be checked before meals.",
)


def _asked(said: list[dict[str, Any]], start: int, end: int, **change: Any) -> dict[str, Any]:
    return {
        "session_id": "session-456",
        "start_message_id": said[start]["id"],
        "end_message_id": said[end]["id"],
        "message_count": end - start + 1,
        **change,
    }


def test_s0s_request(http: Http) -> None:
    """S0's CreateSummaryRequest makes S0's ConversationSummary."""
    said = record(http, "session-456", *THREAD)
    request = _asked(said, 0, 3)
    answer = http.post("/api/memory/summaries", json=request)
    assert answer.status_code == 201
    summary = answer.json()
    assert summary.items() >= request.items()
    assert isinstance(summary["id"], str)
    assert "Metformin" in summary["summary"]
    assert 0 <= summary["importance_score"] <= 10
    assert summary["created_at"].endswith("Z")
    assert http.get("/api/memory/stats/session-456").json()["totalSummaries"] == 1


def test_segments_touch_and_come_in_order(http: Http) -> None:
    """S0's example flow: one segment, then the next; the list is in the order of the chat."""
    said = record(http, "session-456", *THREAD)
    made = [http.post("/api/memory/summaries", json=_asked(said, *ends)).json() for ends in ((0, 1), (2, 5))]
    assert http.get("/api/memory/summaries?session_id=session-456").json() == {"summaries": made}
    everything = refused(http, "POST", "/api/memory/summaries", _asked(said, 4, 5), status=409)
    assert everything == "Every message of this chat is summarised already."


def test_a_chat_must_be_named(http: Http) -> None:
    """Without a chat there is no list; a chat that is not there has no summaries."""
    answer = http.get("/api/memory/summaries")
    assert (answer.status_code, answer.json()) == (400, {"error": "session_id required"})
    assert http.get("/api/memory/summaries?session_id=nothing").json() == {"summaries": []}


@pytest.mark.parametrize("count", [1, 3, 0, -2, 10**30])
def test_the_count_must_be_right(http: Http, count: int) -> None:
    """Another number of messages than there are is bad input."""
    said = record(http, "session-456", *THREAD)
    assert "message_count" in refused(
        http, "POST", "/api/memory/summaries", _asked(said, 0, 1, message_count=count)
    )


def test_the_order_must_be_right(http: Http) -> None:
    """An end before the start is bad input."""
    said = record(http, "session-456", *THREAD)
    assert "end_message_id" in refused(
        http, "POST", "/api/memory/summaries", _asked(said, 1, 0, message_count=2)
    )


def test_an_overlap_and_a_gap_are_conflicts(http: Http) -> None:
    """A segment starts at the first message that none covers, which the sentence names."""
    said = record(http, "session-456", *THREAD)
    assert said[0]["id"] in refused(http, "POST", "/api/memory/summaries", _asked(said, 2, 3), status=409)
    assert http.post("/api/memory/summaries", json=_asked(said, 0, 1)).status_code == 201
    for overlapping in (_asked(said, 0, 1), _asked(said, 1, 3)):
        assert said[2]["id"] in refused(http, "POST", "/api/memory/summaries", overlapping, status=409)


def test_messages_must_be_of_the_chat(http: Http) -> None:
    """A message of another chat, or a chat that is not there, is a 404."""
    said = record(http, "session-456", *THREAD)
    (elsewhere,) = record(http, "other", "Hello")
    for change in (
        {"start_message_id": elsewhere["id"]},
        {"end_message_id": "msg-50"},
        {"session_id": "nothing"},
    ):
        refused(http, "POST", "/api/memory/summaries", _asked(said, 0, 1, **change), status=404)


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"session_id": ""}, "session_id"),
        ({"session_id": None}, "session_id"),
        ({"start_message_id": ""}, "start_message_id"),
        ({"start_message_id": 1}, "start_message_id"),
        ({"end_message_id": ""}, "end_message_id"),
        ({"message_count": "50"}, "message_count"),
        ({"message_count": 2.0}, "message_count"),
        ({"message_count": True}, "message_count"),
        ({"summary": "mine"}, "summary"),
        *(({"end_message_id": text}, "end_message_id") for text in UNSTORABLE),
    ],
)
def test_a_bad_request_names_the_field(http: Http, change: dict[str, Any], field: str) -> None:
    """Each wrong field is refused with a sentence that names it."""
    said = record(http, "session-456", *THREAD)
    assert field in refused(http, "POST", "/api/memory/summaries", _asked(said, 0, 1, **change))
    assert http.get("/api/memory/summaries?session_id=session-456").json() == {"summaries": []}


@pytest.mark.parametrize("missing", ["session_id", "start_message_id", "end_message_id", "message_count"])
def test_what_a_request_must_have(http: Http, missing: str) -> None:
    """Every field is asked for by name."""
    body = {"session_id": "c", "start_message_id": "a", "end_message_id": "b", "message_count": 2}
    del body[missing]
    assert refused(http, "POST", "/api/memory/summaries", body) == f"{missing} required"


def test_another_users_summaries_are_not_there(service: Service, http: Http) -> None:
    """Neither listed nor made by somebody else."""
    owner = service.http("owner-of-summaries")
    said = record(owner, "session-456", *THREAD)
    assert owner.post("/api/memory/summaries", json=_asked(said, 0, 1)).status_code == 201
    assert http.get("/api/memory/summaries?session_id=session-456").json() == {"summaries": []}
    refused(http, "POST", "/api/memory/summaries", _asked(said, 2, 3), status=404)
