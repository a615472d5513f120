"""An embedder that asks another one for each text only once, also across runs.

Data sets repeat texts: one built from a pool has each turn in some 26 conversations, and every run asks the same questions.
Vectors are kept by a hash of the text, in memory and, given a folder, in one file a model. A file that cannot be read is
an empty cache, never an error: all of it can be made again. It knows no data set. One file a vector was rejected: thousands of
small files take longer to open than to compute. Two processes may share a folder; each keeps what the other wrote.
"""

import asyncio
import hashlib
import os
import re
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from recollect.errors import EmbeddingError, RecollectError
from recollect.models.embedders import Embedder

#: Bytes of a text's hash: two of a million texts share one with a chance below 1 in 10^26.
_KEY = 16
#: Texts that are embedded between two writes of the file: what a killed run loses at most.
PORTION = 2_000


class CachedEmbedder:
    """Gives what it has and asks the inner embedder for the rest; closing it writes the file and closes the inner one."""

    def __init__(self, inner: Embedder, folder: Path | None = None) -> None:
        """Reads the folder's file of this model at once; the folder is made when it is first written to."""
        self._inner = inner
        self._path = folder / _file_name(inner.model) if folder is not None else None
        self._held = _read(self._path, inner.model, inner.dimensions) if self._path else {}
        self._unsaved = 0

    @property
    def model(self) -> str:
        return self._inner.model

    @property
    def dimensions(self) -> int:
        return self._inner.dimensions or _width(self._held)

    def __len__(self) -> int:
        """How many texts it knows."""
        return len(self._held)

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One row of length 1 for each text, in the order given."""
        keys = [_key(text) for text in texts]
        missing = {key: text for key, text in zip(keys, texts, strict=True) if key not in self._held}
        await self._learn(missing)
        if not keys:
            return np.zeros((0, self.dimensions), dtype=np.float32)
        return np.stack([self._held[key] for key in keys])

    async def save(self) -> None:
        """Write what is new to the folder; without a folder or anything new, nothing."""
        if self._path is None or not self._unsaved:
            return
        known, fresh = dict(self._held), self._unsaved
        self._unsaved = 0
        try:
            await asyncio.to_thread(_write, self._path, self.model, known)
        except RecollectError:
            self._unsaved += fresh
            raise

    async def aclose(self) -> None:
        """Write what is new, and close the inner embedder whatever happens."""
        try:
            await self.save()
        finally:
            await self._inner.aclose()

    async def _learn(self, missing: Mapping[bytes, str]) -> None:
        keys, texts = list(missing), list(missing.values())
        for start in range(0, len(texts), PORTION):
            vectors = await self._inner.embed(texts[start : start + PORTION])
            if self._held and vectors.shape[1] != _width(self._held):
                raise EmbeddingError(
                    f"Vectors of {self.model} were {_width(self._held)} wide and are now {vectors.shape[1]};"
                    f" remove {self._path or 'the cache'}."
                )
            self._held.update(zip(keys[start : start + PORTION], vectors, strict=True))
            self._unsaved += len(vectors)
            if self._unsaved >= PORTION:
                await self.save()


def _key(text: str) -> bytes:
    return hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=_KEY).digest()


def _width(held: Mapping[bytes, NDArray[np.float32]]) -> int:
    return len(next(iter(held.values()), ()))


def _file_name(model: str) -> str:
    """Readable, and different for different models although not every character may be in a name."""
    readable = re.sub(r"[^A-Za-z0-9.-]+", "_", model)[:60]
    return f"{readable}-{hashlib.blake2b(model.encode(), digest_size=4).hexdigest()}.npz"


def _read(path: Path, model: str, dimensions: int) -> dict[bytes, NDArray[np.float32]]:
    """What a file of this model holds; nothing, if it is broken or of another width."""
    try:
        # Opened here, because `np.load` leaves a file open that turns out to be broken.
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            name, keys, vectors = str(file["model"]), file["keys"], file["vectors"]
    except Exception:
        # Damage shows in many ways (zip, header, length); all of them mean that there is no cache.
        return {}
    whole = (
        name == model
        and keys.dtype == np.uint8
        and keys.shape == (len(vectors), _KEY)
        and vectors.dtype == np.float32
        and vectors.ndim == 2
        and vectors.shape[1] == (dimensions or vectors.shape[1])
    )
    if not whole:
        return {}
    return {row.tobytes(): vector for row, vector in zip(keys, vectors, strict=True)}


def _write(path: Path, model: str, known: Mapping[bytes, NDArray[np.float32]]) -> None:
    """All of the file or nothing, with what another process has written meanwhile."""
    held = {**_read(path, model, _width(known)), **known}
    keys = np.frombuffer(b"".join(held), dtype=np.uint8).reshape(len(held), _KEY)
    vectors = np.stack(list(held.values()))
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        with tempfile.NamedTemporaryFile(dir=path.parent, prefix=f".{path.name}.", delete=False) as file:
            try:
                np.savez(file, model=np.array(model), keys=keys, vectors=vectors)
                file.flush()
                os.fsync(file.fileno())
                Path(file.name).replace(path)
            except BaseException:
                Path(file.name).unlink(missing_ok=True)
                raise
    except OSError as error:
        raise RecollectError(f"{path} cannot be written: {error.strerror or error}.") from error
