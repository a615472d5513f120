"""A proposal: a change that a person should decide, because making it automatically could destroy or falsify a memory.

It names its memories or entities and a reason. Accepting it makes the change of its kind; rejections are remembered, so that
nobody is asked twice.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.records.memory import one_of
from recollect.records.moment import iso


class ProposalKind(StrEnum):
    """The effect of accepting it."""

    #: Two memories cannot both be true: accepting archives the older one.
    CONTRADICTION = "contradiction"
    #: The user asked to forget something: accepting erases the memories named.
    FORGETTING = "forgetting"
    #: Two names may mean one entity: accepting makes the first an alias of the second.
    MERGE = "merge"


class ProposalStatus(StrEnum):
    """The state of a proposal."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


def parse_proposal_kind(value: object) -> ProposalKind:
    """Read a kind from a caller."""
    return one_of(ProposalKind, value, field="kind")


def parse_proposal_status(value: object) -> ProposalStatus:
    """Open, accepted or rejected."""
    return one_of(ProposalStatus, value, field="status")


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One proposal."""

    user_id: str
    proposal_id: str
    kind: ProposalKind
    #: Identifies it within its kind.
    subject: str
    memory_ids: tuple[str, ...] = ()
    entity_keys: tuple[str, ...] = ()
    reason: str
    #: 0-1.
    confidence: float
    source_message_ids: tuple[str, ...] = ()
    status: ProposalStatus = ProposalStatus.OPEN
    decided_by: str | None = None
    created_at: datetime
    updated_at: datetime

    def __str__(self) -> str:
        return f"{self.kind.value}: {self.reason} ({self.proposal_id})"

    def to_merge_dict(self) -> dict[str, Any]:
        """The wire format of a proposed merge: the alias, the entity to keep, and the evidence."""
        alias, into = self.entity_keys
        return {
            "id": self.proposal_id,
            "from": alias,
            "into": into,
            "evidence": self.reason,
            "score": self.confidence,
        }

    def to_dict(self) -> dict[str, Any]:
        """The wire format."""
        return {
            "id": self.proposal_id,
            "kind": self.kind.value,
            "memory_ids": list(self.memory_ids),
            "entity_keys": list(self.entity_keys),
            "reason": self.reason,
            "confidence": self.confidence,
            "source_message_ids": list(self.source_message_ids),
            "status": self.status.value,
            "decided_by": self.decided_by,
            "created_at": iso(self.created_at),
            "updated_at": iso(self.updated_at),
            "subject": self.subject,
        }
