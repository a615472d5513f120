"""The middleware around the routes, in order, and local mode's fence against web pages.

Each layer is plain ASGI and does one thing; none waits for a body unless it must. `BaseHTTPMiddleware` was rejected
because it runs every request in an extra task.

Why the fence: any web page that a person opens can send requests to their own machine. An attacker's host name that resolves
to 127.0.0.1 (DNS rebinding) shows in `Host`; a write from another origin's page shows in `Origin` or `Sec-Fetch-Site`. Both
are refused on every path, before anything is read. Pages cannot read responses from other origins, so reads need only the
`Host` check. With service keys there is no local mode and no fence, because a page does not have the key.
"""

import ipaddress
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final
from urllib.parse import SplitResult, urlsplit

from fastapi import FastAPI
from starlette.middleware.cors import CORSMiddleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.types import ASGIApp, Receive, Scope, Send

from recollect.server.caller import Served
from recollect.server.errors import refusal
from recollect.server.idempotency import Idempotency
from recollect.server.limits import Limits
from recollect.server.request_log import RequestLog
from recollect.server.tracing import Tracing

if TYPE_CHECKING:
    from opentelemetry.trace import Tracer

#: The response size in bytes from which compression saves a packet, and the compression level: 9 takes three times as long
#: as 5 and saves 2% more.
_WORTH_COMPRESSING = 1400
_COMPRESSION = 5
_READING: Final = ("GET", "HEAD", "OPTIONS")


def install(app: FastAPI, served: Served, *, local: bool, tracer: "Tracer | None" = None) -> None:
    """Add every layer to an application; the last one added is the outermost."""
    origins = [origin.strip() for origin in served.settings.cors_origins.split(",") if origin.strip()]
    app.add_middleware(Idempotency, service=served.service)
    app.add_middleware(Limits)
    app.add_middleware(GZipMiddleware, minimum_size=_WORTH_COMPRESSING, compresslevel=_COMPRESSION)
    if local:
        app.add_middleware(LocalOnly, local=lambda: served.gate.local, origins=origins)
    if origins:
        app.add_middleware(
            CORSMiddleware,
            allow_origins=origins,
            allow_methods=["*"],
            allow_headers=["*"],
            expose_headers=["X-Request-Id", "Retry-After", "Idempotent-Replay"],
        )
    if tracer is not None:
        app.add_middleware(Tracing, tracer=tracer)
    app.add_middleware(RequestLog, metrics=served.metrics)


class LocalOnly:
    """Lets through only requests addressed to this machine that come from its own pages or from no page."""

    def __init__(self, app: ASGIApp, *, local: Callable[[], bool], origins: Iterable[str] = ()) -> None:
        self._app = app
        #: Whether local mode is still on.
        self._local = local
        #: Other origins that the settings allow.
        self._origins = frozenset(origin.lower() for origin in origins)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http" and self._local():
            reason = self._refused(scope)
            if reason is not None:
                await refusal(scope["path"], 403, reason)(scope, receive, send)
                return
        await self._app(scope, receive, send)

    def _refused(self, scope: Scope) -> str | None:
        hosts, origins, sites = (
            _said(scope, b"host"),
            _said(scope, b"origin"),
            _said(scope, b"sec-fetch-site"),
        )
        own = _parts(f"//{hosts[0]}") if len(hosts) == 1 else None
        if own is None or not _is_loopback(own):
            return "Without a service key, only requests to localhost are allowed; this request names another host."
        if scope["method"] in _READING:
            return None
        if any(not self._is_own(origin, own) for origin in origins) or (
            not origins and "cross-site" in sites
        ):
            return "Without a service key, pages from other origins cannot change anything here."
        return None

    def _is_own(self, origin: str, own: SplitResult) -> bool:
        """Whether it is our own origin, under any name of this machine, or one that the settings allow."""
        if origin in self._origins:
            return True
        given = _parts(origin)
        return (
            given is not None
            and given.scheme in ("http", "https")
            and _is_loopback(given)
            and _port(given) == _port(own)
        )


def _said(scope: Scope, name: bytes) -> list[str]:
    return [value.decode("latin-1").lower() for key, value in scope["headers"] if key == name]


def _parts(address: str) -> SplitResult | None:
    """A URL's parts; None if it has none or its port is not a number."""
    try:
        parts = urlsplit(address)
        _ = parts.port
    except ValueError:
        return None
    beyond = parts.username or parts.path or parts.query or parts.fragment
    return parts if parts.hostname and not beyond else None


def _port(parts: SplitResult) -> int:
    return parts.port or (443 if parts.scheme == "https" else 80)


def _is_loopback(parts: SplitResult) -> bool:
    name = parts.hostname or ""
    if name == "localhost":
        return True
    try:
        return ipaddress.ip_address(name).is_loopback
    except ValueError:
        return False
