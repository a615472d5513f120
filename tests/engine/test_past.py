"""The past: every state can be read again, chains are linear, and no user touches another (properties)."""

import json
import random
import tempfile
from collections.abc import Callable
from contextlib import suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Conflict, Memory, NotFound, Settings

from .conftest import Opener
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
        memory.remember(content, user=user, category=category)
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
        "pin": lambda: memory.pin(memory_id, user=user),
        "unpin": lambda: memory.unpin(memory_id, user=user),
        "archive": lambda: memory.archive(memory_id, user=user),
        "restore": lambda: memory.restore(memory_id, user=user),
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


@quick
@given(steps)
def test_every_past_state_can_be_read_again(sequence: list[tuple[str, int, int]]) -> None:
    """as_of(t) is what was current at t, for every t; what was forgotten is gone from every moment."""
    with _Open() as (memory, clock):
        snapshots: list[tuple[datetime, dict[str, dict[str, Any]]]] = []
        for step in sequence:
            clock.move(seconds=1)
            _step(memory, step)
            snapshots.append((clock(), _states(memory)))
        left = {record.memory_id for record in memory.memories(status=None, past=True, limit=1000)}
        for moment, then in snapshots:
            expected = {memory_id: record for memory_id, record in then.items() if memory_id in left}
            known = {record.memory_id: _without_use(record.to_dict()) for record in memory.as_of(moment)}
            # Forgetting an older version takes the pointer at it out of the newer one, also in the past.
            for record in (*expected.values(), *known.values()):
                if record["supersedes"] not in left:
                    record["supersedes"] = None
            assert known == expected
        assert memory.as_of(clock() - timedelta(days=1)) == []


@quick
@given(steps)
def test_chains_are_linear_and_keys_are_held_once(sequence: list[tuple[str, int, int]]) -> None:
    """Pointers to the older and to the newer version agree, and a key has at most one active memory."""
    with _Open() as (memory, clock):
        for step in sequence:
            clock.move(seconds=1)
            _step(memory, step)
        everything = {r.memory_id: r for r in memory.memories(status=None, past=True, limit=1000)}
        for record in everything.values():
            if record.supersedes is not None:
                assert everything[record.supersedes].superseded_by == record.memory_id
            if record.superseded_by is not None:
                assert everything[record.superseded_by].supersedes == record.memory_id
                assert record.valid_to is not None
        keys = [record.memory_key for record in everything.values() if record.current and record.memory_key]
        assert len(keys) == len(set(keys))
        for memory_id in everything:
            assert [entry.at for entry in memory.history(memory_id)] == sorted(
                entry.at for entry in memory.history(memory_id)
            )


@quick
@given(st.lists(st.sampled_from(FACTS), min_size=1, max_size=12))
def test_a_key_never_loses_a_fact_of_another_attribute(told: list[tuple[str, str]]) -> None:
    """Whatever is told in whatever order, the last value of each attribute is there and nothing else."""
    with _Open() as (memory, _):
        attributes = {
            content: content.rsplit(" ", 1)[0] if "lives in" in content or "editor is" in content else content
            for _, content in FACTS
        }
        last: dict[str, str] = {}
        for category, content in told:
            memory.remember(content, category=category)
            last[attributes[content]] = content
        assert {record.content for record in memory.memories()} == set(last.values())


@quick
@given(steps, steps)
def test_users_never_touch_each_other(
    alices: list[tuple[str, int, int]], bobs: list[tuple[str, int, int]]
) -> None:
    """No sequence of acts of Alice changes or shows anything of Bob; his ids do not exist for her."""
    with _Open() as (memory, _):
        for step in bobs:
            _step(memory, step, user="bob")
        before = memory.export(user="bob")
        his = [item["memory_id"] for item in before["memories"]]
        for number, step in enumerate(alices):
            _step(memory, step, user="alice")
            if his:
                _reach(memory, his[number % len(his)])
            hits = memory.recall("User", user="alice", limit=50).hits
            assert all(hit.memory.user_id == "alice" and hit.memory.memory_id not in his for hit in hits)
        memory.forget(everything=True, user="alice")
        memory.flush()
        assert memory.export(user="bob") == before


