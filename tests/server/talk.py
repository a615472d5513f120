"""What tests of conversations over HTTP share: recording a thread, walking pages, and texts that nobody can store."""

import json
from typing import Any

from serving import Http

#: What no database keeps unchanged.
UNSTORABLE = ("a\x00b", "\x00")


def record(http: Http, chat_id: str, *texts: str, persona: str | None = None) -> list[dict[str, Any]]:
    """Record texts in turn as the user's and the assistant's; the messages as they came back."""
    said = [{"role": ("user", "assistant")[at % 2], "text": text} for at, text in enumerate(texts)]
    body: dict[str, Any] = {"messages": said} | ({"persona_id": persona} if persona else {})
    answer = http.post(f"/v1/chats/{chat_id}/messages", json=body)
    assert answer.status_code == 201, answer.text
    return answer.json()["messages"]


def refused(http: Http, method: str, path: str, body: object, *, status: int = 400) -> str:
    """The sentence that a body is refused with."""
    answer = http.request(
        method, path, content=json.dumps(body), headers={"Content-Type": "application/json"}
    )
    assert answer.status_code == status, answer.text
    assert answer.json().keys() == {"error"}
    return answer.json()["error"]


def walked(http: Http, path: str, name: str, **asked: Any) -> list[list[dict[str, Any]]]:
    """Every page of a list, from the first to the one that says that it is the last."""
    pages: list[list[dict[str, Any]]] = []
    cursor: str | None = None
    while True:
        answer = http.get(path, params=asked | ({"cursor": cursor} if cursor else {}))
        assert answer.status_code == 200, answer.text
        pages.append(answer.json()[name])
        cursor = answer.json()["next_cursor"]
        if cursor is None:
            return pages
        assert len(pages) < 100
