"""Tests of evaluation/run.py."""

import asyncio
import json
from pathlib import Path
from typing import Any

from conftest import FakeEmbedder

from benchmarks.quality.baselines import Baselines
from benchmarks.quality.dataset import Dataset, read
from benchmarks.quality.replay import workbench
from benchmarks.quality.report import Evaluation
from benchmarks.quality.run import OURS, evaluate, tasks
from recollect import Settings

from . import tiny


def _evaluated(
    embedder: FakeEmbedder, dataset: Dataset, database: str | None = None, **options: Any
) -> Evaluation:
    async def run() -> Evaluation:
        async with workbench(database, embedder=embedder, settings=Settings()) as bench:
            return await evaluate(bench, dataset, tasks(dataset), **options)

    return asyncio.run(run())


def test_the_product_finds_what_was_said(embedder: FakeEmbedder, tmp_path: Path, database_url: str) -> None:
    """On both databases the evidence comes back; what was not said yet, does not."""
    found = _evaluated(embedder, tiny.dataset(tmp_path), database_url)
    ranks = {score.question: score.ranks for score in found.own.turns}
    assert ranks["q1"] == (1,)
    assert ranks["q2"] == (1,)
    assert ranks["q3"][0] == 1
    assert ranks["q5"] == (None,)
    assert found.unreachable == 1
    sessions = {score.question: score.ranks for score in found.own.sessions}
    assert sessions["q3"] == (1,)
    ranked = {score.question: score.ranks for score in found.own.ranked_sessions}
    assert ranked.keys() == sessions.keys()
    assert ranked["q3"] == (1,)
    assert ranked["q5"] == (None,)


def test_baselines_stand_beside_it(embedder: FakeEmbedder, tmp_path: Path) -> None:
    """Every baseline was asked the same questions, and sees no session that comes later."""
    found = _evaluated(embedder, tiny.dataset(tmp_path))
    assert [system.name for system in found.systems] == [OURS, *Baselines.NAMES]
    for system in found.systems:
        ranks = {score.question: score.ranks for score in system.turns}
        assert ranks.keys() == {"q1", "q2", "q3", "q5"}
        assert ranks["q5"] == (None,)


def test_costs_are_taken(embedder: FakeEmbedder, tmp_path: Path) -> None:
    """Storing, indexing and every query are timed, and what the first hits would cost a model is counted."""
    seen: list[tuple[int, int]] = []
    found = _evaluated(
        embedder, tiny.dataset(tmp_path), progress=lambda done, total: seen.append((done, total))
    )
    assert (found.own.ingest_seconds or 0) > 0
    assert (found.own.index_seconds or 0) > 0
    assert len(found.own.query_seconds) == len(found.own.tokens) == 4
    assert max(found.own.tokens) > max(len(text["text"].split()) for text in tiny.SESSIONS[0]["turns"])
    assert seen == [(done, 4) for done in range(5)]


def test_tasks_are_what_can_be_judged(tmp_path: Path) -> None:
    """Questions without an answer are left out, and limits count from the beginning."""
    dataset = tiny.dataset(tmp_path)
    [task] = tasks(dataset)
    assert [question.id for question in task.questions] == ["q1", "q2", "q3", "q5"]
    [task] = tasks(dataset, questions=2, conversations=5)
    assert [question.id for question in task.questions] == ["q1", "q2"]
    unlabelled = tiny.dataset(tmp_path, questions=[tiny.question("q", "Why?")])
    assert tasks(unlabelled) == []


def test_a_limit_spans_conversations(tmp_path: Path) -> None:
    """The rest of the limit goes to the next conversation, and none is told for nothing."""
    once = tiny.document()["conversations"][0]
    data = tiny.document()
    data["conversations"] = [{**once, "id": id} for id in ("c1", "c2", "c3")]
    path = tiny.file(tmp_path)
    path.write_text(json.dumps(data), "utf-8")
    found = tasks(read(path), questions=5)
    assert [(task.conversation.id, len(task.questions)) for task in found] == [("c1", 4), ("c2", 1)]
