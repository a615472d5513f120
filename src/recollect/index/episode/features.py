"""The features of a candidate: thirteen numbers between 0 and 1, each of which means the same in every kind of talk.

More is always more relevant, so a ranker needs no negative weight and a message that is more similar never ranks lower.
Role, length and question marks are no features: between two people they mean something else than between a user and an
assistant, and weights learned on one kind failed on the other. What they are good for is asked directly: whether somebody
speaks whom the question is about, whether a message is too short to stand alone, whether it answers a question. Scores of
an arm are set against the best of their own question. Pure arithmetic over arrays, a value a slot of the index.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from recollect.index.episode.question import Asked
from recollect.language.time_words import closeness

Floats = NDArray[np.float32]
Slots = NDArray[np.intp]
#: A bit for each word that a text holds, in as many bits as there are words, or more.
Masks = NDArray[np.unsignedinteger[Any]]

#: What each feature says, in the order of the columns.
MEANINGS = {
    "meaning": "cosine of the question to the message; 0: the average of all messages, 1: the nearest",
    "words": "BM25 of the question's words in the message; 1: the best of all messages",
    "coverage": "share of the question's words that the message holds; rare words count more",
    "passage": "the same for the message with its neighbours, the more so the shorter it is",
    "speaker": "1: the one whom the question is about speaks; 0: somebody else does; 0.5: nobody in particular is meant",
    "kind": "1: the message holds a number or a word of time, and the question asks for one; 0: it holds none; 0.5: no such thing is asked for",
    "stretch_best": "how well the best message of the same stretch of talk fits",
    "stretch_meaning": "how near the stretch of talk is as a whole; a third of it, unless the question goes on with a talk",
    "answers": "a short message after a question that fits",
    "echo": "a short message before something that fits",
    "time": "how near the message is to the time that the question names, or was told soon after it",
    "inside": "1: the message is inside the time that the question names",
    "lately": "how recent the stretch of talk is, when the question goes on with a talk or asks for the newest; how early, when it asks for the first",
}
FEATURES = tuple(MEANINGS)

#: Words at which a message leans on its neighbours by half. # measured: benchmarks/fit_episodes.py; 8 to 20 are alike
_SHORT = 12.0
#: The weight of the whole stretch of talk for a bare question, which asks for one message; someone who continues a talk
#: means all of it. # measured: 0 to 0.5 are alike, 1 costs 1 to 3 points
_WHOLE_TALK = 1 / 3
#: Stretches of talk after which something counts half as recent. In stretches, not days: people talk hourly or monthly.
_LATELY = 15.0
#: How many times as many of the best are looked at for what stands beside them.
_BESIDE = 4
#: Scores from which it is told how high the best ones are, at least; and how many of them must be so high. Told by two, one
#: floor in eight is above what is looked for, and everything must be sorted after all; told by four, one in fifty.
_SAMPLE = 1024
_TELLING = 4


@dataclass(frozen=True, slots=True, kw_only=True)
class Runs:
    """Messages of one stretch of talk that stand together: stretches are long, so that few runs stand for all messages."""

    #: Where each run begins, how long it is, and which stretch it belongs to.
    starts: Slots
    lengths: Slots
    stretch: Slots
    #: Messages of each stretch.
    sizes: Slots

    @staticmethod
    def of(stretch: NDArray[np.int32]) -> "Runs":
        """The runs of messages whose stretches these are."""
        changes = np.flatnonzero(stretch[1:] != stretch[:-1]) + 1
        starts = np.append(0, changes)[: len(stretch)]
        lengths = np.diff(starts, append=len(stretch))
        return Runs(
            starts=starts,
            lengths=lengths,
            stretch=stretch[starts].astype(np.intp),
            sizes=np.bincount(stretch).astype(np.intp),
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Talk:
    """What an index knows of all messages for one question; every array has a value a slot."""

    #: To the question's topic; -1: no vector yet.
    cosine: NDArray[np.float32]
    bm25: Floats
    #: Which may be returned.
    visible: NDArray[np.bool_]
    #: Slots: the best by words, and those among which the best by meaning are; None: they may be anywhere.
    heard: Slots
    nearest: Slots | None
    #: Neighbours in the chat; -1: none.
    before: NDArray[np.int32]
    after: NDArray[np.int32]
    #: Number of the stretch of talk, a session in a chat.
    stretch: NDArray[np.int32]
    runs: Runs
    #: Words.
    length: NDArray[np.float32]
    #: Whether it ends with a question.
    asks: NDArray[np.bool_]
    #: Whether the one whom the question is about speaks; None: nobody in particular is meant.
    asked_speaks: NDArray[np.bool_] | None
    #: Whether the message holds the kind of thing that is asked for; None: it can be anything.
    holds_kind: NDArray[np.bool_] | None
    #: Milliseconds since 1970.
    created: NDArray[np.float64]
    #: A bit for each word of the question that the message holds, and what each word weighs.
    masks: Masks
    idf: NDArray[np.float64]


class Fit:
    """How well messages fit a question, before single candidates are looked at."""

    def __init__(self, talk: Talk, asked: Asked) -> None:
        self._talk = talk
        self._asked = asked
        hidden = ~talk.visible
        signed, self._scale = _against_best(talk.cosine, hidden | (talk.cosine <= -1))
        self.meaning: Floats = signed.clip(0.0, 1.0)
        self.words: Floats = talk.bm25 / max(float(talk.bm25[talk.heard].max(initial=0.0)), 1e-9)
        np.copyto(self.words, 0.0, where=hidden)
        #: Meaning and words together; nothing where nothing may be seen.
        self._both: Floats = self.meaning + self.words
        self._best = np.zeros(len(talk.runs.sizes), dtype=np.float32)
        self._stretch_meaning = self._best
        if len(talk.visible):
            best = np.maximum.reduceat(self._both, talk.runs.starts) / 2
            np.maximum.at(self._best, talk.runs.stretch, best)
            self._stretch_meaning = self._means(signed)
        #: What the arms of meaning and of words brought, once candidates were asked for.
        self._arms: dict[str, Slots] = {}
        self.time: Floats | None = None
        if asked.time.stretches:
            self.time = closeness(talk.created, asked.time, shortly_before=asked.only_time).astype(np.float32)

    def _means(self, signed: Floats) -> Floats:
        """The mean of each stretch, against the best mean."""
        runs, hidden = self._talk.runs, self._talk.stretch[~self._talk.visible]
        count = runs.sizes - np.bincount(hidden, minlength=len(runs.sizes))
        total = np.bincount(runs.stretch, np.add.reduceat(signed, runs.starts), len(runs.sizes))
        mean = total / np.maximum(count, 1.0)
        return np.clip(mean / max(float(mean.max(initial=0.0)), 1e-9), 0.0, 1.0).astype(np.float32)

    def candidates(self, count: int, also: Slots) -> Slots:
        """The best of every arm: by meaning, by words, with neighbours, by both together, and within the time named.

        `also` are those that something else brought: the sources of memories about the entities that are asked for.
        """
        visible, runs = self._talk.visible, self._talk.runs
        blend = self._both + np.repeat(self._best[runs.stretch] / 2, runs.lengths)
        if self._talk.asked_speaks is not None:
            blend += np.float32(0.3) * self._talk.asked_speaks
        if self.time is not None:
            blend += self.time
        self._arms = {
            "vector": self._nearest(count),
            "text": self._talk.heard,
        }
        arms = [*self._arms.values(), self._best_around(count)]
        arms += [best_slots(blend, visible, 4 * count), also[visible[also]]]
        if self.time is not None:
            arms.append(best_slots(blend, visible & (self.time > 0.5), count))
        return np.unique(np.concatenate(arms))

    def _nearest(self, count: int) -> Slots:
        visible, among = self._talk.visible, self._talk.nearest
        if among is None:
            return best_slots(self.meaning, visible, count)
        return among[best_slots(self.meaning[among], visible[among], count)]

    def estimated(self, slots: Slots) -> Slots:
        """Those of some candidates whose cosine is an estimate so far."""
        nearest = self._talk.nearest
        return slots[:0] if nearest is None else np.setdiff1d(slots, nearest, assume_unique=True)

    def sharpen(self, slots: Slots, cosines: Floats) -> None:
        """The cosines of some visible candidates, now exact: which of two is nearer must not hang on an estimate."""
        self._talk.cosine[slots] = cosines
        self.meaning[slots] = self._scale.read(cosines.copy()).clip(0.0, 1.0)

    def ranks(self) -> dict[str, dict[int, int]]:
        """The places of those that the arms of meaning and of words brought, from 1, by slot."""
        scores = {"vector": self.meaning, "text": self.words}
        return {name: _places(scores[name], slots) for name, slots in self._arms.items()}

    def raw(self, slot: int) -> tuple[float, float]:
        """Cosine and BM25 of one message, as they are."""
        return float(self._talk.cosine[slot]), float(self._talk.bm25[slot])

    def _best_around(self, count: int) -> Slots:
        """The best by a message's fit with half of its neighbours', among the best and those beside them.

        Whatever else could come so far has a neighbour that fits; looking at all would be two walks over everything.
        """
        talk, fit = self._talk, self._both
        found = best_slots(fit, talk.visible, _BESIDE * count)
        beside = np.concatenate((talk.before[found], talk.after[found])).astype(np.intp)
        near = np.unique(np.concatenate((found, beside[beside >= 0])))
        near = near[talk.visible[near]]
        around = fit[near] + (_at(fit, talk.before[near]) + _at(fit, talk.after[near])) * np.float32(0.5)
        return near[best_slots(around, np.ones(len(near), dtype=np.bool_), count)]

    def values(self, slots: Slots) -> NDArray[np.float64]:
        """The features of candidates, a row each."""
        talk = self._talk
        before, after = self._neighbour(talk.before, slots), self._neighbour(talk.after, slots)
        leaning = 1.0 / (1.0 + talk.length[slots] / _SHORT)
        coverage = share(talk.masks[slots], talk.idf)
        together = share(talk.masks[slots] | _mask(talk.masks, before) | _mask(talk.masks, after), talk.idf)
        answered = np.where(before >= 0, talk.asks[before], False)
        columns = {
            "meaning": self.meaning[slots],
            "words": self.words[slots],
            "coverage": coverage,
            "passage": coverage + leaning * (together - coverage),
            "speaker": 0.5 if talk.asked_speaks is None else talk.asked_speaks[slots],
            "kind": 0.5 if talk.holds_kind is None else talk.holds_kind[slots],
            "stretch_best": self._best[talk.stretch[slots]],
            "stretch_meaning": self._stretch_meaning[talk.stretch[slots]]
            * (1.0 if self._asked.goes_on else _WHOLE_TALK),
            "answers": np.minimum(leaning * answered * self._fit_at(before), 1.0),
            "echo": np.minimum(leaning * self._fit_at(after), 1.0),
            "time": 0.0 if self.time is None else self.time[slots],
            "inside": self._inside(slots),
            "lately": self._lately(slots) if self._asked.lately or self._asked.first else 0.0,
        }
        values = np.empty((len(slots), len(FEATURES)))
        for column, name in enumerate(FEATURES):
            values[:, column] = columns[name]
        return values

    def _fit_at(self, slots: NDArray[np.int32]) -> Floats:
        return _at(self.meaning, slots) + _at(self.words, slots)

    def _neighbour(self, links: NDArray[np.int32], slots: Slots) -> NDArray[np.int32]:
        """The neighbour in the same stretch of talk; what was said days before is none, nor what may not be seen."""
        found = links[slots]
        near = self._talk.visible[found] & (self._talk.stretch[found] == self._talk.stretch[slots])
        return np.where((found >= 0) & near, found, -1).astype(np.int32)

    def _inside(self, slots: Slots) -> NDArray[np.float64]:
        created, edge = self._talk.created[slots], self._asked.edge.total_seconds() * 1000
        inside = np.zeros(len(slots))
        for stretch in self._asked.time.stretches:
            start, end = stretch.start.timestamp() * 1000, stretch.end.timestamp() * 1000
            inside[(created >= start - edge) & (created < end + edge)] = 1.0
        return inside

    def _lately(self, slots: Slots) -> NDArray[np.float64]:
        talk = self._talk
        starts = np.full(len(self._best), np.inf)
        begun = np.minimum.reduceat(np.where(talk.visible, talk.created, np.inf), talk.runs.starts)
        np.minimum.at(starts, talk.runs.stretch, begun)
        heard = np.flatnonzero(np.isfinite(starts))
        away = np.arange(len(heard)) if self._asked.first else np.arange(len(heard))[::-1]
        distance = np.zeros(len(starts))
        distance[heard[np.argsort(starts[heard], kind="stable")]] = away
        return np.exp2(-distance[talk.stretch[slots]] / _LATELY)


class _Scale(NamedTuple):
    """How a cosine is read: 0 for the average of a question's cosines, 1 for the best."""

    mean: float
    factor: float

    def read(self, cosines: Floats) -> Floats:
        """Turn cosines into what they say, in place: each of these passes may go over every message."""
        cosines -= np.float32(self.mean)
        cosines *= np.float32(self.factor)
        return cosines.clip(-1.0, 1.0, out=cosines)


