"""The approximate index: it grows behind, and never hides a row."""

import gc
import subprocess
import sys
import threading
import time
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

from recollect.store import approximate, part_vectors
from recollect.store.approximate import Approximate
from recollect.store.part_vectors import PartVectors

# Not by importing it: see the test of the order of imports.
pytestmark = pytest.mark.skipif(not approximate.available(), reason="usearch is not installed")

DIMENSIONS = 16
THREAD = "recollect-approximate"


def rows(size: int, seed: int = 1) -> np.ndarray:
    """Unit vectors."""
    made = np.random.default_rng(seed).standard_normal((size, DIMENSIONS)).astype(np.float32)
    return made / np.linalg.norm(made, axis=1, keepdims=True)


def wait_until(done: Callable[[], bool]) -> None:
    """Wait for a thread; the watchdog ends a test that waits for ever."""
    while not done():
        time.sleep(0.005)


def builders() -> list[threading.Thread]:
    """The threads that build."""
    return [thread for thread in threading.enumerate() if thread.name == THREAD]


@pytest.fixture(autouse=True)
def quiet() -> Iterator[None]:
    """No test leaves a thread behind."""
    yield
    gc.collect()
    wait_until(lambda: not builders())


def test_rows_are_found_once_they_are_covered() -> None:
    """All rows get in, piece after piece, and nearly all of the nearest are found."""
    held, asked = rows(3000), rows(20, 2)
    graph = Approximate(DIMENSIONS)
    graph.extend([held[:1000], held[1000:1000], held[1000:1001]])
    graph.extend([held[1001:]])
    assert graph.given == 3000
    wait_until(lambda: graph.covered == 3000)
    hits = 0
    for vector in asked:
        exact = np.argsort(-(held @ vector))[:50]
        hits += len(np.intersect1d(exact, graph.nearest(vector, 200)))
    assert hits >= 0.97 * 20 * 50
    assert graph.nbytes > 3000 * DIMENSIONS * 2


def test_it_grows_again_after_a_rest() -> None:
    """A thread that had nothing left to do ended; further rows start another."""
    held = rows(300)
    graph = Approximate(DIMENSIONS)
    for start in range(0, 300, 100):
        graph.extend([held[start : start + 100]])
        wait_until(lambda: not builders())
        assert graph.covered == start + 100
        assert graph.nearest(held[start + 99], 1).tolist() == [start + 99]
    graph.extend([])
    assert not builders()


class _Full:
    """A graph that takes no rows for a while."""

    memory_usage = 0

    def __init__(self, graph: Any) -> None:
        self.graph, self.full = graph, True

    def add(self, *given: Any, **options: Any) -> None:
        if self.full:
            raise MemoryError("no room")
        self.graph.add(*given, **options)

    def search(self, *given: Any, **options: Any) -> Any:
        return self.graph.search(*given, **options)


@pytest.mark.filterwarnings("error::pytest.PytestUnhandledThreadExceptionWarning")
def test_it_tries_again_after_a_failure(caplog: pytest.LogCaptureFixture) -> None:
    """When rows cannot be added the thread ends with a line in the log; further rows bring the others in too."""
    held = rows(300)
    graph = Approximate(DIMENSIONS)
    graph.extend([held[:100]])
    wait_until(lambda: not builders())
    full = graph._graph = _Full(graph._graph)
    graph.extend([held[100:200]])
    wait_until(lambda: not builders())
    assert (graph.covered, graph.given) == (100, 200)
    assert graph.nearest(held[99], 1).tolist() == [99]
    assert [record.getMessage() for record in caplog.records] == [
        "search.approximate_failed covered=100 given=200 error=MemoryError"
    ]
    full.full = False
    graph.extend([held[200:]])
    wait_until(lambda: not builders())
    assert graph.covered == 300
    for row in (150, 299):
        assert graph.nearest(held[row], 1).tolist() == [row]


