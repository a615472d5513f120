"""The gate: who comes in, as whom, and how often."""

import asyncio
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from conftest import FakeClock, FakeEmbedder
from serving import SERVICE_KEY, Service, serving
from starlette.requests import Request

from recollect import AsyncMemory, Settings
from recollect.admin import AsyncAdmin
from recollect.errors import InvalidInput
from recollect.records.token import Scope
from recollect.server.caller import Caller
from recollect.server.errors import Problem
from recollect.server.gate import LOCAL_CHECKED_EVERY, Gate

ALL = frozenset(Scope)


class Door:
    """A gate over a real memory, asked by its headers."""

    def __init__(self, memory: AsyncMemory, run: Callable[[Any], Any], **options: Any) -> None:
        self.memory = memory
        self.run = run
        self.seconds = 1000.0
        given = {"service_key": SERVICE_KEY, "local": False, "requests_per_minute": 0, **options}
        self.gate = Gate(memory, clock=lambda: self.seconds, **given)

    def ask(self, *headers: tuple[str, str | bytes], path: str = "/memories") -> Caller:
        raw = [
            (name.lower().encode(), text if isinstance(text, bytes) else text.encode("latin-1"))
            for name, text in headers
        ]
        return self.run(self.gate.admit(Request({"type": "http", "path": path, "headers": raw})))

    def refused(self, *headers: tuple[str, str | bytes], path: str = "/memories") -> Problem:
        with pytest.raises(Problem) as caught:
            self.ask(*headers, path=path)
        return caught.value

    def token(self, **asked: Any) -> str:
        return self.run(AsyncAdmin(self.memory).create_token(**asked)).text


@contextmanager
def opened(path: Path, clock: FakeClock, **options: Any) -> Iterator[Door]:
    with asyncio.Runner() as runner:
        settings = Settings(sqlite_synchronous="normal", judge_model="off")
        memory = AsyncMemory(path, settings=settings, embedder=FakeEmbedder(), clock=clock)
        yield Door(memory, runner.run, **options)
        runner.run(memory.close())


@pytest.fixture
def door(sqlite_path: Path, clock: FakeClock) -> Iterator[Door]:
    """A gate of a service with keys."""
    with opened(sqlite_path, clock) as made:
        yield made


@pytest.fixture
def local_door(sqlite_path: Path, clock: FakeClock) -> Iterator[Door]:
    """A gate in local mode."""
    with opened(sqlite_path, clock, local=True, service_key="") as made:
        yield made


def bearer(text: str, scheme: str = "Bearer") -> tuple[str, str]:
    return "Authorization", f"{scheme} {text}"


# -- with keys --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scheme", ["Bearer", "bearer", "BEARER"])
def test_the_key_of_the_settings(door: Door, scheme: str) -> None:
    """It may do everything, for the user that it names or for nobody; in either header."""
    assert door.ask(bearer(SERVICE_KEY, scheme)) == Caller(user_id=None, scopes=ALL)
    named = door.ask(("X-Session-Token", SERVICE_KEY), ("X-User-Id", "ann"))
    assert named == Caller(user_id="ann", scopes=ALL)


def test_a_key_of_the_store(door: Door) -> None:
    """It acts for anybody, and may do what it was made for."""
    caller = door.ask(bearer(door.token(service=True, scopes=["read"])), ("X-User-Id", "ann"))
    assert (caller.user_id, caller.scopes) == ("ann", {Scope.READ})
    assert caller.token_id


def test_a_session(door: Door) -> None:
    """It acts for its user, who need not be named."""
    text = door.token(user="ann")
    for shown in (("X-Session-Token", text), bearer(text)):
        caller = door.ask(shown)
        assert (caller.user_id, caller.scopes) == ("ann", {Scope.READ, Scope.WRITE})
    assert door.ask(("X-Session-Token", text), ("X-User-Id", "ann")).user_id == "ann"


