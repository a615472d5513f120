"""`recollect jobs`, `worker` and `drain`: the work that follows from what was said, seen, done and waited for.

Any number of workers may run at once, in as many processes; how one lives is `working`'s business.
"""

from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import exit_codes, options, rendering
from recollect.cli.opening import need_file, opened, settings_for
from recollect.cli.output import Output, Piece, note
from recollect.errors import InvalidInput, NotFound
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect.records.job import Job
    from recollect.store.jobs import JobFigures

#: What a person calls each kind of job.
_KINDS = {
    "fold": "summarise a chat",
    "rederive": "follow an edit",
    "close_session": "close a session",
    "summarise_session": "summarise a session",
    "rolling_summary": "summarise lately",
    "spine": "renew the long view",
    "index_messages": "make messages findable",
    "judge": "find memories",
    "curate": "tidy memories",
}


def list_jobs(
    user: options.User = options.LOCAL_USER, db: options.Database = None, as_json: options.Json = False
) -> None:
    """How much background work there is. `recollect jobs` alone does the same."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        figures = memory.work_figures()
        found = memory.jobs(user=user)
    if out.as_json:
        out.json({**figures.to_dict(), "jobs": [job.to_dict() for job in found]})
        return
    out.line(figures_text(figures))
    if found:
        out.line()
        out.line((f"Of {user}", "bold"))
        jobs_lines(out, found, datetime.now(UTC))


def figures_text(figures: "JobFigures") -> str:
    """The same in one line."""
    pending, running, dead = (
        sum(figures.counts.get(status, {}).values()) for status in ("pending", "running", "dead")
    )
    if not pending + running + dead:
        return "There is no background work."
    text = f"{pending - figures.scheduled} waiting, {figures.scheduled} scheduled, {running} running, {dead} dead"
    return f"{text}; the oldest is {figures.lag_seconds:.0f} s late" if figures.lag_seconds >= 1 else text


def jobs_lines(out: Output, found: "list[Job]", now: datetime, *, whose: bool = False) -> None:
    """Each job in a row, its last error below."""
    rows: list[tuple[Piece, ...]] = []
    for job in found:
        state = job.status.value
        if state == "pending":
            later = "next try" if job.attempts else "scheduled"
            state = "waiting" if job.run_at <= now else f"{later} {rendering.when(job.run_at)}"
        cells: list[Piece] = [(_KINDS.get(job.kind, str(job.kind)), "cyan"), state]
        cells += [f"{job.attempts} tries" if job.attempts != 1 else "1 try", (job.job_id, "dim")]
        rows.append((*cells, job.user_id) if whose else tuple(cells))
    out.table(rows, indent=2)
    for job in found:
        if job.last_error:
            out.line((f"{job.job_id}: {job.last_error}", "yellow"), indent=2)


def dead(
    user: options.AnyUser = options.LOCAL_USER, db: options.Database = None, as_json: options.Json = False
) -> None:
    """List everybody's jobs that failed too often."""
    out = Output(as_json=as_json)
    with opened(db, reading=True) as memory:
        found = memory.dead_jobs()
    if out.as_json:
        out.json({"jobs": [job.to_dict() for job in found]})
        return
    if not found:
        out.line(("No dead jobs.", "dim"))
        return
    jobs_lines(out, found, datetime.now(UTC), whose=True)
    out.line(("Mend the cause, then `recollect jobs retry ID`, or `--all` of them.", "dim"))


def retry(
    job_id: Annotated[
        str | None,
        typer.Argument(
            metavar="[ID]", help="The job's id, as `recollect jobs dead` shows it.", callback=options.named
        ),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="All dead jobs.")] = False,
    user: Annotated[
        str | None,
        typer.Option("--user", "-u", metavar="USER", help="Only if it is this user's; without it whoever's."),
    ] = None,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Try dead jobs again."""
    if (job_id is None) != every:
        raise InvalidInput("Name one job, or say --all.")
    out = Output(as_json=as_json)
    with opened(db) as memory:
        found = [job for job in memory.dead_jobs() if user in (None, job.user_id)]
        chosen = [job for job in found if every or job.job_id == job_id]
        if job_id is not None and not chosen:
            raise NotFound(f"There is no dead job {job_id!r}.", id=job_id)
        for job in chosen:
            memory.revive(job.job_id, user=job.user_id)
    if out.as_json:
        out.json({"revived": [job.job_id for job in chosen]})
    elif chosen:
        out.line(
            ("To be tried again", "green"), f": {rendering.counted(len(chosen), 'jobs')}, by the next worker"
        )
    else:
        out.line(("No dead jobs.", "dim"))


def drain(
    seconds: Annotated[
        float, typer.Option("--seconds", "-s", metavar="N", help="How long to wait at most.")
    ] = 30.0,
    user: options.User = options.LOCAL_USER,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Do a user's open background work, and wait for its end. Summaries, judging, tidying."""
    out = Output(as_json=as_json)
    settings = settings_for(db)
    with opened(db, _working(settings), reading=True, working=True) as memory:
        in_time = memory.drain(user=user, seconds=seconds)
        left = [job for job in memory.jobs(user=user) if job.status.value != "dead"]
        given_up = memory.jobs(user=user, status="dead")
    if out.as_json:
        out.json({"drained": in_time, "pending": len(left), "dead": len(given_up)})
    elif in_time:
        later = f"; {rendering.counted(len(left), 'jobs')} for later" if left else ""
        out.line(("Done", "green"), f": nothing is open{later}.")
    else:
        out.line(("Not in time", "yellow"), f": {rendering.counted(len(left), 'jobs')} left.")
    if given_up and not out.as_json:
        told = rendering.counted(len(given_up), "jobs")
        out.line((f"{told} dead: see `recollect jobs dead`.", "yellow"))
    if not in_time:
        raise typer.Exit(exit_codes.LATE)


def worker(
    user: options.AnyUser = options.LOCAL_USER, db: options.Database = None, as_json: options.Json = False
) -> None:
    """Do everybody's background work until Ctrl-C or SIGTERM. Summaries, judging, tidying."""
    from recollect.cli.working import work  # Deferred: numpy.

    out = Output(as_json=as_json)
    settings = settings_for(db)
    if db:
        need_file(settings)
    say = note if out.as_json else out.line
    figures = work(_working(settings), lambda name: say(f"The worker is ready on {name}. Ctrl-C stops it."))
    if out.as_json:
        out.json(figures.to_dict())
    else:
        out.line(f"The worker has stopped. {figures_text(figures).rstrip('.')}.")


def _working(settings: Settings) -> Settings:
    """Whoever calls for work by name wants it done here, whatever the settings say of other processes."""
    return replace(settings, worker="on")
