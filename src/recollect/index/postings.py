"""Postings: which of a user's texts contain which word, for BM25.

Words are stored with each text as 64-bit numbers (a 32-bit hash of the stem and its count), so that an index of 10,000 memories is
built by sorting one array, in milliseconds, without tokenising. Statistics are the user's own: no other user's text influences a
score. A shared full-text table would do that, and its cost would grow with the whole store (measured: 65 ms for common words
among a million). Stems with equal hashes count as one word: one chance in 80,000 for a user with 50,000 stems.
"""

from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.index.columns import Growing
from recollect.index.episode.features import Masks
from recollect.language.terms import term_hash, terms
from recollect.language.word_forms import forms

#: The usual constants of BM25: saturation of repetition, and weight of length.
K1 = 1.2
B = 0.75
#: New words are scanned until that has cost as much as sorting all of them: sorting a word takes as long as scanning it this
#: often. # measured: 49 ns against 0.34 ns
SORT_COST = 150
#: New words that are sorted at once when an index was loaded: fewer are scanned in microseconds.
WORTH_SORTING = 20_000
#: Words of a query in a presence mask: the bits of a number.
BITS = 64


def pack(text: str) -> bytes:
    """The stored form of a text's words."""
    counted = Counter(term_hash(term) for term in terms(text))
    return np.array([hash << 8 | min(count, 255) for hash, count in counted.items()], dtype="<u8").tobytes()


class _Held(NamedTuple):
    """A word of a query: the slots that contain it, the counts, and how many of the slots are living."""

    slots: NDArray[np.intp]
    counts: NDArray[np.float32]
    living: int


