"""Repeats and likeness among found messages: what says the same again is not shown again.

Greetings, quoted texts and answers given twice would fill an answer with one thing. Only what has the same words counts as
a repeat: two messages that differ in a number or a name both stay. Diversity goes further, on request: it prefers a message
that differs from those already chosen, at the price of some relevance. Pure; vectors and words come from the caller.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from recollect.domain.terms import terms

#: From so many words on, one in ten may differ, if it holds no digit: a corrected typo or a changed greeting.
_LONG = 10
_ALIKE = 0.9


def repeats(texts: Sequence[str]) -> list[int | None]:
    """For each text the place of the earlier one that it repeats; None: it is new."""
    seen: list[tuple[int, frozenset[str], tuple[str, ...]]] = []
    found: list[int | None] = []
    for place, text in enumerate(texts):
        words = tuple(terms(text))
        held = frozenset(words)
        same = next((first for first, others, spoken in seen if _alike(words, held, spoken, others)), None)
        found.append(same)
        if same is None:
            seen.append((place, held, words))
    return found


def _alike(
    words: tuple[str, ...], held: frozenset[str], spoken: tuple[str, ...], others: frozenset[str]
) -> bool:
    if words == spoken:
        return True
    shorter, longer = sorted((len(held), len(others)))
    if shorter < _LONG or shorter < _ALIKE * longer:
        return False
    if len(held & others) < _ALIKE * len(held | others):
        return False
    return not any(any(map(str.isdigit, word)) for word in held ^ others)


def diversified(
    scores: NDArray[np.float64], vectors: NDArray[np.float32], *, diversity: float, count: int
) -> list[int]:
    """The best places one after the other, each penalised by its likeness to the nearest one chosen before."""
    likeness = np.clip(vectors @ vectors.T, 0.0, 1.0)
    nearest = np.zeros(len(scores))
    left = np.ones(len(scores), dtype=np.bool_)
    chosen: list[int] = []
    for _ in range(min(count, len(scores))):
        worth = (1.0 - diversity) * scores - diversity * nearest
        best = int(np.argmax(np.where(left, np.round(worth, 6), -np.inf)))
        chosen.append(best)
        left[best] = False
        nearest = np.maximum(nearest, likeness[best])
    return chosen
