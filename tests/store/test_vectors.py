"""The memory_vectors table."""

import numpy as np

from recollect.store import vectors
from recollect.store.database import EVERYONE, Connection

from .conftest import Store
from .rows import direction, record, saving


def _ids(store: Store, user_id: str, model: str) -> list[str]:
    """Which memories have a vector of this model."""
    rows = store.read(
        user_id,
        lambda tx: tx.all(
            "SELECT memory_id FROM memory_vectors WHERE user_id = :user_id AND model = :model ORDER BY memory_id",
            {"user_id": user_id, "model": model},
        ),
    )
    return [row[0] for row in rows]


def test_vectors_come_back_as_one_matrix(store: Store) -> None:
    """Each in the row of its slot, 16-bit floats turned into 32-bit ones; other models and users left out."""
    made = {f"id{number:05}": direction(number, 384) for number in range(1300)}
    store.write("ann", lambda tx: vectors.put(tx, "ann", "m", made.items()))
    store.write("ann", lambda tx: vectors.put(tx, "ann", "other", [("id00000", direction(1, 8))]))
    store.write("bob", lambda tx: vectors.put(tx, "bob", "m", [("id00000", direction(7, 384))]))
    slot_of = {id: slot for slot, id in enumerate(reversed(made))}
    matrix, found = store.read("ann", lambda tx: vectors.gather(tx, "ann", "m", slot_of))
    assert matrix.dtype == np.float32 and matrix.shape == (1300, 384) and found.all()
    assert all(
        np.array_equal(matrix[slot_of[id]], vector.astype("<f2").astype(np.float32))
        for id, vector in made.items()
    )


def test_only_what_was_asked_for(store: Store) -> None:
    """Slots without a vector are marked as not found; vectors that nobody asked for are not in the matrix."""
    store.write("ann", lambda tx: vectors.put(tx, "ann", "m", [("a", direction(1)), ("b", direction(2))]))
    matrix, found = store.read("ann", lambda tx: vectors.gather(tx, "ann", "m", {"x": 0, "b": 1}))
    assert found.tolist() == [False, True]
    assert matrix.shape == (2, 64) and np.allclose(matrix[1], direction(2), atol=1e-3) and not matrix[0].any()


def test_half_precision_keeps_the_cosine(store: Store) -> None:
    """What is stored is half as large and its cosine errs by less than 0.001."""
    first, second = direction(1, 384), direction(2, 384)
    store.write("ann", lambda tx: vectors.put(tx, "ann", "m", [("a", first), ("b", second)]))
    matrix, _ = store.read("ann", lambda tx: vectors.gather(tx, "ann", "m", {"a": 0, "b": 1}))
    assert abs(float(matrix[0] @ matrix[1]) - float(first @ second)) < 0.001
    assert abs(float(matrix[0] @ matrix[0]) - 1) < 0.001


def test_no_vectors_is_an_empty_matrix(store: Store) -> None:
    """A user without vectors has an empty matrix, not an error."""
    matrix, found = store.read("ann", lambda tx: vectors.gather(tx, "ann", "m", {}))
    assert matrix.size == 0 and found.size == 0
    assert store.read("ann", lambda tx: tx.vectors([])).size == 0


def test_put_replaces(store: Store) -> None:
    """One vector a memory and model: the last one."""
    for seed in (1, 2):
        store.write("ann", lambda tx, seed=seed: vectors.put(tx, "ann", "m", [("a", direction(seed))]))
    matrix, _ = store.read("ann", lambda tx: vectors.gather(tx, "ann", "m", {"a": 0}))
    assert _ids(store, "ann", "m") == ["a"] and np.allclose(matrix[0], direction(2), atol=1e-3)


def test_what_is_missing_after_a_change_of_models(store: Store) -> None:
    """Memories without a vector of the model are named, oldest first, and counted for everyone."""
    for made in (record(1), record(2), record(3, "bob")):
        store.write(made.user_id, saving(made))
    first, second = record(1), record(2)
    store.write("ann", lambda tx: vectors.put(tx, "ann", "new", [(second.memory_id, direction(1))]))
    assert store.read("ann", lambda tx: vectors.missing(tx, "ann", "new", 9)) == [
        (first.memory_id, first.content)
    ]
    assert store.read(EVERYONE, lambda tx: vectors.count_missing(tx, "new")) == 2


def test_vectors_are_dropped(store: Store) -> None:
    """The vectors of one memory go, of every model; or those of other models, of every memory."""

    def fill(tx: Connection) -> None:
        for model in ("old", "new"):
            vectors.put(tx, "ann", model, [(name, direction(1)) for name in "abc"])

    store.write("ann", fill)
    store.write("bob", lambda tx: vectors.put(tx, "bob", "old", [("a", direction(1))]))
    assert store.write("ann", lambda tx: vectors.drop(tx, "ann", "a")) == 2
    assert _ids(store, "ann", "old") == _ids(store, "ann", "new") == ["b", "c"]
    assert store.write("ann", lambda tx: vectors.drop_all_but(tx, "ann", "new")) == 2
    assert _ids(store, "ann", "new") == ["b", "c"]
    assert _ids(store, "bob", "old") == ["a"]


def test_a_vector_is_copied(store: Store) -> None:
    """A memory with the text of another gets its vector; where that one has none, it is said."""
    first, second = record(1), record(2)
    for made in (first, second):
        store.write("ann", saving(made))
    slot_of = {first.memory_id: 0, second.memory_id: 1}

    def copied(tx: Connection) -> bool:
        return vectors.copy(tx, "ann", "fake-64", first.memory_id, second.memory_id)

    assert store.write("ann", copied)
    matrix, _ = store.read("ann", lambda tx: vectors.gather(tx, "ann", "fake-64", slot_of))
    assert np.array_equal(matrix[0], matrix[1])
    assert not store.write("ann", lambda tx: vectors.copy(tx, "ann", "other", first.memory_id, "x"))
