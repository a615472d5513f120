r"""How commands speak: lines for people, JSON for programs, progress bars, errors and exit codes.

Text from memories is data. It reaches the terminal only through `Output`, which interprets no markup in it and escapes
control characters (`\x1b`), so that a stored text cannot take over the terminal. Rich is used on a terminal only,
because a pipe should not pay for loading it.
"""

import json
import os
import re
import sys
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from typing import TYPE_CHECKING, Any, Final, TextIO

from recollect.errors import Conflict, InvalidInput, ModelError, NotFound, RecollectError, StoreError

if TYPE_CHECKING:
    from rich.console import Console

#: A piece of a line: text, or text with a Rich style ("bold", "dim", "cyan").
Piece = str | tuple[str, str]
#: Called with the number of items done and the total.
Report = Callable[[int, int], None]

# Exit codes are small and stable, so that scripts can rely on them.
OK: Final = 0
WRONG: Final = 1
USAGE: Final = 2
SKIPPED: Final = 3
NOT_FOUND: Final = 4
CONFLICT: Final = 5
STORE: Final = 6
MODEL: Final = 7
LATE: Final = 8
UNEXPECTED: Final = 70  # sysexits.h: internal software error
INTERRUPTED: Final = 130  # 128 + SIGINT, as in shells
READER_LEFT: Final = 141  # 128 + SIGPIPE

MEANINGS: Final[dict[int, str]] = {
    OK: "done",
    WRONG: "something is wrong, or you answered no",
    USAGE: "bad input or usage; nothing was changed",
    SKIPPED: "imported, but some entries were skipped",
    NOT_FOUND: "not found for this user",
    CONFLICT: "the change conflicts with the current state",
    STORE: "the database cannot be used",
    MODEL: "a model failed",
    LATE: "background work was not finished in time",
    UNEXPECTED: "a bug in Recollect",
    INTERRUPTED: "interrupted",
    READER_LEFT: "the reader of the output closed the pipe",
}
_BY_ERROR: Final[tuple[tuple[type[RecollectError], int], ...]] = (
    (InvalidInput, USAGE),
    (NotFound, NOT_FOUND),
    (Conflict, CONFLICT),
    (StoreError, STORE),
    (ModelError, MODEL),
    (RecollectError, WRONG),
)

#: Width of tables outside a terminal, wide enough that nothing is wrapped or cut.
_UNLIMITED = 10_000
#: Control characters (C0, DEL, C1), line separators, bidirectional controls, lone surrogates.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_UNSAFE_IN_DOCUMENT = re.compile(f"(?![\n\t]){_UNSAFE.pattern}")
#: Characters that JSON does not escape although a terminal would interpret them.
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Unwritable(Exception):
    """Standard output cannot be written: its reader closed the pipe (`| head -1`), or the disk is full."""

    def __init__(self, cause: OSError) -> None:
        super().__init__(cause.strerror or str(cause))
        self.reader_left = isinstance(cause, BrokenPipeError)


def shown(text: str) -> str:
    r"""Text that is safe to display: an escape character becomes the four characters `\x1b`."""
    return _UNSAFE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def to_json(value: object, *, indent: int | None = 2) -> str:
    """JSON in readable UTF-8 that is safe to print to a terminal."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether the stream is a terminal."""
    return stream is not None and not stream.closed and stream.isatty()


