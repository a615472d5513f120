"""What tests of the service start from: one that runs, with keys, and one in local mode.

`service` is shared by the tests of a file, because a start costs more than a request: tests keep apart by their users
(`user` is a fresh name). `local_service` is each test's own.
"""

import itertools
from collections.abc import Iterator
from pathlib import Path

import pytest
from conftest import FakeEmbedder
from serving import Http, Service, serving

_NUMBERS = itertools.count(1)


@pytest.fixture(scope="module")
def service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """A service with keys over a SQLite file, on the clock of the machine."""
    with serving(tmp_path_factory.mktemp("service") / "memory.db", embedder=FakeEmbedder()) as running:
        yield running


@pytest.fixture
def local_service(tmp_path: Path) -> Iterator[Service]:
    """A service in local mode."""
    with serving(tmp_path / "memory.db", local=True, embedder=FakeEmbedder()) as running:
        yield running


@pytest.fixture
def user() -> str:
    """The name of a user whom nobody else has."""
    return f"user-{next(_NUMBERS)}@example.com"


@pytest.fixture
def http(service: Service, user: str) -> Http:
    """A client that acts for the fresh user."""
    return service.http(user)
