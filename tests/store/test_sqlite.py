"""SQLite: one file, many processes, and errors that say what to do."""

import asyncio
import os
import random
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import TypeVar

import pytest
from patience import LIMIT, ended, line_of

from recollect.errors import StoreCorrupt, StoreTooNew, StoreUnavailable
from recollect.settings import Settings
from recollect.store import memories, sqlite
from recollect.store.database import Connection, migrations, newest
from recollect.store.sqlite import APPLICATION_ID, SqliteDatabase

from .conftest import Store
from .rows import record, saving
from .test_database import child, finished

T = TypeVar("T")
Call = Callable[[Awaitable[T]], T]


@pytest.fixture
def path(empty_sqlite: Path) -> Path:
    return empty_sqlite


@pytest.fixture
def open_store(path: Path, call: Call[None]) -> Iterator[Callable[..., Store]]:
    """Opens the file as often as wanted and closes all of them."""
    opened: list[SqliteDatabase] = []

    def open_it(**settings: object) -> Store:
        opened.append(SqliteDatabase(path, Settings(**settings)))  # type: ignore[arg-type]
        call(opened[-1].prepare())
        return Store(opened[-1], call)

    yield open_it
    for database in opened:
        call(database.aclose())


def _opening(path: Path) -> None:
    async def go() -> None:
        database = SqliteDatabase(path, Settings())
        try:
            await database.prepare()
        finally:
            await database.aclose()

    asyncio.run(go())


# -- files that cannot be used ----------------------------------------------------------------------------


