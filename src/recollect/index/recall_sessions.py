"""Recall of sessions: which sittings a question is about, told by the candidates that recall of messages has ranked.

The sessions with the best candidates are looked at, each as the mean of what was said around its best message; `theme`
puts them in order. The work is bounded however long a session is. It searches nothing by itself, and a message that may
not be seen has no say. The mean of a whole session was rejected: a long one is about everything, and between
two people that cost a point.
"""

from dataclasses import dataclass
from itertools import islice

import numpy as np
from numpy.typing import NDArray

from recollect.index.candidates import Candidates
from recollect.index.episode.session_hit import SessionHit
from recollect.index.episode.theme import themed, woven
from recollect.index.message_index import MessageIndex
from recollect.store import messages
from recollect.store.database import Connection, Matrix

Slots = NDArray[np.intp]

#: Sessions that are looked at, or as many as are asked for, and the most that can be. # measured: 16 to 30 are alike
LOOKED_AT = 20
MOST = 30
#: Sessions that the order of messages goes by: those that an answer needs, hardly ever more. # measured: benchmarks/fit_sessions.py
FIRST_SESSIONS = 5
#: Messages on each side of the best one that tell what a session is about. # measured: 2 to 8 are alike
AROUND = 3


def search_sessions(
    tx: Connection, user_id: str, index: MessageIndex, found: Candidates, count: int
) -> tuple[SessionHit, ...]:
    """So many sessions, best first."""
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
    """Places of so many candidates: the best ones, in an order in which the first sessions are met by their theme."""
    sessions: list[int] = index.column("stretch")[found.slots].tolist()
    if len(set(sessions)) <= FIRST_SESSIONS:
        return list(range(min(count, len(sessions))))
    sittings = sittings_of(index, found)
    chosen = themed(sittings.scores, sittings.vectors, count=FIRST_SESSIONS)
    return list(islice(woven(sessions, [int(sittings.places[place]) for place, _ in chosen]), count))


@dataclass(frozen=True, slots=True, kw_only=True)
class Sittings:
    """The sessions that are looked at, the best first."""

    #: Where among the candidates the best message of each stands.
    places: Slots
    #: Of that message, with what the whole talk says counted twice: a session is a talk.
    scores: NDArray[np.float64]
    #: Of what was said around that message.
    vectors: Matrix


def sittings_of(index: MessageIndex, found: Candidates, most: int = LOOKED_AT) -> Sittings:
    """The sessions of the candidates, at most so many."""
    _, first = np.unique(index.column("stretch")[found.slots], return_index=True)
    first.sort()
    scores = found.scores[first] + found.talk[first]
    order = np.argsort(-np.round(scores, 6), kind="stable")[:most]
    places = first[order]
    return Sittings(
        places=places, scores=scores[order], vectors=around(index, found.slots[places], found.visible)
    )


def around(index: MessageIndex, slots: Slots, visible: NDArray[np.bool_]) -> Matrix:
    """For each of some slots the mean vector of what was said around it in its session; zeros where none has a vector."""
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
    # A row a slot with a 1 for each of its messages: one product instead of a loop of sums.
    mine = (np.concatenate(owners)[order] == number[:, None]) & index.have_vectors(every)
    sums = mine.astype(np.float32) @ index.vectors_of(every)
    return sums / np.maximum(np.count_nonzero(mine, axis=1), 1).astype(np.float32)[:, None]
