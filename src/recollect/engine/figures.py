"""Figures: how the whole store does, for operators. Numbers of everybody together, never of one user."""

from dataclasses import dataclass

from recollect.engine.parts import Parts
from recollect.engine.spending import SpentToday, spent_today
from recollect.store import chats, jobs, memories, users
from recollect.store.database import EVERYONE, Connection
from recollect.store.jobs import JobFigures


@dataclass(frozen=True, slots=True, kw_only=True)
class Figures:
    """What changes by the second, and is read at little cost."""

    jobs: JobFigures
    spent: SpentToday
    #: Bytes of the search indexes of this process, and what they may take.
    index_bytes: int
    index_limit_bytes: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Stored:
    """How much there is: counting it reads whole tables."""

    #: By status, older versions included.
    memories: dict[str, int]
    users: int
    chats: int
    messages: int
    size_bytes: int


async def figures(parts: Parts) -> Figures:
    """How work, models and indexes do now."""
    now = parts.now()
    return Figures(
        jobs=await parts.database.read(EVERYONE, lambda tx: jobs.figures(tx, now)),
        spent=await spent_today(parts),
        index_bytes=parts.indexes.nbytes,
        index_limit_bytes=parts.settings.index_memory_mb * 2**20,
    )


async def stored(parts: Parts) -> Stored:
    """How much there is of everything."""

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
