"""What stands around a request: its id, its line in the log, and the end of whatever nobody foresaw."""

import asyncio
import logging
import re
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import httpx2
import pytest
from conftest import FakeEmbedder
from fastapi import FastAPI
from serving import SERVICE_KEY, Http, Service, serving
from starlette.responses import StreamingResponse
from starlette.types import Message, Receive, Scope, Send

from recollect.server.metrics import Metrics
from recollect.server.request_log import RequestLog, fields_of

REQUESTS = "recollect.server.request_log"


def add_routes(app: FastAPI) -> None:
    """Routes that go wrong."""

    async def bug(name: str) -> None:
        raise RuntimeError("a word that only the log may have")

    async def breaks(name: str) -> StreamingResponse:
        async def chunks() -> Iterator[str]:
            yield "data: 1\n\n"
            raise RuntimeError("in the middle")

        return StreamingResponse(chunks(), media_type="text/event-stream")

    for route in (bug, breaks):
        app.add_api_route(
            f"/test/{route.__name__}/{{name}}", route, include_in_schema=False, response_model=None
        )


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with a route that has a bug."""
    file = tmp_path_factory.mktemp("log") / "memory.db"
    with serving(file, embedder=FakeEmbedder(), extended=add_routes, worker="off") as running:
        yield running


def lines(caplog: pytest.LogCaptureFixture, count: int = 1) -> list[str]:
    """The lines of so many requests; each comes a moment after its answer."""
    until(lambda: len(told(caplog)) >= count)
    return [record.getMessage() for record in told(caplog)]


def told(caplog: pytest.LogCaptureFixture) -> list[logging.LogRecord]:
    return [record for record in list(caplog.records) if record.name == REQUESTS]


def until(true: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.005)


def test_a_sane_id_is_taken(http: Http) -> None:
    """A client may name its request."""
    assert (
        http.get("/health", headers={"X-Request-Id": "trace-1.2:3/4"}).headers["x-request-id"]
        == "trace-1.2:3/4"
    )


@pytest.mark.parametrize("given", ["", "two words", "x" * 129, 'quo"te', "<script>"])
def test_another_id_is_replaced(http: Http, given: str) -> None:
    """What could confuse a log is not taken."""
    assert re.fullmatch(
        r"[0-9a-f]{16}", http.get("/health", headers={"X-Request-Id": given}).headers["x-request-id"]
    )


def test_ids_differ(http: Http) -> None:
    """Without a word of the client every request has its own."""
    assert len({http.get("/health").headers["x-request-id"] for _ in range(5)}) == 5


def test_a_line_a_request(http: Http, user: str, caplog: pytest.LogCaptureFixture) -> None:
    """Method, route, status, time, user and id: no id of a record, no word of a user."""
    with caplog.at_level(logging.INFO, "recollect"):
        http.get("/v1/todos/secret-word?text=secret-word", headers={"X-Request-Id": "r-1"})
        http.delete("/v1/todos/secret-word", headers={"X-Request-Id": "r-2"})
        http.get("/secret-word", headers={"X-Request-Id": "r-3"})
        found = lines(caplog, 3)
    assert re.fullmatch(
        rf"http.request method=DELETE path=/v1/todos/\{{todo_id\}} status=404 ms=\d+\.\d user={user} request=r-2",
        found[1],
    )
    assert re.fullmatch(
        r"http.request method=GET path=\(none\) status=404 ms=\d+\.\d user=None request=r-3", found[2]
    )
    assert "secret-word" not in "".join(found)


def test_signs_of_life_are_quiet(http: Http, caplog: pytest.LogCaptureFixture) -> None:
    """What machines ask every few seconds is logged at debug, unless it fails."""
    with caplog.at_level(logging.DEBUG, "recollect"):
        assert http.get("/health").status_code == 200
        until(lambda: any("path=/health " in record.getMessage() for record in told(caplog)))
    levels = {record.levelno for record in told(caplog) if "path=/health " in record.getMessage()}
    assert levels == {logging.DEBUG}


def test_a_bug_is_a_500_with_an_id(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    """The client is told an id; the log has the trace under it, and the route instead of the path."""
    with caplog.at_level(logging.INFO, "recollect"):
        answer = httpx2.get(f"{service.url}/test/bug/secret-word", timeout=60)
        assert "status=500" in lines(caplog)[0]
    assert answer.status_code == 500
    incident = re.fullmatch(
        r"Internal error; see ([0-9a-f]{12}) in the service's log\.", answer.json()["error"]
    )
    assert incident is not None
    assert "word" not in answer.text
    assert answer.headers["x-request-id"]
    assert answer.headers["x-content-type-options"] == "nosniff"
    failed = next(record for record in caplog.records if record.getMessage().startswith("http.failed"))
    assert failed.getMessage() == f"http.failed incident={incident[1]} method=GET path=/test/bug/{{name}}"
    assert failed.exc_info is not None


def test_a_stream_that_breaks_is_logged(service: Service, caplog: pytest.LogCaptureFixture) -> None:
    """What goes wrong after the beginning ends the connection, so that nobody takes it for the whole."""
    with caplog.at_level(logging.INFO, "recollect"):
        with pytest.raises(httpx2.RemoteProtocolError):
            httpx2.get(f"{service.url}/test/breaks/1", timeout=60)
        lines(caplog)
    assert any(record.getMessage().startswith("http.failed") for record in caplog.records)
    assert service.anyone.get("/health").status_code == 200


def test_lines_of_a_request_carry_its_id(service: Service, user: str) -> None:
    """Whatever is logged while a request is served can be told from the rest."""

    class Gathering(logging.Handler):
        def emit(self, record: logging.LogRecord) -> None:
            found.append(fields_of(record))

    found: list[dict[str, object]] = []
    ours, gathering = logging.getLogger("recollect"), Gathering()
    before = ours.level
    ours.addHandler(gathering)
    ours.setLevel(logging.INFO)
    try:
        body = {"content": "I prefer dark mode in editors", "category": "preference"}
        headers = {"Authorization": f"Bearer {SERVICE_KEY}", "X-User-Id": user, "X-Request-Id": "r-9"}
        httpx2.post(f"{service.url}/memories", json=body, headers=headers, timeout=60)
        until(lambda: len(found) >= 2)
    finally:
        ours.removeHandler(gathering)
        ours.setLevel(before)
    assert [(item["event"], item["request"]) for item in found] == [
        ("memory.added", "r-9"),
        ("http.request", "r-9"),
    ]


def test_local_mode_is_logged_too(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> None:
    """A request that another layer refused has its id and its line."""
    with (
        caplog.at_level(logging.INFO, "recollect"),
        serving(tmp_path / "memory.db", local=True, embedder=FakeEmbedder(), worker="off") as service,
    ):
        answer = httpx2.get(f"{service.url}/memories", headers={"Host": "evil.example"}, timeout=60)
    assert answer.status_code == 403
    assert answer.headers["x-request-id"]
    assert "status=403" in lines(caplog)[0]


def test_a_request_that_the_end_cuts_off() -> None:
    """When the server's patience is over, whoever has no answer yet is told so, and nothing is raised."""
    sent: list[Message] = []

    async def never(scope: Scope, receive: Receive, send: Send) -> None:
        await asyncio.Event().wait()

    async def nothing() -> Message:
        raise AssertionError

    async def send(message: Message) -> None:
        sent.append(message)

    async def cut_off() -> None:
        scope: Scope = {"type": "http", "method": "GET", "path": "/memories", "headers": []}
        running = asyncio.create_task(RequestLog(never, Metrics())(scope, nothing, send))
        await asyncio.sleep(0)
        running.cancel()
        await running

    asyncio.run(cut_off())
    assert sent[0]["status"] == 503
    assert sent[1]["body"] == b'{"error":"The service is stopping."}'
