"""The contract of both databases: one schema, whole transactions, indexes where it matters, users apart."""

import random
import signal
import subprocess
import sys
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import pytest
from patience import LIMIT, ended, line_of

from recollect.errors import StoreError, StoreTooNew, StoreUnavailable
from recollect.index.message_index import MessageIndex
from recollect.index.user_index import UserIndex
from recollect.records.moment import iso
from recollect.records.session import SessionState
from recollect.settings import Settings
from recollect.store import (
    briefs,
    chats,
    entities,
    erase,
    histories,
    idempotency_keys,
    links,
    memories,
    message_entries,
    message_vectors,
    messages,
    pins,
    rolling_summaries,
    seeds,
    session_states,
    session_summaries,
    sessions,
    spines,
    summaries,
    todos,
    users,
    vectors,
)
from recollect.store.database import (
    EVERYONE,
    Connection,
    Database,
    Matrix,
    Params,
    Row,
    migrations,
    newest,
    pending,
    statements,
)
from recollect.store.memories import Filter
from recollect.store.postgres import PostgresDatabase
from recollect.store.sqlite import SqliteDatabase
from recollect.store.users import UserState

from .conftest import Store
from .conversations import chat, fill, message, minutes, session
from .rows import MODEL, NOON, direction, record, saving

TESTS = Path(__file__).parent.parent


def child(*words: object) -> subprocess.Popen[str]:
    """Another process that does one of the deeds of `child.py`."""
    command = [sys.executable, "-m", "store.child", *map(str, words)]
    pipe = subprocess.PIPE
    return subprocess.Popen(
        command, cwd=TESTS, stdin=pipe, stdout=pipe, stderr=pipe, text=True, start_new_session=True
    )


def finished(process: subprocess.Popen[str]) -> str:
    """What it said, once it has ended well."""
    said, complaints = process.communicate(timeout=LIMIT)
    assert process.returncode == 0, complaints
    return said


# -- the schema -------------------------------------------------------------------------------------------

Columns = dict[str, dict[str, tuple[str, bool]]]


def _sqlite_columns(tx: Connection) -> Columns:
    names = {
        "TEXT": "text",
        "BLOB": "blob",
        "BIGINT": "bigint",
        "INTEGER": "integer",
        "DOUBLE PRECISION": "double",
    }
    tables = [row[0] for row in tx.all("SELECT name FROM sqlite_master WHERE type = 'table'")]
    return {
        table: {row[1]: (names[row[2]], bool(row[3])) for row in tx.all(f"PRAGMA table_info({table})")}
        for table in tables
        if not table.startswith("sqlite_")
    }


def _postgres_columns(tx: Connection) -> Columns:
    names = {"bytea": "blob", "halfvec": "blob", "double precision": "double"}
    found: Columns = {}
    for table, column, kind, required in tx.all(
        """
        SELECT c.relname::text, a.attname::text, format_type(a.atttypid, a.atttypmod), a.attnotnull
        FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid
        WHERE c.relkind = 'r' AND c.relnamespace = 'public'::regnamespace AND a.attnum > 0
          AND NOT a.attisdropped AND c.relname <> 'schema_migrations'
        """
    ):
        found.setdefault(table, {})[column] = (names.get(kind, kind), required)
    return found


def _sqlite_indexes(tx: Connection) -> dict[str, tuple[bool, str]]:
    """Every index with whether it is unique and its first column; a primary key is named after its table."""
    found: dict[str, tuple[bool, str]] = {}
    for table in _sqlite_columns(tx):
        for _, name, unique, origin, _ in tx.all(f"PRAGMA index_list({table})"):
            first = tx.all(f"PRAGMA index_info({name})")[0][2]
            found[f"{table}_pkey" if origin == "pk" else name] = (bool(unique), first)
    return found


