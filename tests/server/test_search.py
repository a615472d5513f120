"""Search over HTTP: memories with why, cards, past messages."""

from typing import Any

import pytest
from serving import Http, Service

ROUTE = "/memories/search"


def _remember(http: Http, content: str, **fields: Any) -> str:
    answer = http.post("/memories", json={"content": content, **fields})
    assert answer.status_code == 201, answer.text
    return answer.json()["memoryId"]


def _found(http: Http, query: str, **params: Any) -> list[str]:
    answer = http.get(ROUTE, params={"query": query, **params})
    assert answer.status_code == 200, answer.text
    return [item["content"] for item in answer.json()["memories"]]


def test_a_hit_is_a_record_with_a_score_and_why(http: Http) -> None:
    """The best memory comes first: its whole record, its score, and the terms that made it."""
    memory_id = _remember(http, "User prefers Python 3.12+ for web development", category="preference")
    _remember(http, "User keeps bees behind the house")
    answer = http.get(ROUTE, params={"query": "python"}).json()
    assert set(answer) == {"memories", "cards", "episodes"}
    hit = answer["memories"][0]
    record = http.get(f"/memories/{memory_id.replace('#', '%23')}").json()
    counted = {"last_accessed", "access_count"}
    assert {name: hit[name] for name in record if name not in counted} == {
        name: value for name, value in record.items() if name not in counted
    }
    assert 0 < hit["score"] <= 1
    assert {"similarity", "recency", "frequency", "vector_rank", "text_rank"} <= set(hit["explain"])
    assert (hit["explain"]["vector_rank"], hit["explain"]["text_rank"]) == (1, 1)


def test_five_are_found_unless_told(http: Http) -> None:
    """S3's default; more when asked for."""
    http.post(
        "/memories/batch",
        json={"memories": [{"content": f"User owns a boat with number {number}"} for number in range(8)]},
    )
    assert len(_found(http, "boat")) == 5
    assert len(_found(http, "boat", limit=7)) == 7
    assert len(_found(http, "boat", limit=1)) == 1


@pytest.mark.parametrize(
    ("params", "expected"),
    [
        ({"category": "project"}, {"User writes Python tools for work"}),
        ({"type": "PROJECT"}, {"User writes Python tools for work"}),
        ({"tag": "code"}, {"User prefers Python over Perl", "User writes Python tools for work"}),
        ({"tag": ["code", "taste"]}, {"User prefers Python over Perl"}),
        ({"entity": "person:jane"}, {"Jane teaches Python at the school"}),
        ({"persona_id": "other", "category": "context"}, set()),
        ({"persona_id": "coach", "category": "context"}, {"User learns Python in the evenings"}),
        ({"until": "2020-01-01T00:00:00Z"}, set()),
        ({"as_of": "2020-01-01T00:00:00Z"}, set()),
    ],
)
def test_filters(http: Http, params: dict[str, Any], expected: set[str]) -> None:
    """Each filter leaves what it names."""
    _remember(http, "User prefers Python over Perl", category="preference", tags=["code", "taste"])
    _remember(http, "User writes Python tools for work", category="project", tags=["code"])
    _remember(http, "Jane teaches Python at the school", entity_refs=["person:jane"])
    _remember(http, "User learns Python in the evenings", category="context", persona_id="coach")
    assert set(_found(http, "python", limit=10, **params)) == expected


def test_cards_of_those_who_are_mentioned(http: Http) -> None:
    """Who a hit mentions has a card with the best facts."""
    _remember(http, "My wife is Jane", category="relationship", importance=9)
    (card,) = http.get(ROUTE, params={"query": "who is Jane, the wife?"}).json()["cards"]
    expected = {
        "entity": "person:jane",
        "label": "Jane",
        "facts": ["User's wife is named Jane"],
        "text": "[person:jane]: User's wife is named Jane",
    }
    assert {name: card[name] for name in expected} == expected


def test_past_messages_are_found(service: Service, http: Http, user: str) -> None:
    """An episode says what was said, by whom, where and when, with its neighbours."""
    for chat_id in ("porto", "other"):
        chat = service.memory.chat(chat_id, user=user)
        said = [
            {"role": "user", "text": "The ferry to Porto leaves at nine in the evening"},
            {"role": "assistant", "text": "I wrote that down"},
        ]
        service.run(chat.record(said))
    answer = http.get(ROUTE, params={"query": "When does the ferry leave?", "chat_id": "porto"}).json()
    episode = answer["episodes"][0]
    assert {name: episode[name] for name in ("chat_id", "role", "text")} == {
        "chat_id": "porto",
        "role": "user",
        "text": "The ferry to Porto leaves at nine in the evening",
    }
    assert 0 < episode["score"] <= 1
    assert [item["text"] for item in episode["after"]] == ["I wrote that down"]
    assert {item["chat_id"] for item in answer["episodes"]} == {"porto"}
    alone = {"query": "When does the ferry leave?", "neighbours": 0}
    assert http.get(ROUTE, params=alone).json()["episodes"][0]["after"] == []
    assert http.get(ROUTE, params={"query": "ferry", "episodes": 0}).json()["episodes"] == []
    assert service.http("a-stranger").get(ROUTE, params={"query": "ferry"}).json()["episodes"] == []
    told = http.get(ROUTE, params={"query": "ferry", "episodes": 0, "sessions": 5}).json()["sessions"]
    assert {item["chat_id"] for item in told} == {"porto", "other"}
    assert all(item["session"] and 0 < item["score"] <= 1 and 0 <= item["theme"] <= 1 for item in told)


@pytest.mark.parametrize(
    ("params", "sentence"),
    [
        ({"query": None}, "query required"),
        ({"query": ""}, "query is empty"),
        ({"query": "   "}, "query is empty"),
        ({"query": "\x00"}, "query contains a NUL character"),
        ({"limit": 0}, "limit must be at least 1."),
        ({"limit": 1001}, "limit must be at most 1000."),
        ({"limit": "x"}, "limit must be a whole number."),
        ({"category": "x"}, "Unknown category 'x'"),
        ({"type": "x"}, "type"),
        ({"tag": ""}, "tags: each tag has 1-100 characters."),
        ({"entity": "x"}, "Entity 'x' has no type"),
        ({"as_of": "x"}, "as_of: 'x' is not an ISO-8601 time"),
        ({"since": "x"}, "since: 'x' is not an ISO-8601 time"),
        ({"until": "x"}, "until: 'x' is not an ISO-8601 time"),
        ({"at": "x"}, "at: 'x' is not an ISO-8601 time"),
        ({"zone": "x"}, "zone: 'x' is no time zone"),
        ({"zone": "../../etc/passwd"}, "zone"),
        ({"episodes": -1}, "episodes must be at least 0."),
        ({"episodes": 201}, "episodes must be at most 200."),
        ({"neighbours": 11}, "neighbours must be at most 10."),
        ({"sessions": 31}, "sessions must be at most 30."),
        ({"chat_id": "\x00"}, "NUL character"),
        ({"persona_id": "\x00"}, "persona_id contains a NUL character"),
    ],
)
def test_bad_questions_are_refused(http: Http, params: dict[str, Any], sentence: str) -> None:
    """Each is a 400 whose sentence names what is wrong."""
    asked = {name: value for name, value in {"query": "tea", **params}.items() if value is not None}
    answer = http.get(ROUTE, params=asked)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]
