"""SQLite: one file, many processes.

Write-ahead logging, one writing thread and a few reading ones, each with its own connection. A write takes
the lock at once (`BEGIN IMMEDIATE`), so a transaction never fails half-way because another process came
first; waiting is SQLite's own busy wait. It knows nothing of memories: statements come from the other files
of this folder.

`secure_delete` zeroes a deleted row, but SQLite leaves copies of rows behind when it rebalances pages
(measured: 1-2 % of deleted rows stayed readable). `sweep` therefore looks for the erased bytes and rewrites
the file when it finds any.
"""

import asyncio
import mmap
import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, suppress
from pathlib import Path
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.errors import RecollectError, StoreClosed, StoreCorrupt, StoreError, StoreUnavailable
from recollect.settings import Settings
from recollect.store.database import (
    BUSY_TIMEOUT_SECONDS,
    EVERYONE,
    Connection,
    Matrix,
    Params,
    Row,
    pending,
    statements,
)

T = TypeVar("T")

WORDS = {"text": "TEXT", "blob": "BLOB", "vector": "BLOB", "clustered": "WITHOUT ROWID"}
#: Bytes. A row with its vector must fit a quarter of a page to stay out of overflow pages.
PAGE_SIZE = 8192
#: What a connection keeps of the file. SQLite's own 2 MB are 250 pages, fewer than one context reads of a long chat.
CACHE_KB = 8192
#: Marks the file as ours: "Rcl1".
APPLICATION_ID = 0x52636C31
#: A small file is rewritten at once: cheaper than searching it. # measured: 61 MB take 0.32 s
REWRITE_BELOW_BYTES = 64 * 1024 * 1024
#: How long a sweep waits for readers of other processes: it holds up everybody's writes. Later ones finish it.
PATIENCE_SECONDS = 2.0
#: How a transaction begins that writes: with the lock.
_WRITE = "BEGIN IMMEDIATE"
#: More fragments than this cost more to look for than a rewrite.
MAX_FRAGMENTS = 24
#: What each 16-bit float is as a 32-bit one, by its bits.
_FLOATS: NDArray[np.float32] = np.arange(1 << 16, dtype="<u2").view("<f2").astype(np.float32)


class SqliteConnection:
    """One transaction on one connection."""

    def __init__(self, raw: sqlite3.Connection) -> None:
        self._raw = raw

    def all(self, sql: str, params: Params = {}) -> list[Row]:
        return self._raw.execute(sql, params).fetchall()

    def one(self, sql: str, params: Params = {}) -> Row | None:
        # Closed here, not when somebody lets go of it: a commit fails while a statement is under way.
        with closing(self._raw.execute(sql, params)) as cursor:
            return cursor.fetchone()

    def batches(self, sql: str, params: Params, size: int) -> Iterator[list[Row]]:
        with closing(self._raw.execute(sql, params)) as cursor:
            while rows := cursor.fetchmany(size):
                yield rows

    def run(self, sql: str, params: Params = {}) -> int:
        return self._raw.execute(sql, params).rowcount

    def many(self, sql: str, rows: Sequence[Params]) -> None:
        self._raw.executemany(sql, rows)

    def vectors(self, stored: Sequence[bytes]) -> Matrix:
        if not stored:
            return np.zeros((0, 0), dtype=np.float32)
        # Looked up, which takes half the time of converting each: an index reads millions of them.
        return np.take(_FLOATS, np.frombuffer(b"".join(stored), dtype="<u2")).reshape(len(stored), -1)


