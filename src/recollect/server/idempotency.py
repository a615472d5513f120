"""Idempotency: a request with an `Idempotency-Key` is executed once, even if it is sent again.

This layer wraps the routes, which do not know about it. The first response is stored for 24 hours and returned again for
the same request from the same caller. It is stored before its last part is sent, so a client that has received it can rely
on it. If a client disconnects, its request continues, because a second attempt will want the result. Only successful
responses are stored, in JSON or as an event stream, up to 1 MB: an error changes nothing, and the store could not forget
what it cannot read.
"""

import asyncio
import hashlib
import logging
import re
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, Final

import orjson
from fastapi import Request
from starlette.responses import Response
from starlette.routing import compile_path
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.api.hosting import Service
from recollect.engine.idempotency import TAKEN_OVER_AFTER, Earlier, check_key
from recollect.errors import RecollectError
from recollect.server.caller import Caller, admitted
from recollect.server.errors import Problem, answer_to
from recollect.server.limits import replayed

log = logging.getLogger(__name__)

WRITING: Final = frozenset(("POST", "PUT", "PATCH", "DELETE"))
#: Maximum bytes of a stored response.
MAX_KEPT: Final = 2**20
#: Excluded paths: sessions contain secrets, OpenAI's and MCP's protocols have their own rules, and vectors are not stored.
_NOT_HERE: Final = re.compile(r"/auth/|/mcp(?:/|$)|/v1/(?:chat/completions|embeddings)$")
#: Routes that store keys themselves, by method and path, in the same transaction as their data.
ROUTES_WITH_BUILT_IN_IDEMPOTENCY: Final = (("POST", "/v1/chats/{chat_id}/messages"),)
_BUILT_IN: Final = tuple((method, compile_path(path)[0]) for method, path in ROUTES_WITH_BUILT_IN_IDEMPOTENCY)
#: Matches our IDs inside longer texts, so that forgetting finds responses that only mention them.
_IDS: Final = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[0-9a-f]{8}|\d{13}-[0-9a-f]{12}")
_STREAM: Final = "text/event-stream"


def takes_key(method: str, path: str) -> bool:
    """Whether this layer stores keys for such requests."""
    return (
        method in WRITING
        and not _NOT_HERE.match(path)
        and not any(method == own and pattern.match(path) for own, pattern in _BUILT_IN)
    )


class Idempotency:
    """Returns the first response again."""

    def __init__(self, app: ASGIApp, service: Service) -> None:
        self._app = app
        self._service = service

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        key = _key_of(scope) if scope["type"] == "http" and scope["method"] in WRITING else None
        if key is None or not takes_key(scope["method"], scope["path"]):
            await self._app(scope, receive, send)
            return
        try:
            check_key(key)
            caller = await admitted(Request(scope))
            body = await _body(receive)
            held = _Held(self._service, caller, key, _hash(scope, caller, body))
            # Without a user, there is no owner for the stored response.
            earlier = await held.begin() if caller.user_id is not None else None
        except (Problem, RecollectError) as error:
            await answer_to(error)(scope, receive, send)
            return
        if caller.user_id is None:
            await self._app(scope, replayed(body, receive), send)
        elif earlier is not None:
            await _again(earlier, key)(scope, receive, send)
        else:
            await self._run(scope, body, send, held)

    async def _run(self, scope: Scope, body: bytes, send: Send, held: "_Held") -> None:
        keeping = _Keeping(send, held)
        alive = asyncio.create_task(held.stay_alive())
        try:
            await self._app(scope, replayed(body, _nobody_leaves), keeping.send)
        except Exception:
            await held.release()
            raise
        finally:
            alive.cancel()
        if not keeping.ended:
            await held.release()


class _Held:
    """The key of a request in progress."""

    def __init__(self, service: Service, caller: Caller, key: str, request_hash: str) -> None:
        self._service = service
        self._request = (caller.user_id or "", key, request_hash)

    async def begin(self) -> Earlier | None:
        return await self._service.begin(*self._request)

    async def stay_alive(self) -> None:
        """Renew the key while the request runs; three renewals fit into the time after which others could take it over."""
        while True:
            await asyncio.sleep(TAKEN_OVER_AFTER.total_seconds() / 3)
            with suppress(RecollectError):  # The next renewal may succeed.
                await self._service.renew(*self._request)

    async def keep(self, answer: bytes | None) -> None:
        """Store the response, or release the key if there is none. Never fails, because the request itself is done."""
        try:
            if answer is None:
                await self._service.release(*self._request)
            else:
                await self._service.keep(*self._request, answer.decode())
        except RecollectError as error:
            log.warning("idempotency.not_kept user=%s error=%s", self._request[0], type(error).__name__)

    async def release(self) -> None:
        await self.keep(None)


