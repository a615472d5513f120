"""Search of messages: the past messages that answer a question, ranked, each with its neighbours and its reasons.

Everything happens inside one transaction: the index follows the database, candidates come by meaning, by words and by time, the
ranker orders them by their features, and the rows that are shown are read. Words of time narrow the search if they certainly
bound the messages, otherwise they raise what is near. Events in the question ("before the move") are dated first. Vectors come
with the question.
"""

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from recollect.index.episode.features import FEATURES, Fit, Talk, best_slots
from recollect.index.episode.question import Asked, ask
from recollect.index.episode.ranker import Ranker
from recollect.index.episode.repeats import repeats
from recollect.index.episode.speaker import named_speakers
from recollect.index.message_index import ROLES, MessageIndex
from recollect.index.query import MessageFilter, MessageQuery
from recollect.index.recall_in_time import event_stretches, is_named, narrowed, near
from recollect.index.recall_sessions import Candidates, by_session, search_sessions
from recollect.language.time_words import Anchor, Stretch
from recollect.records.hit import EpisodeExplain, EpisodeHit, SessionHit
from recollect.records.message import Message, Role
from recollect.store import messages
from recollect.store.database import Connection

#: Candidates by meaning, and by words.
ARM = 60
#: Candidates beyond the requested number, because some repeat others; and the factor if that is too few.
_SPARE = 5
_MORE = 4
#: Cosine above which two messages may be equal with one word in ten changed, for short and for long ones, and the length
#: of a long one in words. # measured: 0.69 at the least, of 500 messages of 10 to 24 words, and 0.93 of 150 with more than 100
_MIGHT_REPEAT = 0.6
_LONG_MIGHT_REPEAT = 0.8
_LONG = 100
#: Steps to a neighbour across messages that may not be shown.
_MOST_STEPS = 20
#: The feature of the whole stretch of talk.
_TALK = FEATURES.index("stretch_meaning")


class OtherSpeakers(Exception):
    """The question names a speaker that was not known when its vector was made."""

    def __init__(self, speakers: tuple[str, ...]) -> None:
        super().__init__("The question names other speakers than its vector was made without.")
        self.speakers = speakers


@dataclass(frozen=True, slots=True, kw_only=True)
class FoundMessages:
    """Found messages and sessions, best first."""

    episodes: tuple[EpisodeHit, ...] = ()
    sessions: tuple[SessionHit, ...] = ()


def search_episodes(
    ranker: Ranker,
    tx: Connection,
    user_id: str,
    index: MessageIndex,
    question: MessageQuery,
    dates: Mapping[Anchor, Stretch],
) -> FoundMessages:
    """The messages that answer a question, and their sessions; `dates` are the known times of events."""
    found = rank_candidates(ranker, index, question, dates)
    if found is None:
        return FoundMessages()
    episodes = _hits(ranker, tx, user_id, index, question, found) if question.limit else ()
    if not question.sessions:
        return FoundMessages(episodes=episodes)
    sessions = search_sessions(tx, user_id, index, found, question.sessions)
    return FoundMessages(episodes=episodes, sessions=sessions)


def _hits(
    ranker: Ranker,
    tx: Connection,
    user_id: str,
    index: MessageIndex,
    question: MessageQuery,
    found: Candidates,
) -> tuple[EpisodeHit, ...]:
    chosen = _chosen(tx, user_id, index, question, found)
    explain = _Explaining(ranker, index, found, chosen.places)
    scores = _in_order(found.scores, chosen.places)
    hits: dict[int, EpisodeHit] = {}
    for number, ((_, slot), first) in enumerate(zip(chosen.places, chosen.same, strict=True)):
        if first is not None:
            if first in hits:
                hits[first] = replace(hits[first], repeats=(*hits[first].repeats, index.ids[slot]))
        elif len(hits) < question.limit:
            before, after = chosen.neighbours[slot]
            hits[number] = EpisodeHit(
                message=chosen.rows[index.ids[slot]],
                score=scores[number],
                explain=explain.of(number, scores[number]),
                before=chosen.shown(index, before[::-1]),
                after=chosen.shown(index, after),
            )
    return tuple(hits.values())


def _in_order(scores: NDArray[np.float64], places: Sequence[tuple[int, int]]) -> list[float]:
    """The scores in the order of the hits: a hit raised by its session gets the score of those that it passed."""
    own = scores[[place for place, _ in places]]
    return np.maximum.accumulate(own[::-1])[::-1].tolist()


