"""The way to a service: what is sent, what is tried again and when, and which error each refusal is."""

import asyncio
from collections.abc import Iterator
from typing import Any

import pytest
from scripted_model import KeptAlive, Reply, ScriptedModel, hangs, hangs_up, raw, refuses

from recollect import Conflict, InvalidInput, ModelError, NotFound, RecollectError
from recollect.client.transport import NOBODY, Asked, Transport
from recollect.errors import NotAllowed, StoreClosed, StoreUnavailable, TooManyRequests

FINE = raw('{"done": true}')


@pytest.fixture
def service() -> Iterator[ScriptedModel]:
    """A service that does as it is told."""
    with ScriptedModel() as running:
        yield running


class Waiting:
    """Notes how long it should have waited, and does not."""

    def __init__(self) -> None:
        self.seconds: list[float] = []

    async def __call__(self, seconds: float) -> None:
        self.seconds.append(seconds)


def ask(
    service: ScriptedModel,
    asked: Asked,
    *,
    waiting: Waiting | None = None,
    seconds: float = 30.0,
    **options: Any,
) -> Any:
    """The answer to one request."""

    async def work() -> Any:
        transport = Transport(service.url, timeout_seconds=seconds, sleep=waiting or Waiting(), **options)
        try:
            return (await transport.ask(asked)).body
        finally:
            await transport.aclose()

    return asyncio.run(work())


GET = Asked(method="GET", path="/memories")
POST = Asked(method="POST", path="/memories", body={"content": "x"})


# -- tries ----------------------------------------------------------------------------------------------


def test_s3s_waits(service: ScriptedModel) -> None:
    """A server that fails is asked again after 1, 2 and 4 seconds; its fourth answer counts."""
    waiting = Waiting()
    service.script(refuses(500), refuses(502), refuses(503), FINE)
    assert ask(service, GET, waiting=waiting) == {"done": True}
    assert waiting.seconds == [1, 2, 4]


@pytest.mark.parametrize(
    ("status", "kind"), [(500, RecollectError), (502, ModelError), (503, StoreUnavailable), (504, ModelError)]
)
def test_after_three_more_tries_the_failure_is_told(
    service: ScriptedModel, status: int, kind: type[RecollectError]
) -> None:
    """Four requests in all, then the error that the status stands for, in the server's words."""
    service.script(refuses(status, "the disk is full"))
    with pytest.raises(kind, match="the disk is full") as raised:
        ask(service, GET)
    assert type(raised.value) is kind
    assert len(service.requests) == 4


def test_a_write_has_one_key_for_all_its_tries(service: ScriptedModel) -> None:
    """What was done although nobody heard of it is not done twice; the next write has another key."""
    keys: list[set[str]] = []
    for _ in range(2):
        service.script(refuses(500), hangs_up(), FINE)
        service.requests.clear()
        ask(service, POST)
        keys.append({request.headers["idempotency-key"] for request in service.requests})
        assert len(service.requests) == 3
    assert len(keys[0]) == len(keys[1]) == 1 and keys[0] != keys[1]


def test_a_reading_has_no_key(service: ScriptedModel) -> None:
    """Neither has what changes nothing."""
    service.script(FINE)
    ask(service, GET)
    ask(service, Asked(method="POST", path="/memories/export", body={}, harmless=True))
    assert not any("idempotency-key" in request.headers for request in service.requests)


def test_the_callers_own_key(service: ScriptedModel) -> None:
    """A key that the caller gives is sent as it is; one that no header can hold is refused."""
    service.script(FINE)
    ask(service, Asked(method="POST", path="/x", key="turn-7"))
    assert service.requests[0].headers["idempotency-key"] == "turn-7"
    for key in ("", " ", "a\nb", " a", "x" * 257):
        with pytest.raises(InvalidInput) as raised:
            ask(service, Asked(method="POST", path="/x", key=key))
        assert raised.value.field == "idempotency_key"
    assert len(service.requests) == 1


@pytest.mark.parametrize("status", [400, 401, 403, 404, 405, 409, 413, 418, 422, 429])
def test_a_refusal_is_final(service: ScriptedModel, status: int) -> None:
    """4xx is never tried again, whatever wait it names."""
    waiting = Waiting()
    service.script(refuses(status, "no", retry_after="7"))
    with pytest.raises(RecollectError):
        ask(service, POST, waiting=waiting)
    assert len(service.requests) == 1
    assert waiting.seconds == []


