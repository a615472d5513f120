"""Memories: listing, reading, correcting and deleting them, their history and statistics, and every kind of forgetting.

`remember` stores them, `search` finds them, `portable` exports and imports them.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from recollect.records.message import check_name
from recollect.server.caller import Reader, TheMemory, Writer
from recollect.server.errors import Problem
from recollect.server.shapes import MEMORY, MemoriesShape, MemoryShape
from recollect.server.wire import Body, Cursor, DoneShape, Json, Limit, example, page, problems

router = APIRouter(tags=["memories"])
forgetting = APIRouter(tags=["forgetting"])

MemoryId = Annotated[
    str,
    Path(description="The memory's ID. Encode `#` as `%23`; if it is unique, the part before `#` is enough."),
]

#: Matches every status.
_ANY = "any"


class MemoriesAsked(BaseModel):
    """Filters for the list of memories."""

    category: str | None = Field(default=None, description="Only memories of this category.")
    tag: str | None = Field(default=None, description="Only memories with this tag.")
    type: str | None = Field(default=None, description="PROFILE, PEOPLE or PROJECT.")
    entity: str | None = Field(
        default=None,
        description="Only memories that mention this entity, under any of its names, such as `person:jane`.",
    )
    persona_id: str | None = Field(
        default=None, description="Only memories that this persona knows: its own and shared ones."
    )
    status: str = Field(default="ACTIVE", description="ACTIVE, ARCHIVED or any.")
    past: bool = Field(default=False, description="Include memories that a newer value replaced.")
    since: str | None = Field(default=None, description="Only memories created at or after this time.")
    until: str | None = Field(default=None, description="Only memories created before this time.")
    as_of: str | None = Field(default=None, description="The memories as they were at this time.")
    limit: Limit = 50
    cursor: Cursor = None


class MemoryNamed(Body):
    """The memory to delete."""

    memory_id: str | None = Field(default=None, description="Required.")


class MemoryChange(Body):
    """New values; omitted fields stay as they are."""

    content: str | None = Field(
        default=None, description="10-500 characters; first person is rewritten to third."
    )
    importance: float | None = Field(default=None, description="0-10.")
    category: str | None = Field(
        default=None, description="identity, preference, relationship, project, skill, fact or context."
    )
    tags: list[str] | None = Field(default=None, description="Replaces all tags; an empty list removes them.")
    pinned: bool | None = Field(default=None, description="Whether to include it in every context.")
    status: str | None = Field(default=None, description="ARCHIVED hides it from recall; ACTIVE restores it.")
    reason: str = Field(default="", description="The reason, kept in the history.")


class StatsShape(BaseModel):
    """Statistics about the user's memories."""

    class WeekShape(BaseModel):
        """The number of memories created in the week starting on this Monday."""

        week: str
        count: int

    total: int
    by_category: dict[str, int]
    by_type: dict[str, int]
    by_status: dict[str, int]
    by_source: dict[str, int]
    #: Counts by importance, rounded down, 0 to 10; values that do not occur are omitted.
    by_importance: dict[str, int]
    average_importance: float
    most_used: list[dict[str, Any]]
    growth: list[WeekShape]
    chats: int
    messages: int
    messages_waiting: int
    messages_unjudged: int


class HistoryShape(BaseModel):
    """The changes of a memory, oldest first."""

    class ChangeShape(BaseModel):
        """One change: the old and new values of each changed field."""

        at: str
        by: str
        change: str
        old: dict[str, Any]
        new: dict[str, Any]
        reason: str

    history: list[ChangeShape]


class ReceiptShape(BaseModel):
    """Counts of erased records by kind; further kinds appear if any were erased."""

    model_config = ConfigDict(extra="allow")

    memories: int
    messages: int
    summaries: int
    pins: int
    todos: int
    #: Vectors of memories; those of messages are counted separately.
    vectors: int
    #: Whether the bytes are gone from the database file and its log.
    erased_from_disk: bool


class ForgottenShape(BaseModel):
    """The receipt, and the chats whose summaries are rewritten from the remaining messages."""

    receipt: ReceiptShape
    refolded: list[str]
    #: What happened to the bytes on disk, in one sentence.
    disk: str


