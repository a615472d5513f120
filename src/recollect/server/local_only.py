"""Local mode's fence against web pages: any page that a person opens may send requests to their own machine.

A name of the attacker's that suddenly means 127.0.0.1 (DNS rebinding) shows in `Host`; a page of another origin that
writes shows in `Origin` or `Sec-Fetch-Site`. Both are refused on every path, before anything is read. Pages cannot read
what other origins answer, so reading needs no check beyond `Host`. With service keys there is no local mode, and no need
for this: a page does not have the key.
"""

import ipaddress
from collections.abc import Callable, Iterable
from typing import Final
from urllib.parse import SplitResult, urlsplit

from starlette.types import ASGIApp, Receive, Scope, Send

from recollect.server.errors import refusal

_READING: Final = ("GET", "HEAD", "OPTIONS")


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