class _Keeping:
    """Copies a response while it is sent."""

    def __init__(self, send: Send, held: _Held) -> None:
        self._send = send
        self._held = held
        self._status = 0
        self._type = ""
        #: None if it is too long to store.
        self._copy: bytearray | None = bytearray()
        self.ended = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self._status = message["status"]
            types = [value for name, value in message.get("headers", ()) if name == b"content-type"]
            self._type = types[0].decode("latin-1") if types else ""
        elif message["type"] == "http.response.body":
            self._add(message.get("body", b""))
            if not message.get("more_body", False):
                self.ended = True
                await self._held.keep(self._kept())
        await self._send(message)

    def _add(self, chunk: bytes) -> None:
        if self._copy is not None:
            self._copy += chunk
            if len(self._copy) > MAX_KEPT:
                self._copy = None

    def _kept(self) -> bytes | None:
        return None if self._copy is None else kept(self._status, self._type, bytes(self._copy))


def kept(status: int, content_type: str, body: bytes) -> bytes | None:
    """The response as JSON in which every ID is a separate string; None if it must not be stored."""
    if not 200 <= status < 300:
        return None
    answer: dict[str, Any] = {"status": status, "type": content_type}
    kind = content_type.partition(";")[0].strip()
    try:
        if kind == _STREAM:
            answer["events"] = [_event(block) for block in body.split(b"\n\n") if block.strip()]
            if answer["events"] and answer["events"][-1]["event"] == "error":
                # A stream that ended in an error may be retried, as after any other error.
                return None
        elif kind == "application/json":
            answer["body"] = orjson.loads(body)
        elif body:
            return None
    except orjson.JSONDecodeError:
        return None
    answer["ids"] = sorted({found.decode() for found in _IDS.findall(body)})
    return orjson.dumps(answer)


def _event(block: bytes) -> dict[str, Any]:
    """A stream event's name and data."""
    lines = [line.partition(b":") for line in block.split(b"\n")]
    name = b"".join(value.strip() for field, _, value in lines if field == b"event")
    data = b"\n".join(value.removeprefix(b" ") for field, _, value in lines if field == b"data")
    return {"event": name.decode(), "data": orjson.loads(data) if data else None}


def _again(earlier: Earlier, key: str) -> Response:
    """The response to a second request with a key."""
    if not earlier.same:
        return answer_to(
            Problem(
                409,
                f"The Idempotency-Key {key[:60]!r} was already used for a different request; use a new key.",
            )
        )
    if earlier.answer is None:
        return answer_to(
            Problem(
                409,
                f"The request with Idempotency-Key {key[:60]!r} is still in progress; try again later.",
                {"Retry-After": "1"},
            )
        )
    answer = orjson.loads(earlier.answer)
    headers = {"Idempotent-Replay": "true"}
    if answer["type"]:
        headers["Content-Type"] = answer["type"]
    if "events" in answer:
        content = b"".join(_written(event) for event in answer["events"])
    else:
        content = orjson.dumps(answer["body"]) if "body" in answer else b""
    return Response(content, answer["status"], headers)


def _written(event: dict[str, Any]) -> bytes:
    if event["data"] is None:
        # A keep-alive comment.
        return b""
    name = f"event: {event['event']}\n".encode() if event["event"] else b""
    return name + b"data: " + orjson.dumps(event["data"]) + b"\n\n"


def _key_of(scope: Scope) -> str | None:
    for name, value in scope["headers"]:
        if name == b"idempotency-key":
            return value.decode("latin-1")
    return None


async def _body(receive: Receive) -> bytes:
    """The body, which the limits layer has already joined into one message."""
    return (await receive()).get("body", b"")


def _hash(scope: Scope, caller: Caller, body: bytes) -> str:
    """A request's fingerprint. It includes the caller's scopes, so that a response goes only to callers allowed to request it."""
    said: Iterable[bytes] = (
        scope["method"].encode(),
        scope["path"].encode("utf-8", "surrogatepass"),
        scope["query_string"],
        ",".join(sorted(caller.scopes)).encode(),
        body,
    )
    return hashlib.sha256(b"\0".join(said)).hexdigest()


async def _nobody_leaves() -> Message:
    """Hides from the route that the client disconnected, because the client will request the result again."""
    await asyncio.Event().wait()
    raise AssertionError("unreachable")
