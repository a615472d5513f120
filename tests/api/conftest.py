"""The face's tests start from what the engine's tests start from, and run twice: on `Memory`, and on `Client` over HTTP.

A test of what only a process with an engine has is marked `in_process`, and runs once.
"""

from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from engine.conftest import Opener, embedder, meaning, memory, minilm
from engine.fakes import FakeClock, MoodyEmbedder
from serving import SERVICE_KEY, serving

from recollect import Client, Memory, Settings

__all__ = ["Opener", "embedder", "meaning", "memory", "minilm", "opener"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Each test on both faces, unless it is about one."""
    if "opener" in metafunc.fixturenames:
        once = metafunc.definition.get_closest_marker("in_process")
        metafunc.parametrize("opener", ["memory"] if once else ["memory", "client"], indirect=True)


@pytest.fixture
def opener(
    request: pytest.FixtureRequest, sqlite_path: Path, clock: FakeClock, embedder: MoodyEmbedder
) -> Iterator[Opener]:
    """Opens memories, or services with clients of them, and closes what the test left open."""
    with ExitStack() as opened:

        def open_memory(database: str | Path | None = None, **options: Any) -> Any:
            given = {
                "embedder": embedder,
                "clock": clock,
                "settings": Settings(sqlite_synchronous="normal", judge_model="off"),
                **options,
            }
            if request.param == "memory":
                return opened.enter_context(Memory(database or sqlite_path, **given))
            given["settings"] = replace(given["settings"], requests_per_minute=0)
            service = opened.enter_context(serving(database or sqlite_path, **given))
            client = opened.enter_context(Client(service.url, service_key=SERVICE_KEY, retry_waits=()))
            # For tests that let a fake write: the memory behind the service.
            client.behind = service.memory  # type: ignore[attr-defined]
            return client

        yield open_memory
