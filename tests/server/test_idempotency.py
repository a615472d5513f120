"""Requests with an `Idempotency-Key`: carried out once, answered alike, and forgotten with what they tell of."""

import asyncio
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import httpx2
import pytest
from conftest import FakeClock, FakeEmbedder
from fastapi import FastAPI
from serving import SERVICE_KEY, Http, Service, serving
from starlette.responses import Response, StreamingResponse

from recollect.api.hosting import service_of
from recollect.server.idempotency import kept, takes_key
from recollect.server.wire import Json

KEY = "Idempotency-Key"
#: How often each test's own route was called, by name.
CALLS: dict[str, int] = {}
#: Held back until a test lets it go.
GATE = threading.Event()


def add_routes(app: FastAPI) -> None:
    """Routes that tests can watch."""

    async def called(name: str) -> int:
        CALLS[name] = CALLS.get(name, 0) + 1
        return CALLS[name]

    async def counted(name: str) -> Json:
        return Json({"calls": await called(name)}, 201)

    async def fails(name: str) -> Json:
        if await called(name) == 1:
            raise RuntimeError("the first time goes wrong")
        return Json({"calls": CALLS[name]})

    async def refuses(name: str) -> Json:
        return Json({"error": "no", "calls": await called(name)}, 400 if CALLS.get(name) == 1 else 200)

    async def large(name: str) -> Json:
        return Json({"calls": await called(name), "text": "x" * 2**20})

    async def plain(name: str) -> Response:
        return Response(f"calls {await called(name)}", media_type="text/markdown")

    async def empty(name: str) -> Response:
        await called(name)
        return Response(status_code=204)

    async def waits(name: str) -> Json:
        number = await called(name)
        await asyncio.to_thread(GATE.wait, 60)
        return Json({"calls": number})

    async def streams(name: str) -> StreamingResponse:
        number = await called(name)

        async def events() -> AsyncIterator[str]:
            yield f'event: chat\ndata: {{"calls": {number}}}\n\n'
            yield ": keep-alive\n\n"
            for word in ("Hel", "lo"):
                await asyncio.sleep(0.05)
                yield f'event: content.delta\ndata: {{"delta": "{word}"}}\n\n'
            yield 'event: message.completed\ndata: {"text": "Hello"}\n\n'
            CALLS[f"{name} ended"] = 1

        return StreamingResponse(events(), media_type="text/event-stream")

    for route in (counted, fails, refuses, large, plain, empty, waits, streams):
        app.add_api_route(
            f"/test/{route.__name__}/{{name}}",
            route,
            methods=["POST"],
            include_in_schema=False,
            response_model=None,
        )


@pytest.fixture(scope="module")
def moving(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Service, FakeClock]]:
    """A service whose clock tests move, with routes of their own."""
    clock = FakeClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    file = tmp_path_factory.mktemp("moving") / "memory.db"
    with serving(file, embedder=FakeEmbedder(), clock=clock, extended=add_routes) as running:
        yield running, clock


@pytest.fixture
def route(request: pytest.FixtureRequest) -> str:
    """A name that no other test calls its route by."""
    return request.node.name.replace("[", "-").replace("]", "")


def ask(service: Service, user: str, path: str, key: str, **options: Any) -> httpx2.Response:
    """One request, on a connection of its own, unchecked by a description that does not know the route."""
    headers = {
        "Authorization": f"Bearer {SERVICE_KEY}",
        "X-User-Id": user,
        KEY: key,
        **options.pop("headers", {}),
    }
    return httpx2.post(f"{service.url}{path}", headers=headers, timeout=60, verify=False, **options)


# -- the promise --------------------------------------------------------------------------------------------


def test_writes_say_that_they_take_a_key(service: Service) -> None:
    """The description names the header at every write, and at no other route."""
    for path, operations in service.described.schema["paths"].items():
        for method, operation in operations.items():
            named = [item["name"].lower() for item in operation.get("parameters", ())].count(KEY.lower())
            assert named == takes_key(method.upper(), path) or path == "/v1/chats/{chat_id}/messages"
            assert not takes_key(method.upper(), path) or "409" in operation["responses"]


