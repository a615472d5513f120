"""`recollect.storage`: S3's five functions by name and shape."""

import re
from pathlib import Path

import pytest
from engine.conversing import flush
from engine.fakes import FakeClock

from recollect import Memory, storage

USER = "user@example.com"
ID = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z#[0-9a-f]{8}")


@pytest.fixture(autouse=True)
def _used(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """The functions work on the test's memory, and forget it afterwards."""
    monkeypatch.setattr(storage, "_used", [])
    names = {"meaning", "memory"} & set(request.fixturenames)
    storage.use(request.getfixturevalue(names.pop()))


@pytest.mark.in_process  # flush
def test_s3s_record_has_exactly_its_keys(memory: Memory, clock: FakeClock) -> None:
    """S3's memory record: nine fields, and `source_context` only when there is one."""
    storage.save_memory(USER, "User prefers Python 3.12+", "preference", 9, ["python", "coding_style"])
    clock.move(hours=5)
    storage.search_memories(USER, "python")
    flush(memory)
    (record,) = storage.get_memories(USER)
    assert record == {
        "user_id": USER,
        "memory_id": record["memory_id"],
        "content": "User prefers Python 3.12+",
        "category": "preference",
        "importance": 9,
        "tags": ["python", "coding_style"],
        "created_at": "2026-03-01T12:00:00.000Z",
        "last_accessed": "2026-03-01T17:00:00.000Z",
        "access_count": 1,
    }
    assert isinstance(record["importance"], int)
    storage.save_memory(USER, "User keeps bees behind the house", "fact", source_context="said at lunch")
    assert storage.get_memories(USER)[0]["source_context"] == "said at lunch"


def test_update_memory_of_the_past_says_why_not(memory: Memory) -> None:
    """Updating a superseded memory is an answer too; a model that calls the tool must be told which one to change."""
    old = storage.save_memory(USER, "User lives in Berlin", "identity")["memory_id"]
    new = storage.save_memory(USER, "User lives in Paris", "identity")["memory_id"]
    answer = storage.update_memory(USER, old, "User lives in Oslo")
    assert answer["success"] is False and new in answer["error"]


@pytest.mark.in_process
def test_without_a_memory_it_is_the_default_database(
    memory: Memory, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Opened with the first call, where the settings say."""
    monkeypatch.setattr(storage, "_used", [])
    monkeypatch.setenv("RECOLLECT_DATABASE_URL", str(tmp_path / "default.db"))
    storage.save_memory(USER, "User keeps bees behind the house", "fact")
    (opened,) = storage._used
    assert [item.content for item in opened.memories(user=USER)] == ["User keeps bees behind the house"]
    assert memory.memories(user=USER) == []
    opened.close()
