"""What stands around every request: its id, its line in the log, its place in the metrics, and the headers of its answer.

The outermost layer, so that also an answer of the layers within is logged and carries the id, and so that whatever nobody
foresaw ends here as a 500. Paths are logged as the route spells them (`/memories/{memory_id}`): ids and words of users are
nobody's business there.
"""

import asyncio
import logging
import re
import secrets
import time
from contextvars import ContextVar
from typing import Any, Final

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.server.errors import answer_to_unforeseen, refusal
from recollect.server.metrics import Metrics

log = logging.getLogger(__name__)

#: The id of the request that is being served; every line of the log carries it.
REQUEST_ID: ContextVar[str] = ContextVar("recollect_request_id", default="")

#: What a client's own id may look like: nothing that could forge a line of a log.
_SANE = re.compile(rb"[A-Za-z0-9._:/+=@-]{1,128}")
#: Asked every few seconds by machines; their lines would hide the others.
_QUIET: Final = frozenset(("/health", "/ready", "/metrics"))
#: The client left before there was an answer; nginx's word for it.
_LEFT: Final = 499
#: On every answer that does not say otherwise itself: never guess types, tell nobody where a link was, be in no frame,
#: load nothing, and keep no copy, because an answer may tell about a person.
_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)


class RequestLog:
    """Counts, logs and marks every request."""

    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self._app = app
        self._metrics = metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        answer = _Answer(send, _id_of(scope), self._metrics)
        REQUEST_ID.set(answer.request_id)
        self._metrics.in_flight.inc()
        try:
            await self._app(scope, receive, answer.send)
        except asyncio.CancelledError:
            # Only the server does this, at the end of its patience: it would log a trace that tells nothing.
            if answer.status is None:
                await refusal(scope["path"], 503, "The service is stopping.")(scope, receive, answer.send)
        except Exception as error:
            failed = answer_to_unforeseen(error, method=scope["method"], path=template_of(scope))
            if answer.status is None:
                await failed(scope, receive, answer.send)
        finally:
            self._metrics.in_flight.dec()
            answer.end()
            self._tell(scope, answer)

    def _tell(self, scope: Scope, answer: "_Answer") -> None:
        status, path = answer.status or _LEFT, template_of(scope)
        began = answer.seconds_until_begun()
        self._metrics.answered(scope["method"], path, status, began)
        caller = scope.get("state", {}).get("caller")
        log.log(
            logging.DEBUG if path in _QUIET and status < 400 else logging.INFO,
            "http.request method=%s path=%s status=%d ms=%.1f user=%s request=%s",
            scope["method"],
            path,
            status,
            answer.seconds() * 1000,
            caller.user_id if caller is not None else None,
            answer.request_id,
        )


class _Answer:
    """One answer on its way out."""

    def __init__(self, send: Send, request_id: str, metrics: Metrics) -> None:
        self.request_id = request_id
        #: None: it has not begun.
        self.status: int | None = None
        self._send = send
        self._metrics = metrics
        self._began = time.perf_counter()
        self._answered: float | None = None
        self._streams = False

    async def send(self, message: Message) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            self._answered = time.perf_counter()
            given = dict(message.get("headers", ()))
            message["headers"] = [
                *message.get("headers", ()),
                *(header for header in _HEADERS if header[0] not in given),
                (b"x-request-id", self.request_id.encode()),
            ]
            if given.get(b"content-type", b"").startswith(b"text/event-stream"):
                self._streams = True
                self._metrics.streams.inc()
        await self._send(message)

    def end(self) -> None:
        """It is over, well or not."""
        if self._streams:
            self._metrics.streams.dec()

    def seconds(self) -> float:
        return time.perf_counter() - self._began

    def seconds_until_begun(self) -> float:
        return (self._answered or time.perf_counter()) - self._began


def template_of(scope: Scope) -> str:
    """The path of a request as its route spells it; what reached no route is one and the same."""
    route: Any = scope.get("route")
    return "(none)" if route is None else route.path


def _id_of(scope: Scope) -> str:
    """The client's own id of a request, if it has a sane one."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _SANE.fullmatch(value):
            return value.decode()
    return secrets.token_hex(8)
