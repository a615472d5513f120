"""Search: what bears on a question, best first, and why."""

from typing import Annotated, Any

from fastapi import APIRouter, Query
from pydantic import BaseModel, Field

from recollect.api.arguments import MAX_HITS, MAX_MESSAGES, MAX_NEIGHBOURS, MAX_SESSIONS
from recollect.engine.accesses import counted
from recollect.server.caller import Reader, TheMemory
from recollect.server.shapes import CARD, MEMORY, CardShape, MemoryShape
from recollect.server.wire import Json, example, problems

router = APIRouter(tags=["memories"])


class SearchAsked(BaseModel):
    """A question, and what may answer it."""

    query: str = Field(description="What to look for, in any words.")
    category: str | None = Field(default=None, description="Only memories of a category.")
    limit: int = Field(default=5, ge=1, le=MAX_HITS, description="The most memories.")
    persona_id: str | None = Field(default=None, description="What this persona knows: its own and shared.")
    as_of: str | None = Field(default=None, description="What was known at this moment.")
    type: str | None = Field(default=None, description="PROFILE, PEOPLE or PROJECT.")
    tag: list[str] = Field(default=[], description="Only memories with this tag; may be repeated.")
    entity: str | None = Field(default=None, description="Only memories that mention an entity.")
    since: str | None = Field(default=None, description="Not older than this moment.")
    until: str | None = Field(default=None, description="Older than this moment.")
    episodes: int = Field(default=5, ge=0, le=MAX_MESSAGES, description="The most past messages.")
    neighbours: int = Field(
        default=1, ge=0, le=MAX_NEIGHBOURS, description="Messages before and after each of them."
    )
    sessions: int = Field(default=0, ge=0, le=MAX_SESSIONS, description="The most sessions.")
    chat_id: str | None = Field(default=None, description="Past messages of this chat only.")
    at: str | None = Field(default=None, description="When it is asked, for words like yesterday.")
    zone: str = Field(default="UTC", description="The user's time zone: Europe/Berlin.")
    record: bool = Field(
        default=True, description="`false`: only look; the memories that are found do not count as used."
    )


class ExplainShape(BaseModel):
    """Why a memory stands where it does: the terms of its score."""

    similarity: float
    recency: float
    frequency: float
    plausibility: float
    vector_rank: int | None
    text_rank: int | None
    cosine: float
    bm25: float
    asked: bool
    sources: list[str]


class HitShape(MemoryShape):
    """A memory that was found."""

    score: float
    explain: ExplainShape


class SaidShape(BaseModel):
    """A message, in short."""

    message_id: str
    chat_id: str
    role: str
    text: str
    created_at: str


class EpisodeShape(SaidShape):
    """A past message that was found, with what was said around it."""

    score: float
    origin: str
    before: list[SaidShape]
    after: list[SaidShape]
    repeats: list[str]
    explain: dict[str, Any]


class FoundSessionShape(SaidShape):
    """A session that was found, told by its best message."""

    session: str | None
    score: float
    theme: float


class FoundShape(BaseModel):
    """Memories best first, cards of the entities that they mention, past messages, and sessions where asked for."""

    memories: list[HitShape]
    cards: list[CardShape]
    episodes: list[EpisodeShape]
    sessions: list[FoundSessionShape] = []


_SAID = {
    "message_id": "2026-01-20T08:00:00.000Z#0a1b2c3d",
    "chat_id": "work",
    "role": "user",
    "text": "For the new service I would take Python 3.12.",
    "created_at": "2026-01-20T08:00:00.000Z",
}
_FOUND: dict[str, Any] = {
    "memories": [
        {
            **MEMORY,
            "score": 0.81,
            "explain": {
                "similarity": 0.74,
                "recency": 0.98,
                "frequency": 1.0,
                "plausibility": 1.0,
                "vector_rank": 1,
                "text_rank": 1,
                "cosine": 0.62,
                "bm25": 1.0,
                "asked": False,
                "sources": [],
            },
        }
    ],
    "cards": [CARD],
    "episodes": [
        {
            **_SAID,
            "score": 0.55,
            "origin": "user",
            "before": [],
            "after": [],
            "repeats": [],
            "explain": {"terms": {}, "values": {}, "cosine": 0.5, "bm25": 0.7},
        }
    ],
}


@router.get("/memories/search", response_model=FoundShape, responses=problems(502, 504) | example(_FOUND))
async def search(asked: Annotated[SearchAsked, Query()], caller: Reader, memory: TheMemory) -> Json:
    """Find what matters for a question: memories with why, cards of entities, past messages, sessions."""
    with counted(asked.record):
        found = await memory.search(
            asked.query,
            user=caller.user,
            limit=asked.limit,
            category=asked.category,
            type=asked.type,
            tags=asked.tag,
            entity=asked.entity,
            persona=asked.persona_id,
            since=asked.since,
            until=asked.until,
            as_of=asked.as_of,
            messages=asked.episodes,
            neighbours=asked.neighbours,
            sessions=asked.sessions,
            chat=asked.chat_id,
            at=asked.at,
            zone=asked.zone,
        )
    return Json(found.to_dict())
