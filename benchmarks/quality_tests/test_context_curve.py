"""Tests of evaluation/context_curve.py."""

import asyncio
from pathlib import Path

from conftest import FakeEmbedder

from benchmarks.quality.context_curve import Point, curve, shown
from benchmarks.quality.replay import FIRST_DAY, Due, workbench
from benchmarks.quality.run import tasks
from recollect import Settings
from recollect.context import Context
from recollect.context.line import Line, Section, SectionName

from . import tiny


def _context(*lines: Line) -> Context:
    section = Section(name=SectionName.RECALL, tokens=9, lines=lines)
    return Context(
        chat_id=None, budget=500, tokens=9, sections=(section,), dropped=(), tail=(), question="", asked=None, pins=(), summaries=(),
    )  # fmt: skip


def _line(text: str, *sources: str) -> Line:
    return Line(text=text, tokens=1, why="a test", sources=sources)


def _due(tmp_path: Path) -> Due:
    return Due(
        question=tiny.dataset(tmp_path).conversations[0].questions[0],
        user="u",
        at=FIRST_DAY,
        sessions=1,
        turn_of={"m1": "t1", "m2": "t2", "m3": "t3", "m4": "t3"},
        tokens={},
        texts={"t1": ["a ginger cat"], "t2": ["a black dog, very old"], "t3": ["first half", "second half"]},
    )


def test_a_turn_is_seen_when_its_line_holds_its_words(tmp_path: Path) -> None:
    """Words without the source do not count, nor does the source without all of the words; signs may differ."""
    due = _due(tmp_path)
    context = _context(
        _line("- Ann (2023-05-08): «a ginger  cat»", "memory", "m1"),
        _line("- a black dog, very old", "memory"),
        _line("- a black dog …", "m2"),
    )
    assert shown(context, due) == ({"t1"}, {"t1", "t2"})


def test_a_word_inside_another_is_not_the_word(tmp_path: Path) -> None:
    """Cut in the middle of a word is cut."""
    assert shown(_context(_line("a ginger caterpillar", "m1")), _due(tmp_path)) == (set(), {"t1"})


def test_a_turn_of_two_messages_needs_both(tmp_path: Path) -> None:
    """A turn that was stored in pieces is seen when every piece is."""
    due = _due(tmp_path)
    assert shown(_context(_line("first half", "m3")), due) == (set(), {"t3"})
    assert shown(_context(_line("first half", "m3"), _line("second half", "m4")), due)[0] == {"t3"}


def test_a_curve_rises_with_the_budget(embedder: FakeEmbedder, tmp_path: Path) -> None:
    """All evidence of a tiny talk fits into a large context but for what was not said yet; a budget is kept."""

    async def run() -> list[Point]:
        dataset = tiny.dataset(tmp_path)
        async with workbench(embedder=embedder, settings=Settings()) as bench:
            return await curve(bench, tasks(dataset), budgets=(300, 4000))

    small, large = asyncio.run(run())
    assert (small.budget, large.budget, large.questions) == (300, 4000, 4)
    assert large.evidence == large.all_evidence == large.in_part == 0.75
    assert small.evidence <= small.in_part <= large.evidence
    assert small.tokens <= 300
    assert large.to_dict()["all_evidence"] == 0.75
