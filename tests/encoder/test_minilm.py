"""The local model against vectors of the fp32 original (reference_vectors.npy, by tools/build_minilm.py)."""

# pyright: reportPrivateUsage=false

import asyncio
import json
import subprocess
import sys
import threading
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from numpy.typing import NDArray
from patience import LIMIT, join

from recollect.encoder import minilm
from recollect.encoder.minilm import MiniLM
from recollect.errors import EmbeddingError
from recollect.models.embedders import Embedder

HERE = Path(__file__).parent
TEXTS: list[str] = json.loads((HERE / "reference_texts.json").read_text(encoding="utf-8"))
#: The first components of the first text's vector, as the carried file gave them when it was built.
FIRST_EIGHT = [0.02806, -0.02285, 0.0109, 0.04738, -0.05353, 0.08843, -0.00897, -0.00733]


@pytest.fixture(scope="module")
def local() -> Iterator[MiniLM]:
    embedder = MiniLM()
    yield embedder
    asyncio.run(embedder.aclose())


def embed(embedder: Embedder, *texts: str) -> NDArray[np.float32]:
    return asyncio.run(embedder.embed(texts))


def test_vectors_are_those_of_the_original(local: MiniLM) -> None:
    """Every reference text keeps a cosine of at least 0.999 to the fp32 original."""
    cosines = (embed(local, *TEXTS) * np.load(HERE / "reference_vectors.npy")).sum(axis=1)
    assert cosines.min() >= 0.999
    assert cosines.mean() >= 0.9995


def test_golden_components(local: MiniLM) -> None:
    """The vector of a known text is the same on every machine."""
    assert embed(local, TEXTS[0])[0, :8] == pytest.approx(FIRST_EIGHT, abs=1e-3)


def test_shape_type_and_name(local: MiniLM) -> None:
    """Vectors are float32 rows of the announced width and of length 1."""
    vectors = embed(local, *TEXTS)
    assert vectors.dtype == np.float32
    assert vectors.shape == (len(TEXTS), local.dimensions) == (len(TEXTS), 384)
    assert np.linalg.norm(vectors, axis=1) == pytest.approx(1.0, abs=1e-5)
    assert local.model == "all-MiniLM-L6-v2-int8"


def test_a_vector_does_not_depend_on_its_batch(local: MiniLM) -> None:
    """A text alone and among many others, long and short, has the same vector."""
    crowd = embed(local, *TEXTS, "word " * 900, *TEXTS[::-1])
    alone = np.concatenate([embed(local, text) for text in TEXTS])
    assert np.abs(crowd[: len(TEXTS)] - alone).max() <= 1e-6
    assert np.abs(crowd[len(TEXTS) + 1 :][::-1] - alone).max() <= 1e-6


def test_meaning_orders_the_vectors(local: MiniLM) -> None:
    """A question is closer to the fact that answers it than to other facts."""
    question, answer, *others = embed(
        local,
        "What food should I avoid cooking for them?",
        "The user is allergic to peanuts.",
        "The user drives a red car.",
        "The meeting moved to Tuesday.",
    )
    assert all(question @ answer > question @ other + 0.1 for other in others)


@pytest.mark.parametrize("filler", [260, 1000, 5000])
def test_nothing_is_cut_off(local: MiniLM, filler: int) -> None:
    """The last word of a long text changes its vector, wherever it stands."""
    long = "the weather was mild and the road was dry " * (filler // 9)
    plain, marked = embed(local, long + "cats", long + "submarine")
    assert np.abs(plain - marked).max() > 1e-4
    assert plain @ marked > 0.8


def test_every_piece_is_in_a_window() -> None:
    """Windows cover a text of any length, overlap, and never exceed the model's length."""
    wordpiece = minilm.WordPiece(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *(f"w{n}" for n in range(900))])
    for length in (0, 1, 253, 254, 255, 458, 459, 900):
        windows = minilm._windows(wordpiece, 7, " ".join(f"w{n}" for n in range(length)))
        assert {n for window in windows for n in window.ids} == {2, 3, *range(4, 4 + length)}
        assert all(len(window.ids) <= 256 and window.text == 7 for window in windows)
        for before, after in pairwise(windows):
            assert before.ids[-1 - minilm.OVERLAP : -1] == after.ids[1 : 1 + minilm.OVERLAP]


def test_batches_are_bounded() -> None:
    """No run has more texts or more padded pieces than allowed, and none is lost."""
    windows = [minilm._Window(n, [1] * (2 + n * 37 % 255)) for n in range(500)]
    batches = minilm._batches(windows)
    assert sorted(window.text for batch in batches for window in batch) == list(range(500))
    for batch in batches:
        assert 0 < len(batch) <= minilm.MAX_BATCH
        assert len(batch) * max(len(window.ids) for window in batch) <= minilm.MAX_BATCH_PIECES


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\0", "\ud800", "\u200b"])
def test_a_text_without_words_has_the_empty_vector(local: MiniLM, text: str) -> None:
    """Blank and invisible texts share one valid unit vector, that of the empty text."""
    nothing, empty = embed(local, text, "")
    assert np.isfinite(nothing).all()
    assert np.linalg.norm(nothing) == pytest.approx(1.0, abs=1e-5)
    assert np.abs(nothing - empty).max() <= 1e-6


def test_no_texts_no_vectors(local: MiniLM) -> None:
    """An empty batch gives an empty matrix of the right width."""
    assert embed(local).shape == (0, 384)


def test_threads_may_share_it(local: MiniLM) -> None:
    """Event loops in several threads get the same vectors from one embedder."""
    expected = embed(local, *TEXTS[:6])
    found: list[NDArray[np.float32]] = []
    threads = [threading.Thread(target=lambda: found.append(embed(local, *TEXTS[:6]))) for _ in range(6)]
    for thread in threads:
        thread.start()
    join(*threads)
    assert len(found) == 6
    assert all(np.abs(vectors - expected).max() <= 1e-6 for vectors in found)


def test_the_event_loop_stays_free(local: MiniLM) -> None:
    """While a big batch is embedded, other tasks keep running."""

    async def turns() -> int:
        work = asyncio.create_task(local.embed(["some words about the weather " * 40] * 8))
        count = 0
        async with asyncio.timeout(LIMIT):
            while not work.done():
                await asyncio.sleep(0.001)
                count += 1
        return count

    assert asyncio.run(turns()) > 10


def test_closing_twice_is_fine_and_final() -> None:
    """After closing, the embedder says so instead of hanging."""
    embedder = MiniLM()
    embed(embedder, "hello")
    asyncio.run(embedder.aclose())
    asyncio.run(embedder.aclose())
    with pytest.raises(EmbeddingError, match="closed"):
        embed(embedder, "hello")


def test_a_missing_model_is_a_clear_error(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Without its files the embedder names the remedy."""
    monkeypatch.setattr(minilm, "_DATA", tmp_path)
    with pytest.raises(EmbeddingError, match="Reinstall"):
        embed(MiniLM(), "hello")


def test_imports_defer_heavy_libraries() -> None:
    """Importing and constructing everything here loads neither onnxruntime nor httpx2 nor tiktoken."""
    script = (
        "import sys\n"
        "from recollect.encoder import minilm, tokens\n"
        "from recollect.models import embedders, remote\n"
        "minilm.MiniLM()\n"
        "remote.RemoteEmbedder(base_url='http://localhost', api_key=None, model='m')\n"
        "print({'onnxruntime', 'httpx2', 'tiktoken'} & set(sys.modules))"
    )
    ran = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, timeout=LIMIT
    )
    assert ran.stdout.strip() == "set()"
