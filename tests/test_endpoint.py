"""The endpoint against a real local HTTP server that can misbehave."""

import asyncio
import logging
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scripted_model import Answer, ScriptedModel, event, goes_on, hangs, hangs_up, raw, refuses, streams

from recollect.errors import ModelError
from recollect.models.endpoint import (
    MAX_WAIT_SECONDS,
    Endless,
    Endpoint,
    Limits,
    Lines,
    Refused,
    Silent,
    complaint_in,
)

KEY = "sk-very-secret"


@pytest.fixture
def server() -> Iterator[ScriptedModel]:
    with ScriptedModel() as running:
        yield running


class Client:
    """An endpoint whose waits are noted instead of slept."""

    def __init__(self, url: str, **options: Any) -> None:
        self.waits: list[float] = []
        given: dict[str, Any] = {"api_key": KEY, "timeout_seconds": 5.0, **options}
        self.endpoint = Endpoint(kind="model server", base_url=url, sleep=self._note, **given)

    async def _note(self, seconds: float) -> None:
        self.waits.append(seconds)

    def post(self, body: dict[str, Any] | None = None) -> bytes:
        async def run() -> bytes:
            try:
                return await self.endpoint.post("/x", body or {}, wanted="the model 'm'")
            finally:
                await self.endpoint.aclose()

        return asyncio.run(run())

    def lines(self) -> list[str]:
        """Those that came; an error hides none of them."""
        self.seen: list[str] = []

        async def run() -> None:
            try:
                async for line in self.endpoint.lines("/x", {}, wanted="the model 'm'"):
                    self.seen.append(line)
            finally:
                await self.endpoint.aclose()

        asyncio.run(run())
        return self.seen


def test_a_body_goes_out_and_bytes_come_back(server: ScriptedModel) -> None:
    """JSON is posted with the key, and the answer is given as it is."""
    server.script(raw(b"\x00\xff any bytes"))
    assert Client(server.url + "/").post({"a": "ü\ud800"}) == b"\x00\xff any bytes"
    request = server.requests[0]
    assert (request.path, request.body) == ("/v1/x", {"a": "ü?"})
    assert request.headers["authorization"] == f"Bearer {KEY}"
    assert request.headers["content-type"] == "application/json"


def test_without_a_key_no_authorisation_is_sent(server: ScriptedModel) -> None:
    """A local server without keys gets no header that it might refuse."""
    Client(server.url, api_key="").post()
    assert "authorization" not in server.requests[0].headers


def test_busy_servers_are_asked_again(server: ScriptedModel) -> None:
    """Waits double, and Retry-After is honoured as a number or a date, within a limit."""
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    server.script(
        refuses(500),
        refuses(503),
        refuses(429, retry_after="7"),
        refuses(429, retry_after=soon),
        refuses(429, retry_after="86400"),
        raw("ok"),
    )
    client = Client(server.url, max_retries=5)
    assert client.post() == b"ok"
    assert client.waits[:3] == [1.0, 2.0, 7.0]
    assert 20.0 < client.waits[3] <= 30.0
    assert client.waits[4] == MAX_WAIT_SECONDS


@pytest.mark.parametrize(
    ("answer", "reason"),
    [
        (refuses(502, "bad gateway"), "status 502: bad gateway"),
        (hangs(), "no answer within 0.5 s"),
        (hangs_up(), "the connection broke"),
        (streams("half", broken=True), "the connection broke"),
        (streams("half", hang=True), "no answer within 0.5 s"),
        (streams(*["drip"] * 40, delay_seconds=0.05), "no answer within 0.5 s"),
    ],
    ids=["failing", "silent", "hanging up", "breaking off", "stopping", "dripping"],
)
def test_tries_end(server: ScriptedModel, answer: Any, reason: str) -> None:
    """A server that never gives a whole answer in time is given up, and the error says what happened."""
    server.script(answer)
    client = Client(server.url, timeout_seconds=0.5, max_retries=1)
    with pytest.raises(
        ModelError, match=f"model server at http://127.*/x did not answer after 2 tries: {reason}"
    ):
        client.post()
    assert client.waits == [1.0]


