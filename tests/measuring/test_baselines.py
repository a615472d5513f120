"""Tests of evaluation/baselines.py."""

import math

import numpy as np
import pytest
from conftest import FakeEmbedder
from hypothesis import given
from hypothesis import strategies as st

from benchmarks.quality.baselines import Baselines, Bm25, Dense, line, rank_fusion, score_sum
from benchmarks.quality.dataset import Turn
from recollect.records.message import Role

TEXTS = {
    "t1": "I planted tomatoes in the garden.",
    "t2": "My sister moved to Lisbon last winter.",
    "t3": "The guitar needs new strings.",
    "t4": "We ate tomatoes in Lisbon.",
}
IDS = st.sampled_from("abcdefgh")


def _turns(texts: dict[str, str], speaker: str = "Ann") -> list[Turn]:
    return [Turn(id=id, speaker=speaker, role=Role.USER, text=text) for id, text in texts.items()]


def _vectors(embedder: FakeEmbedder, turns: list[Turn]) -> np.ndarray:
    return np.stack([embedder.vector(line(turn)) for turn in turns])


def _indexed(embedder: FakeEmbedder, texts: dict[str, str] = TEXTS) -> Baselines:
    baselines = Baselines()
    turns = _turns(texts)
    baselines.index(turns, _vectors(embedder, turns))
    return baselines


def test_all_find_an_obvious_turn(embedder: FakeEmbedder) -> None:
    """The turn with the question's words is first in all four."""
    question = "Does the guitar need strings?"
    found = _indexed(embedder).rank(question, embedder.vector(question))
    assert tuple(found) == Baselines.NAMES
    assert {ranked[0] for ranked in found.values()} == {"t3"}


def test_the_arms_agree_with_the_whole(embedder: FakeEmbedder) -> None:
    """An arm alone ranks as it does within `Baselines`."""
    question = "tomatoes from Lisbon"
    vector = embedder.vector(question)
    turns = _turns(TEXTS)
    found = _indexed(embedder).rank(question, vector, {"t1", "t2", "t4"})
    for name, arm in (("bm25", Bm25()), ("dense", Dense())):
        arm.index(turns, _vectors(embedder, turns))
        assert arm.rank(question, vector, {"t1", "t2", "t4"}) == found[name]


def test_bm25_by_hand() -> None:
    """Three documents, two words: the formula with k1 = 1.2 and b = 0.75, over its best for an average text."""
    # Lengths with the speaker's name: 4, 2 and 3; the mean is 3.
    turns = _turns({"d1": "honey honey bees", "d2": "honey", "d3": "guitar winter"})
    arm = Bm25()
    arm.index(turns, np.zeros((3, 1), dtype=np.float32))
    scores = arm.scores("honey bees", np.zeros(1, dtype=np.float32))
    honey, bees = math.log(1 + 1.5 / 2.5), math.log(1 + 2.5 / 1.5)
    longer, shorter = 1.2 * (0.25 + 0.75 * 4 / 3), 1.2 * (0.25 + 0.75 * 2 / 3)
    assert scores["d1"] == pytest.approx(
        (honey * 2 * 2.2 / (2 + longer) + bees * 2.2 / (1 + longer)) / (honey + bees)
    )
    assert scores["d2"] == pytest.approx(honey * 2.2 / (1 + shorter) / (honey + bees))
    assert scores["d3"] == 0
    assert arm.rank("honey bees", np.zeros(1, dtype=np.float32)) == ["d1", "d2"]


def test_words_are_counted_over_what_is_allowed() -> None:
    """A question about the first sessions sees the statistics of these alone."""
    texts = {"d1": "honey honey bees", "d2": "honey", "d3": "honey winter"}
    nothing = np.zeros(1, dtype=np.float32)
    whole, part = Bm25(), Bm25()
    whole.index(_turns(texts), np.zeros((3, 1), dtype=np.float32))
    part.index(_turns(texts)[:2], np.zeros((2, 1), dtype=np.float32))
    allowed = whole.scores("honey bees", nothing, {"d1", "d2"})
    assert allowed == pytest.approx(part.scores("honey bees", nothing))
    assert allowed["d2"] != pytest.approx(whole.scores("honey bees", nothing)["d2"])