def _against_best(cosines: Floats, hidden: NDArray[np.bool_]) -> tuple[Floats, _Scale]:
    """What cosines say, 0 for what is hidden, and the scale by which they say it."""
    count = len(cosines) - np.count_nonzero(hidden)
    if not count:
        return np.zeros(len(cosines), dtype=np.float32), _Scale(0.0, 0.0)
    held = cosines.copy()
    np.copyto(held, 0.0, where=hidden)
    # Summed with 64 bits: the order of messages must not show in the mean.
    mean = float(held.sum(dtype=np.float64)) / count
    best = float(held.max())
    if best <= 0.0:
        # Whatever is hidden is 0 there.
        best = float(cosines[~hidden].max())
    scale = _Scale(mean, 1.0 / max(best - mean, 1e-9))
    scale.read(held)
    np.copyto(held, 0.0, where=hidden)
    return held, scale


def best_slots(scores: Floats | NDArray[np.float64], mask: NDArray[np.bool_], count: int) -> Slots:
    """The best slots where the mask allows, in no order; with all that are as good as the last, up to as many again.

    Which of equals are taken must not depend on the slots that they happen to have. More equals than that are a flood of
    one message, of which any will do.
    """
    allowed = np.flatnonzero(mask & (scores >= _floor(scores, mask, count)))
    if len(allowed) < count:
        allowed = np.flatnonzero(mask)
    if len(allowed) <= count:
        return allowed
    held = scores[allowed]
    last = np.partition(held, -count)[-count]
    better, equal = allowed[held > last], allowed[held == last]
    return np.concatenate((better, equal[: 2 * count - len(better)]))


