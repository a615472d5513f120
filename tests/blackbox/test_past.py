"""Random lives of facts: every past state can be read again, chains are linear, and both databases tell the same life."""

import json
import random
import uuid
from collections.abc import Callable
from contextlib import suppress
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from recollect import Memory
from recollect.errors import Conflict

from .conftest import As

FACTS = (
    *(("identity", f"User lives in {city}") for city in ("Berlin", "Paris", "Lisbon", "Oslo")),
    *(("preference", f"User's favourite editor is {name}") for name in ("Vim", "Helix", "Zed")),
    ("preference", "User prefers dark mode"), ("relationship", "User's wife is named Jane"),
    ("fact", "User keeps bees behind the house"),
)  # fmt: skip
VERBS = ("add", "add", "add", "edit", "weigh", "pin", "unpin", "archive", "restore", "forget")
_NUMBERS = st.integers(0, 50)
_LIVES = st.lists(st.tuples(st.sampled_from(VERBS), _NUMBERS, _NUMBERS), min_size=3, max_size=14)
_LOOSE: dict[str, Any] = {"max_examples": 25, "deadline": None, "suppress_health_check": list(HealthCheck)}


def step(ann: As, verb: str, first: int, second: int) -> None:
    """Do what the verb says to one of somebody's facts."""
    category, content = FACTS[first % len(FACTS)]
    if verb == "add":
        ann.add(content, category=category)
        return
    if not (known := ann.memories(status=None, past=True, limit=1000)):
        return
    memory_id = known[first % len(known)].memory_id
    changes: dict[str, dict[str, Any]] = {
        "edit": {"content": FACTS[second % len(FACTS)][1]}, "weigh": {"importance": second % 11, "tags": [f"tag{second % 3}"]},
        "pin": {"pinned": True}, "unpin": {"pinned": False}, "archive": {"status": "ARCHIVED"}, "restore": {"status": "ACTIVE"},
    }  # fmt: skip
    # What was replaced cannot be edited; a taken key cannot be restored.
    with suppress(Conflict):
        ann.forget(memory_id) if verb == "forget" else ann.update(memory_id, **changes[verb])


def states(ann: As, **asked: Any) -> dict[str, dict[str, Any]]:
    """Every current fact, without the counters that are use and not change."""
    used = ("mention_count", "access_count", "last_accessed")
    found = ann.memories(limit=1000, **asked)
    return {item.memory_id: {k: v for k, v in item.to_dict().items() if k not in used} for item in found}


@settings(**_LOOSE)
@given(_LIVES)
def test_every_past_state_can_be_read_again(quick: Memory, clock: Any, life: Any) -> None:
    """`as_of` a moment is what was current then, what was forgotten is gone from every moment, a key is held once."""
    ann = As(quick, uuid.uuid4().hex)
    then: list[tuple[Any, dict[str, dict[str, Any]]]] = []
    for verb, first, second in life:
        clock.move(seconds=1)
        step(ann, verb, first, second)
        then.append((clock(), states(ann)))
    everything = {item.memory_id: item for item in ann.memories(status=None, past=True, limit=1000)}
    for moment, known in then:
        expected = {memory_id: record for memory_id, record in known.items() if memory_id in everything}
        found = states(ann, as_of=moment)
        # Forgetting an older version takes the pointer at it out of the newer one, also in the past.
        for record in (*expected.values(), *found.values()):
            record["supersedes"] = record["supersedes"] if record["supersedes"] in everything else None
        assert found == expected
    for record in everything.values():
        if record.supersedes is not None:
            assert everything[record.supersedes].superseded_by == record.memory_id
        if record.superseded_by is not None:
            assert everything[record.superseded_by].supersedes == record.memory_id
            assert record.valid_to is not None
    keys = [item.memory_key for item in everything.values() if item.current and item.memory_key]
    assert len(keys) == len(set(keys))


@settings(**_LOOSE)
@given(st.lists(st.sampled_from(FACTS), min_size=1, max_size=12))
def test_the_last_value_of_each_thing_is_known(quick: Memory, stated: Any) -> None:
    """In any order: the last value of each attribute is there, and nothing else."""
    ann = As(quick, uuid.uuid4().hex)
    last: dict[str, str] = {}
    for category, content in stated:
        ann.add(content, category=category)
        valued = "lives in" in content or "editor is" in content
        last[content.rpartition(" ")[0] if valued else content] = content
    assert set(ann.known()) == set(last.values())


@pytest.mark.postgres
@pytest.mark.parametrize("seed", range(2))
def test_both_databases_tell_the_same_life(
    opener: Callable[..., Memory], clock: Any, postgres_url: str, seed: int
) -> None:
    """One random sequence gives the same facts, histories, answers and past on SQLite and on PostgreSQL."""
    lives: list[Any] = []
    begun = clock()
    for database in (None, postgres_url):
        ann, dice = As(opener(database), "ann"), random.Random(seed)
        clock.now = begun
        for _ in range(40):
            clock.move(seconds=1)
            step(ann, dice.choice(VERBS), dice.randrange(50), dice.randrange(50))
        found = [
            (hit.content, round(hit.score, 3))
            for hit in ann.search("User lives in Paris with Jane", limit=20)
        ]
        text = json.dumps(ann.export()["memories"])
        for place, record in enumerate(ann.export()["memories"]):
            text = text.replace(record["memory_id"], f"#{place}")
        lives.append((json.loads(text), found, ann.context().memory_block(), ann.stats().by_category))
    assert lives[0] == lives[1]
