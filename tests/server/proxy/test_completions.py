"""`/v1/chat/completions` and `/v1/models`, asked by the real `openai` package."""

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import openai
import pytest
from conftest import FakeEmbedder
from engine.conversing import until
from openai import AsyncOpenAI, OpenAI
from patience import LIMIT
from scripted_model import (
    Answer,
    Reply,
    Request,
    ScriptedModel,
    cost_event,
    event,
    hangs,
    hangs_up,
    raw,
    refuses,
    says,
    streams,
)
from serving import SERVICE_KEY, Http, Service, serving

from .conftest import OUR_KEY, client_of, said

QUESTION = [{"role": "user", "content": "Where is the blue teapot?"}]


def ask(client: OpenAI, messages: Any = QUESTION, chat: str | None = "c", **more: Any) -> Any:
    """One completion."""
    headers = {**({"X-Chat-Id": chat} if chat else {}), **more.pop("extra_headers", {})}
    return client.chat.completions.create(model="m", messages=messages, extra_headers=headers, **more)


def speak(client: OpenAI, messages: Any = QUESTION, chat: str = "c", **more: Any) -> str:
    """One streamed completion; its text."""
    return "".join(
        chunk.choices[0].delta.content or ""
        for chunk in ask(client, messages, chat, stream=True, **more)
        if chunk.choices
    )


def remember(http: Http) -> None:
    """Something that the question is about, said in another chat."""
    said = [{"role": "user", "text": "The blue teapot stands in the cellar"}]
    assert http.post("/v1/chats/old/messages", json={"messages": said}).status_code == 201


# -- a client sees its model ------------------------------------------------------------------------------


