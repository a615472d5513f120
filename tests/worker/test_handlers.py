"""What each kind of job does, from the outbox to the result, and twice without harm."""

import asyncio
from pathlib import Path

import pytest
from conftest import FakeClock, FakeEmbedder

from recollect import AsyncMemory, Settings
from recollect.admin import AsyncAdmin
from recollect.engine import index_messages as indexing
from recollect.records.job import Job, JobKind
from recollect.store import jobs
from recollect.worker import handlers as handling
from recollect.worker.handlers import handlers, providers
from recollect.worker.worker import Again

from .conftest import until


def test_every_kind_has_a_handler(sqlite_path: Path) -> None:
    """No kind of job is left without anybody who does it."""

    async def run() -> None:
        async with AsyncMemory(sqlite_path, embedder=FakeEmbedder()) as memory:
            assert set(handlers(memory._engine.parts)) == set(JobKind)

    asyncio.run(run())


def test_work_that_asks_a_model_waits_for_it_apart(sqlite_path: Path) -> None:
    """By rules and with the packaged embedder no kind of job waits for a provider; each model has slots of its own."""

    async def run() -> None:
        async with AsyncMemory(sqlite_path) as memory:
            assert providers(memory._engine.parts) == {}
        models = Settings(judge_model="j", summarizer_model="s", embedding_model="e")
        async with AsyncMemory(sqlite_path, settings=models) as memory:
            assert providers(memory._engine.parts) == {
                JobKind.INDEX_MESSAGES: "embedder",
                JobKind.JUDGE: "judge",
                JobKind.REDERIVE: "judge",
                JobKind.FOLD: "summariser",
                JobKind.SUMMARISE_SESSION: "summariser",
                JobKind.ROLLING_SUMMARY: "summariser",
                JobKind.SPINE: "summariser",
            }

    asyncio.run(run())


def test_work_that_somebody_waits_for_is_in_a_hurry(sqlite_path: Path) -> None:
    """As long as somebody waits in `drain`, background work does not rest."""

    async def run() -> None:
        settings = Settings(worker="off", sqlite_synchronous="normal")
        async with AsyncMemory(sqlite_path, settings=settings, embedder=FakeEmbedder()) as memory:
            await memory.chat("c", user="ann").add(user="Hello.")
            hurried = memory._engine.parts.presence.hurried
            assert not hurried()
            waiting = asyncio.create_task(memory.drain(user="ann", timeout=60))
            await until(hurried)
            waiting.cancel()
            await asyncio.wait([waiting])
            assert not hurried()

    asyncio.run(run())


