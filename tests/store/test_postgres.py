"""PostgreSQL: users kept apart by the server itself, migrations by decision, and errors that say what to do."""

import asyncio
import subprocess
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress
from typing import Any, TypeVar

import psycopg
import pytest
from hypothesis import given
from hypothesis import strategies as st
from patience import LIMIT, join

from recollect.errors import (
    RecollectError,
    StoreCorrupt,
    StoreError,
    StoreOutdated,
    StoreTooNew,
    StoreUnavailable,
)
from recollect.settings import Settings
from recollect.store import erase, memories, users
from recollect.store.database import EVERYONE, Connection, migrations, newest
from recollect.store.postgres import ATTEMPTS, PostgresDatabase, translated

from .conftest import Store
from .conversations import index, message, tell
from .rows import NOON, record, saving
from .test_database import child, finished

T = TypeVar("T")
Call = Callable[[Awaitable[T]], T]
Server = Any


@pytest.fixture
def pg(postgres: PostgresDatabase, call: Call[object]) -> Store:
    """A fresh PostgreSQL database with plain calls."""
    return Store(postgres, call)  # type: ignore[arg-type]


@pytest.fixture
def own(postgres_server: Server) -> Iterator[str]:
    """A migrated database that the test may spoil; its name."""
    name = postgres_server.create()
    yield name
    postgres_server.drop(name)


def using(url: str, work: Callable[[PostgresDatabase], Awaitable[T]], **settings: object) -> T:
    """Open, work, close."""

    async def go() -> T:
        database = PostgresDatabase(url, Settings(**settings))  # type: ignore[arg-type]
        try:
            return await work(database)
        finally:
            await database.aclose()

    return asyncio.run(go())


# -- SQL ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("ours", "theirs"),
    [
        ("SELECT :a, :b_2", "SELECT %(a)s, %(b_2)s"),
        ("SELECT CAST(:a AS text)::bigint", "SELECT CAST(%(a)s AS text)::bigint"),
        ("x LIKE '%:a%' AND y = :a", "x LIKE '%%:a%%' AND y = %(a)s"),
        ("x = 'it''s :a' AND y = :a", "x = 'it''s :a' AND y = %(a)s"),
        ("x LIKE :a ESCAPE '\\'", "x LIKE %(a)s ESCAPE '\\'"),
        ('SELECT ":a" -- :b %\n, :c', 'SELECT ":a" -- :b %%\n, %(c)s'),
        ("SELECT /* :a */ 5 % :b", "SELECT /* :a */ 5 %% %(b)s"),
    ],
)
def test_parameters_are_translated(ours: str, theirs: str) -> None:
    """Only parameters change; literals, names, comments and casts stay, and every % is told to be one."""
    assert translated(ours).decode() == theirs


@given(st.text(st.characters(exclude_characters="\x00'", exclude_categories=("Cs",))))
def test_a_literal_is_never_a_parameter(text: str) -> None:
    """Whatever stands between quotes is left alone, but for doubled per cent signs."""
    assert translated(f"SELECT '{text}', :a").decode() == f"SELECT '{text.replace('%', '%%')}', %(a)s"


def test_translated_statements_mean_the_same(pg: Store) -> None:
    """The server reads them as they were meant."""
    row = pg.read(
        "ann",
        lambda tx: tx.one(
            "SELECT '%:x', 7 % :seven, CAST(:text AS text)::bigint", {"seven": 4, "text": "12"}
        ),
    )
    assert row == ("%:x", 3, 12)


# -- users apart --------------------------------------------------------------------------------------------


def test_row_level_security_holds_for_every_table(pg: Store) -> None:
    """Each table has it on, for the owner too, with one policy for reading and writing."""
    rows = pg.read(
        "ann",
        lambda tx: tx.all(
            """
            SELECT c.relname::text, c.relrowsecurity AND c.relforcerowsecurity, p.polcmd::text,
                   p.polqual IS NOT NULL AND p.polwithcheck IS NOT NULL
            FROM pg_class c LEFT JOIN pg_policy p ON p.polrelid = c.oid
            WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace
              AND c.relname <> 'schema_migrations' ORDER BY 1
            """
        ),
    )
    assert rows == [(table, True, "*", True) for table in sorted(erase.TABLES)]


def _all_rows(tx: Connection) -> int:
    return sum(len(tx.all(f"SELECT * FROM {table}")) for table in erase.TABLES)


