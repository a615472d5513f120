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

#: A piece of a line: text, or text with a style of Rich ("bold", "dim", "cyan").
Piece = str | tuple[str, str]
#: Called with how many items are done and how many there are.
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
    WRONG: "something is wrong, or you said no",
    USAGE: "bad input or usage; nothing was changed",
    SKIPPED: "imported, but some entries were skipped",
    NOT_FOUND: "not found for this user",
    CONFLICT: "the change conflicts with the present state",
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

#: Columns for tables that no terminal limits: wide enough that nothing is wrapped or cut.
_UNLIMITED = 10_000
#: Controls (C0, DEL, C1), line separators, reordering of text, broken UTF-16.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_UNSAFE_IN_DOCUMENT = re.compile(f"(?![\n\t]){_UNSAFE.pattern}")
#: What JSON itself leaves as it is although a terminal would act on it.
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
    """JSON in readable UTF-8 that is safe to look at."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person reads it."""
    return stream is not None and not stream.closed and stream.isatty()


def may_style(stream: TextIO) -> bool:
    """Whether control codes are welcome: a capable terminal, and NO_COLOR is not set (no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def speaks_unicode(stream: TextIO) -> bool:
    """Whether characters beyond ASCII can be shown."""
    return (stream.encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")


class Output:
    """What one command writes to standard output, for a person or as JSON."""

    def __init__(self, *, as_json: bool = False, stream: TextIO | None = None) -> None:
        self.as_json = as_json
        self.stream = stream or sys.stdout
        self.terminal = is_terminal(self.stream)
        self._styled = may_style(self.stream)
        self._console: Console | None = None

    def json(self, value: object) -> None:
        """The one JSON document of this command."""
        text = to_json(value) if speaks_unicode(self.stream) else json.dumps(value, indent=2)
        self._write(text + "\n")

    def line(self, *pieces: Piece, indent: int = 0) -> None:
        """One line for a person; a terminal wraps it with its indent."""
        safe = [
            (shown(piece), "") if isinstance(piece, str) else (shown(piece[0]), piece[1]) for piece in pieces
        ]
        if not self.terminal or not pieces:
            self._write(" " * indent + "".join(text for text, _ in safe) + "\n")
            return
        # Deferred: Rich takes 40 ms, which a pipe need not pay.
        from rich.padding import Padding
        from rich.text import Text

        text = Text.assemble(*safe, overflow="fold")
        self._print(Padding(text, (0, 0, 0, indent), expand=False))

    def table(self, rows: Sequence[Sequence[Piece]], *, indent: int = 0, right: Sequence[int] = ()) -> None:
        """Aligned columns; the columns named in `right` hold numbers. The last one wraps when space is short."""
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
        """A whole text, unchanged; on a terminal its control characters are escaped."""
        self._write(_UNSAFE_IN_DOCUMENT.sub(_escaped, text) if self.terminal else text)

    @property
    def console(self) -> "Console":
        """Rich, with every interpretation of text switched off."""
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
        # Rich pads lines to their width; a pipe or a copied line should not carry that.
        self._write("".join(f"{line.rstrip()}\n" for line in capture.get().split("\n")[:-1]))

    def _write(self, text: str) -> None:
        try:
            self.stream.write(text)
            self.stream.flush()
        except OSError as error:
            raise Unwritable(error) from error


def complain(message: str, *, as_json: bool) -> None:
    """Report an error: as JSON where the answer was expected, else in one line on standard error."""
    if as_json:
        Output(as_json=True).json({"error": message})
    else:
        note(f"recollect: {message}")


def note(message: str) -> None:
    """A line on standard error that is not part of the answer."""
    sys.stderr.write(f"{shown(message)}\n")
    sys.stderr.flush()


def exit_code(error: RecollectError) -> int:
    """The exit code of an error."""
    return next(code for kind, code in _BY_ERROR if isinstance(error, kind))


@contextmanager
def bar(title: str, *, quiet: bool = False) -> Generator[Report]:
    """A progress bar on standard error while the work runs; nothing when no terminal is there."""
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
    """One line typed by a person, after an empty line; with editing keys where control codes are welcome."""
    out.line()
    if may_style(out.stream):
        # Deferred: `input` edits lines with it as soon as it is loaded; some Pythons come without.
        with suppress(ImportError):
            import_module("readline")
    return input(prompt)
