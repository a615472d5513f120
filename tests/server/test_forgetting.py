"""Forgetting over HTTP: one target, a receipt, and nothing left."""

from typing import Any

import pytest
from serving import Http, Service

from .talk import UNSTORABLE, record, refused

_PROMISED = ("memories", "messages", "summaries", "pins", "todos", "vectors")


def _forget(http: Http, **target: Any) -> dict[str, Any]:
    answer = http.post("/v1/forget", json=target)
    assert answer.status_code == 200, answer.text
    assert answer.json().keys() == {"receipt", "refolded"}
    receipt = answer.json()["receipt"]
    assert all(isinstance(receipt[name], int) for name in _PROMISED)
    return answer.json()


def _counted(told: dict[str, Any]) -> dict[str, int]:
    return {name: told["receipt"][name] for name in _PROMISED if told["receipt"][name]}


def _remember(http: Http, content: str) -> str:
    answer = http.post("/memories", json={"content": content, "category": "identity"})
    assert answer.status_code == 201, answer.text
    return answer.json()["memoryId"]


def test_a_memory(http: Http) -> None:
    """A memory goes with its vector; every promised count is there, and be it 0."""
    memory_id = _remember(http, "User lives in Austin, Texas")
    told = _forget(http, memory_id=memory_id)
    assert _counted(told) == {"memories": 1, "vectors": 1}
    assert told["refolded"] == []
    assert told["receipt"]["erased_from_disk"] in (True, False)
    assert http.get("/memories").json()["memories"] == []
    refused(http, "POST", "/v1/forget", {"memory_id": memory_id}, status=404)


def test_a_message(http: Http) -> None:
    """A message goes with the pin that it brought, and the summary that told of it is written anew."""
    said = record(
        http, "c", "My dad is allergic to Penicillin", "I'll remember that.", "Thank you", "Welcome."
    )
    folded = http.post(
        "/api/memory/summaries",
        json={
            "session_id": "c",
            "start_message_id": said[0]["id"],
            "end_message_id": said[1]["id"],
            "message_count": 2,
        },
    )
    assert folded.status_code == 201
    told = _forget(http, message_id=said[0]["id"])
    assert _counted(told) == {"messages": 1, "summaries": 1, "pins": 1}
    assert told["refolded"] == ["c"]
    assert http.get(f"/v1/messages/{said[0]['id']}").status_code == 404


def test_a_chat(http: Http) -> None:
    """A chat goes with everything in it."""
    record(http, "c", "My dad is allergic to Penicillin", "I'll remember that.")
    assert _counted(_forget(http, chat_id="c")) == {"messages": 2, "pins": 1}
    assert http.get("/v1/chats/c").status_code == 404


def test_an_entity(http: Http) -> None:
    """An entity goes with the memories that mention it."""
    _remember(http, "My friend John Doe lives in Austin")
    (entity,) = [
        item for item in http.get("/v1/entities").json()["entities"] if item["key"].startswith("person:john")
    ]
    told = _forget(http, entity=entity["key"])
    assert _counted(told) == {"memories": 1, "vectors": 1}
    assert http.get("/memories").json()["memories"] == []


def test_everything(http: Http) -> None:
    """A whole user goes, and is a stranger afterwards."""
    _remember(http, "User lives in Austin, Texas")
    record(http, "c", "My dad is allergic to Penicillin")
    http.post("/v1/todos", json={"text": "Go for a walk"})
    counted = _counted(_forget(http, everything=True))
    assert counted.items() >= {"memories": 1, "messages": 1, "pins": 1, "todos": 1, "vectors": 1}.items()
    for path, name in (("/memories", "memories"), ("/v1/chats", "chats"), ("/v1/todos", "todos")):
        assert http.get(path).json()[name] == []


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "exactly one thing"),
        ({"everything": False}, "exactly one thing"),
        ({"memory_id": "a", "chat_id": "b"}, "exactly one thing"),
        ({"memory_id": "a", "everything": True}, "exactly one thing"),
        ({"everything": "yes"}, "everything"),
        ({"everything": 1}, "everything"),
        ({"everything": None}, "everything"),
        ({"memory_id": 5}, "memory_id"),
        ({"message_id": ["a"]}, "message_id"),
        ({"entity": ""}, "entity"),
        ({"entity": "John"}, "entity"),
        ({"user_id": "somebody"}, "user_id"),
        *(
            ({name: text}, name)
            for name in ("memory_id", "message_id", "chat_id", "entity")
            for text in UNSTORABLE
        ),
    ],
)
def test_a_target_must_be_clear(http: Http, body: Any, words: str) -> None:
    """Exactly one thing is named, or nothing is forgotten."""
    _remember(http, "User lives in Austin, Texas")
    assert words in refused(http, "POST", "/v1/forget", body).lower()
    assert len(http.get("/memories").json()["memories"]) == 1


@pytest.mark.parametrize(
    "target", [{"memory_id": "x"}, {"message_id": "x"}, {"chat_id": "x"}, {"entity": "person:nobody"}]
)
def test_what_is_not_there_cannot_be_forgotten(http: Http, target: dict[str, str]) -> None:
    """It is a 404, whatever kind of thing it is."""
    refused(http, "POST", "/v1/forget", target, status=404)


def test_another_users_things_stay(service: Service, http: Http) -> None:
    """Somebody else's ids are not there, and everything is everything of one's own."""
    owner = service.http("owner-of-everything")
    memory_id = _remember(owner, "User lives in Austin, Texas")
    (said,) = record(owner, "c", "Mine alone")
    for target in ({"memory_id": memory_id}, {"message_id": said["id"]}, {"chat_id": "c"}):
        refused(http, "POST", "/v1/forget", target, status=404)
    _forget(http, everything=True)
    assert owner.get(f"/v1/messages/{said['id']}").json() == said
