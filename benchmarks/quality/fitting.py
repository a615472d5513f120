"""Fitting: the weights of the ranker of episodes from labelled questions, and how well they do on questions not fitted on.

The candidates and their features come from the product itself, once a question; every fit after that is arithmetic over them.
Each data set counts as much as any other, however many questions it has. Data sets with a question in common are left out
together, and such questions are in one fold: else the answer would be known. It chooses no strength: that is for people,
who read the tables. Recall is that of the candidates' order, before near-identical ones are folded into one.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any
from zlib import crc32

import numpy as np
from numpy.typing import NDArray

from benchmarks.quality.choice import PRIOR, Labelled, fit
from benchmarks.quality.dataset import Dataset, Level, labelled
from benchmarks.quality.measures import Score, recall_at, score, summarise
from benchmarks.quality.replay import Due, Spent, Workbench, replay
from benchmarks.quality.report import counted
from benchmarks.quality.run import Progress, Task, no_progress
from recollect.engine.parts import Parts
from recollect.engine.recall import WantedEpisodes, ask
from recollect.errors import InvalidInput
from recollect.index.answer import Question
from recollect.index.episode.features import FEATURES
from recollect.index.episode.ranker import Ranker
from recollect.index.query import MemoryFilter, MessageFilter
from recollect.index.recall_episodes import rank_candidates
from recollect.store import users
from recollect.store.database import Connection

FOLDS = 4
#: Questions that are sure to be in several folds, since chance decides: all of ten are in one in 1 of 260,000 cases.
ENOUGH = 10
#: The place down to which a fit is judged.
FIRST = 10
#: Of the file of weights.
VERSION = 1
_MEASURE = recall_at(FIRST)


@dataclass(frozen=True, slots=True, kw_only=True)
class Judged:
    """One question with its candidates."""

    conversation: str
    question: str
    text: str
    category: str
    evidence: tuple[str, ...]
    #: The turn of each candidate.
    turns: tuple[str, ...]
    labelled: Labelled


@dataclass(frozen=True, slots=True, kw_only=True)
class FitSet:
    """The questions of one data set."""

    name: str
    part: str
    licence: str
    questions: tuple[Judged, ...]


async def gather(
    bench: Workbench, dataset: Dataset, work: Sequence[Task], *, progress: Progress = no_progress
) -> FitSet:
    """The candidates of every question with labelled turns, with their features."""
    found: list[Judged] = []
    tasks = [(task, [item for item in task.questions if labelled(item, Level.TURN)]) for task in work]
    done, total = 0, sum(len(questions) for _, questions in tasks)
    progress(0, total)
    for task, questions in tasks:
        async for due in replay(bench, task.conversation, questions, Spent()):
            found.append(await _judged(bench, task, due))
            done += 1
            progress(done, total)
    return FitSet(
        name=dataset.name, part=dataset.part, licence=dataset.licence, questions=tuple(_weighted(found))
    )


async def _judged(bench: Workbench, task: Task, due: Due) -> Judged:
    parts, user_id = await bench.inside(due.user)
    ids, values = await values_for(parts, user_id, due.question.question, due.at)
    turns = tuple(due.turn_of[id] for id in ids)
    evidence = set(due.question.evidence)
    relevant = np.array([turn in evidence for turn in turns], dtype=np.bool_)
    return Judged(
        conversation=task.conversation.id,
        question=due.question.id,
        text=due.question.question,
        category=due.question.category,
        evidence=due.question.evidence,
        turns=turns,
        labelled=Labelled(values=values, relevant=relevant),
    )


async def values_for(
    parts: Parts, user_id: str, query: str, at: datetime
) -> tuple[tuple[str, ...], NDArray[np.float64]]:
    """The messages that recall chooses from for a question, with their features: its own path, without the choice."""

    def load(question: Question, tx: Connection) -> tuple[tuple[str, ...], NDArray[np.float64]]:
        state, nothing = users.state(tx, user_id), ((), np.zeros((0, len(FEATURES))))
        if state is None or question.episodes is None:
            return nothing
        with parts.indexes.messages_of(tx, user_id, state) as index:
            # No dates of events: these users have no memories.
            found = rank_candidates(parts.ranker, index, question.episodes, {})
            if found is None:
                return nothing
            slots: list[int] = found.slots.tolist()
            return tuple(index.ids[slot] for slot in slots), found.values

    return await ask(
        parts,
        query.strip(),
        user_id=user_id,
        wanted=MemoryFilter(),
        limit=1,
        now=at,
        episodes=WantedEpisodes(limit=1, wanted=MessageFilter(), now=at),
        read=lambda question: parts.database.read(user_id, partial(load, question)),
    )


def _weighted(found: Sequence[Judged]) -> Iterator[Judged]:
    """Questions of a set share a weight of 1."""
    for item in found:
        yield replace(item, labelled=replace(item.labelled, weight=1 / len(found)))


def fitted(questions: Sequence[Judged], *, strength: float) -> Ranker:
    """The weights that these questions ask for."""
    return fit([item.labelled for item in questions], strength=strength)


def recall(ranker: Ranker, questions: Sequence[Judged]) -> float:
    """The mean recall among the first ten; 0 without questions."""
    scores = [_score(ranker, item) for item in questions]
    return summarise(scores, [_MEASURE]).estimates[_MEASURE.name].mean if scores else 0.0


def _score(ranker: Ranker, item: Judged) -> Score:
    order: list[int] = np.argsort(-ranker.scores(item.labelled.values), kind="stable").tolist()
    return score(
        [item.turns[place] for place in order],
        item.evidence,
        conversation=item.conversation,
        question=item.question,
        category=item.category,
    )


def cross_validated(sets: Sequence[FitSet], *, strength: float, folds: int = FOLDS) -> list[float | None]:
    """For each set the recall of its questions, each ranked by weights that were fitted without its fold."""
    every = [item for each in sets for item in each.questions]
    if len({_fold(item, folds) for item in every}) < 2:
        raise InvalidInput(
            f"{counted(len(every), 'labelled question')} {'is' if len(every) == 1 else 'are'} too few to fit weights to: some"
            f" are left out in turn, to measure by. Label at least {ENOUGH}; a hundred are still few.",
            field="data",
        )
    rankers = [
        fitted([item for item in every if _fold(item, folds) != fold], strength=strength)
        for fold in range(folds)
    ]
    return [
        float(np.mean([_score(rankers[_fold(item, folds)], item).recall(FIRST) for item in each.questions]))
        if each.questions
        else None
        for each in sets
    ]


def left_out(sets: Sequence[FitSet], measured: FitSet, *, strength: float) -> float | None:
    """The recall on one set of weights that were fitted without it; None when nothing else is left to fit on."""
    known = {item.text for item in measured.questions}
    others = [
        item
        for each in sets
        if each is not measured and known.isdisjoint(item.text for item in each.questions)
        for item in each.questions
    ]
    return recall(fitted(others, strength=strength), measured.questions) if others else None


def weights_file(ranker: Ranker, sets: Sequence[FitSet], *, strength: float) -> str:
    """The text of the package's file of weights; the same for the same weights."""
    told: dict[str, Any] = {
        "version": VERSION,
        "weights": dict(ranker.weights),
        "prior": dict(PRIOR),
        "strength": strength,
        "data": [
            {
                "name": each.name,
                "part": each.part,
                "licence": each.licence,
                "questions": len(each.questions),
            }
            for each in sets
        ],
    }
    return json.dumps(told, indent=2) + "\n"


def _fold(item: Judged, folds: int) -> int:
    """By the words of the question, so that it is in one fold whichever set it is in, and the same in every run."""
    return crc32(item.text.encode()) % folds
