"""Where memory stands among a client's messages."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.rules.completion_memory import Placing, about_roles, one_system, placed


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