@pytest.mark.parametrize(
    ("method", "path", "taken"),
    [
        ("POST", "/memories", True),
        ("DELETE", "/memories/2026-01-28T10:30:45.123Z#a1b2c3d4", True),
        ("GET", "/memories", False),
        ("POST", "/v1/chats/any%20chat/messages", False),
        ("POST", "/auth/sessions", False),
        ("POST", "/mcp", False),
        ("POST", "/mcp/", False),
        ("POST", "/mcpx", True),
        ("POST", "/v1/chat/completions", False),
        ("POST", "/v1/embeddings", False),
        ("POST", "/v1/message/first", True),
    ],
)
def test_where_keys_are_kept(method: str, path: str, taken: bool) -> None:
    """Everywhere but where secrets are answered, or where somebody else sees to it."""
    assert takes_key(method, path) is taken


# -- time ---------------------------------------------------------------------------------------------------


def test_after_a_day_the_key_is_free(moving: tuple[Service, FakeClock], route: str) -> None:
    """24 hours later the same request is carried out again."""
    service, clock = moving
    assert ask(service, "day", f"/test/counted/{route}", "k").json() == {"calls": 1}
    clock.move(hours=23, minutes=59)
    assert ask(service, "day", f"/test/counted/{route}", "k").json() == {"calls": 1}
    clock.move(minutes=2)
    assert ask(service, "day", f"/test/counted/{route}", "k").json() == {"calls": 2}


def test_old_answers_of_everybody_go(moving: tuple[Service, FakeClock], route: str) -> None:
    """What no longer counts is deleted although its user never comes back."""
    service, clock = moving
    ask(service, "gone", f"/test/counted/{route}", "k")
    clock.move(hours=25)
    assert service.run(service_of(service.memory).prune()) >= 1
    assert service.run(service_of(service.memory).prune()) == 0


def test_a_request_of_a_dead_process_is_taken_over(moving: tuple[Service, FakeClock], route: str) -> None:
    """A minute without a sign of life, and the key is the next one's."""
    service, clock = moving
    running = service_of(service.memory)
    assert service.run(running.begin("dead", "k", "the hash of a request that never ended")) is None
    assert ask(service, "dead", f"/test/counted/{route}", "k").status_code == 409
    clock.move(seconds=59)
    assert ask(service, "dead", f"/test/counted/{route}", "k").status_code == 409
    clock.move(seconds=2)
    assert ask(service, "dead", f"/test/counted/{route}", "k").json() == {"calls": 1}


def test_a_sign_of_life_keeps_a_key(moving: tuple[Service, FakeClock]) -> None:
    """A request that takes long and lives is not taken over."""
    service, clock = moving
    running = service_of(service.memory)
    assert service.run(running.begin("alive", "k", "hash")) is None
    for _ in range(4):
        clock.move(seconds=40)
        service.run(running.renew("alive", "k", "hash"))
    earlier = service.run(running.begin("alive", "k", "hash"))
    assert (earlier.same, earlier.answer) == (True, None)


# -- which answers are kept -----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [("fails", 500, 200), ("refuses", 400, 200), ("large", 200, 200), ("plain", 200, 200)],
)
def test_what_is_not_kept(
    moving: tuple[Service, FakeClock], route: str, kind: str, first: int, second: int
) -> None:
    """Errors, answers over 1 MB and what is no JSON leave the key free, and the next one is carried out."""
    service, _ = moving
    statuses = [ask(service, "free", f"/test/{kind}/{route}", route).status_code for _ in range(2)]
    assert statuses == [first, second]
    assert CALLS[route] == 2


def test_an_answer_without_a_body(moving: tuple[Service, FakeClock], route: str) -> None:
    """A 204 is kept too."""
    service, _ = moving
    answers = [ask(service, "empty", f"/test/empty/{route}", "k") for _ in range(2)]
    assert [(answer.status_code, answer.content) for answer in answers] == [(204, b""), (204, b"")]
    assert CALLS[route] == 1


def test_a_client_that_leaves_finds_its_stream(moving: tuple[Service, FakeClock], route: str) -> None:
    """A stream whose client left is finished, and the second attempt has all of it."""
    service, _ = moving
    headers = {"Authorization": f"Bearer {SERVICE_KEY}", "X-User-Id": "leaves", KEY: "k"}
    with httpx2.stream("POST", f"{service.url}/test/streams/{route}", headers=headers, timeout=60) as left:
        assert next(left.iter_text()).startswith("event: chat")
    until(lambda: CALLS.get(f"{route} ended") == 1)
    until(lambda: ask(service, "leaves", f"/test/streams/{route}", "k").status_code == 200)
    again = ask(service, "leaves", f"/test/streams/{route}", "k")
    assert events(again.text)[-1] == ("message.completed", {"text": "Hello"})
    assert CALLS[route] == 1


