"""Turns: every message is in exactly one."""

from datetime import UTC, datetime

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.records.message import Message, Role
from recollect.records.turn import messages_of, turns_of

LETTERS = {"u": Role.USER, "a": Role.ASSISTANT, "s": Role.SYSTEM, "t": Role.TOOL}


def _chat(letters: str) -> list[Message]:
    return [
        Message(
            user_id="ann",
            message_id=f"m{position}",
            chat_id="c1",
            position=position,
            role=LETTERS[letter],
            text=letter,
            tokens=position,
            importance_score=5,
            created_at=datetime(2026, 3, 1, tzinfo=UTC),
        )
        for position, letter in enumerate(letters, 1)
    ]


@pytest.mark.parametrize(
    ("letters", "groups"),
    [
        ("", []),
        ("ua", ["ua"]),
        ("uaua", ["ua", "ua"]),
        ("uaau", ["uaa", "u"]),
        ("uu", ["u", "u"]),
        ("utatau", ["utata", "u"]),
        ("saua", ["sa", "ua"]),
        ("as", ["as"]),
    ],
)
def test_where_turns_begin(letters: str, groups: list[str]) -> None:
    """The user's message opens a turn; what stands before the first is one without a user."""
    found = ["".join(message.text for message in turn.messages) for turn in turns_of(_chat(letters))]
    assert found == groups


def test_the_parts_of_a_turn() -> None:
    """All replies, the last message and the tokens of all."""
    turn = turns_of(_chat("utaa"))[0]
    assert [message.position for message in turn.replies] == [3, 4]
    assert turn.last.position == 4
    assert turn.tokens == 1 + 2 + 3 + 4


def test_a_turn_without_a_user() -> None:
    """What stands before the user's first word has no reply, nor has a word without one."""
    before, opened = turns_of(_chat("su"))
    assert (before.replies, opened.replies) == ((), ())


@given(letters=st.text(alphabet="uast", max_size=60))
def test_no_message_is_lost(letters: str) -> None:
    """The turns, read one after the other, are the chat."""
    chat = _chat(letters)
    turns = turns_of(chat)
    assert messages_of(turns) == chat
    assert all(turn.messages for turn in turns)
    assert all(message.role is not Role.USER for turn in turns for message in turn.messages[1:])
