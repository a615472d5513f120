"""The router: the first two words of a path say which few routes could match.

FastAPI tries its routers in turn and every route of the right one twice; with a hundred routes that took longer than
answering most of them (measured in one process, without a network: 190 of 380 µs). Routes that could match are tried in the
order in which they were given.

Ids are names that clients choose, and may hold a slash. Servers decode paths before anybody sees them, so an address that
spells a slash as `%2F` is split anew here: by the slashes that are no part of a word.

HEAD is possible wherever GET is: routes answer it as GET, and the server leaves the body out.
"""

from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import unquote

from starlette.datastructures import URLPath
from starlette.exceptions import HTTPException
from starlette.routing import BaseRoute, Match, NoMatchFound, Route
from starlette.types import Receive, Scope, Send

#: A word of a path that stands for any word.
_ANY: Final = "{"
#: Stands for a slash inside of a word while routes are tried; no text that was decoded can hold it.
_SLASH: Final = "\ud800"
#: Where the methods that a path takes are, in the scope of a request with another.
_ALLOWED: Final = "recollect.allowed"


class Router(BaseRoute):
    """One route in front of all others."""

    def __init__(self, routes: Iterable[BaseRoute]) -> None:
        self.routes: list[Route] = [route for route in routes if isinstance(route, Route)]
        #: By the first word: the routes that take any second word, and those by the second word.
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
        """The first route that takes path and method; else one that takes the path, to refuse the method."""
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
        # A copy: everything around, the server too, must go on seeing what was asked.
        await scope["route"].handle(_as_get(scope), receive, send)

    def url_path_for(self, name: str, /, **path_params: Any) -> URLPath:
        """Nobody here builds addresses from names."""
        raise NoMatchFound(name, path_params)

    def _candidates(self, path: str) -> list[Route]:
        first, second = _words(path)
        open_to_any, by_second = self._known.get(first, ([], {}))
        return by_second.get(second, open_to_any)


def _words(path: str) -> tuple[str, str]:
    """The first two words of a path."""
    words = path.split("/", 3)
    return words[1] if len(words) > 1 else "", words[2] if len(words) > 2 else ""


def _as_get(scope: Scope) -> Scope:
    """A request that asks for the head of an answer, as one for the whole of it; any other as it is."""
    return {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope


def _by_words(scope: Scope) -> Scope:
    """A request whose path is split where its address was; the same one where that makes no difference."""
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
