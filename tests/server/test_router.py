"""The router finds the route that trying all of them in turn would find."""

from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st
from serving import Http
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, NoMatchFound, Route

from recollect.api.memory import AsyncMemory
from recollect.server.app import create_app
from recollect.server.router import Router
from recollect.settings import Settings


@pytest.fixture(scope="module")
def router(tmp_path_factory: pytest.TempPathFactory) -> Router:
    """That of the whole application."""
    file: Path = tmp_path_factory.mktemp("router") / "memory.db"
    settings = Settings(database_url=str(file))
    app = create_app(AsyncMemory(settings=settings), settings, local=True)
    return next(route for route in app.routes if isinstance(route, Router))


def in_turn(routes: list[Route], scope: dict[str, Any]) -> tuple[Match, Any]:
    """The slow way."""
    partial = None
    for route in routes:
        match, _ = route.matches(scope)
        if match is Match.FULL:
            return match, route
        if match is Match.PARTIAL and partial is None:
            partial = route
    return (Match.PARTIAL, partial) if partial else (Match.NONE, None)


def scope_of(method: str, path: str) -> dict[str, Any]:
    return {"type": "http", "method": method, "path": path, "root_path": "", "headers": []}


def agree(router: Router, method: str, path: str) -> None:
    scope = scope_of(method, path)
    match, child = router.matches(scope)
    assert (match, child.get("route")) == in_turn(router.routes, scope)


@given(data=st.data())
def test_every_route_is_found(router: Router, data: st.DataObject) -> None:
    """Whatever stands for an id, and whatever the method."""
    route = data.draw(st.sampled_from(router.routes))
    word = st.sampled_from(
        ["search", "stats", "a", "a:b", "{x}", "2026-01-28T10:30:45.123Z#a1b2c3d4", "ü", ""]
    )
    path = "/".join(data.draw(word) if "{" in part else part for part in route.path.split("/"))
    agree(router, data.draw(st.sampled_from(["GET", "POST", "PATCH", "PUT", "DELETE", "BREW"])), path)


@given(path=st.lists(st.sampled_from(["", "v1", "memories", "search", "todos", "a", "//"]), max_size=5))
def test_any_path(router: Router, path: list[str]) -> None:
    """Also paths that nobody serves."""
    agree(router, "GET", "/" + "/".join(path))
    agree(router, "GET", "/".join(path))


def test_a_wrong_method_is_told_the_right_ones(http: Http) -> None:
    """All methods of a path, though each has a route of its own."""
    answer = http.request("PUT", "/memories")
    assert answer.status_code == 405
    assert answer.headers["allow"] == "DELETE, GET, HEAD, POST"
    assert answer.json()["error"] == "PUT is not possible at /memories; use DELETE, GET, HEAD, POST."


@pytest.mark.parametrize(
    "path",
    ["/health", "/ready", "/docs", "/openapi.json", "/memories", "/v1/chats/none", "/none", "/mcp", "/"],
)
def test_head_is_possible_wherever_get_is(http: Http, path: str) -> None:
    """The same status and headers as of GET, and no body."""
    whole, head = http.get(path), http.head(path)
    assert (head.status_code, head.content) == (whole.status_code, b"")
    # New with every answer; the policy of a page holds a number that is used once.
    own = {"date", "x-request-id", "content-security-policy"}
    assert {name: text for name, text in head.headers.items() if name not in own} == {
        name: text for name, text in whole.headers.items() if name not in own
    }


def test_head_changes_nothing(http: Http) -> None:
    """Where only POST is possible HEAD is refused, and says what is allowed."""
    answer = http.head("/v1/forget")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


@pytest.mark.parametrize("chat", ["a/b", "/", "a/messages", "../a", "a%2Fb/ü"])
def test_an_id_may_hold_a_slash(http: Http, chat: str) -> None:
    """A slash that the address spells as %2F belongs to the id."""
    named = quote(chat, safe="")
    said = {"messages": [{"role": "user", "text": f"Here is {chat}."}]}
    assert http.post(f"/v1/chats/{named}/messages", json=said).status_code == 201
    found = http.get(f"/v1/chats/{named}/messages").json()["messages"]
    assert [(message["session_id"], message["text"]) for message in found] == [(chat, f"Here is {chat}.")]
    assert http.get(f"/v1/chats/{named}").json()["chat_id"] == chat
    assert http.get(f"/api/memory/stats/{named}").json()["totalMessages"] == 1


def test_a_slash_of_its_own_is_no_part_of_an_id(http: Http) -> None:
    """Only the spelling of an address says which slash is meant."""
    assert http.get("/v1/chats/a/b").status_code == 404
    assert http.get("/v1%2Fchats").status_code == 404


def test_the_first_of_two_counts() -> None:
    """Given in order, they are tried in order."""

    async def nothing(request: Request) -> Response:
        return Response()

    one, two, three = Route("/a/{x}", nothing), Route("/a/b", nothing), Route("/a/{y}/c", nothing)
    router = Router([one, two, three])
    assert router.matches(scope_of("GET", "/a/b"))[1]["route"] is one
    assert router.matches(scope_of("GET", "/a/z/c"))[1]["route"] is three
    with pytest.raises(NoMatchFound):
        router.url_path_for("nothing")