@dataclass(frozen=True, slots=True, kw_only=True)
class _Chosen:
    """The best candidates as places and slots, which ones they repeat, their neighbours, and the rows."""

    places: list[tuple[int, int]]
    same: list[int | None]
    neighbours: Mapping[int, tuple[list[int], list[int]]]
    rows: Mapping[str, Message]

    def shown(self, index: MessageIndex, slots: Sequence[int]) -> tuple[Message, ...]:
        """The rows of some slots that still exist."""
        return tuple(row for slot in slots if (row := self.rows.get(index.ids[slot])) is not None)


def _chosen(
    tx: Connection,
    user_id: str,
    index: MessageIndex,
    question: MessageQuery,
    found: Candidates,
) -> _Chosen:
    """The candidates to show; reads more rows if too many repeat each other."""
    count = question.limit + _SPARE
    while True:
        order = by_session(index, found, count)
        places = [(place, int(found.slots[place])) for place in order]
        neighbours = _neighbours(index, [slot for _, slot in places], question)
        wanted = dict.fromkeys(slot for before, after in neighbours.values() for slot in (*before, *after))
        wanted.update(dict.fromkeys(neighbours))
        rows = messages.get_many(tx, user_id, [index.ids[slot] for slot in wanted])
        places = [(place, slot) for place, slot in places if index.ids[slot] in rows]
        same = _repeats(index, [slot for _, slot in places], rows)
        if same.count(None) >= question.limit or len(order) == len(found.slots):
            return _Chosen(places=places, same=same, neighbours=neighbours, rows=rows)
        count *= _MORE


def _repeats(index: MessageIndex, slots: Sequence[int], rows: Mapping[str, Message]) -> list[int | None]:
    """For each slot the place of an earlier one that it repeats; only texts with similar vectors are compared."""
    places = np.array(slots, dtype=np.intp)
    vectors = index.vectors_of(places)
    unknown = ~index.have_vectors(places)
    length = index.lengths[slots]
    floor = np.where(length > _LONG, _LONG_MIGHT_REPEAT, _MIGHT_REPEAT)
    pairs = vectors @ vectors.T > np.maximum.outer(floor, floor)
    # A text more than twice as long says more.
    pairs &= 2 * np.minimum.outer(length, length) >= np.maximum.outer(length, length)
    alike = np.count_nonzero(pairs, axis=1) > 1
    near: list[int] = np.flatnonzero(alike | unknown).tolist()
    found: list[int | None] = [None] * len(slots)
    for place, first in zip(near, repeats([rows[index.ids[slots[at]]].text for at in near]), strict=True):
        found[place] = near[first] if first is not None else None
    return found


def rank_candidates(
    ranker: Ranker, index: MessageIndex, question: MessageQuery, dates: Mapping[Anchor, Stretch]
) -> Candidates | None:
    """All candidates of a question with their features, best first; None if there are none."""
    names = tuple(name for name in index.names if name)
    named = named_speakers(question.text, names)
    if named != question.speakers:
        raise OtherSpeakers(names)
    visible = index.visible(question.wanted)
    if not visible.any():
        return None
    # "On my birthday last year": a known day replaces the year that contains it.
    held = [stretch for stretch in question.time.stretches if all(event.within != stretch for event in dates)]
    stretches = (*held, *event_stretches(index, question, visible, dates))
    time = replace(question.time, stretches=stretches)
    asked = ask(question.text, named, time, zone_is_known=is_named(question.zone))
    visible = narrowed(visible, index.column("created"), question.time.narrowing, question.zone)
    if asked.only_time:
        visible = near(visible, index.column("created"), asked.time, question.zone)
    fit = Fit(_talk(index, question, asked, visible), asked)
    also = [index.slot_of[message_id] for message_id in question.sources if message_id in index.slot_of]
    slots = fit.candidates(ARM, np.array(also, dtype=np.intp))
    if not len(slots):
        return None
    rough = fit.estimated(slots)
    fit.sharpen(rough, index.cosines_at(rough, question.vector))
    values = fit.values(slots)
    scores = ranker.scores(values)
    order = _best_first(index, slots, np.round(scores, 6))
    return Candidates(
        slots=slots[order],
        values=values[order],
        scores=scores[order],
        talk=ranker.terms(values)[order, _TALK],
        visible=visible,
        fit=fit,
    )