@pytest.mark.parametrize(
    ("status", "hint"), [(400, "length"), (401, "API key"), (403, "API key"), (404, "/v1"), (302, "address")]
)
def test_refusals_are_final(server: ScriptedModel, status: int, hint: str) -> None:
    """A refusal is not tried again, says what to check, and carries the complaint without the key."""
    server.script(refuses(status, f"denied for {KEY}"))
    client = Client(server.url)
    with pytest.raises(
        Refused, match=rf"refused with status {status}: denied for \*\*\*\. .*{hint}"
    ) as refused:
        client.post()
    assert refused.value.status == status
    assert "denied for ***" in refused.value.complaint
    assert client.waits == []


def test_nobody_there_is_a_clear_error() -> None:
    """A refused connection is not tried again and names the address."""
    unused = ScriptedModel()
    unused.server_close()
    client = Client(unused.url)
    with pytest.raises(ModelError, match=r"127\.0\.0\.1.* cannot be reached.*Check the address"):
        client.post()
    assert client.waits == []


@pytest.mark.parametrize("url", ["", "nowhere", "http://", "http://[", "ftp://x/v1"])
def test_an_address_that_is_none_is_a_clear_error(url: str) -> None:
    """A wrong address never ends in a strange exception."""
    with pytest.raises(ModelError, match="Check the address"):
        Client(url).post()


def test_a_password_in_the_address_is_not_shown(server: ScriptedModel) -> None:
    """Errors name the server without the login that the address holds."""
    server.script(refuses(404))
    with pytest.raises(ModelError) as refused:
        Client(server.url.replace("//", "//ann:s3cret@")).post()
    assert "s3cret" not in str(refused.value)
    assert "127.0.0.1" in str(refused.value)


@pytest.mark.parametrize("key", ["sk-with\nbreak", "sk-schlüssel"])
def test_a_key_that_cannot_travel_is_not_shown(server: ScriptedModel, key: str) -> None:
    """A broken key is an error of its own, because the one of the HTTP library would print it."""
    with pytest.raises(ModelError, match="Check the key") as refused:
        Client(server.url, api_key=key).post()
    assert "sk-" not in str(refused.value)
    assert server.requests == []


def test_the_key_is_never_written(server: ScriptedModel, caplog: pytest.LogCaptureFixture) -> None:
    """Neither logs at any level nor the object's own text hold the key."""
    caplog.set_level(logging.DEBUG)
    server.script(refuses(500), raw("ok"))
    client = Client(server.url)
    client.post()
    assert KEY not in caplog.text
    assert KEY not in repr(client.endpoint)


def test_lines_come_as_they_are_sent(server: ScriptedModel) -> None:
    """Only a line feed ends a line: JSON may hold the other separators that Unicode knows."""
    server.script(raw("one\u2028two\x85\r\nü\n\nlast".encode()))
    assert Client(server.url).lines() == ["one\u2028two\x85", "ü", "", "last"]


def test_lines_do_not_wait_for_the_end(server: ScriptedModel) -> None:
    """The first line is there while the server still holds the rest back."""
    server.script(streams("first", hang=True))

    async def run() -> str:
        client = Client(server.url)
        lines = client.endpoint.lines("/x", {}, wanted="the model 'm'")
        try:
            return await anext(lines)
        finally:
            await lines.aclose()
            await client.endpoint.aclose()

    assert asyncio.run(run()) == "first"


def test_a_long_stream_may_take_longer_than_the_timeout(server: ScriptedModel) -> None:
    """The timeout of a stream is for silence, not for the whole."""
    server.script(streams(*["x"] * 25, delay_seconds=0.05))
    client = Client(server.url, timeout_seconds=1.0, max_retries=0)
    assert [line for line in client.lines() if line] == ["x"] * 25


