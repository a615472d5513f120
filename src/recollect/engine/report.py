"""Report: statistics about a user's memories."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Any

from recollect.engine.parts import Parts
from recollect.errors import ModelError
from recollect.records.memory import MemoryRecord
from recollect.store import chats, memories, message_vectors, messages, unjudged, users, vectors
from recollect.store.database import EVERYONE, Connection

_MOST_USED = 5
#: Bytes per stored vector component.
_NUMBER = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Stats:
    """Counts and averages of a user's current memories, without superseded versions, and message counts."""

    total: int
    by_category: dict[str, int]
    by_type: dict[str, int]
    by_status: dict[str, int]
    by_source: dict[str, int]
    #: Counts by the integer part of their importance, 0 to 10; values that do not occur are left out.
    by_importance: dict[str, int]
    average_importance: float
    most_used: tuple[MemoryRecord, ...]
    #: The Monday of each week, and the number of memories created in it.
    growth: tuple[tuple[str, int], ...]
    #: Message counts.
    chats: int
    messages: int
    #: Messages found only by their words until they have vectors.
    messages_waiting: int
    #: The user's own messages that the judge has not read yet.
    messages_unjudged: int

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "total": self.total,
            "by_category": self.by_category,
            "by_type": self.by_type,
            "by_status": self.by_status,
            "by_source": self.by_source,
            "by_importance": self.by_importance,
            "average_importance": round(self.average_importance, 2),
            "most_used": [memory.to_dict() for memory in self.most_used],
            "growth": [{"week": week, "count": count} for week, count in self.growth],
            "chats": self.chats,
            "messages": self.messages,
            "messages_waiting": self.messages_waiting,
            "messages_unjudged": self.messages_unjudged,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class StoreInfo:
    """A store as a whole."""

    database: str
    size_bytes: int
    schema: int
    #: How many users each embedding model serves.
    models: dict[str, int]

    @property
    def users(self) -> int:
        return sum(self.models.values())

    def to_dict(self) -> dict[str, Any]:
        """As JSON values."""
        return {
            "database": self.database,
            "size_bytes": self.size_bytes,
            "schema": self.schema,
            "models": self.models,
            "users": self.users,
        }


async def info(parts: Parts) -> StoreInfo:
    """The store as a whole."""
    return StoreInfo(
        database=parts.database.name,
        size_bytes=await parts.database.size_bytes(),
        schema=await parts.database.schema_version(),
        models=dict(sorted((await parts.database.read(EVERYONE, users.models)).items())),
    )


async def users_of(parts: Parts, *, limit: int | None = None, after: str = "") -> list[str]:
    """All users with a memory, or up to a limit of those whose names follow."""
    return await parts.database.read(EVERYONE, lambda tx: users.ids(tx, limit=limit, after=after))


async def checks(parts: Parts) -> list[tuple[str, bool, str]]:
    """Name, health and a short description of the database, the embedder, the vectors and the messages."""
    found = await parts.database.checks()
    default = parts.embedders.default
    vector: Sequence[float] = ()
    try:
        vector = (await parts.embed(default, ["a short test"]))[0]
        found.append(("embedder", True, f"{default}, {len(vector)} dimensions"))
    except ModelError as error:
        found.append(("embedder", False, str(error)))
    serving = await parts.database.read(EVERYONE, users.models)
    others = sum(count for model, count in serving.items() if model != default)
    word = (
        "; ".join(
            f"{model}: {count} {'user' if count == 1 else 'users'}"
            for model, count in sorted(serving.items())
        )
        or "no users yet"
    )
    if late := await parts.database.read(EVERYONE, vectors.count_late):
        word += (
            f"; {late:,} {'memory waits for its vector' if late == 1 else 'memories wait for their vectors'}"
        )
    found.append(("vectors", not others, word if not others else f"{word}. Run `recollect db reembed`."))
    found.append(("messages", True, await _indexed(parts, len(vector))))
    return found


async def _indexed(parts: Parts, dimensions: int) -> str:
    """How many vectors messages have, their size, and how many messages have none yet."""

    def load(tx: Connection) -> tuple[int, int]:
        return message_vectors.count(tx), messages.count_unindexed(tx)

    held, waiting = await parts.database.read(EVERYONE, load)
    word = f"{held:,} {'vector' if held == 1 else 'vectors'}"
    if held and dimensions:
        size = held * dimensions * _NUMBER / 1e6
        word += f", about {size:,.1f} MB" if size >= 0.1 else ", under 0.1 MB"
    if not waiting:
        return word
    return f"{word}; {waiting:,} {'message waits for its vector' if waiting == 1 else 'messages wait for their vectors'}"


async def stats(parts: Parts, user_id: str) -> Stats:
    """One user's statistics."""

    def load(tx: Connection) -> Stats:
        counts: tuple[Counter[str], ...] = (Counter(), Counter(), Counter(), Counter())
        importance = 0.0
        for *labels, count, weight in memories.tallies(tx, user_id):
            for counter, label in zip(counts, labels, strict=True):
                counter[str(label)] += count
            importance += weight
        total = sum(counts[0].values())
        steps: Counter[str] = Counter()
        for weight, count in memories.importances(tx, user_id):
            steps[str(int(weight))] += count
        weeks: Counter[str] = Counter()
        for day, count in memories.days_of_creation(tx, user_id):
            made = date.fromisoformat(day)
            weeks[(made - timedelta(days=made.weekday())).isoformat()] += count
        threads, said = chats.totals(tx, user_id)
        return Stats(
            total=total,
            by_category=dict(counts[0]),
            by_type=dict(counts[1]),
            by_status=dict(counts[2]),
            by_source=dict(counts[3]),
            by_importance=dict(steps),
            average_importance=importance / total if total else 0.0,
            most_used=tuple(memories.most_used(tx, user_id, _MOST_USED)),
            growth=tuple(sorted(weeks.items())),
            chats=threads,
            messages=said,
            messages_waiting=messages.count_unindexed(tx, user_id),
            messages_unjudged=unjudged.count(tx, user_id),
        )

    return await parts.database.read(user_id, load)
