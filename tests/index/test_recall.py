"""Recall's arithmetic: fusion, recency, frequency and S4's blend."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.index.recall import MEANING_SHARE, Weights, frequency, fuse, plausibility, rank, recency

shares = st.floats(-1, 1)
candidates = st.lists(
    st.tuples(shares, st.floats(0, 3), st.floats(-5, 4000), st.lists(st.sampled_from("abcd"), max_size=3)),
    min_size=1,
    max_size=20,
)


def test_the_weights_of_s4() -> None:
    """40 % similarity, 30 % recency, 30 % frequency, 14 days."""
    assert Weights() == Weights(similarity=0.4, recency=0.3, frequency=0.3, half_life_days=14.0)


@pytest.mark.parametrize(
    ("days", "expected"), [(0, 1), (7, math.sqrt(0.5)), (14, 0.5), (28, 0.25), (140, 2**-10), (-3, 1)]
)
def test_the_half_life(days: float, expected: float) -> None:
    """Recency halves every 14 days; the future counts as now."""
    assert recency(np.array([days]), 14.0)[0] == pytest.approx(expected)


def test_frequency_counts_candidates_that_share_the_entity() -> None:
    """The share of candidates that mention the commonest of a candidate's entities; a repeated key counts once."""
    keys = [["a", "b"], ["b"], [], ["a", "a"], ["b", "c"]]
    assert frequency(keys).tolist() == pytest.approx([3 / 5, 3 / 5, 0, 2 / 5, 3 / 5])
    assert frequency([]).tolist() == []


def test_fusion() -> None:
    """Meaning and words share the similarity; what is off the scale is cut."""
    fused = fuse(np.array([1.0, 0.0, -1.0, 0.5]), np.array([0.0, 1.0, 5.0, 0.5]))
    assert fused.tolist() == pytest.approx([MEANING_SHARE, 1 - MEANING_SHARE, 1 - MEANING_SHARE, 0.5])


@given(candidates)
def test_the_blend(values: list[tuple[float, float, float, list[str]]]) -> None:
    """Every score is the plausibility times the weighted sum of its three terms, each within 0-1, and order follows."""
    cosine, bm25, age, keys = (list(column) for column in zip(*values, strict=True))
    ranking = rank(
        cosine=np.array(cosine), bm25=np.array(bm25), age_days=np.array(age), entities=keys, weights=Weights()
    )
    for place in range(len(values)):
        terms = (
            ranking.similarity[place],
            ranking.recency[place],
            ranking.frequency[place],
            ranking.plausibility[place],
        )
        assert all(0 <= term <= 1 for term in terms)
        blend = 0.4 * terms[0] + 0.3 * terms[1] + 0.3 * terms[2]
        assert ranking.score[place] == pytest.approx(terms[3] * blend)
    ordered = ranking.score[ranking.order]
    assert (np.diff(ordered) <= 1e-6).all()
    assert sorted(ranking.order.tolist()) == list(range(len(values)))


@given(candidates)
def test_more_similar_is_never_worse(values: list[tuple[float, float, float, list[str]]]) -> None:
    """Of two candidates that are equally old and frequent the more similar one has the higher score."""
    cosine = np.array([value[0] for value in values])
    ranking = rank(
        cosine=cosine,
        bm25=np.zeros(len(values)),
        age_days=np.zeros(len(values)),
        entities=[[]] * len(values),
        weights=Weights(),
    )
    by_similarity = np.argsort(-np.clip(cosine, 0, 1), kind="stable")
    assert (np.diff(ranking.score[by_similarity]) <= 1e-12).all()


def test_the_implausible_loses() -> None:
    """Yesterday's small talk does not outrank the answer of last year."""
    ranking = rank(
        cosine=np.array([0.05, 0.7]),
        bm25=np.array([0.0, 0.5]),
        age_days=np.array([0.0, 365.0]),
        entities=[[], []],
        weights=Weights(),
    )
    assert ranking.order.tolist() == [1, 0]


def test_nothing_similar_at_all() -> None:
    """When nothing is similar nothing is implausible, and nothing divides by zero."""
    assert plausibility(np.zeros(3)).tolist() == [1, 1, 1]
    assert plausibility(np.zeros(0)).tolist() == []
