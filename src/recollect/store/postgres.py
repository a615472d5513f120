"""PostgreSQL with pgvector: one database, any number of processes on any number of machines.

A pool of connections and as many threads. Reads see one snapshot (`REPEATABLE READ READ ONLY`). Writes of one user
take turns, by an advisory lock, and each sees what the one before it did (`READ COMMITTED`): "look, decide, write"
is as safe as with SQLite's single writer, while users do not wait for each other. Each transaction begins by naming
its user, with `SET LOCAL` because `set_config()` does not reach the workers of Citus; row-level security lets nothing
else through. A unit of work may run again, after a deadlock or on a new connection: it must change only the database.

This module knows nothing about memories and never changes the schema automatically: on a shared database, an operator runs
`recollect db migrate`. psycopg's asynchronous API was rejected (measured: 66 µs per statement instead of 33).
"""

import asyncio
import os
import random
import re
import struct
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import lru_cache
from typing import Any, TypeVar

import numpy as np

from recollect.errors import RecollectError, StoreClosed, StoreError, StoreOutdated, StoreUnavailable
from recollect.settings import Settings
from recollect.store.database import (
    BUSY_TIMEOUT_SECONDS,
    EVERYONE,
    Connection,
    Matrix,
    Params,
    Row,
    Vector,
    pending,
    statements,
)

try:
    import psycopg
    from psycopg import errors, sql
    from psycopg.adapt import Dumper
    from psycopg.conninfo import make_conninfo
    from psycopg.pq import Format, TransactionStatus
    from psycopg_pool import ConnectionPool, PoolTimeout
except ImportError as missing:
    raise StoreUnavailable(
        f"PostgreSQL needs psycopg with its pool ({missing}): in a clone of Recollect, run"
        " pip install '.[postgres]', or run pip install 'psycopg[binary,pool]'"
    ) from missing

from recollect.store.postgres_address import read, shown
from recollect.store.postgres_errors import Lost, explained

T = TypeVar("T")
Raw = psycopg.Connection[tuple[Any, ...]]

#: `COLLATE "C"` sorts by bytes, as SQLite does.
WORDS = {"text": 'TEXT COLLATE "C"', "blob": "BYTEA", "vector": "halfvec", "clustered": ""}
READ = "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
WRITE = "BEGIN ISOLATION LEVEL READ COMMITTED"
#: A number that other programs on the same server are unlikely to lock: "Rcl1". Alone it is the lock of migrations,
#: with the hash of a user the turn of that user's writers; two users with one hash merely wait for each other.
LOCK = 0x52636C31
#: Seconds to wait for the server before saying that it does not answer.
CONNECT_SECONDS = 10
#: Seconds (and milliseconds): a server that went away without a word is noticed after 25 s, not after hours.
ALIVE = {"keepalives_idle": 10, "keepalives_interval": 5, "keepalives_count": 3, "tcp_user_timeout": 25000}
#: How often a unit of work runs when others get in its way, and the first pause in seconds; each is twice as long.
ATTEMPTS = 6
PAUSE = 0.02
#: The first pgvector with halfvec.
OLDEST_PGVECTOR = (0, 7)

_PARTS = re.compile(r"'(?:[^']|'')*'|\"[^\"]*\"|--[^\n]*|/\*.*?\*/|::|:(?P<name>[A-Za-z_]\w*)|%", re.DOTALL)


@lru_cache(maxsize=512)
def translated(text: str) -> bytes:
    """SQL with `:named` parameters as psycopg wants it; literals, comments and `::casts` stay."""
    return _PARTS.sub(
        lambda part: f"%({part['name']})s" if part["name"] else part[0].replace("%", "%%"), text
    ).encode()


class HalfvecDumper(Dumper):
    """A vector in pgvector's binary form: the dimensions, two unused bytes, then big-endian 16-bit floats.

    It names no type: that of the column is meant, whose number differs from database to database.
    """

    format = Format.BINARY

    def dump(self, obj: Vector) -> bytes:
        return struct.pack(">HH", obj.half.size, 0) + obj.half.astype(">f2").tobytes()


