"""The client's tests: `memory` is a client of a service that runs on a fresh database."""

import pytest
from api.conftest import Opener, embedder, meaning, memory, minilm, opener

__all__ = ["Opener", "embedder", "meaning", "memory", "minilm", "opener"]


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Every test over HTTP."""
    if "opener" in metafunc.fixturenames:
        metafunc.parametrize("opener", ["client"], indirect=True)