def test_who_spoke_is_searched() -> None:
    """A question that names a speaker finds what that speaker said."""
    arm = Bm25()
    arm.index(
        [*_turns({"t1": "Hello."}, "Ann"), *_turns({"t2": "Hello."}, "Caroline")],
        np.zeros((2, 1), np.float32),
    )
    assert arm.rank("What did Caroline say?", np.zeros(1, dtype=np.float32)) == ["t2"]


def test_the_cosine_orders_the_dense_arm() -> None:
    """Nearest first, and equal ones in the order in which they were said."""
    arm = Dense()
    arm.index(_turns(TEXTS), np.array([[0, 1], [1, 0], [0.6, 0.8], [1, 0]], dtype=np.float32))
    assert arm.rank("", np.array([1, 0], dtype=np.float32)) == ["t2", "t4", "t3", "t1"]
    assert arm.scores("", np.array([1, 0], dtype=np.float32))["t3"] == pytest.approx(0.6)


@given(allowed=st.sets(st.sampled_from(sorted(TEXTS))))
def test_only_what_is_allowed_comes_back(allowed: set[str]) -> None:
    """No baseline returns a turn that was not said yet, and the dense ones return all others, once."""
    embedder = FakeEmbedder()
    found = _indexed(embedder).rank("tomatoes in Lisbon", embedder.vector("tomatoes in Lisbon"), allowed)
    assert set(found["bm25"]) == allowed & {"t1", "t2", "t4"}
    for name in ("dense", "rank fusion", "score sum"):
        assert sorted(found[name]) == sorted(allowed)


def test_the_next_conversation_replaces_the_last(embedder: FakeEmbedder) -> None:
    """Nothing of an earlier conversation is found in a later one, although its words are kept."""
    baselines = _indexed(embedder)
    texts = {"u1": TEXTS["t3"], "u2": "I like rain."}
    baselines.index(_turns(texts), _vectors(embedder, _turns(texts)))
    again = baselines.rank("guitar strings", embedder.vector("guitar strings"))
    fresh = _indexed(embedder, texts).rank("guitar strings", embedder.vector("guitar strings"))
    assert again == fresh
    assert again["bm25"] == ["u1"]


def test_no_turns(embedder: FakeEmbedder) -> None:
    """An empty conversation answers with nothing, as do turns without a word."""
    baselines = Baselines()
    baselines.index([], np.zeros((0, 64), dtype=np.float32))
    assert baselines.rank("guitar", embedder.vector("guitar")) == {name: [] for name in Baselines.NAMES}
    silent = Bm25()
    silent.index(_turns({"t1": "…"}, speaker=""), np.zeros((1, 64), dtype=np.float32))
    assert silent.rank("guitar", embedder.vector("guitar")) == []


def test_each_turn_needs_a_vector() -> None:
    """Turns and vectors that do not fit are a mistake, not a ranking."""
    with pytest.raises(ValueError, match="4 turns and 3 vectors"):
        Baselines().index(_turns(TEXTS), np.zeros((3, 2), dtype=np.float32))


def test_rank_fusion_by_hand() -> None:
    """Sums of 1/(60 + place): two second places beat a first; equal sums keep the order of the lists."""
    assert rank_fusion([["a", "b"], ["c", "b"]]) == ["b", "a", "c"]
    assert rank_fusion([["a", "b", "c"], ["c"]]) == ["c", "a", "b"]
    # With k = 0 the first place is worth as much as two second ones.
    assert rank_fusion([["a", "b"], ["c", "b"]], k=0) == ["a", "b", "c"]
    assert rank_fusion([[], []]) == []


def test_score_sum_by_hand() -> None:
    """Scores are stretched to 0-1 each, so that no arm wins by its unit; an arm without a difference has no say."""
    words = {"a": 10.0, "b": 6.0, "c": 0.0}
    meaning = {"a": 0.2, "b": 0.3, "c": 0.4}
    # a: 1 + 0, b: 0.6 + 0.5, c: 0 + 1.
    assert score_sum([words, meaning]) == ["b", "a", "c"]
    assert score_sum([{"a": 0.5, "b": 0.5}, {"a": 0.1, "b": 0.2}]) == ["b", "a"]
    assert score_sum([{}, {}]) == []


@given(ranking=st.lists(IDS, unique=True))
def test_joining_a_ranking_with_itself_changes_nothing(ranking: list[str]) -> None:
    """Two arms that agree are right together."""
    scores = {id: float(-place) for place, id in enumerate(ranking)}
    assert rank_fusion([ranking, ranking]) == ranking
    assert score_sum([scores, scores]) == ranking
