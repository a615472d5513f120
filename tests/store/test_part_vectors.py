"""The vectors of messages, in blocks."""

import itertools

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.part_vectors import BLOCK, CHUNK, PartVectors

QUERIES = np.random.default_rng(5).standard_normal((3, 8)).astype(np.float32)
#: Slots in the order in which they get their vectors, each with its number of parts; one may get new ones.
DEEDS = st.lists(st.lists(st.tuples(st.integers(0, 30), st.integers(1, 4)), max_size=12), max_size=8)


@given(DEEDS, st.integers(0, 40), st.booleans())
def test_the_best_part_of_each_message_counts(
    portions: list[list[tuple[int, int]]], size: int, widened_late: bool
) -> None:
    """However the vectors came, each slot has the cosine of its best newest part, and -1 when it has none."""
    dice = np.random.default_rng(1)
    parts = PartVectors()
    parts.widen(31 if not widened_late else 31 + size)
    newest: dict[int, np.ndarray] = {}
    for portion in portions:
        once = list(dict(portion).items())
        matrices = [dice.standard_normal((count, 8)).astype(np.float32) for _, count in once]
        newest.update({slot: matrix for (slot, _), matrix in zip(once, matrices, strict=True)})
        owners = [slot for slot, count in once for _ in range(count)]
        if owners:
            parts.extend([(np.concatenate(matrices), owners)])
    if not widened_late:
        parts.widen(size)
    means = parts.means(np.arange(31 + size)[::-1])[::-1]
    some = parts.cosines_at(np.arange(31 + size)[::-1], QUERIES[0])[::-1]
    found = parts.cosines(QUERIES)
    assert found.shape == (31 + size, 3) and found.dtype == np.float32
    assert np.flatnonzero(parts.held).tolist() == sorted(newest)
    for slot in range(31 + size):
        expected = (newest[slot] @ QUERIES.T).max(axis=0) if slot in newest else np.full(3, -1)
        np.testing.assert_allclose(found[slot], expected, rtol=1e-4, atol=1e-5)
        np.testing.assert_allclose(some[slot], expected[0], rtol=1e-4, atol=1e-5)
        total = newest[slot].sum(axis=0) if slot in newest else np.zeros(means.shape[1])
        mean = total / (np.linalg.norm(total) or 1.0)
        np.testing.assert_allclose(means[slot], mean, rtol=1e-4, atol=1e-5)


def test_portions_may_part_a_message_and_fill_blocks() -> None:
    """Rows that come in portions of any size are one matrix, also when a message's parts lie in two chunks."""
    size = 2 * CHUNK + BLOCK + 7
    matrix = np.random.default_rng(2).standard_normal((size, 8)).astype(np.float32)
    owners = [number // 3 for number in range(size)]
    parts = PartVectors()
    parts.widen(owners[-1] + 1)
    cuts = [0, 1, 5, BLOCK - 1, BLOCK + 2, CHUNK - 1, CHUNK + 1, size]
    parts.extend((matrix[start:end], owners[start:end]) for start, end in itertools.pairwise(cuts))
    best = np.maximum.reduceat(matrix @ QUERIES.T, range(0, size, 3), axis=0)
    np.testing.assert_allclose(parts.cosines(QUERIES), best, rtol=1e-4, atol=1e-5)
    slots = np.random.default_rng(3).permutation(owners[-1] + 1)
    np.testing.assert_allclose(parts.cosines_at(slots, QUERIES[0]), best[slots, 0], rtol=1e-4, atol=1e-5)
    assert size * 8 * 4 <= parts.nbytes < size * 8 * 4 * 1.3


def test_without_vectors_nothing_is_near() -> None:
    """Nothing at all, and messages none of which has vectors yet."""
    parts = PartVectors()
    assert parts.cosines(QUERIES).shape == (0, 3)
    parts.extend([])
    parts.widen(2)
    assert parts.cosines(QUERIES).tolist() == [[-1.0] * 3] * 2
