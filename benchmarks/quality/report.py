"""What an evaluation found: tables for people, JSON for programs, a line of JSON for each question.

Everything is made from scores and numbers that are given; nothing here measures or counts. All systems of a run must have been
asked the same questions: means over different ones cannot be compared, so that is refused. Names come from data
files: tables show them as text without markup, with control characters escaped. Bold for the best was
rejected: intervals overlap, and a winner by a tenth is none. An interval with every mean was rejected, too: no terminal is
that wide. JSON has them all.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from rich.table import Table
from rich.text import Text

from benchmarks.quality.measures import (
    MRR,
    NDCG,
    Estimate,
    Measure,
    Score,
    Summary,
    all_at,
    recall_at,
    summarise,
    summarise_by_category,
)
from recollect.errors import InvalidInput

#: The measure that has its interval beside it.
_CHIEF = recall_at(10)
#: The columns for people: of turns, and of sessions.
TURN_COLUMNS = (recall_at(5), _CHIEF, recall_at(20), NDCG, MRR)
SESSION_COLUMNS = (all_at(5),)
#: Columns of a terminal from which all of them are readable; below, fewer are shown, which 80 columns can hold.
_WIDE = 126
_NARROW_SYSTEMS = (_CHIEF, NDCG, MRR)
#: A category's name may be long, and the number of questions stands beside it.
_NARROW_CATEGORIES = (_CHIEF,)
#: How the two rankings of sessions are called: by their first turns, and as the system itself ranks them.
BY_TURNS, RANKED = "sessions", "sessions ranked"
_NOTHING = "–"
#: Digits after the point in JSON: more than an interval is good for, fewer than processors differ in.
_DIGITS = 6


@dataclass(frozen=True, slots=True, kw_only=True)
class SystemRun:
    """One system over one data set."""

    name: str
    #: Of each question that has labels at the level.
    turns: tuple[Score, ...]
    sessions: tuple[Score, ...]
    #: The same for sessions as the system itself ranks them, not by their first turns; empty: it ranks none.
    ranked_sessions: tuple[Score, ...] = ()
    #: For all conversations together; None: not timed. Indexing is apart where a system does it behind storing.
    ingest_seconds: float | None = None
    index_seconds: float | None = None
    #: One for each query.
    query_seconds: tuple[float, ...] = ()
    #: Tokens of the text that each query returned.
    tokens: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Evaluation:
    """Systems side by side over one data set."""

    dataset: str
    part: str
    licence: str
    #: The name of the system whose categories are shown.
    ours: str
    systems: tuple[SystemRun, ...]
    #: Labels that name what was not stored when the question was asked; no system can find them.
    unreachable: int = 0

    def __post_init__(self) -> None:
        names = [system.name for system in self.systems]
        if len(set(names)) < len(names) or self.ours not in names:
            raise InvalidInput(
                f"Systems need names of their own, and {self.ours!r} must be one.", field="systems"
            )
        for system in self.systems[1:]:
            if _asked(system) != _asked(self.systems[0]):
                raise InvalidInput(
                    f"{system.name} and {self.systems[0].name} were asked different questions.",
                    field="systems",
                )

    @property
    def own(self) -> SystemRun:
        """The system whose categories are shown."""
        return next(system for system in self.systems if system.name == self.ours)


# -- for people -----------------------------------------------------------------------------------------


def systems_table(evaluation: Evaluation, width: int | None = None) -> Table:
    """A row a system: how much of the evidence it finds, in per cent; `width`: the columns of the terminal."""
    columns = _columns(width, _NARROW_SYSTEMS)
    count = counted(_questions(_summaries(evaluation.own)), "question")
    table = _table(f"{_about(evaluation)}: {count}, per cent (95 % interval)", columns, "system")
    for system in evaluation.systems:
        table.add_row(_shown(system.name), *_cells(_summaries(system), columns))
    if evaluation.unreachable:
        names, them = ("label names", "it") if evaluation.unreachable == 1 else ("labels name", "them")
        table.caption = Text(
            f"{evaluation.unreachable:,} {names} what was not stored when asked; nobody can find {them}."
        )
    return table


def categories_table(evaluation: Evaluation, width: int | None = None) -> Table:
    """A row a category of question, for our own system; the last row is all of them."""
    own, columns = evaluation.own, _columns(width, _NARROW_CATEGORIES)
    table = _table(f"{_about(evaluation)}: {own.name} by category", columns, "category", "questions")
    of = [
        summarise_by_category(own.turns, TURN_COLUMNS),
        summarise_by_category(own.sessions, SESSION_COLUMNS),
        summarise_by_category(own.ranked_sessions, SESSION_COLUMNS),
    ]
    nothing = Summary(count=0, estimates={})
    for category in sorted({category for each in of for category in each}):
        row = [each.get(category, nothing) for each in of]
        table.add_row(_shown(category), str(_questions(row)), *_cells(row, columns))
    table.add_section()
    every = _summaries(own)
    table.add_row("all", str(_questions(every)), *_cells(every, columns))
    return table


def costs_table(evaluation: Evaluation) -> Table:
    """A row a system: what it takes to fill and to ask it, and how much text comes back."""
    table = Table(title=_shown(f"{_about(evaluation)}: costs"), title_justify="left")
    table.add_column("system", no_wrap=True)
    for heading in ("ingest s", "index s", "query ms, median", "query ms, p95", "tokens returned, median"):
        table.add_column(heading, justify="right")
    for system in evaluation.systems:
        costs = _costs(system)
        table.add_row(
            _shown(system.name),
            _fixed(costs["ingest_seconds"], 1),
            _fixed(costs["index_seconds"], 1),
            _fixed(costs["query_ms_median"], 1),
            _fixed(costs["query_ms_p95"], 1),
            _fixed(costs["tokens_median"], 0),
        )
    return table


# -- for programs ---------------------------------------------------------------------------------------


def to_dict(evaluation: Evaluation) -> dict[str, Any]:
    """All measures of all systems, by category too."""
    return {
        "dataset": evaluation.dataset,
        "part": evaluation.part,
        "licence": evaluation.licence,
        "ours": evaluation.ours,
        "unreachable_labels": evaluation.unreachable,
        "systems": {system.name: _system(system) for system in evaluation.systems},
    }


def question_lines(evaluation: Evaluation) -> Iterator[str]:
    """A line of JSON for each question: where every system found each piece of its evidence."""
    systems = {
        system.name: [_by_question(each) for each in (system.turns, system.sessions, system.ranked_sessions)]
        for system in evaluation.systems
    }
    turns, sessions, _ = systems[evaluation.systems[0].name]
    for key in {**turns, **sessions}:
        conversation, question = key
        one = turns.get(key) or sessions[key]
        found = {name: _question(*(each.get(key) for each in of)) for name, of in systems.items()}
        yield json.dumps(
            {
                "dataset": evaluation.dataset,
                "conversation": conversation,
                "question": question,
                "category": one.category,
                "systems": found,
            }
        )


def _system(system: SystemRun) -> dict[str, Any]:
    return {
        "turns": _summary(summarise(system.turns)),
        "sessions": _summary(summarise(system.sessions)),
        "ranked_sessions": _summary(summarise(system.ranked_sessions)),
        "categories": {
            "turns": _by_category(system.turns),
            "sessions": _by_category(system.sessions),
            "ranked_sessions": _by_category(system.ranked_sessions),
        },
        "costs": {name: _rounded(value) for name, value in _costs(system).items()},
    }


def _by_category(scores: Sequence[Score]) -> dict[str, Any]:
    return {name: _summary(one) for name, one in summarise_by_category(scores).items()}


def _summary(summary: Summary) -> dict[str, Any]:
    estimates = {
        name: {"mean": _rounded(one.mean), "low": _rounded(one.low), "high": _rounded(one.high)}
        for name, one in summary.estimates.items()
    }
    return {"questions": summary.count, **estimates}


def _question(turns: Score | None, sessions: Score | None, ranked: Score | None) -> dict[str, Any]:
    """Where one system found the evidence; a level without labels is left out."""
    told: dict[str, Any] = {}
    if turns:
        told["ranks"] = dict(zip(turns.evidence, turns.ranks, strict=True))
        told["hit@10"] = turns.found(10) > 0
        told["recall@10"] = _rounded(turns.recall(10))
        told["ndcg@10"] = _rounded(turns.ndcg(10))
        told["reciprocal_rank"] = _rounded(turns.reciprocal_rank)
    if sessions:
        told["session_ranks"] = dict(zip(sessions.evidence, sessions.ranks, strict=True))
        told["sessions_all@5"] = sessions.all(5) > 0
    if ranked:
        told["ranked_session_ranks"] = dict(zip(ranked.evidence, ranked.ranks, strict=True))
        told["ranked_sessions_all@5"] = ranked.all(5) > 0
    return told


def _costs(system: SystemRun) -> dict[str, float | None]:
    return {
        "ingest_seconds": system.ingest_seconds,
        "index_seconds": system.index_seconds,
        "query_ms_median": _percentile([1000 * one for one in system.query_seconds], 50),
        "query_ms_p95": _percentile([1000 * one for one in system.query_seconds], 95),
        "tokens_median": _percentile(system.tokens, 50),
        "tokens_p95": _percentile(system.tokens, 95),
    }


def _percentile(values: Sequence[float], percent: float) -> float | None:
    return float(np.percentile(values, percent)) if values else None


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)


# -- cells ----------------------------------------------------------------------------------------------


def _summaries(system: SystemRun) -> list[Summary]:
    """Of turns, of sessions by their first turns, and of sessions as the system ranks them."""
    return [
        summarise(system.turns, TURN_COLUMNS),
        summarise(system.sessions, SESSION_COLUMNS),
        summarise(system.ranked_sessions, SESSION_COLUMNS),
    ]


def counted(number: int, one: str) -> str:
    """So many of something: "1 question", "760 questions"."""
    return f"{number:,} {one}" if number == 1 else f"{number:,} {one}s"


def _columns(width: int | None, narrow: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Which measures of turns a terminal has room for; nobody limits a file."""
    return TURN_COLUMNS if width is None or width >= _WIDE else narrow


