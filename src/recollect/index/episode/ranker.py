"""The ranker of episodes: a weighted sum of features.

No weight is negative, so more of a good thing never ranks a message lower, and each feature's part of a score can be told.
The weights were fitted by `python -m benchmarks.fit_episodes`, which prints how well they do and with `--write` makes the
file again. A network over the same features was rejected: it fitted its own data better and others far worse.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files

import numpy as np
from numpy.typing import NDArray

from recollect.index.episode.features import FEATURES

Floats = NDArray[np.float64]

_SHIPPED = files("recollect.index") / "data" / "episode_weights.json"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ranker:
    """A weight for each feature."""

    weights: Mapping[str, float]

    @classmethod
    def shipped(cls) -> "Ranker":
        """The weights of the package."""
        return cls.parse(_SHIPPED.read_text("utf-8"))

    @classmethod
    def parse(cls, text: str) -> "Ranker":
        """Read a file of weights."""
        weights = json.loads(text)["weights"]
        return cls(weights={name: float(weights[name]) for name in FEATURES})

    @property
    def _shares(self) -> Floats:
        weights = np.array([self.weights[name] for name in FEATURES])
        return weights / weights.sum()

    def scores(self, values: Floats) -> Floats:
        """0-1 for each candidate."""
        return values @ self._shares

    def terms(self, values: Floats) -> Floats:
        """What each feature adds to the scores."""
        return values * self._shares