def may_style(stream: TextIO) -> bool:
    """Whether to use control codes: the terminal supports them, and NO_COLOR is not set (no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def speaks_unicode(stream: TextIO) -> bool:
    """Whether non-ASCII characters can be shown."""
    return (stream.encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")


class Output:
    """A command's standard output, as text or JSON."""

    def __init__(self, *, as_json: bool = False, stream: TextIO | None = None) -> None:
        self.as_json = as_json
        self.stream = stream or sys.stdout
        self.terminal = is_terminal(self.stream)
        self._styled = may_style(self.stream)
        self._console: Console | None = None

    def json(self, value: object) -> None:
        """Write the command's JSON document."""
        text = to_json(value) if speaks_unicode(self.stream) else json.dumps(value, indent=2)
        self._write(text + "\n")

    def line(self, *pieces: Piece, indent: int = 0) -> None:
        """Write one line of text; on a terminal it is wrapped and indented."""
        safe = [
            (shown(piece), "") if isinstance(piece, str) else (shown(piece[0]), piece[1]) for piece in pieces
        ]
        if not self.terminal or not pieces:
            self._write(" " * indent + "".join(text for text, _ in safe) + "\n")
            return
        # Deferred: importing Rich takes 40 ms, and pipes do not need it.
        from rich.padding import Padding
        from rich.text import Text

        text = Text.assemble(*safe, overflow="fold")
        self._print(Padding(text, (0, 0, 0, indent), expand=False))

    def table(self, rows: Sequence[Sequence[Piece]], *, indent: int = 0, right: Sequence[int] = ()) -> None:
        """Write aligned columns; those in `right` are numbers. The last column wraps if space is short."""
        from rich.padding import Padding  # Deferred: see `line`.
        from rich.table import Table
        from rich.text import Text

        table = Table.grid(padding=(0, 2))
        for place in range(max(map(len, rows), default=0)):
            last = place == max(map(len, rows)) - 1
            table.add_column(
                justify="right" if place in right else "left",
                no_wrap=not last,
                overflow="fold" if last else "ellipsis",
            )
        for row in rows:
            cells = [(piece, "") if isinstance(piece, str) else piece for piece in row]
            table.add_row(*(Text(shown(text), style) for text, style in cells))
        self._print(Padding(table, (0, 0, 0, indent), expand=False))

    def document(self, text: str) -> None:
        """Write a whole text unchanged, except that a terminal gets control characters escaped."""
        self._write(_UNSAFE_IN_DOCUMENT.sub(_escaped, text) if self.terminal else text)

    @property
    def console(self) -> "Console":
        """A Rich console that does not interpret text."""
        if self._console is None:
            from rich.console import Console  # Deferred: see `line`.

            self._console = Console(
                file=self.stream,
                force_terminal=self.terminal,
                color_system="auto" if self._styled else None,
                width=None if self.terminal else _UNLIMITED,
                markup=False,
                highlight=False,
                emoji=False,
            )
        return self._console

    def _print(self, renderable: Any) -> None:
        with self.console.capture() as capture:
            self.console.print(renderable)
        # Rich pads lines to their full width, which would show in pipes and copied lines.
        self._write("".join(f"{line.rstrip()}\n" for line in capture.get().split("\n")[:-1]))

    def _write(self, text: str) -> None:
        try:
            self.stream.write(text)
            self.stream.flush()
        except OSError as error:
            raise Unwritable(error) from error


def complain(message: str, *, as_json: bool) -> None:
    """Report an error: as JSON on standard output, or in one line on standard error."""
    if as_json:
        Output(as_json=True).json({"error": message})
    else:
        note(f"recollect: {message}")


def note(message: str) -> None:
    """Write a line to standard error that is not part of the output."""
    sys.stderr.write(f"{shown(message)}\n")
    sys.stderr.flush()


def exit_code(error: RecollectError) -> int:
    """An error's exit code."""
    return next(code for kind, code in _BY_ERROR if isinstance(error, kind))


@contextmanager
def bar(title: str, *, quiet: bool = False) -> Generator[Report]:
    """Show a progress bar on standard error during the work if it is a terminal."""
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


def typed_line(out: Output, prompt: str) -> str:
    """Read one typed line, after an empty line, with editing keys if the terminal supports control codes."""
    out.line()
    if may_style(out.stream):
        # Deferred: once loaded, `input` uses it for editing; some Python builds lack it.
        with suppress(ImportError):
            import_module("readline")
    return input(prompt)