def _postgres_indexes(tx: Connection) -> dict[str, tuple[bool, str]]:
    rows = tx.all(
        """
        SELECT i.relname::text, x.indisunique, a.attname::text FROM pg_index x
        JOIN pg_class i ON i.oid = x.indexrelid JOIN pg_class t ON t.oid = x.indrelid
        JOIN pg_attribute a ON a.attrelid = t.oid AND a.attnum = x.indkey[0]
        WHERE t.relnamespace = 'public'::regnamespace AND t.relname <> 'schema_migrations'
        """
    )
    return {name: (unique, column) for name, unique, column in rows}


def _indexes(store: Store) -> dict[str, tuple[bool, str]]:
    of = _sqlite_indexes if isinstance(store.database, SqliteDatabase) else _postgres_indexes
    return store.read(EVERYONE, of)


def _columns(store: Store) -> Columns:
    of = _sqlite_columns if isinstance(store.database, SqliteDatabase) else _postgres_columns
    return store.read(EVERYONE, of)


def test_every_unique_key_starts_with_the_user(store: Store) -> None:
    """Row-level security and sharding by user rest on it."""
    unique = {name: first for name, (unique, first) in _indexes(store).items() if unique}
    assert len(unique) >= len(erase.TABLES)
    assert set(unique.values()) == {"user_id"}


def test_erase_knows_every_table(store: Store) -> None:
    """Forgetting a user looks into every table there is, and every table says whose a row is."""
    columns = _columns(store)
    assert set(columns) == set(erase.TABLES) and len(set(erase.TABLES)) == len(erase.TABLES)
    assert all(table["user_id"] == ("text", True) for table in columns.values())


def test_both_databases_have_one_schema(
    sqlite_path: Path, postgres: PostgresDatabase, call: Callable[[Awaitable[object]], object]
) -> None:
    """The same tables, columns, types, nullability and indexes on both."""
    sqlite = SqliteDatabase(sqlite_path, Settings())
    call(sqlite.prepare())
    stores = [Store(sqlite, call), Store(postgres, call)]  # type: ignore[arg-type]
    assert _columns(stores[0]) == _columns(stores[1])
    assert _indexes(stores[0]) == _indexes(stores[1])
    call(sqlite.aclose())


def test_migrations_are_numbered_without_a_gap() -> None:
    """Each dialect counts its own migrations from 1; both begin with the same ground."""
    for dialect in ("sqlite", "postgres"):
        numbers = [number for number, _, _ in migrations(dialect)]
        assert numbers == sorted(set(numbers)) and numbers[0] == 1
        assert newest(dialect) == numbers[-1]
        assert pending(dialect, numbers[-1], store="x") == []
        with pytest.raises(StoreTooNew, match=f"schema {numbers[-1] + 1}"):
            pending(dialect, numbers[-1] + 1, store="x")
    assert migrations("sqlite")[0] == migrations("postgres")[0]


def test_statements_are_split_and_filled() -> None:
    """Comments go, the dialect's words come in."""
    text = "-- a; b\nCREATE TABLE x (a {text}); -- end\n\nCREATE INDEX y;\n"
    assert statements(text, {"text": "TEXT"}) == ["CREATE TABLE x (a TEXT)", "CREATE INDEX y"]


def test_migrating_again_changes_nothing(store: Store) -> None:
    """A database that is up to date is left alone."""
    store.write("ann", saving(record()))
    assert store.call(store.database.migrate()) == []
    store.call(store.database.prepare())
    assert store.read("ann", lambda tx: memories.everything(tx, "ann")) == [record()]


# -- transactions -----------------------------------------------------------------------------------------


def test_a_failed_unit_of_work_leaves_nothing(store: Store) -> None:
    """All of it or nothing, whether the code or a statement fails; the next one works."""

    def fail(tx: Connection) -> None:
        saving(record())(tx)
        raise KeyError("in the middle")

    def fail_in_sql(tx: Connection) -> None:
        saving(record())(tx)
        memories.insert(tx, record(), terms=b"", revision=1)

    with pytest.raises(KeyError):
        store.write("ann", fail)
    with pytest.raises(StoreError):
        store.write("ann", fail_in_sql)
    for table in erase.TABLES:
        assert store.read(EVERYONE, lambda tx, table=table: tx.all(f"SELECT 1 FROM {table}")) == []
    store.write("ann", saving(record()))
    assert store.read("ann", lambda tx: memories.everything(tx, "ann")) == [record()]