def test_raw_sql_reaches_only_ones_own_rows(pg: Store) -> None:
    """Statements that forget to name the user read, change and delete nothing of another."""
    made = record(1, entity_refs=("person:bo",))
    pg.write("ann", saving(made))
    pg.write("ann", lambda tx: (tell(tx, [message(1)]), index(tx, "ann")))
    mine = pg.read("ann", _all_rows)
    assert mine >= 8
    assert pg.read("bob", _all_rows) == 0
    for table in erase.TABLES:
        assert pg.write("bob", lambda tx, table=table: tx.run(f"DELETE FROM {table}")) == 0
        assert pg.write("bob", lambda tx, table=table: tx.run(f"UPDATE {table} SET user_id = 'bob'")) == 0
    assert pg.read(EVERYONE, _all_rows) == pg.read("ann", _all_rows) == mine


def test_nobody_writes_for_another(pg: Store) -> None:
    """A row with another's name is refused by the server, new or changed."""
    pg.write("bob", saving(record(1, "bob")))
    with pytest.raises(StoreUnavailable, match="row-level security"):
        pg.write("bob", lambda tx: users.touch(tx, "ann", model="m", epoch=7, now=NOON))
    with pytest.raises(StoreUnavailable, match="row-level security"):
        pg.write("bob", lambda tx: tx.run("UPDATE memories SET user_id = 'ann'"))
    assert pg.read("ann", _all_rows) == 0


def test_without_a_name_nothing_is_visible(pg: Store, postgres_url: str) -> None:
    """A connection that names no user sees no row, and a name ends with its transaction."""
    pg.write("ann", saving(record()))
    with psycopg.connect(postgres_url, autocommit=True) as raw:
        assert raw.execute("SELECT count(*) FROM memories").fetchone() == (0,)
        with raw.transaction():
            raw.execute("SET LOCAL recollect.user_id = 'ann'")
            assert raw.execute("SELECT count(*) FROM memories").fetchone() == (1,)
        assert raw.execute("SELECT count(*) FROM memories").fetchone() == (0,)


@pytest.mark.parametrize(
    "user_id", ["o'hara", "a\\'; DROP TABLE users; --", "%s", ":x", "a@b.c", "日本 🐝", "''", "$1"]
)
def test_a_users_name_is_only_a_name(pg: Store, user_id: str) -> None:
    """Quotes, backslashes and SQL in a name are kept as they are and do nothing."""
    pg.write(user_id, saving(record(1, user_id)))
    assert pg.read(user_id, lambda tx: tx.all("SELECT user_id FROM memories")) == [(user_id,)]
    assert pg.read("ann", _all_rows) == 0


def test_a_read_cannot_write(pg: Store) -> None:
    """Work that was announced as reading is held to it."""
    with pytest.raises(StoreUnavailable, match="read-only"):
        pg.read("ann", lambda tx: users.touch(tx, "ann", model="m", epoch=7, now=NOON))


def test_a_read_sees_one_moment(pg: Store, postgres_url: str) -> None:
    """What others commit while a read is under way does not show in its second half."""
    pg.write("ann", saving(record(1)))

    def look(tx: Connection) -> tuple[int, int]:
        before = len(memories.everything(tx, "ann"))
        using(postgres_url, lambda other: other.write("ann", saving(record(2))))
        return before, len(memories.everything(tx, "ann"))

    assert pg.read("ann", look) == (1, 1)
    assert len(pg.read("ann", lambda tx: memories.everything(tx, "ann"))) == 2


# -- migrations ---------------------------------------------------------------------------------------------


def test_migrating_is_a_decision(empty_postgres: str) -> None:
    """An empty database is not changed by opening it; after `migrate` it serves."""

    async def work(database: PostgresDatabase) -> list[str]:
        with pytest.raises(StoreOutdated, match=r"no tables of Recollect yet.*recollect db migrate"):
            await database.prepare()
        with pytest.raises(StoreOutdated, match="recollect db migrate"):
            await database.read("ann", lambda tx: users.state(tx, "ann"))
        applied = await database.migrate()
        await database.prepare()
        return applied

    assert using(empty_postgres, work) == [name for _, name, _ in migrations("postgres")]


def test_an_older_and_a_newer_schema(own: str, postgres_server: Server) -> None:
    """An older schema names the command, a newer one the remedy."""
    url = postgres_server.url(own)
    last = newest("postgres")
    postgres_server.admin(f"DELETE FROM schema_migrations WHERE version = {last}", own)
    with pytest.raises(StoreOutdated, match=f"schema {last - 1}.*needs schema {last}.*recollect db migrate"):
        using(url, PostgresDatabase.prepare)
    postgres_server.admin(f"INSERT INTO schema_migrations (version, name) VALUES ({last + 1}, 'future')", own)
    with pytest.raises(StoreTooNew, match="Upgrade"):
        using(url, PostgresDatabase.prepare)
    with pytest.raises(StoreTooNew, match="Upgrade"):
        using(url, PostgresDatabase.migrate)


