"""Upkeep: tidying memories and taking that back, what waits for a decision, and judging what was said."""

from typing import Annotated, Any

from fastapi import APIRouter, Path, Query
from pydantic import BaseModel, Field

from recollect.records.cursor import place
from recollect.server.answer import Json, example, problems
from recollect.server.body import Body
from recollect.server.caller import Reader, Writer
from recollect.server.paging import Cursor, Limit, page, wanted
from recollect.server.served import TheMemory
from recollect.server.shapes.curation import CURATION, CurationShape
from recollect.server.shapes.proposal import PROPOSAL, ProposalShape

router = APIRouter(tags=["upkeep"])

ProposalId = Annotated[str, Path(description="The proposal.")]

#: What stands for every status.
_ANY = "any"


class Consolidation(Body):
    """Whether anything is done."""

    dry_run: bool = Field(
        default=True, description="Only say what would be done. Nothing is changed unless this is false."
    )


class CurationsAsked(BaseModel):
    """Which runs are listed."""

    limit: Limit = 50
    cursor: Cursor = None


class ProposalsAsked(BaseModel):
    """Which proposals are listed."""

    kind: str | None = Field(default=None, description="contradiction, forgetting or merge.")
    status: str = Field(default="open", description="open, accepted, rejected or any.")
    limit: Limit = 50
    cursor: Cursor = None


class Acceptance(Body):
    """How a proposal is accepted."""

    keep: str | None = Field(default=None, description="Which of two memories stays; otherwise the newer.")
    by: str = Field(default="user", description="Who decides.")


class Rejection(Body):
    """Who rejects a proposal."""

    by: str = Field(default="user", description="Who decides.")


class Judging(Body):
    """What is judged."""

    chat_id: str | None = Field(default=None, description="One chat; otherwise all.")
    again: bool = Field(default=False, description="From the beginning, also what was judged before.")


class CurationsShape(BaseModel):
    """A page of runs, newest first."""

    curations: list[CurationShape]
    next_cursor: str | None


class ProposalsShape(BaseModel):
    """A page of proposals, newest first."""

    proposals: list[ProposalShape]
    next_cursor: str | None


class JudgedShape(BaseModel):
    """What judging brought, counted."""

    messages: int
    proposed: int
    added: int
    updated: int
    duplicates: int
    refused: int
    todos: int
    pins: int
    contradictions: int
    forgotten: int
    forgettings_asked: int
    forgettings_unfound: int
    judged_by: list[str]


_DONE: dict[str, Any] = {
    **CURATION,
    "run_id": "2026-01-28T10:30:45.123Z#5e6f7a8b",
    "dry_run": False,
    "folds": [],
}
_JUDGED = {
    **dict.fromkeys(JudgedShape.model_fields, 0),
    "messages": 12,
    "proposed": 2,
    "added": 2,
    "judged_by": ["rules"],
}


@router.post("/memories/consolidate", response_model=CurationShape, responses=problems() | example(CURATION))
async def consolidate(caller: Writer, memory: TheMemory, body: Consolidation | None = None) -> Json:
    """Fold near-duplicates, archive what has faded, propose what contradicts; without `dry_run: false` only say so."""
    wanted = body or Consolidation()
    return Json((await memory.curate(user=caller.user, dry_run=wanted.dry_run)).to_dict())


@router.get(
    "/v1/curations",
    response_model=CurationsShape,
    responses=problems() | example({"curations": [_DONE], "next_cursor": None}),
)
async def list_curations(
    asked: Annotated[CurationsAsked, Query()], caller: Reader, memory: TheMemory
) -> Json:
    """List what tidying has done, newest first; runs that did nothing are not kept."""
    ended = place(asked.cursor, (str,))
    rows = await memory.curations(
        user=caller.user, limit=wanted(asked.limit), after=ended[0] if ended else None
    )
    return Json(page("curations", rows, asked.limit, lambda report: (report.run_id or "",)))


@router.delete(
    "/v1/curations/{run_id}",
    response_model=CurationShape,
    responses=problems(404, 409) | example({**_DONE, "undone_at": "2026-01-28T11:00:00.000Z"}),
)
async def undo_curation(
    run_id: Annotated[str, Path(description="The run.")], caller: Writer, memory: TheMemory
) -> Json:
    """Take a run back: its originals are as they were, and it is not done again."""
    return Json((await memory.undo_curation(run_id, user=caller.user)).to_dict())


@router.get(
    "/v1/proposals",
    response_model=ProposalsShape,
    responses=problems() | example({"proposals": [PROPOSAL], "next_cursor": None}),
)
async def list_proposals(
    asked: Annotated[ProposalsAsked, Query()], caller: Reader, memory: TheMemory
) -> Json:
    """List what somebody should decide because doing it by itself could destroy a memory; newest first."""
    ended = place(asked.cursor, (str,))
    rows = await memory.proposals(
        user=caller.user,
        status=None if asked.status == _ANY else asked.status,
        kind=asked.kind,
        limit=wanted(asked.limit),
        after=ended[0] if ended else None,
    )
    return Json(page("proposals", rows, asked.limit, lambda proposal: (proposal.proposal_id,)))


@router.post(
    "/v1/proposals/{proposal_id}/accept",
    response_model=ProposalShape,
    responses=problems(404, 409) | example({**PROPOSAL, "status": "accepted", "decided_by": "user"}),
)
async def accept(
    proposal_id: ProposalId, caller: Writer, memory: TheMemory, body: Acceptance | None = None
) -> Json:
    """Do what is proposed: archive the older of two memories, erase what should be forgotten, or merge two names."""
    how = body or Acceptance()
    decided = await memory.accept(proposal_id, user=caller.user, keep=how.keep, by=how.by)
    return Json(decided.to_dict())


@router.post(
    "/v1/proposals/{proposal_id}/reject",
    response_model=ProposalShape,
    responses=problems(404, 409) | example({**PROPOSAL, "status": "rejected", "decided_by": "user"}),
)
async def reject(
    proposal_id: ProposalId, caller: Writer, memory: TheMemory, body: Rejection | None = None
) -> Json:
    """Leave everything as it is; the same is not proposed again."""
    who = body or Rejection()
    return Json((await memory.reject(proposal_id, user=caller.user, by=who.by)).to_dict())


@router.post("/v1/judge", response_model=JudgedShape, responses=problems(404, 502, 504) | example(_JUDGED))
async def judge(caller: Writer, memory: TheMemory, body: Judging | None = None) -> Json:
    """Find memories in what was said, now instead of behind; in one chat or in all."""
    what = body or Judging()
    done = await memory.judge(user=caller.user, chat=what.chat_id, again=what.again)
    return Json(done.to_dict())
