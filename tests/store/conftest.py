"""What tests of the store start from: a database that can be called without an event loop."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from typing import TypeVar

import pytest

from recollect.store.database import Connection, Database

T = TypeVar("T")


class Store:
    """A database with plain calls in place of coroutines."""

    def __init__(self, database: Database, call: Callable[[Awaitable[T]], T]) -> None:
        self.database = database
        self.call = call

    def read(self, user_id: str, work: Callable[[Connection], T]) -> T:
        return self.call(self.database.read(user_id, work))

    def write(self, user_id: str, work: Callable[[Connection], T]) -> T:
        return self.call(self.database.write(user_id, work))


@pytest.fixture
def call() -> Iterator[Callable[[Awaitable[T]], T]]:
    """Runs coroutines to their end, all in one event loop."""
    with asyncio.Runner() as runner:
        yield runner.run


@pytest.fixture
def store(database: Database, call: Callable[[Awaitable[T]], T]) -> Store:
    """A fresh, migrated database, once for each kind."""
    return Store(database, call)
