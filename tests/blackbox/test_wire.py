"""The wire, to the letter where a source spells it out: statuses, names and values of S0, S1, S2, S3 and S4.

Each story is a table of requests in their order with what must be in the answer: `...` is anything, `$x` what was kept as x.
"""

import json
import re
from typing import Any, cast
from urllib.parse import quote

import pytest
from scripted_model import ScriptedModel, says

from .conftest import Http, until

A: Any = ...
#: Method, path, body, status, what the answer holds, and what of it is kept under which name.
Step = tuple[str, str, Any, int, Any, dict[str, str]]


def names(words: str) -> dict[str, Any]:
    return dict.fromkeys(words.split(), A)


def fits(found: Any, wanted: Any, kept: dict[str, Any]) -> bool:
    """Whether an answer holds what it must."""
    if wanted is ...:
        return True
    if isinstance(wanted, dict):
        fields = cast("dict[str, Any]", wanted)
        return all(name in found and fits(found[name], item, kept) for name, item in fields.items())
    if isinstance(wanted, list):
        rows = cast("list[Any]", wanted)
        return len(found) == len(rows) and all(
            fits(one, row, kept) for one, row in zip(found, rows, strict=True)
        )
    return found == (kept[wanted[1:]] if str(wanted).startswith("$") else wanted)


def filled(body: Any, kept: dict[str, Any]) -> Any:
    """A body with what was kept in it."""
    text = json.dumps(body)
    for name, value in kept.items():
        text = text.replace(f'"${name}"', json.dumps(value))
    return json.loads(text)


def address(path: str, kept: dict[str, Any]) -> str:
    return re.sub(r"\$(\w+)", lambda found: quote(kept[found[1]], safe=""), path)


S3 = "user_id memory_id content category importance tags created_at last_accessed access_count"
PREFERS = {
    "content": "I prefer TypeScript over JavaScript",
    "category": "preference",
    "importance": 9,
    "tags": ["ts"],
}
RECORD = {
    **names(S3),
    "memory_id": "$one",
    "content": "User prefers TypeScript over JavaScript",
    "importance": 9,
    "access_count": 0,
}
STATS = names("total by_category by_type by_status by_source average_importance most_used growth")
EXPORT = names("recollect user_id exported_at memories chats todos entities seed")
REASONS = names("similarity recency frequency vector_rank text_rank")
MEMORIES: list[Step] = [
    ("GET", "/memories", None, 200, {"memories": [], "next_cursor": None}, {}),
    ("POST", "/memories", PREFERS, 201, {"success": True, "message": "Memory saved successfully", "memoryId": A,
     "content": "User prefers TypeScript over JavaScript", "category": "preference"}, {"one": "memoryId"}),
    ("GET", "/memories/$one/history", None, 200, {"history": [{**names("at by old new reason"), "change": "created"}]}, {}),
    ("POST", "/memories", PREFERS, 200, {"success": False, "duplicate": True, "message": "Similar memory already exists",
     "existingContent": "User prefers TypeScript over JavaScript", "memoryId": "$one"}, {}),
    ("POST", "/memories", {"content": "short"}, 400, {"success": False, "error": "Content too short (minimum 10 characters)"}, {}),
    ("POST", "/memories", [PREFERS, {"content": "short"}, {"content": "I keep bees at home"}], 200,
     {"results": [{"success": False, "memoryId": "$one"}, {"success": False, "error": A}, {"success": True}]}, {}),
    ("GET", "/memories?category=preference&limit=20", None, 200, {"memories": [RECORD], "next_cursor": None}, {}),
    ("GET", "/memories/$one", None, 200, RECORD, {}),
    ("GET", "/memories/search?query=typescript&limit=1", None, 200, {"cards": A, "episodes": A,
     "memories": [{"memory_id": "$one", "score": A, "explain": REASONS}]}, {}),
    ("PATCH", "/memories/$one", {"content": "I prefer Rust by now", "pinned": True}, 200,
     {"memory_id": "$one", "content": "User prefers Rust by now", "pinned": True}, {}),
    ("GET", "/memories/stats", None, 200, {**STATS, "total": 2}, {}),
    ("POST", "/memories/consolidate", None, 200, {"folds": A, "archived": A, "dry_run": True}, {}),
    ("POST", "/memories/export", None, 200, {**EXPORT, "recollect": 1}, {"document": ""}),
    ("POST", "/memories/import", "$document", 200, {"imported": 0, "duplicates": 2, "skipped": []}, {}),
    ("DELETE", "/memories", {}, 400, {"error": "memory_id required"}, {}),
    ("DELETE", "/memories", {"memory_id": "$one"}, 200, {"success": True}, {}),
    ("DELETE", "/memories/$one", None, 404, {"error": A}, {}),
]  # fmt: skip

