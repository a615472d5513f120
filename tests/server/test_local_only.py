"""Local mode's fence: no page of another origin, no other name for this machine."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from conftest import FakeEmbedder
from serving import Service, serving
from starlette.responses import PlainTextResponse

from recollect.server.middleware import LocalOnly


async def asked(
    method: str = "POST", *, local: bool = True, origins: tuple[str, ...] = (), **headers: str | list[str]
) -> int:
    """The status of a request with these headers."""
    given = {"host": "127.0.0.1:8765", **{name.replace("_", "-"): text for name, text in headers.items()}}
    raw = [
        (name.encode(), text.encode("latin-1"))
        for name, texts in given.items()
        for text in (texts if isinstance(texts, list) else [texts])
    ]
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    async def receive() -> Any:
        return {"type": "http.request", "body": b"", "more_body": False}

    app = LocalOnly(PlainTextResponse("in"), local=lambda: local, origins=origins)
    await app({"type": "http", "method": method, "path": "/memories", "headers": raw}, receive, send)
    return sent[0]["status"]


def status(*words: Any, **options: Any) -> int:
    return asyncio.run(asked(*words, **options))


@pytest.mark.parametrize(
    "host",
    [
        "localhost",
        "localhost:8765",
        "LOCALHOST:1",
        "127.0.0.1",
        "127.0.0.1:8765",
        "127.9.8.7:80",
        "[::1]",
        "[::1]:8765",
    ],
)
def test_names_of_this_machine(host: str) -> None:
    """Loopback by name or number, with any port."""
    assert status("GET", host=host) == status("POST", host=host) == 200


@pytest.mark.parametrize(
    "host",
    [
        "",
        "evil.example",
        "evil.example:8765",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "evil@127.0.0.1:8765",
        "127.0.0.1:8765/x",
        "127.0.0.1:port",
        "127.0.0.1:99999",
        "0.0.0.0:8765",
        "192.168.0.7",
        "10.0.0.1:8765",
        "[::]:8765",
        "[fe80::1]",
        "[::1",
        "\xe9",
        ["127.0.0.1", "evil.example"],
    ],
)
def test_other_names_are_refused(host: str | list[str]) -> None:
    """Any other host, even for reading: that is what a rebound name looks like."""
    assert status("GET", host=host) == status("POST", host=host) == 403


@pytest.mark.parametrize(
    "origin",
    ["http://127.0.0.1:8765", "http://localhost:8765", "http://[::1]:8765", "https://LOCALHOST:8765"],
)
def test_our_own_pages_may_write(origin: str) -> None:
    """The console, under whatever name of this machine it was opened."""
    assert status(origin=origin, sec_fetch_site="same-origin") == 200


@pytest.mark.parametrize(
    "origin",
    [
        "null",
        "",
        "https://evil.example",
        "http://127.0.0.1:3000",
        "http://127.0.0.1",
        "http://localhost:8765.evil.example",
        "file://",
        "chrome-extension://127.0.0.1:8765",
        ["http://127.0.0.1:8765", "https://evil.example"],
    ],
)
@pytest.mark.parametrize("method", ["POST", "PUT", "PATCH", "DELETE"])
def test_other_pages_may_not_write(origin: str | list[str], method: str) -> None:
    """Another origin, another port, no origin at all: each is refused."""
    assert status(method, origin=origin) == 403


def test_a_page_that_hides_its_origin() -> None:
    """What the browser says of the site counts as well."""
    assert status(sec_fetch_site="cross-site") == 403
    assert status(sec_fetch_site="none") == 200


def test_reading_across_origins_is_the_browsers_business() -> None:
    """A link may lead here; the page that has it cannot read what we answer."""
    for method in ("GET", "HEAD", "OPTIONS"):
        assert status(method, origin="https://evil.example", sec_fetch_site="cross-site") == 200


def test_origins_that_the_settings_allow() -> None:
    """A page that may call us by the settings may write."""
    assert status(origin="https://app.example", origins=("https://App.example",)) == 200
    assert status(origin="https://app.example:1", origins=("https://App.example",)) == 403


def test_programs_without_a_page_may_write() -> None:
    """Scripts send no origin."""
    assert status() == 200


def test_with_keys_there_is_no_fence() -> None:
    """Behind a proxy the service has another name, and a page does not have the key."""
    assert status(local=False, host="memory.example", origin="https://app.example") == 200


def test_every_path_is_behind_it(local_service: Service) -> None:
    """Over real HTTP, whatever is asked for."""
    rebound = local_service.http(host="evil.example")
    page = local_service.http(origin="https://evil.example")
    for path in ("/health", "/docs", "/openapi.json", "/nowhere", "/auth/sessions", "/mcp"):
        refused = rebound.get(path)
        assert refused.status_code == 403
        assert "names another host" in refused.json()["error"]
        refused = page.post(path, json={})
        assert refused.status_code == 403
        assert "other origins" in refused.json()["error"]


def test_a_service_with_keys_answers_to_any_name(tmp_path: Path) -> None:
    """The check of hosts is local mode's alone."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder()) as service:
        assert service.http(host="memory.example").get("/health").status_code == 200
