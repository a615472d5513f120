"""The relay against a real local HTTP server: bytes pass, whatever their status."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import replace
from typing import Any, TypeVar

import pytest
from scripted_model import Reply, ScriptedModel, event, hangs, hangs_up, raw, refuses, streams

from recollect.errors import ModelError
from recollect.models.endpoint import Silent
from recollect.models.relay import Relay, Relayed, relay_for
from recollect.settings import Settings

T = TypeVar("T")
KEY = "sk-very-secret"


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


def relayed(server: ScriptedModel, work: Callable[[Relay], Awaitable[T]], **options: Any) -> T:
    settings = replace(
        Settings(openai_base_url=server.url, openai_api_key=KEY, model_timeout_seconds=2.0), **options
    )

    async def run() -> T:
        relay = relay_for(settings)
        try:
            return await work(relay)
        finally:
            await relay.aclose()

    return asyncio.run(run())


def ask(server: ScriptedModel, *, stream: bool = False, **options: Any) -> Relayed:
    return relayed(server, lambda relay: relay.ask(b'{"a": 1}', stream=stream), **options)


def test_bytes_and_headers_pass(server: ScriptedModel) -> None:
    """What the client sends and what the server says; of its headers those that a client needs."""
    told = {
        "Content-Type": "x/y",
        "X-RateLimit-Remaining-Requests": "5",
        "Retry-After": "7",
        "Set-Cookie": "a=b",
    }
    server.script(lambda request: Reply(status=429, headers=told, chunks=(b" odd ",)))
    answer = ask(server)
    assert (answer.status, answer.content) == (429, b" odd ")
    assert dict(answer.headers) == {
        "content-type": "x/y",
        "x-ratelimit-remaining-requests": "5",
        "retry-after": "7",
    }
    request = server.requests[0]
    assert request.content == b'{"a": 1}'
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["accept-encoding"] == "identity"


def test_nothing_is_asked_twice(server: ScriptedModel) -> None:
    """A busy server is the client's to ask again."""
    server.script(refuses(503, "busy"))
    assert ask(server).status == 503
    assert len(server.requests) == 1


def test_a_stream_comes_as_it_comes(server: ScriptedModel) -> None:
    """Its pieces are the server's bytes."""
    lines = [event("a"), "data: [DONE]"]
    server.script(streams(*lines))

    async def read(relay: Relay) -> bytes:
        answer = await relay.ask(b"{}", stream=True)
        assert answer.content is None
        return b"".join([chunk async for chunk in answer.chunks])

    assert relayed(server, read) == b"".join(f"{line}\n\n".encode() for line in lines)


def test_our_key_is_our_affair(server: ScriptedModel) -> None:
    """A client whose own key is right must not be told that it is wrong, and never sees ours."""
    server.script(refuses(401, f"bad key {KEY}"))
    with pytest.raises(ModelError, match="refused this service's API key") as refused:
        ask(server)
    assert KEY not in refused.value.message
    server.script(raw(f"no {KEY} \xff".encode("latin-1"), 403))
    assert ask(server).content == b"no *** \xff"


def test_silence_and_broken_connections(server: ScriptedModel) -> None:
    """Both are errors that say so; a whole answer has four times as long as a word."""
    server.script(hangs())
    with pytest.raises(Silent, match=r"no answer within 0\.1 s"):
        ask(server, stream=True, model_timeout_seconds=0.1)
    with pytest.raises(Silent, match=r"no answer within 0\.4 s"):
        ask(server, model_timeout_seconds=0.1)
    server.script(hangs_up())
    with pytest.raises(ModelError, match="did not answer"):
        ask(server)


def test_an_answer_at_once_ends_in_time_or_is_ended(server: ScriptedModel) -> None:
    """From the question to the last byte: what drips is ended with what never begins, and so is what is asked for last."""
    server.script(lambda request: Reply(forever=b" ", delay_seconds=0.05))
    with pytest.raises(Silent, match="did not finish its answer"):
        ask(server, model_timeout_seconds=0.1)
    server.script(hangs())
    with pytest.raises(Silent, match=r"no answer within 0\.2 s"):
        relayed(server, lambda relay: relay.ask(b"{}", stream=False, left=0.2))


def test_an_answer_that_is_not_whole(server: ScriptedModel) -> None:
    """Half of an answer is none."""
    server.script(lambda request: Reply(chunks=(b"{",), broken=True))
    with pytest.raises(ModelError, match="stopped in the middle"):
        ask(server)


def test_only_an_answer_to_a_talk_is_a_stream(server: ScriptedModel) -> None:
    """A list of models that comes as events is read to its end, so that no connection stays open."""
    server.script(streams(event("a"), "data: [DONE]"))
    for work in (lambda relay: relay.models(), lambda relay: relay.embed(b"{}")):
        answer = relayed(server, work)
        assert (answer.chunks, b"[DONE]" in answer.content) == (None, True)


def test_models_are_asked_for(server: ScriptedModel) -> None:
    """By GET, with our key."""
    server.script(raw('{"data": []}'))
    assert relayed(server, lambda relay: relay.models()).content == b'{"data": []}'
    assert server.requests[0].path == "/v1/models"
    assert server.requests[0].headers["authorization"] == f"Bearer {KEY}"