SAID = {"role": "user", "text": "My dad is allergic to Penicillin, had anaphylaxis in 2010", "model_id": "gpt-4-turbo",
        "token_usage": 15, "created_at": "2025-10-28T10:30:45.123Z"}  # fmt: skip
MESSAGE = names(
    "id session_id role text model_id model_variant token_usage created_at importance_score position"
)
PIN = {"session_id": "s-456", "content": "Patient allergic to Sulfa", "source_message_id": "$first", "importance_score": 10.0,
       "pin_type": "manual"}  # fmt: skip
FOLD = {"session_id": "s-456", "start_message_id": "$first", "end_message_id": "$second", "message_count": 2}
SUMMARY = names(
    "id session_id summary message_count start_message_id end_message_id importance_score created_at"
)
CONTEXT = names(
    "recentMessages semanticPins summaries totalTokens text messages sections dropped memory_block"
)
TURN = {"messages": [SAID, {"role": "assistant", "text": "I'll remember that."}]}
RECEIPT = names("memories messages summaries pins todos vectors erased_from_disk")
CHATS: list[Step] = [
    ("POST", "/v1/chats/s-456/messages", TURN, 201, {"messages": [{**MESSAGE, **SAID, "session_id": "s-456", "position": 1,
     "importance_score": 10.0}, {"role": "assistant", "position": 2}]}, {"first": "messages.0.id", "second": "messages.1.id"}),
    ("GET", "/v1/chats/s-456/messages", None, 200, {"messages": [{"id": "$first"}, {"id": "$second"}], "next_cursor": None}, {}),
    ("GET", "/v1/chats", None, 200, {"chats": [{"chat_id": "s-456", "title": A, "persona_id": None, "message_count": 2,
     "last_message_at": A}], "next_cursor": None}, {}),
    ("POST", "/api/memory/pins", PIN, 201, {**PIN, "id": A, "created_at": A}, {"pin": "id"}),
    ("POST", "/api/memory/pins", {"session_id": "s-456", "content": "A fact"}, 201, {"importance_score": 5.0, "pin_type": "manual"}, {}),
    ("GET", "/api/memory/pins?session_id=s-456", None, 200, {"pins": [A, A, {"content": "A fact"}]}, {}),
    ("PATCH", "/api/memory/pins/$pin", {"importance_score": 9.5}, 200, {**PIN, "importance_score": 9.5}, {}),
    ("GET", "/api/memory/pins", None, 400, {"error": A}, {}),
    ("GET", "/api/memory/stats/s-456", None, 200, {"totalMessages": 2, "totalSummaries": 0, "totalPins": 3, "oldestMessage": A,
     "newestMessage": A, "averageImportanceScore": A}, {}),
    ("GET", "/api/memory/context/s-456?query=Which+antibiotics+are+safe&budget=8000", None, 200, {**CONTEXT,
     "recentMessages": [{"id": "$first"}, {"id": "$second"}], "semanticPins": [A, A, A]}, {}),
    ("GET", "/v1/chats/s-456/brief", None, 200, {"chat_id": "s-456", "revision": 0, "global_summary": "",
     "last_summarized_message_id": None, "updated_at": None}, {}),
    ("POST", "/api/memory/summaries", FOLD, 201, {**SUMMARY, **FOLD}, {"fold": "id"}),
    ("POST", "/api/memory/summaries", FOLD, 409, {"error": A}, {}),
    ("GET", "/api/memory/summaries?session_id=s-456", None, 200, {"summaries": [{"id": "$fold"}]}, {}),
    ("GET", "/v1/chats/s-456/brief?revisions=true", None, 200, {"revision": 1, "last_summarized_message_id": "$second",
     "revisions": [{"revision": 1}]}, {}),
    ("PATCH", "/v1/messages/$first", {"text": "My dad likes roses"}, 200, {"id": "$first", "position": 1, "text": "My dad likes roses",
     "rederived": {"refolded": 1, "removed_pins": [A], "added_pins": []}}, {}),
    ("POST", "/v1/forget", {"message_id": "$first"}, 200, {"receipt": {**RECEIPT, "messages": 1}, "refolded": A}, {}),
    ("GET", "/v1/messages/$first", None, 404, {"error": A}, {}),
    ("DELETE", "/api/memory/pins/$pin", None, 200, {"success": True}, {}),
]  # fmt: skip

