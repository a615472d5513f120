"""`POST /v1/message` and `/v1/message/first` over real HTTP, with a model that does what it is told."""

import json
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest
from conftest import FakeEmbedder
from engine.conversing import until
from patience import LIMIT
from scripted_model import Answer, ScriptedModel, event, hangs, hangs_up, raw, refuses, says, streams
from serving import Http, Service, serving

from recollect.server import talking

HEADERS = {"cache-control": "no-cache, no-transform", "x-accel-buffering": "no"}


@pytest.fixture(scope="module")
def model() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel) -> Iterator[Service]:
    """A service whose model is scripted."""
    path = tmp_path_factory.mktemp("service") / "memory.db"
    options: dict[str, Any] = {"openai_base_url": model.url, "chat_model": "house", "openai_api_key": "sk-1"}
    with serving(path, embedder=FakeEmbedder(), model_timeout_seconds=0.5, **options) as running:
        yield running


Event = tuple[str, dict[str, Any]]


def events_of(text: str) -> list[Event]:
    """The events of a stream; each is two lines and a blank one, as the wire has it."""
    found: list[Event] = []
    assert text.endswith("\n\n")
    for block in text.removesuffix("\n\n").split("\n\n"):
        if block == ": keep-alive":
            continue
        name, data = block.split("\n")
        assert name.startswith("event: ") and data.startswith("data: ")
        found.append((name.removeprefix("event: "), json.loads(data.removeprefix("data: "))))
    return found


def talk(http: Http, text: str, chat_id: str | None = None, **more: Any) -> list[Event]:
    """What happens when somebody says something."""
    path = "/v1/message" if chat_id else "/v1/message/first"
    named = {"chat_id": chat_id} if chat_id else {}
    answer = http.post(path, json={"text": text, **named, **more})
    assert answer.status_code == 200, answer.text
    return events_of(answer.text)


def said(http: Http, chat_id: str) -> list[tuple[str, str]]:
    answer = http.get(f"/v1/chats/{chat_id}/messages").json()
    return [(message["role"], message["text"]) for message in answer["messages"]]


# -- what clients rely on ---------------------------------------------------------------------------------


def test_each_first_message_begins_a_chat(http: Http, model: ScriptedModel) -> None:
    """The same words twice are two chats."""
    model.script(says("Hi."))
    assert talk(http, "Hello")[0][1]["chat_id"] != talk(http, "Hello")[0][1]["chat_id"]


def test_persona_instructions_sources(http: Http, model: ScriptedModel) -> None:
    """Each of them arrives: the persona in the chat, the others in the prompt."""
    model.script(says("Yes."))
    events = talk(
        http,
        "Is blue rare?",
        persona_id="painter",
        instructions="Be brief.",
        sources=["Blue is rare.", {"title": "Colours", "text": "There are many."}],
        budget=500,
    )
    chats = http.get("/v1/chats", params={"persona_id": "painter"}).json()["chats"]
    assert [chat["chat_id"] for chat in chats] == [events[0][1]["chat_id"]]
    sent = model.requests[-1].body["messages"]
    assert sent[0] == {"role": "system", "content": "Be brief."}
    assert "[1]\n  Blue is rare.\n[2] Colours\n  There are many." in sent[1]["content"]


def test_words_come_as_they_are_spoken(http: Http, model: ScriptedModel) -> None:
    """The model goes on only when the client has its first word."""
    got = threading.Event()
    model.script(
        streams(
            event("First"),
            event(" second"),
            event(None, "stop"),
            "data: [DONE]",
            before_chunk=lambda number: number == 1 and got.wait(LIMIT),
        )
    )
    with http.stream("POST", "/v1/message/first", json={"text": "Speak"}) as answer:
        received = ""
        for piece in answer.iter_text():
            received += piece
            if "First" in received:
                got.set()
    assert [data["delta"] for name, data in events_of(received) if name == "content.delta"] == [
        "First",
        " second",
    ]


