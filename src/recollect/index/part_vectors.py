"""The vectors of many messages: a row per part, and the message of each row.

The parts of one message are adjacent, so the best of them is found without a loop. Rows are held in chunks, because one matrix
would have to be copied to grow. All rows can be multiplied, or some gathered; for very many, a sketch estimates the products. A
message's vectors may come long after the message.
"""

import itertools
from collections.abc import Iterable, Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.index.columns import Growing
from recollect.index.sketch import Sketch, evenly
from recollect.store.database import Matrix

#: Rows per multiplication: with 384 dimensions they stay in the processor's cache, which is faster than multiplying
#: everything at once. # measured: 14 ms against 21 for two vectors and 100,000 rows
BLOCK = 512
#: Rows per chunk: many, because each chunk costs a step when rows are gathered.
CHUNK = 8 * BLOCK


class _Rows:
    """A matrix in chunks that only grows; rows never change."""

    def __init__(self) -> None:
        #: All full but the last.
        self._chunks: list[Matrix] = []
        self._size = 0

    def __len__(self) -> int:
        return self._size

    @property
    def nbytes(self) -> int:
        # Spare room was never touched, so it is not in memory yet.
        return self._size * self.dimensions * np.dtype(np.float32).itemsize

    @property
    def dimensions(self) -> int:
        return self._chunks[0].shape[1] if self._chunks else 0

    def extend(self, matrix: Matrix) -> None:
        while len(matrix):
            used = self._size % CHUNK
            chunk = self._with_room(used, matrix)
            taken = matrix[: len(chunk) - used]
            chunk[used : used + len(taken)] = taken
            self._size += len(taken)
            matrix = matrix[len(taken) :]

    def _with_room(self, used: int, matrix: Matrix) -> Matrix:
        """The last chunk with `used` rows, enlarged if full; small users have little spare room, large ones a whole chunk."""
        if not used:
            rows = CHUNK if self._chunks else min(CHUNK, len(matrix))
            self._chunks.append(np.empty((rows, matrix.shape[1]), dtype=np.float32))
        elif used == len(self._chunks[-1]):
            grown = np.empty((min(CHUNK, used * 5 // 4 + 64), matrix.shape[1]), dtype=np.float32)
            grown[:used] = self._chunks[-1]
            self._chunks[-1] = grown
        return self._chunks[-1]

    def since(self, first: int, most: int) -> Iterator[Matrix]:
        """The rows from `first` on, not copied, in pieces of at most `most`."""
        while first < self._size:
            number, start = divmod(first, CHUNK)
            piece = self._chunks[number][start : min(start + most, self._size - number * CHUNK)]
            yield piece
            first += len(piece)

    def products(self, vectors: Matrix, first: int = 0) -> Matrix:
        """The products of each row from `first` on with each vector, a row per row."""
        turned = np.ascontiguousarray(vectors.T)
        found = np.empty((self._size - first, len(vectors)), dtype=np.float32)
        done = 0
        for piece in self.since(first, BLOCK):
            np.matmul(piece, turned, out=found[done : done + len(piece)])
            done += len(piece)
        return found

    def at(self, rows: NDArray[np.intp]) -> Matrix:
        """Some rows, copied together; fastest in ascending order."""
        found = np.empty((len(rows), self.dimensions), dtype=np.float32)
        chunk_of, place = np.divmod(rows, CHUNK)
        cuts = [0, *(np.flatnonzero(np.diff(chunk_of)) + 1).tolist(), len(rows)]
        for start, end in itertools.pairwise(cuts):
            if start < end:
                chunk = self._chunks[int(chunk_of[start])]
                # Clipped, because bounds checks make NumPy copy; all places are valid.
                np.take(chunk, place[start:end], axis=0, out=found[start:end], mode="clip")
        return found


class PartVectors:
    """Rows of many messages, by the slot of the message."""

    def __init__(self) -> None:
        self._rows = _Rows()
        #: The first row and the slot of each message with vectors, in the order of arrival.
        self._starts = Growing(np.int32)
        self._owners = Growing(np.int32)
        #: The place of each slot in those two; -1: no vectors.
        self._place = Growing(np.int32)
        #: Whether the owners are the slots 0, 1, 2 … and whether some vectors were replaced.
        self._aligned = True
        self._replaced = False
        #: Made when estimates are first needed.
        self._sketch: Sketch | None = None

    @property
    def nbytes(self) -> int:
        held = sum(part.nbytes for part in (self._rows, self._starts, self._owners, self._place))
        return held + (self._sketch.nbytes if self._sketch else 0)

    @property
    def held(self) -> NDArray[np.bool_]:
        """Which slots have vectors."""
        return self._place.values >= 0

    def held_at(self, slots: NDArray[np.intp]) -> NDArray[np.bool_]:
        """Which of some slots have vectors."""
        return self._place.values[slots] >= 0

    def widen(self, size: int) -> None:
        """Add slots without vectors."""
        self._place.extend(np.full(size, -1, dtype=np.int32))

    def extend(self, portions: Iterable[tuple[Matrix, Sequence[int]]]) -> None:
        """Add rows with the slot of each; a message's parts are adjacent and replace its older ones."""
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
        """The normalised mean of the parts of each slot; zeros for a slot without vectors."""
        means = np.zeros((len(slots), self._rows.dimensions), dtype=np.float32)
        known, rows, starts = self._rows_of(slots)
        if len(known):
            sums = self._rows.at(rows)
            if len(rows) > len(known):
                sums = np.add.reduceat(sums, starts, axis=0)
            lengths = np.sqrt(np.einsum("ij,ij->i", sums, sums))
            # Opposite parts add up to zero, which has no direction.
            means[known] = sums / np.maximum(lengths, 1e-12)[:, None]
        return means

    def cosines_at(self, slots: NDArray[np.intp], vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Cosine of some slots' best parts to a unit vector; -1 for a slot without vectors."""
        near = np.full(len(slots), -1, dtype=np.float32)
        known, rows, starts = self._rows_of(slots)
        if len(known):
            products = self._rows.at(rows) @ vector
            near[known] = np.maximum.reduceat(products, starts) if len(rows) > len(known) else products
        return near

    def _rows_of(
        self, slots: NDArray[np.intp]
    ) -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp]]:
        """The slots that have vectors, their rows, slot after slot, and where each slot's rows begin."""
        places: NDArray[np.int32] = self._place.values[slots]
        known = np.flatnonzero(places >= 0)
        places = places[known]
        starts: NDArray[np.int32] = self._starts.values
        first = starts[places].astype(np.intp)
        # A message's rows end where those of the next one begin.
        ends = np.take(starts, places + 1, mode="clip").astype(np.intp)
        ends[places == len(starts) - 1] = len(self._rows)
        sizes = ends - first
        if (sizes == 1).all():
            return known, first, np.arange(len(first))
        begins = np.cumsum(sizes) - sizes
        rows = np.repeat(first - begins, sizes) + np.arange(int(sizes.sum()))
        return known, rows, begins

    def cosines(self, vectors: Matrix) -> Matrix:
        """Cosine of each slot's best part to each of some unit vectors; -1 for a slot without vectors."""
        near = self._rows.products(vectors) if len(self._rows) else np.empty((0, len(vectors)), np.float32)
        return self._by_slot(near)

    def estimates(self, vector: NDArray[np.float32]) -> NDArray[np.float32]:
        """Estimates of the same for one vector, in a fraction of the time; makes the sketch if necessary."""
        self.sketch()
        near = self._sketch.products(vector) if self._sketch else np.empty(0, np.float32)
        return self._by_slot(near[:, None])[:, 0]

    def sketch(self) -> None:
        """Make or extend the sketch, so that it covers every row."""
        rows = len(self._rows)
        if rows and (self._sketch is None or self._sketch.outgrown(rows)):
            self._sketch = Sketch(self._rows.at(evenly(rows)), rows)
        if self._sketch is not None:
            for piece in self._rows.since(len(self._sketch), CHUNK):
                self._sketch.extend(piece)

    def _by_slot(self, near: Matrix) -> Matrix:
        """The best value of each slot's rows, a row per slot; -1 for a slot without vectors."""
        slots, known = len(self._place), len(self._owners)
        if known < len(near):
            # Transposed, because NumPy reduces along rows fastest.
            near = np.maximum.reduceat(np.ascontiguousarray(near.T), self._starts.values, axis=1).T
        if self._aligned and known == slots:
            return near
        every = np.full((slots, near.shape[1]), -1, dtype=np.float32)
        owners = self._owners.values
        if self._aligned:
            every[:known] = near
        elif self._replaced:
            every[owners[owners >= 0]] = near[owners >= 0]
        else:
            every[owners] = near
        return every
