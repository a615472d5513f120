"""A running service answers as docs/reference/wire.md says.

Every route of the page is called, and each successful answer must have the keys that the page spells out; `Wire.ask` checks
them. Local mode is in test_wire_local.py.
"""

import json
import re
from collections.abc import Iterator
from functools import partial
from typing import Any
from urllib.parse import quote

import pytest
from scripted_model import ScriptedModel, refuses, says

from .conftest import Wire, serving
from .description import Json
from .wire_page import WRITTEN, missing, shape

KEY = "the-service-key-of-this-test"
AS_OPERATOR = {"Authorization": f"Bearer {KEY}"}


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel) -> Iterator[str]:
    """A service with a key, whose chat model is scripted."""
    models = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "sk-1", "RECOLLECT_CHAT_MODEL": "house"}
    file = tmp_path_factory.mktemp("wire") / "memory.db"
    with serving(file, RECOLLECT_SERVICE_KEY=KEY, **models) as ready:
        yield ready


@pytest.fixture
def wire(line: str, walked: set[str], request: pytest.FixtureRequest) -> Iterator[Wire]:
    """A client that acts for a user of the test's own."""
    with Wire(line, walked, **AS_OPERATOR, **{"X-User-Id": request.node.name}) as client:
        yield client


@pytest.fixture
def operator(line: str, walked: set[str]) -> Iterator[Wire]:
    """A client with the service key that acts for nobody."""
    with Wire(line, walked, **AS_OPERATOR) as client:
        yield client


@pytest.fixture
def anyone(line: str, walked: set[str]) -> Iterator[Wire]:
    """A client without a token."""
    with Wire(line, walked) as client:
        yield client


def add(wire: Wire, content: str, **more: Any) -> str:
    """A new memory; its id as it stands in a path."""
    body = {"content": content, "category": "fact", **more}
    return quote(wire.ask("POST", "/memories", json=body)["memoryId"], safe="")


def say(wire: Wire, *texts: str, chat: str = "lunch", **more: Any) -> list[Json]:
    """Messages of the user and the assistant in turn."""
    said = [{"role": ("user", "assistant")[n % 2], "text": text} for n, text in enumerate(texts)]
    return wire.ask("POST", f"/v1/chats/{chat}/messages", json={"messages": said, **more})["messages"]


def has(snippet: str, value: Any) -> None:
    """The value has the shape of the first code span on the page with this snippet."""
    assert missing(shape(snippet), value) == []


def test_storing(wire: Wire) -> None:
    """New, known already, too short, too long, of no category; what was said in the first person is rewritten."""
    body = {"content": "I prefer Python for web work", "category": "preference"}
    new = wire.ask("POST", "/memories", 201, json=body)
    assert {name: new[name] for name in ("success", "content", "category")} == {
        "success": True,
        "content": "User prefers Python for web work",
        "category": "preference",
    }
    assert new["message"] and new["memoryId"]
    known = wire.ask("POST", "/memories", 200, json=body)
    assert (known["success"], known["duplicate"], known["memoryId"]) == (False, True, new["memoryId"])
    assert known["existingContent"] == new["content"] and known["message"]
    short = wire.ask("POST", "/memories", 400, json={**body, "content": "Too bad"})
    assert short == {"success": False, "error": "Content too short (minimum 10 characters)"}
    long = wire.ask("POST", "/memories", 400, json={**body, "content": "User " + "x" * 600})
    assert long == {"success": False, "error": "Content too long (maximum 500 characters)"}
    wrong = wire.ask("POST", "/memories", 400, json={**body, "category": "hobby"})
    assert wrong["success"] is False and wrong["error"].startswith("Unknown category")
    every = {
        "importance": 7,
        "tags": ["a"],
        "reasoning": "Said so twice.",
        "persona_id": "coach",
        "pinned": True,
    }
    every |= {"entity_refs": ["person:ann"], "entity_label": "Ann", "source_message_ids": []}
    subtype = {"entityType": "person", "factType": "relationship"}
    add(wire, "Ann is User's sister", **every, subtype=subtype)


