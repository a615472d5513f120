"""Tools over HTTP: schemas in three formats, S3's replies, S2's shapes, and refusals that a model can read."""

from typing import Any

import jsonschema_rs
import pytest
from serving import Http


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
        ({"arguments": "{}"}, "arguments must be an object"),
        ({"arguments": []}, "arguments must be an object"),
        ({"arguments": None}, "arguments must be an object"),
        ({"arguments": {}, "persona_id": 5}, "persona_id must be text"),
        ({"arguments": {}, "chat_id": []}, "chat_id must be text"),
        ({"arguments": {}, "user_id": "x"}, "The body has no field 'user_id'"),
        (
            {"content": "User prefers tea", "chat_id": "c"},
            'The body has no field \'content\'; send the arguments as {"arguments": {"content": …}}.',
        ),
        ({"arguments": {}, "persona_id": ""}, "persona_id must have 1-256 characters."),
        ({"arguments": {}, "chat_id": "a\0"}, "chat_id contains a NUL character; remove it."),
    ],
    ids=str,
)
def test_a_bad_body_is_a_400(http: Http, body: dict[str, Any], sentence: str) -> None:
    """What is wrong around the arguments is the program's mistake."""
    answer = http.post("/v1/tools/list_memories", json=body)
    assert answer.status_code == 400
    assert sentence in answer.json()["error"]


def test_arguments_may_be_left_out(http: Http) -> None:
    """A tool that needs none can be called without."""
    assert http.post("/v1/tools/list_memories", json={}).json()["text"] == "You have no memories yet."
