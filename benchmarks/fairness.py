"""How long a user waits for background work beside others: a user with thousands of jobs, and a model that never answers.

Each sample is a user of its own who says one sentence and searches for it until it is found, in the process that does the
work. Beside it stands the same without the others.
"""

import asyncio
import random
import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from benchmarks.measure import Line
from benchmarks.talk import messages
from recollect import AsyncMemory, Settings
from recollect.admin import AsyncAdmin

HEAVY = "heavy"
#: Chats of the heavy user, each with some turns; the work is measured while some of it is left.
CHATS, TURNS = 3_000, 2
#: The same while a model hangs: so many turns are sent to the model at once and do not wait for more.
HANGING_CHATS, HANGING_TURNS = 60, 25
#: Users who are measured, and seconds between two of their searches.
SAMPLES, PAUSE = 9, 0.1
#: Seconds that the work of the heavy user gets before the first of them.
UNDER_WAY = 3.0
#: Seconds after which somebody is no longer waited for.
_PATIENCE = 300.0

Found = Callable[[AsyncMemory, str], Awaitable[bool]]


async def _fact(memory: AsyncMemory, user: str) -> bool:
    found = await memory.search("What is the user allergic to?", user=user, messages=0)
    return any("walnuts" in hit.memory.content for hit in found)


async def _message(memory: AsyncMemory, user: str) -> bool:
    """By its meaning: its words find a message at once."""
    if (await memory.stats(user=user)).messages_waiting:
        return False
    return bool((await memory.search("Which food is dangerous?", user=user)).messages)


async def _waited(memory: AsyncMemory, found: Found, name: str) -> float:
    """Median seconds until what a user says is found."""
    taken: list[float] = []
    for number in range(SAMPLES):
        user = f"{name}-{number}"
        start = time.perf_counter()
        await memory.chat("c", user=user).add(
            user="I'm allergic to walnuts.", assistant="I'll remember that."
        )
        while not await found(memory, user):
            if time.perf_counter() - start > _PATIENCE:
                break
            await asyncio.sleep(PAUSE)
        taken.append(time.perf_counter() - start)
    return statistics.median(taken)


async def _leave_work(path: Path, settings: Settings, chats: int, turns: int) -> None:
    async with AsyncMemory(path, settings=replace(settings, worker="off")) as memory:
        for number in range(chats):
            said = messages(turns, random.Random(number))
            await memory.chat(f"chat-{number}", user=HEAVY).add(said)


async def _compared(
    path: Path, settings: Settings, found: Found, chats: int, turns: int
) -> tuple[float, float, int]:
    """Median seconds beside a heavy user and alone, and how many jobs were still open after the last sample."""
    async with AsyncMemory(path.with_suffix(".alone"), settings=Settings()) as memory:
        alone = await _waited(memory, found, "alone")
    await _leave_work(path, settings, chats, turns)
    async with AsyncMemory(path, settings=settings) as memory:
        await memory.chat("c", user=HEAVY).add(user="Hello.")
        await asyncio.sleep(UNDER_WAY)
        beside = await _waited(memory, found, "light")
        now = datetime.now(UTC)
        open_jobs = await AsyncAdmin(memory).jobs(user=HEAVY, status="pending")
        left = sum(job.run_at <= now for job in open_jobs)
    return beside, alone, left


def _line(what: str, beside: float, alone: float, left: int) -> Line:
    return Line(
        what=what,
        ours=f"{beside:.1f} s, {left:,} jobs left",
        yardstick=f"{alone:.1f} s (the same alone)",
        target="≤ 10 s",
        met=beside <= 10 and left > 0,
    )


async def fairness(folder: Path, *, quick: bool = False) -> list[Line]:
    """Both measurements; `quick` with a third of the work."""
    share = 3 if quick else 1
    chats = CHATS // share
    heavy = await _compared(folder / "heavy.db", Settings(), _fact, chats, TURNS)
    asked: list[asyncio.StreamWriter] = []

    async def never(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        asked.append(writer)

    async with await asyncio.start_server(never, "127.0.0.1", 0) as server:
        address = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/v1"
        settings = Settings(openai_base_url=address, summarizer_model="silent", judge_model="silent")
        hanging = await _compared(
            folder / "hanging.db", settings, _message, HANGING_CHATS // share, HANGING_TURNS
        )
        for writer in asked:
            writer.close()
    assert asked, "the model was never asked"
    return [
        _line(f"beside a heavy user ({chats:,} chats to be read), a light user's fact is found", *heavy),
        _line("beside a hanging model, a light user's messages are found", *hanging),
    ]
