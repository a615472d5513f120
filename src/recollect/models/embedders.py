"""Embedding models: the interface, and one open embedder per model in use.

`MiniLM` runs in the process, `RemoteEmbedder` asks a server. Vectors carry the name of their model, and each user is served by
one model at a time. While users are moved from one model to another, both stay open. There are no separate calls for queries
and documents, because neither implementation treats them differently.
"""

import asyncio
import logging
import time
from collections.abc import Callable, Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from recollect.encoder.minilm import MODEL, MiniLM
from recollect.errors import EmbeddingError
from recollect.models.remote import MAX_BATCH, RemoteEmbedder
from recollect.settings import Settings

log = logging.getLogger(__name__)

#: Seconds that `soon` waits for each request to a server, and seconds after a failure in which it does not ask again.
PATIENCE_SECONDS = 10.0
REST_SECONDS = 10.0


class Embedder(Protocol):
    """Turns texts into unit vectors; the same text gives the same vector, alone or in any batch."""

    @property
    def model(self) -> str:
        """The name stored with each vector; vectors of different models are never compared."""
        ...

    @property
    def dimensions(self) -> int:
        """The width of the vectors; 0 while unknown."""
        ...

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text, in the order given."""
        ...

    async def aclose(self) -> None:
        """Release threads, memory and connections; may be called twice."""
        ...


class Embedders:
    """Embedders by model name, opened when first needed."""

    def __init__(self, default: str, open: Callable[[str], Embedder]) -> None:
        #: The model for users not seen before.
        self.default = default
        self._make = open
        self._open: dict[str, Embedder] = {}
        #: Until when `soon` does not ask a server that failed, on the monotonic clock.
        self._resting: dict[str, float] = {}

    @classmethod
    def from_settings(cls, settings: Settings) -> "Embedders":
        """The embedder in the package, and any model at the OpenAI-compatible endpoint."""

        def make(model: str) -> Embedder:
            if model == MODEL:
                return MiniLM(threads=settings.threads)
            if not settings.reaches_models:
                # A model name in a database must not send anybody's text to another machine.
                raise EmbeddingError(
                    f"This user's vectors come from the model {model!r}, but no endpoint is configured. Set OPENAI_API_KEY"
                    " (and OPENAI_BASE_URL) to use it, or switch to the built-in model:"
                    f" recollect db reembed --model {MODEL}"
                )
            return RemoteEmbedder(
                base_url=settings.openai_base_url,
                api_key=settings.openai_api_key or None,
                model=model,
                timeout_seconds=settings.model_timeout_seconds,
            )

        return cls(settings.embedding_model or MODEL, make)

    @classmethod
    def given(cls, embedders: Sequence[Embedder]) -> "Embedders":
        """Embedders from the caller: the first for new users, the others while users are moved to it."""
        known = {embedder.model: embedder for embedder in embedders}

        def make(model: str) -> Embedder:
            if model in known:
                return known[model]
            if model == MODEL:
                return MiniLM()
            raise EmbeddingError(
                f"This user's vectors come from {model!r}, but no embedder with that name was given."
                " Pass it as a second embedder and call reembed()."
            )

        return cls(embedders[0].model, make)

    def named(self, model: str) -> Embedder:
        """The embedder of this model."""
        if model not in self._open:
            self._open[model] = self._make(model)
        return self._open[model]

    async def soon(self, model: str, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text; if the model fails, one empty row for each.

        For calls that must not fail with their model: words replace the vectors, and a job makes those of stored texts.
        """
        later = np.zeros((len(texts), 0), dtype=np.float32)
        if not texts or time.monotonic() < self._resting.get(model, 0.0):
            return later
        is_remote = False
        try:
            embedder = self.named(model)
            is_remote = isinstance(embedder, RemoteEmbedder)
            requests = -(-len(texts) // MAX_BATCH)
            # A model in this process takes as long as it needs.
            async with asyncio.timeout(PATIENCE_SECONDS * requests if is_remote else None):
                made = await embedder.embed(texts)
            if len(made) != len(texts):
                raise EmbeddingError(f"{model!r} returned {len(made)} vectors for {len(texts)} texts.")
            return made
        except Exception as error:  # A caller's own embedder may raise anything.
            if is_remote:
                self._resting[model] = time.monotonic() + REST_SECONDS
            cause = (error.__cause__ if isinstance(error, EmbeddingError) else None) or error
            status = getattr(cause, "status", "-")
            log.warning("embedder.failed model=%s error=%s status=%s", model, type(cause).__name__, status)
            return later

    async def aclose(self) -> None:
        """Close every open embedder."""
        for embedder in self._open.values():
            await embedder.aclose()
