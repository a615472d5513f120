"""What a request's body may be, tried over real HTTP and on the functions that decide."""

import asyncio
import json
import socket
import threading
from collections.abc import AsyncIterator
from urllib.parse import urlsplit

import httpx2
import pytest
from conftest import FakeEmbedder
from fastapi import FastAPI
from hypothesis import given
from hypothesis import strategies as st
from serving import SERVICE_KEY, Http, Service, serving
from starlette.responses import StreamingResponse

from recollect.server.limits import MAX_BODY, MAX_DEPTH, depth_beyond, unsound

JSON = {"Content-Type": "application/json"}


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


def deep(value: object) -> int:
    if isinstance(value, dict):
        return 1 + max(map(deep, value.values()), default=0)
    return 1 + max(map(deep, value), default=0) if isinstance(value, list) else 0


@given(
    st.recursive(
        st.none() | st.integers() | st.text(alphabet='[]{}"\\aé', max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.text(alphabet='[{"\\', max_size=3), inner)
        ),
        max_leaves=40,
    ),
    st.integers(0, 6),
)
def test_depth_is_that_of_the_value(value: object, most: int) -> None:
    """Brackets are counted as JSON means them, whatever texts hold."""
    assert depth_beyond(json.dumps(value, ensure_ascii=False).encode(), most) == (deep(value) > most)


@pytest.mark.parametrize(
    ("body", "word"),
    [
        (nested(MAX_DEPTH + 1), "more than 64 levels"),
        (nested(100_000), "more than 64 levels"),
        (b"[" * 100_000, "more than 64 levels"),
        (b'{"a":' * 70 + b"1" + b"}" * 70, "more than 64 levels"),
        (b'{"text": NaN}', "not valid JSON"),
        (b'{"text": Infinity}', "not valid JSON"),
        (b'{"text": -Infinity}', "not valid JSON"),
        (b'{"text": 1e999}', "not valid JSON"),
        (b'{"text": 1' + b"0" * 400 + b"}", "not valid JSON"),
        (b'{"text": "\xff"}', "not valid JSON"),
        (b'{"text": "\\ud800"}', "not valid JSON"),
        ('{"text": "ü"}'.encode("utf-16"), "not valid JSON"),
        (b"\xef\xbb\xbf{}", "not valid JSON"),
        (b'{"text": "a" ', "not valid JSON"),
        (b"{'text': 1}", "not valid JSON"),
        (b"\x00", "not valid JSON"),
        (b"{}{}", "not valid JSON"),
        (b'"' + b'\\"' * 200_000 + b"[" * 65, "not valid JSON"),
    ],
)
def test_unsound_json_is_refused(http: Http, body: bytes, word: str) -> None:
    """What another parser would read otherwise, or not at all, is a 400 that says why."""
    answer = http.post("/v1/todos", content=body, headers=JSON)
    assert answer.status_code == 400
    assert word in answer.json()["error"]


def test_sixty_four_levels_are_enough(http: Http) -> None:
    """The deepest body that is allowed reaches its route."""
    assert unsound(nested(MAX_DEPTH)) is None
    answer = http.post("/v1/todos", content=nested(MAX_DEPTH), headers=JSON)
    assert answer.json() == {"error": "body must be an object, not a list."}


def test_brackets_in_texts_are_no_levels(http: Http) -> None:
    """A todo may be full of brackets."""
    answer = http.post("/v1/todos", json={"text": "[{" * 200 + '"\\'})
    assert answer.status_code == 201


@pytest.mark.parametrize(
    "kind", ["text/plain", "application/x-www-form-urlencoded", "application/xml", "nonsense"]
)
def test_other_types_are_refused_with_a_word(http: Http, kind: str) -> None:
    """JSON must be called JSON: the sentence says how."""
    answer = http.post("/v1/todos", content=b'{"text": "x"}', headers={"Content-Type": kind})
    assert answer.status_code == 400
    assert "Content-Type: application/json" in answer.json()["error"]


def test_without_a_type(service: Service, user: str) -> None:
    """A body without a content type is refused with the same word."""
    status, body = raw(service, user, b"Content-Length: 13\r\n", b'{"text": "x"}')
    assert status == 400
    assert b"Content-Type: application/json" in body


@pytest.mark.parametrize(
    "kind", ["application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"]
)
def test_json_by_other_names(http: Http, kind: str) -> None:
    """Parameters, capitals and +json are JSON."""
    answer = http.post("/v1/todos", content=b'{"text": "Call the dentist"}', headers={"Content-Type": kind})
    assert answer.status_code == 201


