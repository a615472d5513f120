"""Erasing: delete the rows of forgotten data from every table that may contain it."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence

from recollect.records.job import chat_lane, judge_lane
from recollect.store import idempotency_keys
from recollect.store.database import Connection, Row
from recollect.store.entities import drop_orphans

#: Every table, for forgetting a whole user. A test compares it with the schema.
TABLES = (
    "memories", "memory_vectors", "memory_history", "memory_links", "entities", "memory_entities", "entity_aliases",
    "chats", "messages", "message_entries", "message_vectors", "briefs", "summaries", "pins", "sessions",
    "session_summaries", "session_states", "rolling_summaries", "spines", "todos", "seeds", "jobs", "idempotency_keys",
    "proposals", "spending", "tokens", "users",
)  # fmt: skip


def everything(tx: Connection, user_id: str) -> dict[str, int]:
    """Delete all of a user's rows; return how many per table."""
    return {
        table: tx.run(f"DELETE FROM {table} WHERE user_id = :user_id", {"user_id": user_id})
        for table in TABLES
    }


def with_ancestors(tx: Connection, user_id: str, memory_ids: Iterable[str]) -> list[str]:
    """These memories, the older versions that they replaced and those that were folded into them."""
    older: dict[str, list[str]] = {}
    for memory_id, _, superseded_by, folded_into in _pointers(tx, user_id):
        for target in (superseded_by, folded_into):
            older.setdefault(target, []).append(memory_id)
    found = dict.fromkeys(memory_ids)
    waiting = list(found)
    while waiting:
        fresh = [memory_id for memory_id in older.get(waiting.pop(), []) if memory_id not in found]
        found.update(dict.fromkeys(fresh))
        waiting += fresh
    return list(found)


def texts(tx: Connection, user_id: str, memory_ids: Sequence[str]) -> list[str]:
    """These memories' current and earlier texts, which must not be found afterwards."""
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
        said += _reasons(tx, user_id, "memory_ids", memory_id)
    return said


def memories(tx: Connection, user_id: str, memory_ids: Sequence[str]) -> dict[str, int]:
    """Delete the memories and everything derived from them; return how many rows per kind."""
    counts: Counter[str] = Counter(
        dict.fromkeys(
            ("memories", "vectors", "history", "links", "entities", "jobs", "answers", "proposals"), 0
        )
    )
    names: set[str] = set()
    for memory_id in memory_ids:
        names |= _names(tx, user_id, memory_id)
        counts.update(_rows_of(tx, user_id, memory_id))
    _unpoint(tx, user_id, set(memory_ids))
    orphans = drop_orphans(tx, user_id, sorted(names))
    counts["entities"] += len(orphans)
    counts["answers"] += idempotency_keys.drop_mentioning(tx, user_id, orphans)
    counts["proposals"] += _unname(tx, user_id, orphans)
    return dict(counts)


def entity(tx: Connection, user_id: str, keys: Sequence[str]) -> int:
    """The records and names of an entity; its memories are erased by `memories`."""
    gone = 0
    for key in keys:
        scope = {"user_id": user_id, "key": key}
        gone += tx.run("DELETE FROM entities WHERE user_id = :user_id AND entity_key = :key", scope)
        tx.run("DELETE FROM memory_entities WHERE user_id = :user_id AND entity_key = :key", scope)
    _unname(tx, user_id, keys)
    idempotency_keys.drop_mentioning(tx, user_id, keys)
    return gone


def former_mentions(tx: Connection, user_id: str, keys: Sequence[str]) -> tuple[int, list[str]]:
    """The histories of memories that mention these entities no longer, up to where they did: erased.

    Says how many entries, and what stood there.
    """
    last: dict[str, int] = {}
    for key in keys:
        rows = tx.all(
            """
            SELECT h.memory_id, max(h.entry) FROM memory_history h WHERE h.user_id = :user_id
            AND (replace(h.old, :name, '') <> h.old OR replace(h.new, :name, '') <> h.new)
            AND NOT EXISTS (SELECT 1 FROM memory_entities e
                            WHERE e.user_id = h.user_id AND e.memory_id = h.memory_id AND e.entity_key = :key)
            GROUP BY h.memory_id
            """,
            {"user_id": user_id, "key": key, "name": f'"{key}"'},
        )
        last.update({row[0]: max(row[1], last.get(row[0], 0)) for row in rows})
    gone, said = 0, list[str]()
    for memory_id, entry in last.items():
        scope = {"user_id": user_id, "memory_id": memory_id, "entry": entry}
        held = "WHERE user_id = :user_id AND memory_id = :memory_id AND entry <= :entry"
        said += [text for row in tx.all(f"SELECT old, new FROM memory_history {held}", scope) for text in row]
        gone += tx.run(f"DELETE FROM memory_history {held}", scope)
    return gone, said


