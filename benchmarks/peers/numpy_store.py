"""A plain vector store: a matrix and its product with the question. The least that anybody would write."""

from collections.abc import Sequence

import numpy as np

from benchmarks.peers.peer import Matrix, Vector
from benchmarks.quality.dataset import Turn


class NumpyStore:
    """Cosines of unit vectors."""

    name = "NumPy cosine"

    def __init__(self) -> None:
        self._ids: list[str] = []
        self._rows: list[Matrix] = []

    def add(self, turns: Sequence[Turn], vectors: Matrix) -> None:
        self._ids += [turn.id for turn in turns]
        self._rows.append(vectors)

    def rank(self, question: str, vector: Vector, count: int) -> list[str]:
        if not self._ids:
            return []
        # Made one once: the next question finds it done.
        self._rows = [np.concatenate(self._rows)]
        best = np.argsort(-(self._rows[0] @ vector), kind="stable")[:count]
        return [self._ids[place] for place in best.tolist()]

    def clear(self) -> None:
        self._ids, self._rows = [], []

    def close(self) -> None:
        self.clear()