def test_an_answer(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """The model's answer arrives as it is, and the turn is recorded with model and cost."""
    model.script(says("In the cellar.", model="m-2026"))
    answer = ask(client)
    assert answer.choices[0].message.content == "In the cellar."
    assert (answer.model, answer.usage.total_tokens) == ("m-2026", 15)
    stored = http.get("/v1/chats/c/messages").json()["messages"]
    assert [message["text"] for message in stored] == [QUESTION[0]["content"], "In the cellar."]
    assert (stored[1]["model_id"], stored[1]["model_variant"], stored[1]["token_usage"]) == (
        "m-2026",
        "m",
        15,
    )


def test_a_stream(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """Chunks arrive one by one, with what they cost when the client asks for it; the turn is recorded."""
    model.script(says("In the cellar."))
    chunks = list(ask(client, stream=True, stream_options={"include_usage": True}))
    assert [chunk.choices[0].delta.content for chunk in chunks[:3]] == ["In", " the", " cellar."]
    assert chunks[-1].usage.total_tokens == 15
    assert said(http, "c")[1] == ("assistant", "In the cellar.")
    assert http.get("/v1/chats/c/messages").json()["messages"][1]["token_usage"] == 15


def test_the_asynchronous_client(service: Service, user: str, model: ScriptedModel) -> None:
    """Both of OpenAI's clients work, streaming or not."""
    model.script(says("In the cellar."))

    async def run() -> tuple[str, str]:
        async with AsyncOpenAI(
            base_url=f"{service.url}/v1", api_key=SERVICE_KEY, default_headers={"X-User-Id": user}
        ) as client:
            whole = await client.chat.completions.create(model="m", messages=QUESTION)
            stream = await client.chat.completions.create(model="m", messages=QUESTION, stream=True)
            words = [chunk.choices[0].delta.content or "" async for chunk in stream]
            return whole.choices[0].message.content or "", "".join(words)

    assert asyncio.run(run()) == ("In the cellar.", "In the cellar.")


def test_bytes_pass_as_they_are(http: Http, model: ScriptedModel) -> None:
    """Status, type and every byte of an answer are the model server's, spaces and unknown fields included."""
    body = '{ "choices":[{"index":0,"message":{"role":"assistant","content":"Ünï","x":[1.50]}}],  "y": null }'
    model.script(
        lambda request: Reply(
            headers={"Content-Type": "application/json; charset=utf-8"}, chunks=(body.encode(),)
        )
    )
    answer = http.post("/v1/chat/completions", json={"model": "m", "messages": QUESTION})
    assert answer.content == body.encode()
    assert answer.headers["content-type"] == "application/json; charset=utf-8"
    lines = [": comment", event("a"), "event: odd\ndata: {}", event(None, "stop"), "data: [DONE]"]
    model.script(streams(*lines))
    answer = http.post("/v1/chat/completions", json={"model": "m", "messages": QUESTION, "stream": True})
    assert answer.content == b"".join(f"{line}\n\n".encode() for line in lines)
    assert answer.headers["cache-control"] == "no-cache, no-transform"


def test_a_request_without_memory_passes_byte_for_byte(http: Http, model: ScriptedModel) -> None:
    """Nothing is remembered yet: what the model's server gets is what the client sent."""
    body = b'{"messages": [ {"role":"user","content":"H\\u00ef \xc3\xbc"} ],  "model":"m", "temperature": 0.70, "z":{}}'
    model.script(says("Hi."))
    http.post("/v1/chat/completions", content=body, headers={"Content-Type": "application/json"})
    assert model.requests[-1].content == body
    assert model.requests[-1].headers["authorization"] == f"Bearer {OUR_KEY}"
    assert "x-user-id" not in model.requests[-1].headers


def test_everything_else_passes_untouched(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """With memory added, the client's own messages and all other fields are the same, images and tools included."""
    remember(http)
    image = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA", "detail": "low"}}
    messages: list[dict[str, Any]] = [
        {"role": "developer", "content": "Be brief."},
        {"role": "user", "content": [{"type": "text", "text": "The blue teapot?"}, image], "name": "ann"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        {"role": "tool", "tool_call_id": "call_1", "content": "Looked."},
        {"role": "user", "content": "So where is the blue teapot?"},
    ]
    more = {
        "tools": [TOOL],
        "tool_choice": "auto",
        "temperature": 0.3,
        "logprobs": True,
        "n": 2,
        "seed": 2**53,
        "stop": ["\n\n", "Ü"],
        "extra_body": {"chat_template_kwargs": {"thinking": False}, "unknown": None},
    }
    model.script(says("There."))
    ask(client, messages, **more)
    sent = dict(model.requests[-1].body)
    shown = sent.pop("messages")
    assert [message for message in shown if message in messages] == messages
    assert [message["role"] for message in shown if message not in messages] == ["system"]
    assert sent == {
        "model": "m",
        **{name: more[name] for name in more if name != "extra_body"},
        **more["extra_body"],
    }
    assert said(http, "c")[0] == ("user", "The blue teapot?\n[image]")


TOOL = {
    "type": "function",
    "function": {"name": "look", "parameters": {"type": "object", "properties": {"at": {"type": "string"}}}},
}
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at": "teapot"}'}}


def test_calls_of_the_clients_tools(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """An answer that only calls a tool records nothing; the tool's result is recorded, then the answer."""
    model.script(says("", finish="tool_calls", tool_calls=[CALL]), says("In the cellar."))
    first = ask(client, tools=[TOOL])
    assert first.choices[0].message.tool_calls[0].function.name == "look"
    assert said(http, "c") == [("user", QUESTION[0]["content"])]
    followed = [
        *QUESTION,
        first.choices[0].message.model_dump(exclude_none=True),
        result("It is in the cellar."),
    ]
    assert ask(client, followed, tools=[TOOL]).choices[0].message.content == "In the cellar."
    assert said(http, "c")[1:] == [("tool", "It is in the cellar."), ("assistant", "In the cellar.")]


def result(text: str) -> dict[str, str]:
    return {"role": "tool", "tool_call_id": "call_1", "content": text}


def test_the_model_of_the_settings(http: Http, model: ScriptedModel) -> None:
    """A body without a model is answered by the service's own; without one of those it is an error."""
    model.script(says("Hi."))
    answer = http.post("/v1/chat/completions", json={"messages": QUESTION})
    assert answer.status_code == 200
    assert model.requests[-1].body["model"] == "house"


# -- memory -----------------------------------------------------------------------------------------------


def test_memory_is_added(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """What was said elsewhere reaches the model: behind the client's instructions, before the question."""
    remember(http)
    http.post("/memories", json={"content": "I prefer strong coffee", "category": "preference"})
    model.script(says("In the cellar."))
    messages = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "Hello"},
        {"role": "assistant", "content": "Hello!"},
        *QUESTION,
    ]
    assert speak(client, messages) == "In the cellar."
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
    assert "The blue teapot stands in the cellar" in sent[4]["content"]


def test_memory_does_not_repeat_the_conversation(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """What the client's own messages say is not added again, however well it fits the question."""
    model.script(says("I see."))
    first = [{"role": "user", "content": "The blue teapot stands in the cellar"}]
    ask(client, first)
    ask(client, [*first, {"role": "assistant", "content": "I see."}, *QUESTION])
    assert [message["role"] for message in model.requests[-1].body["messages"]] == [
        "user",
        "assistant",
        "user",
    ]


def test_what_a_client_no_longer_sends_is_remembered(client: OpenAI, model: ScriptedModel) -> None:
    """A client that forgets the beginning of its own chat gets it back when it asks about it."""
    model.script(says("I see."))
    ask(client, [{"role": "user", "content": "The blue teapot stands in the cellar"}])
    ask(client, QUESTION)
    assert "The blue teapot stands in the cellar" in model.requests[-1].body["messages"][0]["content"]


def test_an_answer_that_is_wanted_anew_is_not_shown(client: OpenAI, model: ScriptedModel) -> None:
    """The earlier answer to the same question is no memory of it."""
    model.script(says("The blue teapot is lost."), says("The blue teapot is here."))
    ask(client)
    ask(client)
    assert model.requests[-1].body["messages"] == QUESTION


def test_memory_keeps_to_its_budget(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """`X-Recollect-Budget` limits what is added, and the question itself does not count."""
    many = [{"role": "user", "text": f"The blue teapot {number} {'stands ' * 40}"} for number in range(20)]
    http.post("/v1/chats/old/messages", json={"messages": many})
    model.script(says("There."))
    long = [{"role": "user", "content": "Where is the blue teapot? " + "please " * 1000}]
    ask(client, long, extra_headers={"X-Recollect-Budget": "200"})
    sent = model.requests[-1].body["messages"]
    assert sent[-1] == long[0]
    assert 0 < len(sent[0]["content"]) < 200 * 8


def test_memory_can_be_off(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """`X-Recollect-Memory: off` adds nothing; the turn is recorded."""
    remember(http)
    model.script(says("There."))
    ask(client, extra_headers={"X-Recollect-Memory": "off"})
    assert model.requests[-1].body["messages"] == QUESTION
    assert said(http, "c")[1] == ("assistant", "There.")


@pytest.mark.parametrize("stream", [False, True])
def test_a_server_that_takes_one_system_message(
    service: Service, user: str, http: Http, model: ScriptedModel, stream: bool
) -> None:
    """Refused in the middle, memory stands in front, with the client's instructions; from then on at once."""
    remember(http)

    def strict(request: Request) -> Reply:
        roles = [message["role"] for message in request.body["messages"]]
        if "system" in roles[1:]:
            return refuses(400, "System message must be at the beginning.")(request)
        return says("There.")(request)

    model.script(strict)
    messages = [{"role": "system", "content": "Be brief."}, *QUESTION]
    name = f"strict-{stream}"
    with client_of(service, user) as client:
        for _ in range(2):
            client.chat.completions.create(model=name, messages=messages, stream=stream)
    assert len(model.requests) == 3
    sent = model.requests[-1].body["messages"]
    assert sent[1:] == QUESTION
    assert sent[0]["content"].startswith("Be brief.\n\nWHAT WAS SAID EARLIER")


def test_a_real_refusal_passes(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """When no order helps, the client sees what the server said first."""
    remember(http)
    model.script(refuses(400, "role 'user' is not allowed"), refuses(400, "second refusal"))
    with pytest.raises(openai.BadRequestError, match="role 'user' is not allowed"):
        ask(client)


# -- recording --------------------------------------------------------------------------------------------


def test_a_chat_without_a_name(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """The user's word and the first message name it: the next request of the conversation finds it."""
    model.script(says("One."), says("Two."), says("Three."))
    first = [{"role": "user", "content": "Hello there"}]
    ask(client, first, chat=None)
    more = [*first, {"role": "assistant", "content": "One."}, {"role": "user", "content": "And?"}]
    ask(client, more, chat=None)
    ask(client, first, chat=None, user="another")
    chats = http.get("/v1/chats").json()["chats"]
    assert sorted(chat["message_count"] for chat in chats) == [2, 4]
    longest = max(chats, key=lambda chat: chat["message_count"])
    assert [text for _, text in said(http, longest["chat_id"])] == ["Hello there", "One.", "And?", "Two."]


def test_the_history_of_a_new_chat_is_recorded_once(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """Who comes with a past brings it along; instructions are not what anybody said."""
    model.script(says("Three."), says("Four."))
    past: list[dict[str, Any]] = [
        {"role": "system", "content": "Be brief."},
        {"role": "user", "content": "One"},
        {"role": "assistant", "content": None, "tool_calls": [CALL]},
        result("Looked."),
        {"role": "assistant", "content": "Two."},
        {"role": "user", "content": "Three?"},
    ]
    ask(client, past)
    begun = [("user", "One"), ("assistant", "Two."), ("user", "Three?"), ("assistant", "Three.")]
    assert said(http, "c") == begun
    ask(client, [*past, {"role": "assistant", "content": "Three."}, {"role": "user", "content": "Four?"}])
    assert said(http, "c") == [*begun, ("user", "Four?"), ("assistant", "Four.")]


def test_the_same_request_again(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """Sent again, the user's message is stored once; each answer is kept."""
    model.script(says("First."), says("Second."))
    ask(client)
    ask(client)
    assert said(http, "c") == [
        ("user", QUESTION[0]["content"]),
        ("assistant", "First."),
        ("assistant", "Second."),
    ]


def test_the_same_words_later(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """Words that are said again in the course of a chat are said twice."""
    model.script(says("Yes."), says("Still yes."))
    ask(client, [{"role": "user", "content": "Really?"}])
    ask(
        client,
        [
            {"role": "user", "content": "Really?"},
            {"role": "assistant", "content": "Yes."},
            {"role": "user", "content": "Really?"},
        ],
    )
    assert [text for _, text in said(http, "c")] == ["Really?", "Yes.", "Really?", "Still yes."]


def test_a_persona(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """`X-Persona-Id` says whose chat it is; another persona's chat is a conflict."""
    model.script(says("Hi."))
    ask(client, extra_headers={"X-Persona-Id": "cook"})
    assert http.get("/v1/chats", params={"persona_id": "cook"}).json()["chats"][0]["chat_id"] == "c"
    with pytest.raises(openai.ConflictError):
        ask(client, [{"role": "user", "content": "Paint"}], extra_headers={"X-Persona-Id": "painter"})


def test_the_reply_is_there_when_the_stream_ends(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """Who goes on at once finds the order of things: question, answer, question, answer."""
    model.script(says("A."))
    messages: list[dict[str, Any]] = []
    for number in range(5):
        messages.append({"role": "user", "content": f"Question {number}"})
        messages.append({"role": "assistant", "content": speak(client, messages)})
    assert [role for role, _ in said(http, "c")] == ["user", "assistant"] * 5


def test_who_leaves_loses_nothing(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """The client closes the stream after the first word; the reply is finished and stored."""
    let = threading.Event()
    words = (event("Still"), event(" here"), event(None, "stop"), "data: [DONE]")
    model.script(streams(*words, before_chunk=lambda number: number == 1 and let.wait(LIMIT)))
    stream = ask(client, stream=True)
    next(iter(stream))
    stream.close()
    let.set()
    until(lambda: len(said(http, "c")) == 2)
    assert said(http, "c")[1] == ("assistant", "Still here")


def test_words_come_as_they_are_spoken(client: OpenAI, model: ScriptedModel) -> None:
    """The model goes on only when the client has its first word."""
    got = threading.Event()
    words = (event("First"), event(" second"), event(None, "stop"), "data: [DONE]")
    model.script(streams(*words, before_chunk=lambda number: number == 1 and got.wait(LIMIT)))
    heard = ""
    for chunk in ask(client, stream=True):
        heard += chunk.choices[0].delta.content or ""
        got.set()
    assert heard == "First second"


def test_a_model_may_say_how_streams_end(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """The words of a stream's end inside of what the model says hold nothing back."""
    got = threading.Event()
    words = (event("data: [DONE]"), event(" ends a stream."), event(None, "stop"), "data: [DONE]")
    model.script(streams(*words, before_chunk=lambda number: number == 1 and got.wait(LIMIT)))
    heard = ""
    for chunk in ask(client, stream=True):
        heard += chunk.choices[0].delta.content or ""
        got.set()
    assert heard == "data: [DONE] ends a stream."
    assert said(http, "c")[-1] == ("assistant", heard)


# -- a model that fails -----------------------------------------------------------------------------------

FAILURES: dict[str, tuple[Answer, type[openai.APIStatusError], int, str]] = {
    "busy": (refuses(429, "slow down"), openai.RateLimitError, 429, "slow down"),
    "broken": (refuses(500, "oops"), openai.InternalServerError, 500, "oops"),
    "unknown model": (refuses(404, "no such model"), openai.NotFoundError, 404, "no such model"),
    "our key": (
        refuses(401, f"bad key {OUR_KEY}"),
        openai.InternalServerError,
        502,
        "the key of this service",
    ),
    "key repeated": (refuses(403, f"{OUR_KEY} may not"), openai.PermissionDeniedError, 403, "*** may not"),
    "silent": (hangs(), openai.InternalServerError, 504, "0.4 s"),
    "hangs up": (hangs_up(), openai.InternalServerError, 502, "did not answer"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_model_that_fails(client: OpenAI, http: Http, model: ScriptedModel, failure: str) -> None:
    """The message is stored, the client gets an error of its own kind, and the next turn works."""
    answer, kind, status, told = FAILURES[failure]
    model.script(answer)
    with pytest.raises(kind) as failed:
        speak(client)
    assert failed.value.status_code == status
    assert told in failed.value.message and OUR_KEY not in str(failed.value.body)
    assert said(http, "c") == [("user", QUESTION[0]["content"])]
    model.script(says("Back."))
    assert speak(client, [*QUESTION, {"role": "user", "content": "And now?"}]) == "Back."


@pytest.mark.parametrize(
    ("answer", "code"),
    [
        (streams(event("Half"), broken=True), "model_failed"),
        (streams(event("Half")), "model_failed"),
        (streams(event("Half"), hang=True), "model_timeout"),
        (lambda request: Reply(
            headers={"Content-Type": "text/event-stream"},
            chunks=(f"{event('Half')}\n\ndata: {{\"cho".encode(),),
            broken=True,
        ), "model_failed"),
    ],
    ids=["dies", "stops", "falls silent", "dies in a word"],
)  # fmt: skip
def test_a_stream_that_breaks_off(
    client: OpenAI, http: Http, model: ScriptedModel, answer: Answer, code: str
) -> None:
    """The client gets an error event that it can read; what came is kept with a mark, and the next turn works."""
    model.script(answer)
    heard: list[str | None] = []
    with pytest.raises(openai.APIError) as failed:
        heard += [chunk.choices[0].delta.content for chunk in ask(client, stream=True)]
    assert failed.value.code == code
    assert said(http, "c")[1] == ("assistant", "Half […]")
    model.script(says("Whole."))
    assert speak(client, [*QUESTION, {"role": "user", "content": "Again"}]) == "Whole."


# -- errors in OpenAI's form ------------------------------------------------------------------------------


def failed(http: Http, body: Any = None, **headers: str) -> tuple[int, dict[str, Any]]:
    """Status and error of a request that is refused; the form is OpenAI's."""
    content = body if isinstance(body, bytes) else json.dumps(body).encode()
    given = {"Content-Type": "application/json", **headers}
    answer = http.post("/v1/chat/completions", content=content, headers=given)
    error = answer.json()["error"]
    assert {"message", "type", "code"} <= error.keys()
    return answer.status_code, error


@pytest.mark.parametrize(
    ("body", "told"),
    [
        (b"{", "valid JSON"),
        (b"[]", "must be a JSON object"),
        ({}, "messages required"),
        ({"messages": []}, "at least one"),
        ({"messages": "Hi"}, "must be a list"),
        ({"messages": [1]}, "messages.0 must be an object with a role"),
        ({"messages": [{"content": "Hi"}]}, "messages.0 must be an object with a role"),
        ({"messages": QUESTION, "model": 1}, "model must be text"),
        ({"messages": QUESTION, "model": "m" * 300}, "model must have 1-256 characters"),
        ({"messages": QUESTION, "stream": "yes"}, "stream must be true or false"),
        ({"messages": [{"role": "user", "content": "a\x00b"}]}, "NUL"),
        ({"messages": [{"role": "user", "content": "x" * 200_001}]}, "200001 characters"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bad_requests(http: Http, model: ScriptedModel, body: Any, told: str) -> None:
    """A 400 before anything is stored or asked."""
    status, error = failed(http, body)
    assert status == 400 and told in error["message"] and error["type"] == "invalid_request_error"
    assert model.requests == []
    assert http.get("/v1/chats").json()["chats"] == []


@pytest.mark.parametrize(
    ("header", "value", "told"),
    [
        ("X-Recollect-Budget", "many", "X-Recollect-Budget must be a whole number"),
        ("X-Recollect-Budget", "10", "budget must be between"),
        ("X-Recollect-Memory", "maybe", "X-Recollect-Memory must be on or off"),
        ("X-Recollect-Tools", "yes", "X-Recollect-Tools must be on or off"),
        ("X-Chat-Id", "c" * 300, "chat_id must have 1-256 characters"),
        ("X-Persona-Id", "p" * 300, "persona_id must have 1-256 characters"),
    ],
)
def test_bad_headers(http: Http, header: str, value: str, told: str) -> None:
    """Headers of ours are checked as everything is."""
    status, error = failed(http, {"messages": QUESTION}, **{header: value})
    assert status == 400 and told.lower() in error["message"].lower()


def test_nobody_asks_without_a_token(service: Service, model: ScriptedModel) -> None:
    """OpenAI's client knows that its key is wrong."""
    client = OpenAI(base_url=f"{service.url}/v1", api_key="sk-wrong", max_retries=0)
    with client, pytest.raises(openai.AuthenticationError) as refused:
        client.chat.completions.create(model="m", messages=QUESTION)
    assert refused.value.code == "invalid_api_key"
    assert model.requests == []


def test_too_large_and_too_many(tmp_path: Path, http: Http) -> None:
    """413 and 429 have the form, too."""
    assert failed(http, {"messages": [{"role": "user", "content": "x" * 9_000_000}]})[0] == 413
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), requests_per_minute=1) as service:
        hasty = service.http("ann")
        failed(hasty, {"messages": QUESTION})
        status, error = failed(hasty, {"messages": QUESTION})
    assert (status, error["code"]) == (429, "rate_limit_exceeded")


def test_what_stands_around_the_route_has_the_form(http: Http) -> None:
    """Also a method that is not possible is refused in OpenAI's form."""
    answer = http.get("/v1/chat/completions")
    assert answer.status_code == 405
    assert answer.json()["error"]["code"] == "method_not_allowed"


@pytest.mark.parametrize("kind", [None, "text/plain"])
@pytest.mark.parametrize(
    ("field", "told"), [(b"[" * 65 + b"]" * 65, "deeper than 64"), (b"1e999", "not valid JSON")]
)
def test_a_body_is_checked_whatever_its_type(
    http: Http, model: ScriptedModel, kind: str | None, field: bytes, told: str
) -> None:
    """What is read as JSON must be sound also where nobody says that it is JSON."""
    body = b'{"messages": [{"role": "user", "content": "Hi"}], "z": ' + field + b"}"
    headers = {"Content-Type": kind} if kind else {}
    answer = http.post("/v1/chat/completions", content=body, headers=headers)
    assert answer.status_code == 400
    assert told in answer.json()["error"]["message"]
    assert model.requests == []


def test_another_users_chat_is_ones_own(service: Service, http: Http, model: ScriptedModel) -> None:
    """The same name of a chat is another chat for another user, and nothing of it is seen."""
    model.script(says("There."))
    with client_of(service, "somebody@example.com") as theirs:
        ask(theirs, [{"role": "user", "content": "The blue teapot stands in the cellar"}], chat="shared")
    with client_of(service, "another@example.com") as mine:
        ask(mine, chat="shared")
    assert model.requests[-1].body["messages"] == QUESTION


def test_without_a_model(tmp_path: Path) -> None:
    """502 with the variables to set, nothing stored; the list of models is empty."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder()) as service:
        http = service.http("ann")
        status, error = failed(http, {"model": "m", "messages": QUESTION})
        assert status == 502 and "RECOLLECT_CHAT_MODEL" in error["message"]
        assert http.get("/v1/chats").json()["chats"] == []
        with client_of(service, "ann") as client:
            assert list(client.models.list()) == []


def test_a_body_without_a_model_and_none_in_the_settings(tmp_path: Path, model: ScriptedModel) -> None:
    """400 that says what is missing."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), openai_base_url=model.url) as service:
        status, error = failed(service.http("ann"), {"messages": QUESTION})
        assert status == 400 and error["message"].startswith("model required")


# -- models -----------------------------------------------------------------------------------------------


def test_models_are_the_servers(client: OpenAI, model: ScriptedModel) -> None:
    """The list passes as it is."""
    listed = {"object": "list", "data": [{"id": "m-2026", "object": "model", "created": 1, "owned_by": "x"}]}
    model.script(raw(json.dumps(listed)))
    assert [found.id for found in client.models.list()] == ["m-2026"]
    assert model.requests[-1].path == "/v1/models"


def test_models_that_cannot_be_had(client: OpenAI, model: ScriptedModel) -> None:
    """An error of the server passes, and a silent one is a 504 in OpenAI's form."""
    model.script(refuses(503, "starting"))
    with pytest.raises(openai.InternalServerError, match="starting"):
        client.models.list()
    model.script(hangs())
    with pytest.raises(openai.InternalServerError) as silent:
        client.models.list()
    assert (silent.value.status_code, silent.value.code) == (504, "model_timeout")


def test_a_model_without_a_server(tmp_path: Path) -> None:
    """With only a name in the settings, that is the list."""
    with (
        serving(tmp_path / "memory.db", embedder=FakeEmbedder(), chat_model="house") as service,
        client_of(service, "ann") as client,
    ):
        assert [found.id for found in client.models.list()] == ["house"]


def test_what_a_stream_costs_is_not_forced_on_anybody(client: OpenAI, model: ScriptedModel) -> None:
    """A client that does not ask for the cost of a stream does not get it."""
    model.script(says("Hi."))
    assert all(chunk.choices for chunk in ask(client, stream=True))
    assert "stream_options" not in model.requests[-1].body
    assert cost_event() not in model.requests[-1].content.decode()


# -- local mode, and a real model -------------------------------------------------------------------------


def test_on_ones_own_machine(tmp_path: Path, model: ScriptedModel) -> None:
    """In local mode any key will do, because OpenAI's client cannot be without one."""
    model.script(says("Hi."))
    options: dict[str, Any] = {"openai_base_url": model.url, "local": True}
    with (
        serving(tmp_path / "memory.db", embedder=FakeEmbedder(), **options) as service,
        OpenAI(base_url=f"{service.url}/v1", api_key="none", max_retries=0) as client,
    ):
        assert ask(client).choices[0].message.content == "Hi."
        assert len(said(service.anyone, "c")) == 2