def test_two_processes_migrate_at_once(empty_postgres: str) -> None:
    """Both succeed; every migration is applied once."""
    moment = time.time() + 0.8
    said = [
        finished(process).split() for process in [child("migrate", empty_postgres, moment) for _ in range(2)]
    ]
    assert sorted(said) == [[], [name for _, name, _ in migrations("postgres")]]


def test_a_failed_migration_leaves_nothing(empty_postgres: str) -> None:
    """All migrations or none: a table in the way undoes those before it."""
    with psycopg.connect(empty_postgres, autocommit=True) as raw:
        raw.execute("CREATE TABLE todos (x int)")
        with pytest.raises(StoreError, match="todos"):
            using(empty_postgres, PostgresDatabase.migrate)
        found = raw.execute("SELECT tablename FROM pg_tables WHERE schemaname = 'public'").fetchall()
    assert found == [("todos",)]


def test_pgvector_must_be_permitted(postgres_server: Server) -> None:
    """A role that may not create the extension hears who must."""
    name = f"t_{time.time_ns()}"
    postgres_server.admin(f"CREATE DATABASE {name}")
    try:
        postgres_server.admin("GRANT ALL ON SCHEMA public TO PUBLIC", name)
        with pytest.raises(StoreUnavailable, match=r"superuser run CREATE EXTENSION vector"):
            using(postgres_server.url(name), PostgresDatabase.migrate)
        postgres_server.admin("CREATE EXTENSION vector", name)
        assert using(postgres_server.url(name), PostgresDatabase.migrate)
    finally:
        postgres_server.drop(name)


def test_an_old_pgvector_is_refused(empty_postgres: str, postgres_server: Server) -> None:
    """A version without 16-bit vectors is named, with the way to a newer one."""
    name = psycopg.conninfo.conninfo_to_dict(empty_postgres)["dbname"]
    postgres_server.admin("UPDATE pg_extension SET extversion = '0.6.2' WHERE extname = 'vector'", name)
    with pytest.raises(StoreUnavailable, match=r"pgvector 0\.6\.2.*ALTER EXTENSION vector UPDATE"):
        using(empty_postgres, PostgresDatabase.migrate)


def _checked(url: str) -> dict[str, tuple[bool, str]]:
    return {name: (well, word) for name, well, word in using(url, PostgresDatabase.checks)}


def test_the_doctor_warns_of_a_superuser(own: str, postgres_server: Server) -> None:
    """A role that passes by row-level security is pointed out, and so is a table without it."""
    found = _checked(postgres_server.url(own, "postgres"))
    assert found["row security"] == (False, "role postgres passes by it; connect as an ordinary role")
    postgres_server.admin("ALTER TABLE todos NO FORCE ROW LEVEL SECURITY", own)
    found = _checked(postgres_server.url(own))
    assert found["row security"] == (False, "off for todos")
    assert found["pgvector"][0] and found["schema"] == (True, f"version {newest('postgres')}")


# -- when things go wrong -----------------------------------------------------------------------------------


def _refusal(url: str) -> RecollectError:
    with pytest.raises(RecollectError) as caught:
        using(url, PostgresDatabase.prepare)
    assert "s3cret" not in str(caught.value) and "wrong-word" not in str(caught.value)
    return caught.value


def test_connections_that_fail(postgres_server: Server, tmp_path: Any) -> None:
    """Each way to fail has a sentence with what to do, at once, and none shows a password."""
    locked = "recollect_locked"
    expected = {
        f"postgresql://ann:s3cret@/x?host={tmp_path}": "cannot be reached",
        "postgresql://ann:s3cret@127.0.0.1:1/x": "cannot be reached",
        "postgresql://ann:s3cret@no-such-host.invalid/x": "cannot be reached",
        postgres_server.url("postgres", locked, "wrong-word"): "refused the login",
        postgres_server.url("postgres", locked): "refused the login",
        postgres_server.url("postgres", "nobody_here"): "does not know this user",
        postgres_server.url("no_such_database"): "no such database",
    }
    for url, words in expected.items():
        error = _refusal(url)
        assert isinstance(error, StoreUnavailable) and words in str(error), f"{url}: {error}"