def _best_first(
    index: MessageIndex, slots: NDArray[np.intp], scores: NDArray[np.float64]
) -> NDArray[np.intp]:
    """The order of the scores; equal ones by id, so that the order does not depend on how the index was built."""
    order = np.argsort(-scores, kind="stable")
    ends: list[int] = (np.flatnonzero(np.diff(scores[order])) + 1).tolist()
    for start, end in itertools.pairwise([0, *ends, len(order)]):
        if end - start > 1:
            order[start:end] = sorted(order[start:end], key=lambda place: index.ids[slots[place]])
    return order


def _talk(index: MessageIndex, question: MessageQuery, asked: Asked, visible: NDArray[np.bool_]) -> Talk:
    speaks: NDArray[np.bool_] | None = None
    if asked.speaker is not None:
        speaks = index.column("speaker") == index.names.index(asked.speaker)
    elif asked.about_user:
        speaks = index.column("role") == ROLES[Role.USER]
    bm25, masks, idf = index.matches(asked.words)
    heard = best_slots(bm25, visible & (bm25 > 0), ARM)
    near = index.meaning(question.vector, heard, visible)
    return Talk(
        cosine=near.cosines,
        bm25=bm25,
        visible=visible,
        heard=heard,
        nearest=near.exact,
        before=index.before,
        after=index.after,
        stretch=index.column("stretch"),
        runs=index.runs,
        length=index.lengths,
        asks=index.column("asks"),
        asked_speaks=speaks,
        holds_kind=index.holding(asked.kind) if asked.kind else None,
        created=index.column("created"),
        masks=masks,
        idf=idf,
    )


def _neighbours(
    index: MessageIndex, slots: Sequence[int], question: MessageQuery
) -> dict[int, tuple[list[int], list[int]]]:
    """For each slot the messages before and after it that are shown with it."""
    walk, before, after = _Walk(index, question.wanted), index.before, index.after
    if question.only_questions:
        asks = index.column("asks")
        return {slot: ([step for step in walk.steps(before, slot, 1) if asks[step]], []) for slot in slots}
    most = question.neighbours
    return {slot: (walk.steps(before, slot, most), walk.steps(after, slot, most)) for slot in slots}


class _Walk:
    """Walks from a message to its neighbours, across messages that may not be shown."""

    def __init__(self, index: MessageIndex, wanted: MessageFilter) -> None:
        self._created = index.column("created")
        self._role = index.column("role")
        self._spoken = {ROLES[role] for role in wanted.roles}
        self._until = wanted.until

    def steps(self, links: NDArray[np.int32], slot: int, most: int) -> list[int]:
        """The neighbours on one side, at most `most`, and none after the end of the question's period."""
        found: list[int] = []
        for _ in range(_MOST_STEPS):
            slot = int(links[slot]) if len(found) < most else -1
            if slot < 0 or (self._until is not None and self._created[slot] >= self._until):
                break
            if int(self._role[slot]) in self._spoken:
                found.append(slot)
        return found


class _Explaining:
    """Explains the ranks of the chosen candidates; converts their numbers from NumPy together, which is far faster."""

    def __init__(
        self, ranker: Ranker, index: MessageIndex, found: Candidates, chosen: Sequence[tuple[int, int]]
    ) -> None:
        places = [place for place, _ in chosen]
        self._slots = [slot for _, slot in chosen]
        self._fit = found.fit
        self._ranks = found.fit.ranks()
        self._scores: list[float] = found.scores[places].tolist()
        self._values: list[list[float]] = found.values[places].tolist()
        self._terms: list[list[float]] = ranker.terms(found.values[places]).tolist()

    def of(self, number: int, score: float) -> EpisodeExplain:
        """The reasons for one candidate, by its number among the chosen, and for its final score."""
        slot = self._slots[number]
        cosine, bm25 = self._fit.raw(slot)
        terms = dict(zip(FEATURES, self._terms[number], strict=True))
        return EpisodeExplain(
            terms={**terms, "theme": score - self._scores[number]},
            values=dict(zip(FEATURES, self._values[number], strict=True)),
            # Less than any: it was not compared.
            cosine=None if cosine <= -1 else cosine,
            bm25=bm25,
            vector_rank=self._ranks["vector"].get(slot),
            text_rank=self._ranks["text"].get(slot),
        )
