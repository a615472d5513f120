"""Vectors from any server that speaks OpenAI's `/v1/embeddings`.

Sends texts in batches and checks the answer before anyone uses it: as many vectors as texts, in the right order, all
of one width, finite. It knows no store; waiting, trying again and hiding the key are `endpoint`'s business.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from recollect.errors import EmbeddingError, ModelError
from recollect.models.endpoint import Endpoint

#: Texts in one request; servers commonly refuse more than a few hundred or a few hundred thousand tokens.
MAX_BATCH = 64

_PATH = "/embeddings"


class RemoteEmbedder:
    """The embedder behind an address such as `http://localhost:8080/v1`."""

    def __init__(
        self,
        *,
        base_url: str,
        api_key: str | None,
        model: str,
        dimensions: int | None = None,
        timeout_seconds: float = 30.0,
        max_retries: int = 3,
        sleep: Callable[[float], Awaitable[None]] = asyncio.sleep,
    ) -> None:
        """`dimensions`, when given, is asked of the server and required of its answer; otherwise learnt."""
        self._endpoint = Endpoint(
            kind="embedding server",
            base_url=base_url,
            api_key=api_key,
            timeout_seconds=timeout_seconds,
            max_retries=max_retries,
            sleep=sleep,
        )
        self._model = model
        self._asked = dimensions
        self._dimensions = dimensions or 0

    @property
    def model(self) -> str:
        return self._model

    @property
    def dimensions(self) -> int:
        """0 until the first answer, unless it was given."""
        return self._dimensions

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector for each text, asked for in batches."""
        rows: list[NDArray[np.float32]] = []
        for start in range(0, len(texts), MAX_BATCH):
            # Servers refuse an empty text: a blank stands for it.
            batch = [text if text.strip() else " " for text in texts[start : start + MAX_BATCH]]
            vectors = self._checked(await self._ask(batch), len(batch))
            self._dimensions = vectors.shape[1]
            rows.append(vectors)
        return np.concatenate(rows) if rows else np.zeros((0, self._dimensions), np.float32)

    async def aclose(self) -> None:
        await self._endpoint.aclose()

    async def _ask(self, batch: list[str]) -> bytes:
        body: dict[str, Any] = {"model": self._model, "input": batch}
        if self._asked is not None:
            body["dimensions"] = self._asked
        try:
            return await self._endpoint.post(_PATH, body, wanted=f"the model {self._model!r}")
        except ModelError as cause:
            raise EmbeddingError(str(cause)) from cause

    def _checked(self, body: bytes, expected: int) -> NDArray[np.float32]:
        """The vectors in the order of the texts, of length 1; an answer that does not fit is an error."""
        try:
            rows = cast(list[dict[str, Any]], json.loads(body)["data"])
            by_index = {int(row["index"]): row["embedding"] for row in rows}
            if len(rows) != expected or sorted(by_index) != list(range(expected)):
                raise ValueError(f"{len(rows)} vectors for {expected} texts, or wrong indexes")
            vectors = np.array([by_index[index] for index in range(expected)], np.float64)
            if vectors.ndim != 2 or vectors.shape[1] == 0:
                raise ValueError("vectors are not lists of numbers of one width")
            lengths = np.linalg.norm(vectors, axis=1, keepdims=True)
            if not np.isfinite(lengths).all() or not lengths.all():
                raise ValueError("a vector is zero or not finite")
        except (ValueError, TypeError, KeyError, AttributeError, OverflowError, RecursionError) as cause:
            raise EmbeddingError(
                f"{self._endpoint.named(_PATH)} returned an invalid answer ({cause!r})."
                f" Check that it is an OpenAI-compatible address and that {self._model!r} creates embeddings."
            ) from cause
        if self._dimensions and vectors.shape[1] != self._dimensions:
            raise EmbeddingError(
                f"The model {self._model!r} returned vectors of width {vectors.shape[1]}"
                f" instead of {self._dimensions}. Check the model and the configured dimensions."
            )
        return (vectors / lengths).astype(np.float32)
