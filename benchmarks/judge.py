"""What judging costs: by rules alone, through the engine, and for whoever talks meanwhile.

The turns are made-up talk mixed with the labelled dialogues of the package, so that the rules find something and not too
much. Rules are measured beside splitting the same texts into words, the least that any reading takes; the hot path beside
itself, with and without a judge at work in the same process.
"""

import asyncio
import random
import statistics
import time
from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from itertools import chain, cycle
from pathlib import Path
from typing import Any

from benchmarks.facts import CannedEmbedder, question
from benchmarks.filling import fill
from benchmarks.measure import Line, interleaved, milliseconds
from benchmarks.quality.judge_labels import packaged
from benchmarks.talk import turns
from recollect import AsyncMemory, Settings
from recollect.api.memory import open_database
from recollect.engine.curate import curate
from recollect.engine.judge import judge
from recollect.language.judge import judge as judge_by_rules
from recollect.records.judgement import Material
from recollect.records.message import Message, Role

USER = "alice"
CHAT = "talk"
#: Turns that the rules read at once, and the judge's batches of the engine are of the same order.
BATCH = 100
#: Turns judged through the engine, and those of one chat of the backlog.
ENGINE_TURNS = 1_000
BACKLOG_CHATS, BACKLOG_TURNS = 20, 100
#: Turns and contexts in each phase of the hot path, and how often the phases take turns.
PHASE, PHASES = 40, 4
#: Memories of the user whom the curator tidies.
TIDIED = 10_000
#: What goes on meanwhile.
_ALONE = "nothing"
_BEHIND = {_ALONE: "nothing is done", "judge": "a backlog is judged", "curator": "memories are tidied"}
_REPLY = "Thank you, that helps. Shall I go on with the next point, or is there something else on your mind?"


def _talk(count: int, seed: int) -> list[tuple[str, str]]:
    """Turns, what is said and what is answered: every second one of the labelled dialogues, the others made up."""
    said = cycle(
        chain.from_iterable([one.turns[place].text for place in one.utterances()] for one in packaged())
    )
    made = turns(count, random.Random(seed))
    return [
        (next(said), _REPLY) if number % 2 else (spoken, answered)
        for number, (spoken, answered, _) in enumerate(made)
    ]


def _materials(said: list[tuple[str, str]]) -> list[Material]:
    start = datetime(2026, 1, 1, tzinfo=UTC)
    made: list[Material] = []
    for first in range(0, len(said), BATCH):
        both = [
            (role, text)
            for spoken, answered in said[first : first + BATCH]
            for role, text in ((Role.USER, spoken), (Role.ASSISTANT, answered))
        ]
        made.append(
            Material(
                messages=tuple(
                    Message(
                        user_id=USER,
                        message_id=f"{first}-{place}",
                        chat_id=CHAT,
                        position=2 * first + place + 1,
                        role=role,
                        text=text,
                        tokens=len(text) // 4 + 1,
                        importance_score=5.0,
                        created_at=start + timedelta(minutes=first + place),
                    )
                    for place, (role, text) in enumerate(both)
                )
            )
        )
    return made


async def rules_alone() -> Line:
    """Turns a second of the rules, on one core."""
    materials = _materials(_talk(40 * BATCH, 61))
    ours_read, bare_read = cycle(materials), cycle(materials)

    async def ours() -> None:
        judge_by_rules(next(ours_read))

    async def yardstick() -> None:
        for message in next(bare_read).messages:
            message.text.split()

    await interleaved(2, ours, yardstick)
    taken, measure = await interleaved(30, ours, yardstick)
    return Line(
        what="judge turns by rules, one core",
        ours=f"{BATCH / taken:,.0f} turns/s",
        yardstick=f"{BATCH / measure:,.0f} turns/s (splitting the same texts into words)",
        target="≥ 300/s",
        met=BATCH / taken >= 300,
    )


def _messages(said: list[tuple[str, str]], start: datetime) -> list[Mapping[str, Any]]:
    return [
        {"role": role, "text": text, "created_at": start + timedelta(seconds=70 * place)}
        for place, pair in enumerate(said)
        for role, text in zip(("user", "assistant"), pair, strict=True)
    ]


def _memory(path: Path) -> AsyncMemory:
    return AsyncMemory(path, settings=replace(Settings(), worker="off"), embedder=CannedEmbedder())


