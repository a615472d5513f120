"""Tests of evaluation/cached_embedder.py."""

import asyncio
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import pytest
from conftest import FakeEmbedder
from numpy.typing import NDArray

from benchmarks.quality import cached_embedder
from benchmarks.quality.cached_embedder import CachedEmbedder
from recollect.encoder.embedder import Embedder
from recollect.errors import EmbeddingError, RecollectError

TEXTS = ["bees", "honey", "bees", "", "a lone \ud800 surrogate"]


class ClosingEmbedder(FakeEmbedder):
    """Tells that it was closed, and its width only once it has embedded."""

    closed = False

    @property
    def dimensions(self) -> int:
        return super().dimensions if self.seen else 0

    async def aclose(self) -> None:
        self.closed = True


class FailingEmbedder(FakeEmbedder):
    """Must not be asked."""

    async def embed(self, texts: Sequence[str]) -> NDArray[np.float32]:
        raise AssertionError(f"asked for {list(texts)}")


def _embed(cached: Embedder, texts: Sequence[str]) -> NDArray[np.float32]:
    return asyncio.run(cached.embed(texts))


def _filled(folder: Path, texts: Sequence[str] = TEXTS) -> Path:
    """A folder with a file of these texts; the file."""

    async def fill() -> None:
        cached = CachedEmbedder(FakeEmbedder(), folder)
        await cached.embed(texts)
        await cached.aclose()

    asyncio.run(fill())
    (path,) = folder.iterdir()
    return path


def test_vectors_are_those_of_the_inner_embedder(embedder: FakeEmbedder) -> None:
    """Row by row the same, in the order given, repetitions included."""
    cached = CachedEmbedder(embedder)
    assert np.array_equal(_embed(cached, TEXTS), np.stack([embedder.vector(text) for text in TEXTS]))
    assert (cached.model, cached.dimensions) == (embedder.model, embedder.dimensions)


def test_each_text_is_asked_for_once(embedder: FakeEmbedder) -> None:
    """Neither a repetition in one call nor a later call reaches the inner embedder."""
    cached = CachedEmbedder(embedder)
    _embed(cached, TEXTS)
    assert embedder.seen == ["bees", "honey", "", "a lone \ud800 surrogate"]
    _embed(cached, ["honey", "winter"])
    assert embedder.seen[4:] == ["winter"]
    assert len(cached) == 5


def test_no_texts(embedder: FakeEmbedder) -> None:
    """Nothing asked, nothing given, and the inner embedder left alone."""
    assert _embed(CachedEmbedder(embedder), []).shape == (0, 64)
    assert embedder.seen == []


def test_a_new_instance_finds_what_was_kept(tmp_path: Path, embedder: FakeEmbedder) -> None:
    """A file of an earlier run answers, and the inner embedder is not asked."""
    _filled(tmp_path)
    again = CachedEmbedder(FailingEmbedder(), tmp_path)
    assert np.array_equal(_embed(again, TEXTS), _embed(embedder, TEXTS))


def test_another_process_finds_what_was_kept(tmp_path: Path, embedder: FakeEmbedder) -> None:
    """Keys do not depend on the process: another one reads the same vectors."""
    _filled(tmp_path, ["bees"])
    script = (
        "import asyncio, pathlib, sys\n"
        "from benchmarks.quality.cached_embedder import CachedEmbedder\n"
        "class Never:\n"
        "    model, dimensions = 'fake-64', 64\n"
        "cached = CachedEmbedder(Never(), pathlib.Path(sys.argv[1]))\n"
        "print(asyncio.run(cached.embed(['bees'])).tobytes().hex())\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script, str(tmp_path)], capture_output=True, text=True, timeout=120
    )
    assert done.stdout.strip() == embedder.vector("bees").tobytes().hex(), done.stderr


