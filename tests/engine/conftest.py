"""What tests of the engine start from: an empty memory, with a fake model or with the packaged one."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from recollect import Memory, Settings
from recollect.encoder.minilm import MiniLM

from .fakes import FakeClock, MoodyEmbedder

Opener = Callable[..., Memory]


class _Shared(MiniLM):
    """The packaged model for many memories: closing one of them must not close it."""

    async def aclose(self) -> None:
        pass


@pytest.fixture(scope="session")
def minilm() -> MiniLM:
    """The packaged model, loaded once."""
    return _Shared()


@pytest.fixture
def embedder() -> MoodyEmbedder:
    return MoodyEmbedder()


@pytest.fixture
def opener(sqlite_path: Path, clock: FakeClock, embedder: MoodyEmbedder) -> Iterator[Opener]:
    """Opens memories and closes what the test left open."""
    opened: list[Memory] = []

    def open_memory(database: str | Path | None = None, **options: object) -> Memory:
        given = {
            "embedder": embedder,
            "clock": clock,
            "settings": Settings(sqlite_synchronous="normal", judge_model="off"),
            **options,
        }
        memory = Memory(database or sqlite_path, **given)  # type: ignore[arg-type]
        opened.append(memory)
        return memory

    yield open_memory
    for memory in opened:
        memory.close()


@pytest.fixture
def memory(opener: Opener) -> Memory:
    """An empty memory in a file of its own."""
    return opener()


@pytest.fixture
def meaning(opener: Opener, minilm: MiniLM) -> Memory:
    """An empty memory that understands: with the packaged model."""
    return opener(embedder=minilm)
