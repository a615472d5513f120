"""Signs: pieces of words without which no rule of a kind can fire, so that most texts need not be read at all.

A sign never decides anything: where one occurs, the rules are asked. It knows no rule; each module keeps its signs beside
its own. The pieces become one pattern that shares their beginnings: looking for two hundred of them one by one, or in
a flat pattern, costs ten times as much, and a pattern that ignores case as much again.
"""

import re
from collections.abc import Iterable

from recollect.language.pattern import Pattern

#: What a pattern that ignores case takes for an ASCII letter, besides what `lower` makes one; and curly apostrophes.
_LETTERS = str.maketrans({"\u0130": "i", "\u0131": "i", "\u017f": "s", "\u2019": "'", "\u2018": "'"})


def signs(words: str) -> tuple[str, ...]:
    """Signs from a list with `|` between them, as they stand in a pattern."""
    return tuple(words.split("|"))


def plain(text: str) -> str:
    """The text in which signs are looked for: small letters, plain apostrophes."""
    return (text if text.isascii() else text.translate(_LETTERS)).lower()


def any_of(wanted: Iterable[str]) -> Pattern:
    """A pattern that finds one of the signs in a plain text, if one is there."""
    return Pattern(_branches(wanted))


def _branches(words: Iterable[str]) -> str:
    endings: dict[str, list[str]] = {}
    for word in words:
        if not word:
            # A shorter sign ends here: it is there whatever follows.
            return ""
        endings.setdefault(word[0], []).append(word[1:])
    found = [re.escape(letter) + _branches(rest) for letter, rest in endings.items()]
    return found[0] if len(found) == 1 else f"(?:{'|'.join(found)})"