class PostgresConnection:
    """One transaction on one connection."""

    def __init__(self, raw: Raw) -> None:
        self._raw = raw
        self._cursor = raw.cursor(binary=True)

    def all(self, sql: str, params: Params = {}) -> list[Row]:
        return self._cursor.execute(translated(sql), params).fetchall()

    def one(self, sql: str, params: Params = {}) -> Row | None:
        return self._cursor.execute(translated(sql), params).fetchone()

    def batches(self, sql: str, params: Params, size: int) -> Iterator[list[Row]]:
        with self._raw.cursor("recollect_batches") as cursor:
            cursor.execute(translated(sql), params, binary=True)
            while rows := cursor.fetchmany(size):
                yield rows

    def run(self, sql: str, params: Params = {}) -> int:
        return self._cursor.execute(translated(sql), params).rowcount

    def many(self, sql: str, rows: Sequence[Params]) -> None:
        if len(rows) == 1:
            # Without the pipeline that `executemany` sets up. # measured: 40 µs less
            self._cursor.execute(translated(sql), rows[0])
        else:
            self._cursor.executemany(translated(sql), rows)

    def vectors(self, stored: Sequence[bytes]) -> Matrix:
        if not stored:
            return np.zeros((0, 0), dtype=np.float32)
        # The header is as long as two numbers, so that all of them line up in one array.
        return np.frombuffer(b"".join(stored), dtype=">f2").reshape(len(stored), -1)[:, 2:].astype(np.float32)