class Postings:
    """The words of one user's texts, by slot."""

    def __init__(self) -> None:
        self._hashes = Growing(np.uint32)
        self._slots = Growing(np.int32)
        self._counts = Growing(np.uint8)
        self._lengths = Growing(np.float32)
        self._sorted = 0
        self._looks = 0

    @property
    def nbytes(self) -> int:
        return sum(part.nbytes for part in (self._hashes, self._slots, self._counts, self._lengths))

    @property
    def lengths(self) -> NDArray[np.float32]:
        """Words of each text."""
        return self._lengths.values

    def extend(self, packed: Sequence[bytes]) -> None:
        """Add texts in the next slots."""
        first = len(self._lengths)
        words = np.frombuffer(b"".join(packed), dtype="<u8")
        sizes = np.fromiter((len(item) // 8 for item in packed), dtype=np.int64, count=len(packed))
        slots = np.repeat(np.arange(len(packed), dtype=np.int32), sizes)
        counts = (words & 0xFF).astype(np.uint8)
        self._hashes.extend((words >> 8).astype(np.uint32))
        self._slots.extend(slots + np.int32(first))
        self._counts.extend(counts)
        self._lengths.extend(np.bincount(slots, weights=counts, minlength=len(packed)).astype(np.float32))

    def settle(self) -> None:
        """Sort the words of a new index, so that no later search has to."""
        if len(self._hashes) - self._sorted > WORTH_SORTING:
            self._sort()

    def scores(
        self, query: Sequence[str], alive: NDArray[np.bool_], *, total: int, average: float
    ) -> NDArray[np.float32]:
        """BM25 of every slot; 1.0 is a text of average length with each word of the query once.

        `total` and `average` are the number and the mean length of the living texts.
        """
        return self._scores(self._held(query, alive, total), total=total, average=average)

    def presence(
        self, query: Sequence[str], alive: NDArray[np.bool_], *, total: int
    ) -> tuple[Masks, NDArray[np.float64]]:
        """A bit per rare word of the query that a slot contains, and the BM25 weight of each word.

        The lowest bit is the rarest word. The words of several slots together are their masks joined by OR.
        """
        return self._presence(self._held(query, alive, total), total=total)

    def matches(
        self, query: Sequence[str], alive: NDArray[np.bool_], *, total: int, average: float
    ) -> tuple[NDArray[np.float32], Masks, NDArray[np.float64]]:
        """Scores and presence with a single lookup of the words."""
        held = self._held(query, alive, total)
        return self._scores(held, total=total, average=average), *self._presence(held, total=total)

    def holding(self, words: frozenset[str]) -> NDArray[np.bool_]:
        """Which slots contain at least one of these words, of which there may be thousands."""
        hashes = _hashes(words)
        held = np.zeros(len(self._lengths), dtype=np.bool_)
        every: NDArray[np.uint32] = self._hashes.values
        slots: NDArray[np.int32] = self._slots.values
        lows = np.searchsorted(every[: self._sorted], hashes, side="left")
        sizes = np.searchsorted(every[: self._sorted], hashes, side="right") - lows
        # All places of all words in one list: most words occur nowhere, and a loop would look up each.
        begins = np.cumsum(sizes) - sizes
        held[slots[np.repeat(lows - begins, sizes) + np.arange(int(sizes.sum()))]] = True
        held[slots[self._sorted :][np.isin(every[self._sorted :], hashes)]] = True
        return held

    def _held(self, query: Sequence[str], alive: NDArray[np.bool_], total: int) -> list[_Held]:
        """The places of each word of the query in all its forms, the rarest word first."""
        words = sorted({tuple(sorted(term_hash(form) for form in forms(term))) for term in query})
        places = iter(self._find(np.array([hash for word in words for hash in word], dtype=np.uint32)))
        all_live = total == len(alive)
        found: list[_Held] = []
        for word in words:
            slots, counts = self._joined([next(places) for _ in word])
            living = len(slots) if all_live else int(np.count_nonzero(alive[slots]))
            found.append(_Held(slots, counts, living))
        return sorted(found, key=attrgetter("living"))

    def _joined(
        self, places: Sequence[slice | NDArray[np.intp]]
    ) -> tuple[NDArray[np.intp], NDArray[np.float32]]:
        """The slots that hold one of these forms, each once, and how often they do."""
        # As NumPy wants places: it would turn them at each use, which takes as long again as the use itself.
        slots = [self._slots.values[each].astype(np.intp) for each in places]
        counts = [self._counts.values[each].astype(np.float32) for each in places]
        if sum(map(bool, map(len, slots))) < 2:
            # A text holds each term in one place, so that no slot comes twice.
            return max(slots, key=len), max(counts, key=len)
        once, owner = np.unique(np.concatenate(slots), return_inverse=True)
        return once, np.bincount(owner, weights=np.concatenate(counts)).astype(np.float32)

    def _scores(self, held: Sequence[_Held], *, total: int, average: float) -> NDArray[np.float32]:
        found = np.zeros(len(self._lengths), dtype=np.float32)
        if not held or not total:
            return found
        idf = _idf(np.array([word.living for word in held], dtype=np.float64), total)
        lengths, share = self._lengths.values, np.float32(K1 * B / average)
        for word, weight in zip(held, (idf * ((K1 + 1) / idf.sum())).tolist(), strict=True):
            damping = lengths[word.slots] * share + np.float32(K1 * (1 - B))
            found[word.slots] += word.counts / (word.counts + damping) * np.float32(weight)
        return found

    def _presence(self, held: Sequence[_Held], *, total: int) -> tuple[Masks, NDArray[np.float64]]:
        # Few words need few bits, and every text has a mask.
        masks = np.zeros(len(self._lengths), dtype=np.min_scalar_type((1 << len(held[:BITS])) - 1))
        for bit, word in enumerate(held[:BITS]):
            masks[word.slots] |= masks.dtype.type(1 << bit)
        return masks, _idf(np.array([word.living for word in held[:BITS]], dtype=np.float64), total)

    def _find(self, hashes: NDArray[np.uint32]) -> list[slice | NDArray[np.intp]]:
        """The places of each of these words."""
        if self._looks > SORT_COST * len(self._hashes):
            self._sort()
        hashes_held: NDArray[np.uint32] = self._hashes.values
        sorted_part, recent = hashes_held[: self._sorted], hashes_held[self._sorted :]
        lows: list[int] = np.searchsorted(sorted_part, hashes, side="left").tolist()
        highs: list[int] = np.searchsorted(sorted_part, hashes, side="right").tolist()
        found: list[slice | NDArray[np.intp]] = []
        for hash, low, high in zip(hashes, lows, highs, strict=True):
            new = np.flatnonzero(recent == hash) + self._sorted
            # Adjacent places need no gathering.
            found.append(np.concatenate((np.arange(low, high), new)) if len(new) else slice(low, high))
        self._looks += len(hashes) * len(recent)
        return found

    def _sort(self) -> None:
        hashes: NDArray[np.uint32] = self._hashes.values
        # A stable sort is fast for what is in order already, which is most of it after the first time.
        order = np.argsort(hashes, kind="stable") if self._sorted else _first_order(hashes)
        for part in (self._hashes, self._slots, self._counts):
            part.values[:] = part.values[order]
        self._sorted = len(self._hashes)
        self._looks = 0


@lru_cache(maxsize=8)
def _hashes(words: frozenset[str]) -> NDArray[np.uint32]:
    """The hashes of a list of words; such lists are few, and the same for all questions of a kind."""
    return np.array(sorted({term_hash(word) for word in words}), dtype=np.uint32)


def _first_order(hashes: NDArray[np.uint32]) -> NDArray[np.intp]:
    """The stable order of unsorted numbers: by one half of their bits, then by the other.

    NumPy sorts 16-bit numbers by counting instead of comparing. # measured: 59 ms against 235 for 1,900,000
    """
    order = np.argsort(hashes.astype(np.uint16), kind="stable")
    return order[np.argsort((hashes >> np.uint32(16)).astype(np.uint16)[order], kind="stable")]


def _idf(held: NDArray[np.float64], total: int) -> NDArray[np.float64]:
    """The weight of a word that so many of all texts contain."""
    return np.log1p((total - held + 0.5) / (held + 0.5))
