"""What the rest of the package may ask of an embedding model.

A Protocol with two implementations: `MiniLM` in the process, `RemoteEmbedder` over HTTP. It knows neither
where vectors are stored nor how they are compared. Separate calls for queries and documents were rejected:
neither implementation treats them differently.
"""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray


class Embedder(Protocol):
    """Turns texts into unit vectors; the same text gives the same vector, alone or in any batch."""

    @property
    def model(self) -> str:
        """The name stored with each vector; vectors of different names are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """The width of the vectors; 0 while it is not yet known."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text, in the order given."""
        ...

    async def aclose(self) -> None:
        """Give back threads, memory and connections; may be called twice."""
        ...
