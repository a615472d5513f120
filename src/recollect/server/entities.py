"""Entities: the people, organisations, places and projects that memories mention, and which names are one.

Keys are `type:slug`; a slug has letters, digits and underscores only, so a key is one segment of a path.
"""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from recollect.api.upkeep import MAX_PAGE
from recollect.records.cursor import place
from recollect.server.answer import DoneShape, Json, example, problems
from recollect.server.body import Body
from recollect.server.caller import Reader, Writer
from recollect.server.paging import Cursor, Limit, page, wanted
from recollect.server.served import TheMemory
from recollect.server.shapes.card import CARD, CardShape
from recollect.server.shapes.memory import MEMORY, MemoryShape

router = APIRouter(tags=["entities"])

EntityKey = Annotated[str, Path(description="The entity: `person:john_doe`.")]


class EntitiesAsked(BaseModel):
    """Which entities are listed."""

    type: str | None = Field(default=None, description="person, org, place or project.")
    limit: Limit = 50
    cursor: Cursor = None


class ProposalsAsked(BaseModel):
    """Which proposed merges are listed."""

    limit: Limit = 50
    cursor: Cursor = None


class Merge(Body):
    """Two names for one entity."""

    from_: str = Field(alias="from", description="The name that goes: `person:bob`.")
    into: str = Field(description="The name that stays: `person:robert`.")
    reason: str = Field(default="merged by hand", description="Why.")


class EntityShape(BaseModel):
    """An entity under its present name."""

    key: str
    label: str
    type: str
    aliases: list[str]
    fact_count: int
    last_mentioned: str


class EntitiesShape(BaseModel):
    """A page of entities, last mentioned first."""

    entities: list[EntityShape]
    next_cursor: str | None


class NeighbourShape(BaseModel):
    """Who is mentioned with an entity, and in how many memories."""

    key: str
    count: int


class DetailsShape(EntityShape):
    """Everything known about one entity."""

    card: CardShape | None
    memories: list[MemoryShape]
    neighbours: list[NeighbourShape]


class VariantShape(BaseModel):
    """A name that may mean the same as another, and why."""

    from_: str = Field(alias="from")
    into: str
    evidence: str
    score: float


class ProposedMergeShape(VariantShape):
    """A variant that waits for a decision; by its id it is accepted or rejected."""

    id: str


class ProposedMergesShape(BaseModel):
    """A page of proposed merges, newest first."""

    proposals: list[ProposedMergeShape]
    next_cursor: str | None


class FoundVariantShape(VariantShape):
    """A variant that was found just now; a sure one is merged by tidying."""

    sure: bool


class VariantsShape(BaseModel):
    """Pairs of names about which nobody has decided."""

    variants: list[FoundVariantShape]


class GraphShape(BaseModel):
    """Who is mentioned with whom."""

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
_VARIANT = {
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
    """List the people, organisations, places and projects that memories mention, last mentioned first."""
    rows = await memory.entities(
        user=caller.user,
        type=asked.type,
        limit=wanted(asked.limit),
        before=place(asked.cursor, (str, str)),
    )
    return Json(page("entities", rows, asked.limit, lambda entity: entity.cursor))


@router.get("/v1/entities/graph", response_model=GraphShape, responses=problems() | example(_GRAPH))
async def graph(
    caller: Reader,
    memory: TheMemory,
    limit: Annotated[int, Query(ge=1, le=MAX_PAGE, description="The most entities.")] = 300,
) -> Json:
    """Say who is mentioned with whom, and in how many memories."""
    return Json((await memory.entity_graph(user=caller.user, limit=limit)).to_dict())


@router.get(
    "/v1/entities/variants",
    response_model=VariantsShape,
    responses=problems() | example({"variants": [{**_VARIANT, "sure": False}]}),
)
async def variants(caller: Reader, memory: TheMemory) -> Json:
    """Find pairs of names that may mean one entity; nothing changes."""
    found = await memory.entity_variants(user=caller.user)
    return Json({"variants": [variant.to_dict() for variant in found]})


@router.get(
    "/v1/entities/proposals",
    response_model=ProposedMergesShape,
    responses=problems()
    | example({"proposals": [{"id": "2026-01-28T10:30:45.123Z#0f1e2d3c", **_VARIANT}], "next_cursor": None}),
)
async def proposed_merges(
    asked: Annotated[ProposalsAsked, Query()], caller: Reader, memory: TheMemory
) -> Json:
    """List the merges that wait for a decision, newest first."""
    ended = place(asked.cursor, (str,))
    rows = await memory.proposals(
        user=caller.user, kind="merge", limit=wanted(asked.limit), after=ended[0] if ended else None
    )
    answer = page("proposals", rows, asked.limit, lambda proposal: (proposal.proposal_id,))
    shown = rows[: len(answer["proposals"])]
    return Json({**answer, "proposals": [proposal.to_merge_dict() for proposal in shown]})


@router.post(
    "/v1/entities/merge", response_model=EntityShape, responses=problems(404, 409) | example(_ENTITY)
)
async def merge(body: Merge, caller: Writer, memory: TheMemory) -> Json:
    """Say that two names mean the same entity; answers with that entity."""
    await memory.merge(body.from_, body.into, user=caller.user, reason=body.reason)
    return Json((await memory.entity(body.into, user=caller.user)).entity.to_dict())


@router.get("/v1/entities/{key}", response_model=DetailsShape, responses=problems(404) | example(_DETAILS))
async def get_entity(key: EntityKey, caller: Reader, memory: TheMemory) -> Json:
    """Give one entity: its card, its memories, and who is mentioned with it."""
    return Json((await memory.entity(key, user=caller.user)).to_dict())


@router.delete(
    "/v1/entities/{key}/aliases/{alias}",
    response_model=DoneShape,
    responses=problems(404) | example({"success": True}),
)
async def unmerge(
    key: EntityKey,
    alias: Annotated[str, Path(description="The name that is to mean somebody else again.")],
    caller: Writer,
    memory: TheMemory,
) -> Json:
    """Take a merge back: the alias is an entity of its own again."""
    await memory.unmerge(alias, user=caller.user, of=key)
    return Json({"success": True})
