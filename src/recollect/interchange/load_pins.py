"""Load the pins of an export: those whose message is there, and at the end those whose message came with another chat.

A rule's pin hangs on the words of its message, and is left out where those are not the file's. Pins by hand are stored
as long as the chat has room. Chats and messages are the business of `load_chats`.
"""

from collections.abc import Sequence
from dataclasses import replace

from recollect.engine.record import save_pins
from recollect.interchange.load_relations import Skipped
from recollect.interchange.portable_chat import GivenChat
from recollect.records.chat import ChatRecord
from recollect.records.pin import MAX_PINS, Pin
from recollect.store import chats, messages, pins
from recollect.store.database import Connection


def sorted_out(
    tx: Connection, given: GivenChat, new: Sequence[Pin], skipped: list[str]
) -> tuple[list[Pin], list[Pin]]:
    """Pins of this chat's messages, and of none, that can be stored; and those that wait for another chat's message."""
    user_id, chat_id = given.chat.user_id, given.chat.chat_id
    said = {message.message_id: message.text for message in given.messages}
    ready: list[Pin] = []
    waiting: list[Pin] = []
    for pin in new:
        if pins.get(tx, user_id, pin.pin_id) is not None:
            continue
        source = pin.source_message_id
        stored = messages.get(tx, user_id, source) if source else None
        own = stored is not None and stored.chat_id == chat_id
        if pin.derived and not (own and stored is not None and stored.text == said.get(source or "")):
            # A rule's pin changes with its message: without it, or with other words in it, it would never go.
            skipped.append(f"pin {pin.pin_id!r}: its message is not there, or says something else now.")
        elif source is not None and stored is None:
            waiting.append(pin)
        else:
            ready.append(pin)
    return ready, waiting


def save_given(tx: Connection, chat: ChatRecord, ready: Sequence[Pin], skipped: list[str]) -> tuple[int, int]:
    """Store pins: how many, and how many of rules are told better already."""
    # Those of rules first: one by hand that says the same came later, or the rule's would not be there.
    derived = sorted((pin for pin in ready if pin.derived), key=lambda pin: (pin.created_at, pin.pin_id))
    added = save_pins(tx, chat.user_id, chat.chat_id, derived).added
    by_hand = [pin for pin in ready if not pin.derived]
    room = max(0, MAX_PINS - pins.count(tx, chat.user_id, chat.chat_id))
    pins.insert_many(tx, by_hand[:room])
    skipped += [_no_room(pin) for pin in by_hand[room:]]
    return len(added) + len(by_hand[:room]), len(derived) - len(added)


def save_late(user_id: str, waiting: Sequence[tuple[int, Pin]], tx: Connection) -> tuple[int, Skipped]:
    """Pins whose messages belong to other chats, now that those are loaded; one whose message is gone stays without it."""
    added = 0
    skipped: Skipped = []
    for line, pin in waiting:
        if chats.get(tx, user_id, pin.chat_id) is None:
            skipped.append((line, f"chats: pin {pin.pin_id!r}: its chat was deleted meanwhile."))
            continue
        if pins.get(tx, user_id, pin.pin_id) is not None:
            continue
        if pins.count(tx, user_id, pin.chat_id) >= MAX_PINS:
            skipped.append((line, f"chats: {_no_room(pin)}"))
            continue
        source = messages.get(tx, user_id, pin.source_message_id or "")
        pins.insert_many(tx, [replace(pin, source_message_id=source.message_id if source else None)])
        added += 1
    return added, skipped


def _no_room(pin: Pin) -> str:
    return f"pin {pin.pin_id!r}: its chat has {MAX_PINS:,} pins already."
