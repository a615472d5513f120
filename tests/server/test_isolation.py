"""No crossing between users: every route, tried with the ids of another, without a token and with a lesser one.

The table of requests is in `trespasses.py`; a route that is not in it fails here.
"""

import itertools
from collections.abc import Generator, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path
from typing import Any

import pytest
from conftest import FakeClock, FakeEmbedder
from scripted_model import ScriptedModel, says
from serving import SERVICE_KEY, Http, Service, serving

from recollect import AsyncMemory, Settings
from recollect.server.app import create_app

from .belongings import MARK, OWNER, SHARED, belongings, everything
from .trespasses import REQUESTS, Request

_STRANGERS = itertools.count(1)
KEY = "order-4711"


@dataclass
class Neighbourhood:
    """A service with an owner, whose things have ids, and any number of strangers."""

    service: Service
    ids: dict[str, str]
    #: All that the owner had in the beginning.
    owned: dict[str, Any]
    #: Tokens of the owner that ended.
    ended: tuple[str, str]

    def token(self, user: str, **asked: Any) -> str:
        made = self.service.run(self.service.memory.create_token(user=user, **asked))
        return made.text

    def client(self, token: str | None) -> Http:
        return self.service.http(**({} if token is None else {"x_session_token": token}))

    def stranger(self) -> str:
        """The token of a user who has nothing yet."""
        return self.token(f"stranger-{next(_STRANGERS)}")

    @cached_property
    def _anyone(self) -> Http:
        return self.service.anyone

    def send(self, request: Request, token: str | None, **headers: str) -> Any:
        """Send a request of the table, with the owner's ids in it."""
        said = {**request.said(self.ids), **headers, **({} if token is None else {"X-Session-Token": token})}
        url, body = request.url(self.ids), request.body(self.ids)
        return self._anyone.request(request.method, url, json=body, headers=said)

    def is_untouched(self) -> bool:
        """Whether the owner has what there was in the beginning, and nothing else."""
        assert self.service.run(everything(self.service.memory)) == self.owned
        return True


@contextmanager
def neighbourhood(database: str | Path) -> Generator[Neighbourhood]:
    clock = FakeClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    with (
        ScriptedModel() as model,
        serving(
            database,
            embedder=FakeEmbedder(),
            clock=clock,
            worker="off",
            # Hundreds of wrong tokens come from this one address.
            requests_per_minute=0,
            openai_base_url=model.url,
            chat_model="scripted",
        ) as service,
    ):
        model.script(lambda asked: says(asked.prompt)(asked))
        ids = service.run(belongings(service.memory, KEY))
        expired, revoked = (
            service.run(service.memory.create_token(user=OWNER, ttl_seconds=60)).text for _ in range(2)
        )
        service.run(service.memory.revoke_token(revoked.split("_")[1]))
        clock.move(seconds=61)
        owned = service.run(everything(service.memory))
        yield Neighbourhood(service, ids, owned, (expired, revoked))


@pytest.fixture(scope="module")
def street(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Neighbourhood]:
    """One for all tests that change nothing of the owner's."""
    with neighbourhood(tmp_path_factory.mktemp("street") / "memory.db") as made:
        yield made


def sentence(answer: Any) -> str:
    """What is wrong; OpenAI's protocol wraps it once more."""
    error = answer.json()["error"]
    return error["message"] if isinstance(error, dict) else error


def _is_write_over_mcp(request: Request) -> bool:
    return request.path == "/mcp" and not request.tells


def _routes(routes: Iterable[Any]) -> Iterator[tuple[str, str]]:
    """Every method and path, whatever kind of route it is."""
    for route in routes:
        inner = getattr(route, "routes", None) or getattr(
            getattr(route, "original_router", None), "routes", None
        )
        if inner:
            yield from _routes(inner)
        else:
            for method in (route.methods or {"POST"}) - {"HEAD"}:
                yield method, route.path.rstrip("/") or "/"