def proposals_of_messages(tx: Connection, user_id: str, message_ids: Iterable[str]) -> tuple[int, list[str]]:
    """The proposals that name these messages as their source, for their reasons may quote them; how many, and the reasons."""
    gone, said = 0, list[str]()
    for message_id in message_ids:
        said += _reasons(tx, user_id, "source_message_ids", message_id)
        gone += _proposals(tx, user_id, "source_message_ids", message_id)
    return gone, said


def jobs_of_chat(tx: Connection, user_id: str, chat_id: str) -> int:
    """Delete the jobs that would change or read a chat; return how many."""
    return tx.run(
        "DELETE FROM jobs WHERE user_id = :user_id AND lane IN (:changing, :reading)",
        {"user_id": user_id, "changing": chat_lane(chat_id), "reading": judge_lane(chat_id)},
    )


def _rows_of(tx: Connection, user_id: str, memory_id: str) -> dict[str, int]:
    key = {"user_id": user_id, "memory_id": memory_id}
    held = "WHERE user_id = :user_id AND memory_id = :memory_id"
    tx.run(f"DELETE FROM memory_entities {held}", key)
    # JSON that spells the id between its quotes; LIKE would take `_` in it for any character.
    named = {"user_id": user_id, "name": f'"{memory_id}"'}
    return {
        "memories": tx.run(f"DELETE FROM memories {held}", key),
        "vectors": tx.run(f"DELETE FROM memory_vectors {held}", key),
        "history": tx.run(f"DELETE FROM memory_history {held}", key),
        "links": tx.run(
            "DELETE FROM memory_links WHERE user_id = :user_id AND (from_id = :memory_id OR to_id = :memory_id)",
            key,
        ),
        "jobs": tx.run(
            "DELETE FROM jobs WHERE user_id = :user_id AND replace(payload, :name, '') <> payload", named
        ),
        "answers": tx.run(
            "DELETE FROM idempotency_keys WHERE user_id = :user_id AND replace(answer, :name, '') <> answer",
            named,
        ),
        "proposals": _proposals(tx, user_id, "memory_ids", memory_id),
    }


def _proposals(tx: Connection, user_id: str, column: str, name: str) -> int:
    """Proposals about something that goes: there is nothing left to decide, and their reasons mention it."""
    return tx.run(
        f"DELETE FROM proposals WHERE user_id = :user_id AND replace({column}, :name, '') <> {column}",
        {"user_id": user_id, "name": f'"{name}"'},
    )


def _reasons(tx: Connection, user_id: str, column: str, name: str) -> list[str]:
    rows = tx.all(
        f"SELECT reason FROM proposals WHERE user_id = :user_id AND replace({column}, :name, '') <> {column}",
        {"user_id": user_id, "name": f'"{name}"'},
    )
    return [row[0] for row in rows]


def _names(tx: Connection, user_id: str, memory_id: str) -> set[str]:
    """Every entity that a memory mentions or ever mentioned."""
    key = {"user_id": user_id, "memory_id": memory_id}
    held = "WHERE user_id = :user_id AND memory_id = :memory_id"
    names = {row[0] for row in tx.all(f"SELECT entity_key FROM memory_entities {held}", key)}
    for row in tx.all(f"SELECT old, new FROM memory_history {held}", key):
        for change in row:
            names.update(json.loads(change).get("entity_refs") or ())
    return names


def _unname(tx: Connection, user_id: str, keys: Sequence[str]) -> int:
    """No alias or proposal may name an entity that is gone; how many proposals went."""
    gone = 0
    for key in keys:
        tx.run(
            "DELETE FROM entity_aliases WHERE user_id = :user_id AND (alias = :key OR entity_key = :key)",
            {"user_id": user_id, "key": key},
        )
        gone += _proposals(tx, user_id, "entity_keys", key)
    return gone


def _pointers(tx: Connection, user_id: str) -> list[Row]:
    """Each memory that points at another: its id, what it supersedes, what superseded it, what it was folded into."""
    return tx.all(
        """
        SELECT memory_id, supersedes, superseded_by, folded_into FROM memories WHERE user_id = :user_id
        AND (supersedes IS NOT NULL OR superseded_by IS NOT NULL OR folded_into IS NOT NULL)
        """,
        {"user_id": user_id},
    )


def _unpoint(tx: Connection, user_id: str, gone: set[str]) -> None:
    """Remove references to erased data."""
    for memory_id, *targets in _pointers(tx, user_id):
        if gone.isdisjoint(targets):
            continue
        supersedes, superseded_by, folded_into = (None if target in gone else target for target in targets)
        tx.run(
            "UPDATE memories SET supersedes = :supersedes, superseded_by = :superseded_by, folded_into = :folded_into"
            " WHERE user_id = :user_id AND memory_id = :memory_id",
            {
                "user_id": user_id,
                "memory_id": memory_id,
                "supersedes": supersedes,
                "superseded_by": superseded_by,
                "folded_into": folded_into,
            },
        )
