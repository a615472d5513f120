"""The embedding model in the package: all-MiniLM-L6-v2, run by onnxruntime inside the process.

The weights are stored as int8 and unpacked once at load, so all arithmetic is fp32 and a vector does not depend on its batch;
dynamic int8 is faster, but its vectors do. A text longer than a window is read in overlapping windows, and nothing is cut off. The
work runs in threads, so the event loop never waits for a matrix. The model knows English best.
"""

import asyncio
import os
import threading
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from recollect.encoder.wordpiece import WordPiece
from recollect.errors import EmbeddingError

#: The name stored with each vector.
MODEL = "all-MiniLM-L6-v2-int8"
#: The width of its vectors.
DIMENSIONS = 384

#: Word pieces of text in a window; with [CLS] and [SEP] the 256 that the model was trained on.
WINDOW = 254
#: Word pieces that two adjacent windows share, so that every phrase is whole in one of them.
OVERLAP = 50
#: Texts (or windows) in one run.
MAX_BATCH = 32
#: Padded word pieces per run. Measured: 512 gives 229 short texts per second and 181 MB with two concurrent runs, 2048 gives
#: 219 and 305 MB.
MAX_BATCH_PIECES = 512
#: The most concurrent runs in a process; at least two, so that a query need not wait for an import.
MAX_WORKERS = 4

_DATA = Path(__file__).parent / "data"


class _Session(Protocol):
    """The part of onnxruntime that is used; it has no types."""

    def run(
        self, output_names: list[str], input_feed: dict[str, NDArray[Any]]
    ) -> list[NDArray[np.float32]]: ...


@dataclass(frozen=True, slots=True)
class _Loaded:
    """The shared tokenizer and session, both thread-safe."""

    wordpiece: WordPiece
    session: _Session


@dataclass(frozen=True, slots=True)
class _Window:
    """Up to `WINDOW` pieces of one text, with [CLS] and [SEP] around them."""

    text: int  #: which of the texts it belongs to
    ids: list[int]


class MiniLM:
    """The local embedder. The vector of a blank text is that of [CLS] [SEP] alone."""

    def __init__(self, *, threads: int = 1) -> None:
        """`threads` per run: more than there are free cores makes every run slower."""
        self._threads = threads
        self._lock = threading.Lock()
        self._loaded: _Loaded | None = None
        self._closed = False
        self._workers = ThreadPoolExecutor(
            max_workers=max(2, min(MAX_WORKERS, os.cpu_count() or 1)), thread_name_prefix="minilm"
        )

    @property
    def model(self) -> str:
        return MODEL

    @property
    def dimensions(self) -> int:
        return DIMENSIONS

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        """One unit vector for each text; a long text is the length-weighted mean of its windows."""
        sums = np.zeros((len(texts), DIMENSIONS), np.float32)
        if not texts:
            return sums
        self._refuse_if_closed()
        loop = asyncio.get_running_loop()
        # One job per batch and not per call: other queries get their turn between the batches of an import.
        for batch in await loop.run_in_executor(self._workers, self._plan, list(texts)):
            self._refuse_if_closed()
            vectors = await loop.run_in_executor(self._workers, self._run, batch)
            for window, vector in zip(batch, vectors, strict=True):
                sums[window.text] += len(window.ids) * vector
        return sums / np.linalg.norm(sums, axis=1, keepdims=True)

    async def aclose(self) -> None:
        self._closed = True
        # Running batches finish: a cancelled one would look like a cancelled caller.
        self._workers.shutdown(wait=False)
        with self._lock:
            self._loaded = None

    def _refuse_if_closed(self) -> None:
        if self._closed:
            raise EmbeddingError("This embedder is closed. Create a new one.")

    def _load(self) -> _Loaded:
        with self._lock:
            self._refuse_if_closed()
            if self._loaded is None:
                self._loaded = _load(self._threads)
            return self._loaded

    def _plan(self, texts: list[str]) -> list[list[_Window]]:
        wordpiece = self._load().wordpiece
        return _batches([window for n, text in enumerate(texts) for window in _windows(wordpiece, n, text)])

    def _run(self, batch: list[_Window]) -> NDArray[np.float32]:
        longest = max(len(window.ids) for window in batch)
        ids = np.zeros((len(batch), longest), np.int64)
        for row, window in enumerate(batch):
            ids[row, : len(window.ids)] = window.ids
        # Id 0 is [PAD], which no text yields.
        feed = {"ids": ids, "mask": (ids != 0).astype(np.float32)}
        return self._load().session.run(["vectors"], feed)[0]


def _load(threads: int) -> _Loaded:
    """Read the vocabulary and the model from the package."""
    # onnxruntime's Linux wheels collect usage reports for Microsoft in the home directory. This must be set before the
    # import; a user who wants the reports can set it otherwise.
    os.environ.setdefault("ORT_DISABLE_TELEMETRY", "1")
    # Deferred: onnxruntime is heavy, and a process that never embeds must not pay for it.
    onnxruntime = import_module("onnxruntime")
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    options.log_severity_level = 3
    # Unpacks the weights once. Otherwise onnxruntime fuses int8 products that also round the activations:
    # measured cosine to the original 0.998 instead of 0.9995 at the lowest.
    options.add_session_config_entry("session.disable_quant_qdq", "1")
    try:
        wordpiece = WordPiece.read(_DATA / "vocab.txt")
        session = onnxruntime.InferenceSession(
            str(_DATA / f"{MODEL}.onnx"), options, providers=["CPUExecutionProvider"]
        )
    except Exception as cause:
        raise EmbeddingError(
            f"Cannot read the local embedding model ({cause}). Reinstall the package."
        ) from cause
    return _Loaded(wordpiece, session)


def _windows(wordpiece: WordPiece, text: int, content: str) -> list[_Window]:
    """The text as overlapping windows; at least one, even for an empty text."""
    pieces = wordpiece.encode(content)
    starts = range(0, max(len(pieces) - OVERLAP, 1), WINDOW - OVERLAP)
    return [_Window(text, [wordpiece.cls, *pieces[at : at + WINDOW], wordpiece.sep]) for at in starts]


def _batches(windows: list[_Window]) -> list[list[_Window]]:
    """Batches of similar lengths, so that little is padding, within the limits."""
    batches: list[list[_Window]] = []
    batch: list[_Window] = []
    for window in sorted(windows, key=lambda window: len(window.ids)):
        if len(batch) == MAX_BATCH or (len(batch) + 1) * len(window.ids) > MAX_BATCH_PIECES:
            batches.append(batch)
            batch = []
        batch.append(window)
    return [*batches, batch]
