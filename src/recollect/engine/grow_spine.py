"""Grow the spine: write a new version of a user's long view (S4) from memories and messages.

All personas share the spine, so it is made only from what all of them may know: shared memories, statements of fact, and
todos without a persona.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial

from recollect.engine.parts import Parts
from recollect.engine.profiles import select
from recollect.language.spine_material import SpineMaterial, spine_material
from recollect.records.memory import MemoryRecord
from recollect.records.message import Message
from recollect.records.spine import Spine, SpineContent
from recollect.store import memories, messages, spines, todos, users
from recollect.store.database import Connection
from recollect.store.users import UserState

log = logging.getLogger(__name__)

#: Memories, messages and todos used for a version.
MAX_MEMORIES = 200
MAX_MESSAGES = 400
MAX_TODOS = 50


async def grow_spine(parts: Parts, user_id: str) -> Spine | None:
    """Write the next version; None if there is nothing to write."""
    while True:
        seen = await parts.database.read(user_id, partial(_look, parts, user_id))
        if seen.state is None:
            return None
        previous = seen.previous.content if seen.previous else None
        content = await parts.writer.spine(previous, seen.material)
        if not any(content.to_dict().values()):
            return None
        saved = await parts.database.write(user_id, partial(_save, parts, user_id, seen, content))
        if saved is not None:
            log.info("spine.grown user=%s version=%d by=%s", user_id, saved.version, saved.written_by)
            return saved


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """The input for a version, in one snapshot."""

    previous: Spine | None
    #: None for a user who is unknown or forgotten.
    state: UserState | None
    known: tuple[MemoryRecord, ...]
    said: tuple[Message, ...]
    material: SpineMaterial
    at: datetime


def _look(parts: Parts, user_id: str, tx: Connection) -> _Seen:
    known = select(tx, user_id, None, parts.now(), MAX_MEMORIES)
    previous = spines.current(tx, user_id)
    said = messages.of_user_since(tx, user_id, None, MAX_MESSAGES)
    loops = [todo.text for todo in todos.open_of(tx, user_id, None, MAX_TODOS)]
    return _Seen(
        previous=previous,
        state=users.state(tx, user_id),
        known=tuple(known),
        said=tuple(said),
        material=spine_material(known, said, loops),
        # Read last: the input must not be newer than the version written from it, or forgetting would miss that version.
        at=parts.now(),
    )


def _save(parts: Parts, user_id: str, seen: _Seen, content: SpineContent, tx: Connection) -> Spine | None:
    """Save the next version; None if any of its input was erased, edited or replaced in the meantime."""
    previous, state = seen.previous, users.state(tx, user_id)
    # Erasing a memory starts a new epoch.
    erased = (state.epoch if state else None) != (seen.state.epoch if seen.state else None)
    if erased or spines.current(tx, user_id) != previous or not messages.unchanged(tx, seen.said):
        return None
    if not _still_known(tx, user_id, seen.known):
        return None
    spine = Spine(
        user_id=user_id,
        version=previous.version + 1 if previous else 1,
        content=content,
        message_count=users.message_count(tx, user_id) - spines.counted(tx, user_id),
        written_by=parts.writer.notes_name,
        # Messages recorded during the writing belong to the next version.
        created_at=seen.at,
    )
    spines.insert(tx, spine)
    return spine


def _still_known(tx: Connection, user_id: str, known: Sequence[MemoryRecord]) -> bool:
    """Whether the memories are unchanged: an edited message may have changed one in the meantime."""
    now = memories.get_many(tx, user_id, [memory.memory_id for memory in known])
    return all(
        (current := now.get(memory.memory_id)) is not None
        and (current.content, current.current) == (memory.content, memory.current)
        for memory in known
    )
