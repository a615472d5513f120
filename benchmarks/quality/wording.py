"""Whether a sentence carries given words, whatever their endings; and whether it can stand alone as a memory.

A judge may word a fact as it likes, so only the telling words are compared: folded, without accents, stemmed, "n't" read as
"not". A word of several parts ("dark mode", "Next.js") must stand there in one piece. Similarity of vectors was rejected:
"allergic to penicillin" and "not allergic to penicillin" are neighbours.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import cache

from Stemmer import Stemmer  # pyright: ignore[reportUnknownVariableType]  # a C module without types

from benchmarks.quality.judge_labels import Must

_WORD = re.compile(r"[^\W_]+")
_CANNOT = re.compile(r"\bcan(?:'t|not)\b")
_NOT = re.compile(r"n't\b")
_QUOTED = re.compile(r"\"[^\"]*\"|“[^”]*”|(?<!\w)'[^']+'(?!\w)|`[^`]*`")
_FIRST_PERSON = re.compile(r"(?<![\w.])I(?![\w.])|\b(?:[Mm]y|me|mine|myself|[Ww]e|us|[Oo]urs?|ourselves)\b")
_POINTING = re.compile(r"(?:he|she|it|they|his|her|its|their|this|that|these|those|there)\b", re.IGNORECASE)


@cache
def _stem() -> Callable[[list[str]], list[str]]:
    return Stemmer("english").stemWords  # pyright: ignore


def stems(text: str) -> list[str]:
    """The words of a text in order, in the form in which they are compared."""
    folded = unicodedata.normalize("NFKD", text.casefold().replace("’", "'"))
    plain = "".join(char for char in folded if not unicodedata.combining(char))
    return _stem()(_WORD.findall(_NOT.sub(" not", _CANNOT.sub("can not", plain))))


def carries(text: str, must: Must) -> bool:
    """Whether the text has each of the words, in one of its spellings."""
    said = stems(text)
    return all(any(_has(said, stems(spelling)) for spelling in word) for word in must)


def flaw(content: str) -> str | None:
    """Why a sentence cannot stand alone as a memory, whatever it says; None: it can."""
    if _FIRST_PERSON.search(_QUOTED.sub(" ", content)):
        return "not in the third person"
    if _POINTING.match(content):
        return "points at what was said before"
    return None


def _has(said: Sequence[str], words: Sequence[str]) -> bool:
    """Whether the words follow each other somewhere."""
    length = len(words)
    return any(said[place : place + length] == words for place in range(len(said) - length + 1))
