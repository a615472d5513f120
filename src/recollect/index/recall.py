"""Recall: how candidates become an ordered, explained answer.

Two arms bring candidates, meaning (cosine) and words (BM25); each candidate carries both scores, because
the scan is exact. `fuse` makes one similarity of them, `rank` blends it with recency and the frequency of
the entity (S4). Scores are added, not ranks: rank fusion throws away what scores carry. Everything here is
arithmetic over arrays; where the numbers come from is the store's business.
"""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import chain
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.records.memory import MemoryRecord

Floats = NDArray[np.float64]

#: Share of meaning in the similarity; the rest is words. # measured: benchmarks/fusion.py
MEANING_SHARE = 0.5
#: A candidate below this share of the best similarity loses score in proportion, however new or frequent it is:
#: otherwise yesterday's small talk outranks the answer of last year.
PLAUSIBLE_SHARE = 0.5


@dataclass(frozen=True, slots=True, kw_only=True)
class Weights:
    """S4's three weights and its half-life."""

    similarity: float = 0.4
    recency: float = 0.3
    frequency: float = 0.3
    half_life_days: float = 14.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Explain:
    """Why a memory is in the answer, and at this place."""

    similarity: float
    recency: float
    frequency: float
    #: Factor on the blend of the three: below 1 when others are far more similar.
    plausibility: float
    #: Place among the nearest by meaning, from 1; None when that arm did not bring it.
    vector_rank: int | None
    #: Place among the best by words, from 1; None when that arm did not bring it.
    text_rank: int | None
    cosine: float
    #: 1.0: an average text with every word of the query once.
    bm25: float
    #: Whether the question asks for just this fact by its key ("Where do I live?").
    asked: bool = False
    source_message_ids: tuple[str, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "similarity": self.similarity,
            "recency": self.recency,
            "frequency": self.frequency,
            "plausibility": self.plausibility,
            "vector_rank": self.vector_rank,
            "text_rank": self.text_rank,
            "cosine": self.cosine,
            "bm25": self.bm25,
            "asked": self.asked,
            "sources": list(self.source_message_ids),
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Hit:
    """One found memory."""

    memory: MemoryRecord
    score: float
    explain: Explain

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {**self.memory.to_dict(), "score": self.score, "explain": self.explain.to_dict()}


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
    """1 for whatever is at least half as similar as the best, less in proportion below."""
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
    """S4's blend, best first; ties keep the order given. What the question asks for by its key is as similar as can be."""
    similarity = fuse(cosine, bm25)
    if asked is not None:
        similarity = np.where(asked, 1.0, similarity)
    recent = recency(age_days, weights.half_life_days)
    frequent = frequency(entities)
    plausible = plausibility(similarity)
    blend = weights.similarity * similarity + weights.recency * recent + weights.frequency * frequent
    score = plausible * blend
    return Ranking(
        # Rounded: the last bits depend on where a vector lies in memory, and must not decide between equals.
        order=np.argsort(-np.round(score, 6), kind="stable"),
        score=score,
        similarity=similarity,
        recency=recent,
        frequency=frequent,
        plausibility=plausible,
    )
