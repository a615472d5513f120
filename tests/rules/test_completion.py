"""A chat completion as memory reads it: what is new, what was before, which chat it is."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.records.message import MAX_TEXT, Role
from recollect.rules.completion import (
    CompletionRequest,
    Placing,
    about_roles,
    chat_of,
    error_event,
    error_of,
    key_of,
    one_system,
    placed,
    read,
    storable,
    text_of,
)

IMAGE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}


def user(content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "user", "content": content, **more}


def assistant(content: Any, **more: Any) -> dict[str, Any]:
    return {"role": "assistant", "content": content, **more}


def request(*messages: dict[str, Any], **more: Any) -> CompletionRequest:
    return read({"messages": list(messages), **more})


def spoken(said: Any) -> list[tuple[Role, str]]:
    return [(item.role, item.text) for item in said]


def test_what_is_new_follows_the_last_answer() -> None:
    """Users and tools since then; who instructs is not recorded."""
    asked = request(
        {"role": "system", "content": "Be brief."},
        user("One"),
        assistant("Two"),
        user("Three"),
        {"role": "system", "content": "Be kind."},
        {"role": "tool", "tool_call_id": "1", "content": "Four"},
        {"role": "function", "name": "f", "content": "Five"},
    )
    assert spoken(asked.new) == [(Role.USER, "Three"), (Role.TOOL, "Four"), (Role.TOOL, "Five")]
    assert spoken(asked.history) == [(Role.USER, "One"), (Role.ASSISTANT, "Two")]
    assert asked.question == "Three"


def test_a_first_message_is_new() -> None:
    """Without an answer everything is."""
    asked = request({"role": "developer", "content": "Be brief."}, user("One"), user("Two"))
    assert spoken(asked.new) == [(Role.USER, "One"), (Role.USER, "Two")]
    assert asked.history == []


def test_an_answer_that_is_to_go_on_has_nothing_new() -> None:
    """A prefilled answer is the client's own affair."""
    asked = request(user("One"), assistant("Two and"))
    assert asked.new == []
    assert asked.question == "One"


@pytest.mark.parametrize(
    ("content", "text"),
    [
        ("Plain", "Plain"),
        ([{"type": "text", "text": "What is this?"}, IMAGE], "What is this?\n[image]"),
        ([IMAGE, IMAGE], "[image]\n[image]"),
        ([{"type": "input_audio", "input_audio": {}}, {"type": "file", "file": {}}], "[audio]\n[file]"),
        ([{"type": "text", "text": 3}, {"type": "odd"}, 4, None], ""),
        (["One", "Two"], "One\nTwo"),
        (None, ""),
        ({"text": "odd"}, ""),
    ],
    ids=str,
)
def test_the_words_of_a_message(content: Any, text: str) -> None:
    """Text is taken in every form; what is none is named; what nobody knows is left out."""
    assert text_of(user(content)) == text


def test_what_says_nothing_is_not_recorded() -> None:
    """Calls of tools and empty messages leave no message."""
    asked = request(user(" "), assistant(None, tool_calls=[{}]), user(""))
    assert asked.new == [] and asked.history == []


def test_new_words_are_kept_or_refused() -> None:
    """What the user says now is never changed in silence."""
    with pytest.raises(InvalidInput):
        _ = request(user("a\x00b")).new
    with pytest.raises(InvalidInput):
        _ = request(user("x" * (MAX_TEXT + 1))).new


def test_the_rest_is_made_storable() -> None:
    """The past and tools are recorded as far as a database can."""
    asked = request(user("a\x00b"), assistant("\ud800"), {"role": "tool", "content": "x" * (MAX_TEXT + 1)})
    assert spoken(asked.history) == [(Role.USER, "ab"), (Role.ASSISTANT, "?")]
    assert len(asked.new[0].text) == MAX_TEXT
    assert storable("fine") == "fine"


def test_a_name_is_kept_if_it_can_be() -> None:
    """Who of several users speaks is worth knowing; a broken name is not worth an error."""
    assert [
        item.name for item in request(user("a", name="ann"), user("b", name="\n"), user("c", name=4)).new
    ] == [
        "ann",
        None,
        None,
    ]


