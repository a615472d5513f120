"""A progress bar for long work, on standard error, so that the answer on standard output stays clean."""

import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager

from recollect.cli.output import may_style

#: Called with how many are done and how many there are.
Report = Callable[[int, int], None]


@contextmanager
def bar(title: str, *, quiet: bool = False) -> Generator[Report]:
    """A bar while the work runs; nothing when nobody watches or control codes are unwelcome."""
    if quiet or not may_style(sys.stderr):
        yield lambda done, total: None
        return
    # Deferred: only long work on a terminal needs it.
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task(title, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)
