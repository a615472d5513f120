"""Chats: which there are, their records and titles, their briefs, and a chat in numbers.

S0 calls a chat's id `session_id`. Ids are names that clients choose: two users may use the same one for two chats.
"""

# ruff: noqa: N815 (the names in the shapes are S0's)

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict

from recollect.records.cursor import place
from recollect.server.answer import Json, example, problems
from recollect.server.body import Body
from recollect.server.caller import Reader, Writer
from recollect.server.named_session import chat_named
from recollect.server.paging import Cursor, Limit, page, wanted
from recollect.server.served import TheMemory

router = APIRouter(tags=["chats"])

ChatId = Annotated[str, Path(description="The chat, by the name that its client gave it.")]
Persona = Annotated[
    str | None, Query(alias="persona_id", description="Only what belongs to this persona; of all without it.")
]


class ChatShape(BaseModel):
    """One thread of messages between a user and a persona."""

    chat_id: str
    title: str | None
    persona_id: str | None
    message_count: int
    last_message_at: str | None
    created_at: str
    #: The highest position ever given.
    last_position: int
    #: Grows with each change but an append.
    revision: int
    #: Up to here the brief reaches.
    folded_position: int
    refold_position: int
    unfolded_messages: int
    unfolded_tokens: int
    #: Up to here the judge has read.
    judged_position: int


class ChatsShape(BaseModel):
    """Chats, last active first."""

    chats: list[ChatShape]
    next_cursor: str | None


class ChatChange(Body):
    """What to change of a chat."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Dad's health"}]})

    #: Null takes the title away.
    title: str | None


class BriefShape(BaseModel):
    """The summary of everything that is no longer in the chat's tail."""

    chat_id: str
    global_summary: str
    last_summarized_message_id: str | None
    revision: int
    updated_at: str | None
    tokens: int
    #: Which summariser wrote it.
    written_by: str


class BriefsShape(BaseModel):
    """Every revision of a brief, oldest first."""

    briefs: list[BriefShape]


class MemoryStatsShape(BaseModel):
    """A chat in numbers: what it holds, then sizes, what folding saves, and work that is left."""

    totalMessages: int
    totalSummaries: int
    totalPins: int
    oldestMessage: str | None
    newestMessage: str | None
    averageImportanceScore: float
    totalTokens: int
    coveredTokens: int
    briefTokens: int
    compressionRatio: float | None
    unfoldedMessages: int
    unfoldedTokens: int
    openJobs: int
    deadJobs: int
    lagSeconds: float


_CHAT = {
    "chat_id": "session-456",
    "title": "My dad has diabetes",
    "persona_id": None,
    "message_count": 250,
    "last_message_at": "2025-10-28T10:30:45.123Z",
    "created_at": "2025-10-01T08:00:00.000Z",
    "last_position": 250,
    "revision": 4,
    "folded_position": 238,
    "refold_position": 0,
    "unfolded_messages": 12,
    "unfolded_tokens": 3150,
    "judged_position": 250,
}
_BRIEF = {
    "chat_id": "session-456",
    "global_summary": "The user's father has type 2 diabetes and takes Metformin 500mg twice daily.",
    "last_summarized_message_id": "1761647445123-3f9a2c41",
    "revision": 4,
    "updated_at": "2025-10-28T10:30:45.123Z",
    "tokens": 410,
    "written_by": "offline",
}
_STATS = {
    "totalMessages": 250,
    "totalSummaries": 4,
    "totalPins": 8,
    "oldestMessage": "2025-10-01T08:00:00.000Z",
    "newestMessage": "2025-10-28T10:30:45.000Z",
    "averageImportanceScore": 6.3,
    "totalTokens": 18250,
    "coveredTokens": 15100,
    "briefTokens": 410,
    "compressionRatio": 0.0912,
    "unfoldedMessages": 12,
    "unfoldedTokens": 3150,
    "openJobs": 0,
    "deadJobs": 0,
    "lagSeconds": 0.0,
}


@router.get(
    "/v1/chats",
    response_model=ChatsShape,
    responses=problems() | example({"chats": [_CHAT], "next_cursor": None}),
)
async def list_chats(
    caller: Reader, memory: TheMemory, persona: Persona = None, limit: Limit = 50, cursor: Cursor = None
) -> Json:
    """Chats, last active first; one without a title is shown under the first words that the user said in it."""
    rows = await memory.chats(
        user=caller.user, persona=persona, limit=wanted(limit), before=place(cursor, (str, str))
    )
    return Json(page("chats", rows, limit, lambda chat: chat.cursor))


@router.get("/v1/chats/{chat_id}", response_model=ChatShape, responses=problems(404) | example(_CHAT))
async def get_chat(chat_id: ChatId, caller: Reader, memory: TheMemory) -> Json:
    """One chat; its `title` is null unless somebody gave it one."""
    return Json((await memory.chat(chat_id, user=caller.user).info()).to_dict())


@router.patch("/v1/chats/{chat_id}", response_model=ChatShape, responses=problems(404) | example(_CHAT))
async def rename_chat(chat_id: ChatId, body: ChatChange, caller: Writer, memory: TheMemory) -> Json:
    """Give a chat a title; null or an empty text takes it away."""
    return Json((await memory.chat(chat_id, user=caller.user).rename(body.title)).to_dict())


@router.get("/v1/chats/{chat_id}/brief", response_model=BriefShape, responses=problems(404) | example(_BRIEF))
async def get_brief(chat_id: ChatId, caller: Reader, memory: TheMemory) -> Json:
    """The brief of a chat; empty, with revision 0, while nothing is folded."""
    chat = memory.chat(chat_id, user=caller.user)
    brief = await chat.brief()
    if not brief.revision:
        await chat.info()
    return Json(brief.to_dict())


@router.get(
    "/v1/chats/{chat_id}/briefs",
    response_model=BriefsShape,
    responses=problems(404) | example({"briefs": [_BRIEF]}),
)
async def list_briefs(chat_id: ChatId, caller: Reader, memory: TheMemory) -> Json:
    """Every revision of a chat's brief, oldest first."""
    chat = memory.chat(chat_id, user=caller.user)
    found = await chat.briefs()
    if not found:
        await chat.info()
    return Json({"briefs": [brief.to_dict() for brief in found]})


@router.get(
    "/api/memory/stats/{session_id}",
    response_model=MemoryStatsShape,
    responses=problems(404) | example(_STATS),
)
async def get_chat_stats(
    session_id: Annotated[str, Path(description="The chat.")], caller: Reader, memory: TheMemory
) -> Json:
    """A chat in numbers."""
    return Json((await chat_named(session_id, caller, memory).stats()).to_dict())
