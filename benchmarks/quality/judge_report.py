"""What an assessment of a judge found: rows for people, JSON for programs.

Everything is made from counts that are given; nothing here measures. Rates without a denominator are shown as a dash and
are null in JSON: no todo expected is not the same as none found.
"""

from collections.abc import Mapping
from typing import Any

from benchmarks.quality.judge_labels import AREAS
from benchmarks.quality.judging import Assessment, Mistake, Tally, Traps
from benchmarks.quality.observations import Coverage
from recollect.records.category import Category

#: Digits after the point in JSON.
_DIGITS = 4
_NOTHING = "–"
HEADINGS = ("", "expected", "found", "proposed", "right", "precision", "recall", "F1")
AREA_HEADINGS = (*HEADINGS, "traps", "junk", "junk rate")
Row = tuple[str, ...]


def totals(found: Assessment) -> list[Row]:
    """A row for each kind of proposal."""
    return [
        _row("memories", found.memories),
        _row("todos", found.todos),
        _row("forgettings", found.forgettings),
    ]


def categories(found: Assessment) -> list[Row]:
    """A row a category, for memories."""
    return [_row(name, found.by_category[name]) for name in Category if name in found.by_category]


def areas(found: Assessment) -> list[Row]:
    """A row an area: memories, and what came of its traps."""
    return [
        (*_row(name, found.by_area[name]), *_trapped(found.traps_by_area[name]))
        for name in AREAS
        if name in found.by_area
    ]


def percent(share: float | None) -> str:
    """A share in per cent, or a dash."""
    return _NOTHING if share is None else f"{100 * share:.1f}"


def to_dict(found: Assessment) -> dict[str, Any]:
    """Everything that was measured, for programs."""
    return {
        "dialogues": found.dialogues,
        "utterances": found.utterances,
        "judged_by": dict(found.judged_by),
        "memories": _tally(found.memories),
        "todos": _tally(found.todos),
        "forgettings": _tally(found.forgettings),
        "traps": _traps(found.traps),
        "category_agrees": _rounded(found.category_agrees.precision),
        "todo_kind_agrees": _rounded(found.kind_agrees.precision),
        "categories": {name: _tally(tally) for name, tally in sorted(found.by_category.items())},
        "areas": {
            name: {**_tally(tally), "traps": _traps(found.traps_by_area[name])}
            for name, tally in sorted(found.by_area.items())
        },
        "mistakes": [_mistake(one) for one in found.mistakes],
    }


def coverage_to_dict(found: Coverage) -> dict[str, Any]:
    """What observations say about a judge, for programs."""
    return {
        "observations": found.observations,
        "carried": found.carried,
        "recall_proxy": _rounded(found.carried / found.observations),
        "mean_share": _rounded(found.share),
        "memories": found.memories,
        "missed": [
            {"conversation": one.conversation, "speaker": one.speaker, "text": one.text}
            for one in found.missed
        ],
    }


def _row(name: str, tally: Tally) -> Row:
    counts = (tally.expected, tally.found, tally.proposed, tally.right)
    return (name, *map(str, counts), *map(percent, (tally.precision, tally.recall, tally.f1)))


def _trapped(traps: Traps) -> Row:
    return str(traps.utterances), str(traps.junk), percent(traps.rate)


def _tally(tally: Tally) -> dict[str, Any]:
    return {
        "expected": tally.expected,
        "found": tally.found,
        "proposed": tally.proposed,
        "right": tally.right,
        "precision": _rounded(tally.precision),
        "recall": _rounded(tally.recall),
        "f1": _rounded(tally.f1),
    }


def _traps(traps: Traps) -> Mapping[str, Any]:
    return {"utterances": traps.utterances, "junk": traps.junk, "junk_rate": _rounded(traps.rate)}


def _mistake(one: Mistake) -> dict[str, str]:
    return {
        "fault": one.fault.value,
        "kind": one.kind.value,
        "dialogue": one.dialogue,
        "area": one.area,
        "said": one.said,
        "told": one.told,
        "reason": one.reason,
    }


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, _DIGITS)
