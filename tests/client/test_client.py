"""The client as a whole: the methods of `Memory`, pages of any length, tokens, local mode, operators, talking."""

import asyncio
import inspect
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import FakeEmbedder
from patience import LIMIT
from scripted_model import ScriptedModel
from serving import SERVICE_KEY, Service, serving

from recollect import (
    AsyncChat,
    AsyncClient,
    AsyncMemory,
    Chat,
    Client,
    InvalidInput,
    Memory,
    NewMemory,
    NotFound,
)
from recollect.admin import Admin
from recollect.client.chat import AsyncClientChat
from recollect.client.conversations import AsyncClientTools
from recollect.errors import NotAllowed, NotWorthKeeping, StoreUnavailable
from recollect.types import AsyncTools, Refused, Remembered

from .conftest import Opener

# -- the same as Memory ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("memory_kind", "client_kind"),
    [(AsyncMemory, AsyncClient), (AsyncChat, AsyncClientChat), (AsyncTools, AsyncClientTools)],
)
def test_every_method_is_asked_over_http(memory_kind: type, client_kind: type) -> None:
    """A client replaces every method, with the same arguments, defaults and results; nothing of the engine is left."""
    for name, theirs in inspect.getmembers(
        memory_kind, lambda item: inspect.isfunction(item) or isinstance(item, property)
    ):
        if name.startswith("_"):
            continue
        ours = inspect.getattr_static(client_kind, name)
        assert ours is not theirs, name
        if not isinstance(theirs, property):
            assert inspect.signature(ours).parameters == inspect.signature(theirs).parameters, name
            if name != "chat":
                assert (
                    inspect.signature(ours).return_annotation == inspect.signature(theirs).return_annotation
                )
        assert (inspect.getdoc(ours) or inspect.getdoc(theirs) or "").strip(), name


def test_a_client_is_a_memory(opener: Opener) -> None:
    """What takes a memory takes a client: `Admin`, `storage.use`, and code with annotations."""
    memory = opener()
    assert isinstance(memory, Client)
    assert isinstance(memory, Memory)
    assert isinstance(memory.chat("c"), Chat)
    assert issubclass(AsyncClient, AsyncMemory)


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
        assert repr(client.chat("garden", user="ann")) == "Chat('garden', user='ann', persona=None)"


# -- pages ----------------------------------------------------------------------------------------------


def test_pages_go_on_where_they_ended(opener: Opener) -> None:
    """The cursors of the service, forwards and backwards, also for more rows than one page may hold."""
    memory = opener()
    facts = [f"User owns the pearl{n} from the shop{n * 3} by the lake{n * 7}" for n in range(1020)]
    assert all(isinstance(item, Remembered) for item in memory.add_many(facts))
    page = memory.memories(limit=5000)
    rest = memory.memories(limit=5000, cursor=page.next_cursor)
    assert (len(page), len(rest), rest.next_cursor) == (1000, 20, None)
    assert len({item.memory_id for item in (*page, *rest)}) == 1020
    chat = memory.chat("c")
    chat.add([{"role": "user", "text": f"Number {n}"} for n in range(1, 21)])
    last = chat.messages(limit=8)
    assert [item.position for item in last] == list(range(13, 21))
    back = chat.messages(limit=8, cursor=last.next_cursor)
    assert [item.position for item in back] == list(range(5, 13))
    around = chat.messages(limit=5, around=back[3].message_id)
    assert [item.position for item in around] == [6, 7, 8, 9, 10]
    assert [item.position for item in chat.messages(limit=3, cursor=around.next_cursor)] == [11, 12, 13]


def test_many_statements_in_their_order(opener: Opener) -> None:
    """What cannot be stored, or not even be sent, says why in its place, by kind and field."""
    memory = opener()
    given: list[Any] = [
        NewMemory("User keeps bees behind the house"),
        NewMemory("short"),
        NewMemory("User owns a telescope in the attic", importance=float("nan")),
        NewMemory("User keeps bees behind the house"),
        NewMemory("User owns a telescope in the attic", category="nonsense"),
        NewMemory("🙂" * 12),
    ]
    found = memory.add_many(given)
    assert [item.outcome if isinstance(item, Remembered) else item.field for item in found] == [
        "added", "content", "importance", "duplicate", "category", "content",
    ]  # fmt: skip
    assert memory.add_many([]) == []
    last = found[-1]
    assert isinstance(last, Refused) and isinstance(last.error, InvalidInput)
    with pytest.raises(NotWorthKeeping):
        memory.add(NewMemory("What time is it now in Berlin?", category="fact", origin="assistant"))