def test_memories(wire: Wire) -> None:
    """Listed newest first in pages, changed, read back, erased."""
    ids = [add(wire, f"User owns a boat with number {n}", tags=["boat"]) for n in range(3)]
    page = wire.ask("GET", "/memories?category=fact&tag=boat&limit=2&status=ACTIVE")
    assert [item["content"][-1] for item in page["memories"]] == ["2", "1"]
    rest = wire.ask("GET", "/memories", params={"limit": 2, "cursor": page["next_cursor"]})
    assert (len(rest["memories"]), rest["next_cursor"]) == (1, None)
    change = {"content": "User sold the boat with number 0", "importance": 3, "tags": [], "pinned": True}
    record = wire.ask("PATCH", f"/memories/{ids[0]}", json={**change, "category": "context"})
    assert {name: record[name] for name in change} == change
    assert wire.ask("PATCH", f"/memories/{ids[0]}", json={"status": "ARCHIVED"})["status"] == "ARCHIVED"
    assert len(wire.ask("GET", f"/memories/{ids[0]}/history")["history"]) == 3
    assert wire.ask("DELETE", f"/memories/{ids[0]}") == {"success": True}
    assert wire.ask("DELETE", "/memories", json={"memory_id": page["memories"][0]["memory_id"]})["success"]
    assert wire.ask("DELETE", "/memories", 400, json={}) == {"error": "memory_id required"}
    wire.refused("GET", f"/memories/{ids[0]}/history", 404)


def test_search(wire: Wire) -> None:
    """A memory with why, the card of whom it is about, past messages."""
    add(wire, "Jane teaches pottery in Graz", entity_refs=["person:jane"], importance=9)
    add(wire, "Jane has a cat that is called Miso", entity_refs=["person:jane"], importance=9)
    say(wire, "Jane showed me her pottery wheel", "Lovely.")
    wire.ask("POST", "/v1/jobs/drain?timeout=30")
    found = wire.ask("GET", "/memories/search?query=Jane%20pottery&category=fact&limit=5")
    assert found["memories"] and found["cards"]
    assert wire.ask("GET", "/memories/search?query=pottery")["episodes"]


def test_tidying(wire: Wire) -> None:
    """A dry run says what would be folded."""
    add(wire, "User drinks strong coffee")
    add(wire, "User drinks strong coffee daily")
    tidied = wire.ask("POST", "/memories/consolidate", json={"dry_run": True})
    assert tidied["dry_run"] is True and len(tidied["folds"]) == 1


def test_stats(wire: Wire) -> None:
    """Counts and averages."""
    add(wire, "User keeps bees behind the house")
    stats = wire.ask("GET", "/memories/stats")
    assert (stats["total"], stats["by_category"]["fact"]) == (1, 1)
    assert stats["growth"][-1]["count"] == 1


def test_export_and_import(wire: Wire) -> None:
    """The file goes back in, once; Markdown is for people; a part is a part."""
    add(wire, "User keeps bees behind the house")
    say(wire, "I went to the market today", "Was it busy?")
    wire.ask("POST", "/api/memory/pins", json={"session_id": "lunch", "content": "No nuts"})
    file = wire.ask("POST", "/memories/export", json={"format": "json"})
    has('{"recollect": 1', file)
    assert file["recollect"] == 1
    assert "bees" in wire.ask("POST", "/memories/export", json={"format": "markdown"})
    part = wire.ask("POST", "/memories/export", json={"format": "json", "include": ["memories"]})
    assert part["memories"] and not part["chats"]
    again = wire.ask("POST", "/memories/import", json=file)
    assert (again["imported"], again["skipped"]) == (0, [])
    broken = {**file, "memories": [{"content": "no id"}]}
    assert wire.ask("POST", "/memories/import", json=broken)["skipped"]


