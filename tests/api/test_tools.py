"""Tools for models: the calls of the sources with the replies of the sources, and no way to anybody else's memory."""

from collections.abc import Iterator
from typing import Any

import pytest
from conftest import FakeEmbedder

from recollect import InvalidInput, Memory, Settings

from .conftest import Opener

_TYPESCRIPT = {
    "content": "User prefers using TypeScript",
    "category": "preference",
    "reasoning": "Core tech stack preference that affects future recommendations",
}


@pytest.fixture
def either(database_url: str) -> Iterator[Memory]:
    """An empty memory on each kind of database."""
    settings = Settings(sqlite_synchronous="normal", judge_model="off")
    memory = Memory(database_url, settings=settings, embedder=FakeEmbedder())
    yield memory
    memory.close()


def _store(memory: Memory, content: str, category: str = "preference", **options: Any) -> str:
    arguments = {"content": content, "category": category, "importance": options.pop("importance", 8)}
    reply = memory.tools.call("store_memory", arguments, **options)
    assert not reply.is_error, reply.text
    return reply.result["memory_id"]


@pytest.mark.parametrize("category", ["identity", "skill", "fact", "relationship"])
def test_every_category_is_taken(memory: Memory, category: str) -> None:
    """Either tool stores any of the seven, whichever five its schema offers."""
    saved = memory.tools.call("saveMemory", {**_TYPESCRIPT, "category": category})
    assert saved.result["category"] == category
    assert memory.get(_store(memory, "User plays the violin", category)).category == category


def test_list(either: Memory) -> None:
    """S3's list, on both databases: grouped, with the true total, though not all are shown."""
    for number in range(4):
        _store(either, f"User prefers editor number {number}")
    skill = _store(either, "User is an expert in Rust", "skill", importance=7)
    reply = either.tools.call("list_memories", {"limit": 1})
    assert reply.text == (
        f"Your memories (5 total):\n\n[SKILL]\n  - User is an expert in Rust (Importance: 7, ID: {skill})\n\n"
        "These are the newest 1; search_memories finds the others."
    )
    assert (reply.result["total"], len(reply.result["memories"])) == (5, 1)
    reply = either.tools.call("list_memories", {"category": "skill"})
    assert reply.text.startswith("Your memories (1 total):\n\n[SKILL]\n")
    assert either.tools.call("list_memories", {"category": "project"}).text == (
        "You have no project memories yet."
    )


def test_a_chat_that_is_not_there_is_no_obstacle(memory: Memory) -> None:
    """A tool may be called before anything is recorded."""
    assert memory.get(_store(memory, "User likes oat milk in coffee", chat="new")).source_message_ids == ()


@pytest.mark.parametrize(
    ("options", "field"),
    [
        ({"user": ""}, "user_id"),
        ({"user": "a\0"}, "user_id"),
        ({"persona": ""}, "persona_id"),
        ({"chat": "\ud800"}, "chat_id"),
    ],
    ids=str,
)
def test_whoever_calls_names_things_rightly(memory: Memory, options: dict[str, str], field: str) -> None:
    """Users, personas and chats are not the model's to choose: a bad one is raised."""
    with pytest.raises(InvalidInput) as refused:
        memory.tools.call("list_memories", {}, **options)  # type: ignore[arg-type]
    assert refused.value.field == field


def test_openai_is_the_format_unless_told(memory: Memory) -> None:
    """The most common one is the default, and another word is refused."""
    assert memory.tools.schemas() == memory.tools.schemas("openai")
    with pytest.raises(InvalidInput, match="format must be one of"):
        memory.tools.schemas("cohere")


def test_every_tool_does_something(opener: Opener) -> None:
    """No tool is listed that a call does not know."""
    memory = opener()
    for tool in memory.tools.schemas("anthropic"):
        reply = memory.tools.call(tool["name"], {"nonsense": True})
        assert reply.is_error
        assert f"'nonsense' is not an argument of {tool['name']}" in reply.text
