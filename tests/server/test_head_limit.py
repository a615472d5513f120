"""Requests on their way: long heads are read, endless ones are not, and what does not come is not waited for."""

import asyncio
import re
import signal
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.parse import urlsplit

import httpx2
import pytest
import uvicorn
from patience import LIMIT, join
from starlette.types import Receive, Scope, Send

from recollect.server import head_limit
from recollect.server.head_limit import MAX_HEAD, BoundedRequest
from recollect.server.serve import GRACE_SECONDS

from .processes import Served, served


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """The real command: only there the limit is in place."""
    folder: Path = tmp_path_factory.mktemp("heads")
    with served(folder / "memory.db", "--no-worker") as running:
        yield running


def first_answer(server: Served, beginning: bytes, piece: bytes, pieces: int) -> bytes:
    """What is answered to a head that goes on and on, until the server has enough."""
    address = urlsplit(server.url)
    answer = b""
    with socket.create_connection((address.hostname, address.port), timeout=LIMIT) as connection:
        try:
            connection.sendall(beginning)
            for _ in range(pieces):
                connection.sendall(piece)
            answer = connection.recv(4096)
        except ConnectionError:
            # It hung up while we were talking.
            return b"closed"
    return answer


@pytest.mark.parametrize(
    ("beginning", "piece"),
    [
        (b"GET /health HTTP/1.1\r\nX-Filler: ", b"a" * 16384),
        (b"GET /health HTTP/1.1\r\n", b"X-Filler: aaaaaaaaaaaaaaaaaaaa\r\n" * 500),
        (b"GET /", b"a" * 16384),
    ],
    ids=["a header", "headers", "an address"],
)
def test_an_endless_head_is_given_up(server: Served, beginning: bytes, piece: bytes) -> None:
    """One header, many headers or an address without end is refused long before it fills the memory."""
    answer = first_answer(server, beginning, piece, 2000)
    assert answer == b"closed" or answer.startswith((b"HTTP/1.1 431", b"HTTP/1.1 400"))
    assert httpx2.get(f"{server.url}/health", timeout=LIMIT).status_code == 200


def test_a_long_head_is_read(server: Served) -> None:
    """Half of the limit is no matter, also when it comes in pieces and twice on one connection."""
    with httpx2.Client(timeout=LIMIT) as client:
        for _ in range(2):
            answer = client.get(f"{server.url}/health", headers={"X-Filler": "a" * (MAX_HEAD // 2)})
            assert answer.status_code == 200


# -- waiting ------------------------------------------------------------------------------------------------

#: Seconds that requests get in these tests.
SHORT = 0.3
HALF_HEAD = b"POST /echo HTTP/1.1\r\nHost: here\r\nContent-Le"
HALF_BODY = b"POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 6\r\n\r\nabc"
WHOLE = b"POST /echo HTTP/1.1\r\nHost: here\r\nContent-Length: 3\r\n\r\nabc"
STREAM = b"GET /stream HTTP/1.1\r\nHost: here\r\n\r\n"
WORDS = 8


async def _app(scope: Scope, receive: Receive, send: Send) -> None:
    """Gives a body back, or words with as much silence between them as no request may have."""
    body, more = b"", True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body, more = body + message.get("body", b""), message.get("more_body", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    if scope["path"] == "/stream":
        for _ in range(WORDS):
            await asyncio.sleep(SHORT / 2)
            await send({"type": "http.response.body", "body": b"word ", "more_body": True})
    await send({"type": "http.response.body", "body": b"<%s>" % body})


@pytest.fixture
def connect(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], socket.socket]]:
    """Connections to a server whose patience is short."""
    for name in ("HEAD_SECONDS", "SILENT_SECONDS"):
        monkeypatch.setattr(head_limit, name, SHORT)
    monkeypatch.setattr(head_limit, "BODY_SECONDS", 5 * SHORT)
    server = uvicorn.Server(uvicorn.Config(_app, http=BoundedRequest, lifespan="off", log_config=None))
    with ExitStack() as opened, socket.create_server(("127.0.0.1", 0)) as listening:
        thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listening])))
        address = listening.getsockname()
        thread.start()
        try:
            yield lambda: opened.enter_context(socket.create_connection(address, timeout=LIMIT))
        finally:
            server.should_exit = True
            join(thread)


