"""The message_vectors table."""

import numpy as np

from recollect.store import message_vectors, users
from recollect.store.database import EVERYONE, Connection, Matrix

from .conftest import Store
from .conversations import index, message, tell
from .rows import MODEL, direction


def _two(seed: int) -> Matrix:
    return np.stack([direction(seed), direction(seed + 1)])


def _gathered(store: Store, model: str, slot_of: dict[str, int]) -> tuple[list[list[float]], list[int]]:
    def work(tx: Connection) -> tuple[list[list[float]], list[int]]:
        portions = list(message_vectors.gather(tx, "ann", model, slot_of))
        rows = [row for matrix, _ in portions for row in matrix.round(3).tolist()]
        return rows, [slot for _, slots in portions for slot in slots]

    return store.read("ann", work)


def test_parts_come_back_in_order(store: Store) -> None:
    """Each message's parts stand together with its slot; other models, messages and users are left out."""

    def work(tx: Connection) -> None:
        message_vectors.put(tx, "ann", "m", [("b", _two(1)), ("a", _two(5)), ("z", _two(8))], revision=3)
        message_vectors.put(tx, "ann", "other", [("a", direction(9)[None, :])], revision=3)
        message_vectors.put(tx, "ann", "m", [], revision=3)

    store.write("ann", work)
    rows, slots = _gathered(store, "m", {"a": 7, "b": 2})
    assert slots == [7, 7, 2, 2]
    np.testing.assert_allclose(rows, np.concatenate([_two(5), _two(1)]), atol=2e-3)
    assert _gathered(store, "unknown", {"a": 7}) == ([], [])
    assert store.read("bob", lambda tx: list(message_vectors.gather(tx, "bob", "m", {"a": 7}))) == []


def test_vectors_since_a_revision(store: Store) -> None:
    """What was written later, of the model asked for; a vector that was replaced counts as new."""

    def work(tx: Connection) -> list[tuple[str, int]]:
        message_vectors.put(tx, "ann", "m", [("a", _two(1)), ("b", _two(2))], revision=3)
        message_vectors.put(tx, "ann", "m", [("b", _two(4))], revision=6)
        message_vectors.put(tx, "ann", "other", [("c", _two(4))], revision=6)
        return sorted((row[0], row[1]) for row in message_vectors.since(tx, "ann", "m", 3))

    assert store.write("ann", work) == [("b", 0), ("b", 1)]


def test_vectors_are_dropped(store: Store) -> None:
    """A message's go with all models, a chat's with its messages, another model's all together."""

    def work(tx: Connection) -> list[int]:
        tell(tx, [message(1), message(2), message(1, "c2")])
        ids = ["c1-000001", "c1-000002", "c2-000001"]
        for model in ("m", "other"):
            message_vectors.put(tx, "ann", model, [(id, _two(1)) for id in ids], revision=3)
        return [
            message_vectors.count(tx, "ann"),
            message_vectors.drop(tx, "ann", "c1-000001"),
            message_vectors.drop_chat(tx, "ann", "c1"),
            message_vectors.drop_all_but(tx, "ann", "m"),
            message_vectors.count(tx, "ann"),
        ]

    assert store.write("ann", work) == [12, 4, 4, 2, 2]
    assert store.read("bob", lambda tx: message_vectors.count(tx, "bob")) == 0
    assert store.read(EVERYONE, message_vectors.count) == 2


def test_what_another_model_misses(store: Store) -> None:
    """Indexed messages without a vector of a model, with their text and revision; those that wait for indexing do not count."""

    def told(tx: Connection) -> None:
        tell(tx, [message(1), message(2), message(3)])
        index(tx, "ann", limit=2)

    def missing(model: str, limit: int = 9) -> list[tuple[str, int, str]]:
        return store.read("ann", lambda tx: message_vectors.missing(tx, "ann", model, limit))

    store.write("ann", told)
    assert missing(MODEL) == []
    assert missing("new") == [
        ("c1-000001", 1, "Sentence 1 of c1"),
        ("c1-000002", 2, "Sentence 2 of c1"),
    ]
    assert len(missing("new", 1)) == 1
    assert store.read(EVERYONE, lambda tx: message_vectors.count_missing(tx, "new")) == 2
    store.write("ann", lambda tx: message_vectors.put(tx, "ann", "new", [("c1-000001", _two(1))], revision=4))
    assert [row[0] for row in missing("new")] == ["c1-000002"]
    assert store.read(EVERYONE, lambda tx: message_vectors.count_missing(tx, "new")) == 1
    assert store.read("ann", lambda tx: users.state(tx, "ann")) is not None
