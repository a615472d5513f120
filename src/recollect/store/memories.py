"""The memories table: records in, records out. It decides nothing."""

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from recollect.records.category import Category, MemoryType
from recollect.records.memory import MemoryRecord, Origin, Source, Status
from recollect.records.moment import iso, stored
from recollect.store.database import Connection, Row
from recollect.store.id_lists import id_lists
from recollect.store.json_text import json_text

COLUMNS = (
    "user_id", "memory_id", "content", "category", "type", "importance", "tags", "entity_refs", "entity_label",
    "entity_type", "fact_type", "memory_key", "pinned", "confidence", "source", "origin", "source_context",
    "reasoning", "source_message_ids", "persona_id", "status", "flagged", "created_at", "updated_at", "valid_from",
    "valid_to", "last_accessed", "access_count", "mention_count", "supersedes", "superseded_by", "folded_into",
    "tokens",
)  # fmt: skip
_SELECT = f"SELECT {', '.join(COLUMNS)} FROM memories"
_STORED = (*COLUMNS, "terms", "revision")
_INSERT = f"INSERT INTO memories ({', '.join(_STORED)}) VALUES ({', '.join(':' + name for name in _STORED)})"
_UPDATE = (
    f"UPDATE memories SET {', '.join(f'{name} = :{name}' for name in _STORED[2:])} "
    "WHERE user_id = :user_id AND memory_id = :memory_id"
)
# As stored: looking a value up takes a fifth of the time of making one.
_CATEGORIES = {category.value: category for category in Category}
_TYPES = {type.value: type for type in MemoryType}
_SOURCES = {source.value: source for source in Source}
_ORIGINS = {origin.value: origin for origin in Origin}
_STATUSES = {status.value: status for status in Status}


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A filter for a user's memories; None means any."""

    category: Category | None = None
    type: MemoryType | None = None
    tag: str | None = None
    #: Entity keys: the entity and its aliases.
    entities: tuple[str, ...] | None = None
    persona_id: str | None = None
    status: Status | None = Status.ACTIVE
    #: Also those that were superseded.
    past: bool = False
    #: Created in this stretch, without its end.
    since: datetime | None = None
    until: datetime | None = None

    def fits(self, record: MemoryRecord) -> bool:
        """What `page` asks of a row, asked of a record: the past is no table."""
        return (
            self.category in (None, record.category)
            and self.type in (None, record.type)
            and self.status in (None, record.status)
            and (self.past or record.valid_to is None)
            and (self.since is None or record.created_at >= self.since)
            and (self.until is None or record.created_at < self.until)
            and (self.persona_id is None or record.persona_id in (None, self.persona_id))
            and (self.tag is None or self.tag in record.tags)
            and (self.entities is None or not set(self.entities).isdisjoint(record.entity_refs))
        )


def insert(tx: Connection, record: MemoryRecord, *, terms: bytes, revision: int) -> None:
    """Add a memory."""
    tx.run(_INSERT, {**_to_row(record), "terms": terms, "revision": revision})


def update(tx: Connection, record: MemoryRecord, *, terms: bytes, revision: int) -> None:
    """Save a changed memory."""
    tx.run(_UPDATE, {**_to_row(record), "terms": terms, "revision": revision})


def mention(tx: Connection, record: MemoryRecord) -> None:
    """A memory was said once more. No change in the sense of `revision`: no index depends on it."""
    tx.run(
        "UPDATE memories SET mention_count = :mention_count, source_message_ids = :source_message_ids, origin = :origin"
        " WHERE user_id = :user_id AND memory_id = :memory_id",
        {
            "user_id": record.user_id,
            "memory_id": record.memory_id,
            "mention_count": record.mention_count,
            "source_message_ids": _dump(record.source_message_ids),
            "origin": record.origin.value,
        },
    )


def get(tx: Connection, user_id: str, memory_id: str) -> MemoryRecord | None:
    """One memory of this user, whatever its status."""
    row = tx.one(
        f"{_SELECT} WHERE user_id = :user_id AND memory_id = :memory_id",
        {"user_id": user_id, "memory_id": memory_id},
    )
    return _from_row(row) if row else None


def with_id_before_hash(tx: Connection, user_id: str, beginning: str) -> list[MemoryRecord]:
    """The memories whose ids are this text, then `#` and more."""
    rows = tx.all(
        f"{_SELECT} WHERE user_id = :user_id AND memory_id > :first AND memory_id < :last ORDER BY memory_id LIMIT 5",
        # "$" is the character after "#".
        {"user_id": user_id, "first": f"{beginning}#", "last": f"{beginning}$"},
    )
    return [_from_row(row) for row in rows]


