"""What other processes do in tests of the store; run as `python -m store.child <deed> …` from the tests' folder."""

import asyncio
import sys
import time
from collections.abc import Callable
from itertools import count

from recollect.settings import Settings
from recollect.store.database import Database
from recollect.store.postgres import PostgresDatabase
from recollect.store.sqlite import SqliteDatabase

from .rows import record, saving


def _open(url: str, **settings: object) -> Database:
    kind = PostgresDatabase if url.startswith("postgresql://") else SqliteDatabase
    return kind(url, Settings(**settings))


def say(line: str) -> None:
    """Tell the parent at once."""
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


async def write(url: str, user_id: str, first: str, times: str) -> None:
    """Store memories of one user, each in a transaction of its own, numbered from the first."""
    database = _open(url)
    await database.prepare()
    for number in range(int(first), int(first) + int(times)):
        await database.write(user_id, saving(record(number, user_id)))
    await database.aclose()


async def stream(url: str) -> None:
    """Store memories without end and say each id once it is committed."""
    database = _open(url)
    await database.prepare()
    for number in count():
        made = record(number)
        await database.write("ann", saving(made))
        say(made.memory_id)


async def migrate(url: str, moment: str) -> None:
    """Open and migrate at the given instant; say what was applied."""
    database = _open(url)
    await asyncio.sleep(max(0.0, float(moment) - time.time()))
    say(" ".join(await database.migrate()))
    await database.aclose()


DEEDS: dict[str, Callable[..., object]] = {"write": write, "stream": stream, "migrate": migrate}

if __name__ == "__main__":
    asyncio.run(DEEDS[sys.argv[1]](*sys.argv[2:]))