async def through_the_engine(folder: Path) -> Line:
    """Turns a second from the cursor to stored memories; the yardstick only records the turns."""
    memory = _memory(folder / "judged.db")
    said = _messages(_talk(ENGINE_TURNS, 62), datetime(2026, 1, 1, tzinfo=UTC))
    start = time.perf_counter()
    await memory.chat(CHAT, user=USER).add(said)
    recorded = time.perf_counter() - start
    start = time.perf_counter()
    done = await judge(memory._engine.parts, USER, CHAT)  # pyright: ignore[reportPrivateUsage]
    taken = time.perf_counter() - start
    await memory.close()
    found = f"{done.added:,} memories added, {done.duplicates:,} known already, {done.todos:,} todos"
    return Line(
        what=f"judge {ENGINE_TURNS:,} turns through the engine, memories stored durably, embedding excluded",
        ours=f"{ENGINE_TURNS / taken:,.0f} turns/s; {found}",
        yardstick=f"{ENGINE_TURNS / recorded:,.0f} turns/s (recording them in bulk)",
        target="≥ 300/s",
        met=ENGINE_TURNS / taken >= 300,
    )


async def _judge_backlog(memory: AsyncMemory, chats: Iterator[tuple[bool, str]]) -> None:
    """Judge chat after chat, as the worker would, until it is stopped."""
    for again, chat in chats:
        await judge(memory._engine.parts, "backlog", chat, again=again)  # pyright: ignore[reportPrivateUsage]


async def _curate_again(memory: AsyncMemory) -> None:
    """Tidy another user's memories again and again, as the worker would, until it is stopped."""
    while True:
        await curate(memory._engine.parts, "tidied", dry_run=True)  # pyright: ignore[reportPrivateUsage]


async def hot_path(folder: Path) -> list[Line]:
    """Record a turn and build a context while others' talk is judged, or their memories tidied, in the same process."""
    database = open_database(replace(Settings(), database_url=str(folder / "hot.db")))
    await database.migrate()
    await fill(database, ["tidied"], TIDIED, label=f"{TIDIED:,} memories")
    await database.aclose()
    memory = _memory(folder / "hot.db")
    chats = [f"{CHAT}-{number}" for number in range(BACKLOG_CHATS)]
    for number, name in enumerate(chats):
        said = _messages(_talk(BACKLOG_TURNS, 100 + number), datetime(2026, 1, 1, tzinfo=UTC))
        await memory.chat(name, user="backlog").add(said)
    # Once all is read, it is read again: by then a fast machine has what it wants to know.
    backlog = chain(((False, name) for name in chats), cycle([(True, name) for name in chats]))
    chat, dice = memory.chat(CHAT, user=USER), random.Random(63)
    await chat.add(_messages(_talk(500, 64), datetime(2026, 1, 1, tzinfo=UTC)))
    talk = iter(_talk(len(_BEHIND) * PHASE * PHASES + 100, 65))
    times: dict[tuple[str, str], list[float]] = {
        (what, behind): [] for what in ("record", "context") for behind in _BEHIND
    }
    works = {
        "judge": lambda: _judge_backlog(memory, backlog),
        "curator": lambda: _curate_again(memory),
    }

    async def phase(behind: str, runs: int) -> None:
        work = asyncio.create_task(works[behind]()) if behind in works else None
        await asyncio.sleep(0)
        for _ in range(runs):
            said, answered = next(talk)
            start = time.perf_counter()
            await chat.add(user=said, assistant=answered)
            middle = time.perf_counter()
            await chat.context(question(dice))
            times["record", behind].append(middle - start)
            times["context", behind].append(time.perf_counter() - middle)
        if work is not None:
            assert not work.done(), f"the {behind} stopped while it was measured"
            work.cancel()
            await asyncio.gather(work, return_exceptions=True)

    await phase(_ALONE, 20)
    for taken in times.values():
        taken.clear()
    for _ in range(PHASES):
        for behind in _BEHIND:
            await phase(behind, PHASE)
    await memory.close()
    return [
        _compared(what, behind, times[what, _ALONE], times[what, behind])
        for behind in works
        for what in ("record", "context")
    ]


def _compared(what: str, behind: str, alone: list[float], beside: list[float]) -> Line:
    named = {
        "record": "record a turn of two messages",
        "context": "a context for a question, embedding excluded",
    }
    before, after = statistics.median(alone), statistics.median(beside)
    slowest = [statistics.quantiles(taken, n=20)[-1] for taken in (alone, beside)]
    return Line(
        what=f"{named[what]}, while {_BEHIND[behind]} in the same process",
        ours=f"{milliseconds(after)}, {after / before:.2f}×; 95 %: {milliseconds(slowest[1])}",
        yardstick=f"{milliseconds(before)} (the same without); 95 %: {milliseconds(slowest[0])}",
        target="≤ 1.25×",
        met=after / before <= 1.25,
    )


async def judging(folder: Path) -> list[Line]:
    """Every measurement of the judge."""
    return [await rules_alone(), await through_the_engine(folder), *(await hot_path(folder))]
