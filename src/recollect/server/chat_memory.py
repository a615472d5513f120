"""A chat's pins, summaries and statistics, which S0 puts under `/api/memory`.

S0 calls a chat's ID `session_id`, and so do these routes' errors.
"""

# ruff: noqa: N815 (the names in the shapes are S0's)

from typing import Annotated

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict

from recollect.api.chat import AsyncChat
from recollect.api.memory import AsyncMemory
from recollect.records.message import check_name
from recollect.records.pin import DEFAULT_IMPORTANCE, PinType
from recollect.server.caller import Caller, Reader, TheMemory, Writer
from recollect.server.wire import Body, DoneShape, Json, example, problems

pins = APIRouter(tags=["pins"])
summaries = APIRouter(tags=["summaries"])

PinId = Annotated[str, Path(description="The pin's ID.")]


def chat_named(
    session_id: str, caller: Caller, memory: AsyncMemory, *, persona: str | None = None
) -> AsyncChat:
    """The chat that a `session_id` names."""
    return memory.chat(check_name(session_id, field="session_id"), user=caller.user, persona=persona)


class PinShape(BaseModel):
    """A fact included in every context of its chat."""

    id: str
    session_id: str
    content: str
    #: Present only if known.
    source_message_id: str | None = None
    importance_score: float
    pin_type: str
    created_at: str
    #: Whether a rule created the pin from its message; it is then updated when the message changes.
    derived: bool
    tokens: int


class PinsShape(BaseModel):
    """List a chat's pins, most important first."""

    pins: list[PinShape]


class NewPin(Body):
    """A fact to pin."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "session_id": "session-456",
                    "content": "Patient allergic to Penicillin",
                    "source_message_id": "1761647445123-3f9a2c41",
                    "importance_score": 10.0,
                    "pin_type": "manual",
                }
            ]
        }
    )

    session_id: str
    content: str
    source_message_id: str | None = None
    importance_score: float = DEFAULT_IMPORTANCE
    #: manual, auto, code, concept or system.
    pin_type: str = PinType.MANUAL.value
    #: The persona of a new chat; an existing chat must belong to this persona.
    persona_id: str | None = None


class PinChange(Body):
    """Changes to a pin; omitted fields stay as they are."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"importance_score": 8.0}]})

    content: str | None = None
    importance_score: float | None = None
    pin_type: str | None = None
    #: The chat to move it to.
    session_id: str | None = None


PIN = {
    "id": "1698501234567-5d0c61e7",
    "session_id": "session-456",
    "content": "Patient allergic to Penicillin and Sulfa drugs. Severe reaction (anaphylaxis) in 2010.",
    "source_message_id": "1761647445123-3f9a2c41",
    "importance_score": 10.0,
    "pin_type": "manual",
    "created_at": "2025-10-28T10:30:45.123Z",
    "derived": False,
    "tokens": 24,
}


@pins.post(
    "/api/memory/pins",
    status_code=201,
    response_model=PinShape,
    responses=problems(404, 409) | example(PIN, 201),
)
async def add_pin(body: NewPin, caller: Writer, memory: TheMemory) -> Json:
    """Pin a fact; a new chat is created."""
    pin = await chat_named(body.session_id, caller, memory, persona=body.persona_id).pin(
        body.content,
        importance_score=body.importance_score,
        pin_type=body.pin_type,
        source_message_id=body.source_message_id,
    )
    return Json(pin.to_dict(), 201)


@pins.get("/api/memory/pins", response_model=PinsShape, responses=problems() | example({"pins": [PIN]}))
async def list_pins(
    session_id: Annotated[str, Query(description="The chat's ID; a chat that does not exist has no pins.")],
    caller: Reader,
    memory: TheMemory,
) -> Json:
    """List a chat's pins, most important first."""
    found = await chat_named(session_id, caller, memory).pins()
    return Json({"pins": [pin.to_dict() for pin in found]})


