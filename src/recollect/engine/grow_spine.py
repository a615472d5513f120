"""Grow the spine: a new version of the long view of a user (S4), from what is remembered and what was said.

The spine is shared by all personas, so it is made of what all of them may know: shared memories, statements of fact,
and todos that belong to nobody in particular.
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

#: Memories, messages and todos that a version is made from.
MAX_MEMORIES = 200
MAX_MESSAGES = 400
MAX_TODOS = 50


async def grow_spine(parts: Parts, user_id: str) -> Spine | None:
    """Write the next version; None when there is nothing to tell."""
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
    """What a version is written from, as one moment shows it."""

    previous: Spine | None
    #: None: somebody who was never seen, or is forgotten.
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
        # Last: nothing that was seen may be younger than the version that tells it, or forgetting would miss it.
        at=parts.now(),
    )


def _save(parts: Parts, user_id: str, seen: _Seen, content: SpineContent, tx: Connection) -> Spine | None:
    """Keep the next version; None when something that it was written from was erased, edited or replaced meanwhile."""
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
        # What is said while it is being written belongs to the next version.
        created_at=seen.at,
    )
    spines.insert(tx, spine)
    return spine


def _still_known(tx: Connection, user_id: str, known: Sequence[MemoryRecord]) -> bool:
    """Whether memories still say what they said: a message that was edited may have changed one meanwhile."""
    now = memories.get_many(tx, user_id, [memory.memory_id for memory in known])
    return all(
        (current := now.get(memory.memory_id)) is not None
        and (current.content, current.current) == (memory.content, memory.current)
        for memory in known
    )