def test_a_folder_is_no_database(tmp_path: Path) -> None:
    """A folder is refused by name."""
    with pytest.raises(StoreUnavailable, match="is a folder"):
        _opening(tmp_path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    """A path into nowhere says which folder is missing, and does not make it."""
    with pytest.raises(StoreUnavailable, match="missing does not exist"):
        _opening(tmp_path / "missing" / "memory.db")
    assert not (tmp_path / "missing").exists()


@pytest.mark.parametrize("content", [b"These are my notes, dear.\n" * 500, b"\x00\xff" * 9000])
def test_a_file_of_something_else_is_left_alone(path: Path, content: bytes) -> None:
    """A text or a picture is no database; it is refused and not changed by a byte."""
    path.write_bytes(content)
    with pytest.raises(StoreCorrupt, match="no SQLite file"):
        _opening(path)
    assert path.read_bytes() == content


def test_another_programs_database_is_left_alone(path: Path) -> None:
    """An SQLite file with other tables is not ours to migrate."""
    with sqlite3.connect(path) as raw:
        raw.execute("CREATE TABLE songs (title TEXT)")
    raw.close()
    with pytest.raises(StoreCorrupt, match="another program"):
        _opening(path)
    with sqlite3.connect(path) as raw:
        assert raw.execute("SELECT name FROM sqlite_master").fetchall() == [("songs",)]
    raw.close()


def test_a_newer_schema_is_refused(path: Path) -> None:
    """A file from a later version is not guessed at."""
    _opening(path)
    with sqlite3.connect(path) as raw:
        raw.execute(f"PRAGMA user_version = {newest('sqlite') + 1}")
    raw.close()
    with pytest.raises(StoreTooNew, match="Upgrade"):
        _opening(path)


def test_a_damaged_file_is_reported(path: Path, open_store: Callable[..., Store], call: Call[object]) -> None:
    """Bytes overwritten in the middle: reading says damaged, and so does the doctor."""
    store = open_store()
    for number in range(300):
        store.write("ann", saving(record(number)))
    call(store.database.aclose())
    data = bytearray(path.read_bytes())
    for start in range(8192, len(data), 8192):
        data[start : start + 4000] = os.urandom(len(data[start : start + 4000]))
    path.write_bytes(data)
    broken = SqliteDatabase(path, Settings())
    with pytest.raises(StoreCorrupt, match="Restore a backup"):
        call(broken.read("ann", lambda tx: memories.everything(tx, "ann")))
    call(broken.aclose())


def _as_nobody(path: Path) -> str:
    """What a process without rights gets to hear; root's own rights would not stop it."""
    code = f"""
import asyncio, os, sqlite3, sys, numpy
from recollect.errors import RecollectError
from recollect.settings import Settings
from recollect.store import sqlite
from recollect.store.sqlite import SqliteDatabase
sqlite.BUSY_TIMEOUT_SECONDS = 0.3
if os.geteuid() == 0:
    os.setgroups([]); os.setgid(65534); os.setuid(65534)
async def go():
    database = SqliteDatabase({str(path)!r}, Settings())
    try:
        await database.prepare()
        await database.write("ann", lambda tx: tx.run("DELETE FROM users"))
        return "worked"
    except RecollectError as error:
        return f"{{type(error).__name__}}: {{error}}"
    finally:
        await database.aclose()
print(asyncio.run(go()))
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.fixture
def open_folder() -> Iterator[Path]:
    """A folder that every user of the machine may enter; pytest's own is private."""
    folder = Path(tempfile.mkdtemp(prefix="recollect-"))
    folder.chmod(0o755)
    yield folder
    folder.chmod(0o755)
    shutil.rmtree(folder)


def test_a_folder_that_may_not_be_written(open_folder: Path) -> None:
    """No right to make a file: the error says where to look."""
    open_folder.chmod(0o555)
    said = _as_nobody(open_folder / "memory.db")
    assert said.startswith("StoreUnavailable") and "cannot be opened" in said and "may be written" in said


def test_a_file_that_may_not_be_written(open_folder: Path) -> None:
    """A read-only file: the error says so and names the permissions."""
    path = open_folder / "memory.db"
    _opening(path)
    path.chmod(0o444)
    open_folder.chmod(0o555)
    said = _as_nobody(path)
    assert said.startswith("StoreUnavailable") and ("permissions" in said or "may be written" in said), said


def test_a_full_disk_changes_nothing(open_store: Callable[..., Store]) -> None:
    """SQLite's own "disk full": the work is undone, the error says what to do, and later it goes on."""
    store = open_store()
    store.write("ann", saving(record(1)))
    pages = store.read("ann", lambda tx: tx.all("PRAGMA page_count"))[0][0]
    store.write("ann", lambda tx: tx.all(f"PRAGMA max_page_count = {pages + 2}"))

    def fill(tx: Connection) -> None:
        for number in range(2, 500):
            saving(record(number))(tx)

    with pytest.raises(StoreUnavailable, match=r"full.*nothing was changed"):
        store.write("ann", fill)
    assert store.read("ann", lambda tx: memories.everything(tx, "ann")) == [record(1)]
    store.write("ann", lambda tx: tx.all("PRAGMA max_page_count = 1000000"))
    store.write("ann", fill)
    assert len(store.read("ann", lambda tx: memories.everything(tx, "ann"))) == 499


@pytest.mark.parametrize("replaced", [False, True])
def test_a_file_that_vanishes_is_reported(
    path: Path, open_store: Callable[..., Store], replaced: bool
) -> None:
    """Nothing is acknowledged that would be gone with the process: neither reads nor writes go on without the file."""
    store = open_store()
    store.write("ann", saving(record(1)))
    for file in path.parent.glob(f"{path.name}*"):
        file.unlink()
    if replaced:
        path.touch()
    with pytest.raises(StoreUnavailable, match="deleted or replaced"):
        store.write("ann", saving(record(2)))
    with pytest.raises(StoreUnavailable, match="deleted or replaced"):
        store.read("ann", lambda tx: memories.everything(tx, "ann"))


def _told(process: "subprocess.Popen[str]", number: int) -> str:
    """What a process says of a memory that it was told to store."""
    assert process.stdin is not None
    process.stdin.write(f"{number}\n")
    process.stdin.flush()
    return line_of(process).strip()


@pytest.mark.parametrize("replaced", [False, True])
@pytest.mark.parametrize("end", ["-wal", "-shm"])
def test_nothing_is_acknowledged_without_the_log(
    path: Path, open_store: Callable[..., Store], end: str, replaced: bool
) -> None:
    """Once a part of the log is gone nothing is stored any more: whatever was acknowledged survives `kill -9`."""
    with ended(child("obey", path)) as process:
        assert _told(process, 1) == "stored"
        other = sqlite3.connect(path)
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        other.close()
        log = path.with_name(path.name + end)
        log.unlink()
        if replaced:
            log.touch()
        acknowledged = [
            1,
            *(number for number in (2, 3) if "was deleted or replaced" not in _told(process, number)),
        ]
        process.kill()
        process.wait(LIMIT)
    stored = open_store().read("ann", lambda tx: memories.everything(tx, "ann"))
    assert [item.memory_id for item in stored] == [record(number).memory_id for number in acknowledged]
    assert acknowledged == [1]


def test_a_lost_log_is_saved_by_stopping(path: Path, open_store: Callable[..., Store]) -> None:
    """As the error says: a process that stops writes what only its log held into the file."""
    store = open_store()
    store.write("ann", saving(record(1)))
    path.with_name(path.name + "-wal").unlink()
    with pytest.raises(StoreUnavailable, match="Do not kill"):
        store.write("ann", saving(record(2)))
    store.call(store.database.aclose())
    stored = open_store().read("ann", lambda tx: memories.everything(tx, "ann"))
    assert [item.memory_id for item in stored] == [record(1).memory_id]


def test_what_others_do_to_the_log_is_no_loss(path: Path, open_store: Callable[..., Store]) -> None:
    """Checkpoints, rewriting the file, sweeping, and processes that come and go leave the log in its place."""
    store = open_store()
    store.write("ann", saving(record(1)))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    other.execute("VACUUM")
    other.close()
    finished(child("write", path, "ann", 2, 3))
    assert store.call(store.database.sweep(None)) is True
    store.write("ann", saving(record(5)))
    assert len(store.read("ann", lambda tx: memories.everything(tx, "ann"))) == 5


def test_a_lock_that_stays_is_reported(
    path: Path, open_store: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """A writer waits for others as long as it was told to, then says who is in the way."""
    monkeypatch.setattr("recollect.store.sqlite.BUSY_TIMEOUT_SECONDS", 0.2)
    store = open_store()
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    with pytest.raises(StoreUnavailable, match=r"locked by another process for 0\.2 s"):
        store.write("ann", saving(record()))
    other.execute("ROLLBACK")
    other.close()
    store.write("ann", saving(record()))


# -- several processes ------------------------------------------------------------------------------------


def test_two_processes_open_a_new_file_at_once(tmp_path: Path) -> None:
    """Both succeed; the schema is made once."""
    for attempt in range(3):
        path = tmp_path / f"new{attempt}.db"
        moment = time.time() + 0.7
        said = [finished(process).split() for process in [child("migrate", path, moment) for _ in range(2)]]
        assert sorted(said) == [[], [name for _, name, _ in migrations("sqlite")]]
        raw = sqlite3.connect(path)
        assert raw.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
        assert raw.execute("PRAGMA user_version").fetchone() == (newest("sqlite"),)
        raw.close()


# -- erasing ----------------------------------------------------------------------------------------------


def _on_disk(path: Path, texts: list[str]) -> list[str]:
    data = b"".join(file.read_bytes() for file in path.parent.glob(path.name + "*"))
    return [text for text in texts if text.encode() in data]


def _busy_life(store: Store, dice: random.Random) -> tuple[list[str], list[str]]:
    """Insertions, edits and deletions of interleaved users; texts that must be gone and texts that must stay."""
    held: dict[tuple[str, int], str] = {}
    gone: list[str] = []

    def work(tx: Connection) -> None:
        for number in range(1500):
            user_id = f"user{dice.randrange(7)}"
            text = f"secret-{number:05}-{'x' * dice.randrange(10, 400)}-end{number:05}"
            deed = dice.random()
            if deed < 0.6 or not held:
                memories.insert(tx, record(number, user_id, content=text), terms=b"", revision=1)
                held[user_id, number] = text
                continue
            user_id, old = dice.choice(list(held))
            gone.append(held.pop((user_id, old)))
            if deed < 0.8:
                memories.update(tx, record(old, user_id, content=text), terms=b"", revision=2)
                held[user_id, old] = text
            else:
                tx.run(
                    "DELETE FROM memories WHERE user_id = :user_id AND memory_id = :memory_id",
                    {"user_id": user_id, "memory_id": record(old).memory_id},
                )

    store.write("everyone", work)
    return [text[:12] for text in gone], [text[:12] for text in held.values()]


@pytest.mark.parametrize("seed", [1, 4, 7])
def test_sweep_leaves_no_erased_byte(path: Path, open_store: Callable[..., Store], seed: int) -> None:
    """After a sweep nothing erased is in the file or its log, and nothing else has gone.

    With these seeds SQLite 3.40 leaves copies of deleted rows behind, although it zeroes what it deletes.
    """
    store = open_store()
    gone, held = _busy_life(store, random.Random(seed))
    assert store.call(store.database.sweep([text.encode() for text in gone[:3]])) is True
    assert _on_disk(path, gone) == []
    assert _on_disk(path, held) == held
    assert store.call(store.database.checks())[1][1]


def test_the_log_holds_erased_bytes_until_swept(path: Path, open_store: Callable[..., Store]) -> None:
    """Deleting alone is not erasing: the log still has the text."""
    store = open_store()
    made = record(1, content="a secret that must go")
    store.write("ann", saving(made))
    store.write("ann", lambda tx: tx.run("DELETE FROM memories WHERE user_id = 'ann'"))
    assert _on_disk(path, [made.content]) == [made.content]
    assert store.call(store.database.sweep(None)) is True
    assert _on_disk(path, [made.content]) == []


def test_a_large_file_is_rewritten_only_when_needed(
    path: Path, open_store: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Above the size where rewriting is cheap, the file is searched first."""
    monkeypatch.setattr(sqlite, "REWRITE_BELOW_BYTES", 0)
    store = open_store()
    store.write("ann", saving(record(1, content="a secret that must go")))
    store.write("ann", saving(record(2)))
    # Leaves the text in the file for certain, as rebalanced pages do by chance.
    raw = sqlite3.connect(path, isolation_level=None)
    raw.execute("PRAGMA secure_delete = OFF")
    raw.execute("DELETE FROM memories WHERE content LIKE 'a secret%'")
    raw.close()
    assert store.call(store.database.sweep([b"never was here"])) is True
    assert _on_disk(path, ["a secret that must go"])
    assert store.call(store.database.sweep([b"a secret that"])) is True
    assert not _on_disk(path, ["a secret that must go"])


def test_sweep_admits_when_a_reader_is_in_the_way(
    path: Path, open_store: Callable[..., Store], monkeypatch: pytest.MonkeyPatch
) -> None:
    """While another process reads an older state, the log cannot be emptied: the answer is False, not a promise."""
    monkeypatch.setattr("recollect.store.sqlite.BUSY_TIMEOUT_SECONDS", 0.2)
    store = open_store()
    store.write("ann", saving(record(1)))
    other = sqlite3.connect(path, isolation_level=None)
    other.execute("BEGIN")
    other.execute("SELECT count(*) FROM memories").fetchall()
    store.write("ann", lambda tx: tx.run("DELETE FROM memories WHERE user_id = 'ann'"))
    assert store.call(store.database.sweep(None)) is False
    other.execute("ROLLBACK")
    other.close()
    assert store.call(store.database.sweep(None)) is True


def test_durable_when_it_says_so(open_store: Callable[..., Store]) -> None:
    """The default survives a power cut; the setting for speed is what the file is opened with."""
    full, normal = open_store(), open_store(sqlite_synchronous="normal")
    assert full.write("ann", lambda tx: tx.all("PRAGMA synchronous")) == [(2,)]
    assert normal.write("ann", lambda tx: tx.all("PRAGMA synchronous")) == [(1,)]
    assert full.read("ann", lambda tx: tx.all("PRAGMA journal_mode")) == [("wal",)]


def test_a_new_file_is_private(tmp_path: Path) -> None:
    """Memories are for their owner only: the file and its log are made with mode 600."""
    path = tmp_path / "private.db"
    database = SqliteDatabase(path, Settings())
    asyncio.run(database.migrate())
    modes = {file.name: file.stat().st_mode & 0o777 for file in tmp_path.iterdir()}
    asyncio.run(database.aclose())
    assert modes and set(modes.values()) == {0o600}


_MIGRATING = """
import asyncio, sys
from recollect.settings import Settings
from recollect.store.sqlite import SqliteDatabase
database = SqliteDatabase(sys.argv[1], Settings())
print("go", flush=True)
asyncio.run(database.migrate())
"""


def test_a_migration_that_is_killed_happened_or_did_not(tmp_path: Path) -> None:
    """After kill -9 at any moment the file has the whole schema or none of it, and the next process goes on."""
    for number in range(5):
        path = tmp_path / f"killed-{number}.db"
        command = [sys.executable, "-c", _MIGRATING, path]
        with ended(subprocess.Popen(command, stdout=subprocess.PIPE)) as process:
            assert line_of(process) == b"go\n"
            time.sleep(random.uniform(0, 0.02))
            process.kill()
        raw = sqlite3.connect(path)
        version = raw.execute("PRAGMA user_version").fetchone()[0]
        tables = raw.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
        raw.close()
        assert (version == newest("sqlite")) == (tables > 0)
        database = SqliteDatabase(path, Settings())
        asyncio.run(database.migrate())
        assert asyncio.run(database.schema_version()) == newest("sqlite")
        assert all(well for _, well, _ in asyncio.run(database.checks()))
        asyncio.run(database.aclose())
