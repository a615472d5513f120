"""Tools over HTTP: schemas in three formats, S3's replies, S2's shapes, and refusals that a model can read."""

from typing import Any

import jsonschema_rs
import pytest
from serving import Http, Service

_PYTHON = {
    "content": "User prefers Python 3.12+",
    "category": "preference",
    "importance": 8,
    "tags": ["python", "coding_style"],
}


def _call(http: Http, name: str, arguments: dict[str, Any], **more: Any) -> dict[str, Any]:
    answer = http.post(f"/v1/tools/{name}", json={"arguments": arguments, **more})
    assert answer.status_code == 200, answer.text
    return answer.json()


def test_the_schemas_in_each_format(http: Http) -> None:
    """Three formats of the same six tools; OpenAI's unless told."""
    openai = http.get("/v1/tools").json()["tools"]
    assert openai == http.get("/v1/tools?format=openai").json()["tools"]
    anthropic = http.get("/v1/tools?format=anthropic").json()["tools"]
    gemini = http.get("/v1/tools?format=gemini").json()["tools"]
    names = [
        "store_memory",
        "search_memories",
        "list_memories",
        "update_memory",
        "delete_memory",
        "saveMemory",
    ]
    assert [tool["function"]["name"] for tool in openai] == names
    assert [tool["name"] for tool in anthropic] == names
    assert [tool["name"] for tool in gemini] == names
    for of_openai, of_anthropic in zip(openai, anthropic, strict=True):
        assert of_openai["type"] == "function"
        assert of_openai["function"]["parameters"] == of_anthropic["input_schema"]
        jsonschema_rs.meta.validate(of_anthropic["input_schema"])
    assert gemini[0]["parameters"]["type"] == "OBJECT"


def test_the_openai_package_takes_the_schemas(http: Http) -> None:
    """They are what OpenAI's own types describe."""
    from openai.types.chat import ChatCompletionFunctionToolParam
    from pydantic import TypeAdapter

    TypeAdapter(list[ChatCompletionFunctionToolParam]).validate_python(http.get("/v1/tools").json()["tools"])


@pytest.mark.parametrize("format", ["", "OpenAI", "cohere", "%00"])
def test_another_format_is_a_400(http: Http, format: str) -> None:
    """The sentence names the formats."""
    answer = http.get(f"/v1/tools?format={format}")
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("format must be one of openai, anthropic, gemini")


def test_store_search_list_update_delete(http: Http) -> None:
    """S3's five calls, with S3's replies."""
    stored = _call(http, "store_memory", _PYTHON)
    memory_id = stored["result"]["memory_id"]
    assert stored["text"] == f"✓ Memory stored (ID: {memory_id})"
    assert stored["is_error"] is False
    assert _call(http, "search_memories", {"query": "python"})["text"] == (
        f"Found 1 memory:\n\n- [preference] User prefers Python 3.12+ (Importance: 8, ID: {memory_id})"
    )
    assert _call(http, "list_memories", {})["text"] == (
        "Your memories (1 total):\n\n[PREFERENCE]\n"
        f"  - User prefers Python 3.12+ (Importance: 8, ID: {memory_id})"
    )
    updated = _call(
        http,
        "update_memory",
        {"memory_id": memory_id, "new_content": "User prefers Python 3.13 now", "importance": 9},
    )
    assert (updated["text"], updated["is_error"]) == ("✓ Memory updated", False)
    deleted = _call(http, "delete_memory", {"memory_id": memory_id})
    assert (deleted["text"], deleted["result"]["success"]) == ("✓ Memory deleted", True)
    assert _call(http, "list_memories", {})["text"] == "You have no memories yet."


def test_save_memory(http: Http) -> None:
    """S2's success, duplicate and error, in `result`."""
    fact = {
        "content": "User prefers TypeScript over JavaScript",
        "category": "preference",
        "reasoning": "Core tech stack preference that affects future recommendations",
    }
    first = _call(http, "saveMemory", fact)["result"]
    assert first == {
        "success": True,
        "message": "Memory saved successfully",
        "memoryId": first["memoryId"],
        "content": "User prefers TypeScript over JavaScript",
        "category": "preference",
    }
    second = _call(http, "saveMemory", fact)
    assert second["result"] == {
        "success": False,
        "duplicate": True,
        "message": "Similar memory already exists",
        "existingContent": "User prefers TypeScript over JavaScript",
        "memoryId": first["memoryId"],
    }
    assert second["text"] == "Similar memory already exists: User prefers TypeScript over JavaScript"
    third = _call(http, "saveMemory", {**fact, "content": "Tea"})
    assert third == {
        "text": "Content too short (minimum 10 characters)",
        "result": {"success": False, "error": "Content too short (minimum 10 characters)"},
        "is_error": True,
    }


def test_a_refusal_is_a_200(http: Http) -> None:
    """The model must read why, so that HTTP has nothing to complain about."""
    reply = _call(http, "store_memory", {"content": "User prefers tea"})
    assert reply["is_error"] is True
    assert reply["text"].startswith("category required.")