def test_a_closed_database_says_so(store: Store) -> None:
    """After closing, which may happen twice, every call is refused clearly."""
    store.read("ann", lambda tx: None)
    store.call(store.database.aclose())
    store.call(store.database.aclose())
    with pytest.raises(StoreUnavailable, match="closed"):
        store.read("ann", lambda tx: None)


def test_batches_bring_every_row(store: Store) -> None:
    """A large result comes in portions, in order, also when the reader stops early."""
    store.write("ann", lambda tx: vectors.put(tx, "ann", "m", [(f"{n:03}", direction(1)) for n in range(25)]))
    query = "SELECT memory_id FROM memory_vectors WHERE user_id = :user_id ORDER BY memory_id"

    def work(tx: Connection) -> list[list[Row]]:
        next(iter(tx.batches(query, {"user_id": "ann"}, 4)))
        return list(tx.batches(query, {"user_id": "ann"}, 10))

    portions = store.read("ann", work)
    assert [len(portion) for portion in portions] == [10, 10, 5]
    assert [row[0] for portion in portions for row in portion] == [f"{n:03}" for n in range(25)]


def test_text_sorts_by_its_bytes(store: Store) -> None:
    """Both databases put texts in the same order, capitals before small letters, accents last."""
    names = ["b", "A", "ä", "a", "B", "_", "Z", "é", "日", "🐝", "a b", "ab"]
    for name in names:
        store.write("ann", lambda tx, name=name: entities.mention(tx, "ann", [(name, name)], "m", NOON))
    found = store.read("ann", lambda tx: [row.entity_key for row in entities.of_user(tx, "ann")])
    assert found == sorted(names, key=lambda name: name.encode())


def test_checks_are_all_well(store: Store) -> None:
    """A healthy database says so, line by line, and knows its size."""
    found = store.call(store.database.checks())
    assert len(found) == 5 and all(well and word for _, well, word in found), found
    assert store.call(store.database.size_bytes()) > 0


# -- several processes ------------------------------------------------------------------------------------


def test_processes_write_at_once(database_url: str, store: Store) -> None:
    """Four processes write a hundred memories each for one user: none fails, none is lost, all are counted."""
    writing = [child("write", database_url, "ann", first, 100) for first in (0, 1000, 2000, 3000)]
    for process in writing:
        finished(process)
    found = store.read("ann", lambda tx: memories.everything(tx, "ann"))
    assert len(found) == 400
    state = store.read("ann", lambda tx: users.state(tx, "ann"))
    assert state is not None and state.revision == 400
    slot_of = {item.memory_id: slot for slot, item in enumerate(found)}
    assert store.read("ann", lambda tx: vectors.gather(tx, "ann", MODEL, slot_of))[1].all()


@pytest.mark.parametrize("seed", [1, 2])
def test_a_killed_process_loses_nothing_committed(database_url: str, store: Store, seed: int) -> None:
    """kill -9 at a random moment: whatever was said to be stored is there, whole."""
    dice = random.Random(seed)
    with ended(child("stream", database_url)) as process:
        said = [line_of(process) for _ in range(dice.randint(5, 60))]
        time.sleep(dice.random() / 100)
        process.send_signal(signal.SIGKILL)
        rest, _ = process.communicate(timeout=LIMIT)
    # The last line may have been cut by the kill; a whole one ends with its line break.
    said += [line for line in rest.splitlines(keepends=True) if line.endswith("\n")]
    found = {item.memory_id for item in store.read("ann", lambda tx: memories.everything(tx, "ann"))}
    assert {line.strip() for line in said} <= found
    entries = store.read("ann", lambda tx: histories.of_user(tx, "ann"))
    assert found == {entry.memory_id for entry in entries}
    slot_of = {memory_id: slot for slot, memory_id in enumerate(found)}
    assert store.read("ann", lambda tx: vectors.gather(tx, "ann", MODEL, slot_of))[1].all()


