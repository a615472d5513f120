"""A proposal: something that a person should decide, because doing it by itself could destroy or falsify a memory.

It names the memories or entities that it is about and why; accepting it does what its kind says, rejecting it is
remembered, so that nobody is asked the same twice.
"""

from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import Any

from recollect.errors import InvalidInput
from recollect.records.moment import iso


class ProposalKind(StrEnum):
    """What accepting it does."""

    #: Two memories cannot both be true: accepting archives the older one.
    CONTRADICTION = "contradiction"
    #: The user asked to forget something: accepting erases the memories named.
    FORGETTING = "forgetting"
    #: Two names may mean one entity: accepting makes the first an alias of the second.
    MERGE = "merge"


class ProposalStatus(StrEnum):
    """Where it stands."""

    OPEN = "open"
    ACCEPTED = "accepted"
    REJECTED = "rejected"


def parse_proposal_kind(value: object) -> ProposalKind:
    """Read a kind as a caller spells it."""
    try:
        return ProposalKind(value)  # type: ignore[arg-type]
    except ValueError:
        raise InvalidInput(
            f"kind must be one of {', '.join(ProposalKind)}, not {str(value)[:40]!r}.", field="kind"
        ) from None


def parse_proposal_status(value: object) -> ProposalStatus:
    """Open, accepted or rejected."""
    try:
        return ProposalStatus(value)  # type: ignore[arg-type]
    except ValueError:
        raise InvalidInput(
            f"status must be one of {', '.join(ProposalStatus)}, not {str(value)[:40]!r}.", field="status"
        ) from None


@dataclass(frozen=True, slots=True, kw_only=True)
class Proposal:
    """One thing to decide."""

    user_id: str
    proposal_id: str
    kind: ProposalKind
    #: What makes it unique within its kind.
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

    def to_merge_dict(self) -> dict[str, Any]:
        """The shape of a proposed merge on the wire: the name that would go, the one that stays, and why."""
        alias, into = self.entity_keys
        return {
            "id": self.proposal_id,
            "from": alias,
            "into": into,
            "evidence": self.reason,
            "score": self.confidence,
        }

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
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