def test_messages(wire: Wire) -> None:
    """Recorded in order, listed in pages and around one of them, changed."""
    every = {"role": "assistant", "text": "Hello", "model_id": "m", "model_variant": "m-1", "token_usage": 3}
    every["created_at"] = "2026-01-05T10:00:00.000Z"
    body = {"messages": [{"role": "user", "text": "Hi, I am Ann"}, every], "persona_id": "coach"}
    first, second = wire.ask("POST", "/v1/chats/lunch/messages", json=body)["messages"]
    assert (first["position"], second["position"]) == (1, 2)
    say(wire, "My cat is called Miso")
    page = wire.ask("GET", "/v1/chats/lunch/messages?limit=2")
    assert [item["position"] for item in page["messages"]] == [1, 2]
    rest = wire.ask("GET", "/v1/chats/lunch/messages", params={"cursor": page["next_cursor"]})
    assert [item["position"] for item in rest["messages"]] == [3]
    around = wire.ask("GET", "/v1/chats/lunch/messages", params={"around": second["id"]})
    assert second["id"] in [item["id"] for item in around["messages"]]
    changed = wire.ask("PATCH", f"/v1/messages/{first['id']}", json={"text": "Hi, I am Anna"})
    assert changed["text"] == "Hi, I am Anna"
    (chat,) = wire.ask("GET", "/v1/chats")["chats"]
    assert (chat["chat_id"], chat["persona_id"], chat["message_count"]) == ("lunch", "coach", 3)


def test_pins(wire: Wire) -> None:
    """By hand, with S0's defaults."""
    say(wire, "Hello")
    pin = wire.ask("POST", "/api/memory/pins", json={"session_id": "lunch", "content": "No nuts"})
    assert (pin["importance_score"], pin["pin_type"], pin["session_id"]) == (5.0, "manual", "lunch")
    assert wire.ask("PATCH", f"/api/memory/pins/{pin['id']}", json={"content": "No"})["content"] == "No"
    assert len(wire.ask("GET", "/api/memory/pins?session_id=lunch")["pins"]) == 1
    wire.ask("DELETE", f"/api/memory/pins/{pin['id']}")
    assert wire.ask("GET", "/api/memory/pins?session_id=lunch") == {"pins": []}


def test_summaries(wire: Wire) -> None:
    """One by hand; a wrong count, an alien message and an overlap are refused; the brief follows."""
    said = say(wire, "We met in Graz", "Nice.", "Then we sailed home", "Safe?", "Yes", "Good.", "Bye", "Bye.")
    body = {"session_id": "lunch", "start_message_id": said[0]["id"], "end_message_id": said[1]["id"]}
    wire.refused("POST", "/api/memory/summaries", 400, json={**body, "message_count": 7})
    alien = {**body, "end_message_id": "1737000000000-000000000000", "message_count": 2}
    wire.refused("POST", "/api/memory/summaries", 404, json=alien)
    made = wire.ask("POST", "/api/memory/summaries", json={**body, "message_count": 2})
    wire.refused("POST", "/api/memory/summaries", 409, json={**body, "message_count": 2})
    (listed,) = wire.ask("GET", "/api/memory/summaries?session_id=lunch")["summaries"]
    assert listed["id"] == made["id"]
    brief = wire.ask("GET", "/v1/chats/lunch/brief")
    assert (brief["last_summarized_message_id"], brief["revision"]) == (said[1]["id"], 1)
    wire.ask("GET", "/api/memory/stats/lunch")


def test_context(wire: Wire) -> None:
    """S0's lists, the text, OpenAI's messages, and every line with why."""
    add(wire, "User's name is Ann and she sails", category="identity")
    say(wire, "I want to sail around Norway", "When?")
    context = wire.ask("GET", "/api/memory/context/lunch?query=sail&budget=4000")
    assert isinstance(context["totalTokens"], int) and context["text"]
    assert all(isinstance(context[name], list) for name in ("recentMessages", "semanticPins", "summaries"))
    assert {"role", "content"} <= context["messages"][-1].keys()
    assert isinstance(context["dropped"], list) and context["sections"]
    has('sections: [{"name"', context["sections"])


