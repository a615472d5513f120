"""Limits for request bodies: at most 8 MB, and only JSON that every parser reads the same way.

A body that is too large is refused by its announced length, or as soon as it exceeds the limit. JSON is parsed strictly here
(UTF-8, no NaN, no number beyond a double, no lone surrogates, 64 levels), so that routes get no surprises; FastAPI then
parses it again, leniently. For other content types, only the size is checked. A URL must be UTF-8; `head_limit` limits the
length of the URL and headers.
"""

import asyncio
import re
from contextlib import suppress
from typing import Final
from urllib.parse import unquote_to_bytes

import numpy as np
import orjson
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.errors import RecollectError
from recollect.server.caller import admitted
from recollect.server.errors import Problem, answer_to, of_openai, refusal

#: Maximum bytes of a body, including imports.
MAX_BODY: Final = 8 * 2**20
#: Maximum bytes of a body read before the caller is known.
_FROM_ANYBODY: Final = 64 * 2**10
#: Maximum nesting levels of JSON.
MAX_DEPTH: Final = 64
#: Bytes and seconds for which a refused body is still read and discarded. Most clients read the response only after sending
#: everything, and would miss it if the connection closed earlier.
_DRAINED_BYTES: Final = 4 * MAX_BODY
_DRAINED_SECONDS: Final = 5.0
_WITHOUT_BODY: Final = frozenset(("GET", "HEAD", "OPTIONS"))
#: Matches a JSON string, even an unterminated one, without backtracking from each quote.
_TEXT: Final = re.compile(rb'"[^"\\]*+(?:\\.[^"\\]*+)*+"?', re.DOTALL)
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))


class Limits:
    """Lets through only small, valid bodies."""

    def __init__(self, app: ASGIApp) -> None:
        self._app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        path: str = scope["path"]
        if _misread(scope):
            await refusal(path, 400, "The URL must be percent-encoded UTF-8.")(scope, receive, send)
            return
        if scope["method"] in _WITHOUT_BODY:
            await self._app(scope, receive, send)
            return
        length, is_json = _announced(scope)
        try:
            body = await _read(scope, receive) if length <= MAX_BODY else None
        except ClientDisconnect:
            return
        except (Problem, RecollectError) as error:
            await _refuse(answer_to(error, path), receive, send)
            return
        if body is None:
            too_large = refusal(
                path, 413, f"The body is larger than {MAX_BODY // 2**20} MB; split it into several requests."
            )
            await _refuse(too_large, receive, send)
            return
        reason = unsound(body) if body and (is_json or of_openai(path)) else None
        if reason is not None:
            await refusal(path, 400, reason)(scope, receive, send)
            return
        await self._app(scope, replayed(body, receive), send)


def replayed(body: bytes, receive: Receive) -> Receive:
    """Replays a body that was already read; later messages pass unchanged."""
    waiting: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

    async def again() -> Message:
        return waiting.pop() if waiting else await receive()

    return again


def unsound(body: bytes) -> str | None:
    """The error in a JSON text, or None."""
    if depth_beyond(body, MAX_DEPTH):
        return f"The body is nested more than {MAX_DEPTH} levels deep; flatten it."
    try:
        orjson.loads(body)
    except orjson.JSONDecodeError as error:
        return f"The body is not valid JSON: {error}."
    return None


def depth_beyond(body: bytes, most: int) -> bool:
    """Whether JSON is nested too deeply; strings are skipped only if there are enough brackets to matter."""
    if body.count(b"[") + body.count(b"{") <= most:
        return False
    brackets = np.frombuffer(_TEXT.sub(b"", body).translate(None, _NO_BRACKETS), dtype=np.uint8)
    steps = np.where((brackets == ord("[")) | (brackets == ord("{")), 1, -1)
    return bool(len(steps)) and int(np.cumsum(steps).max()) > most


def _misread(scope: Scope) -> bool:
    """Whether the URL is not UTF-8: the server replaces what it cannot decode with this character."""
    query: bytes = scope["query_string"]
    return ("\ufffd" in scope["path"] and not _is_text(scope["raw_path"])) or (
        b"%" in query and not _is_text(query)
    )


def _is_text(encoded: bytes) -> bool:
    try:
        unquote_to_bytes(encoded).decode()
    except UnicodeDecodeError:
        return False
    return True


def _announced(scope: Scope) -> tuple[int, bool]:
    """A body's announced length, or 0, and whether its content type is JSON."""
    length, is_json = 0, False
    for name, value in scope["headers"]:
        if name == b"content-length":
            with suppress(ValueError):  # The server has already refused it.
                length = int(value)
        elif name == b"content-type":
            kind = value.partition(b";")[0].strip().lower()
            is_json = kind == b"application/json" or kind.endswith(b"+json")
    return length, is_json


async def _read(scope: Scope, receive: Receive) -> bytes | None:
    """The whole body, or None if it is too large. An incomplete body is dropped, because its sender disconnected."""
    chunks: list[bytes] = []
    size, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            raise ClientDisconnect
        chunks.append(message.get("body", b""))
        size += len(chunks[-1])
        if size > MAX_BODY:
            return None
        more = message.get("more_body", False)
        if more and size > _FROM_ANYBODY:
            await admitted(Request(scope))
    return chunks[0] if len(chunks) == 1 else b"".join(chunks)


async def _refuse(answer: Response, receive: Receive, send: Send) -> None:
    """Refuse a body at once, and discard what the client sends for a while."""
    answer.headers["connection"] = "close"
    await send({"type": "http.response.start", "status": answer.status_code, "headers": answer.raw_headers})
    await send({"type": "http.response.body", "body": bytes(answer.body), "more_body": True})
    drained, more = 0, True
    with suppress(TimeoutError):
        async with asyncio.timeout(_DRAINED_SECONDS):
            while more and drained < _DRAINED_BYTES:
                message = await receive()
                drained += len(message.get("body", b""))
                more = message.get("more_body", False)
    await send({"type": "http.response.body", "body": b"", "more_body": False})
