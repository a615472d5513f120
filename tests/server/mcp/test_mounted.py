"""MCP over HTTP, by the SDK's own client: the same tokens as everything else, and nobody sees another's memory."""

import asyncio
import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest
from conftest import FakeEmbedder
from mcp import MCPError
from serving import SERVICE_KEY, Http, Service, serving

from recollect.api.tools import AsyncTools

from .conftest import called, connected, posted, text_of
from .everything import use_everything

_LISTING = b'{"jsonrpc": "2.0", "id": 1, "method": "tools/list", "params": {}}'


@pytest.mark.parametrize("mode", ["auto", "legacy"])
def test_everything_over_http(service: Service, user: str, mode: str) -> None:
    """A client of today and one of yesterday: eight tools, resources and the prompt."""

    async def talk() -> None:
        async with connected(service, user, mode=mode) as client:
            await use_everything(client)

    asyncio.run(talk())


@pytest.mark.parametrize("path", ["/mcp", "/mcp/"])
def test_both_spellings_without_a_redirect(http: Http, path: str) -> None:
    """A token would be lost on the way to another address."""
    accepting = {"Accept": "application/json, text/event-stream", "Content-Type": "application/json"}
    answer = http.post(path, content=_LISTING, headers=accepting)
    assert answer.status_code == 200
    assert len(answer.json()["result"]["tools"]) == 8


def test_two_users_do_not_see_each_other(service: Service) -> None:
    """Neither by words, nor by ids, nor in resources, while both talk at the same time."""

    async def talk() -> None:
        async with connected(service, "ann") as ann, connected(service, "bob") as bob:
            stored = await called(
                ann,
                "store_memory",
                {"content": "User keeps bees in Graz", "category": "fact", "importance": 9},
            )
            memory_id = stored.removeprefix("✓ Memory stored (ID: ").removesuffix(")")
            assert await called(bob, "list_memories") == "You have no memories yet."
            assert "bees in" not in await called(bob, "search_memories", {"query": "Graz"})
            assert "bees" not in await called(bob, "get_context", {"query": "What do I keep?"})
            for uri in ("recollect://profile", "recollect://context"):
                assert "bees" not in str(await bob.read_resource(uri))
            refused = await bob.call_tool("delete_memory", {"memory_id": memory_id})
            assert refused.is_error
            assert "bees" in await called(ann, "list_memories")

    asyncio.run(talk())


def test_a_session_token_is_its_users(service: Service, user: str) -> None:
    """A session enters as its own user, by either header; naming another one is refused."""
    token = service.operator.post("/auth/sessions", json={"user_id": user}).json()["session_token"]
    fact = {"content": "User keeps bees in Graz", "category": "fact", "importance": 9}

    async def talk() -> None:
        async with connected(service, x_session_token=token) as client:
            await called(client, "store_memory", fact)
        async with connected(service, authorization=f"Bearer {token}") as client:
            assert "bees" in await called(client, "list_memories")

    asyncio.run(talk())
    stranger = posted(service, _LISTING, x_session_token=token, x_user_id="somebody-else")
    assert stranger.status_code == 403


def test_a_user_is_no_argument(service: Service, user: str) -> None:
    """No tool takes a user, so no model can choose one."""

    async def talk() -> None:
        async with connected(service, user) as client:
            for tool in (await client.list_tools()).tools:
                assert not {"user", "user_id"} & set(tool.input_schema["properties"])
                reply = await client.call_tool(tool.name, {"user_id": "somebody-else"})
                assert reply.is_error
                assert "'user_id' is not an argument" in text_of(reply)

    asyncio.run(talk())


@pytest.mark.parametrize(
    ("headers", "status", "error"),
    [
        ({}, 401, "Authentication required"),
        ({"authorization": "Bearer wrong"}, 401, "Authentication required"),
        (
            {"authorization": f"Bearer {SERVICE_KEY}"},
            400,
            "X-User-Id required: a service key acts for a user.",
        ),
    ],
    ids=str,
)
def test_the_gate_stands_before_the_protocol(
    service: Service, headers: dict[str, str], status: int, error: str
) -> None:
    """Without a good token nothing of the protocol is heard."""
    answer = posted(service, _LISTING, **headers)
    assert (answer.status_code, answer.json()["error"]) == (status, error)


def test_a_wrong_token_fails_in_the_client(service: Service) -> None:
    """The SDK's client raises; it does not hang."""

    async def talk() -> None:
        async with connected(service, authorization="Bearer wrong"):
            pass

    with pytest.raises(BaseException) as failed:
        asyncio.run(talk())
    assert any(isinstance(error, MCPError) for error in _all(failed.value))


def _all(error: BaseException) -> list[BaseException]:
    inner = error.exceptions if isinstance(error, BaseExceptionGroup) else ()
    return [error, *(deeper for each in inner for deeper in _all(each))]


def test_a_token_that_may_only_read(service: Service, user: str) -> None:
    """It searches; a tool that changes something says that it may not."""
    made = service.operator.post("/auth/sessions", json={"user_id": user, "scopes": ["read"]}).json()

    async def talk() -> None:
        async with connected(service, x_session_token=made["session_token"]) as client:
            assert await called(client, "list_memories") == "You have no memories yet."
            reply = await client.call_tool(
                "pin_fact", {"content": "The passport is in the bag", "chat_id": "c"}
            )
            assert (reply.is_error, text_of(reply)) == (True, "This token may not write.")

    asyncio.run(talk())


