"""Conversations of ChatGPT."""

from typing import Any

import pytest
from foreign_exports import START, TALK, chatgpt_conversation, chatgpt_message, node
from hypothesis import given as drawn
from hypothesis import strategies as st

from recollect.interchange.foreign import Format

from .reading import contents, given, messages, spoken


def test_a_conversation_becomes_a_chat() -> None:
    """Words, roles, times, the model and the title are those of the export; the hidden prompt is not there."""
    found = given([chatgpt_conversation()])
    assert found.format is Format.CHATGPT
    assert found.skipped == ()
    assert spoken(found) == list(TALK)
    (chat,) = found.document["chats"]
    assert (chat["title"], chat["created_at"]) == ("Hills", "2025-01-28T10:30:00.000Z")
    assert chat["judged_position"] == 0
    assert [message["created_at"][11:19] for message in messages(found)] == ["10:30:00", "10:31:00"]
    assert [message["model_id"] for message in messages(found)] == [None, "gpt-4o"]


def test_ids_depend_on_the_source_alone() -> None:
    """The same conversation has the same ids, whatever stands around it and however much was said since."""
    first = given([chatgpt_conversation()])
    later = given([chatgpt_conversation(name="other"), chatgpt_conversation([*TALK, ("user", "And more")])])
    assert later.document["chats"][1]["chat_id"] == first.document["chats"][0]["chat_id"]
    assert messages(later, 1)[:2] == messages(first)
    ids = [message["id"] for chat in (0, 1) for message in messages(later, chat)]
    assert len(set(ids)) == len(ids)


def test_only_the_branch_that_was_seen_last() -> None:
    """What was edited away, or answered anew, is left out."""
    conversation = chatgpt_conversation()
    conversation["mapping"]["again"] = node("again", "n0", chatgpt_message("assistant", "Another answer"))
    assert spoken(given([conversation])) == list(TALK)
    conversation["current_node"] = "again"
    assert spoken(given([conversation]))[1] == ("assistant", "Another answer")


@pytest.mark.parametrize("end", [None, "gone", 7, ["n0"]])
def test_without_a_current_node_the_last_leaf_counts(end: object) -> None:
    """An export that does not say where it ends is read to its last leaf."""
    assert spoken(given([chatgpt_conversation(current_node=end)])) == list(TALK)


@pytest.mark.parametrize(
    "message",
    [
        chatgpt_message("assistant", "search('hills')", recipient="browser"),
        chatgpt_message("assistant", "thinking", kind="thoughts"),
        chatgpt_message("tool", "1,2,3", kind="execution_output"),
        chatgpt_message("tool", "A page about hills"),
        chatgpt_message("user", "hidden", metadata={"is_visually_hidden_from_conversation": True}),
        chatgpt_message("system", "You are helpful"),
        chatgpt_message("assistant", "no weight", weight=0),
        chatgpt_message("assistant", ""),
        chatgpt_message("assistant", None),
        chatgpt_message("user", kind="user_editable_context"),
    ],
)
def test_what_was_not_shown_is_left_out(message: dict[str, Any]) -> None:
    """Tool calls, results, thoughts, prompts and empty messages are no part of what was said, and no mistake."""
    found = given([chatgpt_conversation([chatgpt_message("user", "Look for hills"), message])])
    assert (spoken(found), found.skipped) == ([("user", "Look for hills")], ())


def test_images_sound_and_files_are_marks() -> None:
    """Words stay; an image, sound and a file leave a mark."""
    image = {"content_type": "image_asset_pointer", "asset_pointer": "sediment://file_1", "width": 10}
    sound = {"content_type": "audio_asset_pointer", "asset_pointer": "sediment://file_2"}
    written = {"content_type": "audio_transcription", "text": "Good morning", "direction": "in"}
    attached = {"attachments": [{"id": "f", "name": "map.pdf", "mime_type": "application/pdf"}]}
    photo = {"attachments": [{"id": "f", "name": "hill.png", "mime_type": "image/png"}]}
    said = [
        chatgpt_message("user", image, "What is this?", kind="multimodal_text", metadata=photo),
        chatgpt_message("user", sound, written, kind="multimodal_text"),
        chatgpt_message("user", sound, kind="multimodal_text"),
        chatgpt_message("user", "Read this", metadata=attached),
        chatgpt_message("tool", image, kind="multimodal_text"),
        chatgpt_message("user", {"content_type": "new_thing"}, kind="multimodal_text"),
    ]
    assert [text for _, text in spoken(given([chatgpt_conversation(said)]))] == [
        "[image]\nWhat is this?",
        "Good morning",
        "[audio]",
        "Read this\n[file: map.pdf]",
        "[image]",
        "[attachment]",
    ]


def test_what_it_remembered_becomes_memories() -> None:
    """Notes to `bio`, the context that it set and the custom instructions are facts that an import said."""
    context = {
        "content_type": "model_editable_context",
        "model_set_context": "1. [2024-05-02]. User is vegan.",
    }
    about = {"user_context_message_data": {"about_user_message": "I live in Graz. I have two dogs."}}
    said = [
        chatgpt_message("user", "Remember that I sing in a choir"),
        chatgpt_message("assistant", "User sings in a choir.", recipient="bio"),
        {**chatgpt_message("assistant"), "content": context},
        {**chatgpt_message("user", kind="user_editable_context"), "metadata": about},
    ]
    found = given([chatgpt_conversation(said), chatgpt_conversation(said[3:], name="conv-2")])
    assert contents(found) == [
        "User sings in a choir.",
        "User is vegan.",
        "User lives in Graz.",
        "User has two dogs.",
    ]
    assert {memory["origin"] for memory in found.document["memories"]} == {"import"}
    assert {memory["source"] for memory in found.document["memories"]} == {"import"}
    assert found.document["memories"][1]["created_at"] == "2024-05-02T00:00:00.000Z"
    assert found.skipped == ()


