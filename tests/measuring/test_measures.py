"""Tests of evaluation/measures.py."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.quality import measures
from benchmarks.quality.measures import (
    MEASURES,
    MRR,
    NDCG,
    Score,
    by_session,
    recall_at,
    score,
    summarise,
    summarise_by_category,
)
from recollect.errors import InvalidInput

IDS = st.sampled_from([f"t{number}" for number in range(30)])
RANKINGS = st.lists(IDS, max_size=60)
EVIDENCE = st.lists(IDS, min_size=1, max_size=15)


def _score(ranked: list[str], evidence: list[str], category: str = "any") -> Score:
    return score(ranked, evidence, conversation="c", question="q", category=category)


def _at(rank: int | None, category: str = "any") -> Score:
    """The score of one piece of evidence at a place."""
    return Score(conversation="c", question="q", category=category, evidence=("x",), ranks=(rank,))


# -- one question ---------------------------------------------------------------------------------------


def test_measures_by_hand() -> None:
    """Two of three pieces come back, at places 2 and 4."""
    found = _score(["a", "x", "b", "y", "c"], ["x", "y", "z"])
    assert found.ranks == (2, 4, None)
    assert [found.recall(k) for k in (1, 2, 4, 20)] == [0, 1 / 3, 2 / 3, 2 / 3]
    assert [found.any(k) for k in (1, 2)] == [0, 1]
    assert found.all(20) == 0
    assert found.reciprocal_rank == 0.5
    gained = 1 / math.log2(3) + 1 / math.log2(5)
    best = 1 + 1 / math.log2(3) + 1 / 2
    assert found.ndcg(10) == pytest.approx(gained / best)
    assert found.ndcg(3) == pytest.approx((1 / math.log2(3)) / best)


def test_all_of_the_evidence() -> None:
    """`all` is reached with the last piece, not before."""
    found = _score(["x", "a", "y"], ["x", "y"])
    assert [found.all(k) for k in (1, 2, 3)] == [0, 0, 1]


def test_an_id_that_comes_back_twice_takes_one_place() -> None:
    """Repetitions neither count twice nor push others down."""
    found = _score(["a", "x", "a", "x", "x", "y"], ["x", "y"])
    assert found.ranks == (2, 3)
    assert found.recall(3) == 1
    assert found.recall(2) == 0.5


def test_a_label_that_stands_twice_counts_once() -> None:
    """Evidence named twice is one piece."""
    found = _score(["x"], ["x", "x", "y"])
    assert found.evidence == ("x", "y")
    assert found.recall(1) == 0.5


def test_evidence_that_was_never_stored_counts_as_missed() -> None:
    """What is not in the store cannot be found, and lowers every measure."""
    found = _score(["a", "b"], ["gone"])
    assert found.ranks == (None,)
    assert {measure.of(found) for measure in MEASURES} == {0.0}


def test_nothing_came_back() -> None:
    """An empty ranking is 0 in everything."""
    assert {measure.of(_score([], ["x"])) for measure in MEASURES} == {0.0}


def test_more_evidence_than_places() -> None:
    """The best order of twelve pieces fills ten places: NDCG@10 is 1, recall is not."""
    evidence = [f"e{number}" for number in range(12)]
    found = _score(evidence, evidence)
    assert found.ndcg(10) == pytest.approx(1)
    assert found.recall(10) == pytest.approx(10 / 12)


def test_no_evidence_is_no_question() -> None:
    """Recall of nothing is undefined; such a question has to be left out."""
    with pytest.raises(InvalidInput, match="no evidence"):
        _score(["a"], [])


def test_sessions_by_first_appearance() -> None:
    """A session stands where its first turn stands; a turn without a session keeps its place."""
    ranked = by_session(
        ["b1", "a1", "b2", "other", "a2", "c1"], {"a1": "a", "a2": "a", "b1": "b", "b2": "b", "c1": "c"}
    )
    assert ranked == ["b", "a", "other", "c"]
    assert _score(ranked, ["c", "a"]).ranks == (4, 2)


@given(ranked=RANKINGS, evidence=EVIDENCE)
def test_measures_keep_their_bounds(ranked: list[str], evidence: list[str]) -> None:
    """Every measure lies in 0-1; all implies recall 1, and any is recall above 0."""
    found = _score(ranked, evidence)
    for measure in MEASURES:
        assert 0 <= measure.of(found) <= 1 + 1e-12
    for k in (1, 5, 10, 20):
        assert found.all(k) == (found.recall(k) == 1)
        assert found.any(k) == (found.recall(k) > 0)


@given(ranked=RANKINGS, evidence=EVIDENCE)
def test_recall_never_falls_with_k(ranked: list[str], evidence: list[str]) -> None:
    """A longer answer holds at least as much."""
    found = _score(ranked, evidence)
    shares = [found.recall(k) for k in range(40)]
    assert shares == sorted(shares)
    assert shares[-1] == len(set(ranked) & set(evidence)) / len(set(evidence))


@given(evidence=st.lists(IDS, min_size=1, max_size=9, unique=True), rest=RANKINGS, data=st.data())
def test_a_perfect_ranking_is_one(evidence: list[str], rest: list[str], data: st.DataObject) -> None:
    """Evidence first, in any order: all measures that can be 1 are 1, and any other order has less gain."""
    shuffled = data.draw(st.permutations(evidence))
    found = _score([*shuffled, *rest], evidence)
    assert found.ndcg(10) == pytest.approx(1)
    assert found.reciprocal_rank == found.recall(10) == found.all(10) == 1
    assert _score(["wrong", *shuffled], evidence).ndcg(10) < 1


# -- many questions -------------------------------------------------------------------------------------


def test_means_over_questions() -> None:
    """Each question counts the same, however much evidence it has."""
    scores = [_score(["x", "y"], ["x", "y"]), _score(["a", "x"], ["x", "y", "z", "w"])]
    told = summarise(scores)
    assert told.count == 2
    assert told.estimates["recall@5"].mean == pytest.approx((1 + 1 / 4) / 2)
    assert told.estimates["mrr"].mean == pytest.approx((1 + 1 / 2) / 2)
    assert list(told.estimates) == [
        *("recall@5", "recall@10", "recall@20", "any@5", "any@10", "any@20"),
        *("all@5", "all@10", "all@20", "ndcg@10", "mrr"),
    ]


def test_the_interval_is_the_bootstrap_of_the_textbook() -> None:
    """It equals means of questions drawn one by one, up to chance."""
    dice = np.random.default_rng(1)
    scores = [_at(1 if one < 0.3 else None) for one in dice.random(400)]
    told = summarise(scores, [MRR]).estimates["mrr"]
    values = np.array([one.reciprocal_rank for one in scores])
    drawn = [float(dice.choice(values, size=len(values)).mean()) for _ in range(4000)]
    low, high = np.percentile(drawn, [2.5, 97.5])
    assert told.low == pytest.approx(low, abs=0.008)
    assert told.high == pytest.approx(high, abs=0.008)
    assert told.low < told.mean < told.high


@given(ranks=st.lists(st.one_of(st.none(), st.integers(1, 30)), min_size=1, max_size=40))
def test_the_interval_holds_the_mean(ranks: list[int | None]) -> None:
    """Low, mean and high are in order, within 0-1, and one point when nothing varies."""
    for measure in (recall_at(10), NDCG, MRR):
        told = summarise([_at(rank) for rank in ranks], [measure]).estimates[measure.name]
        assert 0 <= told.low <= told.mean <= told.high <= 1 + 1e-9
        if len(set(ranks)) == 1:
            assert told.high - told.low < 1e-9


def test_rounding_does_not_move_the_interval_off_the_mean() -> None:
    """Questions that all score the same have a mean within its interval, however their sum is rounded."""
    for count in range(1, 61):
        told = summarise([_at(3)] * count, [MRR]).estimates["mrr"]
        assert told.low <= told.mean <= told.high


def test_the_interval_narrows_with_more_questions() -> None:
    """Four hundred questions say more than twenty-five of the same kind."""
    few = summarise([_at(1), _at(4), _at(None), _at(2), _at(9)] * 5, [MRR]).estimates["mrr"]
    many = summarise([_at(1), _at(4), _at(None), _at(2), _at(9)] * 80, [MRR]).estimates["mrr"]
    assert many.high - many.low < (few.high - few.low) / 3


def test_the_same_scores_give_the_same_interval() -> None:
    """Twice the same, to the last digit, alone or beside other measures."""
    scores = [_at(rank) for rank in (1, 3, None, 7, 2)]
    assert summarise(scores) == summarise(scores)
    alone = summarise(scores, [NDCG]).estimates["ndcg@10"]
    beside = summarise(scores).estimates["ndcg@10"]
    assert (alone.low, alone.high) == pytest.approx((beside.low, beside.high))


def test_portions_cover_all_draws(monkeypatch: pytest.MonkeyPatch) -> None:
    """Few numbers at a time still make a thousand draws, each of as many questions as there are."""
    values = np.array([[1.0, 0.0], [1.0, 1.0], [1.0, 0.5]])
    monkeypatch.setattr(measures, "_PORTION", 21)
    means = measures._resampled_means(values)
    assert means.shape == (measures.RESAMPLES, 2)
    assert np.allclose(means[:, 0], 1)
    assert means[:, 1].mean() == pytest.approx(0.5, abs=0.03)


def test_no_questions() -> None:
    """Nothing asked has no mean."""
    told = summarise([])
    assert (told.count, dict(told.estimates)) == (0, {})
    assert summarise_by_category([]) == {}


def test_each_category_for_itself() -> None:
    """Categories come by name, each with its own questions alone."""
    told = summarise_by_category([_at(1, "b"), _at(None, "a"), _at(2, "b")], [MRR])
    assert list(told) == ["a", "b"]
    assert (told["a"].count, told["b"].count) == (1, 2)
    assert (told["a"].estimates["mrr"].mean, told["b"].estimates["mrr"].mean) == (0, 0.75)