def test_a_password_that_is_right(postgres_server: Server) -> None:
    """With the right password, special characters as %-codes, the server answers; the name does not show it."""
    url = postgres_server.url("postgres", "recollect_locked", "s3cret%2Fword")
    assert isinstance(_refusal(url), StoreOutdated)
    assert PostgresDatabase(url, Settings()).name.startswith("postgresql://recollect_locked@/")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://u:s3cret@host:port/x",
        "postgresql://u:s3cret/x@host/db",
        "postgresql://u:5432/s3cret@host/db",
        "postgresql://u:x@s3cret@host/db",
        "postgresql://u:s3cret%zz@host/db",
        "postgresql://u:s3cret@[host/db",
        "postgresql://u:s3cret@h/x?no=1",
    ],
)
def test_an_unreadable_url(url: str) -> None:
    """The error shows the form that is meant and nothing of what was given."""
    with pytest.raises(StoreUnavailable, match="postgresql://user:password@host") as caught:
        PostgresDatabase(url, Settings())
    assert "s3cret" not in str(caught.value) and caught.value.__cause__ is None


@pytest.mark.parametrize(
    ("code", "kind", "words"),
    [
        ("53100", StoreUnavailable, "full"),
        ("25006", StoreUnavailable, "primary"),
        ("57014", StoreUnavailable, "too long"),
        ("55P03", StoreUnavailable, "locked by another process for 60 s"),
        ("42501", StoreUnavailable, "does not permit"),
        ("42P01", StoreOutdated, "recollect db migrate"),
        ("XX001", StoreCorrupt, "Restore a backup"),
        ("53300", StoreUnavailable, "Try again"),
        ("22003", StoreError, "it says so"),
    ],
)
def test_what_the_server_says_is_translated(
    pg: Store, code: str, kind: type[RecollectError], words: str
) -> None:
    """The server's error codes become our errors, each with what to do; nothing is stored."""

    def work(tx: Connection) -> None:
        users.touch(tx, "ann", model="m", epoch=7, now=NOON)
        tx.run(f"DO $$ BEGIN RAISE EXCEPTION 'it says so' USING ERRCODE = '{code}'; END $$")

    with pytest.raises(kind, match=words) as caught:
        pg.write("ann", work)
    assert type(caught.value) is kind
    assert pg.read("ann", lambda tx: users.state(tx, "ann")) is None


def test_limits_of_the_server(own: str, postgres_server: Server) -> None:
    """A statement timeout and a read-only server, set by an administrator, are told apart."""
    url = postgres_server.url(own)
    postgres_server.admin(f"ALTER DATABASE {own} SET statement_timeout = '50ms'")
    with pytest.raises(StoreUnavailable, match="statement_timeout"):
        using(url, lambda database: database.read("ann", lambda tx: tx.all("SELECT pg_sleep(2)")))
    postgres_server.admin(f"ALTER DATABASE {own} SET default_transaction_read_only = on")
    with pytest.raises(StoreUnavailable, match="is read-only"):
        using(url, lambda database: database.write("ann", saving(record())))


