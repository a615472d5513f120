"""Request logging: each request's ID, log line, metrics and response headers, and the format of log lines.

`RequestLog` is the outermost layer, so responses from inner layers are also logged and have the ID, and an unexpected error
becomes a 500 here. Paths are logged as the route defines them (`/memories/{memory_id}`), because users' IDs and texts do
not belong in a log.

Each line is one event, as text for people or JSON for programs. Events are `name field=%s …` templates with separate values
(`docs/reference/events.md`), so fields come from the template and keep their types; no formatted text is parsed. Other
libraries' log records become a `message`. A value can never start a new line.
"""

import asyncio
import functools
import json
import logging
import re
import secrets
import time
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple

from starlette.types import ASGIApp, Message, Receive, Scope, Send

from recollect.records.moment import iso
from recollect.server.errors import answer_to_unforeseen, refusal
from recollect.server.metrics import Metrics

log = logging.getLogger(__name__)

#: The current request's ID, included in every log line.
REQUEST_ID: ContextVar[str] = ContextVar("recollect_request_id", default="")

#: The allowed form of a client's own request ID, which must not be able to forge a log line.
_SANE = re.compile(rb"[A-Za-z0-9._:/+=@-]{1,128}")
#: Paths that monitors request every few seconds; their lines would hide the others.
_QUIET: Final = frozenset(("/health", "/ready", "/metrics"))
#: The client disconnected before the response; nginx's status for it.
_LEFT: Final = 499
#: Default response headers: never guess types, send no referrer, allow no frames, load nothing, and cache nothing, because
#: a response may be about a person.
_HEADERS: Final = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"no-referrer"),
    (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'"),
    (b"cache-control", b"no-store"),
)
_NAME: Final = re.compile(r"[a-z_]+(?:\.[a-z_%]+)+")
_FIELD: Final = re.compile(r"([a-z_]+)=(%[-+ #0-9.]*[a-z])")
#: Text that needs no quotes to be read as one value.
_PLAIN: Final = re.compile('[^\\s"=\x00-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff]+')
#: Characters that JSON leaves unescaped although some readers treat them as line breaks.
_UNSAFE_IN_JSON: Final = re.compile("[\x7f-\x9f\u2028\u2029\ud800-\udfff]")


class RequestLog:
    """Counts and logs every request, and adds its ID."""

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
            # Only the server does this, when its grace period ends, so a traceback would be useless.
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
    """One response while it is sent."""

    def __init__(self, send: Send, request_id: str, metrics: Metrics) -> None:
        self.request_id = request_id
        #: None until the response starts.
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
        """Log and count the finished request, whether or not it succeeded."""
        if self._streams:
            self._metrics.streams.dec()

    def seconds(self) -> float:
        return time.perf_counter() - self._began

    def seconds_until_begun(self) -> float:
        return (self._answered or time.perf_counter()) - self._began


def template_of(scope: Scope) -> str:
    """A request's path as its route defines it; all requests without a route get the same value."""
    route: Any = scope.get("route")
    return "(none)" if route is None else route.path


def _id_of(scope: Scope) -> str:
    """The client's own request ID, if it is valid."""
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _SANE.fullmatch(value):
            return value.decode()
    return secrets.token_hex(8)


def fields_of(record: logging.LogRecord) -> dict[str, Any]:
    """A log record as its event and fields, with the ID of its request."""
    fields = _event(record) or {"event": "log", "logger": record.name, "message": record.getMessage()}
    request_id = REQUEST_ID.get()
    if request_id and "request" not in fields:
        fields["request"] = request_id
    return fields


def _event(record: logging.LogRecord) -> dict[str, Any] | None:
    """The fields of one of our events; None for other records."""
    known = _template(str(record.msg))
    values = record.args if isinstance(record.args, tuple) else ()
    if known is None or len(values) != known.leading + len(known.fields):
        return None
    found: dict[str, Any] = {"event": known.name % values[: known.leading] if known.leading else known.name}
    for (name, form), value in zip(known.fields, values[known.leading :], strict=True):
        found[name] = _value(form, value)
    return found


class _Template(NamedTuple):
    """An event's template in the source."""

    name: str
    #: The number of values in the name itself, such as `memory.%s`.
    leading: int
    #: Field names and their value formats.
    fields: tuple[tuple[str, str], ...]


@functools.lru_cache(1000)
def _template(message: str) -> _Template | None:
    """Parse a template; cached, because our templates are few. Other libraries' may be unlimited."""
    name, *words = message.split(" ")
    places = [_FIELD.fullmatch(word) for word in words]
    if not _NAME.fullmatch(name) or None in places:
        return None
    return _Template(name, name.count("%"), tuple((place[1], place[2]) for place in places if place))


def _value(form: str, value: object) -> Any:
    """A value for JSON; numbers have the precision of the event's format."""
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        return float(form % value) if form.endswith(("f", "g")) else value
    return str(value)


class JsonLines(logging.Formatter):
    """One JSON object per line."""

    def format(self, record: logging.LogRecord) -> str:
        line = {"time": _time(record), "level": record.levelname.lower(), **fields_of(record)}
        if record.exc_info:
            line["trace"] = self.formatException(record.exc_info)
        text = json.dumps(line, ensure_ascii=False)
        return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


class TextLines(logging.Formatter):
    """Time, level, event and fields, for people."""

    def format(self, record: logging.LogRecord) -> str:
        fields = fields_of(record)
        event = fields.pop("event")
        told = "".join(f" {name}={_told(value)}" for name, value in fields.items())
        line = f"{_time(record)} {record.levelname:<7} {event}{told}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


def _told(value: object) -> str:
    text = "-" if value is None else str(value)
    return text if _PLAIN.fullmatch(text) else json.dumps(text)


def _time(record: logging.LogRecord) -> str:
    return iso(datetime.fromtimestamp(record.created, UTC))


def configure(log_format: str, *, debug: bool, also: logging.Handler) -> None:
    """Log to standard error: our events from INFO, others' from WARNING; the handler `also` receives all our events."""
    to_stderr = logging.StreamHandler()
    to_stderr.setFormatter(JsonLines() if log_format == "json" else TextLines())
    logging.root.handlers = [to_stderr]
    logging.root.setLevel(logging.WARNING)
    ours = logging.getLogger("recollect")
    ours.setLevel(logging.DEBUG if debug else logging.INFO)
    ours.addHandler(also)