def _reach(memory: Memory, memory_id: str) -> None:
    """Everything that Alice might do with an id of Bob's."""
    for act in (
        memory.get,
        memory.history,
        memory.pin,
        memory.archive,
        memory.restore,
        memory.forget,
        lambda memory_id, user: memory.update(memory_id, user=user, content="User was here before you"),
        lambda memory_id, user: memory.link(memory_id, memory_id + "x", user=user),
    ):
        with pytest.raises(NotFound):
            act(memory_id, user="alice")
    with pytest.raises(NotFound):
        memory.links(memory_id, user="alice")
    assert memory.delete_memory("alice", memory_id) is False
    assert memory.update_memory("alice", memory_id, "User was here before you")["success"] is False


def test_the_order_of_one_instant(memory: Memory, clock: FakeClock) -> None:
    """Changes within one millisecond are one moment: the past shows the last of them."""
    stored = memory.remember("User keeps bees behind the house").memory
    memory.update(stored.memory_id, content="User keeps goats behind the house")
    (then,) = memory.as_of(clock())
    assert then.content == "User keeps goats behind the house"
    clock.move(seconds=1)
    memory.update(stored.memory_id, content="User keeps geese behind the house")
    (then,) = memory.as_of(clock() - timedelta(seconds=1))
    assert then.content == "User keeps goats behind the house"


def test_a_list_of_the_past_is_filtered_like_the_present(memory: Memory, clock: FakeClock) -> None:
    """Now, seen as a past moment, has the same pages under every filter; an earlier moment has its own words."""
    memory.remember("User keeps bees behind the house", tags=["garden", "a\\b"], persona="coach")
    for category, content in FACTS[:6]:
        clock.move(minutes=1)
        memory.remember(content, category=category, tags=["fact"])
    then = clock()
    clock.move(hours=1)
    last = memory.memories(limit=1)[0]
    memory.archive(last.memory_id)
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
        {"past": True, "status": None, "before": last.memory_id},
    ]
    for wanted in filters:
        assert memory.memories(as_of=clock(), **wanted) == memory.memories(**wanted), wanted
    assert [item.memory_id for item in memory.memories(as_of=then)] == [
        item.memory_id for item in reversed(memory.as_of(then))
    ]
    assert last.memory_id in {item.memory_id for item in memory.memories(as_of=then)}


def test_moments_may_be_text_or_time_of_any_zone(memory: Memory, clock: FakeClock) -> None:
    """One moment, four spellings."""
    memory.remember("User keeps bees behind the house")
    moment = clock()
    clock.move(days=1)
    for spelling in (
        moment,
        "2026-03-01T12:00:00Z",
        "2026-03-01T14:00:00+02:00",
        moment.replace(tzinfo=None),
    ):
        assert len(memory.as_of(spelling)) == 1
    assert memory.as_of("2026-03-01T11:59:59.999Z") == []


def _life(memory: Memory) -> list[dict[str, Any]]:
    """Everything known of a user with its history, ids replaced by their place: chance makes them."""
    document = memory.export()
    place = {item["memory_id"]: f"#{number}" for number, item in enumerate(document["memories"])}
    text = json.dumps(document["memories"])
    for memory_id, name in place.items():
        text = text.replace(memory_id, name)
    return json.loads(text)


@pytest.mark.parametrize("seed", range(3))
def test_both_databases_tell_the_same_life(
    sqlite_path: Path, postgres_url: str, opener: Opener, seed: int
) -> None:
    """One random sequence of acts gives the same memories, histories, answers and past on SQLite and on PostgreSQL."""
    verbs = (
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
    lives: list[tuple[Any, ...]] = []
    for url in (str(sqlite_path), postgres_url):
        chance, clock = random.Random(seed), FakeClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
        memory = opener(url, clock=clock)
        for _ in range(40):
            clock.move(seconds=1)
            _step(memory, (chance.choice(verbs), chance.randrange(50), chance.randrange(50)))
        hits = memory.recall("User lives in Paris with Jane", limit=20).hits
        # Vectors are 16-bit floats in either database; the last digits of a sum may differ.
        answers = [(hit.memory.content, round(hit.score, 3)) for hit in hits]
        past = [
            sorted(r.content for r in memory.as_of(clock() - timedelta(seconds=s))) for s in range(0, 40, 5)
        ]
        lives.append((_life(memory), answers, past, memory.memory_block(), memory.stats().by_category))
    assert lives[0] == lives[1]
