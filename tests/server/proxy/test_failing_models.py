"""Models that answer with nonsense, or without end: the client is told so, and what came is kept with a mark."""

import json
from collections.abc import Callable, Generator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path
from typing import Any

import openai
import pytest
from conftest import FakeEmbedder
from engine.conversing import until
from openai import OpenAI
from scripted_model import (
    Answer,
    Reply,
    ScriptedModel,
    cost_event,
    event,
    goes_on,
    limited,
    raw,
    says,
    streams,
)
from serving import Http, Service, serving

from .conftest import client_of, said

QUESTION = [{"role": "user", "content": "Where is the blue teapot?"}]
DONE = "data: [DONE]"
FLOOD = f"{event('word ' * 100)}\n\n".encode()


#: One second for an answer.
BRIEF = {"times_silence": 0.02}
Hasty = Callable[..., AbstractContextManager[Http]]


@pytest.fixture
def hasty(tmp_path: Path, model: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> Hasty:
    """A service that lets answers go on for less than usual, asked by a user."""

    @contextmanager
    def served(**limits: float) -> Generator[Http]:
        limited(monkeypatch, **limits)
        options: dict[str, Any] = {"openai_base_url": model.url, "model_timeout_seconds": 50.0}
        with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), **options) as service:
            yield service.http("ann")

    return served


def post(http: Http, *, stream: bool = False, **headers: str) -> Any:
    """One request, as bytes: what a client library would make of it is not asked."""
    return http.post(
        "/v1/chat/completions",
        json={"model": "m", "messages": QUESTION, "stream": stream},
        headers={"X-Chat-Id": "c", **headers},
    )


def last_event(answer: Any) -> Any:
    """The last event of a stream."""
    return json.loads(answer.content.split(b"data: ")[-1])


# -- nonsense ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize("stream", [False, True])
@pytest.mark.parametrize("body", ["<html>", "", "5", "[]", "null", '{"choices": 5}', "{}"])
def test_nonsense_is_no_success(http: Http, model: ScriptedModel, body: str, stream: bool) -> None:
    """A good status without an answer is a 502 in OpenAI's form; nothing is recorded of it, and the next turn works."""
    model.script(raw(body), says("Whole."))
    answer = post(http, stream=stream)
    assert (answer.status_code, answer.json()["error"]["code"]) == (502, "model_failed")
    assert "makes no sense" in answer.json()["error"]["message"]
    assert said(http, "c") == [("user", QUESTION[0]["content"])]
    assert post(http).status_code == 200


def test_an_error_with_a_good_status(http: Http, model: ScriptedModel) -> None:
    """The server's own words about it pass, as the failure that they are."""
    body = '{"error": {"message": "overloaded", "code": 529}}'
    model.script(raw(body))
    answer = post(http)
    assert (answer.status_code, answer.text) == (502, body)


def test_an_answer_without_choices_passes(http: Http, model: ScriptedModel) -> None:
    """It has the form of an answer: what to make of it is the client's affair."""
    model.script(raw('{"choices": []}'))
    assert (post(http).status_code, post(http).text) == (200, '{"choices": []}')


@pytest.mark.parametrize(
    "lines", [[], [DONE], [": ping", cost_event(), DONE]], ids=["nothing", "end", "cost"]
)
def test_an_empty_stream(http: Http, model: ScriptedModel, lines: list[str]) -> None:
    """A stream that ends before it begins ends in an error."""
    model.script(streams(*lines))
    answer = post(http, stream=True)
    assert answer.status_code == 200
    assert "empty answer" in last_event(answer)["error"]["message"]
    assert said(http, "c") == [("user", QUESTION[0]["content"])]


@pytest.mark.parametrize("odd", ["data: {bro", 'data: {"error": {"message": "overloaded"}}'])
@pytest.mark.parametrize("tools", ["on", "off"])
def test_a_stream_with_a_part_that_cannot_be_read(
    http: Http, model: ScriptedModel, odd: str, tools: str
) -> None:
    """All of it passes, the end is an error, and what came is kept as an answer that is not whole."""
    model.script(streams(event("Half"), odd, event(" of it"), event(None, "stop"), DONE))
    answer = post(http, stream=True, **{"X-Recollect-Tools": tools})
    assert odd.encode() in answer.content and b"[DONE]" not in answer.content
    assert last_event(answer)["error"]["code"] == "model_failed"
    assert said(http, "c")[-1] == ("assistant", "Half of it […]")