def test_a_session_of_somebody_else(door: Door) -> None:
    """A session cannot name another user."""
    problem = door.refused(("X-Session-Token", door.token(user="ann")), ("X-User-Id", "bob"))
    assert problem.status == 403 and "another user" in problem.message


def test_the_session_counts_before_the_bearer(door: Door) -> None:
    """A client that must send a key of its own in `Authorization` shows its session beside it."""
    caller = door.ask(("X-Session-Token", door.token(user="ann")), bearer("sk-of-somebody"))
    assert caller.user_id == "ann"
    assert door.refused(("X-Session-Token", "wrong"), bearer(SERVICE_KEY)).status == 401


@pytest.mark.parametrize(
    "headers",
    [
        [],
        [("X-User-Id", "ann")],
        [("X-Session-Token", "")],
        [("Authorization", "Bearer")],
        [("Authorization", "Bearer   ")],
        [bearer("wrong")],
        [bearer(SERVICE_KEY[:-1])],
        [bearer(SERVICE_KEY + "x")],
        [bearer(SERVICE_KEY, "Basic")],
        [("Authorization", SERVICE_KEY)],
        [bearer("rs_0123456789abcdef_" + "x" * 43)],
        [bearer("rk_0123456789abcdef_" + "x" * 43)],
        [("X-Session-Token", b"\xff\xfe\x00")],
        [("X-Session-Token", "x" * 10_000)],
    ],
    ids=str,
)
def test_whoever_is_not_known_stays_outside(door: Door, headers: list[tuple[str, str]]) -> None:
    """No token, a wrong one, half of one: 401 with the sentence of the wire."""
    problem = door.refused(*headers)
    assert (problem.status, problem.message) == (401, "Authentication required")
    assert problem.headers == {"WWW-Authenticate": "Bearer"}


def test_an_empty_key_opens_nothing(sqlite_path: Path, clock: FakeClock) -> None:
    """Without a key in the settings, an empty token is not it."""
    with opened(sqlite_path, clock, service_key="") as door:
        assert door.refused(("Authorization", "Bearer ")).status == 401
        assert door.refused(("X-Session-Token", "")).status == 401


def test_a_token_that_ended(door: Door, clock: FakeClock) -> None:
    """Expired and revoked ones are as good as none."""
    text = door.token(user="ann", ttl_seconds=60)
    assert door.ask(("X-Session-Token", text))
    clock.move(seconds=60)
    assert door.refused(("X-Session-Token", text)).status == 401
    key = door.token(service=True)
    token_id = door.ask(bearer(key)).token_id
    door.run(AsyncAdmin(door.memory).revoke_token(token_id))
    assert door.refused(bearer(key)).status == 401


@pytest.mark.parametrize("user", ["", "*", "x" * 257, b"\xff", "   "])
def test_names_that_nobody_has(door: Door, user: str | bytes) -> None:
    """A user that cannot be is bad input, and the sentence names the header."""
    problem = door.refused(bearer(SERVICE_KEY), ("X-User-Id", user))
    assert problem.status == 400 and problem.message.startswith("X-User-Id")


def test_blanks_around_a_header_are_no_part_of_it(door: Door) -> None:
    """A user is not another one because of a blank behind the name, and a token stays right."""
    text = door.token(user="ann")
    assert door.ask(("X-Session-Token", f" {text}\t")).user_id == "ann"
    assert door.ask(bearer(SERVICE_KEY), ("X-User-Id", " wanda \t ")).user_id == "wanda"


def test_names_in_any_script(door: Door) -> None:
    """The header is UTF-8."""
    assert door.ask(bearer(SERVICE_KEY), ("X-User-Id", "Zoë 蔡".encode())).user_id == "Zoë 蔡"


@pytest.mark.parametrize("name", ["X-User-Id", "X-Session-Token", "Authorization"])
def test_said_twice(door: Door, name: str) -> None:
    """Nobody could say which one was meant."""
    problem = door.refused((name, "ann"), (name, "bob"))
    assert (problem.status, problem.message) == (400, f"Send {name} only once.")


