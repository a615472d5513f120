"""Other products' exports over HTTP."""

import json
from typing import Any

import pytest
from foreign_exports import (
    TALK,
    chatgpt_conversation,
    claude_conversation,
    lines,
    mem0_memory,
    openai_messages,
)
from serving import Http

IMPORT, EXPORT = "/memories/import", "/memories/export"
NDJSON = {"Content-Type": "application/x-ndjson"}


@pytest.mark.parametrize(
    ("document", "counted"),
    [
        ([chatgpt_conversation()], 2),
        ([claude_conversation()], 2),
        ({"results": [mem0_memory("User likes green tea")]}, 1),
        (openai_messages(), 2),
    ],
)
def test_json_of_other_products_is_read_once(http: Http, document: Any, counted: int) -> None:
    """It is recognised by its content, and a second time all of it is known."""
    first = http.post(IMPORT, json=document)
    assert first.status_code == 200
    assert first.json() == {"imported": counted, "duplicates": 0, "skipped": []}
    assert http.post(IMPORT, json=document).json() == {"imported": 0, "duplicates": counted, "skipped": []}


def test_lines_are_read_one_by_one(http: Http) -> None:
    """A line that is broken is told by its number, and the others are stored."""
    text = lines(openai_messages()) + "{broken\n\n" + lines([{"content": "User keeps bees at home"}])
    answer = http.post(IMPORT, content=text, headers=NDJSON).json()
    assert answer["imported"] == 3
    assert [item["line"] for item in answer["skipped"]] == [3]
    (chat,) = http.post(EXPORT).json()["chats"]
    assert [(item["role"], item["text"]) for item in chat["messages"]] == list(TALK)
    assert [item["origin"] for item in http.get("/memories").json()["memories"]] == ["import"]
    one = http.post(IMPORT, content='{"role": "user", "text": "One line"}', headers=NDJSON)
    assert one.json()["imported"] == 1


def test_the_format_may_be_said(http: Http) -> None:
    """What is said counts; what is no format is refused."""
    text = "broken\n" + json.dumps({"role": "user", "text": "Good morning"})
    answer = http.post(IMPORT, params={"format": "jsonl"}, content=text, headers=NDJSON)
    assert (answer.json()["imported"], len(answer.json()["skipped"])) == (1, 1)
    refused = http.post(IMPORT, params={"format": "xml"}, json=[])
    assert refused.status_code == 400
    assert "Allowed: auto, recollect" in refused.json()["error"]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (b"\xff", "not valid UTF-8"),
        (b"words", "is not JSON"),
        (b"\n\n", "is not JSON"),
        (b'{"a": 1}\n{"b": 2}\n', "not an export of Recollect"),
        (b"[" * 100_000, "nested too deeply"),
        (b'{"a":' * 100_000, "nested too deeply"),
    ],
)
def test_other_bodies_are_refused(http: Http, body: bytes, sentence: str) -> None:
    """Each is a 400 with a sentence."""
    answer = http.post(IMPORT, content=body, headers=NDJSON)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


@pytest.mark.parametrize("kind", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"])
def test_lines_must_say_that_they_are_lines(http: Http, kind: str) -> None:
    """What a page could send without asking first is no import."""
    answer = http.post(IMPORT, content=lines(openai_messages()), headers={"Content-Type": kind})
    assert answer.status_code == 400
    assert "application/json or application/x-ndjson" in answer.json()["error"]
    assert http.post(EXPORT).json()["chats"] == []


def test_lines_have_the_limit_of_every_body(http: Http) -> None:
    """More than 8 MB are refused, whatever they are."""
    assert http.post(IMPORT, content=b" " * (8 * 2**20 + 1), headers=NDJSON).status_code == 413