# -- errors ---------------------------------------------------------------------------------------------


def test_ids_that_cannot_stand_in_an_address(opener: Opener) -> None:
    """Dots alone are steps in an address: the error says so, instead of another chat being meant. All else is spelled out."""
    memory = opener()
    for chat_id in ("..", "."):
        with pytest.raises(InvalidInput, match="over HTTP") as raised:
            memory.chat(chat_id).add(user="Hello.")
        assert raised.value.field == "chat_id"
    for chat_id in ("a b", "ü?#%", "a:b", "100%2F", "a\\b", "a/b", "../a", "/"):
        memory.chat(chat_id).add(user="Hello.")
        assert memory.chats(chat=chat_id)[0].chat_id == chat_id
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
    memory.add("User keeps bees behind the house")
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
        made = Admin(backend).create_token(user="ann", ttl_seconds=600, label="phone")
        assert (made.token.user_id, made.token.label, made.token.kind) == ("ann", "phone", "session")
        assert [token.token_id for token in Admin(backend).tokens(user="ann")] == [made.token.token_id]
        assert Admin(backend).tokens(user="ann")[0] == made.token
        assert Admin(backend).tokens(kind="service") == [] and Admin(backend).tokens(user="bob") == []
        with Client(service.url, token=made.text) as phone:
            assert phone.add("I keep bees behind the house").memory.user_id == "ann"
            assert len(phone.memories(user="ann")) == 1
            with pytest.raises(NotAllowed):
                phone.memories(user="bob")
            with pytest.raises(NotAllowed):
                Admin(phone).users()
            assert len(backend.memories(user="ann")) == 1
            Admin(backend).revoke_token(made.token.token_id)
            with pytest.raises(NotAllowed):
                phone.memories()
        with pytest.raises(NotAllowed, match="recollect token create"):
            Admin(backend).create_token(service=True)
        with pytest.raises(NotFound):
            Admin(backend).revoke_token("0" * 16)


def test_a_wrong_key(service: Service) -> None:
    """Who is not known is told so."""
    for options in ({}, {"token": "rs_nothing"}, {"service_key": "rk_nothing"}):
        with Client(service.url, **options) as client, pytest.raises(NotAllowed):
            client.memories()


def test_whoever_runs_the_store(service: Service) -> None:
    """Users, the store and its work, for a service key without a user."""
    with Client(service.url, service_key=SERVICE_KEY) as client:
        client.add("I keep bees behind the house", user="ann")
        client.chat("c", user="bob").add(user="Hello.")
        assert Admin(client).users() == ["ann", "bob"]
        page = Admin(client).users(limit=1)
        assert (page, Admin(client).users(limit=1, cursor=page.next_cursor)) == (["ann"], ["bob"])
        assert Admin(client).info().users == 2
        assert Admin(client).jobs() == []
        assert Admin(client).metrics().work.lag_seconds >= 0
        assert client.drain(user="bob")
        assert [job.kind for job in Admin(client).jobs(user="bob")] == ["close_session"]
        for refused in (
            Admin(client).migrate,
            Admin(client).reembed,
            Admin(client).checks,
            Admin(client).judge,
        ):
            with pytest.raises(NotAllowed, match="not available over a service"):
                refused()


def test_local_mode(tmp_path: Path) -> None:
    """Without a key, on one's own machine, a client is the user `local`, or the one that it names."""
    with (
        serving(tmp_path / "memory.db", local=True, embedder=FakeEmbedder()) as service,
        Client(service.url) as client,
    ):
        assert client.add("I keep bees behind the house").memory.user_id == "local"
        assert client.search("bees").hits[0].memory.content == "User keeps bees behind the house"
        assert client.add("I keep hens behind the house", user="ann").memory.user_id == "ann"
        assert len(client.memories()) == 1


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
            more = [event async for event in client.talk("And now?", user="ann", chat=chat_id)]
            assert more[-1].data["text"] == "Good day."
            said = await client.chat(chat_id, user="ann").messages()
            assert [item.text for item in said] == ["Hello there.", "Good day.", "And now?", "Good day."]
            with pytest.raises(NotFound):
                await anext(client.talk("Hello.", user="ann", chat="nowhere"))
            with pytest.raises(InvalidInput):
                await anext(client.talk("", user="ann"))

    with ScriptedModel() as model:
        model.script("Good day.")
        options: dict[str, Any] = {"openai_base_url": model.url, "chat_model": "house"}
        with serving(tmp_path / "memory.db", embedder=FakeEmbedder(), **options) as running:
            asyncio.run(work(running.url))
