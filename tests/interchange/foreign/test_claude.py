"""Conversations of Claude."""

from typing import Any

import pytest
from foreign_exports import NOBODY, TALK, claude_conversation, claude_message
from hypothesis import given as drawn
from hypothesis import strategies as st

from recollect.interchange.foreign import Format

from .reading import given, messages, spoken
from .test_chatgpt import _ANY


def test_a_conversation_becomes_a_chat() -> None:
    """Words, roles, times and the name are those of the export."""
    found = given([claude_conversation()])
    assert found.format is Format.CLAUDE
    assert (spoken(found), found.skipped) == (list(TALK), ())
    (chat,) = found.document["chats"]
    assert (chat["title"], chat["created_at"]) == ("Hills", "2025-01-28T10:30:00.000Z")
    assert messages(found)[1]["created_at"] == "2025-01-28T10:30:01.123Z"


def test_ids_depend_on_the_source_alone() -> None:
    """A later export has the same ids for what was there before."""
    first = given([claude_conversation()])
    later = given([claude_conversation(name="x"), claude_conversation([*TALK, ("user", "And more")])])
    assert messages(later, 1)[:2] == messages(first)
    assert later.document["chats"][1]["chat_id"] == first.document["chats"][0]["chat_id"]


def test_only_the_branch_that_was_seen_last() -> None:
    """Where each message names the one before it, what was answered anew is left out."""
    said = [
        claude_message(0, "human", "Which hills?", parent_message_uuid=NOBODY),
        claude_message(1, "assistant", "None", parent_message_uuid="m0"),
        claude_message(2, "assistant", "Those of Styria", parent_message_uuid="m0"),
    ]
    conversation = claude_conversation(chat_messages=said)
    assert spoken(given([conversation])) == [("user", "Which hills?"), ("assistant", "Those of Styria")]
    conversation["current_leaf_message_uuid"] = "m1"
    assert spoken(given([conversation]))[1] == ("assistant", "None")
    del said[1]["parent_message_uuid"]
    assert len(messages(given([conversation]))) == 3, "one that does not say it makes it a list again"


def test_blocks_files_and_pasted_texts() -> None:
    """Words are those of the text blocks; files leave marks; what was pasted is the message if nothing else is."""
    blocks = [
        {"type": "thinking", "thinking": "Hm."},
        {"type": "text", "text": "Here it is."},
        {"type": "tool_use", "name": "search", "input": {}},
        {"type": "tool_result", "content": [{"type": "text", "text": "result"}]},
        {"type": "text", "text": "And more."},
    ]
    pasted = {"file_name": "", "file_type": "txt", "extracted_content": "A long pasted text"}
    said = [
        claude_message(0, "assistant", "This block is not supported", content=blocks),
        claude_message(1, "human", "Look", files=[{"file_name": "hill.PNG"}, {"file_name": "map.pdf"}]),
        claude_message(2, "human", "", content=[], attachments=[pasted]),
        claude_message(3, "human", "With words", attachments=[{**pasted, "file_name": "notes.txt"}]),
        claude_message(4, "human", "An old export", content=None),
        claude_message(5, "assistant", "", content=blocks[2:3]),
    ]
    found = given([claude_conversation(chat_messages=said)])
    assert [text for _, text in spoken(found)] == [
        "Here it is.\n\nAnd more.",
        "Look\n\n[image]\n\n[file: map.pdf]",
        "A long pasted text",
        "With words\n\n[file: notes.txt]",
        "An old export",
    ]
    assert found.skipped == ()


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        ({"sender": "dog"}, "role must be one of"),
        ({"created_at": "2099-01-01T00:00:00Z"}, "created_at lies in the future."),
        ({"created_at": "soon"}, "created_at: 'soon' is not"),
        ({"uuid": None}, "it has no uuid."),
        ({"text": "\ud800", "content": []}, "text contains a lone surrogate"),
    ],
)
def test_a_broken_message_is_told(change: dict[str, Any], reason: str) -> None:
    """It is left out with its place and a reason; the others are there."""
    conversation = claude_conversation([*TALK, ("user", "After")])
    conversation["chat_messages"][1] |= change
    conversation["chat_messages"].append(5)
    found = given([conversation])
    assert [text for _, text in spoken(found)] == [TALK[0][1], "After"]
    assert found.skipped[0] == (1, "message 4: not an object.")
    assert found.skipped[1][1].startswith(f"message 2: {reason}")


def test_circles_and_gaps_are_told() -> None:
    """A conversation that goes round in a circle is left out; one without its beginning is read as far as it goes."""
    said = [claude_message(0, "human", "A", parent_message_uuid="m1")]
    said.append(claude_message(1, "human", "B", parent_message_uuid="m0"))
    gap = [claude_message(0, "human", "A", parent_message_uuid="gone")]
    found = given([claude_conversation(chat_messages=said), claude_conversation(chat_messages=gap)])
    assert found.skipped == (
        (1, "the conversation contains a loop."),
        (2, "the messages before 'gone' are not in the file."),
    )
    assert spoken(found) == [("user", "A")]


def test_an_empty_conversation_is_no_chat() -> None:
    """Where nothing was said there is nothing to import."""
    assert given([claude_conversation([])]).document["chats"] == []


_PLACES = ("uuid", "name", "created_at", "chat_messages", "current_leaf_message_uuid")
_MESSAGE = ("uuid", "text", "content", "sender", "created_at", "attachments", "files", "parent_message_uuid")


@drawn(
    st.dictionaries(st.sampled_from(_PLACES), _ANY, max_size=2),
    st.dictionaries(st.sampled_from(_MESSAGE), _ANY, max_size=3),
)
def test_wrong_values_anywhere_break_nothing(outer: dict[str, Any], inner: dict[str, Any]) -> None:
    """Whatever stands wherever: what can be read is read, and no error but a refusal comes of it."""
    broken = claude_conversation()
    broken["chat_messages"][0] |= inner
    broken |= outer
    found = given([broken, claude_conversation(name="well")], Format.CLAUDE)
    assert spoken(found, -1) == list(TALK)
