"""The seeds table."""

from recollect.records.seed import Seed
from recollect.store import seeds

from .conftest import Store
from .conversations import minutes


def test_a_seed_is_replaced(store: Store) -> None:
    """A user has one seed, the last one given; facts come back as they were."""
    first = Seed(
        user_id="ann",
        facts=({"content": "User keeps bees 🐝", "tags": ["a"], "importance": 7.5}, {"content": "User hums"}),
        notes="A friend of the house.",
        updated_at=minutes(1),
    )
    second = Seed(user_id="ann", notes="Moved.", updated_at=minutes(2))
    for seed in (first, second):
        store.write("ann", lambda tx, seed=seed: seeds.save(tx, seed))
        assert store.read("ann", lambda tx: seeds.get(tx, "ann")) == seed
    assert store.read("bob", lambda tx: seeds.get(tx, "bob")) is None