@pytest.mark.parametrize("method", ["GET", "DELETE", "PUT"])
def test_only_post(http: Http, method: str) -> None:
    """There are no sessions to listen to or to end."""
    answer = http.request(method, "/mcp")
    assert (answer.status_code, answer.headers["allow"]) == (405, "POST")


def test_any_host_with_a_token(service: Service, user: str) -> None:
    """Behind a proxy the service has other names; the token is what counts."""
    assert posted(service, _LISTING, user, host="memory.example.com").status_code == 200


def test_in_local_mode(local_service: Service) -> None:
    """Without a token it is the user `local`; a foreign name of the host is refused, as everywhere."""

    async def talk() -> None:
        async with connected(local_service) as client:
            await called(
                client,
                "store_memory",
                {"content": "User keeps bees in Graz", "category": "fact", "importance": 9},
            )

    asyncio.run(talk())
    assert "bees" in local_service.anyone.get("/memories").text
    assert posted(local_service, _LISTING).status_code == 200
    assert posted(local_service, _LISTING, host="evil.example.com").status_code == 403
    assert posted(local_service, _LISTING, origin="https://evil.example.com").status_code == 403


def test_a_persona_by_the_address(service: Service, user: str) -> None:
    """A client that speaks for a persona says so in its address."""

    async def talk() -> None:
        fact = {"content": "User trains for a marathon", "category": "project", "importance": 9}
        async with connected(service, user, path="/mcp?persona_id=coach") as coach:
            await called(coach, "store_memory", fact)
            assert "marathon" in await called(coach, "list_memories")
        async with connected(service, user, path="/mcp?persona_id=chef") as chef:
            assert await called(chef, "list_memories") == "You have no memories yet."

    asyncio.run(talk())


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"[]",
        b"5",
        b'{"jsonrpc": "2.0"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "no/such"}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": 5}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "resources/read", "params": {"uri": "x"}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "x"}}',
        b'{"jsonrpc": "2.0", "id": 1, "method": "prompts/get", "params": {"name": "with_memory"}}',
    ],
)
def test_nonsense_is_answered(service: Service, user: str, body: bytes) -> None:
    """Whatever is posted, the answer is an error in words, never a failure of the service."""
    answer = posted(service, body, user)
    assert answer.status_code < 500
    assert "error" in json.loads(answer.content)


@pytest.mark.parametrize(
    "arguments", [{"query": "a\0b"}, {"query": ""}, {"query": 5}, {"budget": 10}, {"x": 1}]
)
def test_bad_arguments_are_the_tools_error(service: Service, user: str, arguments: dict[str, Any]) -> None:
    """The model reads what was wrong."""

    async def talk() -> None:
        async with connected(service, user) as client:
            assert (await client.call_tool("get_context", arguments)).is_error

    asyncio.run(talk())


@pytest.mark.parametrize("role", ["system", "tool", "User", ""])
def test_a_model_cannot_vouch(service: Service, user: str, role: str) -> None:
    """Only what users and assistants said is recorded: a system prompt counts as vouched for."""

    async def talk() -> None:
        async with connected(service, user) as client:
            said = {"chat_id": "c", "messages": [{"role": role, "text": "Hello"}]}
            reply = await client.call_tool("remember_conversation", said)
            assert (reply.is_error, text_of(reply)) == (True, "messages[0].role must be user or assistant.")
            nothing = await client.call_tool("remember_conversation", {"chat_id": "c", "messages": []})
            assert (nothing.is_error, text_of(nothing)) == (True, "messages is empty; send what was said.")

    asyncio.run(talk())


def test_too_many_requests(tmp_path: Path) -> None:
    """Who asks too often is told when to come back, before the protocol hears of it."""
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), requests_per_minute=1) as service:
        answers = [posted(service, _LISTING, "ann") for _ in range(30)]
    refused = [answer for answer in answers if answer.status_code == 429]
    assert refused
    assert int(refused[0].headers["retry-after"]) > 0
    assert refused[0].json()["error"].startswith("Too many requests.")


def test_a_failure_inside_is_a_reply_without_secrets(
    service: Service, user: str, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """What nobody foresaw is an error of the tool with an id; the trace is in the log alone."""

    async def broken(*arguments: object, **options: object) -> None:
        raise ValueError("secret words")

    monkeypatch.setattr(AsyncTools, "call", broken)

    async def talk() -> None:
        async with connected(service, user) as client:
            reply = await client.call_tool("list_memories", {})
            assert reply.is_error
            assert text_of(reply).startswith("Internal error; see ")
            assert "secret" not in text_of(reply)

    asyncio.run(talk())
    assert "mcp.failed incident=" in caplog.text


def test_what_is_no_tool_is_an_error_of_the_protocol(service: Service, user: str) -> None:
    """A resource or a prompt that is not there, or a question that cannot be asked."""

    async def talk() -> None:
        async with connected(service, user) as client:
            for asking in (
                client.read_resource("recollect://nothing"),
                client.read_resource("recollect://context/%00"),
                client.get_prompt("nothing"),
                client.get_prompt("with_memory", {}),
                client.get_prompt("with_memory", {"question": ""}),
            ):
                with pytest.raises(MCPError):
                    await asking

    asyncio.run(talk())


def test_without_the_sdk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Where the extra is not installed, everything else works, and the address says how to get it."""
    find = importlib.util.find_spec
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None if name == "mcp" else find(name))
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder()) as service:
        answer = posted(service, _LISTING, "ann")
        assert service.http("ann").get("/memories").status_code == 200
    assert (answer.status_code, answer.json()["error"]) == (
        404,
        "MCP is not installed: in a clone of Recollect, run pip install '.[mcp]', then restart the service.",
    )
