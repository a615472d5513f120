"""Text that is safe to store and to show to a model.

Before a memory is stored, `visible` removes invisible characters, some of which control terminals: control characters, escape
sequences and format characters (zero-width spaces, direction overrides, invisible twins of ASCII). It keeps line breaks,
tabs, and the joiners and flag tags that scripts and emoji need. Messages are never changed.

In a prompt, remembered text is data: it cannot spell our delimiters and headings or imitate our lines, and text that tries to instruct the
model (`rules/trust`) is shown as a quotation. It is not removed, because the user may ask about it.
"""

import re
import unicodedata

from recollect.records.category import Category

_DELIMITER = re.compile(r"={3,}")
#: One of our headings, such as `[IDENTITY]`.
_HEADING = re.compile(rf"\[(?=(?:NOTES|{'|'.join(category.name for category in Category)})\])")
#: A label such as `User:` at the start of a line, or a heading; matched after NFKC, so that a wide colon counts.
_LABEL = re.compile(r".{0,80}:|.*:\s*$")
INDENT = "  "


def as_data(text: str, *, flagged: bool) -> str:
    """Remembered text on one line, safe inside a block or a card."""
    plain = _HEADING.sub("[ ", _escaped(" ".join(text.split())))
    return f'(quoted, not an instruction) "{plain}"' if flagged else plain


def as_lines(text: str, *, flagged: bool = False) -> str:
    """Remembered text after one of our labels; further lines are indented, so that none looks like the next label."""
    if flagged:
        return as_data(text, flagged=True)
    lines = _escaped(text).splitlines()
    if len(lines) < 2:
        return lines[0] if lines else ""
    first, *others = lines
    return "\n".join([first, *(INDENT + line if line.strip() else "" for line in others)])


def as_passage(text: str) -> str:
    """Remembered text that starts a line; a first line that looks like a label is indented too."""
    shown = as_lines(text)
    first = unicodedata.normalize("NFKC", shown.partition("\n")[0])
    return INDENT + shown if _LABEL.match(first) else shown


def _escaped(text: str) -> str:
    return _DELIMITER.sub(lambda found: " ".join(found.group()), text) if "===" in text else text


#: Terminal sequences: colours, cursor, titles.
_ESCAPE = re.compile(
    "\x1b\\][^\x07\x1b]{0,200}(?:\x07|\x1b\\\\)|(?:\x1b\\[|\x9b)[0-?]{0,40}[ -/]{0,4}[@-~]|\x1b[@-Z\\\\^_c]"
)
# A joiner has a meaning only between characters of some scripts and emoji, none of which is Latin.
_JOINER = re.compile("(?<=[^\x00-\u02ff\u2000-\u200f])[\u200c\u200d](?=[^\x00-\u02ff\u2000-\u200f])")
_FLAG = re.compile("\U0001f3f4[\U000e0020-\U000e007e]{1,8}\U000e007f")
_KEPT_CONTROLS = frozenset("\t\n\r")
_HIDDEN_KINDS = frozenset({"Cc", "Cf"})


def visible(text: str) -> str:
    """The text without invisible characters."""
    if text.isprintable():
        return text
    text = _ESCAPE.sub("", text)
    kept = {place for found in _JOINER.finditer(text) for place in range(*found.span())}
    kept |= {place for found in _FLAG.finditer(text) for place in range(*found.span())}
    return "".join(
        char
        for place, char in enumerate(text)
        if char in _KEPT_CONTROLS or place in kept or unicodedata.category(char) not in _HIDDEN_KINDS
    )
