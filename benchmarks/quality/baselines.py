"""What a user could take instead of the product: words alone, meaning alone, and the two usual ways to join them.

All four see the same turns, the same vectors and, for words, the product's own analyser and BM25, so that a difference is one
of ranking. They know nothing of dates, memories or the data's labels. When a question may only see the first
sessions, words are counted over these alone, as a store that held no more would. Equal scores keep the order in
which things were said. Cutting each arm's list before joining was rejected: it is one more number to choose.
"""

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.dataset import Turn
from recollect.index.postings import Postings, pack
from recollect.language.terms import terms

Vector = NDArray[np.float32]
Matrix = NDArray[np.float32]

#: Reciprocal rank fusion's constant, as Cormack, Clarke and Büttcher (2009) chose it.
RANK_CONSTANT = 60


class Bm25:
    """Words: BM25 over lines that name their speaker."""

    def __init__(self) -> None:
        self._ids: tuple[str, ...] = ()
        self._postings = Postings()
        # Data sets built from a pool repeat each turn in many conversations; its words are found once.
        self._packed: dict[tuple[str, str], bytes] = {}

    def index(self, turns: Sequence[Turn], vectors: Matrix) -> None:
        """Forget the last conversation and take this one."""
        _check(turns, vectors)
        self._ids = tuple(turn.id for turn in turns)
        self._postings = Postings()
        self._postings.extend([self._words(turn) for turn in turns])

    def scores(
        self, question: str, vector: Vector, allowed: AbstractSet[str] | None = None
    ) -> dict[str, float]:
        """BM25 of every allowed turn, also of those without a word of the question."""
        alive = _mask(self._ids, allowed)
        total = int(alive.sum())
        # Turns without a single word have no length; any average serves them.
        average = float(self._postings.lengths[alive].mean()) if total else 0.0
        found = self._postings.scores(terms(question), alive, total=total, average=average or 1.0)
        return _by_id(self._ids, found, alive)

    def rank(self, question: str, vector: Vector, allowed: AbstractSet[str] | None = None) -> list[str]:
        """Turns that share a word with the question, best first."""
        return _best_first(_matching(self.scores(question, vector, allowed)))

    def _words(self, turn: Turn) -> bytes:
        key = (turn.speaker, turn.text)
        if key not in self._packed:
            self._packed[key] = pack(line(turn))
        return self._packed[key]


class Dense:
    """Meaning: the cosine of the question's vector and each turn's."""

    def __init__(self) -> None:
        self._ids: tuple[str, ...] = ()
        self._vectors: Matrix = np.zeros((0, 0), dtype=np.float32)

    def index(self, turns: Sequence[Turn], vectors: Matrix) -> None:
        """Forget the last conversation and take this one."""
        _check(turns, vectors)
        self._ids = tuple(turn.id for turn in turns)
        self._vectors = vectors

    def scores(
        self, question: str, vector: Vector, allowed: AbstractSet[str] | None = None
    ) -> dict[str, float]:
        """The cosine of every allowed turn; vectors have length 1."""
        if not self._ids:
            return {}
        return _by_id(self._ids, self._vectors @ vector, _mask(self._ids, allowed))

    def rank(self, question: str, vector: Vector, allowed: AbstractSet[str] | None = None) -> list[str]:
        """All allowed turns, nearest first."""
        return _best_first(self.scores(question, vector, allowed))


class Baselines:
    """All four over one conversation; each arm is asked once a question."""

    NAMES = ("bm25", "dense", "rank fusion", "score sum")

    def __init__(self) -> None:
        self._arms = (Bm25(), Dense())

    def index(self, turns: Sequence[Turn], vectors: Matrix) -> None:
        """Forget the last conversation and take this one; a row of the matrix is a turn's vector."""
        for arm in self._arms:
            arm.index(turns, vectors)

    def rank(
        self, question: str, vector: Vector, allowed: AbstractSet[str] | None = None
    ) -> dict[str, list[str]]:
        """The turns' ids, best first, by the baseline's name; `allowed` None means every turn."""
        words, meaning = (arm.scores(question, vector, allowed) for arm in self._arms)
        by_words, by_meaning = _best_first(_matching(words)), _best_first(meaning)
        joined = (rank_fusion([by_words, by_meaning]), score_sum([words, meaning]))
        return dict(zip(self.NAMES, (by_words, by_meaning, *joined), strict=True))


def line(turn: Turn) -> str:
    """A turn as it is searched: questions name people, and what they said does not."""
    return f"{turn.speaker}: {turn.text}"


def rank_fusion(rankings: Sequence[Sequence[str]], k: int = RANK_CONSTANT) -> list[str]:
    """Join rankings by the sum of 1 / (k + place); what a ranking lacks gets nothing from it."""
    joined: dict[str, float] = {}
    for ranking in rankings:
        for place, id in enumerate(ranking, start=1):
            joined[id] = joined.get(id, 0.0) + 1 / (k + place)
    return _best_first(joined)


def score_sum(scores: Sequence[Mapping[str, float]]) -> list[str]:
    """Join scores by their sum, each first stretched to 0-1 over what this question may see."""
    joined: dict[str, float] = {}
    for arm in scores:
        low, high = min(arm.values(), default=0.0), max(arm.values(), default=0.0)
        # An arm that finds all equal has no say.
        width = high - low or 1.0
        for id, value in arm.items():
            joined[id] = joined.get(id, 0.0) + (value - low) / width
    return _best_first(joined)


def _matching(words: Mapping[str, float]) -> dict[str, float]:
    """What a search by words returns: not the turns that share none."""
    return {id: value for id, value in words.items() if value > 0}


def _best_first(scores: Mapping[str, float]) -> list[str]:
    return sorted(scores, key=scores.__getitem__, reverse=True)


def _mask(ids: Sequence[str], allowed: AbstractSet[str] | None) -> NDArray[np.bool_]:
    if allowed is None:
        return np.ones(len(ids), dtype=np.bool_)
    return np.fromiter((id in allowed for id in ids), dtype=np.bool_, count=len(ids))


def _by_id(ids: Sequence[str], scores: NDArray[np.floating], alive: NDArray[np.bool_]) -> dict[str, float]:
    values: list[float] = scores.tolist()
    living: list[bool] = alive.tolist()
    return {id: value for id, value, lives in zip(ids, values, living, strict=True) if lives}


def _check(turns: Sequence[Turn], vectors: Matrix) -> None:
    if len(turns) != len(vectors):
        raise ValueError(f"{len(turns)} turns and {len(vectors)} vectors: one is needed for each.")