class PostgresDatabase:
    """A database on a server."""

    def __init__(self, url: str, settings: Settings) -> None:
        given = read(url)
        self._name = shown(given)
        self._settings = settings
        self._process = os.getpid()
        patience = max(1, int(BUSY_TIMEOUT_SECONDS * 1000))
        self._lock_timeout = b"SET LOCAL lock_timeout = %d" % patience
        defaults = {"application_name": "recollect", "connect_timeout": CONNECT_SECONDS, **ALIVE}
        self._conninfo = make_conninfo("", **{**defaults, **given, "client_encoding": "utf8"})
        self._pool: ConnectionPool[Raw] = ConnectionPool(
            self._conninfo,
            kwargs={"autocommit": True},
            min_size=1,
            max_size=settings.pool_size,
            configure=_configure,
            timeout=CONNECT_SECONDS,
            num_workers=1,
            open=False,
        )
        self._opening = threading.Lock()
        self._threads = ThreadPoolExecutor(settings.pool_size, thread_name_prefix="recollect-postgres")
        self._closed = False

    @property
    def name(self) -> str:
        return self._name

    async def read(self, user_id: str, work: Callable[[Connection], T]) -> T:
        return await self._in(lambda: self._retried(READ, user_id, work))

    async def write(self, user_id: str, work: Callable[[Connection], T]) -> T:
        return await self._in(lambda: self._retried(WRITE, user_id, work))

    async def erase(self, user_id: str, work: Callable[[Connection], T]) -> T:
        return await self.write(user_id, work)

    async def prepare(self) -> None:
        version = await self.read(EVERYONE, _version)
        todo = pending("postgres", version, store=self.name)
        if todo:
            found = f"has schema {version}" if version else "holds no tables of Recollect yet"
            raise StoreOutdated(
                f"{self.name} {found}; this package needs schema {todo[-1][0]}. Run `recollect db migrate`."
            )

    async def migrate(self) -> list[str]:
        return await self._in(self._migrate)

    async def sweep(self, fragments: Sequence[bytes] | None) -> bool:
        """Do nothing and promise nothing: the server reclaims erased rows' space later."""
        return False

    def describe_sweep(self, swept: bool) -> str:
        return (
            "The rows are gone. Their bytes stay on the server's disk until vacuum has freed the space and new rows fill"
            " it, and in archives of its log."
        )

    async def schema_version(self) -> int:
        return await self.read(EVERYONE, _version)

    async def size_bytes(self) -> int:
        return await self.read(EVERYONE, _size)

    async def checks(self) -> list[tuple[str, bool, str]]:
        return await self.read(EVERYONE, self._checks)

    async def aclose(self) -> None:
        if self._closed:
            return
        self._closed = True
        if os.getpid() == self._process:
            await asyncio.to_thread(self._shut)

    # -- inside the threads ---------------------------------------------------------------------------

    async def _in(self, work: Callable[[], T]) -> T:
        if self._closed:
            raise StoreClosed(f"{self.name} is closed.")
        if os.getpid() != self._process:
            # The threads stayed in the parent: a caller that gave them work would wait for ever.
            raise StoreUnavailable(f"{self.name} was opened before the process was forked. Open a new one.")
        try:
            working = asyncio.get_running_loop().run_in_executor(self._threads, self._guarded, work)
        except RuntimeError as error:
            # The program is ending without having closed the database: no thread takes work any longer.
            raise StoreClosed(f"{self.name} is closed: the program is ending.") from error
        return await working

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except psycopg.Error as error:
            raise self._translated(error) from error

    def _translated(self, error: psycopg.Error) -> RecollectError:
        if isinstance(error, PoolTimeout):
            # The pool knows only that it waited; a connection of our own learns why.
            try:
                psycopg.connect(self._conninfo).close()
            except psycopg.Error as cause:
                error = cause
        return explained(error, self.name)

    def _retried(self, begin: str, user_id: str, work: Callable[[Connection], T]) -> T:
        """Run it again when another transaction got in its way or the server went away: nothing of it has happened."""
        for attempt in range(ATTEMPTS - 1):
            try:
                return self._transaction(begin, user_id, work)
            except (errors.SerializationFailure, errors.DeadlockDetected, Lost):
                time.sleep(PAUSE * 2**attempt * random.uniform(0.5, 1.5))  # noqa: S311 - no secret, only a pause
        return self._transaction(begin, user_id, work)

    def _transaction(self, begin: str, user_id: str, work: Callable[[Connection], T]) -> T:
        raw = self._begun(begin, user_id)
        try:
            result = work(PostgresConnection(raw))
            if raw.info.transaction_status is TransactionStatus.INERROR:
                raise StoreError(f"{self.name}: a statement failed, so nothing of this work was stored.")
            self._commit(raw, begin)
            return result
        except BaseException as error:
            with suppress(psycopg.Error):  # A connection that breaks takes its transaction along.
                raw.rollback()
            if isinstance(error, psycopg.Error) and raw.closed:
                raise Lost(*error.args) from error
            raise
        finally:
            self._pool.putconn(raw)

    def _commit(self, raw: Raw, begin: str) -> None:
        try:
            raw.commit()
        except psycopg.Error as error:
            if not raw.closed or begin == READ:
                raise
            raise StoreUnavailable(
                f"{self.name} went away while it was storing this ({explained(error, self.name)})"
                " It may or may not be stored; look before you write it again."
            ) from error

    def _begun(self, begin: str, user_id: str) -> Raw:
        """A connection in a transaction of this user, in one trip; those that died in the pool are passed over."""
        self._open()
        for spare in range(self._settings.pool_size, -1, -1):
            raw = self._pool.getconn()
            try:
                raw.execute(_batch(raw, begin, user_id, self._lock_timeout))
                return raw
            except BaseException as error:
                with suppress(psycopg.Error):
                    raw.rollback()
                self._pool.putconn(raw)
                if not (isinstance(error, psycopg.OperationalError) and raw.closed and spare):
                    raise
        raise AssertionError("the last round returns or raises")

    def _open(self) -> None:
        """Connect once outside the pool, which would try in silence until its time is up."""
        with self._opening:
            if self._pool.closed and not self._closed:
                psycopg.connect(self._conninfo).close()
                self._pool.open()

    def _migrate(self) -> list[str]:
        with psycopg.connect(self._conninfo, autocommit=True) as raw, raw.transaction():
            raw.execute(self._lock_timeout)
            raw.execute(f"SELECT pg_advisory_xact_lock({LOCK})".encode())
            raw.execute(_scope(raw, EVERYONE))
            self._need_pgvector(raw)
            raw.execute(
                "CREATE TABLE IF NOT EXISTS schema_migrations"
                " (version BIGINT PRIMARY KEY, name TEXT NOT NULL, applied_at TIMESTAMPTZ NOT NULL DEFAULT now())"
            )
            todo = pending("postgres", _version(PostgresConnection(raw)), store=self.name)
            for number, name, text in todo:
                for statement in statements(text, WORDS):
                    raw.execute(statement.encode())
                raw.execute("INSERT INTO schema_migrations (version, name) VALUES (%s, %s)", (number, name))
            return [name for _, name, _ in todo]

    def _need_pgvector(self, raw: Raw) -> None:
        found = raw.execute("SELECT extversion FROM pg_extension WHERE extname = 'vector'").fetchone()
        if found is None:
            try:
                raw.execute("CREATE EXTENSION vector")
            except errors.InsufficientPrivilege as error:
                raise StoreUnavailable(
                    f"{self.name} needs the extension pgvector, which this role may not create. "
                    "Let a superuser run CREATE EXTENSION vector in this database, then try again."
                ) from error
            except (errors.FeatureNotSupported, errors.UndefinedFile) as error:
                raise StoreUnavailable(
                    f"{self.name} needs the extension pgvector, which is not installed on the server. Install it "
                    "there, let a superuser run CREATE EXTENSION vector in this database, then try again."
                ) from error
        elif _numbers(found[0]) < OLDEST_PGVECTOR:
            raise StoreUnavailable(
                f"{self.name} has pgvector {found[0]}; 0.7 or newer is needed. Upgrade it on the server, "
                "then let a superuser run ALTER EXTENSION vector UPDATE."
            )

    def _checks(self, tx: Connection) -> list[tuple[str, bool, str]]:
        row = tx.one(
            """
            SELECT current_setting('server_version'), current_user, r.rolsuper OR r.rolbypassrls,
                   (SELECT extversion FROM pg_extension WHERE extname = 'vector')
            FROM pg_roles r WHERE r.rolname = current_user
            """
        )
        assert row is not None
        server, role, bypasses, pgvector = row
        version = _version(tx)
        bare = [name for name, forced in _tables(tx) if not forced]
        security = "on for every table"
        if bypasses:
            security = f"role {role} passes by it; connect as an ordinary role"
        elif bare:
            security = f"off for {', '.join(bare)}"
        return [
            ("PostgreSQL", True, f"{server}, {self.name}"),
            ("pgvector", pgvector is not None, pgvector or "missing; run CREATE EXTENSION vector"),
            ("schema", not pending("postgres", version, store=self.name), f"version {version}"),
            ("row security", not bypasses and not bare, security),
            ("size", True, f"{_size(tx) / 2**20:,.1f} MB"),
        ]

    def _shut(self) -> None:
        self._threads.shutdown(wait=True)
        self._pool.close()


