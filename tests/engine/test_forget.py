"""Forget: rows, vectors, history, older versions, jobs, answers, and the bytes on disk."""

import random
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from recollect import Memory, NewMemory, NotFound, Settings
from recollect.store.erase import TABLES

from .conftest import Opener
from .conversing import contradict, flush
from .fakes import FakeClock, MoodyEmbedder

SECRETS = ("zanzibarquux", "wolframite", "kryptonheim", "mirabellen")


def _tell(memory: Memory, clock: FakeClock, user: str = "local") -> str:
    """A fact in three versions, each with a distinctive word, with context and reasoning; the newest id."""
    first = memory.add(
        NewMemory(
            "User's favourite drink is Zanzibarquux",
            category="preference",
            source_context="Told over a glass of mirabellen in the evening",
            reason="Because the wolframite mine is there",
        ),
        user=user,
    ).memory
    memory.update(first.memory_id, user=user, content="User's favourite drink is Kryptonheim")
    clock.move(days=1)
    return memory.add(
        "User's favourite drink is Wolframite Springs", user=user, category="preference"
    ).memory.memory_id


def _rows(path: Path, user: str) -> dict[str, int]:
    with sqlite3.connect(path) as raw:
        counts = {
            table: raw.execute(f"SELECT count(*) FROM {table} WHERE user_id = ?", (user,)).fetchone()[0]
            for table in TABLES
        }
    raw.close()
    return {table: count for table, count in counts.items() if count}


def _on_disk(path: Path, *needles: str) -> list[str]:
    """Which of the words can be read in the files of the database, whatever their case."""
    data = b"".join(file.read_bytes() for file in path.parent.glob(path.name + "*")).lower()
    return [needle for needle in needles if needle.encode() in data]


def _run(path: Path, sql: str, *values: object) -> None:
    with sqlite3.connect(path) as raw:
        raw.execute(sql, values)
    raw.close()


@pytest.fixture
def resting(opener: Opener) -> Memory:
    """An empty memory without a worker, so that jobs can be counted."""
    return opener(settings=Settings(sqlite_synchronous="normal", judge_model="off", worker="off"))


def _add_job(path: Path, user: str, memory_id: str) -> None:
    _run(
        path,
        "INSERT INTO jobs"
        " (user_id, job_id, kind, lane, subject, payload, status, attempts, begun, begun_alone, run_at, created_at)"
        " VALUES (?, ?, 'embed', '', ?, ?, 'pending', 0, 0, 0, '', '')",
        user,
        f"job of {memory_id}",
        memory_id[-8:],
        f'{{"memory_ids": ["{memory_id}"], "said": "zanzibarquux"}}',
    )


def _add_answer(path: Path, user: str, memory_id: str) -> None:
    _run(
        path,
        "INSERT INTO idempotency_keys (user_id, idempotency_key, request_hash, answer, created_at) VALUES (?, ?, '', ?, '')",
        user,
        f"key {memory_id[-8:]}",
        f'{{"memoryId": "{memory_id}", "content": "Zanzibarquux"}}',
    )


# -- a memory -------------------------------------------------------------------------------------------


def test_forget_a_memory(resting: Memory, clock: FakeClock, sqlite_path: Path) -> None:
    """All its versions, vectors, history, links, jobs and answers go, others stay, and the receipt counts them."""
    other = resting.add("User keeps bees behind the house").memory
    memory_id = _tell(resting, clock)
    contradict(resting, memory_id, other.memory_id)
    old = resting.get(memory_id).supersedes
    assert old is not None
    for named in (memory_id, other.memory_id):
        _add_job(sqlite_path, "local", named)
        _add_answer(sqlite_path, "local", named)
    receipt = resting.forget(memory_id)
    assert receipt.counts == {
        "memories": 2,
        "vectors": 2,
        "history": 4,
        "links": 1,
        "entities": 0,
        "jobs": 1,
        "answers": 1,
        "proposals": 0,
        "spines": 0,
    }
    assert receipt.erased_from_disk
    told = receipt.to_dict()["receipt"]
    assert {
        name: told[name] for name in ("memories", "messages", "summaries", "pins", "todos", "vectors")
    } == {
        "memories": 2,
        "messages": 0,
        "summaries": 0,
        "pins": 0,
        "todos": 0,
        "vectors": 2,
    }
    assert _rows(sqlite_path, "local") == {
        "memories": 1,
        "memory_vectors": 1,
        "memory_history": 1,
        # The one of the other memory, and the curator's.
        "jobs": 2,
        "idempotency_keys": 1,
        "users": 1,
    }
    for gone in (memory_id, old):
        with pytest.raises(NotFound):
            resting.get(gone)
    assert resting.get(other.memory_id) == other


