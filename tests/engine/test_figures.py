"""Figures: how the whole store does, on both databases."""

import asyncio

from conftest import FakeClock, FakeEmbedder

from recollect import AsyncMemory, Settings
from recollect.api.hosting import service_of


def test_figures_of_everybody(database_url: str, clock: FakeClock) -> None:
    """Everything is counted over all users, and nothing names one."""

    async def work() -> None:
        settings = Settings(database_url=database_url, worker="off", judge_model="off", index_memory_mb=7)
        async with AsyncMemory(settings=settings, embedder=FakeEmbedder(), clock=clock) as memory:
            assert (await service_of(memory).stored()).memories == {}
            for user in ("ann", "bob"):
                await memory.add("I prefer dark mode in editors", user=user)
                await memory.chat("lunch", user=user).add(user="We had soup for lunch")
            await memory.search("dark mode", user="ann")
            stored = await service_of(memory).stored()
            assert (stored.memories, stored.users, stored.chats, stored.messages) == ({"ACTIVE": 2}, 2, 2, 2)
            assert stored.size_bytes > 0
            figures = await service_of(memory).figures()
            assert figures.jobs.counts["pending"]["index_messages"] == 2
            assert 0 < figures.index_bytes < figures.index_limit_bytes == 7 * 2**20
            assert figures.spent.tokens == 0

    asyncio.run(work())
