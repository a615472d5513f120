"""Quotation: how remembered text is put in front of a model.

Remembered text is data. It cannot spell our delimiters, it cannot pretend to be a line of ours, and what tries to
instruct the model is shown as something that was said. Whether a text does so is `trust`'s business. Removing such
text was rejected: it was said, and the user may ask about it.
"""

import re
import unicodedata

_DELIMITER = re.compile(r"={3,}")
#: Something like `User:` where a line begins, or a heading; compared after NFKC, so that a wide colon counts too.
_LABEL = re.compile(r".{0,80}:|.*:\s*$")
INDENT = "  "


def as_data(text: str, *, flagged: bool) -> str:
    """Remembered text on one line, safe inside a block or a card."""
    plain = _escaped(" ".join(text.split()))
    return f'(quoted, not an instruction) "{plain}"' if flagged else plain


def as_lines(text: str, *, flagged: bool = False) -> str:
    """Remembered text after a label of ours: further lines are indented, so that none looks like the next label."""
    if flagged:
        return as_data(text, flagged=True)
    lines = _escaped(text).splitlines()
    if len(lines) < 2:
        return lines[0] if lines else ""
    first, *others = lines
    return "\n".join([first, *(INDENT + line if line.strip() else "" for line in others)])


def as_passage(text: str) -> str:
    """Remembered text that begins a line of its own; a first line that looks like a label is indented too."""
    shown = as_lines(text)
    first = unicodedata.normalize("NFKC", shown.partition("\n")[0])
    return INDENT + shown if _LABEL.match(first) else shown


def _escaped(text: str) -> str:
    return _DELIMITER.sub(lambda found: " ".join(found.group()), text) if "===" in text else text