def test_silence_is_tried_again(service: ScriptedModel) -> None:
    """A try that takes too long is given up; a write that is still under way there is waited for."""
    service.script(hangs(), refuses(409, "The request is under way.", retry_after="1"), FINE)
    assert ask(service, POST, seconds=0.2) == {"done": True}
    assert len({request.headers["idempotency-key"] for request in service.requests}) == 1


def test_silence_without_end(service: ScriptedModel) -> None:
    """Whoever never hears anything is told for how long, and what to do."""
    service.script(hangs())
    with pytest.raises(StoreUnavailable, match=r"0\.1 s.*timeout_seconds"):
        ask(service, GET, seconds=0.1)
    assert len(service.requests) == 4


def test_nobody_listens() -> None:
    """Without a service the error says what to check, after S3's waits."""
    with ScriptedModel() as gone:
        pass
    waiting = Waiting()
    with pytest.raises(StoreUnavailable, match="recollect serve") as raised:
        ask(gone, POST, waiting=waiting)
    assert waiting.seconds == [1, 2, 4]
    assert gone.url in str(raised.value)


# -- errors ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("status", "kind"),
    [
        (400, InvalidInput),
        (401, NotAllowed),
        (403, NotAllowed),
        (404, NotFound),
        (405, RecollectError),
        (409, Conflict),
        (413, InvalidInput),
        (429, TooManyRequests),
        (302, RecollectError),
    ],
)
def test_what_a_status_means(service: ScriptedModel, status: int, kind: type[RecollectError]) -> None:
    """Also of something in between that has no words of ours."""
    for body in (b'{"error": "in words"}', b"<html>in words</html>", b"[]", b"\xff in words", b"in words"):
        service.script(raw(body, status))
        with pytest.raises(RecollectError, match=r"in words|\[\]") as raised:
            ask(service, GET)
        assert type(raised.value) is kind


def test_when_to_come_back(service: ScriptedModel) -> None:
    """Too many requests: the error says how long to wait, if the service does."""
    for header, seconds in (("7", 7.0), ("soon", None)):
        service.script(refuses(429, "slow down", retry_after=header))
        with pytest.raises(TooManyRequests) as raised:
            ask(service, GET)
        assert raised.value.seconds == seconds


def told(status: int, **marks: str) -> Any:
    headers = {f"X-Error-{name.title()}": text for name, text in marks.items()}
    return lambda request: Reply(status=status, headers=headers, chunks=(b'{"error": "x"}',))


def test_an_error_is_named_by_its_kind(service: ScriptedModel) -> None:
    """The service names kind, field and id in headers; names that are no errors of ours mean nothing."""
    service.script(told(400, kind="NotWorthKeeping", field="gar%C3%A7on"))
    with pytest.raises(InvalidInput) as refused:
        ask(service, GET)
    assert (type(refused.value).__name__, refused.value.field) == ("NotWorthKeeping", "garçon")
    service.script(told(404, kind="NotFound", id="2026%23a"))
    with pytest.raises(NotFound) as missing:
        ask(service, GET)
    assert missing.value.id == "2026#a"
    service.script(told(502, kind="EmbeddingError"))
    with pytest.raises(ModelError) as failed:
        ask(service, GET)
    assert type(failed.value).__name__ == "EmbeddingError"
    for kind in ("Exception", "annotations", "__doc__", "", "SystemExit"):
        service.script(told(409, kind=kind))
        with pytest.raises(Conflict):
            ask(service, GET)


def test_what_is_no_service(service: ScriptedModel) -> None:
    """A page of another server is not taken for an answer."""
    service.script(raw("<html>Welcome</html>"))
    with pytest.raises(RecollectError, match="JSON"):
        ask(service, GET)


# -- who asks, and where --------------------------------------------------------------------------------


def sent(service: ScriptedModel, user: Any, **options: Any) -> dict[str, str]:
    """The headers of a request."""
    service.script(FINE)
    ask(service, Asked(method="GET", path="/x", user=user), **options)
    return service.requests[-1].headers


