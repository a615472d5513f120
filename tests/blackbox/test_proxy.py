"""`/v1/chat/completions` and its neighbours: a client sees its model byte for byte, and its model sees what is remembered."""

import json
import threading
from collections.abc import Iterator
from typing import Any

import openai
import pytest
from openai import OpenAI
from patience import LIMIT
from scripted_model import (
    Answer,
    Reply,
    Request,
    ScriptedModel,
    event,
    hangs,
    hangs_up,
    raw,
    refuses,
    says,
    streams,
)

from .conftest import OUR_KEY, SERVICE_KEY, Http, Service, somebody, until

QUESTION: list[Any] = [{"role": "user", "content": "Where is the blue teapot?"}]
TOOL = {
    "type": "function",
    "function": {"name": "look", "parameters": {"type": "object", "properties": {"at": {"type": "string"}}}},
}
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at": "teapot"}'}}
RESULT = {"role": "tool", "tool_call_id": "call_1", "content": "It is in the cellar."}


@pytest.fixture
def client(service: Service, user: str) -> Iterator[OpenAI]:
    """The real client; only its address, its key and its user are ours."""
    ours: dict[str, Any] = {"base_url": f"{service.url}/v1", "api_key": SERVICE_KEY, "max_retries": 0}
    with OpenAI(**ours, default_headers={"X-User-Id": user}, timeout=LIMIT) as made:
        yield made


def ask(client: Any, messages: Any = QUESTION, chat: str = "c", **more: Any) -> Any:
    headers = {"X-Chat-Id": chat, **more.pop("extra_headers", {})}
    return client.chat.completions.create(model="m", messages=messages, extra_headers=headers, **more)


def speak(client: Any, messages: Any = QUESTION, **more: Any) -> str:
    chunks = ask(client, messages, stream=True, **more)
    return "".join(chunk.choices[0].delta.content or "" for chunk in chunks if chunk.choices)


def said(http: Http, chat: str = "c") -> list[tuple[str, str]]:
    answer = http.get(f"/v1/chats/{chat}/messages").json()
    return [(message["role"], message["text"]) for message in answer["messages"]]


def remember(http: Http) -> None:
    """Something that the question is about, said in another chat."""
    shown = [{"role": "user", "text": "The blue teapot stands in the cellar"}]
    assert http.post("/v1/chats/old/messages", json={"messages": shown}).status_code == 201


# -- byte for byte ------------------------------------------------------------------------------------------


def test_an_answer_passes_as_it_is(http: Http, model: ScriptedModel) -> None:
    """Status, type and every byte are the model server's, spaces, unknown fields and odd events included."""
    body = '{ "choices":[{"index":0,"message":{"role":"assistant","content":"Ünï","x":[1.50]}}],  "y": null }'.encode()
    kind = "application/json; charset=utf-8"
    model.script(lambda request: Reply(headers={"Content-Type": kind}, chunks=(body,)))
    answer = http.post("/v1/chat/completions", json={"model": "m", "messages": QUESTION})
    assert (answer.content, answer.headers["content-type"]) == (body, kind)
    lines = [": comment", event("a"), "event: odd\ndata: {}", event(None, "stop"), "data: [DONE]"]
    for tools in ("off", "on"):
        model.script(streams(*lines))
        asked = {"model": "m", "messages": QUESTION, "stream": True}
        answer = http.post("/v1/chat/completions", json=asked, headers={"X-Recollect-Tools": tools})
        assert answer.text == "".join(f"{line}\n\n" for line in lines), tools
        assert answer.headers["cache-control"] == "no-cache, no-transform"


