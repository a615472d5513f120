"""Plain entries: messages and memories, mixed."""

from typing import Any

import pytest
from foreign_exports import TALK, lines, openai_messages
from hypothesis import given as drawn
from hypothesis import strategies as st

from recollect.interchange.foreign import Format

from .reading import NOW, contents, given, messages, spoken
from .test_chatgpt import _ANY

MIXED = [
    {
        "role": "user",
        "text": "Good morning",
        "chat_id": "a",
        "created_at": "2025-01-28T10:30:00Z",
        "name": "Ann",
    },
    {"content": "User keeps bees behind the house", "category": "fact"},
    {"role": "user", "content": "Hello", "chat_id": "b", "created_at": 1_738_060_200},
    {"role": "assistant", "text": "Morning!", "chat_id": "a", "model": "gpt-4o"},
    {"memory": "User is vegan since 2019", "created_at": 1_738_060_200_123},
]


def test_messages_and_memories_are_told_apart() -> None:
    """Messages come together by their chat, in the order of the lines; the rest are memories."""
    found = given(MIXED)
    assert (found.format, found.skipped) == (Format.JSONL, ())
    assert [chat["chat_id"] for chat in found.document["chats"]] == ["a", "b"]
    assert spoken(found) == [("user", "Good morning"), ("assistant", "Morning!")]
    assert [message["name"] for message in messages(found)] == ["Ann", None]
    assert {message["created_at"] for message in messages(found)} == {"2025-01-28T10:30:00.000Z"}
    assert messages(found)[1]["model_id"] == "gpt-4o"
    assert contents(found) == ["User keeps bees behind the house", "User is vegan since 2019"]
    assert [memory["created_at"] for memory in found.document["memories"]] == [
        "2026-03-01T12:00:00.000Z",
        "2025-01-28T10:30:00.123Z",
    ]
    assert found.chat_lines == (1, 3)


def test_lines_of_text_are_the_same() -> None:
    """JSON lines give what the list gives, and a line that is broken is told by its number."""
    assert given(lines(MIXED)) == given(MIXED)
    found = given("\n" + lines(MIXED[:2]) + "{broken\n" + lines(MIXED[2:]))
    assert [line for line, _ in found.skipped] == [4]
    assert found.skipped[0][1].startswith("not JSON: ")
    assert found.chat_lines == (2, 5)


def test_openai_messages_are_one_chat() -> None:
    """Messages without times or ids become one chat of the moment of the import."""
    parts = [{"type": "text", "text": "And this?"}, {"type": "image_url", "image_url": {"url": "x"}}]
    document = [
        {"role": "developer", "content": "Be kind"},
        *openai_messages(),
        {"role": "user", "content": parts},
    ]
    found = given(document)
    assert spoken(found) == [("system", "Be kind"), *TALK, ("user", "And this?\n[image]")]
    assert {message["created_at"] for message in messages(found)} == {"2026-03-01T12:00:00.000Z"}


def test_ids_do_not_depend_on_the_moment_or_on_what_follows() -> None:
    """Read later, with more at the end, the beginning has the ids that it had, also where words repeat."""
    said = [*openai_messages(), *openai_messages((("user", "Yes"), ("user", "Yes")))]
    first, later = given(said), given([*said, {"role": "user", "content": "Yes"}])
    ids = [message["id"] for message in messages(later)]
    assert ids[: len(said)] == [message["id"] for message in messages(first)]
    assert len(set(ids)) == len(ids)
    assert later.document["chats"][0]["chat_id"] == first.document["chats"][0]["chat_id"]
    other = given(openai_messages((("user", "Something else"),)))
    assert other.document["chats"][0]["chat_id"] != first.document["chats"][0]["chat_id"]


def test_the_beginning_has_the_first_time_that_is_given() -> None:
    """A message before the first that says when is as old as that one, not as the import."""
    document = [
        {"role": "user", "text": "A"},
        {"role": "user", "text": "B", "timestamp": "2025-01-28T10:30:00Z"},
    ]
    assert [message["created_at"][:4] for message in messages(given(document))] == ["2025", "2025"]
    assert NOW.year == 2026


@pytest.mark.parametrize(
    ("entry", "reason"),
    [
        ({"role": "dog", "text": "Woof"}, "role must be one of"),
        ({"role": ["user"], "text": "Woof"}, "role must be one of"),
        ({"role": "user"}, "text is missing."),
        ({"role": "user", "text": "  "}, "text must not be empty"),
        ({"role": "user", "text": 5}, "text must be text"),
        ({"role": "user", "content": [5]}, "a part must be an object."),
        ({"role": "user", "text": "x", "chat_id": 5}, "chat_id must be text"),
        ({"role": "user", "text": "x", "name": "a\nb"}, "name must not contain"),
        ({"role": "user", "text": "x", "id": []}, "it has no id."),
        ({"role": "user", "text": "x", "created_at": "2099-01-01"}, "created_at lies in the future."),
        ({"role": "user", "text": "x", "created_at": True}, "created_at"),
        ({"content": "short"}, "Content too short"),
        ({"content": "User likes tea a lot", "category": "spam"}, "Unknown category"),
        ({"title": "nothing"}, "memory is missing."),
        ([], "not an object."),
        ("words", "not an object."),
    ],
)
def test_a_broken_entry_is_told(entry: Any, reason: str) -> None:
    """It is left out with its place and a reason; the others are there."""
    found = given([MIXED[0], entry, MIXED[3]])
    assert len(messages(found)) == 2
    (told,) = found.skipped
    assert told[0] == 2 and told[1].startswith(reason)


@drawn(st.lists(_ANY | st.dictionaries(st.sampled_from(["role", "text", "content", "chat_id", "id"]), _ANY)))
def test_wrong_values_anywhere_break_nothing(entries: list[Any]) -> None:
    """Whatever the entries are: each is read or told."""
    found = given([*entries, MIXED[1]], Format.JSONL)
    assert contents(found)[-1] == "User keeps bees behind the house"
    read = sum(len(chat["messages"]) for chat in found.document["chats"]) + len(found.document["memories"])
    assert read + len(found.skipped) == len(entries) + 1