def get_many(tx: Connection, user_id: str, memory_ids: Sequence[str]) -> dict[str, MemoryRecord]:
    """Those of the ids that are this user's."""
    found: dict[str, MemoryRecord] = {}
    for marks, ids in id_lists(memory_ids):
        rows = tx.all(
            f"{_SELECT} WHERE user_id = :user_id AND memory_id IN ({marks})", {"user_id": user_id, **ids}
        )
        found.update((row[1], _from_row(row)) for row in rows)
    return found


def by_key(tx: Connection, user_id: str, memory_key: str, persona_id: str | None) -> MemoryRecord | None:
    """The active memory that holds this key in this scope."""
    row = tx.one(
        f"{_SELECT} WHERE user_id = :user_id AND memory_key = :memory_key AND COALESCE(persona_id, '') = :persona_id"
        " AND status = 'ACTIVE' AND valid_to IS NULL",
        {"user_id": user_id, "memory_key": memory_key, "persona_id": persona_id or ""},
    )
    return _from_row(row) if row else None


def page(
    tx: Connection, user_id: str, wanted: Filter, *, limit: int, before: str | None = None
) -> list[MemoryRecord]:
    """Newest first, starting after the memory named by `before`."""
    conditions = ["m.user_id = :user_id"]
    params: dict[str, Any] = {"user_id": user_id, "limit": limit}
    for name in ("category", "type", "status"):
        value = getattr(wanted, name)
        if value is not None:
            conditions.append(f"m.{name} = :{name}")
            params[name] = value.value
    if not wanted.past:
        conditions.append("m.valid_to IS NULL")
    for name, moment, condition in (
        ("since", wanted.since, "m.created_at >= :since"),
        ("until", wanted.until, "m.created_at < :until"),
    ):
        if moment is not None:
            conditions.append(condition)
            params[name] = iso(moment)
    if wanted.persona_id is not None:
        conditions.append("(m.persona_id IS NULL OR m.persona_id = :persona_id)")
        params["persona_id"] = wanted.persona_id
    if wanted.tag is not None:
        # Tags are a JSON list of texts; the tag's own JSON spelling with its quotes cannot match half a tag.
        # Not LIKE: SQLite's ignores the case of letters, PostgreSQL's does not.
        conditions.append("replace(m.tags, :tag, '') <> m.tags")
        params["tag"] = _dump([wanted.tag])[1:-1]
    if wanted.entities is not None:
        keys = {f"entity{number}": key for number, key in enumerate(wanted.entities)}
        conditions.append(
            "EXISTS (SELECT 1 FROM memory_entities e WHERE e.user_id = m.user_id AND e.memory_id = m.memory_id"
            f" AND e.entity_key IN ({', '.join(':' + name for name in keys)}))"
        )
        params.update(keys)
    if before is not None:
        conditions.append("m.memory_id < :before")
        params["before"] = before
    columns = ", ".join(f"m.{name}" for name in COLUMNS)
    rows = tx.all(
        f"SELECT {columns} FROM memories m WHERE {' AND '.join(conditions)} ORDER BY m.memory_id DESC LIMIT :limit",
        params,
    )
    return [_from_row(row) for row in rows]


def count_active(
    tx: Connection, user_id: str, *, category: Category | None = None, persona_id: str | None = None
) -> int:
    """How many memories are active and still true: all, or those of a category, or those that a persona knows."""
    conditions = ["user_id = :user_id", "status = 'ACTIVE'", "valid_to IS NULL"]
    params: dict[str, Any] = {"user_id": user_id}
    if category is not None:
        conditions.append("category = :category")
        params["category"] = category.value
    if persona_id is not None:
        conditions.append("(persona_id IS NULL OR persona_id = :persona_id)")
        params["persona_id"] = persona_id
    row = tx.one(f"SELECT COUNT(*) FROM memories WHERE {' AND '.join(conditions)}", params)
    return row[0] if row else 0


def everything(tx: Connection, user_id: str) -> list[MemoryRecord]:
    """All memories of a user, oldest first, past and archived ones included."""
    return [
        _from_row(row)
        for row in tx.all(f"{_SELECT} WHERE user_id = :user_id ORDER BY memory_id", {"user_id": user_id})
    ]


