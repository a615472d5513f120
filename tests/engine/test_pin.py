"""Pins by hand: S0's CreatePinRequest, changing, moving and removing."""

import pytest

from recollect import InvalidInput, Memory
from recollect.records.pin import MAX_PINS


def test_a_pin_said_twice_is_one(memory: Memory) -> None:
    """The second call returns the pin that is there; another weight, or a pin by rule, is another pin."""
    chat = memory.chat("c", user="ann")
    pin = chat.pin("The garden is big")
    assert chat.pin(" The garden is big ") == pin
    assert chat.pins() == [pin]
    heavier = chat.pin("The garden is big", importance_score=9)
    assert chat.pins() == [heavier, pin]
    (derived,) = chat.add(user="I am allergic to penicillin.").pins
    assert chat.pin(derived.content).pin_id != derived.pin_id


def test_a_contact_that_was_replaced_comes_back(memory: Memory) -> None:
    """Another contact replaces the one before; once its message is gone, the one before is pinned again."""
    chat = memory.chat("c", user="ann")
    chat.add(user="My emergency contact is Jane Doe, 555-1234.")
    (second,) = chat.add(user="My emergency contact is now Bob Roe, 555-9999.").messages
    assert [pin.content for pin in chat.pins()] == ["User's emergency contact is now Bob Roe, 555-9999"]
    memory.forget(message=second.message_id, user=chat.user_id)
    assert [pin.content for pin in chat.pins()] == ["User's emergency contact is Jane Doe, 555-1234"]


def test_a_chat_has_room_for_so_many_pins(memory: Memory) -> None:
    """One pin by hand too many is refused, in the chat or moved there; what a rule finds is pinned all the same."""
    chat, other = memory.chat("c", user="ann"), memory.chat("d", user="ann")
    moved = other.pin("The gate is green")
    memory.load(
        {
            "recollect": 1,
            "memories": [],
            "chats": [
                {
                    "chat_id": "c",
                    "messages": [],
                    "pins": [
                        {
                            "id": f"p{number}",
                            "content": f"Fact {number}",
                            "created_at": "2026-01-01T00:00:00Z",
                        }
                        for number in range(MAX_PINS)
                    ],
                }
            ],
        },
        user="ann",
    )
    with pytest.raises(InvalidInput, match="unpin something first"):
        chat.pin("One more")
    with pytest.raises(InvalidInput, match="unpin something first"):
        memory.update_pin(moved.pin_id, chat="c", user="ann")
    assert (
        memory.update_pin("p7", content="Changed", importance_score=9, user=chat.user_id).content == "Changed"
    )
    assert len(chat.add(user="I am allergic to penicillin.").pins) == 1
    assert (len(chat.pins()), other.pins()) == (MAX_PINS + 1, [moved])
