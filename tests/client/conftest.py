"""The client's tests: `memory` is a client of a service that runs on a fresh database."""

from pathlib import Path

import pytest
from api.conftest import Opener, embedder, meaning, memory, minilm, opener

__all__ = ["Opener", "embedder", "meaning", "memory", "minilm", "opener"]

_SAME = Path(__file__).parent / "same"


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test over HTTP."""
    if "opener" in metafunc.fixturenames:
        metafunc.parametrize("opener", ["client"], indirect=True)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Of the engine's tests, those that ask a memory which may be a client; the others would only run twice."""
    kept: list[pytest.Item] = []
    left: list[pytest.Item] = []
    for item in items:
        asks = _SAME not in item.path.parents or "opener" in getattr(item, "fixturenames", ())
        (kept if asks else left).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = kept