def _floor(scores: Floats | NDArray[np.float64], mask: NDArray[np.bool_], count: int) -> float:
    """A score that about four times as many reach, told by a sample: sorting the few above it is all that is left."""
    step = min(len(scores) // _SAMPLE, 4 * count // _TELLING)
    if step < 2:
        return -np.inf
    few = 4 * count // step
    # Without what is masked out: many equal numbers take ten times as long to sort.
    sample = scores[::step][mask[::step]]
    if few >= len(sample):
        return -np.inf
    sample.partition(-few)
    return float(sample[-few])


def _places(scores: Floats, slots: Slots) -> dict[int, int]:
    held = slots[scores[slots] > 0]
    order: list[int] = held[np.argsort(-scores[held], kind="stable")].tolist()
    return {slot: place for place, slot in enumerate(order, 1)}


def _at(values: Floats, slots: NDArray[np.int32]) -> Floats:
    """Values of these slots; 0 where there is none."""
    # Clipped, because that is twice as fast as letting -1 mean the last.
    return np.take(values, slots, mode="clip") * (slots >= 0)


def _mask(masks: Masks, slots: NDArray[np.int32]) -> Masks:
    return np.where(slots >= 0, masks[slots], masks.dtype.type(0))


def share(masks: Masks, idf: NDArray[np.float64]) -> NDArray[np.float64]:
    """Which share of the weight of all words the bits stand for."""
    if not len(idf):
        return np.zeros(len(masks))
    bits = (masks.astype(np.uint64)[:, None] >> np.arange(len(idf), dtype=np.uint64)) & np.uint64(1)
    return (bits.astype(np.float64) @ idf) / idf.sum()