def test_there_may_be_no_thread_for_it(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """When no thread can be started nobody fails for it, and the next rows try again."""

    def refused(thread: threading.Thread) -> None:
        raise RuntimeError("can't start new thread")

    held = rows(200)
    graph = Approximate(DIMENSIONS)
    with monkeypatch.context() as patched:
        patched.setattr(threading.Thread, "start", refused)
        graph.extend([held[:100]])
    assert graph.covered == 0 and "error=RuntimeError" in caplog.text
    graph.extend([held[100:]])
    wait_until(lambda: not builders())
    assert graph.covered == 200


def test_a_scan_serves_while_the_graph_is_full(monkeypatch: pytest.MonkeyPatch) -> None:
    """Rows that the graph could not take are found by multiplying them, or by a scan when they are many."""
    monkeypatch.setattr(part_vectors, "CATCH_UP", 500)
    monkeypatch.setattr(part_vectors, "TAIL", 1000)
    held = rows(3600)
    parts = PartVectors()
    parts.widen(3600)
    parts.extend([(held[:2000], list(range(2000)))])
    wait_until(lambda: parts.nearest(held[0], 5) is not None)
    wait_until(lambda: not builders())
    graph = parts._graph
    assert graph is not None
    graph._graph = _Full(graph._graph)
    parts.extend([(held[2000:2800], list(range(2000, 2800)))])
    found = parts.nearest(held[2700], 5)
    assert found is not None and 2700 in found
    wait_until(lambda: not builders())
    parts.extend([(held[2800:], list(range(2800, 3600)))])
    assert parts.nearest(held[3599], 5) is None


def test_it_can_be_asked_while_it_grows() -> None:
    """Its size and the nearest rows are told at any moment, and both only grow."""
    held = rows(20_000)
    graph = Approximate(DIMENSIONS)
    graph.extend([held])
    sizes = [0]
    while builders():
        sizes.append(graph.nbytes)
        covered = graph.covered
        found = graph.nearest(held[0], 10)
        assert len(found) >= min(10, covered) and (covered == 0 or 0 in found)
    sizes.append(graph.nbytes)
    assert sizes == sorted(sizes) and sizes[-1] > held.nbytes / 2 and graph.covered == len(held)


def test_nobody_builds_what_nobody_holds() -> None:
    """When its owner lets go of it the thread ends, and the graph is gone."""
    graph = Approximate(DIMENSIONS)
    graph.extend([rows(200_000)])
    gone = weakref.ref(graph)
    del graph
    wait_until(lambda: not builders())
    assert gone() is None


def test_recent_rows_are_found_beside_the_graph(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the graph does not cover yet is scanned: nothing new is missed, and replaced rows are not found."""
    monkeypatch.setattr(part_vectors, "CATCH_UP", 500)
    monkeypatch.setattr(part_vectors, "TAIL", 1000)
    held = rows(2600)
    parts = PartVectors()
    parts.widen(2600)
    parts.extend([(held[:2000], list(range(2000)))])
    assert parts.nearest(held[0], 5) is None
    wait_until(lambda: parts.nearest(held[0], 5) is not None)
    wait_until(lambda: not builders())
    before = parts.nbytes
    parts.extend([(held[2000:2400], list(range(2000, 2400)))])
    # Slot 7 gets the vector of nobody else, and its old one counts no longer.
    parts.extend([(held[2599:], [7])])
    assert not builders()
    for slot, vector in ((2399, held[2399]), (7, held[2599])):
        found = parts.nearest(vector, 5)
        assert found is not None and slot in found
    found = parts.nearest(held[7], 5)
    assert found is not None and 7 not in found
    parts.extend([(held[2400:2600], list(range(2400, 2600)))])
    parts.nearest(held[0], 5)
    wait_until(lambda: not builders())
    assert parts.nbytes >= before
    found = parts.nearest(held[2500], 1)
    assert found is not None and 2500 in found


def test_the_library_can_be_missing(
    monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """Without it a scan serves, and one line says why."""
    monkeypatch.setitem(sys.modules, "usearch.index", None)
    parts = PartVectors()
    parts.widen(3)
    assert parts.nearest(rows(1)[0], 2) is None and not caplog.records
    parts.extend([(rows(3), [0, 1, 2])])
    for _ in range(3):
        assert parts.nearest(rows(1)[0], 2) is None
    assert [record.getMessage() for record in caplog.records] == ["search.exact reason=usearch_missing"]


def test_an_embedder_can_be_loaded_after_it() -> None:
    """The two libraries live in one process only in one order of imports, which nobody outside has to know."""
    code = "from recollect.store.approximate import Approximate; Approximate(8); import onnxruntime"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_whether_it_is_there() -> None:
    """The library is installed where the tests run."""
    assert approximate.available()
