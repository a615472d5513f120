"""The client as a whole: the methods of `Memory`, pages of any length, tokens, local mode, operators, talking."""

import asyncio
import inspect
import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import FakeEmbedder
from engine.fakes import MoodyEmbedder
from patience import LIMIT
from scripted_model import ScriptedModel
from serving import SERVICE_KEY, Service, serving

from recollect import (
    AsyncChat,
    AsyncClient,
    AsyncClientChat,
    AsyncMemory,
    Client,
    ClientChat,
    EmbeddingError,
    InvalidInput,
    NotAllowed,
    NotFound,
    NotWorthKeeping,
    Refused,
    Remembered,
    Request,
    StoreUnavailable,
)

from .conftest import Opener

#: What concerns the process that keeps the store, and is not asked over HTTP; the package's docstring has the reasons.
LEFT_OUT = {
    "migrate", "reembed", "checks", "flush", "work", "spent_today", "check_token", "has_service_keys", "running",
    "completions",
}  # fmt: skip


def public(kind: type) -> dict[str, Any]:
    return {name: value for name, value in inspect.getmembers(kind) if not name.startswith("_")}


def parameters(method: Callable[..., Any]) -> list[tuple[str, Any, Any]]:
    """Names, kinds and defaults; a mixin may say what it needs of itself."""
    return [(item.name, item.kind, item.default) for item in inspect.signature(method).parameters.values()]


# -- the same as Memory ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("memory_kind", "client_kind"), [(AsyncMemory, AsyncClient), (AsyncChat, AsyncClientChat)]
)
def test_the_methods_are_the_same(memory_kind: type, client_kind: type) -> None:
    """Every method of the one is a method of the other, with the same arguments, defaults and results."""
    theirs, ours = public(memory_kind), public(client_kind)
    assert set(theirs) - set(ours) == (LEFT_OUT if memory_kind is AsyncMemory else set())
    assert set(ours) <= set(theirs)
    for name in set(ours) - {"chat", "chat_id", "user_id", "persona_id"}:
        assert parameters(ours[name]) == parameters(theirs[name]), name
        assert inspect.signature(ours[name]).return_annotation == (
            inspect.signature(theirs[name]).return_annotation
        ), name
        assert (ours[name].__doc__ or "").strip(), name


def test_what_is_left_out_is_said() -> None:
    """The package's docstring names each method that the client has not."""
    import recollect.client

    assert [name for name in sorted(LEFT_OUT) if f"`{name}`" not in (recollect.client.__doc__ or "")] == []


@pytest.mark.parametrize(("async_kind", "kind"), [(AsyncClient, Client), (AsyncClientChat, ClientChat)])
def test_the_synchronous_client_has_the_same_methods(async_kind: type, kind: type) -> None:
    """Every public coroutine is a method of the twin with the same parameters and words."""
    for name, method in inspect.getmembers(async_kind, inspect.iscoroutinefunction):
        if name.startswith("_") or name == "aclose":
            continue
        twin = getattr(kind, name)
        assert not inspect.iscoroutinefunction(twin)
        assert parameters(twin) == parameters(method)
        assert twin.__doc__ and method.__doc__ and twin.__doc__.split() == method.__doc__.split()


def test_no_model_runtime_and_no_server_is_imported() -> None:
    """A program that only uses a client loads neither a model runtime nor a web framework."""
    code = (
        "import sys; from recollect import Client; Client().close(); print([name for name in"
        " ('onnxruntime', 'tiktoken', 'psycopg', 'fastapi', 'starlette', 'uvicorn', 'pydantic') if name in sys.modules])"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, check=True, timeout=LIMIT
    )
    assert done.stdout.strip() == "[]"


def test_a_client_says_where_it_asks() -> None:
    """In a notebook or a log: the address, and never a key."""
    with Client("http://memory.example.com/", service_key="rk_wolframite") as client:
        assert repr(client) == "Client('http://memory.example.com')"
        assert repr(client.chat("garden", user="ann")) == "ClientChat('garden', user='ann', persona=None)"


# -- pages ----------------------------------------------------------------------------------------------


