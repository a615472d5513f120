"""The entity_aliases table: other names of entities. Merging adds a row, undoing removes it."""

from collections.abc import Mapping
from datetime import datetime

from recollect.records.moment import iso
from recollect.store.database import Connection


def of_user(tx: Connection, user_id: str) -> Mapping[str, str]:
    """A user's aliases, each with its entity."""
    return dict(
        tx.all("SELECT alias, entity_key FROM entity_aliases WHERE user_id = :user_id", {"user_id": user_id})
    )  # type: ignore[arg-type]


def add(tx: Connection, user_id: str, alias: str, entity_key: str, *, reason: str, now: datetime) -> None:
    """Make one entity an alias of another."""
    tx.run(
        """
        INSERT INTO entity_aliases (user_id, alias, entity_key, reason, created_at)
        VALUES (:user_id, :alias, :entity_key, :reason, :now)
        ON CONFLICT (user_id, alias) DO UPDATE
            SET entity_key = excluded.entity_key, reason = excluded.reason, created_at = excluded.created_at
        """,
        {"user_id": user_id, "alias": alias, "entity_key": entity_key, "reason": reason, "now": iso(now)},
    )


def remove(tx: Connection, user_id: str, alias: str) -> bool:
    """Undo a merge; return whether there was one."""
    return (
        tx.run(
            "DELETE FROM entity_aliases WHERE user_id = :user_id AND alias = :alias",
            {"user_id": user_id, "alias": alias},
        )
        > 0
    )
