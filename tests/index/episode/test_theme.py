"""Sessions in order: by the best message, and by what those before are about."""

from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray

from recollect.index.episode.theme import themed, woven

Floats = NDArray[np.float64]

#: Two sessions about one thing, and three about others.
_TALKS = np.array([[1, 0, 0, 0], [0, 1, 0, 0], [1, 0.1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1]], np.float32)
_FALLING = arrays.arrays(np.float64, st.integers(0, 8), elements=st.floats(0, 1)).map(
    lambda scores: np.sort(scores)[::-1]
)


def _places(scores: Floats, vectors: NDArray[np.float32], count: int = 5, **options: float) -> list[int]:
    return [place for place, _ in themed(scores, vectors, count=count, **options)]


def test_what_the_best_is_about_comes_next() -> None:
    """A session about the same as the best one passes another that answers a little better, and says how alike it is."""
    scores = np.array([0.6, 0.5, 0.45, 0.2, 0.1])
    assert _places(scores, _TALKS, strength=0.0) == [0, 1, 2, 3, 4]
    found = themed(scores, _TALKS, count=5)
    assert [place for place, _ in found] == [0, 2, 1, 3, 4]
    assert [theme for _, theme in found] == pytest.approx([0, 0.99, 0, 0, 0], abs=0.01)


def test_what_answers_far_better_stays_before() -> None:
    """Likeness is no answer: a session that hardly fits does not pass one that does."""
    assert _places(np.array([0.6, 0.5, 0.1, 0.05, 0.05]), _TALKS)[:2] == [0, 1]


def test_what_all_have_in_common_says_nothing() -> None:
    """The same thing said in every session changes no likeness."""
    scores = np.array([0.6, 0.5, 0.45, 0.2, 0.1])
    assert themed(scores, _TALKS + np.float32(3), count=5) == [
        (place, pytest.approx(theme, abs=1e-5)) for place, theme in themed(scores, _TALKS, count=5)
    ]


def test_sessions_without_vectors_are_like_nothing() -> None:
    """Before any vector is made, and for a session that waits for its own, the best message alone decides."""
    scores = np.array([0.6, 0.5, 0.45, 0.2, 0.1])
    for nothing in (np.zeros((5, 4), np.float32), np.zeros((5, 0), np.float32)):
        assert themed(scores, nothing, count=5) == [(place, 0.0) for place in range(5)]
    waiting = _TALKS.copy()
    waiting[2] = 0
    assert _places(scores, waiting) == [0, 1, 2, 3, 4]


@given(_FALLING, st.randoms(use_true_random=False), st.floats(0, 1), st.integers(0, 10))
def test_an_order_is_the_beginning_of_a_permutation(
    scores: Floats, dice: Random, strength: float, count: int
) -> None:
    """As many as asked for and there are, each once, the best message's first, each likeness 0-1; a shorter order begins a longer one."""
    vectors = np.array([[dice.uniform(-1, 1) for _ in range(3)] for _ in scores], np.float32).reshape(-1, 3)
    found = themed(scores, vectors, count=count, strength=strength)
    places = [place for place, _ in found]
    assert len(places) == len(set(places)) == min(count, len(scores))
    assert set(places) <= set(range(len(scores)))
    assert places[:1] in ([], [0])
    assert all(0 <= theme <= 1 for _, theme in found)
    assert themed(scores, vectors, count=len(scores), strength=strength)[: len(found)] == found


def _first_places(sessions: list[int]) -> list[int]:
    return [sessions.index(session) for session in dict.fromkeys(sessions)]


@given(st.lists(st.integers(0, 6), max_size=20), st.randoms(use_true_random=False), st.integers(0, 5))
def test_messages_follow_the_sessions(sessions: list[int], dice: Random, count: int) -> None:
    """Every message comes once; the chosen sessions are met before any other, and else nothing changes its order."""
    firsts = _first_places(sessions)
    chosen = dice.sample(firsts, min(count, len(firsts)))
    order = list(woven(sessions, chosen))
    assert sorted(order) == list(range(len(sessions)))
    met = list(dict.fromkeys(sessions[place] for place in order))
    assert set(met[: len(chosen)]) == {sessions[place] for place in chosen}
    others = [place for place in order if place not in chosen]
    assert others == sorted(others)


def test_the_best_messages_stay_first_while_they_are_of_the_chosen() -> None:
    """Only when another session would come first are the missing ones brought, in the order of their choice."""
    assert list(woven([0, 1, 0, 2, 1, 3, 4], [0, 6, 1, 5])) == [0, 1, 2, 6, 5, 3, 4]
    assert list(woven([0, 1, 2], [])) == list(woven([0, 1, 2], [0, 1, 2])) == [0, 1, 2]