@pytest.mark.parametrize(
    "arguments",
    [
        {"query": "a\0b"},
        {"query": ""},
        {"query": 5},
        {"query": "x" * 100_000},
        {"query": "x", "limit": 10**30},
        {"query": "x", "limit": -1},
        {"query": "x", "\ufffe": 1},
        {"query": "x", "category": "\x00"},
        {"query": ["x"]},
        {"query": {"x": {"y": []}}},
    ],
    ids=lambda arguments: ascii(arguments)[:40],
)
def test_hostile_arguments_are_refused_in_words(http: Http, arguments: dict[str, Any]) -> None:
    """Whatever a model sends, it gets a sentence and never a failure."""
    reply = _call(http, "search_memories", arguments)
    assert reply["text"]
    if arguments["query"] != "x" * 100_000:
        assert reply["is_error"] is True


@pytest.mark.parametrize("name", ["store", "savememory", "remember_conversation", "%00", "a%2Fb"])
def test_no_such_tool(http: Http, name: str) -> None:
    """An unknown tool is a 404."""
    answer = http.post(f"/v1/tools/{name}", json={"arguments": {}})
    assert answer.status_code == 404


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({"arguments": "{}"}, "arguments must be an object."),
        ({"arguments": []}, "arguments must be an object."),
        ({"arguments": None}, "arguments must be an object."),
        ({"arguments": {}, "persona_id": 5}, "persona_id must be text."),
        ({"arguments": {}, "chat_id": []}, "chat_id must be text."),
        ({"arguments": {}, "user_id": "x"}, "user_id is no field of this request; remove it."),
        (
            {"content": "User prefers tea", "chat_id": "c"},
            'content is no field of this request. What the tool takes goes into "arguments": {"arguments": {"content": …}}.',
        ),
        ({"arguments": {}, "persona_id": ""}, "persona_id must have 1-256 characters."),
        ({"arguments": {}, "chat_id": "a\0"}, "chat_id contains a NUL character; remove it."),
    ],
    ids=str,
)
def test_a_bad_body_is_a_400(http: Http, body: dict[str, Any], sentence: str) -> None:
    """What is wrong around the arguments is the program's mistake."""
    answer = http.post("/v1/tools/list_memories", json=body)
    assert (answer.status_code, answer.json()["error"]) == (400, sentence)


def test_arguments_may_be_left_out(http: Http) -> None:
    """A tool that needs none can be called without."""
    assert http.post("/v1/tools/list_memories", json={}).json()["text"] == "You have no memories yet."


def test_another_users_memory_is_not_there(service: Service, http: Http) -> None:
    """With somebody else's id nothing is changed or deleted, and the reply does not tell that it exists."""
    memory_id = _call(http, "store_memory", _PYTHON)["result"]["memory_id"]
    stranger = service.http("stranger@example.com")
    for name, more in (("update_memory", {"new_content": "User prefers Perl now"}), ("delete_memory", {})):
        reply = _call(stranger, name, {"memory_id": memory_id, **more})
        missing = _call(stranger, name, {"memory_id": "2020-01-01T00:00:00.000Z#00000000", **more})
        assert reply["is_error"] is True
        assert reply["text"].replace(memory_id, "ID") == missing["text"].replace(
            "2020-01-01T00:00:00.000Z#00000000", "ID"
        )
    assert "Found 1 memory" in _call(http, "search_memories", {"query": "python"})["text"]


def test_personas_and_chats(http: Http) -> None:
    """A fact of one persona is not another's, and a fact of a chat is linked to what was said there."""
    said = http.post(
        "/v1/chats/c/messages", json={"messages": [{"role": "user", "text": "I like oat milk a lot"}]}
    ).json()["messages"][0]
    _call(http, "store_memory", {**_PYTHON, "content": "User likes oat milk"}, persona_id="chef", chat_id="c")
    assert _call(http, "list_memories", {}, persona_id="coach")["result"]["total"] == 0
    (found,) = _call(http, "list_memories", {}, persona_id="chef")["result"]["memories"]
    record = http.get(f"/memories/{found['memory_id'].replace('#', '%23')}").json()
    assert record["source_message_ids"] == [said["id"]]


def test_a_token_that_may_only_read(service: Service, user: str) -> None:
    """It may search and list; what changes anything is a 403."""
    made = service.operator.post("/auth/sessions", json={"user_id": user, "scopes": ["read"]})
    assert made.status_code == 201, made.text
    reader = service.http(x_session_token=made.json()["session_token"])
    assert reader.get("/v1/tools").status_code == 200
    assert _call(reader, "list_memories", {})["text"] == "You have no memories yet."
    assert reader.post("/v1/tools/store_memory", json={"arguments": _PYTHON}).status_code == 403


def test_nobody_enters_without_a_token(service: Service) -> None:
    """Neither schemas nor calls are for everyone."""
    assert service.anyone.get("/v1/tools").status_code == 401
    assert service.anyone.post("/v1/tools/list_memories", json={}).status_code == 401
