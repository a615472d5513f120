"""Where the weights of episode recall come from: fitted here, judged on data that they were not fitted on, and written.

    python -m benchmarks.fit_episodes FOLDER             prints the tables
    python -m benchmarks.fit_episodes FOLDER --write     also writes the file of the package

Only LongMemEval (MIT) and RealMem (Apache-2.0) are fitted on: their licences allow shipping the result. LoCoMo and BEAM
are measured with weights that never saw them. The same data give the same file.
"""

import argparse
import asyncio
from collections.abc import Sequence
from pathlib import Path

from rich.console import Console
from rich.progress import Progress, TaskID
from rich.table import Table

from benchmarks.labelled_data import EVERY, FITTED, MEASURED, add_options, folder_of, load
from benchmarks.quality import fitting
from benchmarks.quality.choice import PRIOR, STRENGTH
from benchmarks.quality.fitting import FitSet
from benchmarks.quality.replay import workbench
from benchmarks.quality.run import tasks
from recollect.index.episode.features import MEANINGS
from recollect.index.episode.ranker import Ranker
from recollect.settings import Settings

WEIGHTS = Path(__file__).parents[1] / "src" / "recollect" / "index" / "data" / "episode_weights.json"
#: Among these the strength was chosen, by the column of what was left out.
STRENGTHS = (0.001, 0.01, 0.03, 0.1, 0.3, 1.0, 10.0)


async def gather(folder: Path, names: Sequence[str], *, cache: Path, limit: int | None) -> dict[str, FitSet]:
    """The candidates of all questions, from the product."""
    found: dict[str, FitSet] = {}
    with Progress(transient=True) as progress:
        for name in names:
            dataset = load(folder, name)
            bar: TaskID = progress.add_task(name, total=None)

            def report(done: int, total: int, bar: TaskID = bar) -> None:
                progress.update(bar, completed=done, total=total)

            # The weights that the package has now do not matter: candidates come before the ranker.
            async with workbench(cache=cache, settings=Settings()) as bench:
                found[name] = await fitting.gather(
                    bench, dataset, tasks(dataset, questions=limit), progress=report
                )
    return found


def by_strength(sets: dict[str, FitSet]) -> Table:
    """How the strength was chosen: recall on a set of weights fitted without it, for every strength."""
    table = Table(
        title="Left out: recall@10 on a set, weights fitted without its source", title_justify="left"
    )
    fitted_on = [sets[name] for name in FITTED if name in sets]
    table.add_column("strength", justify="right")
    for name in FITTED:
        table.add_column(name, justify="right")
    table.add_column("mean of both sources", justify="right")
    for strength in STRENGTHS:
        recalls = {each.name: fitting.left_out(fitted_on, each, strength=strength) for each in fitted_on}
        table.add_row(
            f"{strength:g}{' *' if strength == STRENGTH else ''}",
            *(_percent(recalls.get(name)) for name in FITTED),
            _percent(_mean_of_sources(recalls)),
        )
    table.caption = "* the strength of the package"
    return table


def _mean_of_sources(recalls: dict[str, float | None]) -> float | None:
    """LongMemEval is there twice and counts once."""
    lme = [value for name, value in recalls.items() if name.startswith("lme") and value is not None]
    other = [value for name, value in recalls.items() if not name.startswith("lme") and value is not None]
    return (sum(lme) / len(lme) + sum(other) / len(other)) / 2 if lme and other else None


def on_every_set(sets: dict[str, FitSet], shipped: Ranker) -> Table:
    """The weights on everything: equal ones, cross-validated, with the set left out, and those that are shipped."""
    fitted_on = [sets[name] for name in FITTED if name in sets]
    recalls = fitting.cross_validated(fitted_on, strength=STRENGTH)
    validated = {each.name: recall for each, recall in zip(fitted_on, recalls, strict=True)}
    title = f"recall@10 at strength {STRENGTH:g}, per cent"
    table = Table(title=title, title_justify="left")
    for heading in ("set", "questions", "prior alone", "4-fold", "set left out", "all fitted on", "ceiling"):
        table.add_column(heading, justify="left" if heading == "set" else "right")
    for name in (name for name in EVERY if name in sets):
        each = sets[name]
        seen = name in FITTED
        table.add_row(
            name,
            str(len(each.questions)),
            _percent(fitting.recall(Ranker(weights=PRIOR), each.questions)),
            _percent(validated.get(name)) if seen else "–",
            _percent(fitting.left_out(fitted_on, each, strength=STRENGTH)),
            _percent(fitting.recall(shipped, each.questions)) + ("" if seen else " (never fitted on)"),
            _percent(ceiling(each)),
        )
    return table


def ceiling(each: FitSet) -> float:
    """The share of the evidence that is among the candidates at all."""
    shares = [len({*item.evidence} & {*item.turns}) / len({*item.evidence}) for item in each.questions]
    return sum(shares) / len(shares) if shares else 0.0


def weights_table(ranker: Ranker) -> Table:
    table = Table(title="Weights", title_justify="left")
    for heading in ("feature", "weight", "prior", "meaning"):
        table.add_column(heading, justify="right" if heading in ("weight", "prior") else "left")
    for name, weight in ranker.weights.items():
        table.add_row(name, f"{weight:.2f}", f"{PRIOR[name]:g}", MEANINGS[name])
    return table


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.fit_episodes", description=__doc__)
    add_options(parser)
    parser.add_argument("--write", action="store_true", help=f"write {WEIGHTS.name}")
    parser.add_argument("--fitted-only", action="store_true", help=f"without {' and '.join(MEASURED)}")
    options = parser.parse_args()
    if options.write and options.limit:
        parser.error("the file of the package is made from all questions")
    names = FITTED if options.fitted_only else EVERY
    sets = asyncio.run(gather(folder_of(options), names, cache=options.cache, limit=options.limit))
    fitted_on = [sets[name] for name in FITTED]
    ranker = fitting.fitted([item for each in fitted_on for item in each.questions], strength=STRENGTH)
    console = Console(width=150)
    for table in (by_strength(sets), on_every_set(sets, ranker), weights_table(ranker)):
        console.print(table)
    if options.write:
        WEIGHTS.write_text(fitting.weights_file(ranker, fitted_on, strength=STRENGTH), "utf-8")
        console.print(f"Written: {WEIGHTS.name}")


if __name__ == "__main__":
    main()
