"""The approximate index: which of very many vectors are near another, without multiplying all of them.

A graph of near neighbours (HNSW, from the extra `large`) that a thread of its own builds, a few rows at a time, from rows
that never change again. Whoever asks is told how many rows are in; the others are the asker's to scan, so an answer is
never stale and an unfinished graph only makes it slower. It does not know messages, the dead or filters. Storing the
graph was rejected: it would have to follow each process's writes, and two minutes of one core build one of 300,000 rows.
"""

import importlib
import importlib.util
import logging
import threading
import time
import weakref
from collections import deque
from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.store.database import Matrix

log = logging.getLogger(__name__)

#: Neighbours of a row in the graph, and how many are looked at to choose them. With them 0.987
#: of the exact 50 nearest are among 400 that are asked for; twice the second finds little more and builds more slowly.
CONNECTIVITY = 16
EXPANSION = 64
#: Rows added while searches wait. # measured: 0.35 ms of processor time a row, up to 300,000
_STEP = 32
#: Rows after which the graph is weighed anew, which goes through all of it.
_WEIGHED = 8192
#: Seconds between two steps, so that a waiting search gets its turn: locks are not fair.
_PAUSE = 0.0005
#: Why a scan of everything serves a large user, as the log says it.
MISSING = "usearch_missing"


def available() -> bool:
    """Whether the library is installed."""
    return importlib.util.find_spec("usearch") is not None


class Approximate:
    """A growing graph of rows, numbered from 0 in the order in which they were given."""

    def __init__(self, dimensions: int) -> None:
        # First, because loading it after usearch ends the process. # seen with onnxruntime 1.31.1 and usearch 2.26.6
        importlib.import_module("onnxruntime")
        # Deferred: an extra, which only users with very many messages need.
        from usearch.index import Index

        # Half the precision is enough to choose by: the values that count are computed from the rows.
        self._graph: Any = Index(
            ndim=dimensions,
            metric="ip",
            dtype="f16",
            connectivity=CONNECTIVITY,
            expansion_add=EXPANSION,
            enable_key_lookups=False,
        )
        #: Around every use of the graph: a search and an addition would share working memory, and even asking for its size
        #: while rows are added ends the process.
        self._lock = threading.Lock()
        self._waiting: deque[Matrix] = deque()
        self._growing = False
        #: How many rows were given, and how many of them can be found.
        self.given = 0
        self.covered = 0
        #: What the graph held a while ago.
        self.nbytes = 0

    def extend(self, pieces: Iterable[Matrix]) -> None:
        """Take in further rows, which nobody changes any more; a thread adds them, as long as somebody holds this."""
        pieces = [piece for piece in pieces if len(piece)]
        with self._lock:
            self._waiting.extend(pieces)
            self.given += sum(map(len, pieces))
            if self._growing or not self._waiting:
                return
            self._growing = True
        try:
            threading.Thread(target=_grow, args=(weakref.ref(self),), name="recollect-approximate").start()
        except RuntimeError as error:
            # There are too many threads already; whoever asks is served all the same.
            with self._lock:
                self._failed(error)

    def step(self) -> bool:
        """Add a few of the rows that wait; whether there are more to add now.

        When the graph cannot take them they wait on, uncovered, until further rows are given: whoever asks scans them.
        """
        with self._lock:
            piece = self._waiting[0]
            added = piece[:_STEP]
            try:
                self._graph.add(np.arange(self.covered, self.covered + len(added)), added, threads=1)
            except Exception as error:
                # Whatever it is, there is nobody above a thread to tell.
                self._failed(error)
                return False
            self._waiting.popleft()
            if len(piece) > _STEP:
                self._waiting.appendleft(piece[_STEP:])
            self.covered += len(added)
            self._growing = bool(self._waiting)
            if not self._growing or self.covered % _WEIGHED < _STEP:
                self.nbytes = self._graph.memory_usage
            return self._growing

    def _failed(self, error: Exception) -> None:
        self._growing = False
        name = type(error).__name__
        log.warning("search.approximate_failed covered=%d given=%d error=%s", self.covered, self.given, name)

    def nearest(self, vector: NDArray[np.float32], count: int) -> NDArray[np.intp]:
        """About the nearest rows of those covered, at most so many, the nearest first."""
        with self._lock:
            return self._graph.search(vector, count, threads=1).keys.astype(np.intp)


def _grow(growing: "weakref.ref[Approximate]") -> None:
    """Add until nothing waits, nobody holds the graph any more or the program ends."""
    while threading.main_thread().is_alive():
        graph = growing()
        if graph is None or not graph.step():
            return
        del graph
        time.sleep(_PAUSE)