def _configure(raw: Raw) -> None:
    raw.adapters.register_dumper(Vector, HalfvecDumper)


def _scope(raw: Raw, user_id: str) -> bytes:
    return b"SET LOCAL recollect.user_id = " + sql.Literal(user_id).as_bytes(raw)


def _batch(raw: Raw, begin: str, user_id: str, lock_timeout: bytes) -> bytes:
    """Everything that a transaction begins with, for one trip to the server."""
    # A reader waits for locks too: those of a migration.
    parts = [begin.encode(), _scope(raw, user_id), lock_timeout]
    if begin == WRITE:
        user = sql.Literal(user_id).as_bytes(raw)
        parts.append(b"SELECT pg_advisory_xact_lock(%d, hashtext(%b))" % (LOCK, user))
    return b"; ".join(parts)


def _version(tx: Connection) -> int:
    """The newest migration that was applied; 0 when there is none."""
    if tx.all("SELECT 1 WHERE to_regclass('schema_migrations') IS NULL"):
        return 0
    row = tx.one("SELECT COALESCE(max(version), 0) FROM schema_migrations")
    return row[0] if row else 0


def _tables(tx: Connection) -> list[tuple[str, bool]]:
    """Our tables, each with whether row-level security holds for its owner too."""
    return tx.all(
        """
        SELECT c.relname::text, c.relrowsecurity AND c.relforcerowsecurity FROM pg_class c
        JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'user_id'
        WHERE c.relkind IN ('r', 'p')
          AND c.relnamespace = (SELECT relnamespace FROM pg_class WHERE oid = to_regclass('schema_migrations'))
        ORDER BY 1
        """
    )  # type: ignore[return-value]


def _size(tx: Connection) -> int:
    return sum(
        row[0]
        for name, _ in _tables(tx)
        for row in tx.all("SELECT pg_total_relation_size(CAST(:name AS regclass))", {"name": name})
    )


def _numbers(version: str) -> tuple[int, ...]:
    return tuple(int(part) for part in version.split(".")[:2])
