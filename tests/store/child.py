"""What other processes do in tests of the store; run as `python -m store.child <deed> …` from the tests' folder."""

import asyncio
import os
import signal
import sys
import time
from collections.abc import Callable
from itertools import count

from recollect.errors import StoreUnavailable
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


async def obey(url: str) -> None:
    """Store a memory for each number that comes in, and say what became of it."""
    database = _open(url)
    await database.prepare()
    for number in sys.stdin:
        try:
            await database.write("ann", saving(record(int(number))))
            say("stored")
        except StoreUnavailable as error:
            say(str(error))


async def migrate(url: str, moment: str) -> None:
    """Open and migrate at the given instant; say what was applied."""
    database = _open(url)
    await asyncio.sleep(max(0.0, float(moment) - time.time()))
    say(" ".join(await database.migrate()))
    await database.aclose()


async def _heard(database: Database) -> str:
    """Whether the database answers, in words."""
    try:
        await database.schema_version()
    except StoreUnavailable as error:
        return str(error)
    return "answered"


def fork(url: str) -> None:
    """Fork with an open database; say what the child hears from it, and then the parent."""
    database = _open(url)
    asyncio.run(_heard(database))
    if (child := os.fork()) == 0:
        # Nobody waits longer for it.
        signal.alarm(60)
        try:
            say(asyncio.run(_heard(database)))
            asyncio.run(database.aclose())
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    say(asyncio.run(_heard(database)))
    asyncio.run(database.aclose())


DEEDS: dict[str, Callable[..., object]] = {"write": write, "stream": stream, "obey": obey, "migrate": migrate}

if __name__ == "__main__":
    if sys.argv[1] == "fork":
        fork(sys.argv[2])
    else:
        asyncio.run(DEEDS[sys.argv[1]](*sys.argv[2:]))
