"""Erasing: the rows that must go when a user wants something forgotten, in every table that could hold it."""

from collections import Counter
from collections.abc import Iterable, Sequence

from recollect.store.database import Connection
from recollect.store.entities import drop_orphans

#: Every table, for forgetting a whole user. A test compares it with the schema.
TABLES = (
    "memories", "memory_vectors", "memory_history", "memory_links", "entities", "memory_entities", "entity_aliases",
    "chats", "messages", "briefs", "summaries", "pins", "sessions", "session_summaries", "session_states", "spines",
    "todos", "seeds", "jobs", "idempotency_keys", "users",
)  # fmt: skip


def everything(tx: Connection, user_id: str) -> dict[str, int]:
    """Every row of a user; how many in each table."""
    return {
        table: tx.run(f"DELETE FROM {table} WHERE user_id = :user_id", {"user_id": user_id})
        for table in TABLES
    }


def with_ancestors(tx: Connection, user_id: str, memory_ids: Iterable[str]) -> list[str]:
    """These memories, the older versions that they replaced and those that were folded into them."""
    found = dict.fromkeys(memory_ids)
    waiting = list(found)
    while waiting:
        rows = tx.all(
            "SELECT memory_id FROM memories WHERE user_id = :user_id"
            " AND (superseded_by = :memory_id OR folded_into = :memory_id)",
            {"user_id": user_id, "memory_id": waiting.pop()},
        )
        fresh = [row[0] for row in rows if row[0] not in found]
        found.update(dict.fromkeys(fresh))
        waiting += fresh
    return list(found)


def texts(tx: Connection, user_id: str, memory_ids: Sequence[str]) -> list[str]:
    """What these memories say and said: the texts that must not be found afterwards."""
    said: list[str] = []
    for memory_id in memory_ids:
        key = {"user_id": user_id, "memory_id": memory_id}
        rows = tx.all(
            "SELECT content, source_context, reasoning FROM memories WHERE user_id = :user_id AND memory_id = :memory_id",
            key,
        )
        said += [text for row in rows for text in row if text]
        rows = tx.all(
            "SELECT old, new, reason FROM memory_history WHERE user_id = :user_id AND memory_id = :memory_id",
            key,
        )
        said += [text for row in rows for text in row if len(text) > 2]
    return said


def memories(tx: Connection, user_id: str, memory_ids: Sequence[str]) -> dict[str, int]:
    """The memories and everything derived from them; how many rows of each kind."""
    counts: Counter[str] = Counter(
        dict.fromkeys(("memories", "vectors", "history", "links", "entities", "jobs", "answers"), 0)
    )
    for memory_id in memory_ids:
        key = {"user_id": user_id, "memory_id": memory_id}
        held = "WHERE user_id = :user_id AND memory_id = :memory_id"
        mentioned = [row[0] for row in tx.all(f"SELECT entity_key FROM memory_entities {held}", key)]
        counts["memories"] += tx.run(f"DELETE FROM memories {held}", key)
        counts["vectors"] += tx.run(f"DELETE FROM memory_vectors {held}", key)
        counts["history"] += tx.run(f"DELETE FROM memory_history {held}", key)
        tx.run(f"DELETE FROM memory_entities {held}", key)
        counts["links"] += tx.run(
            "DELETE FROM memory_links WHERE user_id = :user_id AND (from_id = :memory_id OR to_id = :memory_id)",
            key,
        )
        _unpoint(tx, key)
        # JSON that spells the id between its quotes; LIKE would take `_` in it for any character.
        named = {"user_id": user_id, "name": f'"{memory_id}"'}
        counts["jobs"] += tx.run(
            "DELETE FROM jobs WHERE user_id = :user_id AND replace(payload, :name, '') <> payload", named
        )
        counts["answers"] += tx.run(
            "DELETE FROM idempotency_keys WHERE user_id = :user_id AND replace(answer, :name, '') <> answer",
            named,
        )
        counts["entities"] += drop_orphans(tx, user_id, mentioned)
    return dict(counts)


def entity(tx: Connection, user_id: str, keys: Sequence[str]) -> int:
    """The records and names of an entity; its memories are erased by `memories`."""
    gone = 0
    for key in keys:
        scope = {"user_id": user_id, "key": key}
        gone += tx.run("DELETE FROM entities WHERE user_id = :user_id AND entity_key = :key", scope)
        tx.run("DELETE FROM memory_entities WHERE user_id = :user_id AND entity_key = :key", scope)
        tx.run(
            "DELETE FROM entity_aliases WHERE user_id = :user_id AND (alias = :key OR entity_key = :key)",
            scope,
        )
    return gone


def _unpoint(tx: Connection, key: dict[str, str]) -> None:
    """Nothing may point at what is gone."""
    for column in ("supersedes", "superseded_by", "folded_into"):
        tx.run(f"UPDATE memories SET {column} = NULL WHERE user_id = :user_id AND {column} = :memory_id", key)