def said(connection: socket.socket) -> bytes:
    """Everything that is answered until the server closes."""
    answer = b""
    while piece := connection.recv(4096):
        answer += piece
    return answer


@pytest.mark.parametrize("half", [HALF_HEAD, HALF_BODY], ids=["head", "body"])
def test_half_a_request_is_given_up(connect: Callable[[], socket.socket], half: bytes) -> None:
    """Half a head or half a body is answered with 408, also on a connection that was kept."""
    for before in (b"", WHOLE):
        connection = connect()
        connection.sendall(before + half)
        answer = said(connection)
        assert answer.count(b"HTTP/1.1 408 Request Timeout\r\n") == 1
        assert answer.endswith(b'{"error":"The request did not arrive in time; send it again."}')
        assert answer.count(b"<abc>") == bool(before)


def test_silence_is_given_up(connect: Callable[[], socket.socket]) -> None:
    """Whoever connects and says nothing is let go without a word."""
    assert said(connect()) == b""


def test_dripping_is_given_up(connect: Callable[[], socket.socket]) -> None:
    """A byte now and then does not make a head longer in coming, and a body only up to a whole limit."""
    for beginning in (HALF_HEAD, HALF_BODY.replace(b": 6", b": 6000")):
        connection = connect()
        connection.settimeout(SHORT / 3)
        connection.sendall(beginning)
        answer, pieces = b"", 0
        while not answer and pieces < 1000:
            pieces += 1
            try:
                connection.sendall(b"x")
                answer = connection.recv(4096)
            except TimeoutError:
                pass
            except ConnectionError:
                break
        assert pieces < 1000
        assert answer.startswith(b"HTTP/1.1 408") or not answer


def test_a_slow_body_is_heard_out(
    connect: Callable[[], socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is never silent for long may take longer than silence may."""
    monkeypatch.setattr(head_limit, "SILENT_SECONDS", 1.4)
    monkeypatch.setattr(head_limit, "BODY_SECONDS", LIMIT)
    connection = connect()
    connection.sendall(HALF_BODY[:-3])
    for letter in (b"a", b"b", b"c", b"d", b"e", b"f"):
        time.sleep(0.3)
        connection.sendall(letter)
    answer = b""
    while b"<" not in answer:
        answer += connection.recv(4096)
    assert b"<abcdef>" in answer


def test_a_stream_is_not_cut_off(connect: Callable[[], socket.socket]) -> None:
    """An answer takes as long as it takes, also when half of the next request has come meanwhile."""
    for more in (b"", HALF_HEAD):
        connection = connect()
        connection.sendall(STREAM + more)
        answer = b""
        while b"<>" not in answer:
            answer += connection.recv(4096)
        assert answer.count(b"word ") == WORDS
        assert b"408" not in answer


def test_a_signal_does_not_wait_for_half_requests(tmp_path: Path) -> None:
    """With 50 connections of half requests the process ends before its grace does, and its log has no trace."""
    with served(tmp_path / "memory.db", "--no-worker") as running, ExitStack() as opened:
        address = urlsplit(running.url)
        for number in range(50):
            connection = opened.enter_context(
                socket.create_connection((address.hostname, address.port), timeout=LIMIT)
            )
            connection.sendall((HALF_HEAD, HALF_BODY.replace(b"/echo", b"/memories"), b"")[number % 3])
        assert httpx2.get(f"{running.url}/health", timeout=LIMIT).status_code == 200
        running.process.send_signal(signal.SIGTERM)
        assert running.process.wait(GRACE_SECONDS - 5) == 0
        log = running.log.read_text()
    assert "Traceback" not in log
    assert "http.dropped waiting_for=body" in log
    assert not re.search("ERROR|WARNING", log), log
