"""What a peer must do: take the turns of one conversation with our vectors, and give the ids back, best first.

Every peer gets the same vectors, because the stores are compared and not the models. A peer whose package is missing says how
to install it.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.dataset import Turn

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]


class Missing(Exception):
    """The peer's package is not installed; the message is the line that installs it."""


class Peer(Protocol):
    """A store that can be filled and asked."""

    name: str

    def add(self, turns: Sequence[Turn], vectors: Matrix) -> None:
        """Store more turns of the conversation."""
        ...

    def rank(self, question: str, vector: Vector, count: int) -> list[str]:
        """The ids of the best turns."""
        ...

    def clear(self) -> None:
        """Forget the conversation."""
        ...

    def close(self) -> None:
        """Let go of everything."""
        ...
