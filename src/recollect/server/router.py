"""The router: the first two segments of a path select the few routes that could match.

FastAPI tries its routers in turn, and every route of the right one twice; with a hundred routes, that took longer than
answering most requests (measured in one process, without a network: 190 of 380 µs). Routes that could match are tried in
the order in which they were added.

Clients choose IDs, which may contain slashes. Servers decode paths before passing them on, so a URL with a slash encoded as
`%2F` is split again here, only at the other slashes.

HEAD works wherever GET does: routes handle it as GET, and the server omits the body.
"""

from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import unquote

from starlette.datastructures import URLPath
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match, NoMatchFound, Route
from starlette.types import Receive, Scope, Send

#: A path segment that matches any segment.
_ANY: Final = "{"
#: Replaces a slash inside a segment while routes are tried; decoded text cannot contain it.
_SLASH: Final = "\ud800"
#: The scope key for a path's allowed methods, if the request uses another method.
_ALLOWED: Final = "recollect.allowed"


class Router(BaseRoute):
    """One route that dispatches to all others."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        self.routes: list[Route] = [route for route in routes if isinstance(route, Route)]
        #: By first segment: the routes that accept any second segment, and the routes by second segment.
        self._known: dict[str, tuple[list[Route], dict[str, list[Route]]]] = {}
        seconds: dict[str, set[str]] = {}
        for route in self.routes:
            first, second = _words(route.path)
            seconds.setdefault(first, set()).add(second)
        for first, named in seconds.items():
            here = [route for route in self.routes if _words(route.path)[0] == first]
            open_to_any = [route for route in here if _words(route.path)[1].startswith(_ANY)]
            self._known[first] = (
                open_to_any,
                {
                    second: [
                        route for route in here if route in open_to_any or _words(route.path)[1] == second
                    ]
                    for second in named
                },
            )

    def matches(self, scope: Scope) -> tuple[Match, Scope]:
        """The first route that matches path and method, or else one that matches the path, to refuse the method."""
        refusing: list[Route] = []
        asked = _by_words(_as_get(scope))
        for route in self._candidates(asked["path"]):
            match, child = route.matches(asked)
            if match is Match.FULL:
                named = (
                    {**child, "path_params": _with_slashes(child["path_params"])}
                    if asked["path"] != scope["path"]
                    else child
                )
                return match, {**named, "route": route}
            if match is Match.PARTIAL:
                refusing.append(route)
        if not refusing:
            return Match.NONE, {}
        allowed = {method for route in refusing for method in route.methods or ()}
        allowed |= {"HEAD"} if "GET" in allowed else set()
        return Match.PARTIAL, {"route": refusing[0], _ALLOWED: ", ".join(sorted(allowed))}

    async def handle(self, scope: Scope, receive: Receive, send: Send) -> None:
        if _ALLOWED in scope:
            raise HTTPException(405, headers={"Allow": scope[_ALLOWED]})
        # A copy, because the layers outside and the server must still see the original request.
        await scope["route"].handle(_as_get(scope), receive, send)

    def url_path_for(self, name: str, /, **path_params: Any) -> URLPath:
        """Not supported: nothing here builds URLs from names."""
        raise NoMatchFound(name, path_params)

    def _candidates(self, path: str) -> list[Route]:
        first, second = _words(path)
        open_to_any, by_second = self._known.get(first, ([], {}))
        return by_second.get(second, open_to_any)


def _words(path: str) -> tuple[str, str]:
    """The first two segments of a path."""
    words = path.split("/", 3)
    return words[1] if len(words) > 1 else "", words[2] if len(words) > 2 else ""


def _as_get(scope: Scope) -> Scope:
    """Turn a HEAD request into a GET request; leave others unchanged."""
    return {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope


def _by_words(scope: Scope) -> Scope:
    """Split the path as in the original URL; return the same request if that makes no difference."""
    raw: bytes = scope.get("raw_path") or b""
    if b"%2f" not in raw.lower():
        return scope
    words = (unquote(word).replace("/", _SLASH) for word in raw.decode("latin-1").split("/"))
    return {**scope, "path": "/".join(words)}


def _with_slashes(params: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value.replace(_SLASH, "/") if isinstance(value, str) else value
        for name, value in params.items()
    }