def events(text: str) -> list[tuple[str, Json]]:
    """The events of a stream."""
    found = re.findall(r"^event: (\S+)\ndata: (.*)$", text, re.MULTILINE)
    return [(name, json.loads(data)) for name, data in found]


def test_talking(wire: Wire, model: ScriptedModel) -> None:
    """`chat`, deltas, `message.completed`; the words are stored; sources stand before the question; `error`."""
    model.script(says("Hello dear Ann."))
    first = {"text": "Hi, I am Ann", "persona_id": "coach", "model": "deep", "instructions": "Be kind."}
    sources = ["Blue moons are rare", {"title": "Sky", "text": "The sky is blue"}]
    seen = events(wire.ask("POST", "/v1/message/first", json={**first, "sources": sources}))
    assert [name for name, _ in seen] == ["chat", *["content.delta"] * 3, "message.completed"]
    for (_, data), snippet in zip(
        (seen[0], seen[1], seen[-1]),
        ('{"chat_id", "message_id"}', '{"delta"}', '"model_variant", "token_usage"}'),
        strict=True,
    ):
        has(snippet, data)
    assert seen[-1][1]["text"] == "Hello dear Ann."
    prompt = model.requests[-1].prompt
    assert prompt.index("The sky is blue") < prompt.rindex("Hi, I am Ann")
    chat = seen[0][1]["chat_id"]
    again = wire.ask("POST", "/v1/message", json={"chat_id": chat, "text": "Who am I?"})
    assert [item["text"] for item in wire.ask("GET", f"/v1/chats/{chat}/messages")["messages"]][
        2
    ] == "Who am I?"
    assert events(again)[0][1]["chat_id"] == chat
    model.script(refuses(400, "no"))
    failed = events(wire.ask("POST", "/v1/message", json={"chat_id": chat, "text": "And now?"}))
    assert [name for name, _ in failed] == ["chat", "error"] and list(failed[-1][1]) == ["error"]


def test_completions(wire: Wire, model: ScriptedModel) -> None:
    """OpenAI's shapes; memory is added unless it is off, the turn recorded, the headers obeyed."""
    model.script(says("Ahoy."))
    add(wire, "User's name is Ann and she sails", category="identity")
    asked = {"model": "house", "messages": [{"role": "user", "content": "Where do I sail?"}], "seed": 7}
    ask = partial(wire.ask, "POST", "/v1/chat/completions")
    headers = {"X-Chat-Id": "sea", "X-Persona-Id": "coach", "X-Recollect-Budget": "500"}
    answer = ask(json=asked, headers=headers)
    assert answer["choices"][0]["message"]["content"] == "Ahoy."
    assert model.requests[-1].body["seed"] == 7 and "she sails" in model.requests[-1].prompt
    stream = ask(json={**asked, "stream": True}, headers={**headers, "X-Recollect-Memory": "off"})
    assert stream.rstrip().endswith("data: [DONE]") and "she sails" not in model.requests[-1].prompt
    ask(json=asked, headers={**headers, "X-Recollect-Tools": "on"})
    assert model.requests[-1].body["tools"]
    assert wire.ask("GET", "/v1/chats/sea/messages")["messages"][1]["text"] == "Ahoy."
    has('{"error": {"message"', ask(400, json={**asked, "messages": "none"}))


def test_sessions_and_spine(wire: Wire) -> None:
    """One session of one persona, its state, and the spine of twenty messages."""
    add(wire, "User's name is Ann and she sails", category="identity")
    say(wire, *(f"I sailed {n} miles today" for n in range(40)), persona_id="coach")
    wire.ask("POST", "/v1/jobs/drain?timeout=30")
    (session,) = wire.ask("GET", "/v1/sessions?persona_id=coach&limit=5")["sessions"]
    assert (session["persona_id"], session["turnCount"], session["endedAt"]) == ("coach", 20, None)
    assert wire.ask("GET", "/v1/state?persona_id=coach")["state"]["messageCount"] == 20
    assert wire.ask("GET", "/v1/spine")["version"] == 1
    assert wire.ask("GET", "/v1/spine?version=1")["messageCount"] == 20