def test_a_body_of_eight_megabytes_is_read(http: Http) -> None:
    """Up to the limit it is the route that decides."""
    text = b'{"text": "' + b"x" * (MAX_BODY - 12) + b'"}'
    assert len(text) == MAX_BODY
    answer = http.post("/v1/todos", content=text, headers=JSON)
    assert answer.status_code == 400
    assert answer.json()["error"].startswith("text")


def test_a_larger_body_is_refused(http: Http) -> None:
    """One byte more is a 413, also for a client that sends everything before it looks; the next request works."""
    answer = http.post("/v1/todos", content=b"x" * (MAX_BODY + 1), headers=JSON)
    assert answer.status_code == 413
    assert answer.json() == {"error": "The body is larger than 8 MB; split it into several requests."}
    assert answer.headers["x-request-id"]
    assert http.post("/v1/todos", json={"text": "Call the dentist"}).status_code == 201


def test_a_larger_body_in_pieces_is_refused(http: Http) -> None:
    """A body that does not say how long it is, is measured."""
    answer = http.post("/v1/todos", content=(b"x" * 2**20 for _ in range(9)), headers=JSON)
    assert answer.status_code == 413


def test_it_is_refused_before_it_is_read(service: Service, user: str) -> None:
    """Who announces too much is answered although nothing of it has come."""
    status, body = raw(service, user, b"Content-Type: application/json\r\nContent-Length: 90000000\r\n", b"[")
    assert status == 413
    assert json.loads(body)["error"].startswith("The body is larger")


@pytest.mark.parametrize("announced", [True, False])
def test_strangers_are_not_heard_out(service: Service, announced: bool) -> None:
    """A larger body of somebody without a token is refused before all of it has come."""
    there = urlsplit(service.url)
    head = b"POST /v1/todos HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
    sent = b"[" * 100_000
    if announced:
        head += b"Content-Length: 8000000\r\n\r\n"
    else:
        head += b"Transfer-Encoding: chunked\r\n\r\n"
        sent = b"%x\r\n%s\r\n" % (len(sent), sent)
    with socket.create_connection((there.hostname, there.port), timeout=60) as connection:
        connection.sendall(head + sent)
        answer = b""
        while not answer.endswith(b"}") and (piece := connection.recv(10_000)):
            answer += piece
    assert answer.startswith(b"HTTP/1.1 401 ")
    assert answer.endswith(b'{"error":"Authentication required"}')


def test_a_large_body_is_counted_once(tmp_path_factory: pytest.TempPathFactory) -> None:
    """That the gate is asked before a body is read costs its sender no second request."""
    path = tmp_path_factory.mktemp("counted") / "memory.db"
    with serving(path, embedder=FakeEmbedder(), requests_per_minute=12) as hasty:
        http = hasty.http("ann")
        body = json.dumps({"text": "x" * 2_000_000}).encode()
        statuses = [http.post("/v1/todos", content=body, headers=JSON).status_code for _ in range(3)]
    assert statuses == [400, 400, 429]


def test_half_a_body_is_no_request(service: Service, user: str, http: Http) -> None:
    """Who leaves in the middle of a body has asked for nothing, though what came could be read."""
    there = urlsplit(service.url)
    with socket.create_connection((there.hostname, there.port), timeout=60) as connection:
        connection.sendall(
            b"POST /v1/todos HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"
            b"Authorization: Bearer " + SERVICE_KEY.encode() + b"\r\nX-User-Id: " + user.encode() + b"\r\n"
            b'Content-Length: 99\r\n\r\n{"text": "Call the dentist"}'
        )  # fmt: skip
        connection.shutdown(socket.SHUT_WR)
        assert connection.recv(1000) == b""
    assert http.get("/v1/todos").json()["todos"] == []


def test_the_proxy_has_openais_shape(service: Service, user: str) -> None:
    """Where OpenAI's clients ask, also this error has their form."""
    status, body = raw(
        service,
        user,
        b"Content-Type: application/json\r\nContent-Length: 90000000\r\n",
        b"[",
        path=b"/v1/chat/completions",
    )
    assert status == 413
    assert json.loads(body)["error"]["type"] == "invalid_request_error"


def test_large_answers_are_compressed_and_small_ones_not(http: Http) -> None:
    """gzip is for those who ask and where it helps."""
    big, small = http.get("/openapi.json"), http.get("/health")
    assert big.headers["content-encoding"] == "gzip"
    assert "content-encoding" not in small.headers
    plain = http.get("/openapi.json", headers={"Accept-Encoding": "identity"})
    assert "content-encoding" not in plain.headers
    assert plain.json() == big.json()