def test_lists_longer_than_a_page_of_the_service(opener: Opener) -> None:
    """The service gives 500 rows at a time; a list has as many as were asked for, in order, each once."""
    memory = opener()
    facts = [
        Request(content=f"User owns the pearl{n} from the shop{n * 3} by the lake{n * 7}") for n in range(620)
    ]
    done = memory.remember_many(facts)
    assert all(isinstance(item, Remembered) for item in done)
    listed = memory.memories(limit=600)
    assert len({item.memory_id for item in listed}) == 600
    assert [item.memory_id for item in listed] == sorted((item.memory_id for item in listed), reverse=True)
    assert len(memory.memories(limit=1000)) == 620
    assert memory.memories(limit=1000, before=listed[-1].memory_id) == memory.memories(limit=1000)[600:]
    assert len(memory.as_of("2030-01-01")) == 620
    chat = memory.chat("c")
    chat.record([{"role": "user", "text": f"Number {n}"} for n in range(1, 621)])
    assert [item.position for item in chat.messages(limit=600)] == list(range(21, 621))
    assert [item.position for item in chat.messages(limit=600, before=611)] == list(range(11, 611))
    assert [item.position for item in chat.messages(limit=600, after=5)] == list(range(6, 606))
    assert [item.position for item in chat.messages(limit=3, after=0)] == [1, 2, 3]
    middle = chat.messages(limit=1, before=301)[0]
    assert [item.position for item in chat.messages(limit=5, around=middle.message_id)] == [
        298,
        299,
        300,
        301,
        302,
    ]


def test_many_statements_in_their_order(opener: Opener) -> None:
    """What cannot be stored, or not even be sent, says why in its place, by kind and field."""
    memory = opener()
    given: list[Any] = [
        Request(content="User keeps bees behind the house"),
        Request(content="short"),
        Request(content="User owns a telescope in the attic", importance=float("nan")),
        Request(content="User keeps bees behind the house"),
        Request(content="User owns a telescope in the attic", category="nonsense"),
        Request(content="🙂" * 12),
    ]
    found = memory.remember_many(given)
    assert [item.outcome if isinstance(item, Remembered) else item.field for item in found] == [
        "added", "content", "importance", "duplicate", "category", "content",
    ]  # fmt: skip
    assert memory.remember_many([]) == []
    last = found[-1]
    assert isinstance(last, Refused) and isinstance(last.error, InvalidInput)
    with pytest.raises(NotWorthKeeping):
        memory.remember("What time is it now in Berlin?", category="fact", origin="assistant")


# -- errors ---------------------------------------------------------------------------------------------


def test_a_model_that_fails(opener: Opener, embedder: MoodyEmbedder) -> None:
    """The error is the engine's own, although it came over HTTP, and nothing is stored."""
    memory = opener()
    embedder.failing = True
    with pytest.raises(EmbeddingError, match="cannot be reached"):
        memory.remember("User keeps bees behind the house")
    embedder.failing = False
    assert memory.memories() == []


def test_ids_that_cannot_stand_in_an_address(opener: Opener) -> None:
    """Dots alone are steps in an address: the error says so, instead of another chat being meant. All else is spelled out."""
    memory = opener()
    for chat_id in ("..", "."):
        with pytest.raises(InvalidInput, match="address") as raised:
            memory.chat(chat_id).add(user="Hello.")
        assert raised.value.field == "chat_id"
    for chat_id in ("a b", "ü?#%", "a:b", "100%2F", "a\\b", "a/b", "../a", "/"):
        memory.chat(chat_id).add(user="Hello.")
        assert memory.chat(chat_id).info().chat_id == chat_id
    with pytest.raises(NotFound):
        memory.get("a/b")


def test_a_document_that_is_too_large(opener: Opener) -> None:
    """Over 8 MB an import is refused in words, and nothing is stored."""
    memory = opener()
    document = memory.export()
    document["memories"] = [{"content": "x" * 2**20} for _ in range(9)]
    with pytest.raises(InvalidInput, match="8 MB"):
        memory.load(document)
    for wrong in ([], "text", None, {"x": float("nan")}):
        with pytest.raises(InvalidInput):
            memory.load(wrong)  # type: ignore[arg-type]


def test_progress_hears_of_the_end(opener: Opener) -> None:
    """An import over HTTP reports once, when everything is there."""
    memory = opener()
    memory.remember("User keeps bees behind the house")
    heard: list[tuple[int, int]] = []
    loaded = memory.load(
        memory.export(), user="bob", progress=lambda done, total: heard.append((done, total))
    )
    assert (loaded.imported, heard) == (1, [(1, 1)])


# -- who asks -------------------------------------------------------------------------------------------


@pytest.fixture
def service(tmp_path: Path) -> Iterator[Service]:
    with serving(tmp_path / "memory.db", embedder=FakeEmbedder()) as running:
        yield running


def test_a_session_reaches_its_own_user(service: Service) -> None:
    """A backend makes a token with its key; whoever has it is that user, and nobody else."""
    with Client(service.url, service_key=SERVICE_KEY) as backend:
        made = backend.create_token(user="ann", ttl_seconds=600, label="phone")
        assert (made.token.user_id, made.token.label, made.token.kind) == ("ann", "phone", "session")
        assert [token.token_id for token in backend.tokens(user="ann")] == [made.token.token_id]
        assert backend.tokens(user="ann")[0] == made.token
        assert backend.tokens(kind="service") == [] and backend.tokens(user="bob") == []
        with Client(service.url, token=made.text) as phone:
            assert phone.remember("I keep bees behind the house").memory.user_id == "ann"
            assert len(phone.memories(user="ann")) == 1
            with pytest.raises(NotAllowed):
                phone.memories(user="bob")
            with pytest.raises(NotAllowed):
                phone.users()
            assert len(backend.memories(user="ann")) == 1
            backend.revoke_token(made.token.token_id)
            with pytest.raises(NotAllowed):
                phone.memories()
        with pytest.raises(NotAllowed, match="recollect token create"):
            backend.create_token(service=True)
        with pytest.raises(NotFound):
            backend.revoke_token("0" * 16)


