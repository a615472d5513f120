"""An array that grows at its end without copying itself each time."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike, NDArray


class Growing:
    """Values of one type in a row; a matrix grows by rows."""

    def __init__(self, dtype: DTypeLike) -> None:
        self._held: NDArray[Any] = np.zeros(0, dtype=dtype)
        self._size = 0

    def extend(self, values: ArrayLike) -> None:
        """Add values at the end; the first ones are kept as they are, without spare room."""
        added = np.asarray(values, dtype=self._held.dtype)
        needed = self._size + len(added)
        if not self._size:
            self._held = added
        elif needed > len(self._held):
            grown = np.empty(
                (max(needed, len(self._held) * 5 // 4 + 64), *added.shape[1:]), dtype=added.dtype
            )
            grown[: self._size] = self._held[: self._size]
            self._held = grown
        if self._held is not added:
            self._held[self._size : needed] = added
        self._size = needed

    @property
    def values(self) -> NDArray[Any]:
        """What is in it now, not copied."""
        return self._held[: self._size]

    @property
    def nbytes(self) -> int:
        return self._held.nbytes

    def __len__(self) -> int:
        return self._size
