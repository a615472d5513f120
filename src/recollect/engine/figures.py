"""Figures: the state of the whole store, for operators. Totals across all users, never for one user."""

from dataclasses import dataclass

from recollect.engine.parts import Parts
from recollect.engine.spending import SpentToday, spent_today
from recollect.store import chats, jobs, memories, users
from recollect.store.database import EVERYONE, Connection
from recollect.store.jobs import JobFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """Figures that change constantly and are cheap to read."""

    jobs: JobFigures
    spent: SpentToday
    #: Bytes used by this process's search indexes, and their limit.
    index_bytes: int
    index_limit_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """Totals, for which whole tables must be read."""

    #: By status, older versions included.
    memories: dict[str, int]
    users: int
    chats: int
    messages: int
    size_bytes: int


async def figures(parts: Parts) -> Figures:
    """The current state of jobs, models and indexes."""
    now = parts.now()
    return Figures(
        jobs=await parts.database.read(EVERYONE, lambda tx: jobs.figures(tx, now)),
        spent=await spent_today(parts),
        index_bytes=parts.indexes.nbytes,
        index_limit_bytes=parts.settings.index_memory_mb * 2**20,
    )


async def stored(parts: Parts) -> Stored:
    """The totals of everything stored."""

    def load(tx: Connection) -> tuple[dict[str, int], int, tuple[int, int]]:
        return (
            memories.count_by_status(tx),
            sum(users.models(tx).values()),
            chats.totals_of_everyone(tx),
        )

    by_status, known, (threads, said) = await parts.database.read(EVERYONE, load)
    return Stored(
        memories=by_status,
        users=known,
        chats=threads,
        messages=said,
        size_bytes=await parts.database.size_bytes(),
    )
