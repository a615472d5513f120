"""Entities: the people, organisations, places and projects that memories mention, and merging their names.

Keys are `type:slug`; a slug has only letters, digits and underscores, so a key is one path segment.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from recollect.records.cursor import MAX_PAGE
from recollect.server.caller import Reader, TheMemory, TheService, Writer
from recollect.server.shapes import CARD, MEMORY, CardShape, MemoryShape
from recollect.server.wire import Body, Cursor, DoneShape, Json, Limit, example, page, problems

router = APIRouter(tags=["entities"])

EntityKey = Annotated[str, Path(description="The entity's key, such as `person:john_doe`.")]


class EntitiesAsked(BaseModel):
    """Filters for the list of entities."""

    type: str | None = Field(default=None, description="person, org, place or project.")
    limit: Limit = 50
    cursor: Cursor = None


class Merge(Body):
    """Two names for one entity."""

    from_: str = Field(alias="from", description="The key to merge away, such as `person:bob`.")
    into: str = Field(description="The key to keep, such as `person:robert`.")
    reason: str = Field(default="merged by hand", description="The reason.")


class EntityShape(BaseModel):
    """An entity under its current name."""

    key: str
    label: str
    type: str
    aliases: list[str]
    fact_count: int
    last_mentioned: str


class EntitiesShape(BaseModel):
    """A page of entities, most recently mentioned first."""

    entities: list[EntityShape]
    next_cursor: str | None


class NeighbourShape(BaseModel):
    """An entity mentioned together with another, and in how many memories."""

    key: str
    count: int


class DetailsShape(EntityShape):
    """Everything known about one entity."""

    card: CardShape | None
    memories: list[MemoryShape]
    neighbours: list[NeighbourShape]


class ProposedMergeShape(BaseModel):
    """Two names that may mean the same entity, and why; decide with `POST /v1/proposals/{id}`."""

    id: str
    from_: str = Field(alias="from")
    into: str
    evidence: str
    score: float


class ProposedMergesShape(BaseModel):
    """A page of proposed merges, newest first."""

    proposals: list[ProposedMergeShape]
    next_cursor: str | None


class GraphShape(BaseModel):
    """Which entities are mentioned together."""

    class NodeShape(BaseModel):
        """An entity, and how many memories mention it."""

        key: str
        label: str
        type: str
        count: int

    class EdgeShape(BaseModel):
        """Two entities, and how many memories mention both."""

        a: str
        b: str
        count: int

    nodes: list[NodeShape]
    edges: list[EdgeShape]


_ENTITY: dict[str, Any] = {
    "key": "person:jane",
    "label": "Jane",
    "type": "person",
    "aliases": ["person:janey"],
    "fact_count": 3,
    "last_mentioned": "2026-01-28T10:30:45.123Z",
}
_DETAILS = {
    **_ENTITY,
    "card": CARD,
    "memories": [MEMORY],
    "neighbours": [{"key": "place:london", "count": 1}],
}
_PROPOSAL = {
    "id": "2026-01-28T10:30:45.123Z#0f1e2d3c",
    "from": "person:bob",
    "into": "person:robert",
    "evidence": "Bob is short for Robert",
    "score": 0.8,
}
_GRAPH = {
    "nodes": [{"key": "person:jane", "label": "Jane", "type": "person", "count": 3}],
    "edges": [{"a": "person:jane", "b": "place:london", "count": 1}],
}


@router.get(
    "/v1/entities",
    response_model=EntitiesShape,
    responses=problems() | example({"entities": [_ENTITY], "next_cursor": None}),
)
async def list_entities(asked: Annotated[EntitiesAsked, Query()], caller: Reader, memory: TheMemory) -> Json:
    """List the people, organisations, places and projects that memories mention, most recently mentioned first."""
    rows = await memory.entities(user=caller.user, type=asked.type, limit=asked.limit, cursor=asked.cursor)
    return page("entities", rows)


@router.get("/v1/entities/graph", response_model=GraphShape, responses=problems() | example(_GRAPH))
async def graph(
    caller: Reader,
    service: TheService,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE, description="Maximum number of entities.")] = 300,
) -> Json:
    """Show which entities are mentioned together, and in how many memories."""
    return Json((await service.entity_graph(caller.user, limit)).to_dict())


@router.get(
    "/v1/entities/proposals",
    response_model=ProposedMergesShape,
    responses=problems() | example({"proposals": [_PROPOSAL], "next_cursor": None}),
)
async def proposed_merges(
    caller: Reader, memory: TheMemory, limit: Limit = 50, cursor: Cursor = None
) -> Json:
    """List proposed merges that await a decision, newest first."""
    rows = await memory.proposals(user=caller.user, kind="merge", limit=limit, cursor=cursor)
    return Json({"proposals": [row.to_merge_dict() for row in rows], "next_cursor": rows.next_cursor})


@router.post(
    "/v1/entities/merge", response_model=EntityShape, responses=problems(404, 409) | example(_ENTITY)
)
async def merge(body: Merge, caller: Writer, memory: TheMemory) -> Json:
    """Merge two names of one entity; returns that entity."""
    await memory.merge(body.from_, body.into, user=caller.user, reason=body.reason)
    return Json((await memory.entity(body.into, user=caller.user)).entity.to_dict())


@router.get("/v1/entities/{key}", response_model=DetailsShape, responses=problems(404) | example(_DETAILS))
async def get_entity(key: EntityKey, caller: Reader, memory: TheMemory) -> Json:
    """Show one entity: its card, its memories, and the entities mentioned with it."""
    return Json((await memory.entity(key, user=caller.user)).to_dict())


@router.delete(
    "/v1/entities/{key}/aliases/{alias}",
    response_model=DoneShape,
    responses=problems(404) | example({"success": True}),
)
async def unmerge(
    key: EntityKey,
    alias: Annotated[str, Path(description="The alias that becomes a separate entity again.")],
    caller: Writer,
    memory: TheMemory,
) -> Json:
    """Undo a merge: the alias becomes a separate entity again."""
    await memory.unmerge(alias, user=caller.user, of=key)
    return Json({"success": True})
