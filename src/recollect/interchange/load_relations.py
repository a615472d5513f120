"""Load what stands beside the memories of an export: names, aliases, links and todos."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from recollect.engine.parts import Parts
from recollect.errors import InvalidInput
from recollect.records.entity import parse_entity_key
from recollect.records.link import make_link
from recollect.records.memory import check_text
from recollect.records.moment import parse
from recollect.records.todo import Todo, todo_from
from recollect.store import aliases, entities, links, memories, todos, users
from recollect.store.database import Connection

#: Place in its list from 1, and the reason.
Skipped = list[tuple[int, str]]

#: What a value of the wrong kind raises before it is recognised.
_UNREADABLE = (InvalidInput, KeyError, TypeError, AttributeError)


def load_relations(parts: Parts, tx: Connection, user_id: str, document: Mapping[str, Any]) -> Skipped:
    """Names, aliases and links, after the memories are there; what cannot be read is listed."""
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
    skipped: Skipped = []
    for line, link in enumerate(given, 1):
        try:
            made = make_link(link["from"], link["to"], link["kind"])
            if len(memories.get_many(tx, user_id, [made.from_id, made.to_id])) < 2:
                raise InvalidInput(f"{made.from_id} or {made.to_id} is not there.")
            links.add(tx, user_id, made, now)
        except _UNREADABLE as error:
            skipped.append((line, f"links: {error}"))
    return skipped


def load_todos(
    tx: Connection, user_id: str, document: Mapping[str, Any], open_loops: Sequence[Todo]
) -> tuple[int, Skipped]:
    """How many todos are new, and what cannot be read."""
    skipped: Skipped = []
    found = list(open_loops)
    for line, value in enumerate(document.get("todos", []), 1):
        try:
            found.append(todo_from(value, user_id=user_id))
        except _UNREADABLE as error:
            skipped.append((line, f"todos: {error}"))
    return sum(todos.insert(tx, todo) for todo in found), skipped
