"""`recollect worker`: background work (summaries, extraction, tidying) in this process, and how jobs are shown.

Any number of workers can run at once, in any number of processes.
"""

import asyncio
import contextlib
import signal
import time
from collections.abc import Callable, Generator
from dataclasses import replace
from datetime import UTC, datetime
from types import FrameType
from typing import TYPE_CHECKING, Annotated

import typer

from recollect.cli import options, rendering
from recollect.cli.opening import EVERY, listed, need_file, opened, settings_for
from recollect.cli.output import LATE, Output, Piece, bar, note
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect import Memory
    from recollect.types import Job, JobFigures

#: Readable names of the kinds of jobs.
_KINDS = {
    "fold": "summarise a chat",
    "rederive": "follow an edit",
    "close_session": "close a session",
    "summarise_session": "summarise a session",
    "rolling_summary": "summarise recent messages",
    "spine": "update the long-term profile",
    "index_messages": "index messages",
    "judge": "extract memories",
    "curate": "tidy memories",
}


def worker(
    once: Annotated[bool, typer.Option("--once", help="Do the work that is due now, then exit.")] = False,
    seconds: Annotated[
        float,
        typer.Option("--seconds", "-s", metavar="N", help="With --once: maximum time in seconds.", min=0),
    ] = 600.0,
    user: Annotated[
        str | None,
        typer.Option("--user", "-u", metavar="USER", help="With --once: do only this user's work."),
    ] = None,
    db: options.Database = None,
    as_json: options.Json = False,
) -> None:
    """Do all users' background work. To stop, press Ctrl-C."""
    out = Output(as_json=as_json)
    # Whatever the settings leave to other processes: this command is the worker.
    settings = replace(settings_for(db), worker="on")
    if db:
        need_file(settings)
    if once:
        with opened(db, settings, working=True) as memory:
            _drain(out, memory, user, seconds)
        return
    say = note if out.as_json else out.line
    figures = asyncio.run(
        _work(settings, lambda name: say(f"The worker is running on {name}. To stop it, press Ctrl-C."))
    )
    if out.as_json:
        out.json(figures.to_dict())
    else:
        out.line(f"The worker has stopped. {figures_text(figures).rstrip('.')}.")


def _drain(out: Output, memory: "Memory", user: str | None, seconds: float) -> None:
    """Do open work for one user or all users, until it is done or the time is up."""
    from recollect.admin import Admin  # Deferred: numpy.

    until = time.monotonic() + seconds
    users = listed(Admin(memory).users, EVERY)[0] if user is None else [user]
    finished = True
    jobs: list[Job] = []
    with bar("Working", quiet=out.as_json) as progress:
        for number, name in enumerate(users):
            progress(number, len(users))
            finished = memory.drain(user=name, timeout=max(0.0, until - time.monotonic())) and finished
            jobs += Admin(memory).jobs(user=name)
    dead = sum(job.status.value == "dead" for job in jobs)
    left = len(jobs) - dead
    if out.as_json:
        out.json({"drained": finished, "pending": left, "dead": dead})
    elif finished:
        later = f"; {rendering.counted(left, 'jobs')} scheduled for later" if left else ""
        out.line(("Done", "green"), f": no open work{later}.")
    else:
        out.line(("Out of time", "yellow"), f": {rendering.counted(left, 'jobs')} left.")
    if dead and not out.as_json:
        out.line((f"{rendering.counted(dead, 'jobs')} failed: see `recollect doctor --jobs`.", "yellow"))
    if not finished:
        raise typer.Exit(LATE)


async def _work(settings: Settings, ready: Callable[[str], None]) -> "JobFigures":
    """Work until SIGINT or SIGTERM, then finish running jobs; `ready` is called with the database's name."""
    from recollect import AsyncMemory  # Deferred: numpy.
    from recollect.admin import AsyncAdmin
    from recollect.worker import work

    stop = asyncio.Event()
    with ending_signals(stop):
        async with AsyncMemory(settings=settings) as memory:
            name = (await AsyncAdmin(memory).info()).database
            working = asyncio.create_task(work(memory))
            stopped = asyncio.create_task(stop.wait())
            ready(name)
            await asyncio.wait([working, stopped], return_when=asyncio.FIRST_COMPLETED)
            stopped.cancel()
            working.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await working
            return (await AsyncAdmin(memory).metrics()).work


@contextlib.contextmanager
def ending_signals(stop: asyncio.Event) -> Generator[None]:
    """Make SIGINT and SIGTERM set the event, and restore their handlers afterwards."""
    loop = asyncio.get_running_loop()

    def leave(number: int, frame: FrameType | None) -> None:
        loop.call_soon_threadsafe(stop.set)

    # Not `add_signal_handler`, which some platforms lack.
    before = {number: signal.signal(number, leave) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, action in before.items():
            signal.signal(number, action)


# -- for people ---------------------------------------------------------------------------------------------


def figures_text(figures: "JobFigures") -> str:
    """The amount of work in one line."""
    pending, running, dead = (
        sum(figures.counts.get(status, {}).values()) for status in ("pending", "running", "dead")
    )
    if not pending + running + dead:
        return "There is no background work."
    text = f"{pending - figures.scheduled} waiting, {figures.scheduled} scheduled, {running} running, {dead} failed"
    return f"{text}; the oldest is {figures.lag_seconds:.0f} s late" if figures.lag_seconds >= 1 else text


def jobs_lines(out: Output, found: "list[Job]") -> None:
    """One row per job, followed by the last errors."""
    now = datetime.now(UTC)
    rows: list[tuple[Piece, ...]] = []
    for job in found:
        state = {"dead": "failed"}.get(job.status.value, job.status.value)
        if state == "pending":
            later = "next try" if job.attempts else "scheduled"
            state = "waiting" if job.run_at <= now else f"{later} {rendering.when(job.run_at)}"
        tries = f"{job.attempts} tries" if job.attempts != 1 else "1 try"
        rows.append(
            ((_KINDS.get(job.kind, job.kind), "cyan"), state, tries, (job.job_id, "dim"), job.user_id)
        )
    out.table(rows, indent=2)
    for job in found:
        if job.last_error:
            out.line((f"{job.job_id}: {job.last_error}", "yellow"), indent=2)