SECTIONS = {"PROFILE": "", "PROJECTS": "", "PEOPLE": "", "OPEN_LOOPS": ""}
STATE = names(
    "messageCount lastUserMessage lastInteraction lastRollingAttemptAt lastRollingSuccessAt lastRollingError curator"
)
DIGEST = names("one_liner what_mattered open_loops commitments people tone")
WALKS = [
    {"role": "user", "text": "I walk", "created_at": f"2026-01-28T10:0{minute}:00Z"} for minute in (0, 5)
]
SESSION = {"persona_id": "coach", "startedAt": "2026-01-28T10:00:00.000Z", "lastActivityAt": "2026-01-28T10:05:00.000Z",
           "endedAt": "2026-01-28T10:35:00.000Z", "turnCount": 2, "summary": DIGEST}  # fmt: skip
TODO = {
    "text": "Walk",
    "kind": "habit",
    "due_at": "2026-01-29T17:00:00.000Z",
    "persona_id": "coach",
    "source_message_ids": ["m"],
}
FACTS = {
    "facts": [{"content": "User lives in Austin, Texas", "category": "identity"}],
    "notes": "Short answers.",
}
FRIENDS = [
    {"content": f"{name} is User's friend in Graz", "entity_refs": [f"person:{name}", "place:graz"]}
    for name in ("bob", "robert")
]
ENTITY = names("key label type aliases fact_count last_mentioned")
S4: list[Step] = [
    ("GET", "/v1/spine", None, 200, {"version": 0, "content": SECTIONS, "messageCount": 0, "created_at": None}, {}),
    ("GET", "/v1/state", None, 200, {"state": STATE, "rollingSummary": "", "personas": []}, {}),
    ("POST", "/v1/chats/walks/messages", {"messages": WALKS, "persona_id": "coach"}, 201, A, {}),
    ("POST", "/v1/jobs/drain?timeout=60", None, 200, {"drained": True, "pending": 0}, {}),
    ("GET", "/v1/sessions?persona_id=coach", None, 200, {"sessions": [SESSION], "next_cursor": None}, {"session": "sessions.0.id"}),
    ("GET", "/v1/sessions/$session?revisions=true", None, 200, {**SESSION, "chats": [{"chat_id": "walks"}],
     "revisions": [{"revision": 1}]}, {}),
    ("GET", "/v1/state?persona_id=coach", None, 200, {"state": {"messageCount": 2, "lastUserMessage": "I walk"},
     "personas": ["coach"]}, {}),
    ("POST", "/v1/todos", {**TODO, "due_at": "2026-01-29T18:00:00+01:00"}, 201, {**TODO, "id": A, "status": "open"}, {"todo": "id"}),
    ("PATCH", "/v1/todos/$todo", {"status": "done", "due_at": None}, 200, {**TODO, "status": "done", "due_at": None}, {}),
    ("GET", "/v1/todos?status=open", None, 200, {"todos": [], "next_cursor": None}, {}),
    ("DELETE", "/v1/todos/$todo", None, 200, {"success": True}, {}),
    ("POST", "/memories", FRIENDS, 200, {"results": [{"success": True}, {"success": True}]}, {}),
    ("POST", "/v1/entities/merge", {"from": "person:bob", "into": "person:robert"}, 200, {**ENTITY, "fact_count": 2}, {}),
    ("GET", "/v1/entities/person:bob", None, 200, {**ENTITY, "key": "person:robert", "aliases": ["person:bob"], "card": A,
     "memories": [A, A], "neighbours": [{"key": "place:graz", "count": 2}]}, {}),
    ("GET", "/v1/entities/graph", None, 200, {"nodes": [A, A], "edges": [{"a": "person:robert", "b": "place:graz", "count": 2}]}, {}),
    ("GET", "/v1/entities/proposals", None, 200, {"proposals": [], "next_cursor": None}, {}),
    ("DELETE", "/v1/entities/person:robert/aliases/person:bob", None, 200, {"success": True}, {}),
    ("PUT", "/v1/seed", FACTS, 200, FACTS, {}),
    ("GET", "/v1/seed", None, 200, FACTS, {}),
    ("POST", "/v1/tools/list_memories", {"arguments": {}}, 200, {"text": A, "result": {"total": 3}, "is_error": False}, {}),
]  # fmt: skip