# -- local mode -------------------------------------------------------------------------------------------


def test_local_mode_needs_no_token(local_door: Door) -> None:
    """Without one the user is the one who is named, else `local`, and may do everything."""
    local = Caller(user_id="local", scopes=ALL, named=False, local=True)
    assert local_door.ask() == local
    assert local_door.ask(("X-User-Id", "local")) == replace(local, named=True)
    assert local_door.ask(("X-User-Id", "ann")) == replace(local, user_id="ann", named=True)
    assert local_door.refused(("X-User-Id", "*")).status == 400


def test_a_wrong_token_is_wrong_in_local_mode_too(local_door: Door) -> None:
    """Whoever shows something means to be somebody."""
    assert local_door.refused(bearer("wrong")).status == 401
    assert local_door.refused(("X-Session-Token", "wrong")).status == 401
    assert local_door.ask(("X-Session-Token", local_door.token(user="ann"))).user_id == "ann"


@pytest.mark.parametrize("path", ["/v1/chat/completions", "/v1/models"])
def test_the_key_of_an_openai_client(local_door: Door, door: Door, path: str) -> None:
    """OpenAI's clients always send a key; where they ask, in local mode, one that is none of ours counts as none."""
    assert local_door.ask(bearer("sk-proj-123"), path=path).user_id == "local"
    assert local_door.refused(bearer("rs_0123456789abcdef_" + "x" * 43), path=path).status == 401
    assert local_door.refused(("X-Session-Token", "sk-proj-123"), path=path).status == 401
    assert local_door.refused(bearer("sk-proj-123"), path="/memories").status == 401
    assert door.refused(bearer("sk-proj-123"), path=path).status == 401


def test_local_mode_ends_with_the_first_key(local_door: Door) -> None:
    """Within seconds, for good, and whether it is asked often or not."""
    assert local_door.ask().local
    key = local_door.token(service=True)
    local_door.seconds += LOCAL_CHECKED_EVERY - 0.1
    assert local_door.ask().local and local_door.gate.local
    local_door.seconds += 0.1
    assert local_door.refused().status == 401
    assert not local_door.gate.local
    local_door.run(AsyncAdmin(local_door.memory).revoke_token(local_door.ask(bearer(key)).token_id))
    local_door.seconds += LOCAL_CHECKED_EVERY
    assert local_door.refused().status == 401


def test_local_mode_does_not_begin_with_a_key(local_door: Door) -> None:
    """A key that was there before the first request counts at once."""
    local_door.token(service=True)
    assert local_door.refused().status == 401


# -- the user that a body names ----------------------------------------------------------------------------


def test_a_body_names_the_user_where_nothing_else_does(door: Door, local_door: Door) -> None:
    """In local mode, and with a service key that names nobody; the user that is named elsewhere may be repeated."""
    for caller in (local_door.ask(), door.ask(bearer(SERVICE_KEY))):
        assert caller.acting_for("bob").user_id == "bob"
        assert caller.acting_for("") is caller
    ann = door.ask(("X-Session-Token", door.token(user="ann")))
    assert ann.acting_for("ann") is ann


def test_a_body_does_not_contradict_the_token(door: Door, local_door: Door) -> None:
    """A session, a service key for a user, and `X-User-Id` in local mode: another user in the body is refused."""
    for caller in (
        door.ask(("X-Session-Token", door.token(user="ann"))),
        door.ask(bearer(SERVICE_KEY), ("X-User-Id", "ann")),
        local_door.ask(("X-User-Id", "ann")),
    ):
        with pytest.raises(Problem, match=r"'bob'.*'ann'") as caught:
            caller.acting_for("bob")
        assert caught.value.status == 403
    with pytest.raises(InvalidInput, match=r"^user: .*reserved"):
        local_door.ask().acting_for("*")


