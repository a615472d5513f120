"""The ranker: weights that are read or refused, scores that can be told apart, and a fit that gives the same each time."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from benchmarks.quality.choice import PRIOR, Labelled, fit
from recollect.errors import InvalidInput
from recollect.index.episode.features import FEATURES
from recollect.index.episode.ranker import Floats, Ranker

WIDTH = len(FEATURES)
EQUAL = dict.fromkeys(FEATURES, 1.0)
_ROWS = arrays.arrays(np.float64, st.tuples(st.integers(1, 8), st.just(WIDTH)), elements=st.floats(0, 1))
_WEIGHTS = st.tuples(*[st.one_of(st.just(0.0), st.floats(1e-3, 1e6)) for _ in FEATURES]).filter(any)


def _ranker(weights: tuple[float, ...]) -> Ranker:
    return Ranker(weights=dict(zip(FEATURES, weights, strict=True)))


def _questions(count: int, telling: int, *, seed: int = 7, noise: float = 0.05) -> list[Labelled]:
    """Questions of twenty candidates; the relevant ones have more of one feature, everything else is chance."""
    dice = np.random.default_rng(seed)
    made: list[Labelled] = []
    for _ in range(count):
        values: Floats = dice.random((20, WIDTH))
        relevant = np.zeros(20, np.bool_)
        relevant[dice.choice(20, 2, replace=False)] = True
        values[:, telling] = np.clip(0.9 * relevant + noise * dice.standard_normal(20), 0, 1)
        made.append(Labelled(values=values, relevant=relevant))
    return made


# -- reading --------------------------------------------------------------------------------------------


def test_the_weights_of_the_package() -> None:
    """There is one for each feature, in the features' order, and none is negative."""
    shipped = Ranker.shipped()
    assert tuple(shipped.weights) == FEATURES
    assert min(shipped.weights.values()) >= 0 < sum(shipped.weights.values())


# -- scoring --------------------------------------------------------------------------------------------


@given(_ROWS, _WEIGHTS)
def test_scores(values: Floats, weights: tuple[float, ...]) -> None:
    """A score is between 0 and 1 and is the sum of what its features add."""
    ranker = _ranker(weights)
    scores, terms = ranker.scores(values), ranker.terms(values)
    assert scores.shape == (len(values),) and terms.shape == values.shape
    assert (scores >= 0).all() and (scores <= 1 + 1e-9).all()
    assert (terms >= 0).all()
    np.testing.assert_allclose(terms.sum(axis=1), scores, atol=1e-9)


@given(_ROWS, _WEIGHTS, st.integers(0, 11), st.floats(0, 1))
def test_more_of_a_feature_never_lowers_a_score(
    values: Floats, weights: tuple[float, ...], feature: int, more: float
) -> None:
    """Whatever the weights, more of a good thing ranks no lower."""
    raised = values.copy()
    raised[:, feature] += more
    ranker = _ranker(weights)
    assert (ranker.scores(raised) >= ranker.scores(values) - 1e-12).all()


def test_only_shares_count() -> None:
    """Weights ten times as large rank the same; all features at 1 make a score of 1."""
    values = np.random.default_rng(1).random((5, WIDTH))
    ten = Ranker(weights={name: 10 * weight for name, weight in PRIOR.items()})
    np.testing.assert_allclose(ten.scores(values), Ranker(weights=PRIOR).scores(values))
    assert ten.scores(np.ones((1, WIDTH))) == pytest.approx([1.0])


def test_the_order_in_a_file_does_not_matter() -> None:
    """Weights belong to names, not to places."""
    turned = Ranker.parse(json.dumps({"weights": {name: PRIOR[name] for name in reversed(FEATURES)}}))
    values = np.random.default_rng(2).random((5, WIDTH))
    np.testing.assert_array_equal(turned.scores(values), Ranker(weights=PRIOR).scores(values))


# -- fitting --------------------------------------------------------------------------------------------


def test_without_data_the_prior_stays() -> None:
    """No question, none with a relevant candidate, or none that counts: nothing was learned."""
    nothing = Labelled(values=np.ones((3, WIDTH)), relevant=np.zeros(3, np.bool_))
    empty = Labelled(values=np.ones((0, WIDTH)), relevant=np.zeros(0, np.bool_))
    weightless = Labelled(values=np.eye(WIDTH), relevant=np.arange(WIDTH) == 1, weight=0.0)
    assert fit([]).weights == fit([nothing, empty, weightless]).weights == PRIOR
    assert fit([], prior=EQUAL).weights == EQUAL


