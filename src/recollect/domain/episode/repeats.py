"""Repeats and likeness among found messages: what says the same again is not shown again.

Greetings, quoted texts and answers given twice would fill an answer with one thing. Only what has the same words counts as
a repeat: two messages that differ in a number or a name both stay. Diversity goes further, on request: it prefers a message
that differs from those already chosen, at the price of some relevance. Pure; vectors and words come from the caller.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

#: From so many words on, one in ten may differ, if it holds no digit, no capital and no negation: a corrected typo.
_LONG = 10
_ALIKE = 0.9
#: At the ends of words these say nothing; within "C++", "1.5" and "it's" they do.
_MARKS = ".,;:!?…\"'()[]“”‘’«»"
_NEGATIONS = frozenset(("no", "not", "never", "none", "nor", "without", "cannot"))


class _Spoken:
    """A text's words as they are written: by their stems "I called her" would be "She called me"."""

    __slots__ = ("order", "written")

    def __init__(self, text: str) -> None:
        pieces = text.split()
        words = [word for piece in pieces if (word := piece.strip(_MARKS))] or pieces
        self.order = tuple(word.casefold() for word in words)
        #: How each different word is written.
        self.written = dict(zip(self.order, words, strict=True))


def repeats(texts: Sequence[str]) -> list[int | None]:
    """For each text the place of the earlier one that it repeats; None: it is new."""
    seen: list[tuple[int, _Spoken]] = []
    found: list[int | None] = []
    for place, text in enumerate(texts):
        spoken = _Spoken(text)
        same = next((first for first, other in seen if _alike(spoken, other)), None)
        found.append(same)
        if same is None:
            seen.append((place, spoken))
    return found


def _alike(one: _Spoken, other: _Spoken) -> bool:
    if one.order == other.order:
        return True
    both = one.written | other.written
    shared = one.written.keys() & other.written
    if min(len(one.written), len(other.written)) < _LONG or len(shared) < _ALIKE * len(both):
        return False
    return not any(_telling(word) for low, word in both.items() if low not in shared)


def _telling(word: str) -> bool:
    """Whether a text that differs in this word says something else."""
    low = word.casefold().replace("’", "'")
    return low in _NEGATIONS or low.endswith("n't") or any(sign.isdigit() or sign.isupper() for sign in word)


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
