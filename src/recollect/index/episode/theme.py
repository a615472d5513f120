"""Sessions in order: each by its best message, and by how much it is about the same as the sessions before it.

A question such as how often somebody baked needs every session about baking, also one that answers badly by itself. So
sessions are chosen one after the other, and likeness to those chosen before counts besides the best message. What all
of them have in common says nothing and is taken out first. The messages of an answer follow: the best one of each chosen
session comes before any message of another session, and else the best messages come first. As a feature of messages the
same likeness lost more evidence than it found. Pure; scores and vectors come from the caller.
"""

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

#: What likeness counts, where the best message of all counts 1. # measured: benchmarks/fit_sessions.py; 0.3 to 0.6 are alike
STRENGTH = 0.5


def themed(
    scores: NDArray[np.float64], vectors: NDArray[np.float32], *, count: int, strength: float = STRENGTH
) -> list[tuple[int, float]]:
    """Places of the sessions, best first, each with its mean likeness, 0-1, to those before it.

    `scores` are those of the best messages, in falling order; `vectors` has a row per session, zeros where nothing is known.
    """
    if not len(scores):
        return []
    alike = _likeness(vectors)
    best = scores / max(float(scores[0]), 1e-9)
    near = np.zeros(len(scores))
    left = np.ones(len(scores), dtype=np.bool_)
    chosen: list[tuple[int, float]] = []
    for number in range(min(count, len(scores))):
        theme = near / max(number, 1)
        # Rounded, because a processor's last digit must not decide; then the first of equals.
        place = int(np.argmax(np.where(left, np.round(best + strength * theme, 6), -np.inf)))
        chosen.append((place, float(theme[place])))
        left[place] = False
        near += alike[place]
    return chosen


def woven(sessions: Sequence[int], chosen: Sequence[int]) -> Iterator[int]:
    """Places of messages in an order in which the chosen sessions are met first.

    `sessions` says for each place, best message first, whose it is; `chosen` are the places of the best messages of the
    chosen sessions, in the order of those. A message of another session waits until all of them were met.
    """
    waiting = {sessions[place]: place for place in chosen}
    met: set[int] = set()
    brought: set[int] = set()
    for place, session in enumerate(sessions):
        if place in brought:
            continue
        if waiting and session not in waiting and session not in met:
            brought.update(waiting.values())
            yield from waiting.values()
            met.update(waiting)
            waiting.clear()
        met.add(session)
        waiting.pop(session, None)
        yield place


def _likeness(vectors: NDArray[np.float32]) -> NDArray[np.float64]:
    """Cosines without what is common to all; nothing below 0, and nothing of a session that has no vector."""
    known = vectors.any(axis=1)
    held = vectors.astype(np.float64)
    if known.any():
        held[known] -= held[known].mean(axis=0)
    held /= np.maximum(np.linalg.norm(held, axis=1, keepdims=True), 1e-9)
    return np.clip(held @ held.T, 0.0, 1.0)