def test_data_that_says_nothing_leaves_the_prior() -> None:
    """Candidates that are all alike move no weight."""
    alike = Labelled(values=np.full((6, WIDTH), 0.5), relevant=np.arange(6) == 2)
    assert fit([alike]).weights == pytest.approx(PRIOR, abs=1e-3)


@pytest.mark.parametrize("telling", [0, 4, 11])
def test_the_informative_feature_is_found(telling: int) -> None:
    """The one feature that tells the relevant from the rest gets by far the largest weight."""
    fitted = fit(_questions(60, telling), prior=EQUAL, strength=0.01).weights
    found = FEATURES[telling]
    assert max(fitted, key=lambda name: fitted[name]) == found
    assert fitted[found] > 2 * max(weight for name, weight in fitted.items() if name != found)


@settings(max_examples=25)
@given(st.integers(0, 10_000), st.floats(0.001, 1.0))
def test_a_fit_is_the_same_every_time(seed: int, strength: float) -> None:
    """The same questions give the same weights, none negative; in another order they differ by no more than rounding."""
    questions = _questions(8, 3, seed=seed, noise=0.4)
    first = fit(questions, strength=strength).weights
    assert fit(questions, strength=strength).weights == first
    assert min(first.values()) >= 0
    assert fit(questions[::-1], strength=strength).weights == pytest.approx(first, abs=2e-4)


def test_a_misleading_feature_gets_nothing() -> None:
    """A feature that is larger where nothing is relevant ends at 0, not below."""
    questions = [
        Labelled(values=1 - question.values, relevant=question.relevant) for question in _questions(60, 2)
    ]
    fitted = fit(questions, strength=0.01).weights
    assert fitted[FEATURES[2]] == 0.0
    assert min(fitted.values()) >= 0


def test_a_weaker_prior_pulls_less() -> None:
    """The weaker the pull, the farther the weights go from the prior; a very strong one keeps it."""
    questions = _questions(30, 5)

    def away(strength: float) -> float:
        fitted = fit(questions, strength=strength).weights
        return sum((fitted[name] - PRIOR[name]) ** 2 for name in FEATURES)

    assert away(0.001) > away(0.01) > away(0.1) > away(1.0) > away(100.0)
    assert away(100.0) < 1e-3


def test_a_question_that_counts_more_moves_more() -> None:
    """Of two questions that disagree, the heavier one decides; twice the same is once with twice the weight."""
    one, other = _questions(1, 0)[0], _questions(1, 6)[0]

    def lead(weight: float) -> float:
        heavy = Labelled(values=one.values, relevant=one.relevant, weight=weight)
        fitted = fit([heavy, other], prior=EQUAL, strength=0.01).weights
        return fitted["meaning"] - fitted["stretch_meaning"]

    assert lead(10.0) > lead(1.0) > lead(0.1)
    twice = fit([one, one, other], prior=EQUAL).weights
    double = Labelled(values=one.values, relevant=one.relevant, weight=2.0)
    assert fit([double, other], prior=EQUAL).weights == pytest.approx(twice, abs=2e-4)


def test_labels_against_every_feature_leave_the_prior() -> None:
    """Weights that are all 0 could rank nothing; then nothing was learned."""
    against = np.ones((50, WIDTH))
    against[0] = 0.0
    ranker = fit([Labelled(values=against, relevant=np.arange(50) == 0)], strength=0.01)
    assert ranker.weights == PRIOR


@pytest.mark.parametrize("value", [float("nan"), float("inf"), -float("inf")])
def test_what_is_no_number_is_refused(value: float) -> None:
    """One broken value or weight stops the fit; it does not spoil it, nor hang it."""
    (question,) = _questions(1, 0)
    broken = question.values.copy()
    broken[3, 3] = value
    for field, spoiled in (
        ("values", replace(question, values=broken)),
        ("weight", replace(question, weight=value)),
    ):
        with pytest.raises(InvalidInput) as raised:
            fit([question, spoiled])
        assert raised.value.field == field


def test_what_was_fitted_can_be_shipped() -> None:
    """Fitted weights, written to a file, are read back as they are."""
    fitted = fit(_questions(10, 1))
    assert Ranker.parse(json.dumps({"weights": dict(fitted.weights)})) == fitted
