"""The usual measures of a search, from a ranking and the ids that it should have held.

A question's `Score` keeps the place of each piece of evidence; every measure follows from these places, so none has to be
decided before a run. An id that comes back twice counts where it first appears and takes one place. Evidence that never comes
back, or was never stored, counts as not found. Intervals are percentile bootstraps over questions; they do not know
that questions of one conversation resemble each other. A t-interval was rejected: shares near 1 are not normal.
"""

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput

#: Bootstrap: how often questions are drawn again, from which seed, and the ends of the interval in per cent.
RESAMPLES = 1_000
SEED = 20_240_229
ENDS = (2.5, 97.5)
#: Numbers that a portion of the bootstrap holds at a time: 8 MB.
_PORTION = 1_000_000
_CUTS = (5, 10, 20)


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """Where the evidence of one question came back."""

    conversation: str
    question: str
    category: str
    #: What should have come back, each once.
    evidence: tuple[str, ...]
    #: Its places from 1, in the same order; None: it did not come back.
    ranks: tuple[int | None, ...]

    def found(self, k: int) -> int:
        """How many pieces of evidence are among the first k."""
        return sum(rank is not None and rank <= k for rank in self.ranks)

    def recall(self, k: int) -> float:
        """The share of the evidence among the first k."""
        return self.found(k) / len(self.ranks)

    def any(self, k: int) -> float:
        """1 when at least one piece is among the first k."""
        return float(self.found(k) > 0)

    def all(self, k: int) -> float:
        """1 when every piece is among the first k."""
        return float(self.found(k) == len(self.ranks))

    def ndcg(self, k: int) -> float:
        """Discounted gain of the first k against the best order, where a piece counts wholly or not at all."""
        best = sum(_discount(rank) for rank in range(1, min(len(self.ranks), k) + 1))
        return sum(_discount(rank) for rank in sorted(self._places()) if rank <= k) / best

    @property
    def reciprocal_rank(self) -> float:
        """1 over the place of the first piece, in the whole ranking."""
        return 1 / min(self._places(), default=math.inf)

    def _places(self) -> list[int]:
        return [rank for rank in self.ranks if rank is not None]


def _discount(rank: int) -> float:
    return 1 / math.log2(rank + 1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """A number between 0 and 1 that a question's score has."""

    name: str
    of: Callable[[Score], float]


def recall_at(k: int) -> Measure:
    """Share of the evidence among the first k."""
    return Measure(name=f"recall@{k}", of=lambda score: score.recall(k))


def any_at(k: int) -> Measure:
    """Questions with a piece of evidence among the first k."""
    return Measure(name=f"any@{k}", of=lambda score: score.any(k))


def all_at(k: int) -> Measure:
    """Questions with all evidence among the first k."""
    return Measure(name=f"all@{k}", of=lambda score: score.all(k))


#: The two that look at order; with binary relevance.
NDCG = Measure(name="ndcg@10", of=lambda score: score.ndcg(10))
MRR = Measure(name="mrr", of=lambda score: score.reciprocal_rank)
#: Everything that is told of a run.
MEASURES = (*(at(k) for at in (recall_at, any_at, all_at) for k in _CUTS), NDCG, MRR)


@dataclass(frozen=True, slots=True, kw_only=True)
class Estimate:
    """A mean over questions, and how far it would move with other questions of the kind: 95 %."""

    mean: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Summary:
    """What a run reached."""

    #: Questions.
    count: int
    #: By the measure's name; empty when nothing was asked.
    estimates: Mapping[str, Estimate]


def score(
    ranked: Iterable[str], evidence: Sequence[str], *, conversation: str, question: str, category: str
) -> Score:
    """Find each piece of evidence in a ranking."""
    wanted = tuple(dict.fromkeys(evidence))
    if not wanted:
        raise InvalidInput(f"Question {question!r} has no evidence; leave it out.", field="evidence")
    place = {id: rank for rank, id in enumerate(dict.fromkeys(ranked), start=1)}
    return Score(
        conversation=conversation,
        question=question,
        category=category,
        evidence=wanted,
        ranks=tuple(place.get(id) for id in wanted),
    )


def by_session(ranked: Iterable[str], session_of: Mapping[str, str]) -> list[str]:
    """A ranking of sessions from one of turns: each where its first turn stands; what has no session keeps its place."""
    return list(dict.fromkeys(session_of.get(turn, turn) for turn in ranked))


def summarise(scores: Sequence[Score], measures: Sequence[Measure] = MEASURES) -> Summary:
    """Means with their intervals; the same scores give the same numbers, and the same draws serve all measures."""
    if not scores:
        return Summary(count=0, estimates={})
    values = np.array([[measure.of(one) for measure in measures] for one in scores])
    means = values.mean(axis=0)
    lows, highs = np.percentile(_resampled_means(values), ENDS, axis=0)
    # Rounding must not put a mean that never varies outside its own interval.
    lows, highs = np.minimum(lows, means), np.maximum(highs, means)
    return Summary(
        count=len(scores),
        estimates={
            measure.name: Estimate(mean=float(mean), low=float(low), high=float(high))
            for measure, mean, low, high in zip(measures, means, lows, highs, strict=True)
        },
    )


def summarise_by_category(
    scores: Sequence[Score], measures: Sequence[Measure] = MEASURES
) -> dict[str, Summary]:
    """The same for each category alone, in the order of their names."""
    groups: dict[str, list[Score]] = {}
    for one in scores:
        groups.setdefault(one.category, []).append(one)
    return {category: summarise(groups[category], measures) for category in sorted(groups)}


def _resampled_means(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """A row of means for each draw of as many questions as there are, with repetition."""
    count = len(values)
    dice = np.random.default_rng(SEED)
    means: list[NDArray[np.float64]] = []
    portion = max(1, _PORTION // count)
    for start in range(0, RESAMPLES, portion):
        draws = min(portion, RESAMPLES - start)
        drawn = dice.integers(0, count, size=(draws, count)) + count * np.arange(draws)[:, np.newaxis]
        # How often each question was drawn turns a thousand means into one product of matrices.
        often = np.bincount(drawn.ravel(), minlength=draws * count).reshape(draws, count)
        means.append(often.astype(np.float64) @ values / count)
    return np.concatenate(means)
