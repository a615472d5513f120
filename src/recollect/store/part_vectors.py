"""The vectors of many messages, a row for each part, and whose each row is.

The parts of one message stand together, so the best of them is found without a loop. Rows are held in blocks: one matrix
would have to be copied whole to grow, and would keep room ahead. It does not know what a message says, nor whether it is
alive: that is the index's business. A message's vectors may come long after the message.
"""

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.store.database import Matrix
from recollect.store.growing import Growing

#: Rows of a block: of 384 dimensions they stay in the processor's cache while they are multiplied, which is faster than
#: one multiplication of everything. # measured: 14 ms against 21 for two vectors and 100,000 rows
BLOCK = 512


class _Rows:
    """A matrix in blocks; only the last one has room ahead."""

    def __init__(self) -> None:
        self._full: list[Matrix] = []
        self._last = Growing(np.float32)

    def __len__(self) -> int:
        return len(self._full) * BLOCK + len(self._last)

    @property
    def nbytes(self) -> int:
        return sum(block.nbytes for block in self._full) + self._last.nbytes

    def extend(self, matrix: Matrix) -> None:
        while len(matrix):
            room = BLOCK - len(self._last)
            self._last.extend(matrix[:room].copy())
            matrix = matrix[room:]
            if len(self._last) == BLOCK:
                self._full.append(self._last.values.copy())
                self._last = Growing(np.float32)

    def products(self, vectors: Matrix) -> Matrix:
        """Each row times each vector; a row a row."""
        turned = np.ascontiguousarray(vectors.T)
        found = np.empty((len(self), len(vectors)), dtype=np.float32)
        for number, block in enumerate(self._full):
            np.matmul(block, turned, out=found[number * BLOCK : (number + 1) * BLOCK])
        if len(self._last):
            np.matmul(self._last.values, turned, out=found[len(self._full) * BLOCK :])
        return found

    def at(self, rows: NDArray[np.intp]) -> Matrix:
        """Some rows, copied together."""
        blocks = [*self._full, self._last.values]
        found = np.empty((len(rows), blocks[0].shape[-1]), dtype=np.float32)
        of_block = rows // BLOCK
        order = np.argsort(of_block, kind="stable")
        numbers, starts = np.unique(of_block[order], return_index=True)
        for number, places in zip(numbers.tolist(), np.split(order, starts[1:]), strict=False):
            found[places] = blocks[number][rows[places] - number * BLOCK]
        return found


class PartVectors:
    """Rows of many messages, addressed by the slot of their message."""

    def __init__(self) -> None:
        self._rows = _Rows()
        #: For each message that has vectors, in the order in which they came: its first row, and its slot.
        self._starts = Growing(np.int32)
        self._owners = Growing(np.int32)
        #: For each slot its place in those two; -1: no vectors.
        self._place = Growing(np.int32)
        #: Whether the owners are the slots 0, 1, 2 … and whether some vectors were replaced.
        self._aligned = True
        self._replaced = False

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in (self._rows, self._starts, self._owners, self._place))

    @property
    def held(self) -> NDArray[np.bool_]:
        """Which slots have vectors."""
        return self._place.values >= 0

    def widen(self, size: int) -> None:
        """So many further slots, without vectors for now."""
        self._place.extend(np.full(size, -1, dtype=np.int32))

    def extend(self, portions: Iterable[tuple[Matrix, Sequence[int]]]) -> None:
        """Add rows with the slot of each; a message's parts stand together, and what it had before counts no longer."""
        first = len(self._rows)
        owners: list[int] = []
        for matrix, slots in portions:
            self._rows.extend(matrix)
            owners += slots
        if owners:
            self._assign(np.array(owners, dtype=np.int32), first)

    def _assign(self, owners: NDArray[np.int32], first: int) -> None:
        starts = np.flatnonzero(np.append(True, owners[1:] != owners[:-1]))
        slots = owners[starts]
        places = np.arange(len(self._owners), len(self._owners) + len(slots), dtype=np.int32)
        before = self._place.values[slots]
        if (before >= 0).any():
            self._owners.values[before[before >= 0]] = -1
            self._replaced = True
        self._starts.extend(starts + first)
        self._owners.extend(slots)
        self._place.values[slots] = places
        self._aligned = self._aligned and bool((slots == places).all())

    def means(self, slots: NDArray[np.intp]) -> Matrix:
        """For each of some slots the mean of its parts, of unit length; zeros for a slot without vectors."""
        places = self._place.values[slots]
        known = np.flatnonzero(places >= 0)
        if not len(known):
            return np.zeros((len(slots), 0), dtype=np.float32)
        rows, starts = self._rows_of(places[known])
        sums = np.add.reduceat(self._rows.at(rows), starts, axis=0)
        means = np.zeros((len(slots), sums.shape[1]), dtype=np.float32)
        # Opposite parts add up to nothing, which has no direction.
        means[known] = sums / np.maximum(np.linalg.norm(sums, axis=1, keepdims=True), 1e-12)
        return means

    def _rows_of(self, places: NDArray[np.int32]) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
        """The rows of the messages at these places, message after message, and where each message begins among them."""
        starts = self._starts.values
        ends = np.append(starts[1:], len(self._rows))
        sizes = ends[places] - starts[places]
        begins = np.cumsum(sizes) - sizes
        rows = np.repeat(starts[places] - begins, sizes) + np.arange(sizes.sum())
        return rows.astype(np.intp), begins.astype(np.intp)

    def cosines(self, vectors: Matrix) -> Matrix:
        """Cosine of each slot's best part to each of some unit vectors; -1 for a slot without vectors."""
        slots, known = len(self._place), len(self._owners)
        near = self._rows.products(vectors) if known else np.empty((0, len(vectors)), dtype=np.float32)
        if known < len(self._rows):
            # Turned, because NumPy finds the best of neighbours in one row fastest.
            near = np.maximum.reduceat(np.ascontiguousarray(near.T), self._starts.values, axis=1).T
        if self._aligned and known == slots:
            return near
        every = np.full((slots, len(vectors)), -1, dtype=np.float32)
        owners = self._owners.values
        if self._aligned:
            every[:known] = near
        elif self._replaced:
            every[owners[owners >= 0]] = near[owners >= 0]
        else:
            every[owners] = near
        return every
