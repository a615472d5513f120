"""`X-Recollect-Tools: on`: memory tools for any client's model, carried out by the service and never seen by the client."""

import json
from collections.abc import Sequence
from typing import Any

import pytest
from openai import OpenAI
from scripted_model import Answer, Reply, Request, ScriptedModel, event, says, streams
from serving import Http

from .conftest import said

ON = {"X-Recollect-Tools": "on", "X-Chat-Id": "c"}
ASKED: list[Any] = [{"role": "user", "content": "Remember that I prefer dark mode in every editor."}]
STORE = (
    "store_memory",
    {"content": "User prefers dark mode in every editor", "category": "preference", "importance": 9},
)
LOOK = {"type": "function", "function": {"name": "look", "parameters": {"type": "object", "properties": {}}}}

Call = tuple[str, dict[str, Any]]


def calls(*wanted: Call, text: str = "", first: int = 1) -> Answer:
    """A model that wants these tools called, in the form that was asked for."""
    made = [
        {
            "id": f"call_{number}",
            "type": "function",
            "function": {"name": name, "arguments": json.dumps(given)},
        }
        for number, (name, given) in enumerate(wanted, first)
    ]

    def answer(request: Request) -> Reply:
        if not request.body.get("stream"):
            return says(text, finish="tool_calls", tool_calls=made)(request)
        lines = [event(text)] if text else []
        for place, call in enumerate(made):
            lines += _pieces(place, call)
        return streams(*lines, event(None, "tool_calls"), "data: [DONE]")(request)

    return answer


def _pieces(place: int, call: dict[str, Any]) -> list[str]:
    """A call as servers stream it: its name first, its arguments bit by bit."""
    given = call["function"]["arguments"]
    opening = {"index": place, **call, "function": {**call["function"], "arguments": ""}}
    bits = [{"index": place, "function": {"arguments": given[at : at + 7]}} for at in range(0, len(given), 7)]
    return [_delta([piece]) for piece in (opening, *bits)]


def _delta(pieces: Sequence[dict[str, Any]]) -> str:
    choice = {"index": 0, "delta": {"tool_calls": pieces}, "finish_reason": None}
    return "data: " + json.dumps({"object": "chat.completion.chunk", "model": "m", "choices": [choice]})


class Heard:
    """What a client gets to see of an answer."""

    def __init__(self, client: OpenAI, *, stream: bool, **more: Any) -> None:
        headers = {**ON, **more.pop("extra_headers", {})}
        given = {"model": "m", "messages": ASKED, **more}
        if not stream:
            choice = client.chat.completions.create(extra_headers=headers, **given).choices[0]
            self.text, self.finish = choice.message.content or "", choice.finish_reason
            self.calls = [
                (call.function.name, call.function.arguments) for call in choice.message.tool_calls or []
            ]
            return
        self.text, self.finish = "", None
        built: dict[int, list[str]] = {}
        for chunk in client.chat.completions.create(extra_headers=headers, stream=True, **given):
            for choice in chunk.choices:
                self.text += choice.delta.content or ""
                assert not (self.finish and choice.finish_reason), "two ends"
                self.finish = choice.finish_reason or self.finish
                for call in choice.delta.tool_calls or []:
                    parts = built.setdefault(call.index, ["", ""])
                    parts[0] += call.function.name or ""
                    parts[1] += call.function.arguments or ""
        assert sorted(built) == list(range(len(built)))
        self.calls = [(name, given) for name, given in built.values()]


@pytest.fixture(params=[False, True], ids=["whole", "stream"])
def stream(request: pytest.FixtureRequest) -> bool:
    return request.param


def contents(http: Http) -> list[str]:
    return [memory["content"] for memory in http.get("/memories").json()["memories"]]


def test_all_six_are_offered_beside_the_clients(client: OpenAI, model: ScriptedModel) -> None:
    """The client's tools stand first, as they are."""
    model.script(says("Hi."))
    Heard(client, stream=False, tools=[LOOK])
    tools = model.requests[0].body["tools"]
    assert tools[0] == LOOK
    assert {tool["function"]["name"] for tool in tools[1:]} == {
        "store_memory",
        "search_memories",
        "list_memories",
        "update_memory",
        "delete_memory",
        "saveMemory",
    }


