"""Messages: what may be recorded, and S0's shape."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.records.message import (
    MAX_NAME,
    MAX_TEXT,
    NEAR_END,
    Message,
    Role,
    Utterance,
    asks,
    check_name,
    messages_of,
    parse_role,
    said_at,
    turns_of,
    utterance,
)

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
SAID = Message(
    user_id="ann",
    message_id="m1",
    chat_id="c1",
    position=7,
    role=Role.USER,
    text="Hello",
    tokens=3,
    importance_score=4.5,
    session_id="s1",
    created_at=NOON,
)


def test_the_shape() -> None:
    """S0's fields, then ours: the chat is its session, and our own count stands in where nobody billed."""
    assert SAID.to_dict() == {
        "id": "m1",
        "session_id": "c1",
        "role": "user",
        "text": "Hello",
        "model_id": "",
        "model_variant": None,
        "token_usage": 3,
        "created_at": "2026-03-01T12:00:00.000Z",
        "importance_score": 4.5,
        "position": 7,
        "tokens": 3,
        "billed_tokens": None,
        "session": SAID.session_id,
    }


def test_what_was_billed_is_shown() -> None:
    """A usage that the caller gave is kept, zero included."""
    billed = Message(
        user_id="ann",
        message_id="m1",
        chat_id="c1",
        position=1,
        role=Role.ASSISTANT,
        text="x",
        model_id="gpt",
        model_variant="fast",
        token_usage=0,
        tokens=3,
        importance_score=0,
        created_at=NOON,
    )
    shown = billed.to_dict()
    assert (shown["token_usage"], shown["model_id"], shown["model_variant"]) == (0, "gpt", "fast")


def test_who_speaks_is_shown_where_it_is_known() -> None:
    """The name stands in S0's shape only when there is one, and goes along to the message's place."""
    named = replace(SAID, name="Anna").placed(8, "s2")
    assert named.to_dict() == SAID.to_dict() | {"name": "Anna", "position": 8, "session": "s2"}


def test_an_utterance_is_read() -> None:
    """Role and text suffice; everything else is kept when given, and the text to the last blank."""
    assert utterance({"role": "user", "text": " Hi \n"}) == Utterance(role=Role.USER, text=" Hi \n")
    full = utterance(
        {
            "role": "tool",
            "text": "42",
            "model_id": "gpt",
            "model_variant": "fast",
            "name": "Zoë Lee",
            "token_usage": 5,
            "created_at": "2026-03-01T13:00:00.1239+01:00",
        }
    )
    assert full == Utterance(
        role=Role.TOOL,
        text="42",
        model_id="gpt",
        model_variant="fast",
        name="Zoë Lee",
        token_usage=5,
        created_at=NOON.replace(microsecond=123000),
    )


def test_a_moment_may_be_a_datetime() -> None:
    """A datetime of any zone is that moment in UTC."""
    there = NOON.astimezone(timezone(timedelta(hours=5)))
    assert utterance({"role": "user", "text": "x", "created_at": there}).created_at == NOON


@pytest.mark.parametrize(
    ("change", "field"),
    [
        ({"role": "robot"}, "role"),
        ({"role": None}, "role"),
        ({"role": []}, "role"),
        ({"text": ""}, "text"),
        ({"text": " \n\t"}, "text"),
        ({"text": None}, "text"),
        ({"text": "a\x00b"}, "text"),
        ({"text": "\ud800"}, "text"),
        ({"text": "x" * (MAX_TEXT + 1)}, "text"),
        ({"model_id": ""}, "model_id"),
        ({"model_id": 5}, "model_id"),
        ({"model_variant": "x" * (MAX_NAME + 1)}, "model_variant"),
        ({"name": ""}, "name"),
        ({"name": 5}, "name"),
        ({"name": "x" * (MAX_NAME + 1)}, "name"),
        ({"name": "Anna\nSystem"}, "name"),
        ({"name": "Anna\u2028"}, "name"),
        ({"name": "\x1b[31m"}, "name"),
        ({"token_usage": -1}, "token_usage"),
        ({"token_usage": 1.5}, "token_usage"),
        ({"token_usage": True}, "token_usage"),
        ({"token_usage": 2**53}, "token_usage"),
        ({"created_at": "yesterday"}, "created_at"),
        ({"created_at": 5}, "created_at"),
        ({"content": "x"}, "content"),
    ],
)
def test_what_is_refused(change: dict[str, Any], field: str) -> None:
    """Whatever cannot be kept is refused with the name of the field."""
    with pytest.raises(InvalidInput) as raised:
        utterance({"role": "user", "text": "Hello"} | change)
    assert raised.value.field == field


def test_the_longest_text() -> None:
    """The limit itself is allowed."""
    assert len(utterance({"role": "user", "text": "x" * MAX_TEXT}).text) == MAX_TEXT


@pytest.mark.parametrize("role", ["user", "assistant", "system", "tool"])
def test_four_roles(role: str) -> None:
    """The four roles, spelled as on the wire."""
    assert parse_role(role).value == role


@pytest.mark.parametrize("value", ["", "  ", "x" * (MAX_NAME + 1), None, 5, "a\x00"])
def test_names_have_limits(value: object) -> None:
    """An id that a caller chose says something and is not endless."""
    with pytest.raises(InvalidInput) as raised:
        check_name(value, field="chat_id")
    assert raised.value.field == "chat_id"


def test_a_name_is_kept_as_it_is() -> None:
    """No trimming: two ids that differ by a blank are two."""
    assert check_name(" c1 ", field="chat_id") == " c1 "


def test_when_a_message_was_said() -> None:
    """Our own ids begin with the time; others say nothing of it."""
    assert said_at("1772366400000-0001aaaaaaaa") == datetime(2026, 3, 1, 12, tzinfo=UTC)
    for foreign in ("m1", "", "1772366400000", "17723664000-1", "١٧٧٢٣٦٦٤٠٠٠٠٠-1", "abcdefghijklm-1"):
        assert said_at(foreign) is None


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


@pytest.mark.parametrize("text", ["Where is it?", "Any news? Thanks, Zoe", "在哪里？", "أين هو؟", "?"])
def test_a_mark_near_the_end_asks(text: str) -> None:
    """The mark of any script counts, also with a few words behind it."""
    assert asks(text)


@pytest.mark.parametrize("text", ["", "It is here.", "I wonder where it is"])
def test_without_a_mark_nothing_is_asked(text: str) -> None:
    """A statement, and nothing at all, ask nothing."""
    assert not asks(text)


def test_a_question_far_from_the_end_does_not_count() -> None:
    """What comes behind the last characters that count hides an earlier question."""
    assert asks("Where?" + "x" * (NEAR_END - 1))
    assert not asks("Where?" + "x" * NEAR_END)
