"""How a run of the curator looks on the wire: the memories themselves, each with why."""

from typing import Any

from pydantic import BaseModel, Field

from recollect.server.shapes.memory import MEMORY, FactShape, MemoryShape
from recollect.server.shapes.proposal import ProposalShape


class FoldedIntoShape(FactShape):
    """The memory that several became; in a dry run it has no id yet."""

    memory_id: str | None


class FoldShape(BaseModel):
    """Several memories that became, or would become, one."""

    into: FoldedIntoShape
    from_: list[MemoryShape] = Field(alias="from")
    reason: str


class NotedShape(MemoryShape):
    """A memory that was archived, or has risen."""

    reason: str


class MergedShape(BaseModel):
    """Two names that were certainly the same."""

    from_: str = Field(alias="from")
    into: str


class CurationShape(BaseModel):
    """One run, done or only tried."""

    run_id: str | None
    dry_run: bool
    folds: list[FoldShape]
    archived: list[NotedShape]
    raised: list[NotedShape]
    proposals: list[ProposalShape]
    merged: list[MergedShape]
    looked_at: int
    left_for_next: int
    started_at: str
    undone_at: str | None


#: The dry run that the examples show.
CURATION: dict[str, Any] = {
    "run_id": None,
    "dry_run": True,
    "folds": [{"into": {**MEMORY, "memory_id": None}, "from": [MEMORY, MEMORY], "reason": "the same fact"}],
    "archived": [],
    "raised": [],
    "proposals": [],
    "merged": [],
    "looked_at": 42,
    "left_for_next": 0,
    "started_at": "2026-01-28T10:30:45.123Z",
    "undone_at": None,
}