def test_a_forked_child_is_told(database_url: str) -> None:
    """The threads of a database stay in the parent: in a child of fork it says so, and the parent goes on."""
    told, still = finished(child("fork", database_url)).splitlines()
    assert told.endswith("was opened before the process was forked. Open a new one.")
    assert still == "answered"


# -- users apart ------------------------------------------------------------------------------------------


def test_nobody_reads_another_users_memory(store: Store) -> None:
    """With another's ids in hand, a user still finds nothing, and changes nothing."""
    made = record(1, memory_key="k", entity_refs=("person:bo",))
    store.write("ann", saving(made))
    id = made.memory_id

    def look(tx: Connection) -> list[object]:
        return [
            memories.get(tx, "bob", id),
            memories.get_many(tx, "bob", [id]),
            memories.by_key(tx, "bob", "k", None),
            memories.page(tx, "bob", Filter(status=None, past=True), limit=9),
            histories.of_memory(tx, "bob", id),
            links.of_user(tx, "bob"),
            entities.memories_of(tx, "bob", ["person:bo"]),
            vectors.gather(tx, "bob", MODEL, {id: 0})[1].any(),
            users.state(tx, "bob"),
        ]

    assert not any(store.read("bob", look))
    counts = store.write("bob", lambda tx: erase.memories(tx, "bob", [id]))
    assert not any(counts.values())
    assert not any(store.write("bob", lambda tx: erase.everything(tx, "bob")).values())
    assert store.read("ann", lambda tx: memories.everything(tx, "ann")) == [made]


# -- plans ------------------------------------------------------------------------------------------------


@dataclass
class Watched:
    """A connection that notes down what it is asked."""

    tx: Connection
    asked: list[tuple[str, Params]] = field(default_factory=list)

    def all(self, sql: str, params: Params = {}) -> list[Row]:
        self.asked.append((sql, params))
        return self.tx.all(sql, params)

    def one(self, sql: str, params: Params = {}) -> Row | None:
        self.asked.append((sql, params))
        return self.tx.one(sql, params)

    def run(self, sql: str, params: Params = {}) -> int:
        self.asked.append((sql, params))
        return self.tx.run(sql, params)

    def batches(self, sql: str, params: Params, size: int) -> Iterator[list[Row]]:
        self.asked.append((sql, params))
        return self.tx.batches(sql, params, size)

    def many(self, sql: str, rows: Sequence[Params]) -> None:
        self.asked += [(sql, row) for row in rows[:1]]
        self.tx.many(sql, rows)

    def vectors(self, stored: Sequence[bytes]) -> Matrix:
        return self.tx.vectors(stored)


def _follow(tx: Connection) -> None:
    state = UserState(revision=295, epoch=0, embedding_model=MODEL)
    UserIndex(state, {}).follow(tx, "user7", state)


def _follow_messages(tx: Connection) -> None:
    state = UserState(revision=0, epoch=0, embedding_model=MODEL, message_revision=1190)
    MessageIndex(state).follow(tx, "user7", state)


def _load_messages(tx: Connection) -> None:
    state = users.state(tx, "user7")
    assert state is not None
    assert MessageIndex.load(tx, "user7", state).text_pending == 0


