"""Export: everything of a user as one JSON document that `load` reads again.

What is made again is not in it: vectors, by whatever model serves then, and background work. Rows are read in portions and
turned into JSON values at once. A service gets the document packed: written and compressed while it is read, so that no
part of it is in memory as values and its text only at a fraction of its size, and yet all of it is of one moment. Handing
rows on as they are read was rejected: a transaction would stay open for as long as the slowest client likes.
"""

import zlib
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from typing import Any

from recollect.engine.parts import Parts
from recollect.interchange.portable_chat import brief_values, message_values, pin_values
from recollect.interchange.portable_lazy import built, written
from recollect.interchange.portable_part import Part
from recollect.interchange.portable_session import rolling_values, session_values, spine_values, state_values
from recollect.records.chat import ChatRecord
from recollect.records.moment import iso
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
#: What belongs to a part of another name.
_WITH = {
    "links": Part.MEMORIES,
    "aliases": Part.ENTITIES,
    "states": Part.SESSIONS,
    "rolling_summaries": Part.SESSIONS,
    "spines": Part.SESSIONS,
}
#: Rows that are read at once.
_PORTION = 1000
#: Bytes of text in a piece of a packed document, and how hard to compress them: 1 is the fastest and saves the most of it.
_PIECE = 2**16
_COMPRESSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A document as compressed JSON."""

    exported_at: str
    chunks: tuple[bytes, ...]

    def pieces(self) -> Iterator[bytes]:
        """The text, a piece at a time."""
        reading = zlib.decompressobj()
        for chunk in self.chunks:
            if piece := reading.decompress(chunk):
                yield piece
        yield reading.flush()


async def export(
    parts: Parts, user_id: str, *, include: Collection[Part] = frozenset(Part)
) -> dict[str, Any]:
    """The whole user, as JSON values; what is not included is empty, so that the document keeps its shape."""
    at = iso(parts.now())
    return await parts.database.read(user_id, lambda tx: built(_document(tx, user_id, at, include)))


async def export_packed(parts: Parts, user_id: str, *, include: Collection[Part] = frozenset(Part)) -> Packed:
    """The same as text that takes little room."""
    at = iso(parts.now())

    def pack(tx: Connection) -> Packed:
        packing = zlib.compressobj(_COMPRESSION)
        chunks = [
            packing.compress(piece) for piece in _gathered(written(_document(tx, user_id, at, include)))
        ]
        return Packed(exported_at=at, chunks=(*filter(None, chunks), packing.flush()))

    return await parts.database.read(user_id, pack)


def _gathered(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Small pieces put together, with the end of a line behind them."""
    held = bytearray()
    for piece in pieces:
        held += piece
        if len(held) >= _PIECE:
            yield bytes(held)
            held.clear()
    yield bytes(held) + b"\n"


def _document(tx: Connection, user_id: str, at: str, include: Collection[Part]) -> dict[str, Any]:
    """The document, made while it is read."""
    found = _Reading(tx, user_id)
    made: dict[str, Any] = {
        "memories": found.memories(),
        "links": found.links(),
        "entities": found.entities(),
        "aliases": found.aliases,
        "chats": found.chats(),
        "todos": found.todos(),
        "sessions": found.sessions(),
        "states": found.states(),
        "rolling_summaries": found.rolling_summaries(),
        "spines": found.spines(),
        "seed": found.seed,
    }
    wanted = {
        name: made[name] if _WITH.get(name, name) in include else empty() for name, empty in KEYS.items()
    }
    return {"recollect": FORMAT, "user_id": user_id, "exported_at": at, **wanted}


class _Reading:
    """What a user has, row by row; nothing is read before somebody takes it."""

    def __init__(self, tx: Connection, user_id: str) -> None:
        self._tx = tx
        self._user_id = user_id

    def memories(self) -> Iterator[dict[str, Any]]:
        past: dict[str, list[dict[str, Any]]] = {}
        for entry in histories.of_user(self._tx, self._user_id):
            past.setdefault(entry.memory_id, []).append(entry.to_dict())
        for record in memories.everything(self._tx, self._user_id):
            yield {**record.to_dict(), "history": past.pop(record.memory_id, [])}

    def links(self) -> Iterator[dict[str, Any]]:
        for link in links.of_user(self._tx, self._user_id):
            yield {"from": link.from_id, "kind": link.kind.value, "to": link.to_id}

    def entities(self) -> Iterator[dict[str, Any]]:
        for row in entities.of_user(self._tx, self._user_id):
            yield {
                "key": row.entity_key,
                "label": row.label,
                "type": row.type,
                "last_mentioned": iso(row.last_mentioned),
            }

    def aliases(self) -> dict[str, str]:
        return dict(aliases.of_user(self._tx, self._user_id))

    def chats(self) -> Iterator[dict[str, Any]]:
        return (_chat(self._tx, chat) for chat in _every_chat(self._tx, self._user_id))

    def todos(self) -> Iterator[dict[str, Any]]:
        return (todo.to_dict() for todo in todos.of_user(self._tx, self._user_id))

    def sessions(self) -> Iterator[dict[str, Any]]:
        before: tuple[str, str] | None = None
        while found := sessions.page(self._tx, self._user_id, limit=_PORTION, before=before):
            for item in found:
                revisions = session_summaries.revisions(self._tx, self._user_id, item.session_id)
                yield session_values(item, revisions)
            before = found[-1].cursor

    def states(self) -> Iterator[dict[str, Any]]:
        return map(state_values, session_states.of_user(self._tx, self._user_id))

    def rolling_summaries(self) -> Iterator[dict[str, Any]]:
        for state in session_states.of_user(self._tx, self._user_id):
            yield from map(
                rolling_values, rolling_summaries.revisions(self._tx, self._user_id, state.persona_id)
            )

    def spines(self) -> Iterator[dict[str, Any]]:
        return map(spine_values, spines.versions(self._tx, self._user_id))

    def seed(self) -> dict[str, Any]:
        seed = seeds.get(self._tx, self._user_id)
        return seed.to_dict() if seed else {}


def _every_chat(tx: Connection, user_id: str) -> Iterator[ChatRecord]:
    before: tuple[str, str] | None = None
    while found := chats.page(tx, user_id, limit=_PORTION, before=before):
        yield from (chat for chat, _ in found)
        before = found[-1][0].cursor


def _chat(tx: Connection, chat: ChatRecord) -> dict[str, Any]:
    user_id, chat_id = chat.user_id, chat.chat_id
    revisions = [brief_values(brief) for brief in briefs.revisions(tx, user_id, chat_id)]
    last = messages.last_position(tx, user_id, chat_id)
    return {
        "chat_id": chat_id,
        "persona_id": chat.persona_id,
        "title": chat.title,
        "created_at": iso(chat.created_at),
        # Not beyond the last message: places of deleted ones are not in the file.
        "judged_position": min(chat.judged_position, last),
        "messages": _messages(tx, user_id, chat_id),
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
