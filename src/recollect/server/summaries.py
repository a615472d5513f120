"""Summaries: the folded segments of a chat, and folding one by hand (S0's ConversationSummary)."""

from typing import Annotated

from fastapi import APIRouter, Query
from pydantic import BaseModel, ConfigDict

from recollect.server.answer import Json, example, problems
from recollect.server.body import Body
from recollect.server.caller import Reader, Writer
from recollect.server.named_session import chat_named
from recollect.server.served import TheMemory

router = APIRouter(tags=["summaries"])


class SummaryShape(BaseModel):
    """What a folded segment of a chat says, and which messages it is made of."""

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
    #: Of the messages that it stands for.
    covered_tokens: int


class SummariesShape(BaseModel):
    """The segments of a chat, in its order; they touch."""

    summaries: list[SummaryShape]


class NewSummary(Body):
    """Which messages to fold into a summary."""

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
    #: How many messages that are: the two ends are counted too.
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


@router.post(
    "/api/memory/summaries",
    status_code=201,
    response_model=SummaryShape,
    responses=problems(404, 409, 502, 504) | example(SUMMARY, 201),
)
async def add_summary(body: NewSummary, caller: Writer, memory: TheMemory) -> Json:
    """Fold a segment by hand, from the first message that no summary covers; it enters the brief."""
    chat = chat_named(body.session_id, caller, memory)
    summary = await chat.summarise(body.start_message_id, body.end_message_id, body.message_count)
    return Json(summary.to_dict(), 201)


@router.get(
    "/api/memory/summaries",
    response_model=SummariesShape,
    responses=problems() | example({"summaries": [SUMMARY]}),
)
async def list_summaries(
    session_id: Annotated[str, Query(description="The chat; one that is not there has no summaries.")],
    caller: Reader,
    memory: TheMemory,
) -> Json:
    """The folded segments of a chat, in its order."""
    found = await chat_named(session_id, caller, memory).summaries()
    return Json({"summaries": [summary.to_dict() for summary in found]})