def test_a_message_without_a_time_has_that_of_the_one_before() -> None:
    """Times that are missing are taken from what was said before; without any it is left out and told."""
    said = [chatgpt_message("user", "First"), chatgpt_message("assistant", "Second", at=None)]
    assert {message["created_at"] for message in messages(given([chatgpt_conversation(said)]))} == {
        "2025-01-28T10:30:00.000Z"
    }
    found = given([chatgpt_conversation(said[1:], create_time=None)])
    assert found.document["chats"] == []
    assert found.skipped[-1] == (1, "message 3: it has no time.")


@pytest.mark.parametrize(
    ("message", "reason"),
    [
        (chatgpt_message("user", "x", at=START + 10**9), "create_time lies in the future."),
        (chatgpt_message("user", "x", at="soon"), "create_time: 'soon' is not an ISO-8601 time"),  # type: ignore[arg-type]
        (chatgpt_message("user", "x", at=float("nan")), "create_time is not a valid time."),
        (chatgpt_message("user", "x", at=1e300), "create_time is not a valid time."),
        (chatgpt_message("dog", "x"), "role must be one of"),
        (chatgpt_message("user", "x" * 200_001), "text has 200001 characters"),
        (chatgpt_message("user", "a\x00b"), "text contains a NUL character"),
        (chatgpt_message("user", "a\ud800b"), "text contains a lone surrogate"),
        (chatgpt_message("user", 5), "a part must be an object."),
        ({**chatgpt_message("user"), "content": {"parts": "words"}}, "parts must be a list."),
        ({**chatgpt_message("user"), "author": None}, "author must be an object."),
        ("words", "message must be an object."),
    ],
)
def test_a_broken_message_is_told(message: Any, reason: str) -> None:
    """It is left out with its place and a reason, and the others are there."""
    conversation = chatgpt_conversation([("user", "Before"), ("user", "broken"), ("user", "After")])
    conversation["mapping"]["n1"]["message"] = message
    found = given(["nothing", conversation])
    assert [text for _, text in spoken(found)] == ["Before", "After"]
    assert found.skipped[0] == (1, "not an object.")
    assert found.skipped[1][0] == 2 and found.skipped[1][1].startswith(f"message 4: {reason}")
    assert found.chat_line(1) == 2


def _circle() -> dict[str, Any]:
    conversation = chatgpt_conversation()
    conversation["mapping"]["root"]["parent"] = "n1"
    return conversation


@pytest.mark.parametrize(
    ("conversation", "reason"),
    [
        (_circle(), "the conversation contains a loop."),
        ({**_circle(), "current_node": None}, "the conversation contains a loop."),
        (chatgpt_conversation(name=""), "it has no id."),
        (chatgpt_conversation(conversation_id=None, id={}), "it has no id."),
    ],
)
def test_a_broken_conversation_is_told(conversation: dict[str, Any], reason: str) -> None:
    """It is left out as a whole, and the next one is read."""
    found = given([conversation, chatgpt_conversation(name="well")])
    assert found.skipped == ((1, reason),)
    assert spoken(found) == list(TALK)


def test_a_way_that_breaks_off_is_told() -> None:
    """What is there is read, and that something is missing is said."""
    conversation = chatgpt_conversation()
    del conversation["mapping"]["n0"]
    found = given([conversation])
    assert spoken(found) == [TALK[1]]
    assert found.skipped == ((1, "the messages before node 'n0' are not in the file."),)


def test_a_long_conversation_is_read_without_recursion() -> None:
    """Twenty thousand nodes in one line are a loop, not a stack."""
    said = [chatgpt_message("user", "Good morning") for _ in range(20_000)]
    assert len(messages(given([chatgpt_conversation(said)]))) == 20_000


_ANY = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=5,
)
_PLACES = (
    (), ("title",), ("create_time",), ("mapping",), ("current_node",), ("id",), ("conversation_id",),
    ("mapping", "n0"), ("mapping", "n0", "parent"), ("mapping", "n0", "message"),
    ("mapping", "n0", "message", "author"), ("mapping", "n0", "message", "author", "role"),
    ("mapping", "n0", "message", "content"), ("mapping", "n0", "message", "content", "parts"),
    ("mapping", "n0", "message", "content", "content_type"), ("mapping", "n0", "message", "metadata"),
    ("mapping", "n0", "message", "recipient"), ("mapping", "n0", "message", "create_time"),
)  # fmt: skip


@drawn(st.lists(st.tuples(st.sampled_from(_PLACES), _ANY), min_size=1, max_size=4))
def test_wrong_values_anywhere_break_nothing(changes: list[tuple[tuple[str, ...], Any]]) -> None:
    """Whatever stands wherever: what can be read is read, and no error but a refusal comes of it."""
    document: list[Any] = [chatgpt_conversation(), chatgpt_conversation(name="well")]
    for path, value in changes:
        held: Any = document
        place: Any = 0
        for step in path:
            held = held[place] if isinstance(held, list) or place in held else None
            place = step
            if not isinstance(held, dict):
                break
        else:
            held[place] = value
    found = given(document, Format.CHATGPT)
    assert spoken(found, -1) == list(TALK)