def test_silence_has_signs_of_life(http: Http, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """While the model thinks, a comment keeps the connection open; no event is lost by it."""
    monkeypatch.setattr(talking, "ALIVE_SECONDS", 0.02)
    model.script(streams(event("Late"), event(None, "stop"), "data: [DONE]", delay_seconds=0.1))
    answer = http.post("/v1/message/first", json={"text": "Think"})
    assert "\n\n: keep-alive\n\n" in answer.text
    assert [name for name, _ in events_of(answer.text)] == ["chat", "content.delta", "message.completed"]


def test_who_leaves_finds_the_reply(http: Http, model: ScriptedModel) -> None:
    """The connection is closed after the first event; the reply is finished and stored."""
    let = threading.Event()
    words = (event("Still"), event(" here"), event(None, "stop"), "data: [DONE]")
    model.script(streams(*words, before_chunk=lambda number: number == 1 and let.wait(LIMIT)))
    with http.stream("POST", "/v1/message/first", json={"text": "Wait for me"}) as answer:
        first = next(answer.iter_text())
    let.set()
    chat_id = events_of(first[: first.index("\n\n") + 2])[0][1]["chat_id"]
    until(lambda: len(said(http, chat_id)) == 2)
    assert said(http, chat_id)[1] == ("assistant", "Still here")


def test_two_at_once_in_one_chat(http: Http, model: ScriptedModel) -> None:
    """Both are answered, and all four messages are there once."""
    model.script(says("Begun."))
    chat_id = talk(http, "Begin")[0][1]["chat_id"]
    model.script(says("Answer."))
    with ThreadPoolExecutor(2) as pool:
        both = list(pool.map(lambda text: talk(http, text, chat_id), ("One", "Two")))
    assert [events[-1][0] for events in both] == ["message.completed"] * 2
    assert sorted(said(http, chat_id)[2:]) == [
        ("assistant", "Answer."),
        ("assistant", "Answer."),
        ("user", "One"),
        ("user", "Two"),
    ]


# -- a model that fails -----------------------------------------------------------------------------------

FAILURES: dict[str, tuple[Answer, str]] = {
    "busy": (refuses(429, "slow down", retry_after="0"), "slow down"),
    "broken": (refuses(500, "oops", retry_after="0"), "oops"),
    "wrong key": (refuses(401, "bad key"), "Check the API key"),
    "unknown model": (refuses(404, "no such model"), "no such model"),
    "nonsense": (raw("<html>Hello</html>"), ""),
    "nonsense event": (streams("data: {not json"), "returned an invalid answer"),
    "error event": (streams('data: {"error": {"message": "overloaded"}}'), "overloaded"),
    "silent": (hangs(), "0.5 s"),
    "hangs up": (hangs_up(), ""),
    "empty": (says(""), "returned no text"),
    "no end": (streams(), "stopped in the middle"),
}


@pytest.mark.parametrize("failure", FAILURES)
def test_a_model_that_fails(http: Http, model: ScriptedModel, failure: str) -> None:
    """The message is stored, the client is told why, and the next turn works."""
    answer, told = FAILURES[failure]
    model.script(answer)
    events = talk(http, "Hello?")
    assert [name for name, _ in events] == ["chat", "error"]
    assert events[-1][1].keys() == {"error"}
    assert told in events[-1][1]["error"]
    assert "sk-1" not in events[-1][1]["error"]
    assert model.url not in events[-1][1]["error"]
    chat_id = events[0][1]["chat_id"]
    assert said(http, chat_id) == [("user", "Hello?")]
    model.script(says("Back again."))
    assert talk(http, "And now?", chat_id)[-1][1]["text"] == "Back again."
    assert said(http, chat_id)[1:] == [("user", "And now?"), ("assistant", "Back again.")]


@pytest.mark.parametrize(
    "answer",
    [
        streams(event("Half of"), event(" it"), broken=True),
        streams(event("Half of"), event(" it"), hang=True),
        streams(event("Half of"), event(" it"), "data: {nonsense"),
        streams(event("Half of"), event(" it")),
        streams(event("Half of"), event(" it"), 'data: {"error": "died"}'),
    ],
    ids=["dies", "falls silent", "nonsense", "stops", "says so"],
)
def test_a_model_that_fails_in_the_middle(http: Http, model: ScriptedModel, answer: Answer) -> None:
    """What came is kept with a mark, the error names it, and the next turn works."""
    model.script(answer)
    events = talk(http, "Go on")
    assert [name for name, _ in events] == ["chat", "content.delta", "content.delta", "error"]
    chat_id, kept = events[0][1]["chat_id"], events[-1][1]["message_id"]
    assert http.get(f"/v1/messages/{kept}").json()["text"] == "Half of it […]"
    model.script(says("Whole."))
    assert talk(http, "Again", chat_id)[-1][1]["text"] == "Whole."


def test_a_busy_model_gets_a_second_chance(http: Http, model: ScriptedModel) -> None:
    """One refusal for a moment is not worth an error."""
    model.script(refuses(503, "loading", retry_after="0"), says("Here."))
    assert talk(http, "There?")[-1][1]["text"] == "Here."


# -- bad input --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("body", "error"),
    [
        ({}, "text is required"),
        ({"text": 3}, "text must be text"),
        ({"text": ""}, "text must not be empty."),
        ({"text": "a\x00"}, "text contains a NUL character; remove it."),
        ({"text": "x" * 200_001}, "text has 200001 characters (maximum 200000)."),
        ({"text": "a", "model": ""}, "model must have 1-256 characters."),
        ({"text": "a", "persona_id": 1}, "persona_id must be text"),
        ({"text": "a", "budget": 5}, "budget must be between 200 and 1000000 tokens, not 5."),
        ({"text": "a", "sources": "b"}, "sources must be a list"),
        ({"text": "a", "sources": [1]}, "sources.0 must be a string or an object with title and text."),
        ({"text": "a", "sources": [{"text": ""}]}, "sources.0.text must have 1-200000 characters."),
        (
            {"text": "a", "sources": [{"x": 1, "text": "b"}]},
            "sources.0: unknown field 'x'; known fields are title and text.",
        ),
        ({"text": "a", "instructions": ["b"]}, "instructions must be text"),
        ({"text": "a", "stream": True}, "The body has no field 'stream'"),
        ({"text": "a", "chat_id": "c"}, "The body has no field 'chat_id'"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_bad_input(http: Http, model: ScriptedModel, body: dict[str, Any], error: str) -> None:
    """A 400 that names the field, before anything is stored or asked."""
    before = len(model.requests)
    answer = http.post("/v1/message/first", json=body)
    assert answer.status_code == 400
    assert error in answer.json()["error"]
    assert http.get("/v1/chats").json()["chats"] == []
    assert len(model.requests) == before


def test_a_chat_must_be_named_and_there(http: Http, service: Service, model: ScriptedModel) -> None:
    """`/v1/message` without a chat is 400, with an unknown or another user's chat 404."""
    assert http.post("/v1/message", json={"text": "a"}).json() == {
        "error": "chat_id is required; put it in the JSON body."
    }
    assert http.post("/v1/message", json={"text": "a", "chat_id": "none"}).status_code == 404
    model.script(says("Hi."))
    theirs = talk(service.http("somebody-else"), "Mine")[0][1]["chat_id"]
    assert http.post("/v1/message", json={"text": "a", "chat_id": theirs}).status_code == 404


def test_another_persona_is_a_conflict(http: Http, model: ScriptedModel) -> None:
    """A chat belongs to one persona."""
    model.script(says("Hi."))
    chat_id = talk(http, "Hi", persona_id="cook")[0][1]["chat_id"]
    refused = {"text": "a", "chat_id": chat_id, "persona_id": "painter"}
    assert http.post("/v1/message", json=refused).status_code == 409


def test_nobody_talks_without_a_token(service: Service) -> None:
    """401, as everywhere."""
    answer = service.anyone.post("/v1/message/first", json={"text": "a"})
    assert (answer.status_code, answer.json()) == (401, {"error": "Authentication required"})


def test_without_a_model(tmp_path: Path) -> None:
    """502 with what is missing, and not what is there; nothing is stored, and everything else works."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder()) as service:
        http = service.http("ann")
        for said, words, others in (
            ({"text": "Hi"}, ('"model" in the body', "RECOLLECT_CHAT_MODEL"), "OPENAI"),
            ({"text": "Hi", "model": "m"}, ("OPENAI_API_KEY", "OPENAI_BASE_URL"), "RECOLLECT_CHAT_MODEL"),
        ):
            answer = http.post("/v1/message/first", json=said)
            assert answer.status_code == 502
            assert all(word in answer.json()["error"] for word in words)
            assert others not in answer.json()["error"]
        assert http.get("/v1/chats").json()["chats"] == []
        recorded = http.post("/v1/chats/c/messages", json={"messages": [{"role": "user", "text": "Hi"}]})
        assert recorded.status_code == 201
        assert http.post("/v1/message", json={"chat_id": "c", "text": "Hi"}).status_code == 502


def test_a_server_without_a_name_of_a_model(tmp_path: Path, model: ScriptedModel) -> None:
    """Where a server is set up and no model is named, only the name is asked for; with one in the body it answers."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), openai_base_url=model.url) as service:
        http = service.http("ann")
        error = http.post("/v1/message/first", json={"text": "Hi"}).json()["error"]
        assert error.startswith("No model is set") and "OPENAI" not in error
        assert talk(http, "Hi", model="m")[-1][0] == "message.completed"


def test_a_stop_finishes_running_talks(tmp_path: Path, model: ScriptedModel) -> None:
    """A service that is stopped in the middle of a reply whose listener left stores all of it."""
    model.script(
        streams(
            event("To"), event(" the"), event(" end"), event(None, "stop"), "data: [DONE]", delay_seconds=0.1
        )
    )
    path = tmp_path / "memory.db"
    options: dict[str, Any] = {"openai_base_url": model.url, "chat_model": "house"}
    with (
        serving(path, embedder=FakeEmbedder(), **options) as service,
        service.http("ann").stream("POST", "/v1/message/first", json={"text": "Hi"}) as answer,
    ):
        next(answer.iter_text())
    with serving(path, embedder=FakeEmbedder()) as service:
        http = service.http("ann")
        chat_id = http.get("/v1/chats").json()["chats"][0]["chat_id"]
        assert said(http, chat_id) == [("user", "Hi"), ("assistant", "To the end")]
