"""`recollect curate`, which tidies memories, and `recollect proposals`: what a person should decide."""

from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import opened
from recollect.cli.output import Output
from recollect.cli.paging import listed

if TYPE_CHECKING:
    from recollect.api.blocking import Memory
    from recollect.records.memory import MemoryRecord
    from recollect.records.proposal import Proposal
    from recollect.rules.curator import CuratorReport

ProposalId = Annotated[
    str,
    typer.Argument(
        metavar="ID", help="The proposal's id, as `recollect proposals` shows it.", callback=options.named
    ),
]


def curate(
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Only say what would be done.")] = False,
    undo: Annotated[
        str | None,
        typer.Option(
            "--undo", metavar="ID", help="Take back what the run of this id did.", callback=options.named
        ),
    ] = None,
    runs: Annotated[bool, typer.Option("--runs", help="List what was done before.")] = False,
    limit: options.Limit = 20,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Tidy memories. Fold near-duplicates, archive what has faded, propose what contradicts; or take that back."""
    out = Output(as_json=as_json)
    if sum((dry_run, undo is not None, runs)) > 1:
        raise typer.BadParameter("give one of --dry-run, --undo and --runs")
    with opened(db, reading=dry_run or runs) as memory:
        if runs:
            _list_runs(out, memory, user, limit)
            return
        if undo is not None:
            report = memory.undo_curation(undo, user=user)
        else:
            report = memory.curate(user=user, dry_run=dry_run)
    if out.as_json:
        out.json(report.to_dict())
    else:
        _report_lines(out, report)


def _list_runs(out: Output, memory: "Memory", user: str, limit: int) -> None:
    found, more = listed(
        lambda size, after: memory.curations(user=user, limit=size, after=after),
        limit,
        lambda report: report.run_id or "",
    )
    if out.as_json:
        out.json({"runs": [report.to_dict() for report in found], "more": more})
        return
    for report in found:
        _report_lines(out, report)
    if not found:
        out.line(("Nothing was tidied yet.", "dim"))
    rendering.more_line(out, more, limit)


def _report_lines(out: Output, report: "CuratorReport") -> None:
    """One run: what was folded, archived, named and proposed, each with why."""
    words = (
        "Would do"
        if report.dry_run
        else "Undone"
        if report.undone_at
        else "Done"
        if report.run_id
        else "Nothing"
    )
    what = f"{len(report.folds)} folded, {len(report.archived)} archived, {len(report.raised)} risen, "
    what += f"{len(report.proposals)} proposed · {report.looked_at} looked at"
    what += f", {report.left_for_next} left for the next run" if report.left_for_next else ""
    out.line((words, "green"), f": {what}")
    if report.run_id:
        out.line((f"{report.run_id} · {rendering.when(report.started_at)}", "dim"), indent=2)
    for fold in report.folds:
        out.line((fold.into.content, "bold"), (f"  {fold.reason}", "dim"), indent=2)
        for original in fold.originals:
            out.line(("from ", "dim"), original.content, (f"  {original.memory_id}", "dim"), indent=4)
    for word, noted in (
        *(("archived ", item) for item in report.archived),
        *(("risen ", item) for item in report.raised),
    ):
        out.line((word, "cyan"), noted.memory.content, (f"  {noted.reason}", "dim"), indent=2)
    for alias, into in report.merged:
        out.line(("merged ", "cyan"), f"{alias} into {into}", indent=2)
    for proposal in report.proposals:
        proposal_lines(out, proposal, {}, indent=2)


def list_proposals(
    every: Annotated[bool, typer.Option("--all", help="Decided ones too.")] = False,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="KIND", help="Only contradiction, forgetting or merge."),
    ] = None,
    limit: options.Limit = 50,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List what waits for a decision, newest first. `recollect proposals` alone does the same."""
    out = Output(as_json=as_json)
    status = None if every else "open"
    with opened(db, reading=True) as memory:
        found, more = listed(
            lambda size, after: memory.proposals(
                user=user, status=status, kind=kind, limit=size, after=after
            ),
            limit,
            lambda proposal: proposal.proposal_id,
        )
        named = {memory_id for proposal in found for memory_id in proposal.memory_ids}
        known = {} if out.as_json else {each: memory.get(each, user=user) for each in sorted(named)}
    if out.as_json:
        out.json({"proposals": [proposal.to_dict() for proposal in found], "more": more})
        return
    for proposal in found:
        proposal_lines(out, proposal, known)
    if not found:
        out.line(("Nothing waits for a decision.", "dim"))
    rendering.more_line(out, more, limit)


def accept(
    proposal_id: ProposalId,
    keep: Annotated[
        str | None,
        typer.Option(
            "--keep",
            metavar="ID",
            help="Which of two memories stays. Default: the newer.",
            callback=options.named,
        ),
    ] = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Do what is proposed. Archive the older memory, erase what should be forgotten, or merge two names."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        proposal = memory.accept(proposal_id, user=user, keep=keep)
    _tell(out, proposal)


def reject(
    proposal_id: ProposalId,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Leave everything as it is. The same is not proposed again."""
    out = Output(as_json=as_json)
    with opened(db) as memory:
        proposal = memory.reject(proposal_id, user=user)
    _tell(out, proposal)


def proposal_lines(
    out: Output, proposal: "Proposal", known: "dict[str, MemoryRecord]", indent: int = 0
) -> None:
    """What is proposed and why; then what it is about, and its id."""
    decided = (
        "" if proposal.status.value == "open" else f"{proposal.status.value} by {proposal.decided_by} · "
    )
    out.line((f"{proposal.kind.value}: ", "magenta"), proposal.reason, indent=indent)
    for memory_id in proposal.memory_ids:
        text = f"{known[memory_id].content}  " if memory_id in known else ""
        out.line(text, (memory_id, "dim"), indent=indent + 2)
    if proposal.entity_keys:
        out.line(" and ".join(proposal.entity_keys), indent=indent + 2)
    if proposal.proposal_id:
        out.line((f"{decided}{proposal.proposal_id}", "dim"), indent=indent + 2)


def _tell(out: Output, proposal: "Proposal") -> None:
    if out.as_json:
        out.json(proposal.to_dict())
    else:
        out.line(
            (proposal.status.value.capitalize(), "green"), f": {proposal.kind.value} {proposal.proposal_id}"
        )
