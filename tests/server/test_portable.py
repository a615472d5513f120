"""Export and import over HTTP: a whole user out and in again."""

import json
from typing import Any

import pytest
from serving import Http, Service

EXPORT, IMPORT = "/memories/export", "/memories/import"
#: What a document holds, on the wire.
KEYS = {"recollect", "user_id", "exported_at", "memories", "chats", "todos", "entities", "seed"}


@pytest.fixture
def told(service: Service, http: Http, user: str) -> Http:
    """A user of whom something of every kind is known."""
    memories = [
        {"content": "My wife is Jane", "category": "relationship"},
        {"content": "I keep bees behind the house", "tags": ["garden"], "pinned": True},
    ]
    assert http.post("/memories", json=memories).is_success
    chat = service.memory.chat("garden", user=user)
    said = [{"role": "user", "text": "The bees swarm today"}, {"role": "assistant", "text": "Take care"}]
    service.run(chat.add(said))
    service.run(service.memory.add_todo("Water the roses", user=user, kind="habit"))
    service.run(service.memory.set_seed([{"content": "User was born in Graz"}], notes="a note", user=user))
    return http


def test_an_export_is_a_file_with_everything(told: Http, user: str) -> None:
    """Without a body it is JSON, as an attachment, of every part."""
    answer = told.post(EXPORT)
    assert answer.status_code == 200
    assert answer.headers["content-type"] == "application/json"
    document = answer.json()
    day = document["exported_at"][:10]
    assert answer.headers["content-disposition"] == f'attachment; filename="recollect-{day}.json"'
    assert set(document) >= KEYS
    assert (document["recollect"], document["user_id"]) == (1, user)
    contents = [item["content"] for item in document["memories"]]
    assert "User keeps bees behind the house" in contents
    (chat,) = document["chats"]
    assert {"chat_id", "persona_id", "messages", "pins", "summaries", "brief"} <= set(chat)
    assert [item["text"] for item in chat["messages"]] == ["The bees swarm today", "Take care"]
    assert [item["text"] for item in document["todos"]] == ["Water the roses"]
    assert {item["key"] for item in document["entities"]} == {"person:jane", "place:graz"}
    assert document["seed"]["notes"] == "a note"


def test_the_streamed_text_is_what_the_engine_exports(told: Http, service: Service, user: str) -> None:
    """Written piece by piece, it is the same document."""
    streamed = told.post(EXPORT).json()
    whole = json.loads(json.dumps(service.run(service.memory.export(user=user))))
    assert {**streamed, "exported_at": ""} == {**whole, "exported_at": ""}


def test_a_large_export_leaves_in_pieces(http: Http) -> None:
    """A document of several pieces is whole when it arrives."""
    facts = [{"content": f"User owns a boat with number {number}"} for number in range(300)]
    http.post("/memories", json=facts)
    with http.stream("POST", EXPORT) as answer:
        pieces = list(answer.iter_raw())
    assert len(pieces) > 1
    assert len(http.post(EXPORT).json()["memories"]) == 300


def test_markdown_is_for_people(told: Http, user: str) -> None:
    """It has a heading for the user, what is known by category, what is open, and the chats."""
    answer = told.post(EXPORT, json={"format": "markdown"})
    assert answer.headers["content-type"] == "text/markdown; charset=utf-8"
    assert answer.headers["content-disposition"].endswith('.md"')
    assert answer.text.startswith(f"# What is remembered of {user}\n")
    for line in ("## Relationship", "- User's wife is named Jane", "(pinned)", "## Open", "## Chats"):
        assert line in answer.text


@pytest.mark.parametrize(
    ("include", "filled"),
    [
        (["memories"], {"memories"}),
        (["chats"], {"chats"}),
        (["todos", "seed"], {"todos", "seed"}),
        (["entities"], {"entities"}),
        (["sessions"], {"sessions", "states"}),
        (["memories", "memories"], {"memories"}),
    ],
)
def test_parts_can_be_chosen(told: Http, include: list[str], filled: set[str]) -> None:
    """Only what is included is in the file; the rest is empty, so that it can still be imported."""
    document = told.post(EXPORT, json={"include": include}).json()
    held = {
        name for name in document if name not in ("recollect", "user_id", "exported_at") and document[name]
    }
    assert held == filled
    assert set(document) >= KEYS
    assert told.post(IMPORT, json=document).status_code == 200
    assert told.post(EXPORT, json={"include": include, "format": "markdown"}).status_code == 200


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"format": "xml"}, "Unknown format 'xml'. Allowed: json, markdown."),
        ({"format": 1}, "format must be text"),
        ({"include": ["memories", "secrets"]}, "include: each part must be one of memories, entities, chats"),
        ({"include": []}, "include must not be empty"),
        ({"include": "memories"}, "include must be a list"),
        ({"include": [1]}, "include.0 must be text"),
        ({"parts": []}, "The body has no field 'parts'; it takes format, include."),
        ([], "body must be an object"),
    ],
)
def test_bad_exports_are_refused(http: Http, body: Any, sentence: str) -> None:
    """Each is a 400 with a sentence, before anything is sent."""
    answer = http.post(EXPORT, json=body)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, 'it should start with {"recollect": 1}'),
        ([], 'it should start with {"recollect": 1}'),
        ("text", 'it should start with {"recollect": 1}'),
        ({"recollect": 2, "memories": []}, 'it should start with {"recollect": 1}'),
        ({"recollect": 1}, "memories is missing."),
        ({"recollect": 1, "memories": {}}, "memories must be a list"),
        ({"recollect": 1, "memories": [], "aliases": []}, "aliases must be an object"),
        (None, "body is required"),
    ],
)
def test_what_is_no_export_is_refused(http: Http, body: Any, sentence: str) -> None:
    """The sentence says what is understood."""
    answer = http.post(IMPORT, json=body)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]
