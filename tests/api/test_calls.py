"""Wrong calls: each is `InvalidInput` with a sentence that says what to write, never a bare `TypeError`."""

import inspect
from collections.abc import Callable
from typing import Any

import pytest

from recollect import AsyncMemory, Client, InvalidInput, Memory, Settings
from recollect.admin import Admin

#: What somebody wrote who comes from elsewhere, and what they read.
WRONG: list[tuple[Callable[[Any], object], str]] = [
    (lambda m: m.add(), 'add() needs the text to remember: memory.add("I\'m vegan").'),
    (lambda m: m.search("tea", user_id="alice"), "search() has no argument 'user_id'; did you mean 'user'?"),
    (
        lambda m: m.search(query="tea"),
        "search() has no keyword argument 'query'; pass the question first, without a name:"
        ' memory.search("What does she eat?").',
    ),
    (lambda m: m.add("I like tea", metadata={}), "add() has no argument 'metadata'; did you mean 'tags'?"),
    (
        lambda m: m.add(data="I like tea"),
        "add() has no keyword argument 'data'; pass the text to remember first, without a name:"
        ' memory.add("I\'m vegan").',
    ),
    (lambda m: m.search("tea", top_k=3), "search() has no argument 'top_k'; did you mean 'limit'?"),
    (
        lambda m: m.search("tea", catgory="fact"),
        "search() has no argument 'catgory'; did you mean 'category'?",
    ),
    (lambda m: m.context(budget=500), "context() has no argument 'budget'; did you mean 'tokens'?"),
    (lambda m: m.forget(memory_id="x"), "forget() has no argument 'memory_id'; did you mean 'memory'?"),
    (
        lambda m: m.search("tea", "alice"),
        'search() takes only query by position; pass the rest by name: memory.search("What does she eat?", user="alice").',
    ),
    (
        lambda m: m.memories("alice"),
        'memories() takes no positional arguments; pass the rest by name: memory.memories(user="alice").',
    ),
    (lambda m: m.get(), "get() needs the id of a memory: memory.get(memory_id)."),
    (
        lambda m: m.merge("person:a", "person:b", into="person:c"),
        "merge() was given 'into' twice, by position and by name.",
    ),
    (
        lambda m: m.resolve("p1"),
        "resolve() needs accept=True or accept=False: memory.resolve(proposal_id, accept=True).",
    ),
    (lambda m: m.unpin("p1", nonsense=1), "unpin() has no argument 'nonsense'; it takes user."),
    (lambda m: m.tools.call(), 'call() needs the name of a tool: memory.tools.call("store_memory").'),
    (
        lambda m: m.chat("c").pin(text="The gate"),
        "pin() has no keyword argument 'text'; pass the text to remember first, without a name:"
        ' chat.pin("I\'m vegan").',
    ),
    (lambda m: m.chat("c").add(key="k"), "add() has no argument 'key'; did you mean 'idempotency_key'?"),
    (lambda m: Admin(m).revive(), "revive() needs the id of a job: admin.revive(job_id)."),
    (lambda m: Admin(), "Admin() needs memory: Admin(memory)."),
    (
        lambda m: Memory(pth="alice.db"),
        "Memory() has no argument 'pth'; it takes database, settings, embedder, clock.",
    ),
    (lambda m: Client(api_key="k"), "Client() has no argument 'api_key'; did you mean 'service_key'?"),
    (
        lambda m: m.add([{"role": "user", "content": "I like tea"}]),
        "add() takes a text or a NewMemory, not list. A conversation goes into a chat:"
        ' memory.chat("…").add([{"role": "user", "content": "…"}]).',
    ),
    (
        lambda m: m.chat("c").add("I like tea"),
        'Give the role of each message: chat.add(user="…"), or chat.add([{"role": "user", "text": "…"}]).',
    ),
    (
        lambda m: m.chat("c").add([], user="I like tea"),
        "Pass a list of messages or keywords, not both: each message in the list has its own user.",
    ),
    (
        lambda m: m.forget(),
        "Name exactly one thing to forget: a memory, message, chat, todo or entity by its id, or everything=True.",
    ),
    (
        lambda m: m.sessions(revisions=True),
        "revisions requires a session: sessions(session=…, revisions=True).",
    ),
]


def test_the_field_is_named(memory: Memory) -> None:
    """As with every bad input, the error says which argument is wrong."""
    with pytest.raises(InvalidInput) as refused:
        memory.search("tea", user_id="alice")  # type: ignore[call-arg]
    assert refused.value.field == "user_id"


@pytest.mark.in_process
def test_the_asynchronous_form_says_the_same(memory: Memory) -> None:
    """When the method is called, before anything is awaited."""
    with pytest.raises(InvalidInput, match="did you mean 'user'"):
        AsyncMemory(settings=Settings(database_url=":memory:")).search("tea", user_id="alice")  # type: ignore[call-arg]


@pytest.mark.in_process
def test_an_error_inside_a_call_stays_what_it_is(memory: Memory) -> None:
    """Only the call itself is explained: a `TypeError` out of a method's inside comes through."""

    def progress(done: int, total: int) -> None:
        raise TypeError("not mine")

    with pytest.raises(TypeError, match="not mine"):
        memory.load(memory.export(), progress=progress)


def test_methods_are_what_they_were() -> None:
    """Signatures and words are those of the methods: editors and `help()` show them."""
    assert (Memory.search.__doc__ or "").startswith("Find what is relevant")
    assert Memory.search.__name__ == "search"
    assert list(inspect.signature(Memory.get).parameters) == ["self", "memory_id", "user"]