def test_a_request_passes_as_it_is(http: Http, model: ScriptedModel) -> None:
    """Nothing is remembered: the model's server gets the client's bytes, under our key, and learns of no user."""
    body = b'{"messages": [ {"role":"user","content":"H\\u00ef \xc3\xbc"} ],  "model":"m", "temperature": 0.70, "z":{}}'
    model.script(says("Hi."))
    http.post("/v1/chat/completions", content=body, headers={"Content-Type": "application/json"})
    assert model.requests[-1].content == body
    assert model.requests[-1].headers["authorization"] == f"Bearer {OUR_KEY}"
    assert "x-user-id" not in model.requests[-1].headers


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_with_memory_everything_else_passes(
    client: Any, http: Http, model: ScriptedModel, stream: bool
) -> None:
    """The client's own messages and all other fields are the same, images, tools and unknown ones included."""
    remember(http)
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "low"}}
    messages: list[Any] = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "The blue teapot?"}, image], "name": "ann"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        RESULT,
        {"role": "user", "content": "So where is the blue teapot?"},
    ]
    more: dict[str, Any] = {
        "tools": [TOOL],
        "tool_choice": "auto",
        "temperature": 0.3,
        "logprobs": True,
        "seed": 2**53,
        "stop": ["\n\n", "Ü"],
    }
    extra = {"chat_template_kwargs": {"thinking": False}, "unknown": None}
    model.script(says("There."))
    answer = ask(client, messages, stream=stream, extra_body=extra, **more)
    assert (
        "".join(chunk.choices[0].delta.content or "" for chunk in answer) == "There."
        if stream
        else answer.choices
    )
    sent = dict(model.requests[-1].body)
    shown = sent.pop("messages")
    assert [message for message in shown if message in messages] == messages
    (added,) = [message for message in shown if message not in messages]
    assert added["role"] == "system" and "The blue teapot stands in the cellar" in added["content"]
    assert shown.index(added) == len(shown) - 2
    assert sent == {"model": "m", "stream": stream, **more, **extra}
    until(lambda: said(http)[-1:] == [("assistant", "There.")])
    assert said(http)[0] == ("user", "The blue teapot?\n[image]")


def test_memory_knows_its_place(client: Any, http: Http, model: ScriptedModel) -> None:
    """The profile follows the client's instructions, what is recalled precedes the question; off and budgets are respected."""
    remember(http)
    http.post("/memories", json={"content": "I prefer strong coffee", "category": "preference"})
    model.script(says("In the cellar."))
    messages = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "Hello"},
                {"role": "assistant", "content": "Hello!"}, *QUESTION]  # fmt: skip
    ask(client, messages)
    sent = model.requests[-1].body["messages"]
    assert [message["role"] for message in sent] == [
        "system",
        "system",
        "user",
        "assistant",
        "system",
        "user",
    ]
    assert "=== LONG-TERM MEMORY ===" in sent[1]["content"] and "strong coffee" in sent[1]["content"]
    assert "stands in the cellar" in sent[4]["content"]
    ask(client, extra_headers={"X-Recollect-Memory": "off"})
    assert model.requests[-1].body["messages"] == QUESTION
    many = [{"role": "user", "text": f"The blue teapot {number} {'stands ' * 40}"} for number in range(20)]
    http.post("/v1/chats/older/messages", json={"messages": many})
    ask(client, chat="d", extra_headers={"X-Recollect-Budget": "200"})
    added = [message["content"] for message in model.requests[-1].body["messages"][:-1]]
    assert 0 < sum(map(len, added)) < 200 * 8


# -- what is recorded ---------------------------------------------------------------------------------------


def test_a_turn_is_recorded_with_model_and_cost(client: Any, http: Http, model: ScriptedModel) -> None:
    """Streamed or not; sent again the question is stored once and each answer is kept."""
    model.script(says("In the cellar.", model="m-2026"))
    assert ask(client).choices[0].message.content == "In the cellar."
    assert speak(client, stream_options={"include_usage": True}) == "In the cellar."
    stored = http.get("/v1/chats/c/messages").json()["messages"]
    assert [message["role"] for message in stored] == ["user", "assistant", "assistant"]
    for message in stored[1:]:
        assert (message["model_id"], message["model_variant"], message["token_usage"]) == ("m-2026", "m", 15)