def test_a_stream_under_another_name(http: Http, model: ScriptedModel) -> None:
    """A server that does not call its stream one is understood all the same; its bytes pass."""
    lines = "".join(f"{line}\n\n" for line in (event("In the cellar."), event(None, "stop"), "data:[DONE]"))
    model.script(lambda request: Reply(headers={"Content-Type": "text/plain"}, chunks=(lines.encode(),)))
    answer = post(http, stream=True)
    assert (answer.status_code, answer.text) == (200, lines)
    assert said(http, "c")[-1] == ("assistant", "In the cellar.")


def test_a_stream_that_nobody_asked_for(http: Http, model: ScriptedModel) -> None:
    """With tools of ours a client that wants all at once cannot be served by it, and is told why."""
    model.script(streams(event("Hi"), event(None, "stop"), DONE))
    answer = post(http, **{"X-Recollect-Tools": "on"})
    assert answer.status_code == 502
    assert "sent a stream that was not requested" in answer.json()["error"]["message"]


def test_a_stream_that_goes_on_without_one(http: Http, model: ScriptedModel) -> None:
    """A server that streams a call of ours, and then does not stream, is an error that says so."""
    call = {"index": 0, "id": "a", "function": {"name": "saveMemory", "arguments": "{}"}}
    asked = {"choices": [{"index": 0, "delta": {"tool_calls": [call]}, "finish_reason": "tool_calls"}]}
    model.script(streams(f"data: {json.dumps(asked)}", DONE), raw('{"choices": []}'))
    answer = post(http, stream=True, **{"X-Recollect-Tools": "on"})
    assert "continued without one" in last_event(answer)["error"]["message"]


def test_models_that_are_nonsense(http: Http, model: ScriptedModel) -> None:
    """A list of models that is none is a 502."""
    model.script(raw("<html>"))
    assert http.get("/v1/models").status_code == 502


# -- no end -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("answer", "limits", "code", "kept"),
    [
        (goes_on(f"{event('a')}\n\n".encode(), delay_seconds=0.02), BRIEF, "model_timeout", True),
        (goes_on(b": ping\n\n", delay_seconds=0.02), BRIEF, "model_timeout", False),
        (goes_on(b"x" * 65_536, first=b"data: "), {}, "model_failed", False),
        (goes_on(FLOOD), {"stream": 1_000_000}, "model_failed", True),
    ],
    ids=["drips", "gives signs of life", "ends no line", "floods"],
)
def test_a_stream_without_end(
    hasty: Hasty, model: ScriptedModel, answer: Answer, limits: dict[str, float], code: str, kept: bool
) -> None:
    """It is ended; the client is told, and what came is kept with the mark."""
    model.script(answer)
    with hasty(**limits) as http:
        told = post(http, stream=True)
        assert last_event(told)["error"]["code"] == code
        replies = [text for role, text in said(http, "c") if role == "assistant"]
    assert [text.endswith(" […]") and len(text) <= 200_000 for text in replies] == [True] * kept


@pytest.mark.parametrize(
    ("answer", "limits", "status"),
    [
        (goes_on(b"x" * 65_536, stream=False), {"body": 1_000_000}, 502),
        (goes_on(b" ", stream=False, delay_seconds=0.02), BRIEF, 504),
    ],
    ids=["floods", "drips"],
)
def test_an_answer_at_once_without_end(
    hasty: Hasty, model: ScriptedModel, answer: Answer, limits: dict[str, float], status: int
) -> None:
    """Its size is limited, and so is its time."""
    model.script(answer)
    with hasty(**limits) as http:
        assert post(http).status_code == status


def test_who_leaves_a_flood(service: Service, user: str, http: Http, model: ScriptedModel) -> None:
    """Without a client there is no reason to read more than a message holds."""
    model.script(goes_on(FLOOD, delay_seconds=0.001))
    client: OpenAI
    with client_of(service, user) as client:
        stream = client.chat.completions.create(
            model="m", messages=QUESTION, extra_headers={"X-Chat-Id": "c"}, stream=True
        )
        next(iter(stream))
        stream.close()
    until(lambda: len(said(http, "c")) == 2)
    text = said(http, "c")[1][1]
    assert 199_000 < len(text) <= 200_000 and text.endswith(" […]")


def test_the_client_library_sees_an_error(client: OpenAI, model: ScriptedModel) -> None:
    """What OpenAI's own client makes of nonsense is an exception of its own."""
    model.script(raw("<html>"))
    with pytest.raises(openai.InternalServerError, match="makes no sense"):
        client.chat.completions.create(model="m", messages=QUESTION)