@pytest.mark.parametrize(
    "body",
    [
        None,
        [],
        {},
        {"messages": None},
        {"messages": []},
        {"messages": {}},
        {"messages": ["Hi"]},
        {"messages": [{}]},
        {"messages": [{"role": 1}]},
        {"messages": [user("a")], "model": 1},
        {"messages": [user("a")], "stream": 1},
    ],
    ids=str,
)
def test_what_no_server_could_understand(body: object) -> None:
    """It is refused here, in our words."""
    with pytest.raises(InvalidInput):
        read(body)


def test_a_chat_is_its_user_and_its_first_message() -> None:
    """It stays the same while the chat goes on, and differs between users and beginnings."""
    first = request(user("Hello"))
    later = request({"role": "system", "content": "s"}, user("Hello"), assistant("Hi"), user("More"))
    assert chat_of(first) == chat_of(later)
    assert chat_of(first) != chat_of(request(user("Hello"), user="ann"))
    assert chat_of(first) != chat_of(request(user("Hallo")))
    assert chat_of(request(user([IMAGE]))) != chat_of(request(user([{**IMAGE, "image_url": {}}])))
    assert chat_of(request({"role": "system", "content": "s"}))


def test_a_key_is_the_whole_of_what_was_said() -> None:
    """The same messages in the same chat have one key; anything else another."""
    said = [user("a"), assistant("b"), user("a")]
    assert key_of("c", said) == key_of("c", list(said))
    assert len({key_of("c", said), key_of("d", said), key_of("c", said[:1]), key_of("c", said[2:] * 2)}) == 4


_JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=8), inner, max_size=4),
    max_leaves=12,
)
_MESSAGE = st.fixed_dictionaries(
    {"role": st.sampled_from(["user", "assistant", "system", "tool", "function", "odd"])},
    optional={"content": _JSON, "name": _JSON, "tool_calls": _JSON},
)


@given(
    st.fixed_dictionaries({"messages": st.lists(_MESSAGE, min_size=1)}, optional={"user": _JSON, "n": _JSON})
)
def test_any_request_is_read_or_refused(body: dict[str, Any]) -> None:
    """Whatever a client sends, nothing but a clear refusal is raised, and what is recorded can be stored."""
    asked = read(body)
    assert chat_of(asked)
    assert all(item.text.strip() for item in asked.history)
    assert asked.texts is not None and isinstance(asked.question, str)
    try:
        new = asked.new
    except InvalidInput:
        return
    assert all(item.text.strip() and len(item.text) <= MAX_TEXT for item in new)


def say(role: str, content: Any) -> dict[str, Any]:
    return {"role": role, "content": content}


SYSTEM, DEVELOPER = say("system", "Be brief."), say("developer", "Be kind.")
ONE, TWO, THREE = say("user", "One"), say("assistant", "Two"), say("user", "Three")
STABLE, RECALLED = say("system", "Stable."), say("system", "Recalled.")
BOTH = say("system", "Stable.\n\nRecalled.")


@pytest.mark.parametrize(
    ("messages", "shown"),
    [
        ([ONE], [BOTH, ONE]),
        ([SYSTEM, ONE], [SYSTEM, BOTH, ONE]),
        ([SYSTEM, DEVELOPER, ONE, TWO, THREE], [SYSTEM, DEVELOPER, STABLE, ONE, TWO, RECALLED, THREE]),
        (
            [ONE, say("assistant", None), say("tool", "4")],
            [BOTH, ONE, say("assistant", None), say("tool", "4")],
        ),
    ],
)
def test_around_the_conversation(messages: list[Any], shown: list[Any]) -> None:
    """What changes rarely behind the instructions, what is recalled before the last question; as one where they meet."""
    assert placed(messages, "Stable.", "Recalled.", Placing.AROUND) == shown


