"""Load what belongs to memories and chats: names, aliases, links, todos and pins.

An automatic pin depends on the text of its message and is left out if that differs from the file's. Manual pins are stored while
the chat has room. A pin may belong to a message of another chat, so those wait until all chats are loaded.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from recollect.engine.parts import Parts
from recollect.engine.record import save_pins
from recollect.errors import InvalidInput
from recollect.interchange.portable_chat import GivenChat
from recollect.records.chat import ChatRecord
from recollect.records.entity import parse_entity_key
from recollect.records.memory import check_text
from recollect.records.moment import parse
from recollect.records.pin import MAX_PINS, Pin
from recollect.records.todo import Todo, todo_from
from recollect.store import aliases, chats, entities, links, memories, messages, pins, todos, users
from recollect.store.database import Connection

#: Place in the list, from 1, and the reason.
Skipped = list[tuple[int, str]]

#: Errors that values of the wrong kind cause.
_UNREADABLE = (InvalidInput, KeyError, TypeError, AttributeError)


#: Links of the first edition that users made, or that `folded_into` says.
_NO_PLACE = ("related", "supports", "part_of", "caused_by")


def load_relations(parts: Parts, tx: Connection, user_id: str, document: Mapping[str, Any]) -> Skipped:
    """Load names, aliases and links, after the memories; return what cannot be read."""
    now = parts.now()
    return [
        *_entities(tx, user_id, document.get("entities", [])),
        *_aliases(tx, user_id, document.get("aliases", {}), now),
        *_links(tx, user_id, document.get("links", []), now),
    ]


def _entities(tx: Connection, user_id: str, given: Sequence[Any]) -> Skipped:
    skipped: Skipped = []
    for line, entity in enumerate(given, 1):
        try:
            label = check_text(entity["label"], field="entities.label")[:256]
            mentioned = entity.get("last_mentioned")
            moment = parse(mentioned, field="entities.last_mentioned") if mentioned is not None else None
            entities.describe(tx, user_id, str(parse_entity_key(entity["key"])), label, moment)
        except _UNREADABLE as error:
            skipped.append((line, f"entities: {error}"))
    return skipped


def _aliases(tx: Connection, user_id: str, given: Mapping[str, Any], now: datetime) -> Skipped:
    skipped: Skipped = []
    known = aliases.of_user(tx, user_id)
    for line, (alias, target) in enumerate(given.items(), 1):
        try:
            first, second = parse_entity_key(alias), parse_entity_key(target)
            if first.type is not second.type:
                raise InvalidInput(f"{first} and {second} are of different types.")
            if str(first) not in known and first != second:
                aliases.add(tx, user_id, str(first), str(second), reason="imported", now=now)
                users.start_epoch(tx, user_id)
        except _UNREADABLE as error:
            skipped.append((line, f"aliases: {error}"))
    return skipped


def _links(tx: Connection, user_id: str, given: Sequence[Any], now: datetime) -> Skipped:
    """Load contradictions, and leave out what the first edition linked besides."""
    skipped: Skipped = []
    for line, link in enumerate(given, 1):
        try:
            newer, older = (check_text(link[end], field=f"links.{end}") for end in ("from", "to"))
            if link["kind"] in _NO_PLACE:
                continue
            if link["kind"] != links.CONTRADICTS:
                raise InvalidInput(f"Unknown kind of link {link['kind']!r}.")
            if len(memories.get_many(tx, user_id, [newer, older])) < 2:
                raise InvalidInput(f"{newer} or {older} does not exist.")
            links.contradicts(tx, user_id, newer, older, now)
        except _UNREADABLE as error:
            skipped.append((line, f"links: {error}"))
    return skipped


def load_todos(
    tx: Connection, user_id: str, document: Mapping[str, Any], open_loops: Sequence[Todo]
) -> tuple[int, Skipped]:
    """Load todos; return how many are new, and what cannot be read."""
    skipped: Skipped = []
    found = list(open_loops)
    for line, value in enumerate(document.get("todos", []), 1):
        try:
            found.append(todo_from(value, user_id=user_id))
        except _UNREADABLE as error:
            skipped.append((line, f"todos: {error}"))
    return sum(todos.insert(tx, todo) for todo in found), skipped


def sorted_out(
    tx: Connection, given: GivenChat, new: Sequence[Pin], skipped: list[str]
) -> tuple[list[Pin], list[Pin]]:
    """The pins that can be stored now, and those that wait for a message of another chat."""
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
            # An automatic pin changes with its message: without it, or with another text, it would never be removed.
            skipped.append(f"pin {pin.pin_id!r}: its message does not exist, or has another text now.")
        elif source is not None and stored is None:
            waiting.append(pin)
        else:
            ready.append(pin)
    return ready, waiting


def save_given(tx: Connection, chat: ChatRecord, ready: Sequence[Pin], skipped: list[str]) -> tuple[int, int]:
    """Store pins; return how many, and how many automatic ones were known already."""
    # Automatic ones first: a manual pin with the same text was made later, or the automatic one would not exist.
    derived = sorted((pin for pin in ready if pin.derived), key=lambda pin: (pin.created_at, pin.pin_id))
    added = save_pins(tx, chat.user_id, chat.chat_id, derived).added
    by_hand = [pin for pin in ready if not pin.derived]
    room = max(0, MAX_PINS - pins.count(tx, chat.user_id, chat.chat_id))
    pins.insert_many(tx, by_hand[:room])
    skipped += [_no_room(pin) for pin in by_hand[room:]]
    return len(added) + len(by_hand[:room]), len(derived) - len(added)


def save_late(user_id: str, waiting: Sequence[tuple[int, Pin]], tx: Connection) -> tuple[int, Skipped]:
    """Store pins with messages of other chats, after those were loaded; a pin without its message loses the reference."""
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
