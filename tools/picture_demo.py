"""Write docs/demo.svg: the guided tour of `recollect demo`, as a terminal of 96 columns shows it.

    python tools/picture_demo.py

The demonstration is run in a real pseudo-terminal; nothing in the picture is made up.
"""

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

COLUMNS, LINES = 96, 70
TARGET = Path(__file__).resolve().parent.parent / "docs" / "demo.svg"
COMMAND = [str(Path(sys.executable).with_name("recollect")), "demo"]
#: What the demonstration shows when the tour is over.
END = b"Your turn"


def toured() -> str:
    """What the terminal shows until the tour is over; Enter goes on."""
    child, master = pty.fork()
    if child == 0:
        os.environ |= {"TERM": "xterm-256color", "COLUMNS": str(COLUMNS), "LINES": str(LINES)}
        os.execv(COMMAND[0], COMMAND)
    ioctl(master, termios.TIOCSWINSZ, struct.pack("HHHH", LINES, COLUMNS, 0, 0))
    shown = b""
    ends = time.monotonic() + 60
    while END not in shown and time.monotonic() < ends:
        if select.select([master], [], [], 1.0)[0]:
            shown += os.read(master, 65536)
        else:
            os.write(master, b"\n")
    os.kill(child, 9)
    os.waitpid(child, 0)
    return shown.split(END)[0].decode("utf-8", "replace")


def picture(shown: str) -> str:
    """The text as SVG, without the fonts that Rich would fetch from elsewhere."""
    lines = [
        re.sub(r"\x1b\[[0-9;?]*[A-HJKSTfhlnsu]", "", line) for line in shown.replace("\r", "").split("\n")
    ]
    kept = [line for line in lines if "Enter goes on" not in line]
    console = Console(record=True, width=COLUMNS, file=StringIO(), force_terminal=True)
    console.print(Text.from_ansi("\n".join(kept).strip()))
    svg = console.export_svg(title="recollect demo")
    return re.sub(r"@font-face \{.*?\}", "", svg, flags=re.DOTALL)


if __name__ == "__main__":
    TARGET.write_text(picture(toured()), "utf-8")
    print(f"wrote {TARGET.name}")