def test_todos(wire: Wire) -> None:
    """Noted, listed, done, deleted."""
    body = {"text": "Book the ferry", "kind": "commitment", "due_at": "2027-01-05T10:00:00.000Z"}
    todo = wire.ask("POST", "/v1/todos", json={**body, "persona_id": "coach"})
    has('"kind": "commitment"|"habit"', todo)
    assert todo["status"] == "open"
    has('"kind": "commitment"|"habit"', wire.ask("GET", "/v1/todos")["todos"][0])
    assert wire.ask("PATCH", f"/v1/todos/{todo['id']}", json={"status": "done"})["status"] == "done"
    wire.ask("DELETE", f"/v1/todos/{todo['id']}")
    assert wire.ask("GET", "/v1/todos")["todos"] == []


def test_entities(wire: Wire) -> None:
    """Listed, described, proposed as one, merged, taken apart."""
    add(wire, "Makesh handles the backend of the app", entity_refs=["person:makesh"])
    add(wire, "Mukesh chose the new database", entity_refs=["person:mukesh"])
    assert len(wire.ask("GET", "/v1/entities?type=person&limit=5")["entities"]) == 2
    wire.ask("POST", "/memories/consolidate", json={"dry_run": False})
    assert len(wire.ask("GET", "/v1/entities/proposals")["proposals"]) == 1
    wire.ask("POST", "/v1/entities/merge", json={"from": "person:makesh", "into": "person:mukesh"})
    details = wire.ask("GET", "/v1/entities/person:mukesh")
    assert {"key", "card", "memories", "neighbours"} <= details.keys() and len(details["memories"]) == 2
    wire.ask("DELETE", "/v1/entities/person:mukesh/aliases/person:makesh")
    assert len(wire.ask("GET", "/v1/entities")["entities"]) == 2


def test_seed(wire: Wire) -> None:
    """What is put can be read."""
    seed = {
        "facts": [{"content": "User studied design in Umeå", "category": "fact"}],
        "notes": "Short answers.",
    }
    wire.ask("PUT", "/v1/seed", json=seed)
    known = wire.ask("GET", "/v1/seed")
    has('{"facts": [{"content"', known)
    assert known["notes"] == seed["notes"]


@pytest.mark.parametrize("target", ["memory_id", "message_id", "chat_id", "entity", "everything"])
def test_forgetting(wire: Wire, target: str) -> None:
    """Everything that can be named is erased, with a receipt."""
    wire.headers["X-User-Id"] = f"forgets-{target}"
    memory = add(wire, "Jane teaches pottery in Graz", entity_refs=["person:jane"])
    message = say(wire, "Jane showed me her wheel")[0]["id"]
    targets = {
        "memory_id": memory.replace("%23", "#").replace("%3A", ":"),
        "message_id": message,
        "chat_id": "lunch",
    }
    named = {**targets, "entity": "person:jane", "everything": True}[target]
    assert sum(wire.ask("POST", "/v1/forget", json={target: named})["receipt"].values()) > 0


