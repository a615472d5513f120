"""Local mode, a service on loopback without a key, is as docs/reference/wire.md says; so is what holds for every route."""

import re
from collections.abc import Iterator

import pytest
from scripted_model import ScriptedModel, says

from .conftest import Wire, serving
from .wire_page import PAGE

IGNORED = "who has no token is `local` whatever they say"


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory, model: ScriptedModel) -> Iterator[str]:
    """A service without a key."""
    models = {"OPENAI_BASE_URL": model.url, "OPENAI_API_KEY": "sk-1", "RECOLLECT_CHAT_MODEL": "house"}
    with serving(tmp_path_factory.mktemp("local") / "memory.db", **models) as ready:
        yield ready


@pytest.fixture
def nobody(line: str) -> Iterator[Wire]:
    """A client that says nothing of itself."""
    with Wire(line, set()) as client:
        yield client


def test_it_says_that_it_is_ready(line: str) -> None:
    """One line with the address; where the console is depends on whether it was built."""
    (start,) = re.findall(r"`(Recollect is ready at \S+:)8765 \(console: /, docs: /docs\)`", PAGE)
    assert line.startswith(start) and "docs: /docs" in line


def test_nobody_needs_a_token(nobody: Wire) -> None:
    """Neither a user nor an operator."""
    todo = nobody.ask("POST", "/v1/todos", json={"text": "Book the ferry"})
    assert todo in nobody.ask("GET", "/v1/todos")["todos"]
    assert "recollect_" in nobody.ask("GET", "/metrics")
    assert nobody.request("GET", "/v1/jobs").is_success


def test_a_header_names_the_user(line: str, nobody: Wire) -> None:
    """`X-User-Id` acts for that user; without one it is `local`."""
    with (
        Wire(line, set(), **{"X-User-Id": "bob"}) as bob,
        Wire(line, set(), **{"X-User-Id": "local"}) as local,
    ):
        todo = nobody.ask("POST", "/v1/todos", json={"text": "Book the hotel"})
        assert todo in local.ask("GET", "/v1/todos")["todos"]
        assert todo not in bob.ask("GET", "/v1/todos")["todos"]


def test_an_openai_client_names_the_user(line: str, nobody: Wire, model: ScriptedModel) -> None:
    """By the field `user`, where no header does."""
    model.script(says("Ahoy."))
    body = {"model": "house", "user": "carol", "messages": [{"role": "user", "content": "Hi, I am Carol"}]}
    nobody.ask("POST", "/v1/chat/completions", json=body)
    with Wire(line, set(), **{"X-User-Id": "carol"}) as carol:
        assert len(carol.ask("GET", "/v1/chats")["chats"]) == 1


@pytest.mark.parametrize(
    "headers",
    [{"Host": "evil.example"}, {"Origin": "http://evil.example"}],
    ids=["another host", "another origin"],
)
def test_it_is_for_this_machine(nobody: Wire, headers: dict[str, str]) -> None:
    """Requests to another host's name, and writes of another origin's pages, are refused."""
    nobody.refused("POST", "/v1/todos", 403, json={"text": "Book the ferry"}, headers=headers)


def test_idempotency(nobody: Wire) -> None:
    """The same key and body: the first answer again; another body: a conflict."""
    body = {"text": "Renew the passport"}
    again = {"Idempotency-Key": "once"}
    first = nobody.ask("POST", "/v1/todos", json=body, headers=again)
    assert nobody.ask("POST", "/v1/todos", json=body, headers=again) == first
    assert nobody.ask("GET", "/v1/todos")["todos"].count(first) == 1
    nobody.refused("POST", "/v1/todos", 409, json={"text": "Book the train"}, headers=again)


def test_bad_input(nobody: Wire) -> None:
    """400 names the field; 413 is too large; unknown fields are refused; nothing is 422."""
    nobody.refused("GET", "/memories?limit=0", 400, "limit")
    nobody.refused("POST", "/v1/todos", 400, "text", json={})
    nobody.refused("POST", "/v1/todos", 400, "colour", json={"text": "Paint", "colour": "red"})
    json_header = {"Content-Type": "application/json"}
    nobody.refused("POST", "/v1/todos", 413, content=b'"' + b"x" * (8 * 2**20) + b'"', headers=json_header)
    nobody.refused("POST", "/v1/todos", 400, content=b"[" * 65 + b"]" * 65, headers=json_header)
    long = {"messages": [{"role": "user", "text": "x" * 200_001}]}
    assert nobody.request("POST", "/v1/chats/lunch/messages", json=long).status_code in (400, 413)