def test_one_of_the_two_alone() -> None:
    """What there is stands in its place."""
    assert placed([SYSTEM, ONE, TWO, THREE], "Stable.", "", Placing.AROUND) == [
        SYSTEM,
        STABLE,
        ONE,
        TWO,
        THREE,
    ]
    assert placed([SYSTEM, ONE, TWO, THREE], "", "Recalled.", Placing.AROUND) == [
        SYSTEM, ONE, TWO, RECALLED, THREE,
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("messages", "first"),
    [
        ([], say("system", "Stable.\n\nRecalled.")),
        ([SYSTEM], say("system", "Be brief.\n\nStable.\n\nRecalled.")),
        ([DEVELOPER, SYSTEM], say("developer", "Be kind.\n\nBe brief.\n\nStable.\n\nRecalled.")),
        (
            [say("system", [{"type": "text", "text": "A"}]), SYSTEM],
            say(
                "system",
                [
                    {"type": "text", "text": "A"},
                    {"type": "text", "text": "Be brief."},
                    {"type": "text", "text": "Stable.\n\nRecalled."},
                ],
            ),
        ),
    ],
)
def test_in_front(messages: list[Any], first: Any) -> None:
    """One message that instructs, the client's own words first; the conversation follows as it is."""
    assert placed([*messages, ONE, TWO, THREE], "Stable.", "Recalled.", Placing.FRONT) == [
        first, ONE, TWO, THREE,
    ]  # fmt: skip


_MESSAGES = st.lists(
    st.builds(
        say, st.sampled_from(["user", "assistant", "system", "developer", "tool"]), st.text(max_size=5)
    ),
    min_size=1,
)


@given(_MESSAGES, st.sampled_from(["", "S"]), st.sampled_from(["", "R"]))
def test_the_clients_messages_are_never_changed(messages: list[Any], stable: str, recalled: str) -> None:
    """Around the conversation, taking ours out gives exactly what the client sent; without memory nothing is added."""
    shown = placed(messages, stable, recalled, Placing.AROUND)
    theirs = {id(message) for message in messages}
    assert [message for message in shown if id(message) in theirs] == messages
    assert len(shown) - len(messages) <= 2
    assert placed(messages, "", "", Placing.FRONT) == placed(messages, "", "", Placing.AROUND) == messages


@given(_MESSAGES, st.sampled_from(["S", "R"]))
def test_in_front_the_conversation_is_never_changed(messages: list[Any], stable: str) -> None:
    """Only what instructs before anybody speaks becomes one message with ours."""
    shown = placed(messages, stable, "", Placing.FRONT)
    spoken = [message for message in messages if message["role"] not in ("system", "developer")]
    assert [message for message in shown[1:] if message["role"] not in ("system", "developer")] == spoken
    assert shown[0]["content"].endswith(stable)


def test_one_system_message_and_turns() -> None:
    """Our own prompts for the strictest servers: one system message, then roles that take turns."""
    said = [SYSTEM, ONE, say("user", "More"), TWO, RECALLED, THREE]
    assert one_system(said) == [
        say("system", "Be brief.\n\nRecalled."),
        say("user", "One\n\nMore"),
        TWO,
        THREE,
    ]
    assert one_system([ONE]) == [ONE]


@pytest.mark.parametrize(
    ("complaint", "is_about"),
    [
        ("System message must be at the beginning.", True),
        ("Conversation roles must alternate user/assistant/user/assistant/...", True),
        ("Unable to generate parser for this template.", True),
        ("This model's maximum context length is 4096 tokens.", False),
        ("", False),
    ],
)
def test_complaints_about_roles(complaint: str, is_about: bool) -> None:
    """The words of servers that refuse an order of messages are known; others are not taken for them."""
    assert about_roles(complaint) is is_about


def test_the_form() -> None:
    """Message, type and code, which a client branches on."""
    assert error_of(429, "Slow down.") == {
        "error": {
            "message": "Slow down.",
            "type": "rate_limit_error",
            "param": None,
            "code": "rate_limit_exceeded",
        }
    }


def test_an_unknown_status() -> None:
    """Whatever else happens is ours to mend."""
    assert error_of(599, "?")["error"]["type"] == "server_error"


def test_the_last_event_of_a_stream() -> None:
    """One event of one line, whatever the message holds."""
    event = error_event(502, "It\nbroke.")
    assert event.startswith(b"data: ") and event.endswith(b"\n\n") and event.count(b"\n") == 2
    assert json.loads(event.removeprefix(b"data: "))["error"]["message"] == "It\nbroke."