def test_waiting_has_an_end(pg: Store, postgres_url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A writer waits its turn behind another of the same user, and gives up when told to; others need not wait."""
    inside, go_on = threading.Event(), threading.Event()

    def slow(tx: Connection) -> None:
        inside.set()
        go_on.wait(10)

    holding = threading.Thread(target=lambda: using(postgres_url, lambda other: other.write("ann", slow)))
    holding.start()
    assert inside.wait(10)
    try:
        pg.write("bob", saving(record(1, "bob")))
        for module in ("postgres", "postgres_errors"):
            monkeypatch.setattr(f"recollect.store.{module}.BUSY_TIMEOUT_SECONDS", 0.2)
        with pytest.raises(StoreUnavailable, match=r"locked by another process for 0\.2 s"):
            using(postgres_url, lambda other: other.write("ann", saving(record())))
    finally:
        go_on.set()
        join(holding)
    pg.write("ann", saving(record()))


def test_swallowing_an_error_does_not_lose_a_write_in_silence(pg: Store) -> None:
    """After a failed statement the server keeps nothing: work that goes on regardless is told so."""

    def careless(tx: Connection) -> str:
        users.touch(tx, "ann", model="m", epoch=7, now=NOON)
        with suppress(psycopg.Error):
            tx.run("INSERT INTO users (user_id) VALUES ('ann')")
        return "stored"

    with pytest.raises(StoreError, match="nothing of this work was stored"):
        pg.write("ann", careless)
    pg.write("ann", saving(record()))


def test_work_is_run_again_when_others_get_in_its_way(pg: Store) -> None:
    """A serialization failure is no error of the caller: the work runs again, a bounded number of times."""
    tries: list[int] = []

    def work(tx: Connection, failures: int) -> int:
        tries.append(users.touch(tx, "ann", model="m", epoch=7, now=NOON).revision)
        if len(tries) <= failures:
            tx.run("DO $$ BEGIN RAISE EXCEPTION 'x' USING ERRCODE = '40001'; END $$")
        return len(tries)

    assert pg.write("ann", lambda tx: work(tx, 2)) == 3
    assert tries == [1, 1, 1]
    tries.clear()
    with pytest.raises(StoreUnavailable, match="too busy"):
        pg.write("ann", lambda tx: work(tx, 100))
    assert len(tries) == ATTEMPTS


def test_a_deadlock_is_settled(pg: Store) -> None:
    """Two that wait for each other: the server stops one, which then runs again; both succeed."""
    meet = threading.Barrier(2, timeout=10)
    tries: list[str] = []

    def crossing(user_id: str, first: int, second: int) -> Callable[[Connection], str]:
        def work(tx: Connection) -> str:
            tries.append(user_id)
            tx.all("SELECT pg_advisory_xact_lock(:key)", {"key": first})
            if tries.count(user_id) == 1:
                meet.wait()
            tx.all("SELECT pg_advisory_xact_lock(:key)", {"key": second})
            users.touch(tx, user_id, model="m", epoch=7, now=NOON)
            return user_id

        return work

    async def both() -> list[str]:
        return await asyncio.gather(
            pg.database.write("ann", crossing("ann", 1, 2)), pg.database.write("bob", crossing("bob", 2, 1))
        )

    assert pg.call(both()) == ["ann", "bob"]
    assert len(tries) == 3


def _cut(url: str) -> str:
    """The statement that breaks every connection to a database."""
    name = psycopg.conninfo.conninfo_to_dict(url)["dbname"]
    return f"SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = '{name}' AND pid <> pg_backend_pid()"


def test_lost_connections_are_replaced(pg: Store, postgres_server: Server, postgres_url: str) -> None:
    """After a restart of the server or a cut network the next call simply works; one in the middle fails clearly."""
    cut = _cut(postgres_url)

    async def fill() -> None:
        await asyncio.gather(
            *(pg.database.read("ann", lambda tx: tx.all("SELECT pg_sleep(0.05)")) for _ in range(4))
        )

    pg.call(fill())
    postgres_server.admin(cut)
    pg.write("ann", saving(record()))

    def interrupted(tx: Connection) -> None:
        saving(record(2))(tx)
        postgres_server.admin(cut)
        tx.all("SELECT 1")

    with pytest.raises(StoreUnavailable):
        pg.write("ann", interrupted)
    assert pg.read("ann", lambda tx: memories.everything(tx, "ann")) == [record()]


@pytest.mark.parametrize("lost", [1, 2])
def test_work_on_a_lost_connection_is_run_again(
    pg: Store, postgres_server: Server, postgres_url: str, lost: int
) -> None:
    """A connection that breaks in the middle costs neither a read nor a write: nothing was stored, so both run again."""
    cut = _cut(postgres_url)
    tries: list[int] = []

    def unlucky(tx: Connection) -> int:
        tries.append(users.touch(tx, "ann", model="m", epoch=7, now=NOON).revision)
        return look(tx)

    def look(tx: Connection) -> int:
        if len(tries) <= lost:
            postgres_server.admin(cut)
        return len(tx.all("SELECT user_id FROM users"))

    assert pg.write("ann", unlucky) == 1
    assert tries == [1] * (lost + 1)
    tries.clear()

    def reading(tx: Connection) -> int:
        tries.append(0)
        return look(tx)

    assert pg.read("ann", reading) == 1
    assert len(tries) == lost + 1


def test_a_connection_lost_at_the_end_of_a_read_is_run_again(
    pg: Store, postgres_server: Server, postgres_url: str
) -> None:
    """A read stores nothing, so that also its last word may be said again."""
    cut = _cut(postgres_url)
    tries: list[int] = []

    def cut_at_the_end(tx: Connection) -> int:
        tries.append(len(tx.all("SELECT 1")))
        if len(tries) == 1:
            postgres_server.admin(cut)
        return len(tries)

    assert pg.read("ann", cut_at_the_end) == 2


def test_nothing_is_promised_about_the_disk(pg: Store) -> None:
    """The server reclaims space in its own time, so a sweep promises nothing."""
    assert pg.call(pg.database.sweep(None)) is False


def test_a_missing_driver_says_what_to_install() -> None:
    """Without psycopg the error names the command."""
    code = """
import sys
sys.modules["psycopg"] = None
from recollect.errors import StoreUnavailable
try:
    import recollect.store.postgres
except StoreUnavailable as error:
    print(error)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, timeout=LIMIT)
    assert "pip install 'psycopg[binary,pool]'" in done.stdout, done.stderr