def test_an_answer_that_cannot_be_read_is_not_kept() -> None:
    """What is called JSON and is none, or a stream of something else, is let go."""
    assert kept(200, "application/json", b"{") is None
    assert kept(200, "text/event-stream", b"data: nonsense\n\n") is None
    assert kept(302, "application/json", b"{}") is None


# -- forgetting -----------------------------------------------------------------------------------------------


def test_forgetting_erases_kept_answers(http: Http, service: Service, user: str) -> None:
    """What a kept answer tells of a memory goes with the memory, from the table and from the disk."""
    body = {"content": "I hide the Wolframite key under the flowerpot", "category": "fact"}
    memory_id = http.post("/memories", json=body, headers={KEY: "f-1"}).json()["memoryId"]
    http.patch(f"/memories/{quoted(memory_id)}", json={"pinned": True}, headers={KEY: "f-2"})
    receipt = http.post("/v1/forget", json={"memory_id": memory_id}, headers={KEY: "f-3"}).json()["receipt"]
    assert receipt["answers"] == 2
    assert receipt["erased_from_disk"]
    assert b"Wolframite" not in on_disk(service)
    again = http.post("/memories", json=body, headers={KEY: "f-1"})
    assert "idempotent-replay" not in again.headers


def test_forgetting_a_chat_erases_answers_that_name_it(http: Http, service: Service) -> None:
    """The answer to a pin names its chat, and goes with it."""
    http.post("/v1/chats/thread-7/messages", json={"messages": [{"role": "user", "text": "Hello there"}]})
    pin = {"session_id": "thread-7", "content": "Zinnwaldite is the password"}
    assert http.post("/api/memory/pins", json=pin, headers={KEY: "g"}).status_code == 201
    assert http.post("/v1/forget", json={"chat_id": "thread-7"}).json()["receipt"]["answers"] == 1
    assert b"Zinnwaldite" not in on_disk(service)


def test_forgetting_an_entity_erases_answers_that_name_it(http: Http) -> None:
    """The answer to a merge names both, and goes with them."""
    for name in ("Jonathan Miller", "Jon Miller"):
        http.post(
            "/memories", json={"content": f"User's colleague {name} plays chess", "category": "relationship"}
        )
    keys = [entity["key"] for entity in http.get("/v1/entities").json()["entities"]]
    body = {"from": "person:jon_miller", "into": "person:jonathan_miller"}
    assert set(body.values()) <= set(keys)
    assert http.post("/v1/entities/merge", json=body, headers={KEY: "i"}).status_code == 200
    assert (
        http.post("/v1/entities/merge", json=body, headers={KEY: "i"}).headers["idempotent-replay"] == "true"
    )
    http.post("/v1/forget", json={"entity": "person:jonathan_miller"})
    assert "idempotent-replay" not in http.post("/v1/entities/merge", json=body, headers={KEY: "i"}).headers


def test_forgetting_everything_erases_all_answers(http: Http, service: Service) -> None:
    """Nothing of a user is left, kept answers included."""
    http.post("/v1/todos", json={"text": "Buy Franklinite"}, headers={KEY: "h"})
    http.post("/v1/forget", json={"everything": True})
    assert b"Franklinite" not in on_disk(service)


def test_ids_inside_texts_are_found() -> None:
    """An id that an answer only tells of stands by itself in what is kept."""
    text = "✓ Memory stored (ID: 2026-01-28T10:30:45.123Z#a1b2c3d4), message 1772366400000-0001deadbeef"
    answer = kept(200, "application/json", json.dumps({"text": text}).encode())
    assert answer is not None
    assert json.loads(answer)["ids"] == ["1772366400000-0001deadbeef", "2026-01-28T10:30:45.123Z#a1b2c3d4"]


# -- how ------------------------------------------------------------------------------------------------------


def events(text: str) -> list[tuple[str, Any]]:
    """Names and data of a stream."""
    blocks = [block.split("\n") for block in text.split("\n\n") if block.startswith("event:")]
    return [(name.removeprefix("event: "), json.loads(data.removeprefix("data: "))) for name, data in blocks]


def quoted(memory_id: str) -> str:
    return memory_id.replace("#", "%23")


def on_disk(service: Service) -> bytes:
    """The database file and its log."""
    file = Path(repr(service.memory).removeprefix("AsyncMemory('").removesuffix("')"))
    return b"".join(part.read_bytes() for part in file.parent.glob(f"{file.name}*"))


def until(true: Any) -> None:
    """Wait for what happens in another thread."""
    deadline = time.monotonic() + 60
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)
