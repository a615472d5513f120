"""Tests of evaluation/fitting.py."""

import asyncio
import json
from pathlib import Path

import numpy as np
import pytest
from conftest import FakeEmbedder

from benchmarks.quality.fitting import (
    FitSet,
    Judged,
    cross_validated,
    fitted,
    gather,
    left_out,
    recall,
    weights_file,
)
from benchmarks.quality.replay import workbench
from benchmarks.quality.run import tasks
from recollect import Settings
from recollect.errors import InvalidInput
from recollect.index.episode.features import FEATURES
from recollect.index.episode.ranker import PRIOR, Labelled, Ranker

from . import tiny

#: Candidates of a made-up question: enough that the first ten are a choice.
CANDIDATES = 30


def _judged(number: int, telling: str, *, text: str | None = None) -> Judged:
    """A question whose answer only one feature tells; all others are noise."""
    dice = np.random.default_rng(number)
    values = dice.random((CANDIDATES, len(FEATURES))) * 0.9
    column = FEATURES.index(telling)
    values[:, column] *= 0.3
    answer = number % CANDIDATES
    values[answer, column] = 1.0
    relevant = np.zeros(CANDIDATES, dtype=np.bool_)
    relevant[answer] = True
    return Judged(
        conversation="c",
        question=f"q{number}",
        text=text or f"Which one is number {number}?",
        category="",
        evidence=(f"t{answer}",),
        turns=tuple(f"t{place}" for place in range(CANDIDATES)),
        labelled=Labelled(values=values, relevant=relevant, weight=1 / 40),
    )


def _set(name: str, telling: str, first: int = 0, count: int = 40) -> FitSet:
    questions = tuple(_judged(number, telling) for number in range(first, first + count))
    return FitSet(name=name, part="dev", licence="CC0", questions=questions)


def test_a_fit_finds_what_tells() -> None:
    """The feature that tells gets the most weight, and more answers are found than with equal weights."""
    held = _set("one", "words")
    ranker = fitted(held.questions, strength=0.001)
    assert max(ranker.weights, key=ranker.weights.__getitem__) == "words"
    assert recall(ranker, held.questions) > recall(Ranker(weights=PRIOR), held.questions)
    assert fitted(held.questions, strength=0.001) == ranker


def test_cross_validation_ranks_by_other_questions() -> None:
    """What holds for all questions survives the leaving out; noise that was learned by heart does not."""
    honest = _set("one", "words")
    [kept] = cross_validated([honest], strength=0.001)
    assert kept is not None
    assert kept > recall(Ranker(weights=PRIOR), honest.questions)
    dice = np.random.default_rng(1)
    noise = [
        Judged(
            conversation=item.conversation,
            question=item.question,
            text=item.text,
            category="",
            evidence=item.evidence,
            turns=item.turns,
            labelled=Labelled(
                values=dice.random((CANDIDATES, len(FEATURES))), relevant=item.labelled.relevant, weight=1.0
            ),
        )
        for item in honest.questions
    ]
    learned = FitSet(name="noise", part="", licence="", questions=tuple(noise))
    by_heart = recall(fitted(noise, strength=0.0001), noise)
    [honestly] = cross_validated([learned], strength=0.0001)
    assert honestly is not None
    assert honestly < by_heart


def test_too_few_questions_to_leave_any_out() -> None:
    """A single question cannot be judged by others; how many are needed is told."""
    with pytest.raises(InvalidInput, match=r"1 labelled question is too few .* Label at least 10"):
        cross_validated([_set("one", "words", count=1)], strength=0.1)


def test_leaving_a_set_out() -> None:
    """A set is measured by what the others ask for; without others there is nothing to say."""
    same, other, own = _set("a", "words"), _set("b", "time", 100), _set("c", "words", 200)
    assert left_out([own], own, strength=0.001) is None
    taught, misled = left_out([same, own], own, strength=0.001), left_out([other, own], own, strength=0.001)
    assert taught is not None
    assert misled is not None
    assert taught > misled


def test_a_set_with_the_same_questions_is_left_out_too() -> None:
    """Two files of one source do not vouch for each other."""
    one, again = _set("a", "words"), _set("b", "words")
    assert left_out([one, again], one, strength=0.1) is None


def test_the_file_of_weights() -> None:
    """It holds what it was made of and how, the same on every run, and the ranker reads it."""
    held = _set("one", "words")
    ranker = fitted(held.questions, strength=0.1)
    text = weights_file(ranker, [held], strength=0.1)
    told = json.loads(text)
    assert Ranker.parse(text) == ranker
    assert (told["version"], told["strength"], told["prior"]) == (1, 0.1, dict(PRIOR))
    assert told["data"] == [{"name": "one", "part": "dev", "licence": "CC0", "questions": 40}]
    assert text == weights_file(ranker, [held], strength=0.1)


def test_candidates_come_from_the_product(embedder: FakeEmbedder, tmp_path: Path) -> None:
    """Each labelled question has candidates with features, those with the evidence marked; a set weighs 1."""

    async def run() -> FitSet:
        dataset = tiny.dataset(tmp_path)
        async with workbench(embedder=embedder, settings=Settings()) as bench:
            return await gather(bench, dataset, tasks(dataset))

    found = asyncio.run(run())
    by_id = {item.question: item for item in found.questions}
    assert by_id.keys() == {"q1", "q2", "q3", "q5"}
    third = by_id["q3"].labelled
    assert third.values.shape == (len(by_id["q3"].turns), len(FEATURES))
    marked = {turn for turn, mark in zip(by_id["q3"].turns, third.relevant, strict=True) if mark}
    assert marked == {"c:1", "c:2"}
    assert not by_id["q5"].labelled.relevant.any()
    assert sum(item.labelled.weight for item in found.questions) == pytest.approx(1.0)
