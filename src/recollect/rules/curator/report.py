"""What a run of the curator did or would do, for people: the memories themselves, each with why."""

from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from recollect.records.memory import MemoryRecord
from recollect.records.moment import iso
from recollect.records.proposal import Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """Several memories that became, or would become, one."""

    #: In a dry run it has no id yet.
    into: MemoryRecord
    originals: tuple[MemoryRecord, ...]
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        into = self.into.to_dict()
        return {
            "into": {**into, "memory_id": self.into.memory_id or None},
            "from": [memory.to_dict() for memory in self.originals],
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Noted:
    """A memory that was archived, or has risen."""

    memory: MemoryRecord
    reason: str

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {**self.memory.to_dict(), "reason": self.reason}


@dataclass(frozen=True, slots=True, kw_only=True)
class CuratorReport:
    """One run, done or only tried."""

    #: None: nothing was done, so there is nothing to take back.
    run_id: str | None
    dry_run: bool = False
    folds: tuple[Folded, ...] = ()
    archived: tuple[Noted, ...] = ()
    #: Their effective importance rose with use; nothing was written.
    raised: tuple[Noted, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    #: Names that were certainly the same and were merged: alias and entity.
    merged: tuple[tuple[str, str], ...] = ()
    #: Memories that were compared or weighed.
    looked_at: int = 0
    #: Memories that wait for the next run.
    left_for_next: int = 0
    started_at: datetime
    undone_at: datetime | None = field(default=None)

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "run_id": self.run_id,
            "dry_run": self.dry_run,
            "folds": [fold.to_dict() for fold in self.folds],
            "archived": [noted.to_dict() for noted in self.archived],
            "raised": [noted.to_dict() for noted in self.raised],
            "proposals": [proposal.to_dict() for proposal in self.proposals],
            "merged": [{"from": alias, "into": into} for alias, into in self.merged],
            "looked_at": self.looked_at,
            "left_for_next": self.left_for_next,
            "started_at": iso(self.started_at),
            "undone_at": iso(self.undone_at) if self.undone_at else None,
        }