def standing(
    tx: Connection,
    user_id: str,
    *,
    persona_id: str | None,
    critical: float,
    notable: float,
    since: datetime,
    categories: Sequence[Category],
    limit: int,
) -> list[MemoryRecord]:
    """What may stand in every context: pinned, critical, of one of these categories, or notable and new.

    Pinned ones first, then the most important: what comes after the limit would not fit anyway.
    """
    named = {f"category{number}": category.value for number, category in enumerate(categories)}
    rows = tx.all(
        f"{_SELECT} WHERE user_id = :user_id AND status = 'ACTIVE' AND valid_to IS NULL"
        " AND (persona_id IS NULL OR persona_id = :persona_id) AND (pinned = 1 OR importance >= :critical"
        f" OR category IN ({', '.join(':' + name for name in named)})"
        " OR (importance >= :notable AND created_at >= :since))"
        " ORDER BY pinned DESC, importance DESC, memory_id DESC LIMIT :limit",
        {
            "user_id": user_id,
            "persona_id": persona_id,
            "critical": critical,
            "notable": notable,
            "since": iso(since),
            "limit": limit,
            **named,
        },
    )
    return [_from_row(row) for row in rows]


def changed_since(tx: Connection, user_id: str, revision: int, limit: int) -> list[tuple[MemoryRecord, int]]:
    """Current memories that are new or changed since a revision, with their own, the oldest change first."""
    rows = tx.all(
        f"SELECT {', '.join(COLUMNS)}, revision FROM memories WHERE user_id = :user_id AND revision > :revision"
        " AND status = 'ACTIVE' AND valid_to IS NULL ORDER BY revision, memory_id LIMIT :limit",
        {"user_id": user_id, "revision": revision, "limit": limit},
    )
    return [(_from_row(row[:-1]), row[-1]) for row in rows]


def count_changed_since(tx: Connection, user_id: str, revision: int, most: int) -> int:
    """How many current memories are new or changed since a revision, counted up to `most`."""
    rows = tx.all(
        """
        SELECT 1 FROM memories WHERE user_id = :user_id AND revision > :revision AND status = 'ACTIVE'
        AND valid_to IS NULL LIMIT :most
        """,
        {"user_id": user_id, "revision": revision, "most": most},
    )
    return len(rows)


def folded_into(tx: Connection, user_id: str, memory_id: str) -> list[MemoryRecord]:
    """The memories folded into a memory."""
    rows = tx.all(
        f"{_SELECT} WHERE user_id = :user_id AND folded_into = :memory_id ORDER BY memory_id",
        {"user_id": user_id, "memory_id": memory_id},
    )
    return [_from_row(row) for row in rows]


def told_by_messages(tx: Connection, user_id: str) -> list[tuple[str, tuple[str, ...]]]:
    """Every memory that names the messages it came from, with their ids."""
    rows = tx.all(
        "SELECT memory_id, source_message_ids FROM memories WHERE user_id = :user_id AND source_message_ids <> '[]'",
        {"user_id": user_id},
    )
    return [(row[0], _texts(row[1])) for row in rows]


def revise(tx: Connection, user_id: str, memory_ids: Sequence[str], revision: int) -> None:
    """Something about these memories changed that an index holds and their rows do not: their vectors."""
    tx.many(
        "UPDATE memories SET revision = :revision WHERE user_id = :user_id AND memory_id = :memory_id",
        [{"user_id": user_id, "memory_id": each, "revision": revision} for each in memory_ids],
    )


def retell(tx: Connection, user_id: str, memory_id: str, message_ids: Sequence[str]) -> None:
    """Name other messages as the source of a memory. No change in the sense of `revision`: no index depends on it."""
    tx.run(
        "UPDATE memories SET source_message_ids = :ids WHERE user_id = :user_id AND memory_id = :memory_id",
        {"user_id": user_id, "memory_id": memory_id, "ids": _dump(message_ids)},
    )


def count_by_status(tx: Connection) -> dict[str, int]:
    """Everybody's memories, older versions included; needs the scope of everyone."""
    return {row[0]: int(row[1]) for row in tx.all("SELECT status, count(*) FROM memories GROUP BY status")}


def accessed(tx: Connection, user_id: str, counts: Iterable[tuple[str, int]], now: datetime) -> None:
    """Count uses. No change in the sense of `revision`: no index depends on it."""
    tx.many(
        "UPDATE memories SET access_count = access_count + :count, last_accessed = :now"
        " WHERE user_id = :user_id AND memory_id = :memory_id",
        [
            {"user_id": user_id, "memory_id": memory_id, "count": count, "now": iso(now)}
            for memory_id, count in counts
        ],
    )