def test_who_is_asking(service: ScriptedModel) -> None:
    """A service key always names the user; a token, or nobody, only one that is not the default."""
    assert sent(service, "local", service_key="rk_1")["x-user-id"] == "local"
    assert sent(service, "ann", service_key="rk_1")["x-user-id"] == "ann"
    assert sent(service, "ann", service_key="rk_1")["authorization"] == "Bearer rk_1"
    assert "x-user-id" not in sent(service, NOBODY, service_key="rk_1")
    assert "x-user-id" not in sent(service, "local", token="rs_1")
    assert sent(service, "local", token="rs_1")["authorization"] == "Bearer rs_1"
    assert sent(service, "ann", token="rs_1")["x-user-id"] == "ann"
    headers = sent(service, "local")
    assert "authorization" not in headers and "x-user-id" not in headers
    name = sent(service, "名前", service_key="rk_1")["x-user-id"]
    assert name.encode("latin-1").decode() == "名前"


@pytest.mark.parametrize(
    "user", ["", " ", "*", None, 5, "a\nb", " ann", "ann\t", "x" * 257, "\ud800"], ids=repr
)
def test_users_that_no_header_can_name(service: ScriptedModel, user: Any) -> None:
    """They are refused here, before anything is sent."""
    with pytest.raises(InvalidInput) as raised:
        sent(service, user, service_key="rk_1")
    assert raised.value.field == "user_id"
    assert service.requests == []


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"base_url": "localhost:8765"}, "base_url"),
        ({"base_url": ""}, "base_url"),
        ({"base_url": "ftp://example.com"}, "base_url"),
        ({"base_url": "http://ann:secret@example.com"}, "base_url"),
        ({"base_url": None}, "base_url"),
        ({"token": "rs_1", "service_key": "rk_1"}, "service_key"),
        ({"token": "rs_\n1"}, "token"),
        ({"service_key": "schlüssel"}, "service_key"),
    ],
    ids=str,
)
def test_bad_options(options: dict[str, Any], field: str) -> None:
    """An address that is none, or a secret that cannot be one, is refused at once and not repeated."""
    with pytest.raises(InvalidInput) as raised:
        Transport(**{"base_url": "http://127.0.0.1:1", **options})
    assert raised.value.field == field
    assert "secret" not in str(raised.value)


def test_the_environment_is_not_asked(service: ScriptedModel, monkeypatch: pytest.MonkeyPatch) -> None:
    """A proxy of the environment is not where memories go."""
    for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:1")
    service.script(FINE)
    assert ask(service, GET) == {"done": True}


def test_no_secret_in_an_error() -> None:
    """What is shown of an address or a failure never holds the key."""
    with ScriptedModel() as gone:
        pass
    with pytest.raises(StoreUnavailable) as raised:
        ask(gone, GET, service_key="rk_wolframite")
    assert "wolframite" not in str(raised.value)


def test_what_json_cannot_carry(service: ScriptedModel) -> None:
    """Is bad input, and nothing is sent."""
    deep: list[Any] = []
    for _ in range(100_000):
        deep = [deep]
    for body in ({"x": float("nan")}, {"x": object()}, {"x": "\ud800"}, deep):
        with pytest.raises(InvalidInput):
            ask(service, Asked(method="POST", path="/x", body=body))
    assert service.requests == []


def test_queries_are_spelled(service: ScriptedModel) -> None:
    """Nothing is left out, truths are small, lists repeat their name, and every character survives."""
    service.script(FINE)
    query = {"q": "a b&c=d#e/ü", "none": None, "yes": True, "tag": ["x", "y"], "n": 5}
    ask(service, Asked(method="GET", path="/x", query=query))
    assert service.requests[0].path == "/v1/x?q=a+b%26c%3Dd%23e%2F%C3%BC&yes=true&tag=x&tag=y&n=5"


def test_after_the_end() -> None:
    """A closed client says so, and closing twice is once."""

    async def work() -> None:
        transport = Transport("http://127.0.0.1:1")
        await transport.aclose()
        await transport.aclose()
        with pytest.raises(StoreClosed):
            await transport.get("/memories")

    asyncio.run(work())


def test_one_connection_for_many_requests() -> None:
    """A client keeps its connection from one request to the next."""
    with KeptAlive() as service:
        service.script(FINE)

        async def work() -> None:
            transport = Transport(service.url)
            for _ in range(5):
                await transport.get("/x")
            await transport.aclose()

        asyncio.run(work())
        assert (len(service.requests), service.connections) == (5, 1)
