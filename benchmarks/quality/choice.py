"""Weights of the ranker from labelled questions, by logistic choice: among the candidates of a question the relevant ones
should stand out.

The fit is pulled hard towards a prior of nearly equal weights: on a data set that was left out, no freer fit did better
than the prior. So a feature that the data says nothing about keeps its place.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recollect.errors import InvalidInput
from recollect.index.episode.features import FEATURES
from recollect.index.episode.ranker import Floats, Ranker

#: The weight of each feature before any data. Who speaks counts double, or a question about the user's own words would
#: bring the assistant's; that a number or a time is there counts half, for many messages hold one.
PRIOR: Mapping[str, float] = dict.fromkeys(FEATURES, 1.5) | {"speaker": 3.0, "kind": 0.75}
#: How hard the prior pulls. # measured: benchmarks/fit_episodes.py; left-out data sets lose up to 3 points at a tenth of it
STRENGTH = 1.0
_ROUNDS = 400
_ENOUGH = 1e-7


@dataclass(frozen=True, slots=True, kw_only=True)
class Labelled:
    """The candidates of one question, and which of them hold its answer."""

    #: A row a candidate, a column a feature.
    values: Floats
    relevant: NDArray[np.bool_]
    #: How much the question counts.
    weight: float = 1.0


def fit(
    questions: Sequence[Labelled], *, prior: Mapping[str, float] = PRIOR, strength: float = STRENGTH
) -> Ranker:
    """The weights that make relevant candidates stand out; the same questions give the same weights."""
    told = [question for question in questions if question.relevant.any() and question.weight]
    if not all(np.isfinite(question.values).all() for question in told):
        raise InvalidInput("values: a feature is no number.", field="values")
    if not all(0 < question.weight < float("inf") for question in told):
        raise InvalidInput("weight: a question counts 0 or more.", field="weight")
    start = np.array([prior[name] for name in FEATURES])
    if not told:
        return Ranker(weights=dict(prior))
    loss = _Loss(told, start, strength)
    weights = _descend(loss, start).round(4)
    # Labels that contradict every feature leave nothing to rank by.
    if not weights.any():
        return Ranker(weights=dict(prior))
    return Ranker(weights=dict(zip(FEATURES, weights.tolist(), strict=True)))


class _Loss:
    """How badly weights tell relevant candidates from others, and how that changes with them."""

    def __init__(self, questions: Sequence[Labelled], prior: Floats, strength: float) -> None:
        self._prior = prior
        self._strength = strength
        self._values = np.concatenate([question.values for question in questions])
        self._aim = np.concatenate([question.relevant / question.relevant.sum() for question in questions])
        sizes = [len(question.relevant) for question in questions]
        self._starts = np.concatenate(([0], np.cumsum(sizes)[:-1]))
        self._question = np.repeat(np.arange(len(sizes)), sizes)
        weight = np.array([question.weight for question in questions])
        self._weight = weight / weight.sum()

    def at(self, weights: Floats) -> tuple[float, Floats]:
        scores = self._values @ weights
        scores -= np.maximum.reduceat(scores, self._starts)[self._question]
        total = np.add.reduceat(np.exp(scores), self._starts)[self._question]
        surprise = -self._aim * (scores - np.log(total))
        pull = weights - self._prior
        loss = float(np.add.reduceat(surprise, self._starts) @ self._weight + self._strength * pull @ pull)
        wrong = (np.exp(scores) / total - self._aim) * self._weight[self._question]
        return loss, wrong @ self._values + 2 * self._strength * pull


def _descend(loss: _Loss, start: Floats) -> Floats:
    """The best weights that are not negative, by accelerated projected gradient steps; the problem is convex."""
    best = ahead = start
    lowest, momentum, steepness = loss.at(start)[0], 1.0, 1.0
    for _ in range(_ROUNDS):
        here, gradient = loss.at(ahead)
        while True:
            found = np.maximum(ahead - gradient / steepness, 0.0)
            step = found - ahead
            reached = loss.at(found)[0]
            if reached <= here + gradient @ step + steepness / 2 * (step @ step) + 1e-12:
                break
            steepness *= 2
        if reached > lowest:
            ahead, momentum = best, 1.0
            continue
        faster = (1 + np.sqrt(1 + 4 * momentum**2)) / 2
        ahead = found + (momentum - 1) / faster * (found - best)
        gained = lowest - reached
        best, lowest, momentum = found, reached, faster
        steepness *= 0.9
        if gained < _ENOUGH:
            break
    return best
