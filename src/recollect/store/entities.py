"""The entities table, and memory_entities, which records the memories that mention them."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.records.moment import iso, parse
from recollect.store.database import Connection
from recollect.store.id_lists import id_lists


@dataclass(frozen=True, slots=True, kw_only=True)
class EntityRow:
    """An entity as it is stored, under its own key."""

    entity_key: str
    type: str
    label: str
    last_mentioned: datetime
    fact_count: int


def mention(
    tx: Connection, user_id: str, labels: Iterable[tuple[str, str]], memory_id: str, now: datetime
) -> None:
    """These entities (key and label) are mentioned by this memory."""
    for key, label in labels:
        tx.run(
            """
            INSERT INTO entities (user_id, entity_key, type, label, created_at, last_mentioned)
            VALUES (:user_id, :key, :type, :label, :now, :now)
            ON CONFLICT (user_id, entity_key) DO UPDATE SET last_mentioned = excluded.last_mentioned
            """,
            {"user_id": user_id, "key": key, "type": key.partition(":")[0], "label": label, "now": iso(now)},
        )
        tx.run(
            """
            INSERT INTO memory_entities (user_id, entity_key, memory_id) VALUES (:user_id, :key, :memory_id)
            ON CONFLICT (user_id, entity_key, memory_id) DO NOTHING
            """,
            {"user_id": user_id, "key": key, "memory_id": memory_id},
        )


def attach(tx: Connection, user_id: str, keys: Iterable[str], memory_id: str) -> None:
    """A memory that was made of others mentions what they mentioned; nobody has said it again."""
    tx.many(
        """
        INSERT INTO memory_entities (user_id, entity_key, memory_id) VALUES (:user_id, :key, :memory_id)
        ON CONFLICT (user_id, entity_key, memory_id) DO NOTHING
        """,
        [{"user_id": user_id, "key": key, "memory_id": memory_id} for key in keys],
    )


def describe(tx: Connection, user_id: str, key: str, label: str, mentioned: datetime | None) -> None:
    """Give a known entity its display name and the time of its last mention."""
    tx.run(
        "UPDATE entities SET label = :label, last_mentioned = COALESCE(:mentioned, last_mentioned)"
        " WHERE user_id = :user_id AND entity_key = :key",
        {
            "user_id": user_id,
            "key": key,
            "label": label,
            "mentioned": iso(mentioned) if mentioned else None,
        },
    )


def unmention(tx: Connection, user_id: str, memory_id: str) -> None:
    """Remove a memory's mentions, because its text changes or it is erased."""
    tx.run(
        "DELETE FROM memory_entities WHERE user_id = :user_id AND memory_id = :memory_id",
        {"user_id": user_id, "memory_id": memory_id},
    )


def drop_orphans(tx: Connection, user_id: str, keys: Iterable[str]) -> list[str]:
    """Delete entities that no memory mentions any more; return their keys."""
    orphans = [key for key in keys if not _mentioned(tx, user_id, key)]
    for key in orphans:
        tx.run(
            "DELETE FROM entities WHERE user_id = :user_id AND entity_key = :key",
            {"user_id": user_id, "key": key},
        )
    return orphans


def _mentioned(tx: Connection, user_id: str, key: str) -> bool:
    row = tx.one(
        "SELECT 1 FROM memory_entities WHERE user_id = :user_id AND entity_key = :key LIMIT 1",
        {"user_id": user_id, "key": key},
    )
    return row is not None


def of_user(tx: Connection, user_id: str) -> list[EntityRow]:
    """Every entity of a user with the number of current facts that mention it, last mentioned first."""
    rows = tx.all(
        """
        SELECT e.entity_key, e.type, e.label, e.last_mentioned,
               (SELECT count(*) FROM memory_entities r
                JOIN memories m ON m.user_id = r.user_id AND m.memory_id = r.memory_id
                WHERE r.user_id = e.user_id AND r.entity_key = e.entity_key
                  AND m.status = 'ACTIVE' AND m.valid_to IS NULL)
        FROM entities e WHERE e.user_id = :user_id ORDER BY e.last_mentioned DESC, e.entity_key
        """,
        {"user_id": user_id},
    )
    return [
        EntityRow(
            entity_key=row[0], type=row[1], label=row[2], last_mentioned=parse(row[3]), fact_count=row[4]
        )
        for row in rows
    ]


def names(tx: Connection, user_id: str, limit: int) -> dict[str, str]:
    """The display names of a user's entities by key, those of aliases among them; the last mentioned first."""
    rows = tx.all(
        "SELECT entity_key, label FROM entities WHERE user_id = :user_id ORDER BY last_mentioned DESC, entity_key LIMIT :limit",
        {"user_id": user_id, "limit": limit},
    )
    return dict(rows)  # type: ignore[arg-type]


def labels(tx: Connection, user_id: str, keys: Sequence[str]) -> dict[str, str]:
    """The display names of these entities."""
    found: dict[str, str] = {}
    for marks, named in id_lists(keys):
        rows = tx.all(
            f"SELECT entity_key, label FROM entities WHERE user_id = :user_id AND entity_key IN ({marks})",
            {"user_id": user_id, **named},
        )
        found.update(rows)  # type: ignore[arg-type]
    return found


def memories_of(tx: Connection, user_id: str, keys: Sequence[str]) -> list[str]:
    """Ids of all memories, past ones too, that mention any of these entities."""
    found: set[str] = set()
    for key in keys:
        rows = tx.all(
            "SELECT memory_id FROM memory_entities WHERE user_id = :user_id AND entity_key = :key",
            {"user_id": user_id, "key": key},
        )
        found.update(row[0] for row in rows)
    return sorted(found)


def mentions(tx: Connection, user_id: str) -> list[tuple[str, str]]:
    """Each current memory with each entity that it mentions, in the order of the memories."""
    rows = tx.all(
        """
        SELECT r.memory_id, r.entity_key FROM memory_entities r
        JOIN memories m ON m.user_id = r.user_id AND m.memory_id = r.memory_id
        WHERE r.user_id = :user_id AND m.status = 'ACTIVE' AND m.valid_to IS NULL
        ORDER BY r.memory_id
        """,
        {"user_id": user_id},
    )
    return [(row[0], row[1]) for row in rows]


def mentions_beside(tx: Connection, user_id: str, keys: Sequence[str]) -> list[tuple[str, str]]:
    """Each current memory that mentions one of these entities, with each entity that it mentions."""
    found: dict[tuple[str, str], None] = {}
    for key in keys:
        rows = tx.all(
            """
            SELECT o.memory_id, o.entity_key FROM memory_entities r
            JOIN memories m ON m.user_id = r.user_id AND m.memory_id = r.memory_id
            JOIN memory_entities o ON o.user_id = r.user_id AND o.memory_id = r.memory_id
            WHERE r.user_id = :user_id AND r.entity_key = :key AND m.status = 'ACTIVE' AND m.valid_to IS NULL
            """,
            {"user_id": user_id, "key": key},
        )
        found.update(dict.fromkeys((row[0], row[1]) for row in rows))
    return list(found)
