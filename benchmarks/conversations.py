"""What conversations cost: recording, contexts, folds and jobs, each beside what it is compared with.

The long chats are recorded in bulk and folded by the worker before anything is measured, as they would be in life. The
embedder gives vectors at no cost; what embedding one question takes with the model in the package is measured beside.
"""

import asyncio
import random
import sqlite3
import statistics
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path

from rich.progress import track

from benchmarks import episodes
from benchmarks.facts import CannedEmbedder, question
from benchmarks.filling import fill
from benchmarks.measure import Line, interleaved, milliseconds
from benchmarks.talk import messages, turns
from recollect import AsyncMemory, Settings
from recollect.api.memory import open_database
from recollect.encoder import tokens
from recollect.encoder.minilm import MiniLM
from recollect.engine.fold import fold
from recollect.records.job import Job
from recollect.worker.worker import Outcome

MEMORIES = 10_000
#: The two users, and the messages of the one chat that each has.
SHORT, LONG = "short", "long"
SIZES = {SHORT: 10_000, LONG: 100_000}
CHAT = "talk"
#: Turns recorded by one call in bulk.
BATCH = 2_000
#: Seconds that the worker gets for what a chat of 100,000 messages leaves to do.
PATIENCE = 1800.0

_COLUMNS = (
    "user_id message_id chat_id position role text model_id model_variant token_usage tokens importance_score "
    "session_id created_at"
).split()


class _BareTable:
    """The yardstick of recording: the same columns and the same durability, and nothing that follows from a turn."""

    def __init__(self, path: Path) -> None:
        self._raw = sqlite3.connect(path, isolation_level=None)
        self._raw.execute("PRAGMA journal_mode = WAL")
        self._raw.execute("PRAGMA synchronous = FULL")
        self._raw.execute(f"CREATE TABLE messages ({', '.join(_COLUMNS)}, PRIMARY KEY (user_id, message_id))")
        self._number = 0

    def insert(self, said: Sequence[tuple[str, str]]) -> None:
        rows: list[tuple[object, ...]] = []
        for role, text in said:
            self._number += 1
            place = (SHORT, f"{self._number:013d}-0000", CHAT, self._number, role, text)
            rows.append((*place, None, None, None, 40, 5.0, "session", "2025-01-01T00:00:00.000Z"))
        self._raw.execute("BEGIN IMMEDIATE")
        self._raw.executemany(f"INSERT INTO messages VALUES ({', '.join('?' * len(_COLUMNS))})", rows)
        self._raw.execute("COMMIT")

    def close(self) -> None:
        self._raw.close()


def _memory(path: Path, *, worker: str) -> AsyncMemory:
    return AsyncMemory(path, settings=replace(Settings(), worker=worker), embedder=CannedEmbedder())


# -- the long chats ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Made:
    """What it took to make a long chat."""

    recorded: float
    worked: float
    folds: int


