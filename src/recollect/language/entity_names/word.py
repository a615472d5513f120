"""The words of a text as names need them: where each stands, how it is written and what lies before it.

A word keeps its hyphens and apostrophes ("O'Brien", "Smith-Jones"); a possessive ending is set apart. What stands in
code, addresses and quotations is marked, because a capital there tells nothing. It knows no names.
"""

import re
from typing import NamedTuple

from recollect.language.pattern import Pattern

# Marks of Latin, Hebrew, Arabic, and all of the Indic and Thai blocks, whose vowel signs `\w` does not count.
_LETTERS = r"(?:[^\W_]|[\u0300-\u036f\u0591-\u05c7\u0610-\u065f\u0900-\u0dff\u0e00-\u0eff])+"
_WORD = Pattern(rf"(?:[^\W\d_]\.){{2,}}|{_LETTERS}(?:['\u2019-]{_LETTERS})*")
# Code and quotations: another's text, or the title of a work.
_QUOTED = Pattern(r"`[^`]{1,500}`|\"[^\"\n]{1,200}\"|\u201c[^\u201d\n]{1,200}\u201d")
_QUOTES = frozenset('`"\u201c')
_CHUNK = Pattern(r"\S+")
# Handles, tags, paths, addresses and host names.
_SIGNS = frozenset("/\\_@#&")
_HOST = Pattern(r"\w\.[a-z]")
_NEW_SENTENCE = re.compile(r"[.!?:;\n\u2022(\u2026]|^[-*]\s")
#: A full stop after these ends no sentence.
ABBREVIATED = frozenset("dr mr mrs ms prof st vs rev jr sr mt ft capt sgt lt col gen".split())


class Word(NamedTuple):
    """One word."""

    text: str
    low: str
    start: int
    #: Exclusive, without a possessive ending.
    end: int
    #: What lies between the word before and this one.
    gap: str
    #: First of a sentence: its capital may mean nothing.
    opens: bool
    possessive: bool
    #: In code, an address or a quotation.
    masked: bool

    @property
    def capital(self) -> bool:
        return self.text[0].isupper()

    @property
    def shouted(self) -> bool:
        """Capitals throughout: an acronym, or emphasis."""
        return len(self.text) > 1 and self.text.isupper() and "." not in self.text


def words_of(text: str) -> list[Word]:
    """The words in order."""
    masked = _masked(text)
    found: list[Word] = []
    last = 0
    before = ""
    for match in _WORD.finditer(text):
        start, end = match.span()
        raw, possessive = match.group(), False
        if raw[-2:] in ("'s", "\u2019s", "'S", "\u2019S") and len(raw) > 2:
            raw, end, possessive = raw[:-2], end - 2, True
        elif text[end : end + 1] in ("'", "\u2019") and raw[-1] == "s":
            possessive = True
        gap = text[last:start]
        opens = not found or (gap != " " and _is_new_sentence(gap, before))
        inside = bool(masked) and any(first <= start < final for first, final in masked)
        found.append(Word(raw, raw.lower(), start, end, gap, opens, possessive, inside))
        last, before = match.end(), raw
    return found


def _masked(text: str) -> list[tuple[int, int]]:
    """Stretches whose capitals tell nothing."""
    found: list[tuple[int, int]] = []
    if not _QUOTES.isdisjoint(text):
        found += [match.span() for match in _QUOTED.finditer(text)]
    if not _SIGNS.isdisjoint(text) or _HOST.search(text):
        for match in _CHUNK.finditer(text):
            chunk = match.group()
            if not _SIGNS.isdisjoint(chunk) or _HOST.search(chunk):
                found.append(match.span())
    return found


def _is_new_sentence(gap: str, before: str) -> bool:
    # A full stop after a title or an initial ends nothing.
    goes_on = gap == ". " and (before.lower() in ABBREVIATED or (len(before) == 1 and before.isupper()))
    return not goes_on and _NEW_SENTENCE.search(gap) is not None
