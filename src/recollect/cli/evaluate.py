"""`recollect eval`: how well recall finds what was said, measured on labelled conversations; and weights fitted to them.

The conversations go into a file that vanishes, unless a database is named; there they are erased again. Vectors are kept in
the cache folder of the user, because computing them takes nearly all of the time. The commands only choose what to measure
and show what was found.
"""

import asyncio
import json
import sys
from collections.abc import Callable, Coroutine
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from recollect.cli import options, rendering
from recollect.cli.data import write_whole
from recollect.cli.opening import settings_for
from recollect.cli.output import Output, Piece
from recollect.cli.progress import bar
from recollect.errors import InvalidInput
from recollect.rules.budget import check_budget

if TYPE_CHECKING:
    from benchmarks.quality.context_curve import Point
    from benchmarks.quality.dataset import Dataset
    from benchmarks.quality.fitting import FitSet
    from benchmarks.quality.replay import Workbench
    from benchmarks.quality.report import Evaluation
    from benchmarks.quality.run import Progress, Task
    from recollect.index.episode.ranker import Ranker

T = TypeVar("T")
#: What is done with one data set.
Measure = Callable[["Workbench", "Dataset", "list[Task]", "Progress"], Coroutine[Any, Any, T]]

Data = Annotated[
    list[Path],
    typer.Option(
        "--data", metavar="FILE", help="Labelled conversations, .json or .json.gz; may be repeated."
    ),
]
Questions = Annotated[
    int | None,
    typer.Option("--limit", "-n", metavar="N", min=1, help="Only the first N questions of a file."),
]
Conversations = Annotated[
    int | None,
    typer.Option("--conversations", metavar="N", min=1, help="Only the first N conversations of a file."),
]
Store = Annotated[
    str | None,
    typer.Option(
        "--db",
        metavar="PATH|URL",
        help="Measure in this database; only what the measuring stored there is erased again. Default: a file that vanishes.",
    ),
]
Cache = Annotated[
    Path | None,
    typer.Option(
        "--cache",
        metavar="FOLDER",
        help="Where vectors are kept. Default: recollect in your cache directory.",
    ),
]
NoCache = Annotated[bool, typer.Option("--no-cache", help="Keep no vectors.")]
User = Annotated[
    str,
    typer.Option(
        "--user",
        "-u",
        metavar="USER",
        hidden=True,
        help="Accepted, without effect: each conversation is a user of its own.",
    ),
]


def recall(
    data: Data,
    limit: Questions = None,
    conversations: Conversations = None,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write all measures here, as JSON.")
    ] = None,
    questions: Annotated[
        Path | None,
        typer.Option("--questions", metavar="FILE", help="Write a line of JSON for each question here."),
    ] = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    user: User = options.LOCAL_USER,
    db: Store = None,
    as_json: options.Json = False,
) -> None:
    """Measure how well recall finds the turns that hold the answers. Shows beside it what you could use instead."""
    from benchmarks.quality import report  # Deferred: numpy.
    from benchmarks.quality.run import evaluate  # Deferred: numpy.

    async def measure(
        bench: "Workbench", dataset: "Dataset", work: "list[Task]", progress: "Progress"
    ) -> "Evaluation":
        return await evaluate(bench, dataset, work, progress=progress)

    out = Output(as_json=as_json)
    found = _measured(
        data, measure, limit, conversations, db=db, cache=_folder(cache, no_cache), quiet=as_json
    )
    document = {"evaluations": [report.to_dict(evaluation) for evaluation in found]}
    if output is not None:
        write_whole(output, json.dumps(document, indent=2) + "\n")
    if questions is not None:
        lines = [f"{line}\n" for evaluation in found for line in report.question_lines(evaluation)]
        write_whole(questions, "".join(lines))
    if out.as_json:
        out.json(document)
        return
    for evaluation in found:
        width = out.console.width
        for table in (
            report.systems_table(evaluation, width),
            report.categories_table(evaluation, width),
            report.costs_table(evaluation),
        ):
            out.show(table)
            out.line()


def fit(
    data: Data,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="FILE", help="Write the weights here.")
    ] = None,
    strength: Annotated[
        float | None,
        typer.Option(
            "--strength",
            metavar="X",
            min=0.0,
            max=1e6,
            help="How hard the weights are pulled towards equal ones; more for few questions. Default: that of the package.",
        ),
    ] = None,
    leave_out: Annotated[
        bool, typer.Option("--leave-out", help="Also measure each file by weights fitted to the others.")
    ] = False,
    limit: Questions = None,
    conversations: Conversations = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    user: User = options.LOCAL_USER,
    db: Store = None,
    as_json: options.Json = False,
) -> None:
    """Fit the weights of episode recall to questions of your own. Ten or more must have labels."""
    from benchmarks.quality import fitting  # Deferred: numpy.
    from recollect.index import rankers  # Deferred: numpy.
    from recollect.index.episode.ranker import STRENGTH  # Deferred: numpy.

    async def measure(
        bench: "Workbench", dataset: "Dataset", work: "list[Task]", progress: "Progress"
    ) -> "FitSet":
        return await fitting.gather(bench, dataset, work, progress=progress)

    out, pull = Output(as_json=as_json), STRENGTH if strength is None else strength
    sets = _measured(
        data, measure, limit, conversations, db=db, cache=_folder(cache, no_cache), quiet=as_json
    )
    validated = fitting.cross_validated(sets, strength=pull)
    shipped = rankers.shipped()
    rows: list[dict[str, Any]] = []
    for each, after in zip(sets, validated, strict=True):
        row: dict[str, Any] = {"dataset": each.name, "questions": len(each.questions)}
        row |= {"before": fitting.recall(shipped, each.questions), "after": after}
        if leave_out:
            row["left_out"] = fitting.left_out(sets, each, strength=pull)
        rows.append(row)
    ranker = fitting.fitted([item for each in sets for item in each.questions], strength=pull)
    if output is not None:
        write_whole(output, fitting.weights_file(ranker, sets, strength=pull))
    if out.as_json:
        written = str(output) if output else None
        out.json({"recall@10": rows, "strength": pull, "weights": dict(ranker.weights), "file": written})
    else:
        _show_fit(out, rows, ranker, output)


