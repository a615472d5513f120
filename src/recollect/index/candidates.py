"""Candidates: the messages that a question chooses from, ranked, for whoever puts an answer together from them.

Arrays with a value a candidate, best first, and what was known of all messages when they were ranked. It decides nothing.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from recollect.index.episode.features import Fit


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The candidates of a question with their features, best first."""

    slots: NDArray[np.intp]
    values: NDArray[np.float64]
    scores: NDArray[np.float64]
    #: The part of each score that says how near the whole talk is.
    talk: NDArray[np.float64]
    #: Of all slots, which the question may see.
    visible: NDArray[np.bool_]
    fit: Fit