ID = record(150, "user7").memory_id
#: Late enough that few chats were active before it.
SINCE = iso(minutes(4000))
#: Each with the index that it must use; "" for any.
HOT: dict[str, tuple[Callable[[Connection], object], str]] = {
    "user": (lambda tx: users.state(tx, "user7"), ""),
    "get": (lambda tx: memories.get(tx, "user7", ID), ""),
    "get_many": (lambda tx: memories.get_many(tx, "user7", [ID, "x", "y"]), ""),
    "by_key": (lambda tx: memories.by_key(tx, "user7", "key150", None), "memories_active_key"),
    "follow": (_follow, "memories_revision"),
    "load": (
        lambda tx: UserIndex.load(tx, "user7", UserState(revision=300, epoch=0, embedding_model=MODEL)),
        "",
    ),
    "vectors": (lambda tx: vectors.gather(tx, "user7", MODEL, {ID: 0}), ""),
    "page": (lambda tx: memories.page(tx, "user7", Filter(), limit=20, before=ID), ""),
    "history": (lambda tx: histories.of_memory(tx, "user7", ID), ""),
    "since": (lambda tx: histories.since(tx, "user7", record(298).created_at), "memory_history_at"),
    "links": (lambda tx: links.with_contradictions(tx, "user7", [record(298)]), ""),
    "entity": (lambda tx: entities.memories_of(tx, "user7", ["person:p3"]), ""),
    "entities": (lambda tx: entities.of_user(tx, "user7"), ""),
    "accessed": (lambda tx: memories.accessed(tx, "user7", [(ID, 1)], NOON), ""),
    "erase": (lambda tx: erase.memories(tx, "user7", [ID]), ""),
    "count messages": (
        lambda tx: users.count_messages(tx, "user7", 1, recorded=2, model=MODEL, epoch=7, now=NOON),
        "",
    ),
    "change of a message": (lambda tx: users.change_message(tx, "user7"), ""),
    "follow messages": (_follow_messages, ""),
    "entries since": (lambda tx: message_entries.since(tx, "user7", 1190), "message_entries_revision"),
    "vectors since": (lambda tx: message_vectors.since(tx, "user7", MODEL, 1190), "message_vectors_revision"),
    "said since": (lambda tx: list(messages.said_since(tx, "user7", 1190)), "messages_revision"),
    "load messages": (_load_messages, "message_entries"),
    "unindexed": (lambda tx: messages.unindexed(tx, "user7", 1190, 256), "messages_revision"),
    "revisions": (lambda tx: messages.revisions(tx, "user7", ["c3-000007", "c3-000008"]), ""),
    "indexed": (lambda tx: users.index_until(tx, "user7", 1200), ""),
    "waiting for vectors": (lambda tx: messages.count_unindexed(tx, "user7"), "messages_revision"),
    "vectors to make": (lambda tx: message_vectors.missing(tx, "user7", "m", 64), ""),
    "personas": (lambda tx: chats.personas(tx, "user7", ["c3", "c4"]), ""),
    "entry": (lambda tx: message_entries.drop(tx, "user7", "c3-000007"), ""),
    "vectors of a message": (lambda tx: message_vectors.drop(tx, "user7", "c3-000007"), ""),
    "chat": (lambda tx: chats.get(tx, "user7", "c3"), ""),
    "save chat": (lambda tx: chats.save(tx, chat("c3", "user7", last_message_at=minutes(3000))), ""),
    "chats": (lambda tx: chats.page(tx, "user7", limit=5, before=(SINCE, "c9")), "chats_recent"),
    "message": (lambda tx: messages.get(tx, "user7", "c3-000007"), ""),
    "record": (lambda tx: messages.insert_many(tx, [message(99, "c3", "user7")], 5000), ""),
    "change": (lambda tx: messages.update(tx, message(7, "c3", "user7")), ""),
    "messages": (lambda tx: messages.get_many(tx, "user7", ["c3-000007", "c3-000008"]), ""),
    "after": (lambda tx: messages.after(tx, "user7", "c3", 50), "messages_position"),
    "latest": (lambda tx: messages.latest(tx, "user7", "c3", 6, 40), "messages_position"),
    "opening": (lambda tx: messages.opening(tx, "user7", "c3", 44), "messages_position"),
    "between": (lambda tx: messages.between(tx, "user7", "c3", 40, 44), "messages_position"),
    "important": (
        lambda tx: messages.important(tx, "user7", "c3", minimum=8, until_position=50, limit=5),
        "messages_important",
    ),
    "unfolded": (lambda tx: messages.unfolded(tx, "user7", "c3", 50), "messages_position"),
    "figures": (lambda tx: messages.figures(tx, "user7", "c3"), ""),
    "of session": (lambda tx: messages.of_session(tx, "user7", "c3s1"), "messages_session"),
    "of persona": (
        lambda tx: messages.of_persona_since(tx, "user7", "coach", minutes(18000), 20),
        "messages_session",
    ),
    "of user": (lambda tx: messages.of_user_since(tx, "user7", minutes(19000), 20), ""),
    "last words": (lambda tx: messages.last_user(tx, "user7", "coach"), "messages_session"),
    "brief": (lambda tx: briefs.current(tx, "user7", "c3"), ""),
    "segments": (lambda tx: summaries.of_chat(tx, "user7", "c3"), "summaries_"),
    "segments of a context": (
        lambda tx: summaries.for_context(tx, "user7", "c3", newest=4),
        "summaries_importance",
    ),
    "pins": (lambda tx: pins.of_chat(tx, "user7", "c3"), "pins_chat"),
    "critical pins": (lambda tx: pins.critical_of_persona(tx, "user7", "coach", 8, 5), "pins_important"),
    "critical pins of nobody": (
        lambda tx: pins.critical_of_persona(tx, "user7", None, 8, 5),
        "pins_important",
    ),
    "count of pins": (lambda tx: pins.count(tx, "user7", "c3"), "pins_chat"),
    "pins of rules": (lambda tx: pins.derived_of_chat(tx, "user7", "c3"), "pins_chat"),
    "pins by hand": (lambda tx: pins.contents_by_hand(tx, "user7", "c3"), "pins_chat"),
    "derived pins": (lambda tx: pins.derived_of_message(tx, "user7", "c3-000007"), ""),
    "session": (lambda tx: sessions.at(tx, "user7", "coach", minutes(9000)), "sessions_persona"),
    "save session": (lambda tx: sessions.save(tx, session("c3s1", "user7")), ""),
    "empty sessions": (lambda tx: sessions.delete_empty(tx, "user7", ["c3s1"]), "messages_session"),
    "session summary": (
        lambda tx: session_summaries.latest_of_persona(tx, "user7", "coach"),
        "sessions_",
    ),
    "state": (lambda tx: session_states.get(tx, "user7", "persona7"), ""),
    "save state": (
        lambda tx: session_states.save(tx, SessionState(user_id="user7", persona_id="coach"), NOON),
        "",
    ),
    "rolling": (lambda tx: rolling_summaries.current(tx, "user7", "coach"), ""),
    "spine": (lambda tx: spines.current(tx, "user7"), ""),
    "seed": (lambda tx: seeds.get(tx, "user7"), ""),
    "todos": (lambda tx: todos.open_of(tx, "user7", "coach", 9), ""),
    "answer": (lambda tx: idempotency_keys.find(tx, "user7", "k7", since=NOON), ""),
    "new memories": (lambda tx: memories.changed_since(tx, "user7", 3, 9), "memories_revision"),
    "count of new memories": (
        lambda tx: memories.count_changed_since(tx, "user7", 3, 9),
        "memories_revision",
    ),
    "mentions": (lambda tx: histories.mentioned_since(tx, "user7", NOON, 9), "memory_history_at"),
    "old answers": (lambda tx: idempotency_keys.prune(tx, "user7", minutes(9)), "idempotency_keys_age"),
    "named answers": (lambda tx: idempotency_keys.drop_mentioning(tx, "user7", ["x"]), ""),
}


