"""The seeds table: a product's prior knowledge of each user, one row per user.

Rows in, records out. It does not know the memories made from the facts.
"""

import json
from typing import Any

from recollect.records.moment import iso, stored
from recollect.records.seed import Seed
from recollect.store.database import Connection

#: How a forgotten fact is listed among the others: by its fingerprint alone.
_FORGOTTEN = "forgotten"


def get(tx: Connection, user_id: str) -> Seed | None:
    """The user's seed."""
    row = tx.one("SELECT facts, notes, updated_at FROM seeds WHERE user_id = :user_id", {"user_id": user_id})
    if row is None:
        return None
    listed: list[dict[str, Any]] = json.loads(row[0])
    return Seed(
        user_id=user_id,
        facts=tuple(fact for fact in listed if _FORGOTTEN not in fact),
        forgotten=tuple(fact[_FORGOTTEN] for fact in listed if _FORGOTTEN in fact),
        notes=row[1],
        updated_at=stored(row[2]),
    )


def save(tx: Connection, seed: Seed) -> None:
    """A seed as it is now; the one before is replaced."""
    assert seed.updated_at is not None
    tx.run(
        """
        INSERT INTO seeds (user_id, facts, notes, updated_at) VALUES (:user_id, :facts, :notes, :updated_at)
        ON CONFLICT (user_id) DO UPDATE SET facts = excluded.facts, notes = excluded.notes,
            updated_at = excluded.updated_at
        """,
        {
            "user_id": seed.user_id,
            "facts": json.dumps(
                [dict(fact) for fact in seed.facts] + [{_FORGOTTEN: mark} for mark in seed.forgotten],
                ensure_ascii=False,
            ),
            "notes": seed.notes,
            "updated_at": iso(seed.updated_at),
        },
    )
