"""Forget: rows, vectors, history, older versions, jobs, answers, and the bytes on disk."""

import os
import random
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
from patience import LIMIT, ended, line_of

from recollect import InvalidInput, Memory, NotFound, Settings
from recollect.store.erase import TABLES

from .conftest import Opener
from .fakes import FakeClock, MoodyEmbedder

SECRETS = ("zanzibarquux", "wolframite", "kryptonheim", "mirabellen")


def _tell(memory: Memory, clock: FakeClock, user: str = "local") -> str:
    """A fact in three versions, each with a distinctive word, with context and reasoning; the newest id."""
    first = memory.remember(
        "User's favourite drink is Zanzibarquux",
        user=user,
        category="preference",
        source_context="Told over a glass of mirabellen in the evening",
        reasoning="Because the wolframite mine is there",
    ).memory
    memory.update(first.memory_id, user=user, content="User's favourite drink is Kryptonheim")
    clock.move(days=1)
    return memory.remember(
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
    return opener(settings=Settings(sqlite_synchronous="normal", judge="off", worker="off"))


def _add_job(path: Path, user: str, memory_id: str) -> None:
    _run(
        path,
        "INSERT INTO jobs (user_id, job_id, kind, lane, subject, payload, status, attempts, run_at, created_at)"
        " VALUES (?, ?, 'embed', '', ?, ?, 'pending', 0, '', '')",
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
    other = resting.remember("User keeps bees behind the house").memory
    memory_id = _tell(resting, clock)
    resting.link(memory_id, other.memory_id)
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


def test_forgetting_the_older_version_keeps_the_newer(memory: Memory, clock: FakeClock) -> None:
    """The newer value is a statement of its own; nothing in it points at what is gone."""
    newer = _tell(memory, clock)
    older = memory.get(newer).supersedes
    assert older is not None
    memory.forget(older)
    assert memory.get(newer).supersedes is None
    assert [record.memory_id for record in memory.memories(past=True)] == [newer]


def test_forgetting_twice_is_not_found(memory: Memory, clock: FakeClock) -> None:
    """What is gone cannot be forgotten again."""
    memory_id = _tell(memory, clock)
    memory.forget(memory_id)
    with pytest.raises(NotFound):
        memory.forget(memory_id)


def test_the_past_forgets_too(memory: Memory, clock: FakeClock) -> None:
    """A forgotten memory was never there, at no moment."""
    before = clock()
    memory_id = _tell(memory, clock)
    memory.forget(memory_id)
    assert memory.as_of(before) == memory.as_of(clock()) == []
    assert memory.recall("Zanzibarquux", as_of=before).hits == ()


@pytest.mark.parametrize("target", ["memory", "everything"])
def test_the_bytes_are_gone(
    memory: Memory, opener: Opener, clock: FakeClock, sqlite_path: Path, target: str
) -> None:
    """No word of it, of an earlier version, of its context or its reasoning can be read in the file or its log,
    although another memory has the file open and much was written before."""
    other = opener()
    chance = random.Random(1)
    memory_id = _tell(memory, clock)
    for number in range(150):
        words = " ".join(
            chance.choice(["bee", "goat", "barn", "hill", "lake"]) + str(chance.randrange(999))
            for _ in range(9)
        )
        memory.remember(f"User wrote the line {number}: {words}", user=chance.choice(["local", "bob"]))
    other.recall("Zanzibarquux Wolframite")
    assert set(_on_disk(sqlite_path, *SECRETS)) == set(SECRETS)
    receipt = memory.forget(memory_id) if target == "memory" else memory.forget(everything=True)
    assert receipt.erased_from_disk
    assert _on_disk(sqlite_path, *SECRETS) == []
    assert not any("Wolframite" in hit.memory.content for hit in other.recall("Wolframite").hits)
    assert _on_disk(sqlite_path, *SECRETS) == []


def test_the_bytes_are_gone_from_a_large_file(
    opener: Opener, clock: FakeClock, sqlite_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file too large to be rewritten at once is searched, and rewritten only when needed; nothing stays readable."""
    monkeypatch.setattr("recollect.store.sqlite.REWRITE_BELOW_BYTES", 0)
    memory = opener()
    ids: list[str] = []
    for number in range(120):
        ids.append(
            memory.remember(
                f"User hid the {number}th pearl under xylophone{number} " + f"stone{number} " * 30
            ).memory.memory_id
        )
    for number in random.Random(2).sample(range(120), 40):
        assert memory.forget(ids[number]).erased_from_disk
        assert _on_disk(sqlite_path, f"xylophone{number} ", f"stone{number} ") == []


def test_the_name_of_an_earlier_version_is_gone(memory: Memory, sqlite_path: Path) -> None:
    """Forgetting erases the entity that only an earlier text mentioned."""
    stored = memory.remember("My wife is Zuleikha").memory
    memory.update(stored.memory_id, content="My wife is Anna")
    memory.forget(stored.memory_id)
    assert _on_disk(sqlite_path, "zuleikha") == []


def test_the_name_in_an_alias_is_gone(memory: Memory, sqlite_path: Path) -> None:
    """A name that only the forgotten memory used is not kept as another name of somebody."""
    memory.remember("User met Anna at school", entity_refs=["person:anna"])
    stored = memory.remember("User met Zuleikha at work", entity_refs=["person:zuleikha"]).memory
    memory.merge("person:zuleikha", "person:anna")
    memory.forget(stored.memory_id)
    assert _on_disk(sqlite_path, "zuleikha") == []


def test_uses_that_were_not_written_yet_do_not_bring_it_back(memory: Memory, clock: FakeClock) -> None:
    """Counting a use of what was forgotten meanwhile does no harm."""
    memory_id = _tell(memory, clock)
    memory.recall("Wolframite")
    memory.forget(memory_id)
    memory.flush()
    assert memory.memories(status=None, past=True) == []


_READER = """
import sys
from recollect import Memory
with Memory(sys.argv[1]) as memory:
    for line in sys.stdin:
        print("|".join(hit.memory.content for hit in memory.recall(line, user="alice").hits), flush=True)
"""


def test_a_second_process_does_not_return_it_any_more(sqlite_path: Path) -> None:
    """A process that had the memory in its index forgets it with the rest, in the same instant."""
    with (
        Memory(sqlite_path) as memory,
        ended(
            subprocess.Popen(
                [sys.executable, "-c", _READER, str(sqlite_path)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
                env={**os.environ, "OMP_NUM_THREADS": "1"},
            )
        ) as reader,
    ):

        def ask(question: str) -> list[str]:
            assert reader.stdin is not None
            reader.stdin.write(question + "\n")
            reader.stdin.flush()
            return [text for text in line_of(reader).rstrip("\n").split("|") if text]

        pearl = memory.remember("User hid the pearl under a stone", user="alice").memory
        memory.remember("User keeps bees behind the house", user="alice")
        assert "User hid the pearl under a stone" in ask("pearl")
        memory.forget(pearl.memory_id, user="alice")
        assert ask("pearl") == ["User keeps bees behind the house"]
        assert reader.stdin is not None
        reader.stdin.close()
        assert reader.wait(LIMIT) == 0


# -- an entity ------------------------------------------------------------------------------------------


def test_forget_an_entity(memory: Memory, clock: FakeClock, sqlite_path: Path) -> None:
    """Every memory that mentions it under any of its names goes, the past ones too; the others stay."""
    memory.remember("User met Zuleikha at school", entity_refs=["person:zuleikha"])
    clock.move(hours=1)
    memory.remember("User met Zully again at work", entity_refs=["person:zully", "person:bob"])
    bees = memory.remember("User keeps bees with Bob", entity_refs=["person:bob"]).memory
    memory.merge("person:zully", "person:zuleikha")
    receipt = memory.forget(entity="person:Zully")
    assert (receipt.counts["memories"], receipt.counts["entities"]) == (2, 2)
    assert memory.memories() == [bees]
    assert [entity.key for entity in memory.entities()] == ["person:bob"]
    assert _on_disk(sqlite_path, "zuleikha", "zully") == []
    with pytest.raises(NotFound):
        memory.forget(entity="person:zuleikha")


# -- a user ---------------------------------------------------------------------------------------------


def test_forget_a_user(resting: Memory, clock: FakeClock, sqlite_path: Path) -> None:
    """No row of any table is left of the user; the receipt counts memories, vectors and history; others are untouched."""
    newest = _tell(resting, clock, user="alice")
    _add_job(sqlite_path, "alice", newest)
    _add_answer(sqlite_path, "alice", newest)
    resting.remember("User keeps bees behind the house", user="bob")
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
    assert resting.recall("Wolframite", user="alice").hits == ()


def test_a_user_can_start_anew(memory: Memory, clock: FakeClock) -> None:
    """After everything was forgotten the same user is remembered again, from nothing."""
    _tell(memory, clock)
    memory.forget(everything=True)
    memory.remember("User keeps bees behind the house")
    assert [hit.memory.content for hit in memory.recall("bees").hits] == ["User keeps bees behind the house"]


def test_a_second_memory_sees_the_new_start(memory: Memory, opener: Opener, clock: FakeClock) -> None:
    """Another memory on the same file that knew the forgotten user finds what is said afterwards."""
    other = opener()
    _tell(memory, clock)
    other.recall("Wolframite")
    memory.forget(everything=True)
    memory.remember("User keeps bees behind the house")
    assert [hit.memory.content for hit in other.recall("bees").hits] == ["User keeps bees behind the house"]


def test_a_name_must_be_one_thing(memory: Memory, clock: FakeClock) -> None:
    """Nothing, or two things at once, cannot be forgotten."""
    memory_id = _tell(memory, clock)
    before = memory.export()
    for target in (
        {},
        {"memory_id": memory_id, "everything": True},
        {"entity": "person:x", "memory_id": memory_id},
    ):
        with pytest.raises(InvalidInput):
            memory.forget(**target)  # type: ignore[arg-type]
    with pytest.raises(InvalidInput):
        memory.forget(entity="nobody")
    with pytest.raises(NotFound):
        memory.forget(entity="person:nobody")
    assert memory.export() == before


def test_every_table_of_the_schema_is_erased(memory: Memory, sqlite_path: Path) -> None:
    """Forgetting a user knows every table that holds users' rows."""
    memory.remember("User keeps bees behind the house")
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
    bees = memory.remember("User keeps bees behind the house").memory
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


def test_forgetting_while_the_model_is_away(
    memory: Memory, clock: FakeClock, embedder: MoodyEmbedder
) -> None:
    """Forgetting needs no model."""
    memory_id = _tell(memory, clock)
    embedder.failing = True
    assert memory.forget(memory_id).counts["memories"] == 2


def test_a_reader_that_holds_the_log_is_told_in_the_receipt(
    opener: Opener, clock: FakeClock, sqlite_path: Path
) -> None:
    """When another process keeps the log open the receipt does not claim that the bytes are gone."""
    memory = opener(settings=Settings(busy_timeout_seconds=0.2))
    memory_id = _tell(memory, clock)
    reader = sqlite3.connect(sqlite_path, isolation_level=None)
    try:
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM memories").fetchone()
        receipt = memory.forget(memory_id)
        assert receipt.erased_from_disk is False
        assert receipt.counts["memories"] == 2
    finally:
        reader.close()


def test_an_entity_of_an_earlier_version_is_forgotten(memory: Memory, sqlite_path: Path) -> None:
    """Whoever was only named before an edit is erased from the history too."""
    stored = memory.remember("User met Xantippe at school", entity_refs=["person:xantippe"]).memory
    memory.update(stored.memory_id, content="User met Karl at school")
    receipt = memory.forget(entity="person:xantippe")
    assert receipt.counts["history"] >= 1
    assert memory.get(stored.memory_id).content == "User met Karl at school"
    memory.close()
    assert all(b"antippe" not in file.read_bytes() for file in sqlite_path.parent.iterdir() if file.is_file())


def test_a_sweep_that_was_not_reached_is_made_up_for(sqlite_path: Path, opener: Opener) -> None:
    """A process that dies between erasing and sweeping leaves a mark; the next one to open the file sweeps."""
    memory = opener()
    stored = memory.remember("User hides Zyklamen behind the house").memory
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