def test_tools(wire: Wire) -> None:
    """Schemas in three forms; a call, a refusal, a tool that is none; S2's tool answers in S2's shapes."""
    for form in ("openai", "anthropic", "gemini"):
        assert len(wire.ask("GET", f"/v1/tools?format={form}")["tools"]) > 0
    fact = {"content": "User prefers Python for web work", "category": "preference"}
    body: Json = {"arguments": {**fact, "importance": 8}, "persona_id": "coach", "chat_id": "lunch"}
    stored = wire.ask("POST", "/v1/tools/store_memory", json=body)
    assert stored["text"].startswith("✓ Memory stored (ID: ") and stored["is_error"] is False
    again = {**fact, "reasoning": "Said so twice."}
    saved = wire.ask("POST", "/v1/tools/saveMemory", json={**body, "arguments": again})
    assert saved["result"]["duplicate"] is True
    assert wire.ask("POST", "/v1/tools/store_memory", json={"arguments": {}})["is_error"] is True
    wire.refused("POST", "/v1/tools/no_such_tool", 404, json={"arguments": {}})


def test_mcp(wire: Wire) -> None:
    """At `/mcp`: eight tools at most, three of which the page names."""
    headers = {"Accept": "application/json, text/event-stream"}
    said = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "t", "version": "1"}}
    call = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": said}
    begun = wire.request("POST", "/mcp", json=call, headers=headers)
    assert begun.status_code == 200, begun.text
    if "mcp-session-id" in begun.headers:
        headers["Mcp-Session-Id"] = begun.headers["mcp-session-id"]
    listed = wire.request(
        "POST", "/mcp", json={"jsonrpc": "2.0", "id": 2, "method": "tools/list"}, headers=headers
    )
    tools = set(re.findall(r'"name": ?"(\w+)"', listed.text))
    assert {"remember_conversation", "get_context", "pin_fact"} <= tools and len(tools) <= 8


def test_operations(wire: Wire, operator: Wire, anyone: Wire) -> None:
    """Whether it is well, in numbers, and until its work is done."""
    assert anyone.ask("GET", "/health")["status"] == "ok"
    anyone.ask("GET", "/ready")
    assert "# TYPE recollect_" in operator.ask("GET", "/metrics")
    assert operator.ask("GET", "/v1/jobs")
    drained = wire.ask("POST", "/v1/jobs/drain?timeout=30")
    has('{"drained": true', drained)
    assert drained == {"drained": True, "pending": 0}


def test_other_users(wire: Wire) -> None:
    """Another user's id is a 404."""
    todo = wire.ask("POST", "/v1/todos", json={"text": "Book the ferry"})
    wire.refused(
        "PATCH", f"/v1/todos/{todo['id']}", 404, json={"status": "done"}, headers={"X-User-Id": "eve"}
    )


def test_tokens(operator: Wire, anyone: Wire, line: str, walked: set[str]) -> None:
    """A session acts for its user, under either header, until it is revoked; only a service key makes one."""
    body = {"user_id": "ann@example.com", "ttl_seconds": 3600}
    assert anyone.refused("POST", "/auth/sessions", 401, json=body) == "Authentication required"
    made, other = (operator.ask("POST", "/auth/sessions", json=body) for _ in range(2))
    assert made["user_id"] == body["user_id"]
    token, same = (
        {"X-Session-Token": made["session_token"]},
        {"Authorization": f"Bearer {other['session_token']}"},
    )
    with Wire(line, walked, **token) as ann, Wire(line, walked, **same) as also_ann:
        todo = ann.ask("POST", "/v1/todos", json={"text": "Book the ferry"})
        assert todo in also_ann.ask("GET", "/v1/todos")["todos"]
        ann.refused("POST", "/auth/sessions", 403, json=body)
        ann.refused("GET", "/v1/todos", 403, headers={"X-User-Id": "eve"})
        ann.ask("DELETE", "/auth/sessions")
        operator.ask("DELETE", f"/auth/sessions/{other['session_id']}")
        for ended in (ann, also_ann):
            assert ended.refused("GET", "/v1/todos", 401) == "Authentication required"


def test_every_route_was_asked(walked: set[str], request: pytest.FixtureRequest) -> None:
    """No route of the page was left out."""
    here = [item for item in request.session.items if item.path == request.path]
    if len(here) == 1:
        pytest.skip("only with the other tests of this file")
    assert sorted({said.route for said in WRITTEN} - walked) == []
