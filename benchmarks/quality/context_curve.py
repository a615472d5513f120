"""The context curve: how much of the evidence a model would see, by the tokens that it is given.

A turn counts as seen when a line of the context names its message as a source and holds its words, all of them; punctuation and
blanks may differ, because remembered text is escaped. A turn that is shown cut is told apart. Nothing is answered and no
model is asked: what is not in the context cannot be in an answer.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from benchmarks.quality.dataset import Level, labelled
from benchmarks.quality.replay import Due, Spent, Workbench, replay
from benchmarks.quality.run import Progress, Task, no_progress
from recollect.context import Context

#: Tokens.
BUDGETS = (500, 1000, 2000, 4000, 8000)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True, kw_only=True)
class Point:
    """What a budget buys."""

    budget: int
    questions: int
    #: Questions whose evidence is there, all of it.
    all_evidence: float
    #: The share of the evidence that is there, a mean over questions; and of what is at least shown cut.
    evidence: float
    in_part: float
    #: Tokens that the contexts have.
    tokens: float

    def to_dict(self) -> dict[str, Any]:
        """The shape for programs."""
        return {
            "budget": self.budget,
            "questions": self.questions,
            "all_evidence": round(self.all_evidence, 6),
            "evidence": round(self.evidence, 6),
            "evidence_in_part": round(self.in_part, 6),
            "tokens_mean": round(self.tokens, 1),
        }


@dataclass(slots=True)
class _Seen:
    whole: list[float] = field(default_factory=list[float])
    in_part: list[float] = field(default_factory=list[float])
    tokens: list[int] = field(default_factory=list[int])


async def curve(
    bench: Workbench,
    work: Sequence[Task],
    *,
    budgets: Sequence[int] = BUDGETS,
    progress: Progress = no_progress,
) -> list[Point]:
    """Build the context of every question with labelled turns, at each budget."""
    seen = {budget: _Seen() for budget in budgets}
    tasks = [(task, [item for item in task.questions if labelled(item, Level.TURN)]) for task in work]
    done, total = 0, sum(len(questions) for _, questions in tasks)
    progress(0, total)
    for task, questions in tasks:
        async for due in replay(bench, task.conversation, questions, Spent()):
            for budget, found in seen.items():
                built = await bench.context(due.question.question, user=due.user, tokens=budget)
                whole, in_part = shown(built, due)
                evidence = set(due.question.evidence)
                found.whole.append(len(evidence & whole) / len(evidence))
                found.in_part.append(len(evidence & in_part) / len(evidence))
                found.tokens.append(built.tokens)
            done += 1
            progress(done, total)
    return [_point(budget, found) for budget, found in seen.items()]


def shown(built: Context, due: Due) -> tuple[set[str], set[str]]:
    """The turns that a context shows whole, and those that it shows at least in part."""
    lines: dict[str, list[str]] = {}
    for section in built.sections:
        for line in section.lines:
            for source in line.sources:
                if source in due.turn_of:
                    lines.setdefault(due.turn_of[source], []).append(_words(line.text))
    whole = {turn for turn, texts in lines.items() if _holds(texts, due.texts, turn)}
    return whole, set(lines)


def _holds(lines: Sequence[str], texts: Mapping[str, Sequence[str]], turn: str) -> bool:
    """Whether everything that was said in a turn stands in its lines."""
    return all(any(_words(text) in line for line in lines) for text in texts[turn])


def _words(text: str) -> str:
    """The words alone, with a blank around each, so that none is found inside another."""
    return f" {' '.join(_WORD.findall(text))} "


def _point(budget: int, seen: _Seen) -> Point:
    count = len(seen.whole)
    return Point(
        budget=budget,
        questions=count,
        all_evidence=float(np.mean(np.array(seen.whole) >= 1.0)) if count else 0.0,
        evidence=float(np.mean(seen.whole)) if count else 0.0,
        in_part=float(np.mean(seen.in_part)) if count else 0.0,
        tokens=float(np.mean(seen.tokens)) if count else 0.0,
    )
