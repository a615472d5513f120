"""Requests with an `Idempotency-Key`: sent twice, carried out once.

A layer around the routes, so that no route knows of it: the first answer is kept in the store for 24 hours and given
again to the same request of the same caller. It is kept before its end is sent, so that a client who has it can rely on it. A
client that leaves does not end its request: the second attempt will ask for what came of it. Only good answers are kept, in
JSON or as an event stream, up to 1 MB: after an error nothing has changed, and what the store cannot read it could not
forget.
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
#: Bytes of an answer that is kept, at most.
MAX_KEPT: Final = 2**20
#: Never here: sessions hold secrets, and OpenAI's and MCP's protocols have ways of their own; of vectors nothing is kept.
_NOT_HERE: Final = re.compile(r"/auth/|/mcp(?:/|$)|/v1/(?:chat/completions|embeddings)$")
#: Routes that keep keys themselves, by method and path: what they store and the key are one transaction.
ROUTES_WITH_BUILT_IN_IDEMPOTENCY: Final = (("POST", "/v1/chats/{chat_id}/messages"),)
_BUILT_IN: Final = tuple((method, compile_path(path)[0]) for method, path in ROUTES_WITH_BUILT_IN_IDEMPOTENCY)
#: Our ids inside longer texts, so that forgetting finds an answer that only mentions them.
_IDS: Final = re.compile(rb"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[0-9a-f]{8}|\d{13}-[0-9a-f]{12}")
_STREAM: Final = "text/event-stream"


def takes_key(method: str, path: str) -> bool:
    """Whether keys of such requests are kept here."""
    return (
        method in WRITING
        and not _NOT_HERE.match(path)
        and not any(method == own and pattern.match(path) for own, pattern in _BUILT_IN)
    )


class Idempotency:
    """Gives the first answer again."""

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
            # A service that acts for nobody changes nothing that could be kept with somebody.
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
    """A key while its request is under way."""

    def __init__(self, service: Service, caller: Caller, key: str, request_hash: str) -> None:
        self._service = service
        self._request = (caller.user_id or "", key, request_hash)

    async def begin(self) -> Earlier | None:
        return await self._service.begin(*self._request)

    async def stay_alive(self) -> None:
        """Signs of life, as long as the request takes: three before others take it for dead."""
        while True:
            await asyncio.sleep(TAKEN_OVER_AFTER.total_seconds() / 3)
            with suppress(RecollectError):  # The next one may arrive.
                await self._service.renew(*self._request)

    async def keep(self, answer: bytes | None) -> None:
        """Keep the answer, or without one let the key be free. The request is done in any case: never an error."""
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
    """An answer on its way out, of which a copy is made."""

    def __init__(self, send: Send, held: _Held) -> None:
        self._send = send
        self._held = held
        self._status = 0
        self._type = ""
        #: None: it is too long to be kept.
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
    """An answer as JSON in which every id is a text of its own; None: it is not to be kept."""
    if not 200 <= status < 300:
        return None
    answer: dict[str, Any] = {"status": status, "type": content_type}
    kind = content_type.partition(";")[0].strip()
    try:
        if kind == _STREAM:
            answer["events"] = [_event(block) for block in body.split(b"\n\n") if block.strip()]
            if answer["events"] and answer["events"][-1]["event"] == "error":
                # As after any other error, trying again is meant.
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
    """One event of a stream: its name and its data."""
    lines = [line.partition(b":") for line in block.split(b"\n")]
    name = b"".join(value.strip() for field, _, value in lines if field == b"event")
    data = b"\n".join(value.removeprefix(b" ") for field, _, value in lines if field == b"data")
    return {"event": name.decode(), "data": orjson.loads(data) if data else None}


def _again(earlier: Earlier, key: str) -> Response:
    """What a second request under a key is answered."""
    if not earlier.same:
        return answer_to(Problem(409, f"The Idempotency-Key {key[:60]!r} was used for another request."))
    if earlier.answer is None:
        return answer_to(
            Problem(409, f"The request with Idempotency-Key {key[:60]!r} is under way.", {"Retry-After": "1"})
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
        # A comment that kept the connection alive.
        return b""
    name = f"event: {event['event']}\n".encode() if event["event"] else b""
    return name + b"data: " + orjson.dumps(event["data"]) + b"\n\n"


def _key_of(scope: Scope) -> str | None:
    for name, value in scope["headers"]:
        if name == b"idempotency-key":
            return value.decode("latin-1")
    return None


async def _body(receive: Receive) -> bytes:
    """The body; the limits around this layer have read it as one."""
    return (await receive()).get("body", b"")


def _hash(scope: Scope, caller: Caller, body: bytes) -> str:
    """What makes two requests the same: also what the caller may do, for an answer is only for callers who may ask."""
    said: Iterable[bytes] = (
        scope["method"].encode(),
        scope["path"].encode("utf-8", "surrogatepass"),
        scope["query_string"],
        ",".join(sorted(caller.scopes)).encode(),
        body,
    )
    return hashlib.sha256(b"\0".join(said)).hexdigest()


async def _nobody_leaves() -> Message:
    """A client that left: not told to the route, whose answer will be asked for again."""
    await asyncio.Event().wait()
    raise AssertionError("unreachable")
