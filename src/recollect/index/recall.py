"""Ranking of memories: how candidates become an ordered, explained answer.

Meaning (cosine) and words (BM25) each contribute candidates, and each candidate has both scores, because the scan is exact.
`fuse` combines them into one similarity, `rank` blends that with recency and the frequency of the entity (S4). Scores are added,
not ranks, because ranks lose information. Everything here is arithmetic over arrays.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

#: Share of meaning in the similarity; the rest is words. # measured: benchmarks/fusion.py
MEANING_SHARE = 0.5
#: A candidate below this share of the best similarity loses score in proportion, however new or frequent it is.
#: Otherwise yesterday's small talk would outrank last year's answer.
PLAUSIBLE_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """S4's three weights and its half-life."""

    similarity: float = 0.4
    recency: float = 0.3
    frequency: float = 0.3
    half_life_days: float = 14.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranking:
    """Candidates in order, with each term of their scores; all arrays run parallel."""

    order: NDArray[np.intp]
    score: Floats
    similarity: Floats
    recency: Floats
    frequency: Floats
    plausibility: Floats


def fuse(cosine: Floats, bm25: Floats) -> Floats:
    """One similarity from meaning and words, 0-1."""
    return MEANING_SHARE * np.clip(cosine, 0.0, 1.0) + (1.0 - MEANING_SHARE) * np.clip(bm25, 0.0, 1.0)


def recency(age_days: Floats, half_life_days: float) -> Floats:
    """1 for now, a half after the half-life; the future counts as now."""
    return np.exp2(-np.maximum(age_days, 0.0) / half_life_days)


def frequency(entities: Sequence[Sequence[str]]) -> Floats:
    """The share of the candidates that mention a candidate's commonest entity."""
    counts = Counter(chain.from_iterable(map(set, entities)))
    commonest = [max(map(counts.__getitem__, keys), default=0) for keys in entities]
    return np.array(commonest) / max(len(entities), 1)


def plausibility(similarity: Floats) -> Floats:
    """1 for a memory at least half as similar as the best, proportionally less below that."""
    floor = PLAUSIBLE_SHARE * similarity.max(initial=0.0)
    return np.minimum(1.0, similarity / floor) if floor > 0 else np.ones(len(similarity))


def rank(
    *,
    cosine: Floats,
    bm25: Floats,
    age_days: Floats,
    entities: Sequence[Sequence[str]],
    weights: Weights,
    asked: NDArray[np.bool_] | None = None,
) -> Ranking:
    """S4's blend, best first; ties keep their order. A memory that the question asks for by its key has similarity 1."""
    similarity = fuse(cosine, bm25)
    if asked is not None:
        similarity = np.where(asked, 1.0, similarity)
    recent = recency(age_days, weights.half_life_days)
    frequent = frequency(entities)
    plausible = plausibility(similarity)
    blend = weights.similarity * similarity + weights.recency * recent + weights.frequency * frequent
    score = plausible * blend
    return Ranking(
        # Rounded: the last bits depend on a vector's place in memory and must not break ties.
        order=np.argsort(-np.round(score, 6), kind="stable"),
        score=score,
        similarity=similarity,
        recency=recent,
        frequency=frequent,
        plausibility=plausible,
    )
