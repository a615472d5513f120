"""The face for models: the calls of the sources with the replies of the sources, and no way to anybody else's memory."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from conftest import FakeEmbedder

from recollect import InvalidInput, Memory, NotFound, Settings
from recollect.rules.trust import Origin, Source

from .conftest import Opener

_TYPESCRIPT = {
    "content": "User prefers using TypeScript",
    "category": "preference",
    "reasoning": "Core tech stack preference that affects future recommendations",
}


@pytest.fixture
def either(database_url: str) -> Iterator[Memory]:
    """An empty memory on each kind of database."""
    settings = Settings(sqlite_synchronous="normal", judge="off")
    memory = Memory(database_url, settings=settings, embedder=FakeEmbedder())
    yield memory
    memory.close()


def _store(memory: Memory, content: str, category: str = "preference", **options: Any) -> str:
    arguments = {"content": content, "category": category, "importance": options.pop("importance", 8)}
    reply = memory.call_tool("store_memory", arguments, **options)
    assert not reply.is_error, reply.text
    return reply.result["memory_id"]


def test_store(memory: Memory) -> None:
    """S3's first example: the reply names the id under which the fact is found."""
    arguments = {
        "content": "User prefers Python 3.12+",
        "category": "preference",
        "importance": 8,
        "tags": ["python", "coding_style"],
    }
    reply = memory.call_tool("store_memory", arguments, user="ann")
    stored = memory.memories(user="ann")[0]
    assert reply.text == f"✓ Memory stored (ID: {stored.memory_id})"
    assert reply.result["success"] is True
    assert reply.result["memory_id"] == stored.memory_id
    assert not reply.is_error
    assert (stored.content, stored.importance, stored.tags) == (
        "User prefers Python 3.12+",
        8.0,
        ("python", "coding_style"),
    )


def test_whose_words_they_are(memory: Memory) -> None:
    """What a model stores came by a tool, in the user's words, like S3's function stores it."""
    memory_id = _store(memory, "User prefers Python 3.12+")
    memory.save_memory("local", "User prefers tea over coffee", "preference")
    by_tool = memory.get(memory_id)
    by_function = memory.memories()[0]
    assert (by_tool.source, by_tool.origin) == (Source.TOOL, Origin.USER)
    assert (by_tool.source, by_tool.origin) == (by_function.source, by_function.origin)
    assert memory.history(memory_id)[0].by == "tool"


def test_the_first_person_is_rewritten(memory: Memory) -> None:
    """A model that forgot the third person is helped."""
    memory.call_tool("saveMemory", {**_TYPESCRIPT, "content": "My wife is Jane", "category": "relationship"})
    assert memory.memories()[0].content == "User's wife is named Jane"


def test_save_memory_answers_in_s2s_shape(memory: Memory) -> None:
    """Success, to the letter."""
    reply = memory.call_tool("saveMemory", _TYPESCRIPT)
    stored = memory.memories()[0]
    assert reply.result == {
        "success": True,
        "message": "Memory saved successfully",
        "memoryId": stored.memory_id,
        "content": "User prefers using TypeScript",
        "category": "preference",
    }
    assert reply.text == f"✓ Memory stored (ID: {stored.memory_id})"
    assert stored.reasoning == _TYPESCRIPT["reasoning"]


def test_a_duplicate_names_what_is_known(meaning: Memory) -> None:
    """S2's third scenario: nothing is stored, and the text says what is there."""
    meaning.call_tool("saveMemory", _TYPESCRIPT)
    reply = meaning.call_tool(
        "saveMemory",
        {
            "content": "User likes TypeScript",
            "category": "preference",
            "reasoning": "Programming language preference",
        },
    )
    assert reply.text == "Similar memory already exists: User prefers using TypeScript"
    known = meaning.memories()
    assert len(known) == 1
    assert reply.result == {
        "success": False,
        "duplicate": True,
        "message": "Similar memory already exists",
        "existingContent": "User prefers using TypeScript",
        "memoryId": known[0].memory_id,
    }
    assert not reply.is_error


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"content": "Tea"}, "Content too short (minimum 10 characters)"),
        ({"content": "x" * 501}, "Content too long (maximum 500 characters)"),
        (
            {"category": "mood"},
            "Unknown category 'mood'. Allowed: identity, preference, relationship, project, skill, fact, context.",
        ),
        ({"reasoning": "short"}, "reasoning must have 10-200 characters, not 5."),
        ({"reasoning": "x" * 201}, "reasoning must have 10-200 characters, not 201."),
        ({"reasoning": None}, "reasoning required. saveMemory takes content, category and reasoning."),
    ],
    ids=str,
)
def test_a_refusal_says_why(memory: Memory, change: dict[str, Any], error: str) -> None:
    """S2's error shape; nothing is stored."""
    reply = memory.call_tool("saveMemory", {**_TYPESCRIPT, **change})
    assert reply.is_error
    assert reply.text == error
    assert reply.result == {"success": False, "error": error}
    assert memory.memories() == []


