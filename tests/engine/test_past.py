"""The past: every state can be read again, chains are linear, and no user touches another (properties)."""

import json
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st

from recollect import Conflict, Memory, NotFound, Settings
from recollect.records.cursor import cursor

from .fakes import FakeClock, FakeEmbedder

CITIES = ("Berlin", "Paris", "Lisbon", "Oslo")
FACTS = (
    *(("identity", f"User lives in {city}") for city in CITIES),
    *(("preference", f"User's favourite editor is {name}") for name in ("Vim", "Helix", "Zed")),
    ("preference", "User prefers dark mode"),
    ("relationship", "User's wife is named Jane"),
    ("fact", "User keeps bees behind the house"),
)

#: What one step does: a verb and two numbers that choose its object.
steps = st.lists(
    st.tuples(
        st.sampled_from(
            (
                "remember",
                "remember",
                "remember",
                "edit",
                "weigh",
                "pin",
                "unpin",
                "archive",
                "restore",
                "forget",
            )
        ),
        st.integers(0, 50),
        st.integers(0, 50),
    ),
    min_size=3,
    max_size=14,
)
quick = settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))


def _states(memory: Memory, user: str = "local") -> dict[str, dict[str, Any]]:
    """Every current memory, without the counters that are use and not change."""
    return {
        record.memory_id: _without_use(record.to_dict()) for record in memory.memories(user=user, limit=1000)
    }


def _without_use(record: dict[str, Any]) -> dict[str, Any]:
    return {
        name: value
        for name, value in record.items()
        if name not in ("mention_count", "access_count", "last_accessed")
    }


def _step(memory: Memory, step: tuple[str, int, int], user: str = "local") -> None:
    """Do what the step says to one of the user's memories."""
    verb, first, second = step
    if verb == "remember":
        category, content = FACTS[first % len(FACTS)]
        memory.add(content, user=user, category=category)
        return
    known = memory.memories(user=user, status=None, past=True, limit=1000)
    if not known:
        return
    memory_id = known[first % len(known)].memory_id
    acts: dict[str, Callable[[], object]] = {
        "edit": lambda: memory.update(memory_id, user=user, content=FACTS[second % len(FACTS)][1]),
        "weigh": lambda: memory.update(
            memory_id, user=user, importance=second % 11, tags=[f"tag{second % 3}"]
        ),
        "pin": lambda: memory.update(memory_id, pinned=True, user=user),
        "unpin": lambda: memory.update(memory_id, pinned=False, user=user),
        "archive": lambda: memory.update(memory_id, status="ARCHIVED", user=user),
        "restore": lambda: memory.update(memory_id, status="ACTIVE", user=user),
        "forget": lambda: memory.forget(memory_id, user=user),
    }
    # What was superseded cannot be edited; a taken key cannot be restored.
    with suppress(Conflict):
        acts[verb]()


class _Open:
    """A memory for one example."""

    def __init__(self) -> None:
        self.clock = FakeClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
        self._folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> tuple[Memory, FakeClock]:
        self.memory = Memory(
            Path(self._folder.name) / "memory.db",
            embedder=FakeEmbedder(),
            clock=self.clock,
            settings=Settings(sqlite_synchronous="normal"),
        )
        return self.memory, self.clock

    def __exit__(self, *problem: object) -> None:
        self.memory.close()
        self._folder.cleanup()


def _reach(memory: Memory, memory_id: str) -> None:
    """Everything that Alice might do with an id of Bob's."""
    for act in (
        memory.get,
        memory.history,
        memory.forget,
        lambda memory_id, user: memory.update(memory_id, user=user, content="User was here before you"),
    ):
        with pytest.raises(NotFound):
            act(memory_id, user="alice")


def test_the_order_of_one_instant(memory: Memory, clock: FakeClock) -> None:
    """Changes within one millisecond are one moment: the past shows the last of them."""
    stored = memory.add("User keeps bees behind the house").memory
    memory.update(stored.memory_id, content="User keeps goats behind the house")
    (then,) = memory.memories(as_of=clock())
    assert then.content == "User keeps goats behind the house"
    clock.move(seconds=1)
    memory.update(stored.memory_id, content="User keeps geese behind the house")
    (then,) = memory.memories(as_of=clock() - timedelta(seconds=1))
    assert then.content == "User keeps goats behind the house"


def test_a_list_of_the_past_is_filtered_like_the_present(memory: Memory, clock: FakeClock) -> None:
    """Now, seen as a past moment, has the same pages under every filter; an earlier moment has its own words."""
    memory.add("User keeps bees behind the house", tags=["garden", "a\\b"], persona="coach")
    for category, content in FACTS[:6]:
        clock.move(minutes=1)
        memory.add(content, category=category, tags=["fact"])
    then = clock()
    clock.move(hours=1)
    last = memory.memories(limit=1)[0]
    memory.update(last.memory_id, status="ARCHIVED")
    filters: list[dict[str, Any]] = [
        {},
        {"category": "identity"},
        {"type": "PROFILE", "limit": 2},
        {"tag": "garden"},
        {"tag": "a\\b"},
        {"tag": "gard"},
        {"persona": "coach"},
        {"persona": "other"},
        {"status": None},
        {"status": "ARCHIVED"},
        {"past": True},
        {"past": True, "status": None, "cursor": cursor(last.memory_id)},
    ]
    for wanted in filters:
        assert memory.memories(as_of=clock(), **wanted) == memory.memories(**wanted), wanted
    assert last.memory_id in {item.memory_id for item in memory.memories(as_of=then)}


def _life(memory: Memory) -> list[dict[str, Any]]:
    """Everything known of a user with its history, ids replaced by their place: chance makes them."""
    document = memory.export()
    place = {item["memory_id"]: f"#{number}" for number, item in enumerate(document["memories"])}
    text = json.dumps(document["memories"])
    for memory_id, name in place.items():
        text = text.replace(memory_id, name)
    return json.loads(text)