def test_every_route_is_tried(tmp_path: Path) -> None:
    """A new route must be put into the table, with what a stranger is answered; a route that went must leave it."""
    app = create_app(AsyncMemory(tmp_path / "memory.db", embedder=FakeEmbedder()), Settings(), local=False)
    there = set(_routes(app.routes))
    assert len(there) > 50
    described = {(method.upper(), path) for path, known in app.openapi()["paths"].items() for method in known}
    assert described <= {(method, path.replace(":path}", "}")) for method, path in there}
    assert there == {(request.method, request.path) for request in REQUESTS}


@pytest.mark.parametrize("request_", REQUESTS, ids=str)
def test_a_stranger_gets_nothing(street: Neighbourhood, request_: Request) -> None:
    """With the owner's ids and a token of their own: not found, or nothing in it; and nothing of the owner's changes."""
    answer = street.send(request_, street.stranger())
    assert answer.status_code in ((403,) if request_.need == "service" else request_.stranger), answer.text
    assert MARK not in answer.text.lower()
    assert street.is_untouched()


@pytest.mark.parametrize("request_", [each for each in REQUESTS if each.need != "nothing"], ids=str)
def test_nobody_gets_in(street: Neighbourhood, request_: Request) -> None:
    """Without a token, with a wrong, an expired or a revoked one: 401 with the sentence of the wire, and nothing happens."""
    for token in (None, "wrong", *street.ended):
        answer = street.send(request_, token)
        assert (answer.status_code, sentence(answer)) == (401, "Authentication required"), token
    assert street.is_untouched()


@pytest.mark.parametrize("request_", [each for each in REQUESTS if each.need == "nothing"], ids=str)
def test_everybody_gets_in(street: Neighbourhood, request_: Request) -> None:
    """A sign of life and the description need no token, and tell nothing of anybody."""
    answer = street.send(request_, None)
    assert answer.status_code in request_.stranger
    assert MARK not in answer.text


@pytest.mark.parametrize(
    "request_",
    [each for each in REQUESTS if each.need in ("write", "service") or _is_write_over_mcp(each)],
    ids=str,
)
def test_a_session_that_may_only_read(street: Neighbourhood, request_: Request) -> None:
    """Even the owner changes nothing with it; 403 says why."""
    answer = street.send(request_, street.token(OWNER, scopes=["read"]))
    if _is_write_over_mcp(request_):
        assert '"isError":true' in answer.text
    else:
        assert answer.status_code == 403
        assert sentence(answer) in ("This token may not write.", "This needs a service key.")
    assert street.is_untouched()


@pytest.mark.parametrize("request_", [each for each in REQUESTS if each.need == "read"], ids=str)
def test_a_session_that_may_only_write(street: Neighbourhood, request_: Request) -> None:
    """It is told nothing, not even to the owner."""
    answer = street.send(request_, street.token(OWNER, scopes=["write"]))
    assert (answer.status_code, sentence(answer)) == (403, "This token may not read.")


@pytest.mark.parametrize("request_", [each for each in REQUESTS if each.need == "service"], ids=str)
def test_a_session_runs_no_store(street: Neighbourhood, request_: Request) -> None:
    """What concerns everybody needs a service key, also for the owner."""
    answer = street.send(request_, street.token(OWNER))
    assert (answer.status_code, answer.json()) == (403, {"error": "This needs a service key."})


@pytest.mark.parametrize("request_", [each for each in REQUESTS if each.need in ("read", "write")], ids=str)
def test_a_session_cannot_name_another(street: Neighbourhood, request_: Request) -> None:
    """`X-User-Id` does not turn a stranger into the owner."""
    answer = street.send(request_, street.stranger(), **{"X-User-Id": OWNER})
    assert answer.status_code == 403
    assert street.is_untouched()