def test_save_memory_answers_with_an_object(
    client: OpenAI, http: Http, model: ScriptedModel, stream: bool
) -> None:
    """S2's shapes are what the model reads, first the success and then the duplicate."""
    given = {
        "content": "User prefers dark mode in every editor",
        "category": "preference",
        "reasoning": "The user asked to remember it.",
    }
    model.script(calls(("saveMemory", given)), calls(("saveMemory", given)), says("Done."))
    assert Heard(client, stream=stream).text == "Done."
    first, second = (json.loads(model.requests[number].body["messages"][-1]["content"]) for number in (1, 2))
    assert first["success"] is True and first["content"] == contents(http)[0]
    assert second["success"] is False and second["memoryId"] == first["memoryId"]


def test_several_calls_and_rounds(client: OpenAI, http: Http, model: ScriptedModel, stream: bool) -> None:
    """Calls side by side are all carried out; words before them and after them reach the client."""
    second = (
        "store_memory",
        {"content": "User works from Berlin as a baker", "category": "fact", "importance": 6},
    )
    model.script(
        calls(STORE, second, text="Let me see. "),
        calls(("list_memories", {})),
        says("Both are kept."),
    )
    heard = Heard(client, stream=stream)
    assert heard.text == ("Let me see. Both are kept." if stream else "Both are kept.")
    assert len(contents(http)) == 2
    assert model.requests[2].body["messages"][-1]["content"].startswith("Your memories (2 total):")
    assert said(http, "c")[1] == ("assistant", heard.text)


def test_calls_of_both_kinds(client: OpenAI, http: Http, model: ScriptedModel, stream: bool) -> None:
    """Ours are carried out, the client's are passed on with the places that they would have alone."""
    model.script(calls(STORE, ("look", {"at": "teapot"})))
    heard = Heard(client, stream=stream, tools=[LOOK])
    assert heard.calls == [("look", '{"at": "teapot"}')]
    assert heard.finish == "tool_calls"
    assert len(contents(http)) == 1
    assert len(model.requests) == 1


def test_the_clients_tool_wins(client: OpenAI, http: Http, model: ScriptedModel, stream: bool) -> None:
    """A tool of the client with one of our names is the client's."""
    own = {"type": "function", "function": {"name": "store_memory", "parameters": {"type": "object"}}}
    model.script(calls(STORE))
    heard = Heard(client, stream=stream, tools=[own])
    assert [name for name, _ in heard.calls] == ["store_memory"]
    names = [tool["function"]["name"] for tool in model.requests[0].body["tools"]]
    assert names.count("store_memory") == 1
    assert contents(http) == []


def test_a_model_must_answer_in_the_end(client: OpenAI, model: ScriptedModel, stream: bool) -> None:
    """After five rounds nothing may be called any more."""
    listing = ("list_memories", {})
    model.script(*[calls(listing, first=number) for number in range(5)], says("Enough."))
    assert Heard(client, stream=stream).text == "Enough."
    assert [request.body.get("tool_choice") for request in model.requests] == [None] * 5 + ["none"]


def test_a_model_that_never_answers(http: Http, model: ScriptedModel, stream: bool) -> None:
    """One that calls on and on is an error, not an endless talk."""
    model.script(calls(("list_memories", {})))
    body = {"model": "m", "messages": ASKED, "stream": stream}
    answer = http.post("/v1/chat/completions", json=body, headers=ON)
    assert answer.status_code == (200 if stream else 502)
    assert "called tools 5 times" in answer.text
    assert len(model.requests) == 6


@pytest.mark.parametrize(
    ("call", "told"),
    [
        (("store_memory", {"content": "short"}), ""),
        (("delete_memory", {"memory_id": "none"}), "no memory"),
        (("update_memory", {}), ""),
    ],
    ids=lambda value: str(value)[:30],
)
def test_a_tool_that_refuses(client: OpenAI, model: ScriptedModel, call: Call, told: str) -> None:
    """The model reads why, and answers."""
    model.script(calls(call), says("Sorry."))
    assert Heard(client, stream=True).text == "Sorry."
    assert told in model.requests[1].body["messages"][-1]["content"]


def test_arguments_that_are_no_json(client: OpenAI, model: ScriptedModel) -> None:
    """A model that writes nonsense reads so."""
    broken = {
        "index": 0,
        "id": "x",
        "type": "function",
        "function": {"name": "store_memory", "arguments": "{"},
    }
    model.script(
        streams(_delta([broken]), event(None, "tool_calls"), "data: [DONE]"),
        says("Sorry."),
    )
    assert Heard(client, stream=True).text == "Sorry."
    assert model.requests[1].body["messages"][-1]["content"]


def test_several_answers_have_no_tools(client: OpenAI, model: ScriptedModel) -> None:
    """With `n` nobody could say which of the answers calls."""
    model.script(says("Hi."))
    Heard(client, stream=False, n=2)
    assert "tools" not in model.requests[0].body