def test_a_wrong_key(service: Service) -> None:
    """Who is not known is told so."""
    for options in ({}, {"token": "rs_nothing"}, {"service_key": "rk_nothing"}):
        with Client(service.url, **options) as client, pytest.raises(NotAllowed):
            client.memories()


def test_whoever_runs_the_store(service: Service) -> None:
    """Users, the store and its work, for a service key without a user."""
    with Client(service.url, service_key=SERVICE_KEY) as client:
        client.remember("I keep bees behind the house", user="ann")
        client.chat("c", user="bob").add(user="Hello.")
        assert client.users() == ["ann", "bob"]
        assert (client.users(limit=1), client.users(limit=1, after="ann")) == (["ann"], ["bob"])
        assert client.info().users == 2
        assert client.dead_jobs() == []
        assert client.work_figures().lag_seconds >= 0
        assert client.drain(user="bob")
        assert client.open_jobs(user="bob") == 0
        assert [job.kind for job in client.jobs(user="bob")] == ["close_session"]


def test_local_mode(tmp_path: Path) -> None:
    """Without a key, on one's own machine, a client is the user `local`, and nobody else."""
    with (
        serving(tmp_path / "memory.db", local=True, embedder=FakeEmbedder()) as service,
        Client(service.url) as client,
    ):
        assert client.remember("I keep bees behind the house").memory.user_id == "local"
        assert client.recall("bees").hits[0].memory.content == "User keeps bees behind the house"
        with pytest.raises(NotAllowed, match="service key"):
            client.remember("I keep bees behind the house", user="ann")


def test_after_close(service: Service) -> None:
    """A closed client says so, also to handles that it gave out."""
    client = Client(service.url, service_key=SERVICE_KEY)
    chat = client.chat("c")
    chat.add(user="Hello.")
    client.close()
    client.close()
    for act in (client.memories, chat.messages):
        with pytest.raises(StoreUnavailable, match="closed"):
            act()


# -- talking and tools ----------------------------------------------------------------------------------


def test_talking(tmp_path: Path) -> None:
    """Events come as they happen, in the wire's order; both messages are recorded."""

    async def work(url: str) -> None:
        async with AsyncClient(url, service_key=SERVICE_KEY) as client:
            first = [event async for event in client.talk("Hello there.", user="ann")]
            assert (first[0].kind, first[-1].kind) == ("chat", "message.completed")
            assert "".join(event.data["delta"] for event in first[1:-1]) == "Good day."
            chat_id = first[0].data["chat_id"]
            more = [event async for event in client.talk("And now?", user="ann", chat_id=chat_id)]
            assert more[-1].data["text"] == "Good day."
            said = await client.chat(chat_id, user="ann").messages()
            assert [item.text for item in said] == ["Hello there.", "Good day.", "And now?", "Good day."]
            with pytest.raises(NotFound):
                await anext(client.talk("Hello.", user="ann", chat_id="nowhere"))
            with pytest.raises(InvalidInput):
                await anext(client.talk("", user="ann"))

    with ScriptedModel() as model:
        model.script("Good day.")
        options: dict[str, Any] = {"openai_base_url": model.url, "chat_model": "house"}
        with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), **options) as running:
            asyncio.run(work(running.url))


def test_tools(opener: Opener) -> None:
    """Schemas in each format, and calls with S3's texts; arguments may be an object or its text."""
    memory = opener()
    assert {tool["function"]["name"] for tool in memory.tools()} >= {"store_memory", "saveMemory"}
    assert "input_schema" in memory.tools("anthropic")[0]
    with pytest.raises(InvalidInput):
        memory.tools("french")
    fact = {"content": "User keeps bees", "category": "fact", "importance": 7}
    for arguments in (fact, json.dumps({**fact, "content": "User keeps goats"})):
        assert memory.call_tool("store_memory", arguments).text.startswith("✓ Memory stored (ID: ")
    for arguments in ("{", "[]", {**fact, "content": "short"}, 5, {**fact, "content": "\ud800"}):
        assert memory.call_tool("store_memory", arguments).is_error  # type: ignore[arg-type]
    assert memory.call_tool("list_memories").result["total"] == 2
    with pytest.raises(NotFound):
        memory.call_tool("fly")