def test_jobs_of_other_memories_stay(memory: Memory, sqlite_path: Path) -> None:
    """An id names one memory, also when it holds characters that mean something to the database."""
    items = [
        {
            "memory_id": memory_id,
            "content": f"User owns the pearl of {memory_id}",
            "category": "fact",
            "type": "PROFILE",
            "created_at": "2026-01-01T00:00:00Z",
        }
        for memory_id in ("pearl_1", "pearlX1")
    ]
    assert memory.load({"recollect": 1, "memories": items}).imported == 2
    _add_job(sqlite_path, "local", "pearlX1")
    _add_answer(sqlite_path, "local", "pearlX1")
    receipt = memory.forget("pearl_1")
    assert (receipt.counts["jobs"], receipt.counts["answers"]) == (0, 0)
    assert _rows(sqlite_path, "local")["jobs"] == 2


def test_the_bytes_are_gone_from_a_large_file(
    opener: Opener, clock: FakeClock, sqlite_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file too large to be rewritten at once is searched, and rewritten only when needed; nothing stays readable."""
    monkeypatch.setattr("recollect.store.sqlite.REWRITE_BELOW_BYTES", 0)
    memory = opener()
    ids: list[str] = []
    for number in range(120):
        ids.append(
            memory.add(
                f"User hid the {number}th pearl under xylophone{number} " + f"stone{number} " * 30
            ).memory.memory_id
        )
    for number in random.Random(2).sample(range(120), 40):
        assert memory.forget(ids[number]).erased_from_disk
        assert _on_disk(sqlite_path, f"xylophone{number} ", f"stone{number} ") == []


def test_the_name_in_an_alias_is_gone(memory: Memory, sqlite_path: Path) -> None:
    """A name that only the forgotten memory used is not kept as another name of somebody."""
    memory.add(NewMemory("User met Anna at school", entity_refs=["person:anna"]))
    stored = memory.add(NewMemory("User met Zuleikha at work", entity_refs=["person:zuleikha"])).memory
    memory.merge("person:zuleikha", "person:anna")
    memory.forget(stored.memory_id)
    assert _on_disk(sqlite_path, "zuleikha") == []


def test_uses_that_were_not_written_yet_do_not_bring_it_back(memory: Memory, clock: FakeClock) -> None:
    """Counting a use of what was forgotten meanwhile does no harm."""
    memory_id = _tell(memory, clock)
    memory.search("Wolframite")
    memory.forget(memory_id)
    flush(memory)
    assert memory.memories(status=None, past=True) == []


# -- an entity ------------------------------------------------------------------------------------------


# -- a user ---------------------------------------------------------------------------------------------


def test_forget_a_user(resting: Memory, clock: FakeClock, sqlite_path: Path) -> None:
    """No row of any table is left of the user; the receipt counts memories, vectors and history; others are untouched."""
    newest = _tell(resting, clock, user="alice")
    _add_job(sqlite_path, "alice", newest)
    _add_answer(sqlite_path, "alice", newest)
    resting.add("User keeps bees behind the house", user="bob")
    bob = resting.export(user="bob")
    receipt = resting.forget(everything=True, user="alice")
    assert {name: receipt.counts[name] for name in ("memories", "vectors", "history", "jobs")} == {
        "memories": 2,
        "vectors": 2,
        "history": 4,
        "jobs": 2,
    }
    assert _rows(sqlite_path, "alice") == {}
    assert resting.export(user="bob") == bob
    assert resting.search("Wolframite", user="alice").hits == ()


def test_a_second_memory_sees_the_new_start(memory: Memory, opener: Opener, clock: FakeClock) -> None:
    """Another memory on the same file that knew the forgotten user finds what is said afterwards."""
    other = opener()
    _tell(memory, clock)
    other.search("Wolframite")
    memory.forget(everything=True)
    memory.add("User keeps bees behind the house")
    assert [hit.memory.content for hit in other.search("bees").hits] == ["User keeps bees behind the house"]


def test_every_table_of_the_schema_is_erased(memory: Memory, sqlite_path: Path) -> None:
    """Forgetting a user knows every table that holds users' rows."""
    memory.add("User keeps bees behind the house")
    with sqlite3.connect(sqlite_path) as raw:
        names = {row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        owned: set[str] = set()
        for name in names:
            columns = {row[1] for row in raw.execute(f"PRAGMA table_info({name})")}
            if "user_id" in columns:
                owned.add(name)
    raw.close()
    assert owned == set(TABLES)


def test_forgetting_on_both_databases(database_url: str, opener: Opener, clock: FakeClock) -> None:
    """On either database the memory with its versions is gone from every answer."""
    memory = opener(database_url)
    bees = memory.add("User keeps bees behind the house").memory
    memory_id = _tell(memory, clock)
    receipt = memory.forget(memory_id)
    assert {name: receipt.counts[name] for name in ("memories", "vectors", "history")} == {
        "memories": 2,
        "vectors": 2,
        "history": 4,
    }
    document: dict[str, Any] = memory.export()
    assert [item["memory_id"] for item in document["memories"]] == [bees.memory_id]
    assert not any(word in str(document).lower() for word in SECRETS)
    with pytest.raises(NotFound):
        memory.forget(memory_id)


def test_a_receipt_says_what_became_of_the_bytes(database_url: str, opener: Opener, clock: FakeClock) -> None:
    """In words that are true for each database, whatever was forgotten."""
    memory = opener(database_url)
    memory.chat("c").add(user="Wolframite is mined here")
    todo = memory.add_todo("Buy mirabellen")
    receipts = [
        memory.forget(_tell(memory, clock)),
        memory.forget(chat="c"),
        memory.forget(todo=todo.todo_id),
        memory.forget(everything=True),
    ]
    if database_url.endswith(".db"):
        assert {receipt.disk for receipt in receipts} == {
            "The bytes are gone from the database file and its log."
        }
    else:
        (words,) = {receipt.disk for receipt in receipts}
        assert words.startswith("The rows are gone.")
        assert "vacuum" in words
    assert [receipt.erased_from_disk for receipt in receipts] == [database_url.endswith(".db")] * 4
    assert all(receipt.to_dict()["disk"] == receipt.disk for receipt in receipts)


def test_forgetting_while_the_model_is_away(
    memory: Memory, clock: FakeClock, embedder: MoodyEmbedder
) -> None:
    """Forgetting needs no model."""
    memory_id = _tell(memory, clock)
    embedder.failing = True
    assert memory.forget(memory_id).counts["memories"] == 2


def test_a_reader_that_holds_the_log_is_told_in_the_receipt(
    opener: Opener, clock: FakeClock, sqlite_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """When another process keeps the log open the receipt does not claim that the bytes are gone."""
    monkeypatch.setattr("recollect.store.sqlite.BUSY_TIMEOUT_SECONDS", 0.2)
    memory = opener()
    memory_id = _tell(memory, clock)
    reader = sqlite3.connect(sqlite_path, isolation_level=None)
    try:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memories").fetchone()
        receipt = memory.forget(memory_id)
        assert receipt.erased_from_disk is False
        assert "Another process is reading the log" in receipt.disk
        assert receipt.counts["memories"] == 2
    finally:
        reader.close()


def test_a_sweep_that_was_not_reached_is_made_up_for(sqlite_path: Path, opener: Opener) -> None:
    """A process that dies between erasing and sweeping leaves a mark; the next one to open the file sweeps."""
    memory = opener()
    stored = memory.add("User hides Zyklamen behind the house").memory
    mark = sqlite_path.with_name(sqlite_path.name + "-sweep")
    mark.touch()
    raw = sqlite3.connect(sqlite_path)
    for table in ("memories", "memory_vectors", "memory_history"):
        raw.execute(f"DELETE FROM {table} WHERE memory_id = ?", (stored.memory_id,))
    raw.commit()
    log = sqlite_path.with_name(sqlite_path.name + "-wal")
    assert b"Zyklamen" in log.read_bytes()
    assert opener().memories() == []
    assert not mark.exists()
    assert b"Zyklamen" not in log.read_bytes() + sqlite_path.read_bytes()
    raw.close()


def test_what_was_not_erased_leaves_no_mark(memory: Memory, sqlite_path: Path) -> None:
    """Forgetting what is not there changes nothing, beside the file either."""
    with pytest.raises(NotFound):
        memory.forget("2026-01-28T10:30:45.123Z#0a1b2c3d")
    assert not sqlite_path.with_name(sqlite_path.name + "-sweep").exists()
