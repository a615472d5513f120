"""Forgetting over HTTP: one target, a receipt, and nothing left."""

from typing import Any

import pytest
from serving import Http

from .talk import UNSTORABLE, refused


def _remember(http: Http, content: str) -> str:
    answer = http.post("/memories", json={"content": content, "category": "identity"})
    assert answer.status_code == 201, answer.text
    return answer.json()["memoryId"]


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