def test_the_requests_are_good_ones(tmp_path: Path) -> None:
    """The owner can carry out every one of them: so a stranger is refused for being one, and for nothing else."""
    with neighbourhood(tmp_path / "memory.db") as mine:
        for request in REQUESTS:
            token = SERVICE_KEY if request.need == "service" else mine.token(OWNER)
            answer = mine.send(request, token)
            assert answer.status_code in request.owner, f"{request}: {answer.status_code} {answer.text}"
            assert not request.tells or MARK in answer.text, f"{request}: {answer.text}"
            assert '"is_error":true' not in answer.text, f"{request}: {answer.text}"
            assert '"isError":true' not in answer.text, f"{request}: {answer.text}"
        assert mine.service.run(mine.service.memory.memories(user=OWNER)) == []


def test_on_postgres(postgres_url: str) -> None:
    """The same with row-level security beneath: no stranger gets anything, and nothing of the owner's changes."""
    with neighbourhood(postgres_url) as street:
        for request in REQUESTS:
            answer = street.send(request, street.stranger())
            wanted = (403,) if request.need == "service" else request.stranger
            assert answer.status_code in wanted, f"{request}: {answer.status_code} {answer.text}"
            assert MARK not in answer.text.lower(), str(request)
            assert street.send(request, None).status_code == (
                401 if request.need != "nothing" else answer.status_code
            )
        assert street.is_untouched()


def test_a_stranger_cannot_point_at_what_is_not_theirs(street: Neighbourhood) -> None:
    """Own things cannot be tied to the owner's: no link, pin or chat reaches across."""
    http, ids = street.client(street.stranger()), street.ids
    mine = http.post("/memories", json={"content": SHARED, "category": "fact"}).json()["memoryId"]
    path = f"/memories/{mine.replace('#', '%23')}/links"
    assert http.post(path, json={"to": ids["memory_id"]}).status_code == 404
    pin = http.post("/api/memory/pins", json={"session_id": "own", "content": "My own fact"}).json()["id"]
    moved = http.patch(f"/api/memory/pins/{pin}", json={"session_id": ids["chat_id"]})
    assert moved.status_code == 404
    assert (
        http.post("/v1/entities/merge", json={"from": ids["alias"], "into": ids["entity"]}).status_code == 404
    )
    assert street.is_untouched()


def test_an_idempotency_key_is_each_users_own(street: Neighbourhood) -> None:
    """The same key and body of another user is another request, and its first answer is their own."""
    body = {"content": f"User met a {MARK} in the rain", "category": "fact"}
    headers = {"Idempotency-Key": KEY}
    first = street.client(street.token("first-user")).post("/memories", json=body, headers=headers)
    stranger = street.client(street.stranger())
    answer = stranger.post("/memories", json=body, headers=headers)
    assert (first.status_code, answer.status_code) == (201, 201)
    assert answer.json()["memoryId"] != first.json()["memoryId"]
    assert "idempotent-replay" not in answer.headers
    again = stranger.post("/memories", json=body, headers=headers)
    assert again.json() == answer.json()


def test_a_service_key_reaches_whom_it_names(street: Neighbourhood) -> None:
    """It sees the owner's things only in the owner's name; without a name it must give one."""
    path = f"/memories/{street.ids['memory_id'].replace('#', '%23')}"
    assert MARK in street.service.http(OWNER).get(path).text
    assert street.service.http("somebody-else").get(path).status_code == 404
    unnamed = street.service.operator.get(path)
    assert (unnamed.status_code, unnamed.json()) == (
        400,
        {"error": "X-User-Id required: a service key acts for a user."},
    )
    assert SERVICE_KEY not in unnamed.text


def test_cursors_do_not_carry_across(street: Neighbourhood) -> None:
    """Where the owner's page ended tells a stranger nothing."""
    owner = street.client(street.token(OWNER))
    for path in ("/memories", "/v1/todos", "/v1/proposals"):
        cursor = owner.get(path, params={"limit": 1}).json()["next_cursor"]
        assert cursor is not None
        answer = street.client(street.stranger()).get(path, params={"limit": 1, "cursor": cursor})
        assert answer.status_code == 200
        assert MARK not in answer.text