def _populate(tx: Connection) -> None:
    """Thirty users with 300 memories and 1,200 messages each, so that reading everything would cost more than an index."""
    tx.many(
        "INSERT INTO users (user_id, revision, epoch, embedding_model, created_at) VALUES (:user_id, 1, 0, 'm', '')",
        [{"user_id": f"other{number}"} for number in range(3000)],
    )
    tx.many(
        "INSERT INTO seeds (user_id, facts, notes, updated_at) VALUES (:user_id, '[]', '', '')",
        [{"user_id": f"other{number}"} for number in range(3000)],
    )
    for user in range(30):
        user_id = f"user{user}"
        made = [
            record(number, user_id, memory_key=f"key{number}", entity_refs=(f"person:p{number % 9}",))
            for number in range(300)
        ]
        users.touch(tx, user_id, model=MODEL, epoch=7, now=NOON)
        rows = [{**memories._to_row(item), "terms": b"", "revision": n} for n, item in enumerate(made)]
        tx.many(memories._INSERT, rows)
        vectors.put(tx, user_id, MODEL, [(item.memory_id, direction(1, 8)) for item in made])
        tx.many(
            "INSERT INTO memory_entities (user_id, entity_key, memory_id) VALUES (:user_id, :key, :id)",
            [{"user_id": user_id, "key": item.entity_refs[0], "id": item.memory_id} for item in made],
        )
        tx.many(
            "INSERT INTO entities (user_id, entity_key, type, label, created_at, last_mentioned)"
            " VALUES (:user_id, :key, 'person', 'P', :now, :now)",
            [{"user_id": user_id, "key": f"person:p{n}", "now": iso(NOON)} for n in range(9)],
        )
        tx.many(
            "INSERT INTO memory_history (user_id, memory_id, entry, at, changed_by, change, old, new, reason)"
            " VALUES (:user_id, :id, 1, :at, 'u', 'created', '{}', '{}', '')",
            [{"user_id": user_id, "id": row["memory_id"], "at": row["created_at"]} for row in rows],
        )
        tx.many(
            "INSERT INTO memory_links (user_id, from_id, kind, to_id, created_at) VALUES (:user_id, :a, 'related', :b, '2026-01-01T00:00:00.000Z')",
            [{"user_id": user_id, "a": item.memory_id, "b": made[0].memory_id} for item in made[1:]],
        )
        fill(tx, user_id)