def test_event_streams_are_never_held_back(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Each event arrives before the next one is made, also at a client that could read gzip."""
    go_on = threading.Event()

    def add_route(app: FastAPI) -> None:
        async def stream() -> StreamingResponse:
            async def events() -> AsyncIterator[str]:
                yield "data: 1\n\n"
                assert await asyncio.to_thread(go_on.wait, 60)
                yield "data: 2\n\n"

            return StreamingResponse(events(), media_type="text/event-stream")

        app.add_api_route("/test/stream", stream, include_in_schema=False, response_model=None)

    file = tmp_path_factory.mktemp("stream") / "memory.db"
    with (
        serving(file, embedder=FakeEmbedder(), extended=add_route, worker="off") as service,
        httpx2.stream("GET", f"{service.url}/test/stream", timeout=60) as answer,
    ):
        assert "gzip" in answer.request.headers["accept-encoding"]
        assert "content-encoding" not in answer.headers
        pieces = answer.iter_text()
        assert next(pieces) == "data: 1\n\n"
        go_on.set()
        assert next(pieces) == "data: 2\n\n"


def test_headers_of_every_answer(http: Http, service: Service) -> None:
    """No answer is sniffed, framed or kept, errors and unknown paths included."""
    answers = [
        http.get("/health"),
        http.get("/nowhere"),
        service.anyone.get("/memories"),
        http.post("/v1/todos"),
    ]
    for answer in answers:
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "no-referrer"
        assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
        assert answer.headers["cache-control"] == "no-store"


def test_pages_of_others_may_not_ask(http: Http) -> None:
    """Without a word in the settings no origin is let in."""
    answer = http.options(
        "/memories", headers={"Origin": "https://a.example", "Access-Control-Request-Method": "POST"}
    )
    assert answer.status_code == 405
    assert "access-control-allow-origin" not in answer.headers
    assert (
        "access-control-allow-origin"
        not in http.get("/health", headers={"Origin": "https://a.example"}).headers
    )


def test_pages_that_are_named_may_ask(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Named origins are let in, and see what they need; others still not."""
    file = tmp_path_factory.mktemp("cors") / "memory.db"
    with serving(
        file, embedder=FakeEmbedder(), cors_origins="https://a.example, https://b.example"
    ) as service:
        asked = {"Access-Control-Request-Method": "POST", "Access-Control-Request-Headers": "x-session-token"}
        good = service.anyone.options("/memories", headers={"Origin": "https://b.example", **asked})
        assert good.status_code == 200
        assert good.headers["access-control-allow-origin"] == "https://b.example"
        refused = service.anyone.get("/memories", headers={"Origin": "https://a.example"})
        assert refused.status_code == 401
        assert refused.headers["access-control-allow-origin"] == "https://a.example"
        assert "X-Request-Id" in refused.headers["access-control-expose-headers"]
        bad = httpx2.options(f"{service.url}/memories", headers={"Origin": "https://c.example", **asked})
        assert "access-control-allow-origin" not in bad.headers


def raw(
    service: Service, user: str, headers: bytes, body: bytes, path: bytes = b"/v1/todos"
) -> tuple[int, bytes]:
    """Status and body of a request whose every byte is the test's own."""
    there = urlsplit(service.url)
    with socket.create_connection((there.hostname, there.port), timeout=60) as connection:
        connection.sendall(
            b"POST " + path + b" HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n"
            b"Authorization: Bearer " + SERVICE_KEY.encode() + b"\r\nX-User-Id: " + user.encode() + b"\r\n"
            + headers + b"\r\n" + body
        )  # fmt: skip
        with connection.makefile("rb") as answer:
            status = int(answer.readline().split()[1])
            length = 0
            while (line := answer.readline().strip()) != b"":
                if line.lower().startswith(b"content-length:"):
                    length = int(line.split(b":")[1])
            return status, answer.read(length)


@pytest.mark.parametrize("address", ["/memories/%ED%A0%80", "/v1/chats/%FF", "/v1/tools?format=%ED%A0%80"])
def test_an_address_that_is_not_utf8_is_refused(http: Http, address: str) -> None:
    """Bytes that are no text name nothing: 400, whatever the route."""
    answer = http.get(address)
    assert (answer.status_code, answer.json()["error"]) == (
        400,
        "The URL must be percent-encoded UTF-8.",
    )