class Target(Body):
    """What to forget; give exactly one field."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"message_id": "1761647445123-3f9a2c41"}]})

    memory_id: str | None = None
    message_id: str | None = None
    chat_id: str | None = None
    todo_id: str | None = None
    #: The entity's key, such as person:john.
    entity: str | None = None
    #: Everything about the user.
    everything: bool = False


_STATS = {
    "total": 42,
    "by_category": {"identity": 4, "preference": 20, "project": 18},
    "by_type": {"PROFILE": 24, "PROJECT": 18},
    "by_status": {"ACTIVE": 40, "ARCHIVED": 2},
    "by_source": {"manual": 30, "tool": 12},
    "by_importance": {"6": 10, "8": 20, "9": 12},
    "average_importance": 7.86,
    "most_used": [{name: MEMORY[name] for name in ("user_id", "memory_id", "content", "category")}],
    "growth": [{"week": "2026-01-26", "count": 42}],
    "chats": 3,
    "messages": 120,
    "messages_waiting": 0,
    "messages_unjudged": 0,
}
_CHANGE = {
    "at": "2026-01-28T10:30:45.123Z",
    "by": "user",
    "change": "edited",
    "old": {"importance": 8.0},
    "new": {"importance": 9.0},
    "reason": "it matters more than I said",
}
RECEIPT: dict[str, Any] = {
    "receipt": {
        "memories": 1,
        "messages": 1,
        "summaries": 0,
        "pins": 1,
        "todos": 0,
        "vectors": 1,
        "message_vectors": 1,
        "history": 1,
        "erased_from_disk": True,
    },
    "refolded": [],
    "disk": "The bytes are gone from the database file and its log.",
}


@router.get(
    "/memories",
    response_model=MemoriesShape,
    responses=problems() | example({"memories": [MEMORY], "next_cursor": None}),
)
async def list_memories(asked: Annotated[MemoriesAsked, Query()], caller: Reader, memory: TheMemory) -> Json:
    """List memories, newest first."""
    rows = await memory.memories(
        user=caller.user,
        category=asked.category,
        type=asked.type,
        tag=asked.tag,
        entity=asked.entity,
        persona=asked.persona_id,
        status=None if asked.status == _ANY else asked.status,
        past=asked.past,
        since=asked.since,
        until=asked.until,
        as_of=asked.as_of,
        limit=asked.limit,
        cursor=asked.cursor,
    )
    return page("memories", rows)


@router.get("/memories/stats", response_model=StatsShape, responses=problems() | example(_STATS))
async def stats(caller: Reader, memory: TheMemory) -> Json:
    """Count memories by category, type, status, source and week."""
    return Json((await memory.stats(user=caller.user)).to_dict())


@router.delete("/memories", response_model=DoneShape, responses=problems(404) | example({"success": True}))
async def delete_named(caller: Writer, memory: TheMemory, body: MemoryNamed | None = None) -> Json:
    """Erase the memory named in the body, and everything derived from it."""
    if body is None or not body.memory_id:
        raise Problem(400, "memory_id required")
    await memory.forget(body.memory_id, user=caller.user)
    return Json({"success": True})


@router.get("/memories/{memory_id}", response_model=MemoryShape, responses=problems(404) | example(MEMORY))
async def get_memory(memory_id: MemoryId, caller: Reader, memory: TheMemory) -> Json:
    """Show one memory, whatever its status."""
    return Json((await memory.get(memory_id, user=caller.user)).to_dict())


@router.patch(
    "/memories/{memory_id}",
    response_model=MemoryShape,
    responses=problems(404, 409, 502, 504) | example(MEMORY),
)
async def change_memory(memory_id: MemoryId, body: MemoryChange, caller: Writer, memory: TheMemory) -> Json:
    """Change a memory; either all changes apply or none, and the history keeps the old values."""
    changed = await memory.update(
        memory_id,
        user=caller.user,
        content=body.content,
        category=body.category,
        importance=body.importance,
        tags=body.tags,
        pinned=body.pinned,
        status=body.status,
        reason=body.reason,
    )
    return Json(changed.to_dict())


@router.delete(
    "/memories/{memory_id}", response_model=DoneShape, responses=problems(404) | example({"success": True})
)
async def delete_memory(memory_id: MemoryId, caller: Writer, memory: TheMemory) -> Json:
    """Erase a memory, and everything derived from it."""
    await memory.forget(memory_id, user=caller.user)
    return Json({"success": True})


@router.get(
    "/memories/{memory_id}/history",
    response_model=HistoryShape,
    responses=problems(404) | example({"history": [_CHANGE]}),
)
async def history(memory_id: MemoryId, caller: Reader, memory: TheMemory) -> Json:
    """List a memory's changes, oldest first."""
    entries = await memory.history(memory_id, user=caller.user)
    return Json({"history": [entry.to_dict() for entry in entries]})


@forgetting.post("/v1/forget", response_model=ForgottenShape, responses=problems(404, 409) | example(RECEIPT))
async def forget(body: Target, caller: Writer, memory: TheMemory) -> Json:
    """Erase one thing and everything derived from it, down to the bytes on disk; this cannot be undone."""
    for field in ("message_id", "chat_id", "todo_id"):
        if (named := getattr(body, field)) is not None:
            check_name(named, field=field)
    receipt = await memory.forget(
        body.memory_id,
        user=caller.user,
        message=body.message_id,
        chat=body.chat_id,
        todo=body.todo_id,
        entity=body.entity,
        everything=body.everything,
    )
    return Json(receipt.to_dict())