def test_without_a_folder_nothing_is_written(
    tmp_path: Path, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In memory means in memory."""
    monkeypatch.chdir(tmp_path)
    cached = CachedEmbedder(embedder)
    _embed(cached, TEXTS)
    asyncio.run(cached.aclose())
    assert list(tmp_path.iterdir()) == []


def test_models_do_not_mix(tmp_path: Path) -> None:
    """Two models have files of their own, also when their names differ in what no file name may hold."""
    for name in ("maker/model", "maker model"):
        cached = CachedEmbedder(FakeEmbedder(name), tmp_path / "deep" / "folder")
        assert len(cached) == 0
        _embed(cached, ["bees"])
        asyncio.run(cached.save())
    assert len(list((tmp_path / "deep" / "folder").iterdir())) == 2
    again = CachedEmbedder(FailingEmbedder("maker/model"), tmp_path / "deep" / "folder")
    assert np.array_equal(_embed(again, ["bees"])[0], FakeEmbedder("maker/model").vector("bees"))


@pytest.mark.parametrize("content", [b"", b"PK\x03\x04 no zip", b"\x93NUMPY", b"text"])
def test_a_broken_file_is_an_empty_cache(tmp_path: Path, embedder: FakeEmbedder, content: bytes) -> None:
    """What cannot be read is made again, and written over."""
    path = _filled(tmp_path)
    path.write_bytes(content)
    cached = CachedEmbedder(embedder, tmp_path)
    assert np.array_equal(_embed(cached, ["bees"])[0], embedder.vector("bees"))
    asyncio.run(cached.aclose())
    _embed(CachedEmbedder(FailingEmbedder(), tmp_path), ["bees"])


def test_a_file_cut_short_or_changed_is_an_empty_cache(tmp_path: Path, embedder: FakeEmbedder) -> None:
    """Half a file and a file with a flipped byte in its vectors are noticed."""
    path = _filled(tmp_path)
    whole = path.read_bytes()
    middle = whole.index(embedder.vector("honey").tobytes()) + 5
    for damaged in (
        whole[: len(whole) // 2],
        whole[:middle] + bytes([whole[middle] ^ 1]) + whole[middle + 1 :],
    ):
        path.write_bytes(damaged)
        assert len(CachedEmbedder(embedder, tmp_path)) == 0


def test_a_file_of_another_width_is_an_empty_cache(tmp_path: Path) -> None:
    """The same model name with other dimensions starts anew."""
    _filled(tmp_path)
    assert len(CachedEmbedder(FakeEmbedder(dimensions=8), tmp_path)) == 0


def test_a_width_that_shows_late(tmp_path: Path) -> None:
    """An embedder that does not know its width yet takes it from the file, and must keep to it."""
    _filled(tmp_path)
    assert CachedEmbedder(ClosingEmbedder(), tmp_path).dimensions == 64
    with pytest.raises(EmbeddingError, match=r"64 wide and are now 8; remove .*fake-64"):
        _embed(CachedEmbedder(ClosingEmbedder(dimensions=8), tmp_path), ["winter"])


def test_two_writers_keep_each_others_texts(tmp_path: Path) -> None:
    """Both read an empty folder and write one after the other: all texts are there."""
    first, second = CachedEmbedder(FakeEmbedder(), tmp_path), CachedEmbedder(FakeEmbedder(), tmp_path)
    _embed(first, ["bees"])
    _embed(second, ["honey"])
    asyncio.run(first.aclose())
    asyncio.run(second.aclose())
    _embed(CachedEmbedder(FailingEmbedder(), tmp_path), ["bees", "honey"])


def test_a_long_run_saves_on_its_way(
    tmp_path: Path, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run that is killed loses a portion at most."""
    monkeypatch.setattr(cached_embedder, "PORTION", 3)
    _embed(CachedEmbedder(embedder, tmp_path), [f"text {number}" for number in range(8)])
    assert len(CachedEmbedder(embedder, tmp_path)) == 6


def test_a_failed_write_leaves_the_old_file(
    tmp_path: Path, embedder: FakeEmbedder, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A full disk is told, the file from before is whole, nothing lies around, and the next save tries again."""
    path = _filled(tmp_path)
    before = path.read_bytes()
    cached = CachedEmbedder(embedder, tmp_path)
    _embed(cached, ["winter"])

    def full(file: int) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(cached_embedder.os, "fsync", full)
        with pytest.raises(RecollectError, match="No space left"):
            asyncio.run(cached.save())
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]
    asyncio.run(cached.save())
    _embed(CachedEmbedder(FailingEmbedder(), tmp_path), ["winter", "bees"])


def test_closing_closes_the_inner_embedder(tmp_path: Path) -> None:
    """Also when the folder cannot be written."""
    inner = ClosingEmbedder()
    (tmp_path / "file").write_text("no folder")
    cached = CachedEmbedder(inner, tmp_path / "file")
    _embed(cached, ["bees"])
    with pytest.raises(RecollectError, match="cannot be written"):
        asyncio.run(cached.aclose())
    assert inner.closed
