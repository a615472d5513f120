"""Write docs/demo.svg: the guided tour of `recollect demo`, as a terminal of 92 columns shows it.

    python tools/picture_demo.py

The demonstration is run in a real pseudo-terminal; nothing in the picture is made up.
"""

import html
import os
import pty
import re
import select
import struct
import sys
import termios
import time
from fcntl import ioctl
from io import StringIO
from pathlib import Path

from rich.console import Console
from rich.text import Text

COLUMNS, LINES = 92, 90
TARGET = Path(__file__).resolve().parent.parent / "docs" / "demo.svg"
COMMAND = [str(Path(sys.executable).with_name("recollect")), "demo"]
#: What the demonstration shows when it waits between two beats, and when the tour is over.
PAUSE = b"skips to the prompt "
END = b"Your turn"
#: Of Rich's pictures: the width of a column in pixels, and one piece of text.
COLUMN = 12.2
PIECE = re.compile(
    r'(<text class="[^"]*") x="([\d.]+)"( y="[\d.]+") textLength="[\d.]+"([^>]*)>([^<]*)</text>\n?'
)


def toured() -> str:
    """What the terminal shows until the tour is over; Enter goes on."""
    child, master = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LINES": str(LINES)}
        os.execv(COMMAND[0], COMMAND)
    ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    shown, answered = b"", 0
    ends = time.monotonic() + 60
    while END not in shown and time.monotonic() < ends:
        if select.select([master], [], [], 1.0)[0]:
            shown += os.read(master, 65536)
        if shown.count(PAUSE) > answered:
            answered += 1
            os.write(master, b"\n")
    os.kill(child, 9)
    os.waitpid(child, 0)
    return shown.split(END)[0].decode("utf-8", "replace")


def picture(shown: str) -> str:
    """The text as SVG, without the fonts that Rich would fetch from elsewhere."""
    lines = [
        re.sub(r"\x1b\[[0-9;?]*[A-HJKSTfhlnsu]", "", line) for line in shown.replace("\r", "").split("\n")
    ]
    # With the prompt goes the empty line before it, as in the terminal.
    kept = [
        line
        for line, after in zip(lines, [*lines[1:], ""], strict=True)
        if "Enter goes on" not in line + after
    ]
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi("\n".join(kept).strip()))
    svg = console.export_svg(title="recollect demo")
    return PIECE.sub(_placed, re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL))


def _placed(piece: re.Match[str]) -> str:
    """A piece of text that begins and ends with a letter: some programs drop spaces at the ends, and columns run together."""
    start, left, top, rest, escaped = piece.groups()
    text = html.unescape(escaped)
    words = text.strip()
    if not words:
        return ""
    x = float(left) + COLUMN * (len(text) - len(text.lstrip()))
    shown = html.escape(words).replace("\xa0", "&#160;")
    return f'{start} x="{x:g}"{top} textLength="{COLUMN * len(words):g}"{rest}>{shown}</text>\n'


if __name__ == "__main__":
    TARGET.write_text(picture(toured()), "utf-8")
    print(f"wrote {TARGET.name}")
