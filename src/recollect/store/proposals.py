"""The proposals table: open proposals and past decisions.

Rows in, records out. This module does not know what accepting does. There is one permanent row per kind and subject, so
that nothing is asked again once decided; `add` never overwrites.
"""

import json
from datetime import datetime

from recollect.records.moment import iso, stored
from recollect.records.proposal import Proposal, ProposalKind, ProposalStatus
from recollect.store.database import Connection, Row

_COLUMNS = (
    "user_id", "proposal_id", "kind", "subject", "memory_ids", "entity_keys", "reason", "confidence",
    "source_message_ids", "status", "decided_by", "created_at", "updated_at",
)  # fmt: skip
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM proposals WHERE user_id = :user_id"
_INSERT = (
    f"INSERT INTO proposals ({', '.join(_COLUMNS)}) VALUES ({', '.join(':' + name for name in _COLUMNS)})"
)


def add(tx: Connection, proposal: Proposal) -> bool:
    """A new proposal; False when one of its kind and subject exists, open or decided: nobody is asked twice."""
    return tx.run(f"{_INSERT} ON CONFLICT (user_id, kind, subject) DO NOTHING", _to_row(proposal)) > 0


def get(tx: Connection, user_id: str, proposal_id: str) -> Proposal | None:
    """One proposal of this user."""
    row = tx.one(
        f"{_SELECT} AND proposal_id = :proposal_id", {"user_id": user_id, "proposal_id": proposal_id}
    )
    return _from_row(row) if row else None


def about(tx: Connection, user_id: str, kind: ProposalKind, subject: str) -> Proposal | None:
    """The proposal of a kind and subject, open or decided."""
    row = tx.one(
        f"{_SELECT} AND kind = :kind AND subject = :subject",
        {"user_id": user_id, "kind": kind.value, "subject": subject},
    )
    return _from_row(row) if row else None


def page(
    tx: Connection,
    user_id: str,
    *,
    status: ProposalStatus | None,
    kind: ProposalKind | None,
    limit: int,
    after: str | None,
) -> list[Proposal]:
    """Newest first, starting after the proposal named by `after`; ids sort by creation. None means any."""
    query, params = _SELECT, dict[str, object](user_id=user_id, limit=limit)
    if status is not None:
        query, params["status"] = f"{query} AND status = :status", status.value
    if kind is not None:
        query, params["kind"] = f"{query} AND kind = :kind", kind.value
    if after is not None:
        query, params["after"] = f"{query} AND proposal_id < :after", after
    rows = tx.all(f"{query} ORDER BY proposal_id DESC LIMIT :limit", params)
    return [_from_row(row) for row in rows]


def decide(
    tx: Connection, user_id: str, proposal_id: str, status: ProposalStatus, by: str, now: datetime
) -> bool:
    """Write a decision down; False when it is not open any more, or gone."""
    return (
        tx.run(
            "UPDATE proposals SET status = :status, decided_by = :by, updated_at = :now"
            " WHERE user_id = :user_id AND proposal_id = :proposal_id AND status = 'open'",
            {
                "user_id": user_id,
                "proposal_id": proposal_id,
                "status": status.value,
                "by": by,
                "now": iso(now),
            },
        )
        > 0
    )


def delete(tx: Connection, user_id: str, proposal_id: str) -> bool:
    """One proposal; says whether there was one."""
    return (
        tx.run(
            "DELETE FROM proposals WHERE user_id = :user_id AND proposal_id = :proposal_id",
            {"user_id": user_id, "proposal_id": proposal_id},
        )
        > 0
    )


def _to_row(proposal: Proposal) -> dict[str, object]:
    return {
        "user_id": proposal.user_id,
        "proposal_id": proposal.proposal_id,
        "kind": proposal.kind.value,
        "subject": proposal.subject,
        "memory_ids": json.dumps(list(proposal.memory_ids), ensure_ascii=False),
        "entity_keys": json.dumps(list(proposal.entity_keys), ensure_ascii=False),
        "reason": proposal.reason,
        "confidence": proposal.confidence,
        "source_message_ids": json.dumps(list(proposal.source_message_ids), ensure_ascii=False),
        "status": proposal.status.value,
        "decided_by": proposal.decided_by,
        "created_at": iso(proposal.created_at),
        "updated_at": iso(proposal.updated_at),
    }


def _from_row(row: Row) -> Proposal:
    return Proposal(
        user_id=row[0],
        proposal_id=row[1],
        kind=ProposalKind(row[2]),
        subject=row[3],
        memory_ids=tuple(json.loads(row[4])),
        entity_keys=tuple(json.loads(row[5])),
        reason=row[6],
        confidence=row[7],
        source_message_ids=tuple(json.loads(row[8])),
        status=ProposalStatus(row[9]),
        decided_by=row[10],
        created_at=stored(row[11]),
        updated_at=stored(row[12]),
    )
