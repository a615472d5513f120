"""The sketch of many vectors: it tells about how near each is, and the nearest are always among its best."""

import numpy as np
from numpy.typing import NDArray

from recollect.index.sketch import SAMPLE, SHARE, Sketch, evenly

SIZE, WIDTH = 3000, 64


def _talk(seed: int, size: int = SIZE) -> NDArray[np.float32]:
    """Unit vectors that differ in some directions more than in others, as those of sentences do."""
    random = np.random.default_rng(seed)
    spread = random.standard_normal((size, WIDTH)) * np.exp(-np.arange(WIDTH) / 10)
    return (spread / np.linalg.norm(spread, axis=1, keepdims=True)).astype(np.float32)


def test_estimates_are_near_the_products() -> None:
    """A quarter of the numbers tells nearly all, and rows that came later count like the first."""
    rows = _talk(1)
    sketch = Sketch(rows[evenly(2000)], 2000)
    sketch.extend(rows[:2000])
    sketch.extend(rows[2000:])
    assert not sketch.outgrown(SIZE) and sketch.outgrown(2 * SIZE)
    assert len(sketch) == SIZE and sketch.nbytes * SHARE <= 1.3 * rows.nbytes
    for vector in _talk(2, 20):
        exact, about = rows @ vector, sketch.products(vector)
        assert np.abs(exact - about).std() < 0.1
        nearest = np.argsort(-exact)[:20]
        assert np.isin(nearest, np.argsort(-about)[:300]).mean() >= 0.95


def test_a_sketch_of_few_rows_is_exact() -> None:
    """Rows that span no more directions than a sketch keeps lose nothing."""
    rows = _talk(3, 5)
    sketch = Sketch(rows, 5)
    sketch.extend(rows)
    assert np.allclose(sketch.products(rows[2]), rows @ rows[2], atol=1e-5)


def test_the_sample_is_taken_from_everywhere() -> None:
    """First and last row are in it, and never more than the limit."""
    assert evenly(3).tolist() == [0, 1, 2]
    many = evenly(10 * SAMPLE)
    assert len(many) == SAMPLE and many[0] == 0 and many[-1] == 10 * SAMPLE - 1
