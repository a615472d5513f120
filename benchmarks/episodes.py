"""What finding past messages costs, beside the products and partial sorts that no exact search can do without.

The users and their long chats are those of `conversations`. Vectors cost nothing here; the yardstick scans as many random
ones. For 300,000 messages they are made of words, because near ones must exist: a sketch answers, and its first hits are compared with those of the exact scan.
"""

import random
import statistics
import time
from dataclasses import replace
from pathlib import Path

import numpy as np
from rich.progress import track

from benchmarks.facts import CannedEmbedder, WordEmbedder, question, unit_vectors
from benchmarks.filling import fill
from benchmarks.measure import Line, interleaved, milliseconds
from benchmarks.talk import messages
from recollect import AsyncMemory, Settings
from recollect.api.memory import open_database
from recollect.engine.index_messages import index_messages
from recollect.index import message_index
from recollect.models.embedders import Embedder

CHAT = "talk"
MEMORIES = 10_000
#: Messages recorded by one call.
BATCH = 4_000
LARGE = "large"
LARGE_SIZE = 300_000


async def made(url: str, name: str, count: int, embedder: Embedder | None = None) -> None:
    """A user with 10,000 memories and so many messages, all with vectors."""
    settings = replace(Settings(), database_url=url, worker="off")
    database = open_database(settings)
    await database.migrate()
    await fill(database, [name], MEMORIES, label="10,000 memories")
    await database.aclose()
    memory = AsyncMemory(url, settings=settings, embedder=embedder or CannedEmbedder())
    said = messages(count // 2, random.Random(61))
    for first in track(range(0, count, BATCH), description=f"{count:,} messages", transient=True):
        await memory.chat(CHAT, user=name).add(said[first : first + BATCH])
    await index_messages(memory._engine.parts, name)  # pyright: ignore[reportPrivateUsage]
    await memory.close()


async def recall_messages(
    url: str, name: str, count: int, *, milliseconds_allowed: float, where: str
) -> Line:
    """A warm recall of memories and messages; the yardstick scans both matrices and sorts the best."""
    memory = AsyncMemory(url, settings=replace(Settings(), worker="off"), embedder=CannedEmbedder())
    dice, directions = random.Random(62), np.random.default_rng(62)
    facts, said = unit_vectors(MEMORIES, directions), unit_vectors(count, directions)
    vector = unit_vectors(1, directions)[0]

    async def ours() -> None:
        await memory.search(question(dice), user=name)

    async def yardstick() -> None:
        for matrix in (facts, said):
            scores = matrix @ vector
            np.argpartition(scores, -50)[-50:]

    await interleaved(30, ours, yardstick)
    taken, measure = await interleaved(100, ours, yardstick)
    await memory.close()
    return Line(
        what=f"recall among {count:,} messages and 10,000 memories{where}, embedding excluded",
        ours=f"{milliseconds(taken)}, {taken / measure:.1f}×",
        yardstick=f"{milliseconds(measure)} (NumPy products + partial sorts)",
        target=f"≤ {milliseconds_allowed:g} ms",
        met=taken * 1000 <= milliseconds_allowed,
    )


async def found_at_once(url: str, name: str) -> Line:
    """A recall right after a turn was recorded, which it must find by its words; beside one after nothing new."""
    memory = AsyncMemory(url, settings=replace(Settings(), worker="off"), embedder=CannedEmbedder())
    dice = random.Random(63)
    chat = memory.chat("fresh", user=name)
    after: list[float] = []
    quiet: list[float] = []
    for number in range(60):
        await chat.add(user=f"The zeppelin number {number} landed in Tromsø", assistant="Noted.")
        start = time.perf_counter()
        found = await memory.search(f"Where did zeppelin {number} land?", user=name)
        after.append(time.perf_counter() - start)
        assert f"number {number} " in found.messages[0].message.text
        start = time.perf_counter()
        await memory.search(question(dice), user=name)
        quiet.append(time.perf_counter() - start)
    await memory.close()
    return Line(
        what="recall right after a turn was recorded, found by its words",
        ours=milliseconds(statistics.median(after[10:])),
        yardstick=f"{milliseconds(statistics.median(quiet[10:]))} (with nothing new)",
    )


async def cold_messages(url: str, name: str, count: int) -> Line:
    """The first recall of a user whose indexes are not in memory."""
    taken: list[float] = []
    for number in range(5):
        memory = AsyncMemory(url, settings=replace(Settings(), worker="off"), embedder=CannedEmbedder())
        await memory.stats(user="nobody")
        start = time.perf_counter()
        await memory.search(question(random.Random(number)), user=name)
        taken.append(time.perf_counter() - start)
        await memory.close()
    return Line(
        what=f"first recall of a cold user with {count:,} messages (file in the system's cache)",
        ours=milliseconds(statistics.median(taken)),
        yardstick="–",
    )


async def large(folder: Path) -> Line:
    """300,000 messages: estimates from a sketch against the exact scan, time and first hits."""
    url = str(folder / "large-talk.db")
    embedder = WordEmbedder()
    await made(url, LARGE, LARGE_SIZE, embedder)
    settings = replace(Settings(), worker="off", index_memory_mb=4096)
    memory = AsyncMemory(url, settings=settings, embedder=embedder)
    dice = random.Random(64)
    await memory.search(question(dice), user=LARGE)
    asked = [question(dice) for _ in range(60)]
    near: dict[str, set[str]] = {}
    exact: dict[str, set[str]] = {}
    near_asked, exact_asked = iter(asked), iter(asked)

    async def ours() -> None:
        text = next(near_asked)
        near[text] = await _hits(memory, text)

    async def yardstick() -> None:
        text, known = next(exact_asked), message_index.LARGE
        message_index.LARGE = 2 * LARGE_SIZE
        exact[text] = await _hits(memory, text)
        message_index.LARGE = known

    taken, measure = await interleaved(len(asked), ours, yardstick)
    await memory.close()
    share = statistics.mean(len(near[text] & exact[text]) / len(exact[text]) for text in asked)
    return Line(
        what=f"recall among {LARGE_SIZE:,} messages by a sketch of their vectors, embedding excluded",
        ours=f"{milliseconds(taken)}, {taken / measure:.2f}×; {share:.1%} of the exact hits",
        yardstick=f"{milliseconds(measure)} (the exact scan)",
        target="≤ 40 ms, ≥ 97 %",
        met=taken <= 0.04 and share >= 0.97,
    )


async def _hits(memory: AsyncMemory, text: str) -> set[str]:
    found = await memory.search(text, user=LARGE, messages=20)
    return {hit.message.message_id for hit in found.messages}
