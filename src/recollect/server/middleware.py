"""The middleware around the routes, in order, and local mode's fence against web pages.

Each layer is plain ASGI and does one thing; none of them waits for a body unless it must. `BaseHTTPMiddleware` was
rejected: it runs every request in a further task.

The fence: any page that a person opens may send requests to their own machine. A name of the attacker's that suddenly means
127.0.0.1 (DNS rebinding) shows in `Host`; a page of another origin that writes shows in `Origin` or `Sec-Fetch-Site`. Both
are refused on every path, before anything is read. Pages cannot read what other origins answer, so reading needs no check
beyond `Host`. With service keys there is no local mode, and no need for this: a page does not have the key.
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

#: Bytes of an answer from which on compressing saves a packet, and how hard to try: 9 takes three times as long as 5 and
#: saves two in a hundred.
_WORTH_COMPRESSING = 1400
_COMPRESSION = 5
_READING: Final = ("GET", "HEAD", "OPTIONS")


def install(app: FastAPI, served: Served, *, local: bool, tracer: "Tracer | None" = None) -> None:
    """Put every layer around an application; the last one added is outermost."""
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
    """Lets requests to this machine through that come from this machine's own pages or from no page."""

    def __init__(self, app: ASGIApp, *, local: Callable[[], bool], origins: Iterable[str] = ()) -> None:
        self._app = app
        #: Whether local mode goes on.
        self._local = local
        #: Origins of others whose pages the settings allow.
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
            return (
                "Without a service key only requests to localhost are answered; this one names another host."
            )
        if scope["method"] in _READING:
            return None
        if any(not self._is_own(origin, own) for origin in origins) or (
            not origins and "cross-site" in sites
        ):
            return "Without a service key a page of another origin may not change anything here."
        return None

    def _is_own(self, origin: str, own: SplitResult) -> bool:
        """Our own origin under any name of this machine, or one that the settings allow."""
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
    """An address in its parts; None when it has none, or a port that is no number."""
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
