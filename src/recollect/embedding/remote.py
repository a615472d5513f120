"""Vectors from any server that speaks OpenAI's `/v1/embeddings`.

Sends texts in batches, waits and tries again when the server is busy or slow, and checks the answer before
anyone uses it: as many vectors as texts, in the right order, all of one width, finite. It knows no store, and
it never writes the key anywhere. The `openai` package was rejected: 27 MB and a second of import for one
request.
"""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING, Any, cast

import numpy as np
from numpy.typing import NDArray

from recollect.errors import EmbeddingError

if TYPE_CHECKING:
    from httpx2 import AsyncClient, Response

#: Texts in one request; servers commonly refuse more than a few hundred or a few hundred thousand tokens.
MAX_BATCH = 64
#: Longest wait before another try (seconds), whatever Retry-After says.
MAX_WAIT_SECONDS = 60.0
#: How much of a server's complaint goes into an error (characters).
MAX_COMPLAINT = 300


class _Busy(Exception):
    """The server may answer later; `wait` is what it asked for, in seconds."""

    def __init__(self, reason: str, wait: float | None = None) -> None:
        super().__init__(reason)
        self.wait = wait


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
        self._url = f"{base_url.rstrip('/')}/embeddings"
        self._api_key = (api_key or "").strip()
        self._model = model
        self._asked = dimensions
        self._dimensions = dimensions or 0
        self._timeout_seconds = timeout_seconds
        self._max_retries = max_retries
        self._sleep = sleep
        self._client: AsyncClient | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

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
            batch = [_sendable(text) for text in texts[start : start + MAX_BATCH]]
            vectors = self._checked(await self._ask(batch), len(batch))
            self._dimensions = vectors.shape[1]
            rows.append(vectors)
        return np.concatenate(rows) if rows else np.zeros((0, self._dimensions), np.float32)

    async def aclose(self) -> None:
        client, self._client = self._client, None
        if client is not None and self._loop is asyncio.get_running_loop():
            await client.aclose()

    async def _ask(self, batch: list[str]) -> bytes:
        """The body of a good answer, after as many tries as are allowed."""
        for attempt in range(self._max_retries + 1):
            try:
                return await self._post(batch)
            except _Busy as busy:
                if attempt == self._max_retries:
                    raise EmbeddingError(
                        f"The embedding server at {self._url} did not answer after {attempt + 1} tries:"
                        f" {busy}. Check that it is up and not overloaded, and the timeout."
                    ) from busy
                wait = busy.wait if busy.wait is not None else 2.0**attempt
                await self._sleep(min(wait, MAX_WAIT_SECONDS))
        raise AssertionError("unreachable: the last attempt returns or raises")

    async def _post(self, batch: list[str]) -> bytes:
        # Deferred: httpx2 is heavy, and a process with the local model never needs it.
        import httpx2

        body: dict[str, Any] = {"model": self._model, "input": batch}
        if self._asked is not None:
            body["dimensions"] = self._asked
        headers = {"Authorization": f"Bearer {self._api_key}"} if self._api_key else {}
        try:
            # Around the whole exchange: a server that drips its answer is as slow as one that is silent.
            async with asyncio.timeout(self._timeout_seconds):
                response = await self._connected().post(self._url, json=body, headers=headers)
        except (TimeoutError, httpx2.TimeoutException) as cause:
            raise _Busy(f"no answer within {self._timeout_seconds:g} s") from cause
        except (httpx2.HTTPError, httpx2.InvalidURL, ValueError) as cause:
            raise EmbeddingError(
                f"The embedding server at {self._url} cannot be reached: {self._hide_key(str(cause))}."
                " Check the address, the key and the network."
            ) from cause
        return self._accepted(response)

    def _accepted(self, response: "Response") -> bytes:
        """The body when all is well; what to check otherwise."""
        status = response.status_code
        if status == 200:
            return response.content
        complaint = self._hide_key(response.text)[:MAX_COMPLAINT]
        if status == 429 or status >= 500:
            raise _Busy(f"status {status}: {complaint}", _asked_wait(response.headers.get("retry-after")))
        check = {
            401: "Check the API key.",
            403: "Check the API key and what it may do.",
            404: f"Check the address (it usually ends in /v1) and that it serves the model {self._model!r}.",
        }.get(status, f"Check the address, the model {self._model!r} and the length of the texts.")
        raise EmbeddingError(
            f"The embedding server at {self._url} refused with status {status}: {complaint} {check}"
        )

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
                f"The embedding server at {self._url} gave an answer that makes no sense ({cause!r})."
                f" Check that it is an OpenAI-compatible address and that {self._model!r} makes embeddings."
            ) from cause
        if self._dimensions and vectors.shape[1] != self._dimensions:
            raise EmbeddingError(
                f"The model {self._model!r} gave vectors of width {vectors.shape[1]}"
                f" instead of {self._dimensions}. Check the model and the configured dimensions."
            )
        return (vectors / lengths).astype(np.float32)

    def _connected(self) -> "AsyncClient":
        """The client of this event loop; connections cannot move to another."""
        import httpx2  # deferred, as above

        loop = asyncio.get_running_loop()
        if self._client is None or self._loop is not loop:
            self._client, self._loop = httpx2.AsyncClient(timeout=None), loop
        return self._client

    def _hide_key(self, message: str) -> str:
        """Servers like to repeat the key when they refuse it."""
        return message.replace(self._api_key, "***") if self._api_key else message


def _sendable(text: str) -> str:
    """Lone surrogates cannot travel, and servers refuse an empty text: a blank stands for it."""
    return text.encode("utf-8", "replace").decode("utf-8") if text.strip() else " "


def _asked_wait(header: str | None) -> float | None:
    """Retry-After in seconds: a number or a date."""
    if not header:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        moment = parsedate_to_datetime(header)
    except ValueError:
        return None
    return max(0.0, (moment.replace(tzinfo=moment.tzinfo or UTC) - datetime.now(UTC)).total_seconds())
