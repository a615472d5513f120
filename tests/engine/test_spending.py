"""Spending: one account a day for a whole deployment."""

import asyncio

from recollect import AsyncMemory, Settings
from recollect.admin import AsyncAdmin
from recollect.engine.spending import Spending

from .fakes import FakeClock, FakeEmbedder

_SETTINGS = Settings(sqlite_synchronous="normal", judge_model="off", judge_daily_tokens=100)


def test_the_cap_is_everybodys(database_url: str, clock: FakeClock) -> None:
    """What one process spends counts for the other; at the cap nobody may go on, and the next day starts anew."""

    async def run() -> None:
        async with (
            AsyncMemory(database_url, settings=_SETTINGS, embedder=FakeEmbedder(), clock=clock) as one,
            AsyncMemory(database_url, settings=_SETTINGS, embedder=FakeEmbedder(), clock=clock) as two,
        ):
            await AsyncAdmin(two).users()
            first, second = (
                Spending(memory._engine.parts.database, clock, purpose="judge", cap=100)
                for memory in (one, two)
            )
            assert await first.allowed()
            await first.note("tiny", prompt_tokens=70, completion_tokens=20, failed=False)
            assert await second.allowed()
            await second.note("tiny", prompt_tokens=10, completion_tokens=0, failed=True)
            assert not await first.allowed()
            spent = (await AsyncAdmin(one).metrics()).spent
            assert (spent.calls, spent.failures, spent.tokens, spent.cap, spent.exhausted) == (
                2,
                1,
                100,
                100,
                True,
            )
            clock.move(days=1)
            assert await first.allowed()
            assert (await AsyncAdmin(one).metrics()).spent.tokens == 0

    asyncio.run(run())


def test_no_cap(database_url: str, clock: FakeClock) -> None:
    """A cap of 0 is none."""

    async def run() -> None:
        async with AsyncMemory(
            database_url, settings=_SETTINGS, embedder=FakeEmbedder(), clock=clock
        ) as memory:
            account = Spending(memory._engine.parts.database, clock, purpose="judge", cap=0)
            await account.note("tiny", prompt_tokens=10**9, completion_tokens=1, failed=False)
            assert await account.allowed()

    asyncio.run(run())
