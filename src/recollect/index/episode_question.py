"""A question about past messages with every vector that it needs, so that it can be answered inside a read."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime, tzinfo

import numpy as np
from numpy.typing import NDArray

from recollect.index.message_index import WantedMessages
from recollect.language.time_words import Anchor, TimeWords


@dataclass(frozen=True, slots=True, kw_only=True)
class EpisodeQuestion:
    """A question about past messages, with every vector that it needs."""

    text: str
    #: Whom the vector of the topic was made without.
    speakers: tuple[str, ...]
    vector: NDArray[np.float32]
    time: TimeWords
    #: For each event that the question names, its vector.
    events: Mapping[Anchor, NDArray[np.float32]] = field(default_factory=dict[Anchor, NDArray[np.float32]])
    wanted: WantedMessages
    limit: int
    #: How many sessions, besides.
    sessions: int = 0
    #: Messages from which memories came that the question brings, by meaning, by words or by an entity.
    sources: tuple[str, ...] = ()
    #: Messages before and after each hit; or only the one before, if it asks something.
    neighbours: int = 1
    only_questions: bool = False
    #: The question's own time and zone.
    now: datetime
    zone: tzinfo