def test_a_long_backlog_is_folded_in_turns(
    sqlite_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After so many folds of a chat the job lets others go first, and goes on where it was."""
    monkeypatch.setattr(handling, "FOLDS_A_TURN", 1)

    async def run() -> None:
        settings = Settings(worker="off", sqlite_synchronous="normal")
        async with AsyncMemory(
            sqlite_path, settings=settings, embedder=FakeEmbedder(), clock=clock
        ) as memory:
            chat = memory.chat("c", user="ann")
            await chat.add(
                [{"role": "user", "text": f"I walked {number} km. " * 60} for number in range(200)]
            )
            (job,) = [job for job in await AsyncAdmin(memory).jobs(user="ann") if job.kind == JobKind.FOLD]
            do = handlers(memory._engine.parts)[JobKind.FOLD]
            folds = 0
            while await do(job) == Again(at=clock.now):
                folds += 1
                assert len(await chat.summaries()) == folds
            assert folds > 1

    asyncio.run(run())


def test_each_job_can_be_done_twice(sqlite_path: Path, clock: FakeClock) -> None:
    """Doing all the work that a conversation leaves, and doing it again, gives the same summaries."""

    async def run() -> None:
        settings = Settings(worker="off", sqlite_synchronous="normal")
        async with AsyncMemory(
            sqlite_path, settings=settings, embedder=FakeEmbedder(), clock=clock
        ) as memory:
            chat = memory.chat("c", user="ann")
            for number in range(25):
                clock.move(seconds=1)
                await chat.add(user=f"I live in Graz, house {number}.", assistant="I see.")
            first = (await chat.messages(limit=50))[0].message_id
            await memory.edit(first, "I live in Vienna.", user=chat.user_id)
            clock.move(minutes=31)
            do = handlers(memory._engine.parts)

            async def waiting() -> list[Job]:
                return await memory._engine.parts.database.read("ann", lambda tx: jobs.of_user(tx, "ann"))

            work = {job.kind: job for job in await waiting()}
            assert set(work) == set(JobKind) - {JobKind.SUMMARISE_SESSION, JobKind.CURATE}
            for _ in range(2):
                for kind in (
                    JobKind.FOLD,
                    JobKind.CLOSE_SESSION,
                    JobKind.ROLLING_SUMMARY,
                    JobKind.SPINE,
                    JobKind.REDERIVE,
                    JobKind.INDEX_MESSAGES,
                    JobKind.JUDGE,
                ):
                    assert await do[kind](work[kind]) is None
                (closed,) = [job for job in await waiting() if job.kind == JobKind.SUMMARISE_SESSION]
                await do[JobKind.SUMMARISE_SESSION](closed)
            (segment,) = await chat.summaries()
            assert segment.message_count == 44
            assert len((await memory.state(user="ann", revisions=True)).rolling_summaries) == 1
            (past,) = await memory.sessions(user="ann")
            assert past.summary is not None
            assert "Vienna" in str(await memory.spine(user="ann"))
            stats = await memory.stats(user="ann")
            assert (stats.messages_waiting, stats.messages_unjudged) == (0, 0)

    asyncio.run(run())


def test_a_session_that_goes_on_is_looked_at_again(sqlite_path: Path, clock: FakeClock) -> None:
    """Closing too early is no failure: the job says when to look again, 30 minutes after the last word."""

    async def run() -> None:
        settings = Settings(worker="off", sqlite_synchronous="normal")
        async with AsyncMemory(
            sqlite_path, settings=settings, embedder=FakeEmbedder(), clock=clock
        ) as memory:
            chat = memory.chat("c", user="ann")
            await chat.add(user="Hello.")
            began = clock.now
            clock.move(minutes=20)
            await chat.add(user="Still here.")
            (job,) = [
                job for job in await AsyncAdmin(memory).jobs(user="ann") if job.kind == JobKind.CLOSE_SESSION
            ]
            assert (job.run_at - began).total_seconds() == 30 * 60
            clock.move(minutes=10)
            again = await handlers(memory._engine.parts)[JobKind.CLOSE_SESSION](job)
            assert again == Again(at=clock.move(minutes=20))

    asyncio.run(run())


def test_a_long_history_is_indexed_in_turns(
    database_url: str, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """After so many messages the job lets others go first; waiting for the work waits for all of its turns."""
    monkeypatch.setattr(handling, "MESSAGES_A_TURN", 20)
    monkeypatch.setattr(indexing, "BATCH", 10)

    async def run() -> None:
        settings = Settings(worker="off", sqlite_synchronous="normal")
        async with AsyncMemory(
            database_url, settings=settings, embedder=FakeEmbedder(), clock=clock
        ) as memory:
            said = [{"role": "user", "text": f"Number {number}."} for number in range(45)]
            await memory.chat("c", user="ann").add(said)
            (job,) = [
                job for job in await AsyncAdmin(memory).jobs(user="ann") if job.kind == JobKind.INDEX_MESSAGES
            ]
            do = handlers(memory._engine.parts)[JobKind.INDEX_MESSAGES]
            assert await do(job) == Again(at=clock.now)
            assert (await memory.stats(user="ann")).messages_waiting == 25
        async with AsyncMemory(database_url, embedder=FakeEmbedder(), clock=clock) as memory:
            assert await memory.drain(user="ann")
            assert (await memory.stats(user="ann")).messages_waiting == 0

    asyncio.run(run())
