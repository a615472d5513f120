"""`recollect eval judge`: how well the judge tells what is worth keeping, measured on labelled dialogues.

The dialogues of the package serve unless a file is named. Nothing is stored: judging needs no database. Rules judge, unless
a model is asked for. The command only chooses what to measure and shows what was found.
"""

import asyncio
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import asdict, dataclass, replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import settings_for
from recollect.cli.output import Output
from recollect.cli.progress import bar
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from benchmarks.quality.judge_report import Row
    from benchmarks.quality.judging import Assessment, Progress
    from benchmarks.quality.observations import Coverage
    from recollect.models.judge import Judge

T = TypeVar("T")
#: How files of labelled dialogues end; others are conversations with observations.
_LINES = ".jsonl"


def judge(
    data: Annotated[
        Path | None,
        typer.Option(
            "--data",
            metavar="FILE",
            help="Labelled dialogues, .jsonl; or conversations with observations, .json or .json.gz. Default: those of the package.",
        ),
    ] = None,
    unseen: Annotated[
        bool, typer.Option("--unseen", help="The package's dialogues that no rule was tuned on.")
    ] = False,
    model: Annotated[
        bool, typer.Option("--model", help="Let the model of RECOLLECT_JUDGE_MODEL judge; default: rules.")
    ] = False,
    errors: Annotated[
        bool, typer.Option("--errors", help="List what was missed, wrong and junk, with the words.")
    ] = False,
    as_json: options.Json = False,
) -> None:
    """Measure how well the judge tells what is worth keeping. Shows precision, recall and junk."""
    from benchmarks.quality import judge_labels, judge_report  # Deferred: numpy.
    from benchmarks.quality.judging import assess  # Deferred: numpy.
    from benchmarks.quality.observations import cover  # Deferred: numpy.

    if data is not None and unseen:
        raise InvalidInput("Say --data or --unseen, not both.", field="data")
    out, spent = Output(as_json=as_json), Spent()
    name = data.name if data else "judge_unseen.jsonl" if unseen else "judge_dialogues.jsonl"
    run = partial(_run, name=name, model=model, spent=spent, quiet=as_json)
    if data is not None and data.suffix != _LINES:
        covered = run(lambda judge, progress: cover(judge, data, progress=progress))
        if as_json:
            out.json({"data": name, **judge_report.coverage_to_dict(covered), **spent.told()})
        else:
            _show_coverage(out, name, covered, errors=errors)
    else:
        dialogues = judge_labels.read(data) if data else judge_labels.packaged(unseen=unseen)
        found = run(lambda judge, progress: assess(judge, dialogues, progress=progress))
        if as_json:
            out.json({"data": name, **judge_report.to_dict(found), **spent.told()})
        else:
            _show(out, name, found, errors=errors)
    if spent.calls and not as_json:
        out.line(
            f"{spent.calls:,} calls, {spent.prompt_tokens:,} + {spent.completion_tokens:,} tokens, {spent.failed:,} failed."
        )


def _run(
    work: "Callable[[Judge, Progress], Coroutine[Any, Any, T]]",
    *,
    name: str,
    model: bool,
    spent: "Spent",
    quiet: bool,
) -> T:
    """What the work finds with the judge that was asked for."""
    from recollect.encoder.tokens import count  # Deferred: tiktoken.
    from recollect.models.judge import RulesJudge, judge_for  # Deferred: httpx2.

    chosen: Judge | None = RulesJudge()
    if model:
        settings = settings_for(None)
        if not settings.judge_model:
            raise InvalidInput(
                "--model needs the name of a model that OPENAI_BASE_URL serves: set RECOLLECT_JUDGE_MODEL.",
                field="model",
            )
        chosen = judge_for(replace(settings, judge="model"), spent, count)
    assert chosen is not None

    async def judged() -> T:
        try:
            with bar(name, quiet=quiet) as progress:
                return await work(chosen, progress)
        finally:
            await chosen.aclose()

    return asyncio.run(judged())


def _show(out: Output, name: str, found: "Assessment", *, errors: bool) -> None:
    from benchmarks.quality import judge_report as report  # Deferred: numpy.

    by = ", ".join(f"{who} ({dialogues})" for who, dialogues in found.judged_by.items())
    read = rendering.counted(found.dialogues, "dialogues")
    heard = rendering.counted(found.utterances, "utterances")
    title = f"{name}: {read}, {heard} of users, judged by {by}"
    out.line((title, "bold"))
    for head, rows in (
        (report.HEADINGS, report.totals(found)),
        (("memories by category", *report.HEADINGS[1:]), report.categories(found)),
        (("memories by area", *report.AREA_HEADINGS[1:]), report.areas(found)),
    ):
        _table(out, [head, *rows])
    traps = found.traps
    junk, laid = rendering.counted(traps.junk, "proposals"), rendering.counted(traps.utterances, "traps")
    out.line(f"Junk: {junk} from {laid}, {report.percent(traps.rate)} %.")
    out.line(
        f"Of right memories {report.percent(found.category_agrees.precision)} % have the labelled category; "
        f"of right todos {report.percent(found.kind_agrees.precision)} % the kind."
    )
    if errors:
        for one in found.mistakes:
            out.line()
            out.line((f"{one.fault} {one.kind}", "bold"), f" {one.dialogue}: {one.told} ({one.reason})")
            out.line((one.said, "dim"), indent=2)
    elif found.mistakes:
        told = rendering.counted(len(found.mistakes), "mistakes")
        out.line((f"{told}; --errors lists them.", "dim"))


def _show_coverage(out: Output, name: str, found: "Coverage", *, errors: bool) -> None:
    from benchmarks.quality import judge_report as report  # Deferred: numpy.

    noted = rendering.counted(found.observations, "observations")
    out.line((f"{name}: {noted}, {rendering.memories_counted(found.memories)} proposed", "bold"))
    out.line(
        f"Carried: {found.carried}, {report.percent(found.carried / found.observations)} %; "
        f"mean share of words {report.percent(found.share)} %. A proxy of recall; precision cannot be told."
    )
    if errors:
        for one in found.missed:
            out.line(("missed", "bold"), f" {one.conversation} {one.speaker}: {one.text}")


def _table(out: Output, rows: "Sequence[Row]") -> None:
    out.table(rows, indent=2, right=range(1, len(rows[0])))
    out.line()


@dataclass(slots=True, kw_only=True)
class Spent:
    """What a model cost in this run; nothing is capped, because somebody asked for it."""

    calls: int = 0
    prompt_tokens: int = 0
    completion_tokens: int = 0
    failed: int = 0

    async def allowed(self) -> bool:
        return True

    async def note(self, model: str, *, prompt_tokens: int, completion_tokens: int, failed: bool) -> None:
        self.calls += 1
        self.prompt_tokens += prompt_tokens
        self.completion_tokens += completion_tokens
        self.failed += failed

    def told(self) -> dict[str, Any]:
        """The costs for programs; nothing when no model was asked."""
        return {"model": asdict(self)} if self.calls else {}
