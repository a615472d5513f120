"""Chats: listing, reading and titling them, and their briefs.

Clients choose chat IDs, so two users may use the same ID for different chats.
"""

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict

from recollect.api.memory import AsyncMemory
from recollect.records.chat import ChatRecord
from recollect.server.caller import Caller, Reader, TheMemory, Writer
from recollect.server.wire import Body, Cursor, Json, Limit, example, page, problems, with_revisions

router = APIRouter(tags=["chats"])

ChatId = Annotated[str, Path(description="The chat's ID, as chosen by the client.")]
Persona = Annotated[
    str | None, Query(alias="persona_id", description="Only this persona's; by default, all personas'.")
]


class ChatShape(BaseModel):
    """One thread of messages between a user and a persona."""

    chat_id: str
    title: str | None
    persona_id: str | None
    message_count: int
    last_message_at: str | None
    created_at: str
    #: The highest position ever assigned.
    last_position: int
    #: Increases with every change except an append.
    revision: int
    #: The last position that the brief covers.
    folded_position: int
    refold_position: int
    unfolded_messages: int
    unfolded_tokens: int
    #: The last position that the judge has read.
    judged_position: int


class ChatsShape(BaseModel):
    """Chats, most recently active first."""

    chats: list[ChatShape]
    next_cursor: str | None


class ChatChange(Body):
    """Changes to a chat."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"title": "Dad's health"}]})

    #: Null removes the title.
    title: str | None


class BriefShape(BaseModel):
    """The summary of all messages before the chat's tail."""

    chat_id: str
    global_summary: str
    last_summarized_message_id: str | None
    revision: int
    updated_at: str | None
    tokens: int
    #: The summariser that wrote it.
    written_by: str


class BriefRevisionsShape(BriefShape):
    """A brief; with `revisions=true`, all its revisions, oldest first."""

    revisions: list[BriefShape] = []


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


@router.get(
    "/v1/chats",
    response_model=ChatsShape,
    responses=problems() | example({"chats": [_CHAT], "next_cursor": None}),
)
async def list_chats(
    caller: Reader, memory: TheMemory, persona: Persona = None, limit: Limit = 50, cursor: Cursor = None
) -> Json:
    """List chats, most recently active first; without a title, a chat shows the user's first words."""
    rows = await memory.chats(user=caller.user, persona=persona, limit=limit, cursor=cursor)
    return page("chats", rows)


@router.get("/v1/chats/{chat_id}", response_model=ChatShape, responses=problems(404) | example(_CHAT))
async def get_chat(chat_id: ChatId, caller: Reader, memory: TheMemory) -> Json:
    """Show one chat; without a title, it shows the user's first words."""
    return Json((await record_of(chat_id, caller, memory)).to_dict())


@router.patch("/v1/chats/{chat_id}", response_model=ChatShape, responses=problems(404) | example(_CHAT))
async def rename_chat(chat_id: ChatId, body: ChatChange, caller: Writer, memory: TheMemory) -> Json:
    """Set a chat's title; null or an empty string removes it."""
    return Json((await memory.chat(chat_id, user=caller.user).rename(body.title)).to_dict())


@router.get(
    "/v1/chats/{chat_id}/brief",
    response_model=BriefRevisionsShape,
    responses=problems(404) | example(_BRIEF),
)
async def get_brief(
    chat_id: ChatId,
    caller: Reader,
    memory: TheMemory,
    revision: Annotated[int | None, Query(description="An older revision; default: the newest.")] = None,
    revisions: Annotated[bool, Query(description="Include every revision, oldest first.")] = False,
) -> Json:
    """Show a chat's brief; it is empty, with revision 0, until messages are folded."""
    brief = await memory.chat(chat_id, user=caller.user).brief(revision=revision, revisions=revisions)
    if not brief.revision:
        await record_of(chat_id, caller, memory)
    return with_revisions(brief.to_dict(), brief.revisions, revisions)


async def record_of(chat_id: str, caller: Caller, memory: AsyncMemory) -> ChatRecord:
    """The chat; raises NotFound if it does not exist."""
    (found,) = await memory.chats(user=caller.user, chat=chat_id)
    return found
