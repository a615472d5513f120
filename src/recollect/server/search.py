"""Search: finds what is relevant to a question, best first, with reasons."""

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
    """A question, and filters for the results."""

    query: str = Field(description="The question or keywords to search for.")
    category: str | None = Field(default=None, description="Only memories of this category.")
    limit: int = Field(default=5, ge=1, le=MAX_HITS, description="Maximum number of memories.")
    persona_id: str | None = Field(
        default=None, description="Only what this persona knows: its own and shared memories."
    )
    as_of: str | None = Field(default=None, description="Only what was known at this time.")
    type: str | None = Field(default=None, description="PROFILE, PEOPLE or PROJECT.")
    tag: list[str] = Field(default=[], description="Only memories with this tag; may be repeated.")
    entity: str | None = Field(default=None, description="Only memories that mention this entity.")
    since: str | None = Field(default=None, description="Only results from this time or later.")
    until: str | None = Field(default=None, description="Only results from before this time.")
    episodes: int = Field(default=5, ge=0, le=MAX_MESSAGES, description="Maximum number of past messages.")
    neighbours: int = Field(
        default=1,
        ge=0,
        le=MAX_NEIGHBOURS,
        description="Neighbouring messages to include before and after each past message.",
    )
    sessions: int = Field(default=0, ge=0, le=MAX_SESSIONS, description="Maximum number of sessions.")
    chat_id: str | None = Field(default=None, description="Only past messages from this chat.")
    at: str | None = Field(
        default=None, description="The time of the question, to resolve words such as `yesterday`."
    )
    zone: str = Field(default="UTC", description="The user's time zone, such as Europe/Berlin.")
    record: bool = Field(default=True, description="`false`: do not count the memories found as used.")


class ExplainShape(BaseModel):
    """The terms of a memory's score, which explain its rank."""

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
    """A memory found by the search."""

    score: float
    explain: ExplainShape


class SaidShape(BaseModel):
    """A message in short form."""

    message_id: str
    chat_id: str
    role: str
    text: str
    created_at: str


class EpisodeShape(SaidShape):
    """A past message found by the search, with its neighbours."""

    score: float
    origin: str
    before: list[SaidShape]
    after: list[SaidShape]
    repeats: list[str]
    explain: dict[str, Any]


class FoundSessionShape(SaidShape):
    """A session found by the search, represented by its best message."""

    session: str | None
    score: float
    theme: float


class FoundShape(BaseModel):
    """Memories, best first, cards of the entities they mention, past messages, and sessions if requested."""

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
    """Find memories, with reasons, entity cards, past messages and sessions that are relevant to a question."""
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
