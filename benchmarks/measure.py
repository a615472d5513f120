"""Interleaved timing, and the table that a run prints."""

import statistics
import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass

from rich.console import Console
from rich.table import Table

Timed = Callable[[], Awaitable[object]]
#: The target of what is told and not judged.
NONE = "–"


async def interleaved(runs: int, *works: Timed) -> list[float]:
    """Median seconds of each work; they take turns, so that a noisy moment of the machine hits all of them."""
    times: list[list[float]] = [[] for _ in works]
    for _ in range(runs):
        for place, work in enumerate(works):
            start = time.perf_counter()
            await work()
            times[place].append(time.perf_counter() - start)
    return [statistics.median(taken) for taken in times]


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One measurement against its target."""

    what: str
    ours: str
    yardstick: str
    target: str = NONE
    met: bool = True


def milliseconds(seconds: float) -> str:
    return f"{seconds * 1000:.2f} ms"


def _met(line: Line, no: str) -> str:
    return line.target if line.target == NONE else "yes" if line.met else no


def show_markdown(lines: list[Line]) -> None:
    """Print the rows as the README has them."""
    for line in lines:
        print(f"| {line.what} | {line.ours} | {line.yardstick} | {line.target} | {_met(line, '**no**')} |")


def show(lines: list[Line]) -> None:
    """Print the table; a missed target is said, not hidden, and what has none is only told."""
    table = Table(title="Recollect: medians of interleaved runs", title_justify="left", show_lines=False)
    for heading in ("what", "ours", "yardstick, same run", "target", "met"):
        table.add_column(heading, overflow="fold")
    for line in lines:
        table.add_row(line.what, line.ours, line.yardstick, line.target, _met(line, "NO"))
    Console(width=150).print(table)
