"""`recollect demo`: what a newcomer sees first. A tour on a database of its own, then a prompt to try it.

The database is a temporary file that is removed at the end, and the settings are the defaults, whatever the environment
says: a demonstration leaves nothing behind and calls no model of yours. Without a terminal the tour runs through and ends.
"""

import io
import signal
import sys
import tempfile
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import FrameType
from typing import TYPE_CHECKING, Any

from recollect.cli import options
from recollect.cli.conversation import Conversation, help_lines, typed_line
from recollect.cli.opening import opened
from recollect.cli.output import Output, is_terminal
from recollect.cli.tour import Tour
from recollect.settings import Settings

if TYPE_CHECKING:
    from recollect.api.blocking import Memory


def demo(as_json: options.Json = False) -> None:
    """See what it does: a short tour, then try it yourself."""
    out = Output(as_json=as_json)
    scratch = tempfile.TemporaryDirectory(prefix="recollect-demo-", ignore_cleanup_errors=True)
    with _orderly_end(), scratch as folder:
        file = Path(folder) / "demo.db"
        with opened(None, Settings(database_url=str(file)), working=True) as memory:
            if as_json:
                out.json({"beats": _silent_tour(memory, file)})
            else:
                _live(memory, file, out, talks=is_terminal(sys.stdin) and out.terminal)
    if not as_json:
        out.line()
        out.line(("The temporary file is gone. Your own memory starts with", "dim"))
        out.line(("recollect chat", "cyan"), indent=2)


@contextmanager
def _orderly_end() -> Generator[None]:
    """A closed window or a `kill` ends the demo through its cleaning up, so that nothing typed stays on disk."""

    def leave(number: int, frame: FrameType | None) -> None:
        raise SystemExit(128 + number)

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), leave) for name in names}
    try:
        yield
    finally:
        for name, action in before.items():
            signal.signal(getattr(signal, name), action)


def _silent_tour(memory: "Memory", file: Path) -> list[dict[str, Any]]:
    tour = Tour(memory, file, Output(stream=io.StringIO()))
    tour.run(lambda: True)
    return tour.told


def _live(memory: "Memory", file: Path, out: Output, *, talks: bool) -> None:
    out.line(("Recollect", "bold green"), ": long-term memory for AI assistants.")
    out.line(("Computed now, on this machine, in a temporary file. No key, no network.", "dim"))
    out.line()
    out.line((">>> ", "dim"), ("from recollect import Memory", "cyan"))
    out.line((">>> ", "dim"), ('memory = Memory("demo.db")', "cyan"))
    tour = Tour(memory, file, out)
    if not talks:
        tour.run(lambda: True)
    else:
        # Ctrl-C and Ctrl-D both mean "enough": a visitor who leaves has done nothing wrong.
        with suppress(EOFError, KeyboardInterrupt):
            tour.run(_pause(out))
            _converse(memory, out)


def _converse(memory: "Memory", out: Output) -> None:
    out.line()
    out.line(("Your turn.", "bold"), " Talk about yourself, then ask about it.")
    help_lines(out)
    Conversation(memory, out).run(lambda: typed_line(out, "memory> "))


def _pause(out: Output) -> Callable[[], bool]:
    def pause() -> bool:
        answer = typed_line(out, "Enter goes on, s skips to the prompt ")
        out.take_back(2)
        return answer.strip().lower() not in ("s", "skip", "q")

    return pause