def test_calls_of_the_clients_tools(client: Any, http: Http, model: ScriptedModel) -> None:
    """An answer that only calls records nothing; the tool's result is recorded, then the answer."""
    model.script(says("", finish="tool_calls", tool_calls=[CALL]), says("In the cellar."))
    first = ask(client, tools=[TOOL])
    assert first.choices[0].message.tool_calls[0].function.name == "look"
    assert said(http) == [("user", QUESTION[0]["content"])]
    followed = [*QUESTION, first.choices[0].message.model_dump(exclude_none=True), RESULT]
    assert ask(client, followed, tools=[TOOL]).choices[0].message.content == "In the cellar."
    assert said(http)[1:] == [("tool", RESULT["content"]), ("assistant", "In the cellar.")]


def test_a_past_is_recorded_once(client: Any, http: Http, model: ScriptedModel) -> None:
    """A client's earlier messages are recorded once; a chat without an id is found again; a persona owns its chat."""
    model.script(says("Three."), says("Four."), says("Hi."))
    past: list[Any] = [{"role": "system", "content": "Be brief."}, {"role": "user", "content": "One"},
                       {"role": "assistant", "content": "Two."}, {"role": "user", "content": "Three?"}]  # fmt: skip
    begun = [("user", "One"), ("assistant", "Two."), ("user", "Three?"), ("assistant", "Three.")]
    client.chat.completions.create(model="m", messages=past)
    (chat,) = http.get("/v1/chats").json()["chats"]
    assert said(http, chat["chat_id"]) == begun
    more = [*past, {"role": "assistant", "content": "Three."}, {"role": "user", "content": "Four?"}]
    client.chat.completions.create(model="m", messages=more)
    assert said(http, chat["chat_id"]) == [*begun, ("user", "Four?"), ("assistant", "Four.")]
    ask(client, chat="kitchen", extra_headers={"X-Persona-Id": "cook"})
    assert http.get("/v1/chats", params={"persona_id": "cook"}).json()["chats"][0]["chat_id"] == "kitchen"
    with pytest.raises(openai.ConflictError):
        ask(
            client,
            [{"role": "user", "content": "Paint"}],
            chat="kitchen",
            extra_headers={"X-Persona-Id": "painter"},
        )


def test_who_leaves_loses_nothing(client: Any, http: Http, model: ScriptedModel) -> None:
    """Words come as they are spoken; the client closes after the first, and the reply is finished and stored."""
    let = threading.Event()
    words = (event("Still"), event(" here"), event(None, "stop"), "data: [DONE]")
    model.script(streams(*words, before_chunk=lambda number: number == 1 and let.wait(LIMIT)))
    stream = ask(client, stream=True)
    assert next(iter(stream)).choices[0].delta.content == "Still"
    stream.close()
    let.set()
    until(lambda: said(http)[1:] == [("assistant", "Still here")])