def test_a_stream_is_tried_again_only_before_it_begins(server: ScriptedModel) -> None:
    """A busy server is asked again; one that broke off is not, because words were given away."""
    server.script(refuses(503), streams(event("Hi"), broken=True))
    client = Client(server.url)
    with pytest.raises(ModelError, match="stopped in the middle of its answer"):
        client.lines()
    assert client.seen[0] == event("Hi")
    assert client.waits == [1.0]
    assert len(server.requests) == 2


def test_a_stream_that_falls_silent_is_an_error(server: ScriptedModel) -> None:
    """After the timeout the error says how long was waited."""
    server.script(streams(event("Hi"), hang=True))
    client = Client(server.url, timeout_seconds=0.2)
    with pytest.raises(ModelError, match=r"stopped in .* no answer within 0\.2 s"):
        client.lines()
    assert client.seen[0] == event("Hi")


@pytest.mark.parametrize(
    ("answer", "limits", "kind", "why"),
    [
        (
            goes_on(b"word\n", delay_seconds=0.02),
            Limits(times_silence=0.1),
            Silent,
            r"within 0\.5 s, so it was stopped",
        ),
        (goes_on(b": ping\n\n", delay_seconds=0.02), Limits(times_silence=0.06), Silent, "did not finish"),
        (goes_on(b"word\n" * 1000), Limits(stream=100_000), Endless, "over the size limit"),
        (goes_on(b"x" * 1000), Limits(line=100_000), Endless, "line of more than 100000 bytes"),
    ],
    ids=["drips", "gives signs of life", "floods", "ends no line"],
)
def test_a_stream_without_end_is_ended(
    server: ScriptedModel, answer: Answer, limits: Limits, kind: type[ModelError], why: str
) -> None:
    """However the server goes on, there is a limit, and the error says that it was reached."""
    server.script(answer)
    with pytest.raises(kind, match=why):
        Client(server.url, limits=limits).lines()


def test_a_body_without_end_is_ended(server: ScriptedModel) -> None:
    """Neither an answer nor a refusal is read without end, and nobody asks for it again."""
    client = Client(server.url, limits=Limits(body=100_000))
    server.script(goes_on(b"x" * 1000, stream=False))
    with pytest.raises(Endless, match="over the size limit"):
        client.post()
    server.script(lambda request: replace(goes_on(b"x" * 1000)(request), status=400))
    with pytest.raises(Endless, match="over the size limit"):
        client.lines()
    assert client.waits == []


@given(st.lists(st.text("ab\n", max_size=5).map(str.encode)))
def test_lines_are_whole(pieces: list[bytes]) -> None:
    """However a stream is cut into pieces, its lines and what is left are the stream."""
    lines = Lines(1000)
    whole = [lines.whole(piece) for piece in pieces]
    assert b"".join(whole) + lines.rest == b"".join(pieces)
    assert all(not item or item.endswith(b"\n") for item in whole)
    assert b"\n" not in lines.rest


def test_a_stream_that_is_refused_says_why(server: ScriptedModel) -> None:
    """A refusal is read to its end before it is told."""
    server.script(refuses(401, "who are you?"))
    with pytest.raises(Refused, match="401: who are you"):
        Client(server.url).lines()


def test_one_endpoint_serves_several_event_loops(server: ScriptedModel) -> None:
    """A synchronous caller that starts a new loop each time still gets its answers."""
    client = Client(server.url)
    assert [client.post(), client.post()] == [client.post()] * 2
    asyncio.run(client.endpoint.aclose())


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('{"error": {"message": "Bad model"}}', "Bad model"),
        ('{"error": "Bad model"}', "Bad model"),
        ('{"error": {"message": 3}}', '{"error": {"message": 3}}'),
        ('{"error": 3}', '{"error": 3}'),
        ("[1]", "[1]"),
        ("<html>", "<html>"),
        ("[" * 100_000, "[" * 100_000),
    ],
)
def test_the_sentence_in_a_complaint_is_found(text: str, sentence: str) -> None:
    """OpenAI's form is unpacked, and everything else is shown as it came."""
    assert complaint_in(text) == sentence