async def _make(path: Path, name: str) -> _Made:
    """A user with 10,000 memories and one long chat, folded to its end, with all else that follows from it."""
    database = open_database(replace(Settings(), database_url=str(path)))
    await database.migrate()
    await fill(database, [name], MEMORIES, label="10,000 memories")
    await database.aclose()
    count = SIZES[name]
    said = messages(count // 2, random.Random(31))
    memory = _memory(path, worker="off")
    start = time.perf_counter()
    for first in track(range(0, count, 2 * BATCH), description=f"{count:,} messages", transient=True):
        await memory.chat(CHAT, user=name).add(said[first : first + 2 * BATCH])
    recorded = time.perf_counter() - start
    await memory.close()
    memory = _memory(path, worker="on")
    start = time.perf_counter()
    done = await memory.drain(user=name, timeout=PATIENCE)
    worked = time.perf_counter() - start
    assert done, "the worker was not done in time"
    folds = len(await memory.chat(CHAT, user=name).summaries())
    await memory.close()
    return _Made(recorded=recorded, worked=worked, folds=folds)


def _worked(name: str, made: _Made) -> Line:
    """Where the time goes before a long import can be used: told, not judged."""
    rate = SIZES[name] / made.worked
    return Line(
        what=f"everything that {SIZES[name]:,} imported messages leave to do: folds, sessions, summaries, spines",
        ours=f"{made.worked:.1f} s, {rate:,.0f} messages/s, {made.folds:,} folds",
        yardstick=f"{made.recorded:.1f} s (recording them)",
    )


# -- contexts ---------------------------------------------------------------------------------------------


async def contexts(path: Path) -> list[Line]:
    """The context of a question in a chat of 10,000 messages, and in one of 100,000, beside a recall alone."""
    memory, embedder = _memory(path, worker="off"), MiniLM()
    dice = random.Random(41)
    asked = [question(dice) for _ in range(2000)]
    questions = {name: iter(asked) for name in ("short", "long", "recall", "embed")}

    async def short() -> None:
        await memory.chat(CHAT, user=SHORT).context(next(questions["short"]))

    async def long() -> None:
        await memory.chat(CHAT, user=LONG).context(next(questions["long"]))

    async def yardstick() -> None:
        await memory.search(next(questions["recall"]), user=SHORT)

    async def embedding() -> None:
        await embedder.embed([next(questions["embed"])])

    works = (short, long, yardstick, embedding)
    await interleaved(40, *works)
    taken, grown, recalled, embedded = await interleaved(400, *works)
    saved = [await _saved(memory, name) for name in SIZES]
    await memory.close()
    await embedder.aclose()
    return [
        Line(
            what="a context for a question in a chat of 10,000 messages, 10,000 memories, embedding excluded",
            ours=f"{milliseconds(taken)}, {taken / recalled:.1f}×",
            yardstick=f"{milliseconds(recalled)} (the recall alone); embedding the question: {milliseconds(embedded)}",
            target="≤ 10 ms",
            met=taken <= 0.01,
        ),
        Line(
            what="the same in a chat of 100,000 messages, all of which are searched",
            ours=f"{milliseconds(grown)}, {grown / taken:.2f}×",
            yardstick="the line above",
            target="≤ 1.3×",
            met=grown / taken <= 1.3,
        ),
        *saved,
    ]


async def recalls(path: Path) -> list[Line]:
    """Finding past messages in the two long chats."""
    url = str(path)
    return [
        await episodes.recall_messages(url, SHORT, SIZES[SHORT], milliseconds_allowed=6, where=""),
        await episodes.recall_messages(url, LONG, SIZES[LONG], milliseconds_allowed=25, where=""),
        await episodes.found_at_once(url, SHORT),
        await episodes.cold_messages(url, LONG, SIZES[LONG]),
        await episodes.large(path.parent),
    ]


async def _saved(memory: AsyncMemory, name: str) -> Line:
    """What the next turn costs with a context and with everything that was said."""
    chat = memory.chat(CHAT, user=name)
    stats = await chat.stats()
    context = await chat.context(question(random.Random(43)))
    whole = stats.total_tokens
    return Line(
        what=f"tokens of a context at the end of {SIZES[name]:,} messages",
        ours=f"{context.tokens:,}, {1 - context.tokens / whole:.1%} saved",
        yardstick=f"{whole:,} (the whole history)",
    )


async def tokens_of_a_talk(folder: Path) -> Line:
    """A chat of 300 turns with a context before each answer, against sending all that was said each time."""
    memory = _memory(folder / "saved.db", worker="on")
    chat = memory.chat(CHAT, user=SHORT)
    with_context = with_history = history = 0
    moment = datetime.now(UTC) - timedelta(days=3)
    for said, answered, at in turns(300, random.Random(44), moment):
        await chat.add(user=said, created_at=at)
        history += tokens.count(said)
        with_context += (await chat.context()).tokens
        with_history += history
        await chat.add(assistant=answered, created_at=at)
        history += tokens.count(answered)
        await memory.drain(user=SHORT, timeout=60)
    await memory.close()
    share = 1 - with_context / with_history
    return Line(
        what="tokens sent in a talk of 300 turns, a context for each",
        ours=f"{with_context:,}, {share:.0%} saved",
        yardstick=f"{with_history:,} (the whole history each time)",
    )


_COLD = """
import asyncio, sys, time
started = time.perf_counter()
from recollect import AsyncMemory
from recollect.encoder.minilm import MiniLM

async def main():
    memory = AsyncMemory(sys.argv[1])
    memory._engine.parts.embedders._open["canned"] = MiniLM()
    await memory.chat(sys.argv[3], user=sys.argv[2]).context("Who keeps the blue kettle in Porto?")
    print(time.perf_counter() - started)
    began = time.perf_counter()
    await memory.chat(sys.argv[3], user=sys.argv[2]).context("Who sold the green canoe in Oslo?")
    print(time.perf_counter() - began)

asyncio.run(main())
"""


def cold_context(path: Path) -> Line:
    """The first context of a process: imports, embedder, tokenizer, the index of 10,000 memories and the chat."""
    first: list[float] = []
    second: list[float] = []
    for _ in range(5):
        command = [sys.executable, "-c", _COLD, str(path), SHORT, CHAT]
        printed = subprocess.run(command, check=True, capture_output=True, text=True).stdout.split()
        first.append(float(printed[0]))
        second.append(float(printed[1]))
    return Line(
        what="the first context of a process: imports, embedder, tokenizer and index included",
        ours=milliseconds(statistics.median(first)),
        yardstick=f"{milliseconds(statistics.median(second))} (its second one, embedding included)",
    )


# -- recording --------------------------------------------------------------------------------------------


async def record_turn(path: Path, folder: Path) -> Line:
    """Record turns in the chat of 10,000 messages; from the fiftieth new one on each call also asks for a fold."""
    memory, bare = _memory(path, worker="off"), _BareTable(folder / "bare.db")
    chat = memory.chat(CHAT, user=SHORT)
    said = [(said, answered) for said, answered, _ in turns(700, random.Random(21))]
    ours_said, bare_said = iter(said), iter(said)

    async def ours() -> None:
        words, answer = next(ours_said)
        await chat.add(user=words, assistant=answer)

    async def yardstick() -> None:
        words, answer = next(bare_said)
        bare.insert([("user", words), ("assistant", answer)])

    await interleaved(100, ours, yardstick)
    taken, measure = await interleaved(600, ours, yardstick)
    await memory.close()
    bare.close()
    return Line(
        what="record a turn of two messages in a chat of 10,000, durably",
        ours=f"{milliseconds(taken)}, {taken / measure:.1f}×",
        yardstick=f"{milliseconds(measure)} (the bare inserts)",
        target="≤ 2 ms",
        met=taken <= 0.002,
    )


async def record_many(folder: Path) -> Line:
    """Import a chat, two thousand turns a call."""
    memory, bare = _memory(folder / "import.db", worker="off"), _BareTable(folder / "bare-import.db")
    dice, start = random.Random(22), datetime(2025, 1, 1, tzinfo=UTC)
    parcels = [messages(BATCH, dice, start + timedelta(days=30 * number)) for number in range(10)]
    ours_parcels, bare_parcels = iter(parcels), iter(parcels)

    async def ours() -> None:
        await memory.chat(CHAT, user=SHORT).add(next(ours_parcels))

    async def yardstick() -> None:
        bare.insert([(item["role"], item["text"]) for item in next(bare_parcels)])

    await interleaved(1, ours, yardstick)
    taken, measure = await interleaved(9, ours, yardstick)
    await memory.close()
    bare.close()
    return Line(
        what=f"record in bulk, {BATCH:,} turns a call, durably, without embedding",
        ours=f"{BATCH / taken:,.0f} turns/s, {taken / measure:.1f}×",
        yardstick=f"{BATCH / measure:,.0f} turns/s (the bare inserts)",
        target="≥ 5,000/s",
        met=BATCH / taken >= 5000,
    )


# -- behind -----------------------------------------------------------------------------------------------


async def folds(folder: Path) -> Line:
    """Fold a backlog by rules, one fold at a time; the yardstick only counts the tokens of as many messages."""
    memory = _memory(folder / "folds.db", worker="off")
    said = messages(5000, random.Random(51))
    for first in range(0, len(said), 2 * BATCH):
        await memory.chat(CHAT, user=SHORT).add(said[first : first + 2 * BATCH])
    folded: list[int] = []
    texts = iter(item["text"] for item in said)

    async def ours() -> None:
        done = await fold(memory._engine.parts, SHORT, CHAT)  # pyright: ignore[reportPrivateUsage]
        assert done is not None
        folded.append(done.message_count)

    async def yardstick() -> None:
        for _ in range(folded[-1]):
            tokens.count(next(texts))

    taken, measure = await interleaved(50, ours, yardstick)
    await memory.close()
    return Line(
        what=f"fold {statistics.mean(folded):.0f} messages into a brief by rules, from a backlog of 10,000",
        ours=f"{1 / taken:.0f} folds/s, {milliseconds(taken)}",
        yardstick=f"{milliseconds(measure)} (counting their tokens)",
    )


async def job_start(folder: Path) -> Line:
    """From the moment that a turn's job is durable until it is begun: by a worker that is rung for, and by one that polls."""
    memory = _memory(folder / "start.db", worker="on")
    moments: list[float] = []
    begun = asyncio.Event()
    worker, parts = memory._engine.worker, memory._engine.parts  # pyright: ignore[reportPrivateUsage]
    ring, handlers = parts.bell.heard, worker._handlers  # pyright: ignore[reportPrivateUsage]
    fold_all = handlers["fold"]

    async def noted(job: Job) -> Outcome:
        moments.append(time.perf_counter())
        begun.set()
        return await fold_all(job)

    def recorded(rung: bool) -> None:
        moments.append(time.perf_counter())
        if rung:
            ring()

    handlers["fold"] = noted  # type: ignore[index]  # read-only by its type alone
    waited: dict[bool, list[float]] = {True: [], False: []}
    for number in range(40):
        rung = number % 2 == 0
        parts.bell.heard = partial(recorded, rung)
        said = messages(26, random.Random(number), datetime.now(UTC) - timedelta(minutes=31))
        moments.clear()
        begun.clear()
        await memory.chat(f"{CHAT}-{number}", user=SHORT).add(said)
        # Before `drain`, which wakes the worker.
        await begun.wait()
        await memory.drain(user=SHORT, timeout=30)
        waited[rung].append(moments[1] - moments[0])
    await memory.close()
    return Line(
        what="a job begins after the turn that caused it was recorded, worker in the same process",
        ours=milliseconds(statistics.median(waited[True])),
        yardstick=f"{milliseconds(statistics.median(waited[False]))} (a worker that only polls, as in another process)",
    )


async def conversations(folder: Path) -> list[Line]:
    """Every measurement of conversations; the two long chats are made first and grow last."""
    path = folder / "conversations.db"
    made = {name: await _make(path, name) for name in SIZES}
    lines = await contexts(path)
    lines += await recalls(path)
    lines.append(cold_context(path))
    lines.append(await record_turn(path, folder))
    lines.append(await record_many(folder))
    lines.append(await folds(folder))
    lines.append(await job_start(folder))
    lines.append(await tokens_of_a_talk(folder))
    return [*lines, *(_worked(name, made[name]) for name in SIZES)]
