"""Export: everything of a user as one JSON document that `load` reads again.

Vectors and background work are not included, because they are made again. Rows are read in portions, and the document is built
lazily: its lists are iterators, and its values may be functions that are called when they are reached. A service gets it
compressed, so that its text takes little memory, and yet all of it is of one moment. Rows are not sent while they are read,
because a transaction would stay open for as long as the slowest client likes.
"""

import json
import zlib
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, cast

from recollect.engine.parts import Parts
from recollect.errors import InvalidInput
from recollect.interchange.portable_session import session_values, state_values
from recollect.records.chat import ChatRecord
from recollect.records.memory import check_list
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
#: The lists and objects of the document.
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


class Part(StrEnum):
    """A part of an export: what belongs together, such as memories with their links."""

    MEMORIES = "memories"
    ENTITIES = "entities"
    CHATS = "chats"
    TODOS = "todos"
    SESSIONS = "sessions"
    SEED = "seed"


#: The part of each key that is no part itself.
_WITH = {
    "links": Part.MEMORIES,
    "aliases": Part.ENTITIES,
    "states": Part.SESSIONS,
    "rolling_summaries": Part.SESSIONS,
    "spines": Part.SESSIONS,
}
#: Rows per read.
_PORTION = 1000
#: Bytes of text per piece of a packed document, and the compression level: 1 is the fastest and saves nearly as much.
_PIECE = 2**16
_COMPRESSION = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Packed:
    """A document as compressed JSON."""

    exported_at: str
    chunks: tuple[bytes, ...]

    def pieces(self) -> Iterator[bytes]:
        """The text in pieces."""
        reading = zlib.decompressobj()
        for chunk in self.chunks:
            if piece := reading.decompress(chunk):
                yield piece
        yield reading.flush()


async def export(
    parts: Parts, user_id: str, *, include: Collection[Part] = frozenset(Part)
) -> dict[str, Any]:
    """The whole user as JSON values; parts that are not included are empty."""
    at = iso(parts.now())
    return await parts.database.read(user_id, lambda tx: built(_document(tx, user_id, at, include)))


async def export_packed(parts: Parts, user_id: str, *, include: Collection[Part] = frozenset(Part)) -> Packed:
    """The same document, compressed."""
    at = iso(parts.now())

    def pack(tx: Connection) -> Packed:
        packing = zlib.compressobj(_COMPRESSION)
        chunks = [
            packing.compress(piece) for piece in _gathered(written(_document(tx, user_id, at, include)))
        ]
        return Packed(exported_at=at, chunks=(*filter(None, chunks), packing.flush()))

    return await parts.database.read(user_id, pack)


def _gathered(pieces: Iterator[bytes]) -> Iterator[bytes]:
    """Small pieces joined, with a line end after the last."""
    held = bytearray()
    for piece in pieces:
        held += piece
        if len(held) >= _PIECE:
            yield bytes(held)
            held.clear()
    yield bytes(held) + b"\n"


def _document(tx: Connection, user_id: str, at: str, include: Collection[Part]) -> dict[str, Any]:
    """The document, built while it is read."""
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
    """The rows of a user; each is read when it is needed."""

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
        for newer, older in links.of_user(self._tx, self._user_id):
            yield {"from": newer, "kind": links.CONTRADICTS, "to": older}

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
            yield from (
                rolling.to_dict()
                for rolling in rolling_summaries.revisions(self._tx, self._user_id, state.persona_id)
            )

    def spines(self) -> Iterator[dict[str, Any]]:
        return (spine.to_dict() for spine in spines.versions(self._tx, self._user_id))

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
    revisions = [brief.to_dict() for brief in briefs.revisions(tx, user_id, chat_id)]
    last = messages.last_position(tx, user_id, chat_id)
    return {
        "chat_id": chat_id,
        "persona_id": chat.persona_id,
        "title": chat.title,
        "created_at": iso(chat.created_at),
        # Not beyond the last message: positions of deleted ones are not in the file.
        "judged_position": min(chat.judged_position, last),
        "messages": _messages(tx, user_id, chat_id),
        "pins": [pin.to_dict() for pin in pins.of_chat(tx, user_id, chat_id)],
        "summaries": [summary.to_dict() for summary in summaries.of_chat(tx, user_id, chat_id)],
        "brief": revisions[-1] if revisions else {},
        "briefs": revisions,
    }


def _messages(tx: Connection, user_id: str, chat_id: str) -> Iterator[dict[str, Any]]:
    position = 0
    while found := messages.after(tx, user_id, chat_id, position, _PORTION):
        yield from (message.to_dict() for message in found)
        position = found[-1].position


def built(value: Any) -> Any:
    """The document with all its values computed."""
    if isinstance(value, dict):
        return {name: built(item) for name, item in cast("dict[str, Any]", value).items()}
    if isinstance(value, Iterator):
        return [built(item) for item in cast("Iterator[Any]", value)]
    return cast("Callable[[], Any]", value)() if callable(value) else value


def written(value: Any) -> Iterator[bytes]:
    """The JSON of a value, in a piece per row."""
    if isinstance(value, dict):
        yield from _written_object(cast("dict[str, Any]", value))
    elif isinstance(value, Iterator):
        yield b"["
        for place, item in enumerate(cast("Iterator[Any]", value)):
            if place:
                yield b","
            yield from written(item)
        yield b"]"
    else:
        made = cast("Callable[[], Any]", value)() if callable(value) else value
        yield json.dumps(made, ensure_ascii=False, separators=(",", ":")).encode()


def _written_object(value: dict[str, Any]) -> Iterator[bytes]:
    if not any(_is_made_later(item) for item in value.values()):
        # A row is written at once, in a tenth of the time.
        yield json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode()
        return
    yield b"{"
    for place, (name, item) in enumerate(value.items()):
        yield (b"," if place else b"") + json.dumps(name, ensure_ascii=False).encode() + b":"
        yield from written(item)
    yield b"}"


def _is_made_later(value: Any) -> bool:
    return isinstance(value, Iterator) or callable(value)


def check_parts(names: object) -> frozenset[Part]:
    """Check the parts that a caller asks for; None means all."""
    if names is None:
        return frozenset(Part)
    try:
        chosen = frozenset(Part(name) for name in check_list(names, field="include"))
    except (ValueError, TypeError):
        raise InvalidInput(f"include: each part must be one of {', '.join(Part)}.", field="include") from None
    if not chosen:
        raise InvalidInput("include must not be empty; leave it out to get everything.", field="include")
    return chosen
