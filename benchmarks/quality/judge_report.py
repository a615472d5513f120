"""What an assessment of a judge found, as rows. A rate without a denominator is a dash: no todo expected is not the same
as none found.
"""

from benchmarks.quality.judge_labels import AREAS
from benchmarks.quality.judging import Assessment, Tally, Traps
from recollect.records.category import Category

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


def _row(name: str, tally: Tally) -> Row:
    counts = (tally.expected, tally.found, tally.proposed, tally.right)
    return (name, *map(str, counts), *map(percent, (tally.precision, tally.recall, tally.f1)))


def _trapped(traps: Traps) -> Row:
    return str(traps.utterances), str(traps.junk), percent(traps.rate)
