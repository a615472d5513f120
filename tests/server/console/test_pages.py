"""Serving the console: its page with a fresh nonce, its files with their types, and nothing else."""

import gzip
import re
from collections.abc import Iterator
from pathlib import Path

import httpx2
import pytest
from conftest import FakeEmbedder
from fastapi import FastAPI
from serving import Service, serving
from starlette.routing import Route

from recollect.server.console import pages as served
from recollect.server.console.built import built_files, is_built

PAGE = '<meta name="recollect-nonce" content="{{nonce}}"><meta name="recollect-mode" content="{{mode}}">'
SCRIPT = b"console.log('hello');" * 40


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a build leaves."""
    made = tmp_path_factory.mktemp("static")
    (made / "assets").mkdir()
    (made / "index.html").write_text(PAGE)
    (made / "assets" / "index-Ab3_x-9Z.js").write_bytes(SCRIPT)
    (made / "assets" / "index-Ab3_x-9Z.js.gz").write_bytes(gzip.compress(SCRIPT))
    (made / "assets" / "favicon.svg").write_text("<svg/>")
    (made / "assets" / "notes.txt").write_text("not for the public")
    return made


def _with(folder: Path, app: FastAPI) -> None:
    """Put a console of the test's own in front of the one that was built."""
    for route in reversed(served.pages(built_files(folder)).routes):
        assert isinstance(route, Route)
        app.router.routes.insert(0, route)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory, folder: Path) -> Iterator[Service]:
    """A service with that console."""
    file = tmp_path_factory.mktemp("service") / "memory.db"
    with serving(file, embedder=FakeEmbedder(), extended=lambda app: _with(folder, app)) as running:
        yield running


def _get(service: Service, path: str, **headers: str) -> httpx2.Response:
    return service.http(**headers).get(path)


def test_the_page_has_a_fresh_nonce_that_the_policy_names(service: Service) -> None:
    """Each request gets a nonce of its own, in the page and in the policy, and no copy of it is kept."""
    nonces: set[str] = set()
    for _ in range(2):
        answer = _get(service, "/")
        found = re.search(r'nonce" content="([\w-]+)"', answer.text)
        assert found is not None
        policy = answer.headers["content-security-policy"]
        assert f"style-src 'self' 'nonce-{found[1]}'" in policy
        assert "script-src 'self';" in policy
        assert "default-src 'none'" in policy
        assert "frame-ancestors 'none'" in policy
        assert "unsafe" not in policy
        assert answer.headers["cache-control"] == "no-store"
        nonces.add(found[1])
    assert len(nonces) == 2


@pytest.mark.parametrize(("local", "mode"), [(True, "local"), (False, "keys")])
def test_the_page_says_whether_a_token_is_needed(
    tmp_path: Path, folder: Path, local: bool, mode: str
) -> None:
    """The console must know before it asks for anything."""
    with serving(
        tmp_path / "memory.db",
        local=local,
        embedder=FakeEmbedder(),
        extended=lambda app: _with(folder, app),
    ) as running:
        assert f'recollect-mode" content="{mode}"' in running.anyone.get("/").text


def test_a_file_with_a_hash_is_kept_for_ever_and_sent_compressed(service: Service) -> None:
    """Its name changes with its content; whoever cannot read gzip gets it plain."""
    compressed = _get(service, "/assets/index-Ab3_x-9Z.js")
    assert compressed.headers["content-encoding"] == "gzip"
    assert compressed.headers["cache-control"] == "public, max-age=31536000, immutable"
    assert compressed.headers["content-type"] == "text/javascript; charset=utf-8"
    plain = _get(service, "/assets/index-Ab3_x-9Z.js", accept_encoding="identity")
    assert "content-encoding" not in plain.headers
    assert plain.headers["vary"] == "Accept-Encoding"
    assert plain.content == compressed.content == SCRIPT


def test_a_file_with_a_plain_name_is_asked_for_again(service: Service) -> None:
    """What its name means may change with the next version."""
    assert _get(service, "/assets/favicon.svg").headers["cache-control"] == "no-cache"


@pytest.mark.parametrize(
    "path",
    [
        "/assets/notes.txt",
        "/assets/index-Ab3_x-9Z.js.gz",
        "/assets/..%2findex.html",
        "/assets/%2e%2e%2f%2e%2e%2fpages.py",
        "/index.html",
        "/assets/",
    ],
)
def test_nothing_else_is_served(service: Service, path: str) -> None:
    """Only what the build made, of the types that a console has."""
    assert _get(service, path).status_code == 404


def test_without_a_build_the_page_says_how(tmp_path: Path) -> None:
    """A fresh checkout explains itself, and the description of the routes is there all the same."""
    with serving(
        tmp_path / "memory.db", embedder=FakeEmbedder(), extended=lambda app: _with(tmp_path / "none", app)
    ) as running:
        answer = running.anyone.get("/")
        assert "make console" in answer.text
        nonce = re.search(r'<style nonce="([\w-]+)"', answer.text)
        assert nonce is not None
        assert f"'nonce-{nonce[1]}'" in answer.headers["content-security-policy"]
        assert running.anyone.get("/docs").status_code == 200


def test_a_console_is_built_when_it_has_a_first_page(folder: Path, tmp_path: Path) -> None:
    """A folder without the page, or no folder at all, is no console."""
    assert is_built(folder)
    assert not is_built(tmp_path)
    assert not is_built(tmp_path / "nothing")