@pytest.mark.parametrize("category", ["identity", "skill", "fact", "relationship"])
def test_every_category_is_taken(memory: Memory, category: str) -> None:
    """Either tool stores any of the seven, whichever five its schema offers."""
    saved = memory.call_tool("saveMemory", {**_TYPESCRIPT, "category": category})
    assert saved.result["category"] == category
    assert memory.get(_store(memory, "User plays the violin", category)).category == category


def test_search(memory: Memory) -> None:
    """S3's search: what fits, best first, with category, importance and id."""
    python = _store(memory, "User prefers Python 3.12+", importance=9)
    _store(memory, "User has a dog named Rex", "fact")
    reply = memory.call_tool("search_memories", {"query": "python", "limit": 1})
    assert reply.text == (
        f"Found 1 memory:\n\n- [preference] User prefers Python 3.12+ (Importance: 9, ID: {python})"
    )
    assert [found["memory_id"] for found in reply.result["memories"]] == [python]
    assert set(reply.result["memories"][0]) == {
        "user_id", "memory_id", "content", "category", "importance", "tags", "created_at", "last_accessed", "access_count",
    }  # fmt: skip


def test_search_by_category(memory: Memory) -> None:
    """The filter leaves other categories out; nothing found is no error."""
    _store(memory, "User prefers Python 3.12+")
    reply = memory.call_tool("search_memories", {"query": "python", "category": "skill"})
    assert (reply.text, reply.is_error) == ('No memories found for "python".', False)
    assert reply.result == {"memories": []}


def test_list(either: Memory) -> None:
    """S3's list, on both databases: grouped, with the true total, though not all are shown."""
    for number in range(4):
        _store(either, f"User prefers editor number {number}")
    skill = _store(either, "User is an expert in Rust", "skill", importance=7)
    reply = either.call_tool("list_memories", {"limit": 1})
    assert reply.text == (
        f"Your memories (5 total):\n\n[SKILL]\n  - User is an expert in Rust (Importance: 7, ID: {skill})\n\n"
        "These are the newest 1; search_memories finds the others."
    )
    assert (reply.result["total"], len(reply.result["memories"])) == (5, 1)
    reply = either.call_tool("list_memories", {"category": "skill"})
    assert reply.text.startswith("Your memories (1 total):\n\n[SKILL]\n")
    assert either.call_tool("list_memories", {"category": "project"}).text == (
        "You have no project memories yet."
    )


def test_update(memory: Memory) -> None:
    """S3's update: other words under the same id; the history says that a tool did it."""
    memory_id = _store(memory, "User prefers Python 3.12+")
    reply = memory.call_tool(
        "update_memory",
        {"memory_id": memory_id, "new_content": "User prefers Python 3.13 now", "importance": 9},
    )
    assert (reply.text, reply.is_error) == ("✓ Memory updated", False)
    assert reply.result == {"success": True, "memory_id": memory_id}
    assert memory.get(memory_id).content == "User prefers Python 3.13 now"
    assert memory.history(memory_id)[-1].by == "tool"


def test_delete(memory: Memory) -> None:
    """S3's delete: the memory is gone; a second time there is nothing to delete."""
    memory_id = _store(memory, "User prefers Python 3.12+")
    reply = memory.call_tool("delete_memory", {"memory_id": memory_id})
    assert (reply.text, reply.is_error) == ("✓ Memory deleted", False)
    assert memory.memories() == []
    again = memory.call_tool("delete_memory", {"memory_id": memory_id})
    assert again.is_error
    assert again.text == f"There is no memory {memory_id!r}. search_memories and list_memories show the IDs."


