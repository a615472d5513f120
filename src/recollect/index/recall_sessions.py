"""Search of sessions: the stretches of talk that a question is about, derived from the ranked candidates of the message search.

The sessions with the best candidates are compared, each by the mean vector of the messages around its best one; `theme` orders
them. The work is bounded however long a session is, and invisible messages do not count. The mean of a whole session was worse:
a long one is about everything, and between two people that cost a point.
"""

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from recollect.index.episode.features import Fit
from recollect.index.episode.theme import themed, woven
from recollect.index.message_index import MessageIndex
from recollect.records.hit import SessionHit
from recollect.store import messages
from recollect.store.database import Connection, Matrix

Slots = NDArray[np.intp]

#: Sessions that are compared, at least, and the most that a caller may request. # measured: 16 to 30 are alike
LOOKED_AT = 20
MOST = 30
#: Sessions that determine the order of messages: an answer hardly ever needs more. # measured: benchmarks/fit_sessions.py
FIRST_SESSIONS = 5
#: Messages on each side of the best one that represent a session. # measured: 2 to 8 are alike
AROUND = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidates:
    """The ranked candidates of a question; arrays with a value per candidate, best first."""

    slots: NDArray[np.intp]
    values: NDArray[np.float64]
    scores: NDArray[np.float64]
    #: The part of each score that comes from the whole stretch of talk.
    talk: NDArray[np.float64]
    #: Which of all slots are visible to the question.
    visible: NDArray[np.bool_]
    fit: Fit


def search_sessions(
    tx: Connection, user_id: str, index: MessageIndex, found: Candidates, count: int
) -> tuple[SessionHit, ...]:
    """The best sessions, at most `count`."""
    sittings = sittings_of(index, found, max(count, LOOKED_AT))
    order = themed(sittings.scores, sittings.vectors, count=count)
    ids = {place: index.ids[int(found.slots[sittings.places[place]])] for place, _ in order}
    rows = messages.get_many(tx, user_id, list(ids.values()))
    return tuple(
        SessionHit(message=rows[ids[place]], score=float(found.scores[sittings.places[place]]), theme=theme)
        for place, theme in order
        if ids[place] in rows
    )


def by_session(index: MessageIndex, found: Candidates, count: int) -> list[int]:
    """The places of the best candidates, at most `count`, with the sessions that fit the theme first."""
    sessions: list[int] = index.column("stretch")[found.slots].tolist()
    if len(set(sessions)) <= FIRST_SESSIONS:
        return list(range(min(count, len(sessions))))
    sittings = sittings_of(index, found)
    chosen = themed(sittings.scores, sittings.vectors, count=FIRST_SESSIONS)
    return list(islice(woven(sessions, [int(sittings.places[place]) for place, _ in chosen]), count))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sittings:
    """The compared sessions, best first."""

    #: The place of each one's best message among the candidates.
    places: Slots
    #: The score of that message, with the feature of the whole stretch counted twice.
    scores: NDArray[np.float64]
    #: The mean vector of the messages around it.
    vectors: Matrix


def sittings_of(index: MessageIndex, found: Candidates, most: int = LOOKED_AT) -> Sittings:
    """The sessions of the candidates, at most `most`."""
    _, first = np.unique(index.column("stretch")[found.slots], return_index=True)
    first.sort()
    scores = found.scores[first] + found.talk[first]
    order = np.argsort(-np.round(scores, 6), kind="stable")[:most]
    places = first[order]
    return Sittings(
        places=places, scores=scores[order], vectors=around(index, found.slots[places], found.visible)
    )


def around(index: MessageIndex, slots: Slots, visible: NDArray[np.bool_]) -> Matrix:
    """The mean vector of the messages around each slot in its session; zeros if none has a vector."""
    stretch = index.column("stretch")
    number = np.arange(len(slots))
    members, owners = [slots], [number]
    for links in (index.before, index.after):
        at = slots
        for _ in range(AROUND):
            step = np.where(at >= 0, links[at], -1)
            at = np.where((step >= 0) & (stretch[step] == stretch[slots]), step, -1)
            seen = (at >= 0) & visible[at]
            members.append(at[seen])
            owners.append(number[seen])
    every = np.concatenate(members)
    # Sorted, because neighbours in memory are gathered fastest.
    order = np.argsort(every)
    every = every[order]
    # A row per slot with a 1 for each of its messages: one product instead of a loop of sums.
    mine = (np.concatenate(owners)[order] == number[:, None]) & index.have_vectors(every)
    sums = mine.astype(np.float32) @ index.vectors_of(every)
    return sums / np.maximum(np.count_nonzero(mine, axis=1), 1).astype(np.float32)[:, None]
