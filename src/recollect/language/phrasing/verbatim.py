"""Cutting a text into words, punctuation and verbatim spans, so that rewriting can never touch the last.

Verbatim are quotations, code, URLs, e-mail addresses and file paths. A word keeps what is glued to it
("my-app", "I/O", "me.com", "#my"), because that is a name and not a pronoun. It does not know grammar or
languages. A Markdown parser was rejected: people write half of it, and an unclosed quote must not swallow
the rest.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from recollect.language.pattern import Pattern

#: Stands in `Tokens.low` for a verbatim span: no rule has a word like it.
VERBATIM = "\0"

#: Tokens that end a sentence, or open a bracket or list item in which a new one starts.
STOPS = frozenset('\n.!?;:…•·—–-*#()[]{}|>“”"')

#: Boundaries put around the tokens, so that a rule may look three words away without asking for the length.
MARGIN = 3

#: Characters in the longest quotation that is looked for; it keeps a text of opening quotes from costing n².
_LONGEST = 2000
_QUOTES = "|".join(
    f"{opening}[^{closing}]{{0,{_LONGEST}}}[{closing}]"
    for opening, closing in ("“”", ("„", "“”"), "«»", "»«", "‹›", "「」", "『』")
)
# A single quote opens after a non-word and closes before one; "'cause" and "'90s" open nothing.
_SINGLE = (
    r"(?<!\w)'(?=[^\s'])(?!(?:cause|til|em|tis|twas|n|bout|cuz|round)\b|\d\ds\b)"
    r"[^'\n]*(?:(?<=\w)'(?=\w)[^'\n]*)*'(?!\w)"
)
_SINGLE_CURLY = r"‘(?=\S)[^‘’\n]*(?:’(?=\w)[^‘’\n]*)*’(?!\w)"
_VERBATIM = "|".join(
    (
        r"```.*?(?:```|\Z)",
        r"`[^`]*`",
        r'(?<!\d)"[^"]*"',
        _QUOTES,
        _SINGLE,
        _SINGLE_CURLY,
        r"[A-Za-z][A-Za-z0-9+.\-]{0,20}://\S+",
        r"\b(?:www\.|mailto:)\S+",
        r"[\w.+\-]{1,64}@[\w\-]+\.[\w.\-]*\w",
        r"\b[A-Za-z]:\\(?:[^\\\n\":]*\\)*\S*",
        r"(?<![\w<])(?:~|\.{1,2})?/[\w.~@+\-]+(?:/[\w.~@+\-]*)*",
    )
)
_WORD = r"(?:[@#$\\~<=&%+_^]|(?<=\S )-){0,3}\w+(?:['’.\-@/\\&+=_]+\w+)*(?:[/\\=@_]|(?<=\d)\")*"
# Most tokens are a word before a space: asked for first, they are spared the verbatim patterns.
_TOKEN = Pattern(
    rf"(?P<plain>[A-Za-z]+)(?=[ ,]|\Z)|(?P<verbatim>{_VERBATIM})|(?P<word>{_WORD})|\S|\n", re.DOTALL
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tokens:
    """The pieces of a text, with `MARGIN` boundaries before and after."""

    text: str
    #: As written.
    raw: list[str]
    #: In lower case with straight apostrophes; `VERBATIM` for a verbatim span, a line end for a boundary.
    low: list[str]
    #: Offset of each token in the text.
    start: list[int]

    def opens(self, index: int) -> bool:
        """Whether a sentence, a bracket or a list item starts with this token."""
        return self.low[index - 1] in STOPS

    def joined(self, edits: Mapping[int, str]) -> str:
        """The text with the edited tokens replaced and every other character kept."""
        pieces: list[str] = []
        done = 0
        for index in sorted(edits):
            at = self.start[index]
            pieces.append(self.text[done:at])
            pieces.append(edits[index])
            done = at + len(self.raw[index])
        pieces.append(self.text[done:])
        return "".join(pieces)


def tokens(text: str) -> Tokens:
    """Cut the text; white space other than line ends is left between the tokens."""
    raw = [""] * MARGIN
    low = ["\n"] * MARGIN
    start = [0] * MARGIN
    for match in _TOKEN.finditer(text):
        piece = match.group()
        raw.append(piece)
        start.append(match.start())
        kind = match.lastgroup
        if kind == "plain":
            low.append(piece.lower())
        elif kind == "word":
            low.append(piece.lower().replace("’", "'"))
        else:
            low.append(VERBATIM if kind else piece)
    raw.extend([""] * MARGIN)
    low.extend(["\n"] * MARGIN)
    start.extend([len(text)] * MARGIN)
    return Tokens(text=text, raw=raw, low=low, start=start)
