"""The remote embedder against a real local HTTP server that can misbehave."""

import asyncio
import json
import logging
import threading
from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest
from patience import join

from recollect.errors import EmbeddingError
from recollect.models.embedders import Embedders
from recollect.models.endpoint import MAX_WAIT_SECONDS
from recollect.models.remote import MAX_BATCH, RemoteEmbedder
from recollect.settings import Settings

KEY = "sk-very-secret"

#: What a server does with one request body: a status, headers and a reply (JSON, or raw text).
Reply = tuple[int, dict[str, str], Any]
Script = Callable[[dict[str, Any]], Reply]


class Server(ThreadingHTTPServer):
    """Answers by a list of scripts; the last one repeats."""

    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), Answer)
        self.scripts: list[Script] = [good]
        self.seen: list[dict[str, Any]] = []
        self.headers_seen: list[dict[str, str]] = []
        self.release = threading.Event()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.server_address[1]}/v1"


class Answer(BaseHTTPRequestHandler):
    server: Server  # pyright: ignore[reportIncompatibleVariableOverride]

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.server.seen.append({"path": self.path, **body})
        self.server.headers_seen.append({name.lower(): value for name, value in self.headers.items()})
        script = self.server.scripts[0] if len(self.server.scripts) == 1 else self.server.scripts.pop(0)
        status, headers, reply = script(body)
        if status == 0:
            self.server.release.wait(10)
            return
        payload = reply.encode() if isinstance(reply, str) else json.dumps(reply).encode()
        self.send_response(status)
        for name, value in {"Content-Length": str(len(payload)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(payload)

    def log_message(self, format: str, *args: Any) -> None:
        """Silent."""


def vector(text: str) -> list[float]:
    """A vector that tells texts apart and is not of length 1."""
    return [float(len(text)), 1.0, 2.0, float(sum(text.encode()) % 97)]


def rows(body: dict[str, Any]) -> list[dict[str, Any]]:
    return [
        {"object": "embedding", "index": n, "embedding": vector(text)} for n, text in enumerate(body["input"])
    ]


def good(body: dict[str, Any]) -> Reply:
    return 200, {}, {"data": rows(body)}


def shuffled(body: dict[str, Any]) -> Reply:
    return 200, {}, {"data": rows(body)[::-1]}


def hang(body: dict[str, Any]) -> Reply:
    return 0, {}, None


def status(code: int, text: str = "no", **headers: str) -> Script:
    return lambda body: (code, {name.replace("_", "-"): value for name, value in headers.items()}, text)


def changed(change: Callable[[list[dict[str, Any]]], Any]) -> Script:
    """A good answer whose rows were tampered with."""
    return lambda body: (200, {}, {"data": change(rows(body))})


def vectors_from(make: Callable[[int], Any]) -> Script:
    """A good answer with other vectors."""
    return changed(lambda rows: [{**row, "embedding": make(row["index"])} for row in rows])


def indexes_from(make: Callable[[int], Any]) -> Script:
    """A good answer with other indexes."""
    return changed(lambda rows: [{**row, "index": make(row["index"])} for row in rows])


@pytest.fixture
def server() -> Iterator[Server]:
    running = Server()
    thread = threading.Thread(target=running.serve_forever, kwargs={"poll_interval": 0.02})
    thread.start()
    yield running
    running.release.set()
    running.shutdown()
    join(thread)
    running.server_close()


class Client:
    """A RemoteEmbedder whose waits are noted instead of slept."""

    def __init__(self, server: Server, **options: Any) -> None:
        self.waits: list[float] = []
        settings: dict[str, Any] = {"api_key": KEY, "model": "tiny", "timeout_seconds": 5.0, **options}
        self.embedder = RemoteEmbedder(base_url=server.url, sleep=self._note, **settings)

    async def _note(self, seconds: float) -> None:
        self.waits.append(seconds)

    def embed(self, *texts: str) -> Any:
        async def run() -> Any:
            try:
                return await self.embedder.embed(texts)
            finally:
                await self.embedder.aclose()

        return asyncio.run(run())


def expected(*texts: str) -> Any:
    plain = np.array([vector(text) for text in texts])
    return plain / np.linalg.norm(plain, axis=1, keepdims=True)


def test_good_answers_become_unit_vectors(server: Server) -> None:
    """Vectors come back normalised, as float32, and the width is learnt from them."""
    client = Client(server)
    assert client.embedder.dimensions == 0
    vectors = client.embed("one", "three")
    assert vectors.dtype == np.float32
    assert vectors == pytest.approx(expected("one", "three"), abs=1e-6)
    assert client.embedder.dimensions == 4
    assert client.embedder.model == "tiny"
    assert server.seen == [{"path": "/v1/embeddings", "model": "tiny", "input": ["one", "three"]}]
    assert server.headers_seen[0]["authorization"] == f"Bearer {KEY}"


def test_without_a_key_no_authorisation_is_sent(server: Server) -> None:
    """A local server without keys gets no header that it might refuse."""
    Client(server, api_key=None).embed("one")
    assert "authorization" not in server.headers_seen[0]


def test_order_follows_the_index(server: Server) -> None:
    """Rows in another order are put back by their index."""
    server.scripts = [shuffled]
    assert Client(server).embed("a", "bcd", "ef") == pytest.approx(expected("a", "bcd", "ef"), abs=1e-6)


def test_many_texts_go_in_batches(server: Server) -> None:
    """No request has more than the allowed number of texts, and the order is kept."""
    texts = [f"text {n} {'x' * (n % 7)}" for n in range(2 * MAX_BATCH + 5)]
    assert Client(server).embed(*texts) == pytest.approx(expected(*texts), abs=1e-6)
    assert [len(request["input"]) for request in server.seen] == [MAX_BATCH, MAX_BATCH, 5]


def test_no_texts_no_request(server: Server) -> None:
    """An empty batch asks nobody."""
    assert Client(server, dimensions=4).embed().shape == (0, 4)
    assert server.seen == []


def test_configured_dimensions_are_asked_for_and_required(server: Server) -> None:
    """A width that was configured is sent, and another width is refused."""
    client = Client(server, dimensions=4)
    assert client.embedder.dimensions == 4
    client.embed("one")
    assert server.seen[0]["dimensions"] == 4
    with pytest.raises(EmbeddingError, match="width 4 instead of 3"):
        Client(server, dimensions=3).embed("one")


def test_a_changed_width_is_refused(server: Server) -> None:
    """When the model behind the address changes its width, nothing of it is accepted."""
    server.scripts = [good, lambda body: (200, {}, {"data": [{"index": 0, "embedding": [1.0, 2.0]}]})]
    client = Client(server)
    client.embed("one")
    with pytest.raises(EmbeddingError, match="width 2 instead of 4"):
        client.embed("one")


def test_empty_and_broken_texts_can_travel(server: Server) -> None:
    """Empty texts go as a blank and lone surrogates as a question mark."""
    Client(server).embed("", "a\ud800b")
    assert server.seen[0]["input"] == [" ", "a?b"]


def test_server_errors_are_tried_again(server: Server) -> None:
    """After two failures the third try succeeds, with waits of 1 and 2 seconds."""
    server.scripts = [status(500), status(503), good]
    client = Client(server)
    assert client.embed("one") == pytest.approx(expected("one"), abs=1e-6)
    assert client.waits == [1.0, 2.0]


def test_tries_end(server: Server) -> None:
    """A server that keeps failing is given up after the last wait, naming what to check."""
    server.scripts = [status(502, "bad gateway")]
    client = Client(server)
    with pytest.raises(EmbeddingError, match=r"4 tries: status 502: bad gateway.*Check"):
        client.embed("one")
    assert client.waits == [1.0, 2.0, 4.0]
    assert len(server.seen) == 4


def test_retry_after_is_honoured(server: Server) -> None:
    """A busy server says how long to wait, in seconds or as a date, within a limit."""
    soon = format_datetime(datetime.now(UTC) + timedelta(seconds=30), usegmt=True)
    server.scripts = [
        status(429, Retry_After="7"),
        status(429, Retry_After=soon),
        status(429, Retry_After="86400"),
        good,
    ]
    client = Client(server)
    client.embed("one")
    assert client.waits[0] == 7.0
    assert 20.0 < client.waits[1] <= 30.0
    assert client.waits[2] == MAX_WAIT_SECONDS


@pytest.mark.parametrize("nonsense", ["soon", "-5", "nan"])
def test_a_nonsense_retry_after_is_harmless(server: Server, nonsense: str) -> None:
    """A wait that makes no sense never becomes a negative or endless one."""
    server.scripts = [status(429, Retry_After=nonsense), good]
    client = Client(server)
    client.embed("one")
    assert 0.0 <= client.waits[0] <= 1.0


def test_a_hanging_server_times_out_and_is_tried_again(server: Server) -> None:
    """Silence is a failure like any other: wait, then ask again."""
    server.scripts = [hang, good]
    client = Client(server, timeout_seconds=0.2)
    assert client.embed("one").shape == (1, 4)
    assert client.waits == [1.0]


def test_a_server_that_always_hangs_is_named(server: Server) -> None:
    """The error says how long was waited and for whom."""
    server.scripts = [hang]
    with pytest.raises(EmbeddingError, match=r"127\.0\.0\.1.*no answer within 0\.1 s"):
        Client(server, timeout_seconds=0.1, max_retries=1).embed("one")


def test_nobody_there_is_a_clear_error(server: Server) -> None:
    """A refused connection is not tried again and names the address."""
    waits: list[float] = []

    async def note(seconds: float) -> None:
        waits.append(seconds)

    unused = Server()
    unused.server_close()
    embedder = RemoteEmbedder(base_url=unused.url, api_key=None, model="m", sleep=note)
    with pytest.raises(EmbeddingError, match=r"cannot be reached.*Check the address"):
        asyncio.run(embedder.embed(["one"]))
    assert waits == []


@pytest.mark.parametrize(
    ("code", "hint"), [(400, "length"), (401, "API key"), (403, "API key"), (404, "/v1"), (302, "address")]
)
def test_refusals_are_not_tried_again(server: Server, code: int, hint: str) -> None:
    """A refusal is final and says what to check."""
    server.scripts = [status(code, f"denied for {KEY}")]
    client = Client(server)
    with pytest.raises(EmbeddingError, match=f"status {code}.*{hint}") as refused:
        client.embed("one")
    assert client.waits == []
    assert KEY not in str(refused.value)


@pytest.mark.parametrize(
    "script",
    [
        pytest.param(status(200, "<html>hello</html>"), id="not JSON"),
        pytest.param(status(200, ""), id="empty"),
        pytest.param(status(200, "[]"), id="a list"),
        pytest.param(status(200, "null"), id="null"),
        pytest.param(status(200, '{"data": null}'), id="no data"),
        pytest.param(status(200, '{"data": [1, 2]}'), id="no rows"),
        pytest.param(status(200, b"\xff\xfe\x00".decode("latin-1")), id="bytes"),
        pytest.param(changed(lambda rows: rows[:-1]), id="too few"),
        pytest.param(changed(lambda rows: [*rows, rows[0]]), id="too many"),
        pytest.param(indexes_from(lambda index: 0), id="same index"),
        pytest.param(indexes_from(lambda index: index + 1), id="off by one"),
        pytest.param(vectors_from(lambda index: []), id="empty vectors"),
        pytest.param(vectors_from(lambda index: "AAAA"), id="text vectors"),
        pytest.param(vectors_from(lambda index: [[1.0]]), id="nested"),
        pytest.param(vectors_from(lambda index: [0.0, 0.0]), id="zero"),
        pytest.param(vectors_from(lambda index: [float("nan"), 1.0]), id="nan"),
        pytest.param(vectors_from(lambda index: [1.0] * (index + 1)), id="ragged"),
    ],
)
def test_nonsense_is_refused(server: Server, script: Script) -> None:
    """An answer that does not fit the question is an error, never a wrong vector."""
    server.scripts = [script]
    client = Client(server)
    with pytest.raises(EmbeddingError, match="returned an invalid answer"):
        client.embed("one", "two")
    assert client.embedder.dimensions == 0


def test_the_key_is_never_written(server: Server, caplog: pytest.LogCaptureFixture) -> None:
    """Neither logs at any level nor the object's own text hold the key."""
    caplog.set_level(logging.DEBUG)
    server.scripts = [status(500), good]
    client = Client(server)
    client.embed("one")
    assert KEY not in caplog.text
    assert KEY not in repr(client.embedder)


def test_one_embedder_serves_several_event_loops(server: Server) -> None:
    """A synchronous caller that starts a new loop each time still gets its vectors."""
    embedder = RemoteEmbedder(base_url=server.url, api_key=None, model="tiny")
    for _ in range(3):
        assert asyncio.run(embedder.embed(["one"])).shape == (1, 4)
    asyncio.run(embedder.aclose())
    asyncio.run(embedder.aclose())


# -- for somebody who waits -----------------------------------------------------------------------------------


def _soon(server: Server, *asked: list[str]) -> list[list[int]]:
    """How many numbers each vector has that can be had at once, for one call after the other; 0: it comes later."""

    async def run() -> list[list[int]]:
        settings = Settings(
            openai_base_url=server.url, openai_api_key=KEY, embedding_model="tiny", model_timeout_seconds=30.0
        )
        embedders = Embedders.from_settings(settings)
        try:
            return [[len(vector) for vector in await embedders.soon("tiny", texts)] for texts in asked]
        finally:
            await embedders.aclose()

    return asyncio.run(run())


def test_vectors_that_can_be_had(server: Server) -> None:
    """A server that answers gives a vector for each text, in any number of requests; nothing is asked for no text."""
    many = [f"text {number}" for number in range(MAX_BATCH + 1)]
    assert _soon(server, many, []) == [[4] * len(many), []]
    assert len(server.seen) == 2


def test_nobody_waits_for_a_silent_server(server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    """Patience ends long before the timeout, and the next ones do not wait at all."""
    monkeypatch.setattr("recollect.models.embedders.PATIENCE_SECONDS", 0.05)
    server.scripts = [hang]
    assert _soon(server, ["tea"], ["bread", "milk"]) == [[0], [0, 0]]
    assert all(body["input"] == ["tea"] for body in server.seen)


def test_a_wrong_key_is_logged(
    server: Server, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What is refused is told in the log, with its status and neither key nor text; after a rest it is asked again."""
    monkeypatch.setattr("recollect.models.embedders.REST_SECONDS", 0.0)
    server.scripts = [status(401, f"wrong key {KEY}"), good]
    with caplog.at_level(logging.WARNING):
        assert _soon(server, ["tea"], ["tea"]) == [[0], [4]]
    events = [record.getMessage() for record in caplog.records if record.name.startswith("recollect")]
    assert events == ["embedder.failed model=tiny error=Refused status=401"]
