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
    results = http.post(
        "/memories/batch",
        json={
            "memories": [
                {"content": "My wife is Jane", "category": "relationship"},
                {"content": "I keep bees behind the house", "tags": ["garden"], "pinned": True},
            ]
        },
    ).json()["results"]
    ids = [result["memoryId"] for result in results]
    service.run(service.memory.link(*ids, user=user))
    chat = service.memory.chat("garden", user=user)
    said = [{"role": "user", "text": "The bees swarm today"}, {"role": "assistant", "text": "Take care"}]
    service.run(chat.record(said))
    service.run(service.memory.add_todo("Water the roses", user=user, kind="habit"))
    service.run(service.memory.set_seed([{"content": "User was born in Graz"}], notes="a note", user=user))
    return http


def _stable(document: dict[str, Any]) -> dict[str, Any]:
    """What is the same for whoever loads it: without names, moments and what loading itself notes."""
    memories = [
        {name: value for name, value in memory.items() if name not in ("user_id", "history")}
        for memory in document["memories"]
    ]
    chats = [
        {name: chat[name] for name in ("chat_id", "persona_id", "messages", "pins")}
        for chat in document["chats"]
    ]
    return {"memories": memories, "chats": chats, "todos": len(document["todos"]), "links": document["links"]}


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
    http.post("/memories/batch", json={"memories": facts})
    with http.stream("POST", EXPORT) as answer:
        pieces = list(answer.iter_raw())
    assert len(pieces) > 1
    assert len(http.post(EXPORT).json()["memories"]) == 300


def test_an_import_brings_everything_and_twice_is_once(service: Service, told: Http) -> None:
    """Another user has the same afterwards; a second time all of it is known."""
    document = told.post(EXPORT).json()
    other = service.http(f"other-{document['user_id']}")
    first = other.post(IMPORT, json=document)
    assert first.status_code == 200
    counted = len(document["memories"]) + len(document["todos"]) + 2
    assert first.json() == {"imported": counted, "duplicates": 0, "skipped": []}
    copy = other.post(EXPORT).json()
    assert _stable(copy) == _stable(document)
    assert other.post(IMPORT, json=document).json() == {"imported": 0, "duplicates": counted, "skipped": []}
    again = other.post(EXPORT).json()
    assert {**again, "exported_at": ""} == {**copy, "exported_at": ""}
    assert told.post(IMPORT, json=document).json()["imported"] == 0, "one's own file brings nothing new"


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
        (["memories"], {"memories", "links"}),
        (["chats"], {"chats"}),
        (["todos", "seed"], {"todos", "seed"}),
        (["entities"], {"entities"}),
        (["sessions"], {"sessions", "states"}),
        (["memories", "memories"], {"memories", "links"}),
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
        ({"format": 1}, "format must be text."),
        ({"include": ["memories", "secrets"]}, "include: a part is one of memories, entities, chats"),
        ({"include": []}, "include is empty"),
        ({"include": "memories"}, "include must be a list."),
        ({"include": [1]}, "include.0 must be text."),
        ({"parts": []}, "parts is no field of this request"),
        ([], "body must be an object."),
    ],
)
def test_bad_exports_are_refused(http: Http, body: Any, sentence: str) -> None:
    """Each is a 400 with a sentence, before anything is sent."""
    answer = http.post(EXPORT, json=body)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_nobody_gets_anothers_export(service: Service, told: Http) -> None:
    """Who has nothing gets nothing."""
    document = service.http("a-stranger").post(EXPORT).json()
    assert (document["memories"], document["chats"], document["todos"]) == ([], [], [])


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, 'it should start with {"recollect": 1}'),
        ([], 'it should start with {"recollect": 1}'),
        ("text", 'it should start with {"recollect": 1}'),
        ({"recollect": 2, "memories": []}, 'it should start with {"recollect": 1}'),
        ({"recollect": 1}, "memories is missing."),
        ({"recollect": 1, "memories": {}}, "memories must be a list."),
        ({"recollect": 1, "memories": [], "aliases": []}, "aliases must be an object."),
        (None, "body required"),
    ],
)
def test_what_is_no_export_is_refused(http: Http, body: Any, sentence: str) -> None:
    """The sentence says what is understood."""
    answer = http.post(IMPORT, json=body)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_what_cannot_be_read_is_listed(http: Http) -> None:
    """The rest is imported; each entry that is not says its place and why."""
    good = {
        "memory_id": "2026-01-28T10:30:45.123Z#a1b2c3d4",
        "content": "User prefers Python 3.12+",
        "category": "preference",
        "created_at": "2026-01-28T10:30:45Z",
    }
    document = {
        "recollect": 1,
        "memories": [5, good, {**good, "memory_id": "b", "importance": 99}, {"content": "x"}],
        "todos": ["nonsense"],
        "chats": [{"chat_id": 7}],
    }
    loaded = http.post(IMPORT, json=document).json()
    assert loaded["imported"] == 1
    assert [item["line"] for item in loaded["skipped"]] == [1, 3, 4, 1, 1]
    assert all(item["reason"] for item in loaded["skipped"])
    (record,) = http.get("/memories").json()["memories"]
    assert (record["memory_id"], record["origin"]) == (good["memory_id"], "import")
