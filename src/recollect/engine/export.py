"""Export: everything of a user as one JSON document that `load` reads again.

What is made again is not in it: vectors, by whatever model serves then, and background work. Rows are read in portions and
turned into JSON values at once, so that the document is the only thing in memory that grows with the user.
"""

from collections.abc import Callable, Collection, Iterator
from typing import Any

from recollect.domain.chat import ChatRecord
from recollect.domain.moment import iso
from recollect.domain.portable_chat import brief_values, message_values, pin_values
from recollect.domain.portable_part import Part
from recollect.domain.portable_session import rolling_values, session_values, spine_values, state_values
from recollect.engine.parts import Parts
from recollect.store import (
    aliases,
    briefs,
    chats,
    entities,
    histories,
    links,
    memories,
    messages,
    pins,
    rolling_summaries,
    seeds,
    session_states,
    session_summaries,
    sessions,
    spines,
    summaries,
    todos,
)
from recollect.store.database import Connection

#: The version of the document.
FORMAT = 1
#: What the document holds, each a list or an object.
KEYS: dict[str, type[list[Any]] | type[dict[str, Any]]] = {
    "memories": list,
    "links": list,
    "entities": list,
    "aliases": dict,
    "chats": list,
    "todos": list,
    "sessions": list,
    "states": list,
    "rolling_summaries": list,
    "spines": list,
    "seed": dict,
}
#: Rows that are read at once.
_PORTION = 1000


async def export(
    parts: Parts, user_id: str, *, include: Collection[Part] = frozenset(Part)
) -> dict[str, Any]:
    """The whole user, as JSON values; what is not included is empty, so that the document keeps its shape."""
    now = parts.now()

    def load(tx: Connection) -> dict[str, Any]:
        found = {
            "recollect": FORMAT,
            "user_id": user_id,
            "exported_at": iso(now),
            **{name: kind() for name, kind in KEYS.items()},
        }
        for part in Part:
            if part in include:
                found |= _READERS[part](tx, user_id)
        return found

    return await parts.database.read(user_id, load)


def _memories(tx: Connection, user_id: str) -> dict[str, Any]:
    past: dict[str, list[dict[str, Any]]] = {}
    for entry in histories.of_user(tx, user_id):
        past.setdefault(entry.memory_id, []).append(entry.to_dict())
    return {
        "memories": [
            {**record.to_dict(), "history": past.get(record.memory_id, [])}
            for record in memories.everything(tx, user_id)
        ],
        "links": [
            {"from": link.from_id, "kind": link.kind.value, "to": link.to_id}
            for link in links.of_user(tx, user_id)
        ],
    }


def _entities(tx: Connection, user_id: str) -> dict[str, Any]:
    return {
        "entities": [
            {
                "key": row.entity_key,
                "label": row.label,
                "type": row.type,
                "last_mentioned": iso(row.last_mentioned),
            }
            for row in entities.of_user(tx, user_id)
        ],
        "aliases": dict(aliases.of_user(tx, user_id)),
    }


def _chats(tx: Connection, user_id: str) -> dict[str, Any]:
    return {"chats": [_chat(tx, chat) for chat in _every_chat(tx, user_id)]}


def _every_chat(tx: Connection, user_id: str) -> Iterator[ChatRecord]:
    before: tuple[str, str] | None = None
    while found := chats.page(tx, user_id, limit=_PORTION, before=before):
        yield from (chat for chat, _ in found)
        before = found[-1][0].cursor


def _chat(tx: Connection, chat: ChatRecord) -> dict[str, Any]:
    user_id, chat_id = chat.user_id, chat.chat_id
    revisions = [brief_values(brief) for brief in briefs.revisions(tx, user_id, chat_id)]
    said = list(_messages(tx, user_id, chat_id))
    return {
        "chat_id": chat_id,
        "persona_id": chat.persona_id,
        "title": chat.title,
        "created_at": iso(chat.created_at),
        # Not beyond the last message: places of deleted ones are not in the file.
        "judged_position": min(chat.judged_position, said[-1]["position"] if said else 0),
        "messages": said,
        "pins": [pin_values(pin) for pin in pins.of_chat(tx, user_id, chat_id)],
        "summaries": [summary.to_dict() for summary in summaries.of_chat(tx, user_id, chat_id)],
        "brief": revisions[-1] if revisions else {},
        "briefs": revisions,
    }


def _messages(tx: Connection, user_id: str, chat_id: str) -> Iterator[dict[str, Any]]:
    position = 0
    while found := messages.after(tx, user_id, chat_id, position, _PORTION):
        yield from map(message_values, found)
        position = found[-1].position


def _sessions(tx: Connection, user_id: str) -> dict[str, Any]:
    stretches: list[dict[str, Any]] = []
    before: tuple[str, str] | None = None
    while found := sessions.page(tx, user_id, limit=_PORTION, before=before):
        stretches += [
            session_values(item, session_summaries.revisions(tx, user_id, item.session_id)) for item in found
        ]
        before = found[-1].cursor
    states = session_states.of_user(tx, user_id)
    return {
        "sessions": stretches,
        "states": [state_values(state) for state in states],
        "rolling_summaries": [
            rolling_values(rolling)
            for state in states
            for rolling in rolling_summaries.revisions(tx, user_id, state.persona_id)
        ],
        "spines": [spine_values(spine) for spine in spines.versions(tx, user_id)],
    }


def _todos(tx: Connection, user_id: str) -> dict[str, Any]:
    return {"todos": [todo.to_dict() for todo in todos.of_user(tx, user_id)]}


def _seed(tx: Connection, user_id: str) -> dict[str, Any]:
    seed = seeds.get(tx, user_id)
    return {"seed": seed.to_dict() if seed else {}}


_READERS: dict[Part, Callable[[Connection, str], dict[str, Any]]] = {
    Part.MEMORIES: _memories,
    Part.ENTITIES: _entities,
    Part.CHATS: _chats,
    Part.TODOS: _todos,
    Part.SESSIONS: _sessions,
    Part.SEED: _seed,
}
