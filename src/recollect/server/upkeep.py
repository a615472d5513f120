"""Upkeep: consolidating memories, deciding on proposals, and the seed."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, ConfigDict, Field

from recollect.server.caller import Reader, TheMemory, Writer
from recollect.server.shapes import MEMORY, FactShape, MemoryShape
from recollect.server.wire import Body, Cursor, Json, Limit, example, page, problems

router = APIRouter(tags=["upkeep"])
seeds = APIRouter(tags=["seed"])

#: Matches every status.
_ANY = "any"


class Consolidation(Body):
    """Options for consolidation."""

    dry_run: bool = Field(default=True, description="Only show the changes; `false` makes them.")


class ProposalsAsked(BaseModel):
    """Filters for the list of proposals."""

    kind: str | None = Field(default=None, description="contradiction, forgetting or merge.")
    status: str = Field(default="open", description="open, accepted, rejected or any.")
    limit: Limit = 50
    cursor: Cursor = None


class Decision(Body):
    """A decision."""

    accept: bool = Field(description="`true` makes the proposed change; `false` rejects it permanently.")
    keep: str | None = Field(
        default=None, description="The memory to keep, if there are two; default: the newer."
    )


class ProposalShape(BaseModel):
    """A change that awaits a decision."""

    id: str
    kind: str
    memory_ids: list[str]
    entity_keys: list[str]
    reason: str
    confidence: float
    source_message_ids: list[str]
    status: str
    decided_by: str | None
    created_at: str
    updated_at: str


class FoldedIntoShape(FactShape):
    """The memory that replaces several; it has no ID in a dry run."""

    memory_id: str | None


class FoldShape(BaseModel):
    """Several memories merged into one, or to be merged."""

    into: FoldedIntoShape
    from_: list[MemoryShape] = Field(alias="from")
    reason: str


class NotedShape(MemoryShape):
    """A memory that was archived or gained importance."""

    reason: str


class MergedShape(BaseModel):
    """Two names that certainly meant the same entity."""

    from_: str = Field(alias="from")
    into: str


class CurationShape(BaseModel):
    """The result of a run or a dry run."""

    dry_run: bool
    folds: list[FoldShape]
    archived: list[NotedShape]
    raised: list[NotedShape]
    proposals: list[ProposalShape]
    merged: list[MergedShape]
    looked_at: int
    left_for_next: int
    started_at: str


class ProposalsShape(BaseModel):
    """A page of proposals, newest first."""

    proposals: list[ProposalShape]
    next_cursor: str | None


class SeedShape(BaseModel):
    """What a product knows about a user before the first message (S4)."""

    facts: list[dict[str, Any]]
    notes: str


_PROPOSAL: dict[str, Any] = {
    "id": "2026-01-28T10:30:45.123Z#0f1e2d3c",
    "kind": "contradiction",
    "memory_ids": ["2026-01-20T08:00:00.000Z#11112222", "2026-01-28T10:30:45.123Z#a1b2c3d4"],
    "entity_keys": [],
    "reason": "both cannot be true",
    "confidence": 0.9,
    "source_message_ids": [],
    "status": "open",
    "decided_by": None,
    "created_at": "2026-01-28T10:30:45.123Z",
    "updated_at": "2026-01-28T10:30:45.123Z",
}
_CURATION: dict[str, Any] = {
    "dry_run": True,
    "folds": [{"into": {**MEMORY, "memory_id": None}, "from": [MEMORY, MEMORY], "reason": "the same fact"}],
    "archived": [],
    "raised": [],
    "proposals": [],
    "merged": [],
    "looked_at": 42,
    "left_for_next": 0,
    "started_at": "2026-01-28T10:30:45.123Z",
}
_SEED: dict[str, Any] = {
    "facts": [{"content": "User lives in Austin, Texas", "category": "identity"}],
    "notes": "Prefers short answers in the morning.",
}


class NewSeed(Body):
    """A complete seed; facts missing from it are archived."""

    model_config = ConfigDict(json_schema_extra={"examples": [_SEED]})

    #: Each has `content` and optionally other fields of `POST /memories`.
    facts: list[dict[str, Any]] = Field(default_factory=list[dict[str, Any]])
    notes: str = ""


@router.post("/memories/consolidate", response_model=CurationShape, responses=problems() | example(_CURATION))
async def consolidate(caller: Writer, memory: TheMemory, body: Consolidation | None = None) -> Json:
    """Merge near-duplicates, archive faded memories and propose contradictions; a dry run unless `dry_run` is `false`."""
    wanted = body or Consolidation()
    return Json((await memory.consolidate(user=caller.user, dry_run=wanted.dry_run)).to_dict())


@router.get(
    "/v1/proposals",
    response_model=ProposalsShape,
    responses=problems() | example({"proposals": [_PROPOSAL], "next_cursor": None}),
)
async def list_proposals(
    asked: Annotated[ProposalsAsked, Query()], caller: Reader, memory: TheMemory
) -> Json:
    """List changes that a person should decide on, because making them automatically could destroy a memory; newest first."""
    rows = await memory.proposals(
        user=caller.user,
        status=None if asked.status == _ANY else asked.status,
        kind=asked.kind,
        limit=asked.limit,
        cursor=asked.cursor,
    )
    return page("proposals", rows)


@router.post(
    "/v1/proposals/{proposal_id}",
    response_model=ProposalShape,
    responses=problems(404, 409) | example({**_PROPOSAL, "status": "accepted", "decided_by": "user"}),
)
async def resolve(
    proposal_id: Annotated[str, Path(description="The proposal's ID.")],
    body: Decision,
    caller: Writer,
    memory: TheMemory,
) -> Json:
    """Accept or reject a proposal: archive the older of two memories, erase what should be forgotten, or merge two names."""
    decided = await memory.resolve(proposal_id, user=caller.user, accept=body.accept, keep=body.keep)
    return Json(decided.to_dict())


@seeds.get("/v1/seed", response_model=SeedShape, responses=problems() | example(_SEED))
async def get_seed(caller: Reader, memory: TheMemory) -> Json:
    """Show the user's seed; empty if there is none."""
    return Json((await memory.seed(user=caller.user)).to_dict())


@seeds.put("/v1/seed", response_model=SeedShape, responses=problems(409, 502, 504) | example(_SEED))
async def put_seed(body: NewSeed, caller: Writer, memory: TheMemory) -> Json:
    """Set what is already known about the user: facts become memories, and the notes are part of every context."""
    return Json((await memory.set_seed(body.facts, user=caller.user, notes=body.notes)).to_dict())