def test_a_tool_reaches_nobody_else(memory: Memory) -> None:
    """With another user's id: nothing is found, listed, changed or deleted."""
    memory_id = _store(memory, "User prefers Python 3.12+", user="ann")
    for name, more in (("update_memory", {"new_content": "User prefers Perl now"}), ("delete_memory", {})):
        reply = memory.call_tool(name, {"memory_id": memory_id, **more}, user="bob")
        assert reply.is_error
        assert reply.text.startswith("There is no memory")
    assert "Python" not in memory.call_tool("search_memories", {"query": "python"}, user="bob").text.replace(
        '"python"', ""
    )
    assert memory.call_tool("list_memories", user="bob").text == "You have no memories yet."
    assert memory.get(memory_id, user="ann").content == "User prefers Python 3.12+"


@pytest.mark.parametrize("name", ["store_memory", "search_memories", "list_memories", "saveMemory"])
def test_the_user_is_no_argument(memory: Memory, name: str) -> None:
    """A model that names a user is told that it cannot."""
    reply = memory.call_tool(name, {"user": "ann", "user_id": "ann"}, user="bob")
    assert reply.is_error
    assert "'user' is no argument" in reply.text


def test_personas_keep_to_themselves(memory: Memory) -> None:
    """With a persona a tool knows what that persona knows: its own and what is shared."""
    shared = _store(memory, "User prefers Python 3.12+")
    own = _store(memory, "User trains for a marathon", "project", persona="coach")
    listed = memory.call_tool("list_memories", persona="chef")
    assert (listed.result["total"], [found["memory_id"] for found in listed.result["memories"]]) == (
        1,
        [shared],
    )
    assert memory.call_tool("list_memories", persona="coach").result["total"] == 2
    assert memory.call_tool("delete_memory", {"memory_id": own}, persona="chef").is_error
    assert not memory.call_tool("delete_memory", {"memory_id": own}, persona="coach").is_error


def test_a_fact_is_linked_to_what_was_said(memory: Memory) -> None:
    """In a chat the fact comes from the user's last message, and is forgotten with the chat."""
    recorded = memory.chat("c").add(user="Remember that I like oat milk", assistant="I will.")
    kept = _store(memory, "User prefers Python 3.12+")
    linked = _store(memory, "User likes oat milk in coffee", chat="c")
    assert memory.get(linked).source_message_ids == (recorded.messages[0].message_id,)
    memory.forget(chat_id="c")
    assert [found.memory_id for found in memory.memories()] == [kept]


def test_a_chat_that_is_not_there_is_no_obstacle(memory: Memory) -> None:
    """A tool may be called before anything is recorded."""
    assert memory.get(_store(memory, "User likes oat milk in coffee", chat="new")).source_message_ids == ()


def test_arguments_may_be_text(memory: Memory) -> None:
    """OpenAI's clients hand out JSON text, which can be passed on as it is."""
    reply = memory.call_tool("saveMemory", json.dumps(_TYPESCRIPT))
    assert reply.result["success"] is True
    assert memory.call_tool("saveMemory", '{"content": ').text == (
        "The arguments of saveMemory are not valid JSON. Send one JSON object."
    )


def test_no_such_tool(memory: Memory) -> None:
    """An unknown name is raised: it is the program's mistake."""
    with pytest.raises(NotFound, match="There is no tool 'store'"):
        memory.call_tool("store", {})


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
        memory.call_tool("list_memories", {}, **options)  # type: ignore[arg-type]
    assert refused.value.field == field


@pytest.mark.parametrize("format", ["openai", "anthropic", "gemini"])
def test_the_tools_in_each_format(memory: Memory, format: str) -> None:
    """Six tools, whoever's model is meant."""
    assert len(memory.tools(format)) == 6


def test_openai_is_the_format_unless_told(memory: Memory) -> None:
    """The most common one is the default, and another word is refused."""
    assert memory.tools() == memory.tools("openai")
    with pytest.raises(InvalidInput, match="format must be one of"):
        memory.tools("cohere")


def test_every_tool_does_something(opener: Opener) -> None:
    """No tool is listed that a call does not know."""
    memory = opener()
    for tool in memory.tools("anthropic"):
        reply = memory.call_tool(tool["name"], {"nonsense": True})
        assert reply.is_error
        assert f"no argument of {tool['name']}" in reply.text