class SqliteDatabase:
    """A database in one file."""

    def __init__(self, path: str | Path, settings: Settings) -> None:
        self._path = Path(path).expanduser()
        self._settings = settings
        self._process = os.getpid()
        self._local = threading.local()
        self._open: list[sqlite3.Connection] = []
        self._opening = threading.Lock()
        self._writer = ThreadPoolExecutor(1, thread_name_prefix="recollect-write")
        self._readers = ThreadPoolExecutor(
            settings.pool_size, thread_name_prefix="recollect-read", initializer=self._only_read
        )
        self._closed = False
        #: Which files are open: the database, its write-ahead log and the log's index.
        self._files: dict[Path, tuple[int, int]] = {}

    @property
    def name(self) -> str:
        return str(self._path)

    async def read(self, user_id: str, work: Callable[[Connection], T]) -> T:
        return await self._in(self._readers, lambda: self._transaction("BEGIN", work))

    async def write(self, user_id: str, work: Callable[[Connection], T]) -> T:
        return await self._in(self._writer, lambda: self._transaction(_WRITE, work))

    async def erase(self, user_id: str, work: Callable[[Connection], T]) -> T:
        def marked(tx: Connection) -> T:
            done = work(tx)
            # Before the commit, and only if there is something to commit: a work that fails has erased nothing.
            self._owed.touch()
            return done

        return await self.write(user_id, marked)

    async def prepare(self) -> None:
        await self.migrate()
        if self._owed.exists():
            # A process was killed between erasing and sweeping.
            await self.sweep(None)

    async def migrate(self) -> list[str]:
        return await self._in(self._writer, self._migrate)

    async def sweep(self, fragments: Sequence[bytes] | None) -> bool:
        return await self._in(self._writer, lambda: self._sweep(fragments))

    def describe_sweep(self, swept: bool) -> str:
        if swept:
            return "The bytes are gone from the database file and its log."
        return (
            "The rows are gone. Another process is reading the log, so their bytes stay in the file until something is"
            " forgotten again or the database is opened anew."
        )

    async def schema_version(self) -> int:
        row = await self.read(EVERYONE, lambda tx: tx.one("PRAGMA user_version"))
        assert row is not None
        return row[0]

    async def size_bytes(self) -> int:
        return sum(file.stat().st_size for file in (self._path, self._wal) if file.exists())

    async def checks(self) -> list[tuple[str, bool, str]]:
        return await self._in(self._readers, self._checks)

    async def aclose(self) -> None:
        if self._closed:
            return
        self._closed = True
        if os.getpid() == self._process:
            await asyncio.to_thread(self._shut)

    # -- inside the threads ---------------------------------------------------------------------------

    async def _in(self, pool: ThreadPoolExecutor, work: Callable[[], T]) -> T:
        if self._closed:
            raise StoreClosed(f"{self.name} is closed.")
        if os.getpid() != self._process:
            # The threads stayed in the parent: a caller that gave them work would wait for ever.
            raise StoreUnavailable(f"{self.name} was opened before the process was forked. Open a new one.")
        try:
            working = asyncio.get_running_loop().run_in_executor(pool, self._guarded, work)
        except RuntimeError as error:
            # The program is ending without having closed the database: no thread takes work any longer.
            raise StoreClosed(f"{self.name} is closed: the program is ending.") from error
        return await working

    def _guarded(self, work: Callable[[], T]) -> T:
        try:
            return work()
        except sqlite3.Error as error:
            raise self._translated(error) from error

    @property
    def _wal(self) -> Path:
        return self._path.with_name(self._path.name + "-wal")

    @property
    def _owed(self) -> Path:
        """A mark beside the file: rows were erased whose bytes may still be there."""
        return self._path.with_name(self._path.name + "-sweep")

    @property
    def _raw(self) -> sqlite3.Connection:
        """This thread's connection, opened when first needed."""
        raw: sqlite3.Connection | None = getattr(self._local, "raw", None)
        if raw is None:
            raw = self._local.raw = self._connect()
        return raw

    def _only_read(self) -> None:
        """In the threads of readers: a unit of work that writes by mistake is refused, as PostgreSQL does."""
        self._local.reading = True

    def _connect(self) -> sqlite3.Connection:
        if self._path.is_dir():
            raise StoreUnavailable(f"{self._path} is a folder; name a file in it.")
        if not self._path.parent.is_dir():
            raise StoreUnavailable(
                f"The folder {self._path.parent} does not exist; create it or choose another file."
            )
        with suppress(OSError):
            # Memories are private: a new file is its owner's only, and SQLite gives the log the same permissions.
            os.close(os.open(self._path, os.O_CREAT | os.O_EXCL | os.O_RDWR, 0o600))
        raw = sqlite3.connect(
            self._path,
            timeout=BUSY_TIMEOUT_SECONDS,
            isolation_level=None,
            check_same_thread=False,
            cached_statements=256,
        )
        try:
            raw.execute(f"PRAGMA page_size = {PAGE_SIZE}")
            self._use_wal(raw)
            raw.execute(f"PRAGMA synchronous = {self._settings.sqlite_synchronous}")
            raw.execute("PRAGMA secure_delete = ON")
            raw.execute("PRAGMA temp_store = MEMORY")
            raw.execute(f"PRAGMA cache_size = -{CACHE_KB}")
            if getattr(self._local, "reading", False):
                raw.execute("PRAGMA query_only = ON")
            # Reading this opens the log, which then stays where it is.
            is_empty = raw.execute("PRAGMA page_count").fetchone()[0] == 0
        except sqlite3.Error:
            raw.close()
            raise
        with self._opening:
            self._open.append(raw)
            self._note_files(with_log=not is_empty)
        return raw

    def _note_files(self, *, with_log: bool) -> None:
        """Remember which files are open. An empty database has no log before its first write."""
        for end in ("", "-wal", "-shm") if with_log else ("",):
            path = Path(f"{self._path}{end}")
            if path not in self._files and (found := _inode(path)) is not None:
                self._files[path] = found

    def _need_files(self) -> None:
        """Refuse to work if one of the open files is no longer at its path.

        SQLite would go on writing into the deleted file, and all of that would be gone with the process. Checkpoints,
        VACUUM and other processes that close never replace a file that is open.
        """
        for path, known in tuple(self._files.items()):  # measured: 6 µs; the hop to the thread takes 70
            if _inode(path) != known:
                if path == self._path:
                    raise StoreUnavailable(
                        f"{self.name} was deleted or replaced while it was open. Put it back and start again."
                    )
                raise StoreUnavailable(
                    f"{path}, the write-ahead log, was deleted or replaced while it was open, so nothing more is"
                    " written. Stop every process that uses the database, then start again. Do not kill them: on"
                    " stopping they save what is not in the database file yet."
                )

    def _use_wal(self, raw: sqlite3.Connection) -> None:
        """Changing the journal mode ignores the busy timeout, so two first openers need patience of their own."""
        deadline = time.monotonic() + BUSY_TIMEOUT_SECONDS
        while True:
            try:
                raw.execute("PRAGMA journal_mode = WAL")
                return
            except sqlite3.OperationalError as error:
                if "locked" not in str(error) or time.monotonic() > deadline:
                    raise
                time.sleep(0.01)

    def _transaction(self, begin: str, work: Callable[[Connection], T]) -> T:
        raw = self._raw
        raw.execute(begin)
        try:
            self._need_files()
            result = work(SqliteConnection(raw))
            if begin == _WRITE:
                self._need_files()
            raw.execute("COMMIT")
            if begin == _WRITE and len(self._files) < 3:
                self._note_files(with_log=True)
            return result
        except BaseException:
            if raw.in_transaction:
                raw.execute("ROLLBACK")
            raise

    def _migrate(self) -> list[str]:
        raw = self._raw
        found = raw.execute("PRAGMA application_id").fetchone()[0]
        tables = raw.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        if found != APPLICATION_ID and tables:
            raise StoreCorrupt(f"{self.name} is an SQLite file of another program; choose another path.")
        if not pending("sqlite", raw.execute("PRAGMA user_version").fetchone()[0], store=self.name):
            return []

        def apply(_: Connection) -> list[str]:
            # Read again under the lock: another process may have come first.
            todo = pending("sqlite", raw.execute("PRAGMA user_version").fetchone()[0], store=self.name)
            for number, _name, text in todo:
                for statement in statements(text, WORDS):
                    raw.execute(statement)
                raw.execute(f"PRAGMA user_version = {number}")
            raw.execute(f"PRAGMA application_id = {APPLICATION_ID}")
            return [name for _, name, _ in todo]

        return self._transaction(_WRITE, apply)

    def _sweep(self, fragments: Sequence[bytes] | None) -> bool:
        self._need_files()
        done = self._truncate_wal()
        if done and self._may_hold(fragments):
            self._raw.execute("VACUUM")
            done = self._truncate_wal()
        if done:
            self._owed.unlink(missing_ok=True)
        return done

    def _truncate_wal(self) -> bool:
        """Move the log into the file and empty it; readers of other processes may delay that."""
        deadline = time.monotonic() + min(PATIENCE_SECONDS, BUSY_TIMEOUT_SECONDS)
        while True:
            busy = self._raw.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()[0]
            if not busy:
                return True
            if time.monotonic() > deadline:
                return False
            time.sleep(0.02)

    def _may_hold(self, fragments: Sequence[bytes] | None) -> bool:
        """Whether erased bytes may still be in the file; looking costs less than rewriting a large one."""
        if (
            fragments is None
            or len(fragments) > MAX_FRAGMENTS
            or self._path.stat().st_size < REWRITE_BELOW_BYTES
        ):
            return True
        with self._path.open("rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as data:
            return any(data.find(fragment) >= 0 for fragment in fragments)

    def _checks(self) -> list[tuple[str, bool, str]]:
        raw = self._raw
        problems = [row[0] for row in raw.execute("PRAGMA quick_check(3)") if row[0] != "ok"]
        version = raw.execute("PRAGMA user_version").fetchone()[0]
        mode = raw.execute("PRAGMA journal_mode").fetchone()[0]
        free_mb = shutil.disk_usage(self._path.parent).free // 2**20
        return [
            ("SQLite", True, f"{sqlite3.sqlite_version}, {self.name}"),
            ("integrity", not problems, "; ".join(problems) or "ok"),
            ("schema", not pending("sqlite", version, store=self.name), f"version {version}"),
            ("journal", mode == "wal", mode),
            ("free disk", free_mb > 100, f"{free_mb:,} MB"),
        ]

    def _shut(self) -> None:
        self._readers.shutdown(wait=True)
        self._writer.shutdown(wait=True)
        for raw in self._open:
            with suppress(sqlite3.Error):
                raw.close()

    def _translated(self, error: sqlite3.Error) -> RecollectError:
        """SQLite's words, with what to do about them."""
        text = str(error)
        if "not a database" in text or "malformed" in text:
            return StoreCorrupt(
                f"{self.name} is damaged or no SQLite file ({text}). Restore a backup or choose another path."
            )
        if "readonly" in text or "read-only" in text:
            return StoreUnavailable(
                f"{self.name} cannot be written ({text}). Check the permissions of the file and its folder."
            )
        if "full" in text:
            return StoreUnavailable(
                f"The disk that holds {self.name} is full. Free some space; nothing was changed."
            )
        if "unable to open" in text:
            return StoreUnavailable(
                f"{self.name} cannot be opened. Check that the folder exists and may be written."
            )
        if "locked" in text or "busy" in text:
            return StoreUnavailable(
                f"{self.name} stayed locked by another process for {BUSY_TIMEOUT_SECONDS:g} s. Try again."
            )
        return StoreError(f"{self.name}: {text}")


def _inode(path: Path) -> tuple[int, int] | None:
    """Which file is at a path now."""
    try:
        found = path.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino
