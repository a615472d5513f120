"""How well the rules tell what is worth keeping, on the labelled dialogues in `benchmarks/quality/data`.

    python -m benchmarks.judge_quality              the dialogues that the rules were tuned on: a training figure
    python -m benchmarks.judge_quality --unseen     those that nobody looked at while writing rules
    python -m benchmarks.judge_quality --errors     with every mistake

Half of the utterances are traps: questions, hedges, jokes, quotations, pasted text, the assistant's words.
"""

import argparse
import asyncio

from rich.console import Console
from rich.table import Table

from benchmarks.quality import judge_labels, judge_report
from benchmarks.quality.judge_report import Row
from benchmarks.quality.judging import Assessment, assess
from recollect.models.judge import RulesJudge


def show(console: Console, found: Assessment, *, errors: bool) -> None:
    """Print the tables, and the mistakes if they are asked for."""
    _table(console, judge_report.HEADINGS, judge_report.totals(found))
    _table(console, ("memories by category", *judge_report.HEADINGS[1:]), judge_report.categories(found))
    _table(console, ("memories by area", *judge_report.AREA_HEADINGS[1:]), judge_report.areas(found))
    traps = found.traps
    console.print(f"Junk: {traps.junk} of {traps.utterances} traps, {judge_report.percent(traps.rate)} %.")
    console.print(
        f"Right category: {judge_report.percent(found.category_agrees.precision)} % of right memories."
    )
    if errors:
        for one in found.mistakes:
            console.print(
                f"{one.fault} {one.kind} {one.dialogue}: {one.told} ({one.reason})\n    {one.said}",
                markup=False,
            )


def _table(console: Console, headings: Row, rows: list[Row]) -> None:
    table = Table(*headings)
    for row in rows:
        table.add_row(*row)
    console.print(table)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.judge_quality", description=__doc__)
    parser.add_argument("--unseen", action="store_true", help="the dialogues that no rule was tuned on")
    parser.add_argument("--errors", action="store_true", help="list what was missed, wrong and junk")
    options = parser.parse_args()
    dialogues = judge_labels.packaged(unseen=options.unseen)
    show(Console(width=150), asyncio.run(assess(RulesJudge(), dialogues)), errors=options.errors)


if __name__ == "__main__":
    main()
