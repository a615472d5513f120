"""Idempotency: who begins a request, who waits, and when a key is free; on both databases."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest
from conftest import FakeClock, FakeEmbedder

from recollect import AsyncMemory, InvalidInput, Settings
from recollect.api.hosting import Service, service_of
from recollect.engine.idempotency import Earlier

T = TypeVar("T")


@pytest.fixture
def run(database_url: str, clock: FakeClock) -> Callable[[Callable[[Service], Awaitable[T]]], T]:
    """Runs work over a fresh database."""

    def running(work: Callable[[Service], Awaitable[T]]) -> T:
        async def opened() -> T:
            settings = Settings(database_url=database_url, worker="off")
            async with AsyncMemory(settings=settings, embedder=FakeEmbedder(), clock=clock) as memory:
                return await work(service_of(memory))

        return asyncio.run(opened())

    return running


def test_a_request_and_its_answer(run: Callable[..., None], clock: FakeClock) -> None:
    """Begun once, under way for the second, answered for the third; a day later it is new."""

    async def work(running: Service) -> None:
        assert await running.begin("ann", "k", "h") is None
        assert await running.begin("ann", "k", "h") == Earlier(same=True, answer=None)
        assert await running.begin("ann", "k", "other") == Earlier(same=False, answer=None)
        assert await running.begin("bob", "k", "h") is None
        await running.keep("ann", "k", "h", '{"a": 1}')
        assert await running.begin("ann", "k", "h") == Earlier(same=True, answer='{"a": 1}')
        clock.move(hours=23)
        assert await running.begin("ann", "k", "other") == Earlier(same=False, answer='{"a": 1}')
        clock.move(hours=2)
        assert await running.begin("ann", "k", "other") is None

    run(work)


def test_a_key_that_was_let_go(run: Callable[..., None]) -> None:
    """A request without an answer to keep leaves its key to the next one."""

    async def work(running: Service) -> None:
        assert await running.begin("ann", "k", "h") is None
        await running.release("ann", "k", "h")
        assert await running.begin("ann", "k", "other") is None

    run(work)


def test_taken_over(run: Callable[..., None], clock: FakeClock) -> None:
    """After a minute of silence another takes over; what the silent one says then changes nothing of another request."""

    async def work(running: Service) -> None:
        assert await running.begin("ann", "k", "h") is None
        clock.move(seconds=45)
        await running.renew("ann", "k", "h")
        clock.move(seconds=45)
        assert await running.begin("ann", "k", "h") == Earlier(same=True, answer=None)
        clock.move(seconds=16)
        assert await running.begin("ann", "k", "other") is None
        await running.keep("ann", "k", "h", '"late"')
        await running.release("ann", "k", "h")
        assert await running.begin("ann", "k", "other") == Earlier(same=True, answer=None)

    run(work)


def test_at_once(run: Callable[..., None]) -> None:
    """Of twenty at the same time one begins."""

    async def work(running: Service) -> None:
        begun = await asyncio.gather(*(running.begin("ann", "k", "h") for _ in range(20)))
        assert begun.count(None) == 1

    run(work)


def test_forgotten_meanwhile(run: Callable[..., None]) -> None:
    """An answer whose row went in between is not put back."""

    async def work(running: Service) -> None:
        assert await running.begin("ann", "k", "h") is None
        await running.release("ann", "k", "h")
        await running.keep("ann", "k", "h", '"late"')
        assert await running.begin("ann", "k", "h") is None

    run(work)


def test_pruned(run: Callable[..., None], clock: FakeClock) -> None:
    """What no longer counts goes, of everybody."""

    async def work(running: Service) -> None:
        for user in ("ann", "bob"):
            await running.begin(user, "k", "h")
        assert await running.prune() == 0
        clock.move(hours=25)
        assert await running.prune() == 2

    run(work)


@pytest.mark.parametrize("key", ["", "a b", "\x7f", "ä", "x" * 256])
def test_bad_keys(run: Callable[..., None], key: str) -> None:
    """A key is 1 to 255 visible ASCII characters."""

    async def work(running: Service) -> None:
        with pytest.raises(InvalidInput, match="Idempotency-Key"):
            await running.begin("ann", key, "h")

    run(work)
