"""The report of a run of the curator."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recollect.records.memory import MemoryRecord
from recollect.records.moment import iso
from recollect.records.proposal import Proposal


@dataclass(frozen=True, slots=True, kw_only=True)
class Folded:
    """Several memories that were, or would be, folded."""

    #: Without an id in a dry run.
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
    """The report of a run, done or dry."""

    dry_run: bool = False
    folds: tuple[Folded, ...] = ()
    archived: tuple[Noted, ...] = ()
    #: Memories whose importance rose with use; nothing was written.
    raised: tuple[Noted, ...] = ()
    proposals: tuple[Proposal, ...] = ()
    #: Merged names: alias and entity.
    merged: tuple[tuple[str, str], ...] = ()
    #: Memories that were compared or weighed.
    looked_at: int = 0
    #: Memories that wait for the next run.
    left_for_next: int = 0
    started_at: datetime

    @property
    def changed(self) -> bool:
        """Whether anything was, or would be, done."""
        return bool(self.folds or self.archived or self.proposals or self.merged)

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "dry_run": self.dry_run,
            "folds": [fold.to_dict() for fold in self.folds],
            "archived": [noted.to_dict() for noted in self.archived],
            "raised": [noted.to_dict() for noted in self.raised],
            "proposals": [proposal.to_dict() for proposal in self.proposals],
            "merged": [{"from": alias, "into": into} for alias, into in self.merged],
            "looked_at": self.looked_at,
            "left_for_next": self.left_for_next,
            "started_at": iso(self.started_at),
        }
