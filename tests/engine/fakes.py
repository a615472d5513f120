"""The fakes of the engine's tests: the shared clock, and the shared embedder that can also fail or be held."""

import asyncio
from collections.abc import Sequence

import numpy as np
from conftest import FakeClock, FakeEmbedder
from numpy.typing import NDArray

from recollect.errors import EmbeddingError

__all__ = ["FakeClock", "FakeEmbedder", "MoodyEmbedder"]


class MoodyEmbedder(FakeEmbedder):
    """A fake embedder that fails when told to, or waits until it is let go."""

    def __init__(self, model: str = "fake-64", dimensions: int = 64) -> None:
        super().__init__(model, dimensions)
        #: While true, every call fails as an unreachable model would.
        self.failing = False
        #: While set, texts that hold this word wait.
        self.held: str | None = None
        self.waiting = asyncio.Event()

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        if self.failing:
            raise EmbeddingError("The model cannot be reached.")
        while self.held is not None and any(self.held in text for text in texts):
            self.waiting.set()
            await asyncio.sleep(0.001)
        return await super().embed(texts)
