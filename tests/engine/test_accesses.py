"""Accesses: uses are counted without delaying an answer, and never at the price of one."""

import asyncio
import logging
import sqlite3
import time
from pathlib import Path

import pytest
from patience import LIMIT

from recollect import AsyncMemory, Memory
from recollect.engine import accesses

from .conftest import Opener
from .conversing import flush
from .fakes import FakeClock, MoodyEmbedder


def test_a_use_is_counted(memory: Memory, clock: FakeClock) -> None:
    """Each recall that returns a memory counts once and notes the time; other memories are not counted."""
    used = memory.add("User keeps bees behind the house").memory
    other = memory.add("User owns a telescope in the attic").memory
    later = clock.move(hours=3)
    for _ in range(3):
        memory.search("bees house", limit=1)
    flush(memory)
    after = memory.get(used.memory_id)
    assert (after.access_count, after.last_accessed) == (3, later)
    assert memory.get(other.memory_id) == other


def test_a_use_is_no_change(memory: Memory) -> None:
    """Counting writes no history, does not touch `updated_at` and does not disturb the index."""
    stored = memory.add("User keeps bees behind the house").memory
    memory.search("bees")
    flush(memory)
    assert len(memory.history(stored.memory_id)) == 1
    assert memory.get(stored.memory_id).updated_at == stored.updated_at
    assert len(memory.search("bees").hits) == 1


def test_uses_are_written_by_themselves(memory: Memory, monkeypatch: pytest.MonkeyPatch) -> None:
    """A moment later the count is in the store, without anybody asking."""
    monkeypatch.setattr(accesses, "DELAY", 0.01)
    stored = memory.add("User keeps bees behind the house").memory
    memory.search("bees")
    deadline = time.monotonic() + LIMIT
    while memory.get(stored.memory_id).access_count == 0:
        assert time.monotonic() < deadline
        time.sleep(0.01)


def test_closing_writes_the_rest(opener: Opener) -> None:
    """What was gathered when the memory is closed is not lost."""
    memory = opener()
    stored = memory.add("User keeps bees behind the house").memory
    memory.search("bees")
    memory.close()
    assert opener().get(stored.memory_id).access_count == 1


def test_counts_of_two_memories_add_up(memory: Memory, opener: Opener) -> None:
    """Two processes that both count lose nothing of each other."""
    stored = memory.add("User keeps bees behind the house").memory
    other = opener()
    for _ in range(2):
        memory.search("bees")
        other.search("bees")
    flush(memory)
    flush(other)
    assert memory.get(stored.memory_id).access_count == 4


def test_an_answer_does_not_wait_for_the_count(
    sqlite_path: Path, embedder: MoodyEmbedder, clock: FakeClock
) -> None:
    """While another process holds the write lock, recall still answers at once; the loss is logged, not raised."""

    async def work() -> int:
        async with AsyncMemory(sqlite_path, embedder=embedder, clock=clock) as memory:
            await memory.add("User keeps bees behind the house")
            blocker = sqlite3.connect(sqlite_path, isolation_level=None)
            blocker.execute("BEGIN IMMEDIATE")
            # The lock is let go only after the answer: a recall that waited for it would wait for ever.
            hits = len((await memory.search("bees")).hits)
            blocker.execute("ROLLBACK")
            blocker.close()
            return hits

    assert asyncio.run(work()) == 1


def test_a_count_that_cannot_be_written_is_logged(
    opener: Opener, sqlite_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Statistics that fail make a line in the log and no error for anybody."""
    monkeypatch.setattr("recollect.store.sqlite.BUSY_TIMEOUT_SECONDS", 0.1)
    memory = opener()
    memory.add("User keeps bees behind the house")
    memory.search("bees")
    blocker = sqlite3.connect(sqlite_path, isolation_level=None)
    blocker.execute("BEGIN IMMEDIATE")
    try:
        with caplog.at_level(logging.WARNING):
            flush(memory)
    finally:
        blocker.execute("ROLLBACK")
        blocker.close()
    assert "accesses.not_counted" in caplog.text