def _table(title: str, columns: Sequence[Measure], *left: str) -> Table:
    table = Table(title=_shown(title), title_justify="left")
    for heading in left:
        # On a narrow terminal the interval goes below its mean; names stay whole.
        table.add_column(heading, no_wrap=True)
    for measure in columns:
        table.add_column(_heading(measure), justify="right")
    for kind in (BY_TURNS, RANKED):
        for measure in SESSION_COLUMNS:
            # A word of the heading a line, so that the interval has the room.
            table.add_column(f"{_heading(measure)} {kind}", justify="right", max_width=len(BY_TURNS))
    return table


def _heading(measure: Measure) -> str:
    return measure.name.upper() if measure in (NDCG, MRR) else measure.name


def _cells(summaries: Sequence[Summary], columns: Sequence[Measure]) -> list[str]:
    return [
        _cell(summary.estimates.get(measure.name), with_interval=measure is _CHIEF)
        for summary, measures in zip(summaries, (columns, SESSION_COLUMNS, SESSION_COLUMNS), strict=True)
        for measure in measures
    ]


def _cell(estimate: Estimate | None, *, with_interval: bool) -> str:
    if estimate is None:
        return _NOTHING
    interval = f" ({100 * estimate.low:.1f}–{100 * estimate.high:.1f})" if with_interval else ""
    return f"{100 * estimate.mean:.1f}{interval}"


def _questions(summaries: Sequence[Summary]) -> int:
    return max(summary.count for summary in summaries)


def _fixed(value: float | None, digits: int) -> str:
    return _NOTHING if value is None else f"{value:,.{digits}f}"


def _about(evaluation: Evaluation) -> str:
    return f"{evaluation.dataset} ({evaluation.part})" if evaluation.part else evaluation.dataset


def _shown(text: str) -> Text:
    """Text from a file as a cell: no markup is read in it, and no terminal acts on it."""
    return Text(
        "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in text)
    )


def _asked(system: SystemRun) -> list[list[tuple[str, str, tuple[str, ...]]]]:
    return [
        sorted((one.conversation, one.question, one.evidence) for one in scores)
        for scores in (system.turns, system.sessions)
    ]


def _by_question(scores: Sequence[Score]) -> Mapping[tuple[str, str], Score]:
    return {(one.conversation, one.question): one for one in scores}
