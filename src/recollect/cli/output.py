r"""Where everything that the commands say goes through: lines for people, JSON for programs, errors.

Text from memories is data. It reaches the terminal only through `Output`, which never reads markup in it and shows
control characters escaped (`\x1b`), so that a remembered text cannot take over the terminal. Lines are plain text when
nobody watches; Rich is asked only on a terminal, because a pipe should not pay for it. Rich's own markup
(`[bold]…[/]`) was rejected for our texts too: one way of styling, and none that data can reach.
"""

import json
import os
import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, TextIO

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

#: A piece of a line: text, or text with a style of Rich ("bold", "dim", "cyan").
Piece = str | tuple[str, str]

#: Columns for tables that no terminal limits: wide enough that nothing is wrapped or cut.
_UNLIMITED = 10_000
#: Controls (C0, DEL, C1), line separators, reordering of text, broken UTF-16.
_UNSAFE = re.compile("[\x00-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
_UNSAFE_IN_DOCUMENT = re.compile(f"(?![\n\t]){_UNSAFE.pattern}")
#: What JSON itself leaves as it is although a terminal would act on it.
_UNSAFE_IN_JSON = re.compile("[\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069\ud800-\udfff]")


class Unwritable(Exception):
    """Standard output takes no more: its reader left (`| head -1`), or the disk behind it is full."""

    def __init__(self, cause: OSError) -> None:
        super().__init__(cause.strerror or str(cause))
        self.reader_left = isinstance(cause, BrokenPipeError)


def shown(text: str) -> str:
    r"""Text that a terminal only displays: an escape character becomes the four characters `\x1b`."""
    return _UNSAFE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    return match[0].encode("unicode_escape").decode("ascii")


def to_json(value: object, *, indent: int | None = 2) -> str:
    """JSON in readable UTF-8 that is safe to look at."""
    text = json.dumps(value, ensure_ascii=False, indent=indent)
    return _UNSAFE_IN_JSON.sub(lambda match: f"\\u{ord(match[0]):04x}", text)


def is_terminal(stream: TextIO | None) -> bool:
    """Whether a person looks at it; a stream that was closed before the start is none at all."""
    return stream is not None and not stream.closed and stream.isatty()


def may_style(stream: TextIO) -> bool:
    """Whether control codes are welcome: a capable terminal, and no word against colour (no-color.org)."""
    return is_terminal(stream) and not os.environ.get("NO_COLOR") and os.environ.get("TERM") != "dumb"


def speaks_unicode(stream: TextIO) -> bool:
    """Whether marks beyond ASCII arrive as they are."""
    return (stream.encoding or "").lower().replace("-", "") in ("utf8", "utf16", "utf32")


class Output:
    """One command's voice: on standard output, for a person or as JSON."""

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
        """One line for a person; longer than the terminal is wide, it goes on under its own beginning."""
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

    def show(self, renderable: "RenderableType") -> None:
        """Something of Rich that is whole already: a table whose cells are text."""
        self._print(renderable)

    def document(self, text: str) -> None:
        """A whole text as it is; a terminal gets its control characters escaped."""
        self._write(_UNSAFE_IN_DOCUMENT.sub(_escaped, text) if self.terminal else text)

    def take_back(self, lines: int) -> None:
        """Remove the lines above the cursor, where control codes are welcome."""
        if self._styled:
            self._write("\x1b[1A\x1b[2K" * lines)

    @property
    def console(self) -> "Console":
        """Rich, with everything off that reads meaning into text."""
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
    """Say what went wrong: as JSON where the answer was expected, else in one line on standard error."""
    if as_json:
        Output(as_json=True).json({"error": message})
    else:
        sys.stderr.write(f"recollect: {shown(message)}\n")
        sys.stderr.flush()


def note(message: str) -> None:
    """A word for the person that is no part of the answer."""
    sys.stderr.write(f"{shown(message)}\n")
    sys.stderr.flush()