def test_hot_queries_use_an_index(store: Store) -> None:
    """No query of the hot paths reads a whole table, on either database, under row-level security too."""
    is_sqlite = isinstance(store.database, SqliteDatabase)
    store.write(EVERYONE, _populate)
    if not is_sqlite:
        store.write(EVERYONE, lambda tx: tx.run("ANALYZE"))
    explain, whole = ("EXPLAIN QUERY PLAN ", "SCAN ") if is_sqlite else ("EXPLAIN ", "Seq Scan")

    def plans(tx: Connection) -> dict[str, list[str]]:
        found: dict[str, list[str]] = {}
        for name, (work, _) in HOT.items():
            watched = Watched(tx)
            work(watched)
            assert watched.asked
            for sql, params in watched.asked:
                lines = [str(row[-1]) for row in tx.all(explain + sql, params)]
                found.setdefault(name, []).append("\n".join(lines))
        return found

    # Tables without a row of ours are read whole, and rightly so.
    empty = ("entity_aliases", "jobs", "proposals")
    for name, texts in store.write("user7", plans).items():
        for text in texts:
            lines = [line for line in text.splitlines() if not any(table in line for table in empty)]
            assert not any(whole in line for line in lines), f"{name}: {text}"
        assert HOT[name][1] in "\n".join(texts), f"{name}: {texts}"


def test_a_database_is_what_the_protocol_says(database: Database) -> None:
    """Both implementations have the name and the methods of the protocol."""
    assert database.name
    for method in ("read", "write", "prepare", "migrate", "sweep", "size_bytes", "checks", "aclose"):
        assert callable(getattr(database, method))
