"""Pins by hand: S0's CreatePinRequest, changing, moving and removing."""

import pytest

from recollect import InvalidInput, Memory, NotFound
from recollect.records.pin import MAX_PINS

from .conversing import talk


def test_the_defaults_of_a_pin(memory: Memory) -> None:
    """S0: importance 5 and type manual when not given; the shape has a source only where there is one."""
    pin = memory.chat("c", user="ann").pin("  Patient prefers large print  ")
    assert (pin.content, pin.importance_score, pin.pin_type) == ("Patient prefers large print", 5.0, "manual")
    assert set(pin.to_dict()) == {
        "id", "session_id", "content", "importance_score", "pin_type", "created_at", "derived", "tokens",
    }  # fmt: skip
    assert memory.chat("c", user="ann").pins() == [pin]


def test_a_pin_with_everything(memory: Memory) -> None:
    """S0's example: content, source, importance and type as given."""
    chat = memory.chat("c", user="ann")
    (message,) = chat.add(user="He cannot have it.").messages
    pin = chat.pin(
        "Patient allergic to Penicillin",
        importance_score=10,
        pin_type="concept",
        source_message_id=message.message_id,
    )
    assert pin.to_dict()["source_message_id"] == message.message_id
    assert (pin.importance_score, pin.pin_type) == (10.0, "concept")


def test_a_pin_is_in_every_context(memory: Memory) -> None:
    """The allergy of the first message is in the context a thousand messages later."""
    chat = memory.chat("c", user="ann")
    chat.add(user="My dad is allergic to Penicillin", assistant="Noted.")
    chat.record(
        [
            {"role": role, "text": f"{role} talks of day {number} in the garden"}
            for number in range(500)
            for role in ("user", "assistant")
        ]
    )
    assert memory.drain(user="ann", seconds=60)
    context = chat.context("I have a sinus infection. What should I take?", budget=600)
    assert "allergic to Penicillin" in context.to_openai()[0]["content"]
    assert "Penicillin" not in "".join(message["content"] for message in context.to_openai()[1:])
    assert context.to_memory_context()["semanticPins"][0]["importance_score"] == 10.0


def test_changing_and_moving_a_pin(memory: Memory) -> None:
    """Content, importance, type and chat may change; the change is stored, and the contexts follow."""
    chat, other = memory.chat("c", user="ann"), memory.chat("d", user="ann")
    talk(other, 1)
    pin = chat.pin("The gate is green")
    changed = chat.update_pin(pin.pin_id, content="The gate is blue", importance_score=9, pin_type="concept")
    assert chat.pins() == [changed]
    assert (changed.content, changed.importance_score, changed.pin_type) == (
        "The gate is blue",
        9.0,
        "concept",
    )
    assert changed.tokens > 0
    moved = memory.update_pin(pin.pin_id, chat_id="d", user="ann")
    assert (chat.pins(), other.pins()) == ([], [moved])
    assert "The gate is blue" in other.context("Which colour?").to_text()
    other.unpin(pin.pin_id)
    assert other.pins() == []


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
    chat.delete(second.message_id)
    assert [pin.content for pin in chat.pins()] == ["User's emergency contact is Jane Doe, 555-1234"]


def test_what_cannot_be_pinned(memory: Memory) -> None:
    """Bad content, importance, types and foreign sources are refused, and nothing is stored."""
    chat = memory.chat("c", user="ann")
    foreign = talk(memory.chat("d", user="ann"), 1)[0].message_id
    for given in (
        {"content": " "},
        {"content": "x" * 2001},
        {"content": "ok", "importance_score": 11},
        {"content": "ok", "importance_score": True},
        {"content": "ok", "pin_type": "sticky"},
    ):
        with pytest.raises(InvalidInput):
            chat.pin(**given)  # type: ignore[arg-type]
    with pytest.raises(NotFound):
        chat.pin("ok", source_message_id=foreign)
    assert [item.chat_id for item in memory.chats(user="ann")] == ["d"]


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
        memory.update_pin(moved.pin_id, chat_id="c", user="ann")
    assert chat.update_pin("p7", content="Changed", importance_score=9).content == "Changed"
    assert len(chat.add(user="I am allergic to penicillin.").pins) == 1
    assert (len(chat.pins()), other.pins()) == (MAX_PINS + 1, [moved])


def test_pins_of_others_are_not_found(memory: Memory) -> None:
    """Another user, or another chat's handle, can neither change nor remove a pin; an empty change is refused."""
    chat = memory.chat("c", user="ann")
    pin = chat.pin("The gate is green")
    talk(memory.chat("d", user="ann"), 1)
    for stranger in (
        lambda: memory.update_pin(pin.pin_id, content="Ha!", user="bob"),
        lambda: memory.remove_pin(pin.pin_id, user="bob"),
        lambda: memory.chat("c", user="bob").unpin(pin.pin_id),
        lambda: memory.chat("d", user="ann").update_pin(pin.pin_id, content="Ha!"),
        lambda: memory.update_pin(pin.pin_id, chat_id="nowhere", user="ann"),
    ):
        with pytest.raises(NotFound):
            stranger()
    with pytest.raises(InvalidInput):
        chat.update_pin(pin.pin_id)
    assert chat.pins() == [pin]
    memory.remove_pin(pin.pin_id, user="ann")
    assert chat.pins() == []