def context(
    data: Data,
    budget: Annotated[
        list[int] | None,
        typer.Option("--budget", "-b", metavar="N", help="Tokens; may be repeated. Default: 500 … 8000."),
    ] = None,
    limit: Questions = None,
    conversations: Conversations = None,
    cache: Cache = None,
    no_cache: NoCache = False,
    user: User = options.LOCAL_USER,
    db: Store = None,
    as_json: options.Json = False,
) -> None:
    """Measure how much of the evidence a context of each budget holds."""
    from benchmarks.quality.context_curve import BUDGETS, curve  # Deferred: numpy.

    budgets = tuple(dict.fromkeys(budget or BUDGETS))
    for tokens in budgets:
        check_budget(tokens)

    async def measure(
        bench: "Workbench", dataset: "Dataset", work: "list[Task]", progress: "Progress"
    ) -> "tuple[str, list[Point]]":
        return dataset.name, await curve(bench, work, budgets=budgets, progress=progress)

    out = Output(as_json=as_json)
    found = _measured(
        data, measure, limit, conversations, db=db, cache=_folder(cache, no_cache), quiet=as_json
    )
    if out.as_json:
        told = [{"dataset": name, "points": [point.to_dict() for point in points]} for name, points in found]
        out.json({"contexts": told})
        return
    for name, points in found:
        _show_curve(out, name, points)


def _measured(
    files: list[Path],
    measure: "Measure[T]",
    limit: int | None,
    conversations: int | None,
    *,
    db: str | None,
    cache: Path | None,
    quiet: bool,
) -> list[T]:
    """What was found for each file; all files are read before the first is measured."""
    from benchmarks.quality.dataset import read  # Deferred: numpy.
    from benchmarks.quality.replay import workbench  # Deferred: numpy.
    from benchmarks.quality.run import tasks  # Deferred: numpy.

    work: list[tuple[Dataset, list[Task]]] = []
    for file in files:
        dataset = read(file)
        chosen = tasks(dataset, questions=limit, conversations=conversations)
        if not chosen:
            raise InvalidInput(f"{file}: no question there can be judged: none has labels.", field="data")
        work.append((dataset, chosen))

    async def run() -> list[T]:
        async with workbench(db, cache=cache, settings=settings_for(db)) as bench:
            found: list[T] = []
            for dataset, chosen in work:
                with bar(dataset.name, quiet=quiet) as progress:
                    found.append(await measure(bench, dataset, chosen, progress))
            return found

    try:
        return asyncio.run(run())
    except KeyboardInterrupt:
        sys.stderr.write("Stopped. Vectors that were made are kept for the next time.\n")
        raise


def _folder(cache: Path | None, no_cache: bool) -> Path | None:
    """Where vectors are kept; None: nowhere."""
    if no_cache:
        if cache is not None:
            raise InvalidInput("Say --cache or --no-cache, not both.", field="cache")
        return None
    if cache is not None:
        return cache
    import platformdirs  # Deferred: only needed without a folder.

    return Path(platformdirs.user_cache_dir("recollect", appauthor=False)) / "vectors"


def _percent(share: float | None) -> str:
    return "–" if share is None else f"{100 * share:.1f}"


def _show_fit(out: Output, rows: list[dict[str, Any]], ranker: "Ranker", file: Path | None) -> None:
    from recollect.index.episode.features import MEANINGS  # Deferred: numpy.

    heads = {"before": "weights of the package", "after": "fitted, cross-validated"}
    if "left_out" in rows[0]:
        heads["left_out"] = "fitted to the other files"
    out.line(("Recall among the first 10, per cent", "bold"))
    table: list[tuple[Piece, ...]] = [("", "questions", *heads.values())]
    table += [
        (row["dataset"], str(row["questions"]), *(_percent(row[name]) for name in heads)) for row in rows
    ]
    out.table(table, indent=2, right=range(1, len(table[0])))
    out.line()
    out.line(("Weights, fitted to all questions", "bold"))
    out.table(
        [(name, f"{weight:.2f}", (MEANINGS[name], "dim")) for name, weight in ranker.weights.items()],
        indent=2,
        right=(1,),
    )
    out.line()
    if file is None:
        out.line(("Nothing was written; -o FILE does.", "dim"))
    else:
        out.line(("Written", "green"), f" to {file}. To use it: RECOLLECT_EPISODE_WEIGHTS={file.resolve()}")


def _show_curve(out: Output, name: str, points: "list[Point]") -> None:
    asked = rendering.counted(points[0].questions, "questions")
    out.line((f"{name}: evidence inside the context, {asked}, per cent", "bold"))
    table: list[tuple[Piece, ...]] = [("budget", "all of it", "mean share", "also in part", "tokens used")]
    table += [
        (
            f"{point.budget:,}",
            _percent(point.all_evidence),
            _percent(point.evidence),
            _percent(point.in_part),
            f"{point.tokens:,.0f}",
        )
        for point in points
    ]
    out.table(table, indent=2, right=range(5))
    out.line()