def tallies(tx: Connection, user_id: str) -> list[tuple[str, str, str, str, int, float]]:
    """Category, type, status and source with count and sum of importance; superseded ones left out."""
    return tx.all(
        """
        SELECT category, type, status, source, count(*), sum(importance) FROM memories
        WHERE user_id = :user_id AND valid_to IS NULL GROUP BY category, type, status, source
        """,
        {"user_id": user_id},
    )  # type: ignore[return-value]


def importances(tx: Connection, user_id: str) -> list[tuple[float, int]]:
    """How many memories have each importance that occurs; superseded ones left out."""
    return tx.all(
        "SELECT importance, count(*) FROM memories WHERE user_id = :user_id AND valid_to IS NULL"
        " GROUP BY importance ORDER BY importance",
        {"user_id": user_id},
    )  # type: ignore[return-value]


def most_used(tx: Connection, user_id: str, limit: int) -> list[MemoryRecord]:
    """The memories that were found most often."""
    rows = tx.all(
        f"{_SELECT} WHERE user_id = :user_id AND access_count > 0 AND status = 'ACTIVE' AND valid_to IS NULL"
        " ORDER BY access_count DESC, memory_id DESC LIMIT :limit",
        {"user_id": user_id, "limit": limit},
    )
    return [_from_row(row) for row in rows]


def days_of_creation(tx: Connection, user_id: str) -> list[tuple[str, int]]:
    """How many memories were made on each day."""
    return tx.all(
        "SELECT substr(created_at, 1, 10), count(*) FROM memories WHERE user_id = :user_id AND valid_to IS NULL"
        " GROUP BY 1 ORDER BY 1",
        {"user_id": user_id},
    )  # type: ignore[return-value]


def _dump(values: Iterable[str]) -> str:
    return json_text(list(values))


def _to_row(record: MemoryRecord) -> dict[str, object]:
    return {
        "user_id": record.user_id,
        "memory_id": record.memory_id,
        "content": record.content,
        "category": record.category.value,
        "type": record.type.value,
        "importance": record.importance,
        "tags": _dump(record.tags),
        "entity_refs": _dump(record.entity_refs),
        "entity_label": record.entity_label,
        "entity_type": record.entity_type,
        "fact_type": record.fact_type,
        "memory_key": record.memory_key,
        "pinned": int(record.pinned),
        "confidence": record.confidence,
        "source": record.source.value,
        "origin": record.origin.value,
        "source_context": record.source_context,
        "reasoning": record.reasoning,
        "source_message_ids": _dump(record.source_message_ids),
        "persona_id": record.persona_id,
        "status": record.status.value,
        "flagged": int(record.flagged),
        "created_at": iso(record.created_at),
        "updated_at": iso(record.updated_at),
        "valid_from": iso(record.valid_from),
        "valid_to": iso(record.valid_to) if record.valid_to else None,
        "last_accessed": iso(record.last_accessed) if record.last_accessed else None,
        "access_count": record.access_count,
        "mention_count": record.mention_count,
        "supersedes": record.supersedes,
        "superseded_by": record.superseded_by,
        "folded_into": record.folded_into,
        "tokens": record.tokens,
    }


def _texts(stored: str) -> tuple[str, ...]:
    return () if stored == "[]" else tuple(json.loads(stored))


def _from_row(row: Row) -> MemoryRecord:
    return MemoryRecord(
        user_id=row[0],
        memory_id=row[1],
        content=row[2],
        category=_CATEGORIES[row[3]],
        type=_TYPES[row[4]],
        importance=row[5],
        tags=_texts(row[6]),
        entity_refs=_texts(row[7]),
        entity_label=row[8],
        entity_type=row[9],
        fact_type=row[10],
        memory_key=row[11],
        pinned=bool(row[12]),
        confidence=row[13],
        source=_SOURCES[row[14]],
        origin=_ORIGINS[row[15]],
        source_context=row[16],
        reasoning=row[17],
        source_message_ids=_texts(row[18]),
        persona_id=row[19],
        status=_STATUSES[row[20]],
        flagged=bool(row[21]),
        created_at=stored(row[22]),
        updated_at=stored(row[23]),
        valid_from=stored(row[24]),
        valid_to=stored(row[25]) if row[25] else None,
        last_accessed=stored(row[26]) if row[26] else None,
        access_count=row[27],
        mention_count=row[28],
        supersedes=row[29],
        superseded_by=row[30],
        folded_into=row[31],
        tokens=row[32],
    )
