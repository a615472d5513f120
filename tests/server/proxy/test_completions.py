"""`/v1/chat/completions` and `/v1/models`, asked by the real `openai` package."""

import asyncio
import json
import threading
from pathlib import Path
from typing import Any

import openai
import pytest
from conftest import FakeEmbedder
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


TOOL = {
    "type": "function",
    "function": {"name": "look", "parameters": {"type": "object", "properties": {"at": {"type": "string"}}}},
}
CALL = {"id": "call_1", "type": "function", "function": {"name": "look", "arguments": '{"at": "teapot"}'}}


def result(text: str) -> dict[str, str]:
    return {"role": "tool", "tool_call_id": "call_1", "content": text}


def test_the_model_of_the_settings(http: Http, model: ScriptedModel) -> None:
    """A body without a model is answered by the service's own; without one of those it is an error."""
    model.script(says("Hi."))
    answer = http.post("/v1/chat/completions", json={"messages": QUESTION})
    assert answer.status_code == 200
    assert model.requests[-1].body["model"] == "house"


# -- memory -----------------------------------------------------------------------------------------------


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


def test_the_reply_is_there_when_the_stream_ends(client: OpenAI, http: Http, model: ScriptedModel) -> None:
    """Who goes on at once finds the order of things: question, answer, question, answer."""
    model.script(says("A."))
    messages: list[dict[str, Any]] = []
    for number in range(5):
        messages.append({"role": "user", "content": f"Question {number}"})
        messages.append({"role": "assistant", "content": speak(client, messages)})
    assert [role for role, _ in said(http, "c")] == ["user", "assistant"] * 5


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
        "refused this service's API key",
    ),
    "key repeated": (refuses(403, f"{OUR_KEY} may not"), openai.PermissionDeniedError, 403, "*** may not"),
    "silent": (hangs(), openai.InternalServerError, 504, "0.4 s"),
    "hangs up": (hangs_up(), openai.InternalServerError, 502, "did not answer"),
}


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
    ("field", "told"), [(b"[" * 65 + b"]" * 65, "more than 64 levels"), (b"1e999", "not valid JSON")]
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


def test_a_body_without_a_model_and_none_in_the_settings(tmp_path: Path, model: ScriptedModel) -> None:
    """400 that says what is missing."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), openai_base_url=model.url) as service:
        status, error = failed(service.http("ann"), {"messages": QUESTION})
        assert status == 400 and error["message"].startswith("model required")


# -- models -----------------------------------------------------------------------------------------------


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