@pins.patch("/api/memory/pins/{pin_id}", response_model=PinShape, responses=problems(404) | example(PIN))
async def update_pin(pin_id: PinId, body: PinChange, caller: Writer, memory: TheMemory) -> Json:
    """Change a pin, or move it to another chat."""
    moved = body.session_id
    pin = await memory.update_pin(
        pin_id,
        user=caller.user,
        content=body.content,
        importance_score=body.importance_score,
        pin_type=body.pin_type,
        chat=None if moved is None else chat_named(moved, caller, memory).chat_id,
    )
    return Json(pin.to_dict())


@pins.delete(
    "/api/memory/pins/{pin_id}",
    response_model=DoneShape,
    responses=problems(404) | example({"success": True}),
)
async def remove_pin(pin_id: PinId, caller: Writer, memory: TheMemory) -> Json:
    """Remove a pin; its message stays."""
    await memory.unpin(pin_id, user=caller.user)
    return Json({"success": True})


class SummaryShape(BaseModel):
    """The summary of a folded segment of a chat, and its messages."""

    id: str
    session_id: str
    summary: str
    message_count: int
    start_message_id: str
    end_message_id: str
    importance_score: float
    created_at: str
    start_position: int
    end_position: int
    tokens: int
    #: Tokens in the original messages.
    covered_tokens: int


class SummariesShape(BaseModel):
    """A chat's segments in order; they are contiguous."""

    summaries: list[SummaryShape]


class NewSummary(Body):
    """The messages to fold into a summary."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {
                    "session_id": "session-456",
                    "start_message_id": "1759305600000-0a1b2c3d",
                    "end_message_id": "1761647445123-3f9a2c41",
                    "message_count": 50,
                }
            ]
        }
    )

    session_id: str
    #: The first message that no summary covers.
    start_message_id: str
    end_message_id: str
    #: The number of messages, both ends included.
    message_count: int


SUMMARY = {
    "id": "1698501234567-ab01c123",
    "session_id": "session-456",
    "summary": "Patient John Doe, 75, has T2DM on Metformin 500mg BID. A1C: 7.2%. Discussed glucose monitoring, diet,"
    " and foot care. Caregiver: daughter Jane, visits 3x/week.",
    "message_count": 48,
    "start_message_id": "1759305600000-0a1b2c3d",
    "end_message_id": "1761647445123-3f9a2c41",
    "importance_score": 8.5,
    "created_at": "2025-10-28T10:30:45.123Z",
    "start_position": 1,
    "end_position": 48,
    "tokens": 52,
    "covered_tokens": 3900,
}


@summaries.post(
    "/api/memory/summaries",
    status_code=201,
    response_model=SummaryShape,
    responses=problems(404, 409, 502, 504) | example(SUMMARY, 201),
)
async def add_summary(body: NewSummary, caller: Writer, memory: TheMemory) -> Json:
    """Fold a segment manually, starting at the first message that no summary covers; it becomes part of the brief."""
    chat = chat_named(body.session_id, caller, memory)
    summary = await chat.summarise(body.start_message_id, body.end_message_id, body.message_count)
    return Json(summary.to_dict(), 201)


@summaries.get(
    "/api/memory/summaries",
    response_model=SummariesShape,
    responses=problems() | example({"summaries": [SUMMARY]}),
)
async def list_summaries(
    session_id: Annotated[
        str, Query(description="The chat's ID; a chat that does not exist has no summaries.")
    ],
    caller: Reader,
    memory: TheMemory,
) -> Json:
    """List a chat's folded segments in order."""
    found = await chat_named(session_id, caller, memory).summaries()
    return Json({"summaries": [summary.to_dict() for summary in found]})


class MemoryStatsShape(BaseModel):
    """A chat's statistics: contents, sizes, savings from folding, and pending work."""

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


@summaries.get(
    "/api/memory/stats/{session_id}",
    response_model=MemoryStatsShape,
    responses=problems(404) | example(_STATS),
)
async def get_chat_stats(
    session_id: Annotated[str, Path(description="The chat's ID.")], caller: Reader, memory: TheMemory
) -> Json:
    """Show a chat's statistics."""
    return Json((await chat_named(session_id, caller, memory).stats()).to_dict())
