"""How a proposal looks on the wire."""

from typing import Any

from pydantic import BaseModel


class ProposalShape(BaseModel):
    """One thing to decide."""

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


#: The proposal that the examples show.
PROPOSAL: dict[str, Any] = {
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
