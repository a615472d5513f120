"""The pins table."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from recollect.records.pin import Pin, PinType
from recollect.store import chats, pins

from .conftest import Store
from .conversations import minutes
from .rows import NOON


def _pin(number: int, chat_id: str = "c1", user_id: str = "ann", **changes: Any) -> Pin:
    made = Pin(
        user_id=user_id,
        pin_id=f"{chat_id}:{number}",
        chat_id=chat_id,
        content=f"Pinned fact {number}",
        tokens=4,
        created_at=minutes(number),
    )
    return replace(made, **changes)


def _write(store: Store, *found: Pin) -> None:
    for user_id in {one.user_id for one in found}:
        own = [one for one in found if one.user_id == user_id]
        store.write(user_id, lambda tx, own=own: pins.insert_many(tx, own))


def _ids(found: Sequence[Pin]) -> list[str]:
    return [pin.pin_id for pin in found]


def test_the_pins_of_a_chat(store: Store) -> None:
    """Most important first, then oldest first; other chats and users have their own."""
    _write(store)
    _write(
        store,
        _pin(1, importance_score=5),
        _pin(3, importance_score=9),
        _pin(2, importance_score=9),
        _pin(4, "c2", importance_score=10),
        _pin(5, user_id="bob", importance_score=10),
    )
    found = store.read("ann", lambda tx: pins.of_chat(tx, "ann", "c1"))
    assert _ids(found) == ["c1:2", "c1:3", "c1:1"]


def test_every_field_comes_back(store: Store) -> None:
    """What is pinned is what is read; a change keeps the chat and the time."""
    made = _pin(1, source_message_id="m1", importance_score=8.5, pin_type=PinType.CODE, derived=True)
    _write(store, made)
    assert store.read("ann", lambda tx: pins.get(tx, "ann", "c1:1")) == made
    changed = replace(
        made, content="Other words", importance_score=2.0, pin_type=PinType.MANUAL, derived=False, tokens=2
    )
    assert store.write("ann", lambda tx: pins.update(tx, changed)) is True
    assert store.read("ann", lambda tx: pins.get(tx, "ann", "c1:1")) == changed


def test_a_pin_is_taken_off(store: Store) -> None:
    """Deleting says whether there was one of this user; a chat's pins can go together."""
    _write(store, _pin(1), _pin(2), _pin(3), _pin(1, "c2"), _pin(1, user_id="bob"))
    assert store.write("ann", lambda tx: pins.delete(tx, "ann", "c1:1")) is True
    assert store.write("ann", lambda tx: pins.delete(tx, "ann", "c1:1")) is False
    assert store.write("ann", lambda tx: pins.update(tx, _pin(1))) is False
    assert store.write("ann", lambda tx: pins.delete_all(tx, "ann", "c1")) == 2
    assert _ids(store.read("ann", lambda tx: pins.of_chat(tx, "ann", "c2"))) == ["c2:1"]
    assert _ids(store.read("bob", lambda tx: pins.of_chat(tx, "bob", "c1"))) == ["c1:1"]


def test_what_is_critical_for_a_persona(store: Store) -> None:
    """The important pins of all chats with a persona, most important first, at most so many; no persona is one too."""
    for chat_id, persona_id in (("c1", "coach"), ("c2", "coach"), ("c3", "doctor"), ("c4", None)):
        store.write(
            "ann",
            lambda tx, chat_id=chat_id, persona_id=persona_id: chats.ensure(
                tx, "ann", chat_id, persona_id, NOON
            ),
        )
    store.write("bob", lambda tx: chats.ensure(tx, "bob", "c1", "coach", NOON))
    _write(
        store,
        *(_pin(1, f"c{number}", importance_score=8) for number in (1, 2, 3, 4)),
        _pin(2, "c1", importance_score=7.9),
        _pin(3, "c2", importance_score=10),
        _pin(9, "c1", user_id="bob", importance_score=10),
    )

    def read(persona_id: str | None, limit: int) -> list[str]:
        return _ids(store.read("ann", lambda tx: pins.critical_of_persona(tx, "ann", persona_id, 8.0, limit)))

    assert read("coach", 9) == ["c2:3", "c1:1", "c2:1"]
    assert read("coach", 1) == ["c2:3"]
    assert read(None, 9) == ["c4:1"]
    assert read("nobody", 9) == []


def test_what_a_rule_made_of_a_message(store: Store) -> None:
    """Only derived pins of that very message: one by hand survives the message's change."""
    _write(
        store,
        _pin(1, source_message_id="m1", derived=True),
        _pin(2, source_message_id="m1"),
        _pin(3, source_message_id="m2", derived=True),
        _pin(4, source_message_id="m1", derived=True, user_id="bob"),
    )
    assert _ids(store.read("ann", lambda tx: pins.derived_of_message(tx, "ann", "m1"))) == ["c1:1"]


def test_what_rules_and_what_hands_pinned(store: Store) -> None:
    """A chat's pins are counted, and told apart by who made them; those that are replaced go together."""
    made = [
        _pin(1, derived=True),
        _pin(2, importance_score=7),
        _pin(3, derived=True, importance_score=9),
        _pin(4, importance_score=8),
    ]
    _write(store, *made, _pin(5, "c2", derived=True), _pin(6, user_id="bob", derived=True))
    assert store.read("ann", lambda tx: pins.count(tx, "ann", "c1")) == 4
    assert store.read("ann", lambda tx: pins.count(tx, "ann", "c9")) == 0
    assert _ids(store.read("ann", lambda tx: pins.derived_of_chat(tx, "ann", "c1"))) == ["c1:3", "c1:1"]
    assert store.read("ann", lambda tx: pins.contents_by_hand(tx, "ann", "c1")) == [
        "Pinned fact 4",
        "Pinned fact 2",
    ]
    store.write("ann", lambda tx: pins.delete_many(tx, made[:2]))
    assert _ids(store.read("ann", lambda tx: pins.of_chat(tx, "ann", "c1"))) == ["c1:3", "c1:4"]


def test_a_source_is_forgotten(store: Store) -> None:
    """The pins of a message that is gone stay, without its name."""
    _write(
        store,
        _pin(1, source_message_id="m1"),
        _pin(2, "c2", source_message_id="m1"),
        _pin(3, source_message_id="m2"),
        _pin(4, source_message_id="m1", user_id="bob"),
    )
    assert store.write("ann", lambda tx: pins.forget_source(tx, "ann", "m1")) == 2
    assert store.read("ann", lambda tx: pins.get(tx, "ann", "c1:1")) == _pin(1)
    assert store.read("ann", lambda tx: pins.get(tx, "ann", "c1:3")) == _pin(3, source_message_id="m2")
    assert store.read("bob", lambda tx: pins.get(tx, "bob", "c1:4")) == _pin(
        4, source_message_id="m1", user_id="bob"
    )
