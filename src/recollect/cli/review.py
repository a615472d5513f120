"""`recollect review`: tidy memories, and decide on proposals."""

from functools import partial
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import listed, opened
from recollect.cli.output import Output
from recollect.errors import InvalidInput

if TYPE_CHECKING:
    from recollect.types import CuratorReport


def review(
    accept: Annotated[str | None, options.an_id("--accept", metavar="ID", help="Accept a proposal.")] = None,
    keep: Annotated[
        str | None,
        options.an_id(
            "--keep", metavar="ID", help="With --accept: the memory to keep. Default: the newer one."
        ),
    ] = None,
    reject: Annotated[
        str | None,
        options.an_id("--reject", metavar="ID", help="Reject a proposal; it is not proposed again."),
    ] = None,
    tidy: Annotated[
        bool,
        typer.Option("--tidy", help="Fold near-duplicates, archive faded memories and propose the rest."),
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --tidy: show what would be done, but change nothing.")
    ] = False,
    every: Annotated[bool, typer.Option("--all", help="List decided proposals too.")] = False,
    kind: Annotated[
        str | None,
        typer.Option("--kind", metavar="KIND", help="List only contradiction, forgetting or merge."),
    ] = None,
    limit: options.Limit = 50,
    cursor: options.Cursor = None,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """List proposals, accept or reject one, or tidy memories now."""
    out = Output(as_json=as_json)
    action = options.only_one(accept=accept, reject=reject, tidy=tidy)
    if dry_run and action != "tidy":
        raise InvalidInput("--dry-run requires --tidy: recollect review --tidy --dry-run", field="dry_run")
    if keep is not None and action != "accept":
        raise InvalidInput("--keep requires --accept: recollect review --accept ID --keep ID", field="keep")
    if action is None:
        _list(out, limit, cursor, user=user, db=db, kind=kind, every=every)
        return
    with opened(db, reading=dry_run) as memory:
        if action == "tidy":
            _report(out, memory.consolidate(user=user, dry_run=dry_run))
            return
        proposal = memory.resolve(accept or reject or "", user=user, accept=action == "accept", keep=keep)
    if out.as_json:
        out.json(proposal.to_dict())
    else:
        word = proposal.status.value.capitalize()
        out.line((word, "green"), f": {proposal.kind.value} {proposal.proposal_id}")


def _list(
    out: Output, limit: int, cursor: str | None, *, user: str, db: str | None, kind: str | None, every: bool
) -> None:
    with opened(db, reading=True) as memory:
        fetch = partial(memory.proposals, user=user, status=None if every else "open", kind=kind)
        found, more = listed(fetch, limit, cursor)
        named = {memory_id for proposal in found for memory_id in proposal.memory_ids}
        known = {} if out.as_json else {each: memory.get(each, user=user) for each in sorted(named)}
    if out.as_json:
        out.json({"proposals": [proposal.to_dict() for proposal in found], "next_cursor": more})
        return
    for proposal in found:
        rendering.proposal_lines(out, proposal, known)
    if not found:
        out.line(("No proposals.", "dim"))
    rendering.more_line(out, more, limit)


def _report(out: Output, report: "CuratorReport") -> None:
    """List what was folded, archived, raised, merged and proposed, with reasons."""
    if out.as_json:
        out.json(report.to_dict())
        return
    word = "Would do" if report.dry_run else "Done" if report.changed else "Nothing to do"
    what = f"{len(report.folds)} folded, {len(report.archived)} archived, {len(report.raised)} raised, "
    what += f"{len(report.proposals)} proposed · {rendering.counted(report.looked_at, 'memories')} examined"
    what += f", {report.left_for_next} left for the next run" if report.left_for_next else ""
    out.line((word, "green"), f": {what}")
    for fold in report.folds:
        out.line((fold.into.content, "bold"), (f"  {fold.reason}", "dim"), indent=2)
        for original in fold.originals:
            out.line(("from ", "dim"), original.content, (f"  {original.memory_id}", "dim"), indent=4)
    changed = [("archived ", item) for item in report.archived] + [
        ("raised ", item) for item in report.raised
    ]
    for word, noted in changed:
        out.line((word, "cyan"), noted.memory.content, (f"  {noted.reason}", "dim"), indent=2)
    for alias, into in report.merged:
        out.line(("merged ", "cyan"), f"{alias} into {into}", indent=2)
    for proposal in report.proposals:
        rendering.proposal_lines(out, proposal, {}, indent=2)