# -- how often --------------------------------------------------------------------------------------------


def test_the_rate_is_a_sessions_own(sqlite_path: Path, clock: FakeClock) -> None:
    """Each session has its bucket; those of a key are by user; a refusal says when to come back."""
    with opened(sqlite_path, clock, requests_per_minute=12) as door:
        one, two, key = door.token(user="ann"), door.token(user="ann"), door.token(service=True)
        callers = [
            [("X-Session-Token", one)],
            [("X-Session-Token", two)],
            [bearer(key), ("X-User-Id", "ann")],
            [bearer(key), ("X-User-Id", "bob")],
            [bearer(key)],
            [bearer(SERVICE_KEY), ("X-User-Id", "ann")],
            [bearer(SERVICE_KEY)],
        ]
        for headers in callers:
            assert door.ask(*headers) and door.ask(*headers)
            problem = door.refused(*headers)
            assert problem.status == 429 and problem.headers == {"Retry-After": "5"}
        door.seconds += 5
        assert door.ask(*callers[0])


def test_the_rate_over_http(tmp_path: Path) -> None:
    """429 with `Retry-After`; signs of life are never counted."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), requests_per_minute=6) as service:
        http = service.operator
        assert http.get("/auth/sessions").status_code == 200
        refused = http.get("/auth/sessions")
        assert refused.status_code == 429
        assert 1 <= int(refused.headers["retry-after"]) <= 10
        assert refused.json() == {
            "error": f"Too many requests. Try again in {refused.headers['retry-after']} s."
        }
        for _ in range(5):
            assert http.get("/health").status_code == 200


def test_the_answer_to_nobody(service: Service) -> None:
    """Over HTTP the body is exactly that of the wire."""
    refused = service.anyone.get("/auth/sessions")
    assert refused.status_code == 401
    assert refused.json() == {"error": "Authentication required"}
    assert refused.headers["www-authenticate"] == "Bearer"


def test_wrong_tokens_are_counted_by_address(tmp_path: Path) -> None:
    """Too many of them from one address are answered with 429; a right token from there still enters."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), requests_per_minute=60) as service:
        right = service.http("ann")
        assert right.get("/v1/whoami").status_code == 200
        wrong = [service.http(x_session_token=f"rs_{number:016x}_wrong") for number in range(30)]
        answers = [client.get("/v1/whoami") for client in wrong]
        assert [answer.status_code for answer in answers[:10]] == [401] * 10
        refused = next(answer for answer in answers if answer.status_code == 429)
        assert int(refused.headers["Retry-After"]) >= 1
        assert refused.json() == {
            "error": f"Too many requests. Try again in {refused.headers['Retry-After']} s."
        }
        assert right.get("/v1/whoami").status_code == 200
        assert service.anyone.get("/v1/whoami").status_code == 401, "no token is no wrong one"


@pytest.mark.parametrize("login", ["Basic YW5uOnNlY3JldA==", "Digest username=ann", "Negotiate x"])
def test_logins_of_another_kind_are_counted_too(tmp_path: Path, login: str) -> None:
    """Whoever tries passwords meets the limit of wrong tokens."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), requests_per_minute=60) as service:
        client = service.http(authorization=login)
        codes = [client.get("/v1/whoami").status_code for _ in range(30)]
        assert codes[0] == 401 and codes[-1] == 429
        assert service.http("ann").get("/v1/whoami").status_code == 200


@pytest.mark.parametrize("path", ["/v1/whoami", "/v1/models"])
def test_a_wrong_token_counts_on_every_path(tmp_path: Path, path: str) -> None:
    """Where keys exist, the key of another service is a wrong token, also where OpenAI clients ask."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), requests_per_minute=60) as service:
        client = service.http(authorization="Bearer sk-wrong")
        codes = [client.get(path).status_code for _ in range(30)]
        assert codes[0] == 401
        assert 429 in codes
