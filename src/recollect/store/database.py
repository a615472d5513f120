"""The interface that the store requires of a database, and the few differences between the two.

A unit of work is a plain function over a `Connection`. `Database.read` and `Database.write` run it in a
thread, inside one transaction, and await its result. Because the function is not a coroutine, no model
can be called while a transaction is open, and one hop to the thread pays for any number of statements
(measured: a hop costs 70 µs, a statement 5 µs).

SQL is written once, with `:named` parameters. The dialects differ here and nowhere else:
- words in braces in the migrations ({text} {blob} {vector} {clustered}),
- how a vector is written (`Vector`) and read (`Connection.vectors`),
- how erased bytes are removed (`Database.sweep`),
- how a database is checked and measured (`Database.checks`, `Database.size_bytes`).
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from importlib import resources
from typing import Any, Final, Protocol, TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.errors import StoreTooNew

T = TypeVar("T")
Params = Mapping[str, object]
Row = tuple[Any, ...]
Matrix = NDArray[np.float32]

#: The scope of work over all users (statistics, re-embedding). Row-level security lets it pass only by this name.
EVERYONE: Final = "*"
#: How long a writer waits for another process before it gives up.
BUSY_TIMEOUT_SECONDS = 60.0


class Vector:
    """A vector on its way into a database, as 16-bit floats: half the bytes, cosine error below 0.001."""

    __slots__ = ("half",)

    def __init__(self, values: NDArray[np.float32]) -> None:
        self.half = values.astype("<f2")

    def __conform__(self, protocol: object) -> bytes:
        """How sqlite3 stores it."""
        return self.half.tobytes()


class Connection(Protocol):
    """One open transaction."""

    def all(self, sql: str, params: Params = ...) -> list[Row]:
        """Every row of the result."""
        ...

    def one(self, sql: str, params: Params = ...) -> Row | None:
        """The first row, if there is one."""
        ...

    def batches(self, sql: str, params: Params, size: int) -> Iterator[list[Row]]:
        """The rows in portions, so that a large result is never in memory as a whole."""
        ...

    def run(self, sql: str, params: Params = ...) -> int:
        """Execute, and say how many rows it changed."""
        ...

    def many(self, sql: str, rows: Sequence[Params]) -> None:
        """Execute once for each row."""
        ...

    def vectors(self, stored: Sequence[bytes]) -> Matrix:
        """Stored vectors as one matrix, one per row."""
        ...


class Database(Protocol):
    """SQLite or PostgreSQL."""

    @property
    def name(self) -> str:
        """The database's location in readable form, never with a password."""
        ...

    async def read(self, user_id: str, work: Callable[[Connection], T]) -> T:
        """Run read-only work on behalf of one user."""
        ...

    async def write(self, user_id: str, work: Callable[[Connection], T]) -> T:
        """Run work that changes something: all of it or nothing, durable when this returns.

        Writes of one user take turns, so "look, decide, write" needs no further lock.
        """
        ...

    async def erase(self, user_id: str, work: Callable[[Connection], T]) -> T:
        """Run work that erases; a sweep is then required, even if this process dies first."""
        ...

    async def prepare(self) -> None:
        """Prepare for use: SQLite migrates automatically, PostgreSQL only reports what to do."""
        ...

    async def migrate(self) -> list[str]:
        """Update the schema; return the names of the applied migrations."""
        ...

    async def sweep(self, fragments: Sequence[bytes] | None) -> bool:
        """Make sure that erased bytes are physically gone; None: too many to name. False if that is not certain."""
        ...

    def describe_sweep(self, swept: bool) -> str:
        """A sentence on what happened to erased rows' bytes; `swept` is the result of `sweep`."""
        ...

    async def schema_version(self) -> int:
        """The number of the newest applied migration."""
        ...

    async def size_bytes(self) -> int:
        """The data's size on disk."""
        ...

    async def checks(self) -> list[tuple[str, bool, str]]:
        """What `recollect doctor` shows: a name, whether it is well, and a word about it."""
        ...

    async def aclose(self) -> None:
        """Close every connection."""
        ...


def migrations(dialect: str) -> list[tuple[int, str, str]]:
    """Number, name and text of every migration for this dialect, in order.

    `0001_ground.sql` is for both databases, `0002_row_security.postgres.sql` for one.
    """
    found: list[tuple[int, str, str]] = []
    for file in resources.files("recollect.store").joinpath("migrations").iterdir():
        parts = file.name.split(".")
        if parts[-1] != "sql" or (len(parts) == 3 and parts[1] != dialect):
            continue
        found.append((int(parts[0].split("_")[0]), parts[0], file.read_text("utf-8")))
    return sorted(found)


def newest(dialect: str) -> int:
    """The schema version that this package knows."""
    return migrations(dialect)[-1][0]


def pending(dialect: str, version: int, *, store: str) -> list[tuple[int, str, str]]:
    """The migrations still to apply; a database with a newer schema is refused."""
    if version > newest(dialect):
        raise StoreTooNew(
            f"{store} has schema {version}, but this Recollect knows only {newest(dialect)}. Upgrade the package."
        )
    return [migration for migration in migrations(dialect) if migration[0] > version]


def statements(text: str, words: Mapping[str, str]) -> list[str]:
    """The single statements of a migration, with the dialect's words filled in."""
    code = "\n".join(line.split("--")[0] for line in text.splitlines())
    for word, meaning in words.items():
        code = code.replace("{" + word + "}", meaning)
    return [statement.strip() for statement in code.split(";") if statement.strip()]