FAILURES: dict[str, tuple[Answer, int, str]] = {
    "busy": (refuses(429, "slow down"), 429, "slow down"),
    "broken": (refuses(500, "oops"), 500, "oops"),
    "unknown model": (refuses(404, "no such model"), 404, "no such model"),
    "our key": (refuses(401, f"bad key {OUR_KEY}"), 502, "refused this service's API key"),
    "silent": (hangs(), 504, "3 s"),
    "hangs up": (hangs_up(), 502, "did not answer"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_model_that_fails(client: Any, http: Http, model: ScriptedModel, failure: str) -> None:
    """The message is stored, the client gets an error of its own kind without our secrets, and the next turn works."""
    answer, status, shown = FAILURES[failure]
    model.script(answer)
    with pytest.raises(openai.APIStatusError) as failed:
        speak(client)
    assert (failed.value.status_code, OUR_KEY in str(failed.value.body)) == (status, False)
    assert shown in failed.value.message and model.url not in failed.value.message
    assert said(http) == [("user", QUESTION[0]["content"])]
    model.script(says("Back."))
    assert speak(client, [*QUESTION, {"role": "user", "content": "And now?"}]) == "Back."


@pytest.mark.parametrize("end", [{"broken": True}, {}, {"hang": True}], ids=["dies", "stops", "falls silent"])
def test_a_stream_that_breaks_off(client: Any, http: Http, model: ScriptedModel, end: dict[str, Any]) -> None:
    """The client gets an error event; what came is kept with a mark."""
    model.script(streams(event("Half"), **end))
    with pytest.raises(openai.APIError) as failed:
        speak(client)
    assert failed.value.code in ("model_failed", "model_timeout")
    until(lambda: said(http)[1:] == [("assistant", "Half […]")])


# -- our own tools, and what else is served ---------------------------------------------------------------------

STORE = {"content": "User prefers dark mode in every editor", "category": "preference", "importance": 9}


def calling(name: str, arguments: dict[str, Any]) -> Answer:
    """A model that wants a tool called, in the form that was asked for."""
    function = {"name": name, "arguments": json.dumps(arguments)}

    def answer(request: Request) -> Reply:
        call = {"id": "call_9", "type": "function", "function": function}
        if not request.body.get("stream"):
            return says("", finish="tool_calls", tool_calls=[call])(request)
        choice = {"index": 0, "delta": {"tool_calls": [{"index": 0, **call}]}, "finish_reason": None}
        line = "data: " + json.dumps({"object": "chat.completion.chunk", "model": "m", "choices": [choice]})
        return streams(line, event(None, "tool_calls"), "data: [DONE]")(request)

    return answer


@pytest.mark.parametrize("stream", [False, True], ids=["whole", "stream"])
def test_our_tools_are_carried_out(client: Any, http: Http, model: ScriptedModel, stream: bool) -> None:
    """`X-Recollect-Tools: on`: the client sees the answer alone, its own tools stand first, a stranger's id is not found."""
    theirs = somebody()
    model.script(
        calling("store_memory", STORE), calling("delete_memory", {"memory_id": theirs}), says("I will.")
    )
    more: dict[str, Any] = {"extra_headers": {"X-Recollect-Tools": "on"}, "tools": [TOOL]}
    text = speak(client, **more) if stream else ask(client, **more).choices[0].message.content
    assert text == "I will."
    assert [memory["content"] for memory in http.get("/memories").json()["memories"]] == [STORE["content"]]
    offered = model.requests[0].body["tools"]
    assert offered[0] == TOOL and {"store_memory", "search_memories", "list_memories", "update_memory", "delete_memory"} <= {
        tool["function"]["name"] for tool in offered[1:]
    }  # fmt: skip
    shown = [request.body["messages"][-1]["content"] for request in model.requests[1:]]
    assert shown[0].startswith("✓ Memory stored (ID: ") and shown[1].startswith("There is no memory")
    model.script(calling("store_memory", STORE))
    plain = ask(client, extra_headers={"X-Recollect-Tools": "off"})
    assert plain.choices[0].message.tool_calls[0].function.name == "store_memory"
    assert "tools" not in model.requests[-1].body


def test_models_and_embeddings_pass(client: Any, http: Http, model: ScriptedModel) -> None:
    listed = {"object": "list", "data": [{"id": "lab/m", "object": "model", "created": 1, "owned_by": "x"}]}
    model.script(raw(json.dumps(listed)))
    assert [found.id for found in client.models.list()] == ["lab/m"]
    vectors = {"object": "list", "data": [{"object": "embedding", "index": 0, "embedding": [0.5, -0.25]}], "model": "e",
               "usage": {"prompt_tokens": 2, "total_tokens": 2}}  # fmt: skip
    model.script(raw(json.dumps(vectors)))
    made = client.embeddings.create(model="e", input="Hello", encoding_format="float")
    assert made.model_dump(exclude_unset=True) == vectors
    assert model.requests[-1].body == {"model": "e", "input": "Hello", "encoding_format": "float"}
    assert http.get("/v1/chats").json()["chats"] == []
    with pytest.raises(openai.NotFoundError):
        client.responses.create(model="m", input="Hello")