@pytest.mark.parametrize("story", [MEMORIES, CHATS, S4], ids=["memories", "chats", "sessions"])
def test_a_story(http: Http, user: str, story: list[Step]) -> None:
    kept: dict[str, Any] = {"user": user}
    for method, path, body, status, wanted, keep in story:
        answer = http.request(method, address(path, kept), json=filled(body, kept))
        assert answer.status_code == status, (method, path, answer.text)
        found = answer.json()
        assert fits(found, wanted, kept), (method, path, wanted, found)
        for name, place in keep.items():
            kept[name] = found
            for step in filter(None, place.split(".")):
                kept[name] = kept[name][int(step) if step.isdigit() else step]


def test_s3s_record_comes_first_and_in_its_order(http: Http) -> None:
    http.post("/memories", json=PREFERS)
    (record,) = http.get("/memories").json()["memories"]
    assert list(record)[:9] == S3.split() and isinstance(record["importance"], int)
    assert record["created_at"] == record["memory_id"].partition("#")[0]


def test_talk(http: Http, model: ScriptedModel) -> None:
    """S1's events in order with exactly their fields; instructions and sources arrive; the second message knows the first."""
    model.script(says("Hello dear Ann."), says("Tea."))
    asked = {"text": "I drink tea", "instructions": "Be brief.", "sources": ["Blue is rare."]}
    answer = http.post("/v1/message/first", json=asked)
    assert answer.headers["content-type"].startswith("text/event-stream")
    found = re.findall(r"event: (.+)\ndata: (.+)\n\n", answer.text)
    events = [(name, json.loads(data)) for name, data in found]
    assert [name for name, _ in events] == ["chat", *["content.delta"] * 3, "message.completed"]
    assert [data for _, data in events[1:4]] == [{"delta": "Hello"}, {"delta": " dear"}, {"delta": " Ann."}]
    chat, completed = events[0][1], events[-1][1]
    assert set(chat) == {"chat_id", "message_id"}
    assert completed.pop("message_id")
    assert completed == {"text": "Hello dear Ann.", "model_variant": "house", "token_usage": 15}
    prompt = model.requests[-1].body["messages"]
    assert prompt[0]["content"].startswith("Be brief.") and "Blue is rare." in str(prompt)
    http.post("/v1/message", json={"text": "What?", "chat_id": chat["chat_id"], "model": "deep"})
    last = model.requests[-1].body
    assert [item["content"] for item in last["messages"][-3:]] == ["I drink tea", "Hello dear Ann.", "What?"]
    assert last["model"] == "deep"
    until(lambda: len(http.get(f"/v1/chats/{chat['chat_id']}/messages").json()["messages"]) == 4)


LISTS = ["/memories", "/v1/chats", "/v1/chats/c/messages", "/v1/todos", "/v1/sessions", "/v1/entities"]


@pytest.mark.parametrize("path", LISTS)
def test_every_list_has_pages(http: Http, path: str) -> None:
    """Walking the cursors shows each row once; the last page has none; too much and nonsense are refused."""
    for number in range(3):
        fact = {"content": f"User owns the pearl{number} of lake{number}", "entity_refs": [f"org:{number}x"]}
        http.post("/memories", json=fact).raise_for_status()
        http.post("/v1/todos", json={"text": f"Thing {number}"})
        said = [{"role": "user", "text": "Hello", "created_at": f"2026-01-2{number}T10:00:00Z"}]
        for chat in ("c", f"c{number}"):
            http.post(f"/v1/chats/{chat}/messages", json={"messages": said}).raise_for_status()
    http.post("/v1/jobs/drain?timeout=60")

    def page(**asked: Any) -> tuple[list[Any], str | None]:
        found = http.get(path, params=asked).json()
        cursor = found.pop("next_cursor")
        (rows,) = found.values()
        return rows, cursor

    whole, cursor = page()
    assert cursor is None and len(whole) >= 3
    rows, cursor = page(limit=2)
    while cursor is not None:
        more, cursor = page(limit=2, cursor=cursor)
        rows += more
    assert rows == whole
    for wrong in ({"limit": 0}, {"limit": 1001}, {"limit": "x"}, {"cursor": "zzz"}, {"cursor": ""}):
        answer = http.get(path, params=wrong)
        assert answer.status_code == 400 and next(iter(wrong)) in answer.json()["error"]
