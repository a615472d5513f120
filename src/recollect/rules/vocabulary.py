"""A vocabulary: the terms of a domain, and whether a text uses one of them.

Terms are whole words or phrases; case, width, punctuation and plurals do not matter, so "X-rays" is the term "x-ray". In scripts
without spaces a term counts anywhere. Words are looked up in a set, which takes half the time of a regular expression of all
terms and does not slow down with ten thousand of them.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass

from recollect.errors import InvalidInput

#: Characters of a term; a longer line suggests that the file is no vocabulary.
MAX_TERM = 80

_WORD = re.compile(r"[^\W_]+")
_ASCII_GAPS = {code: " " for code in range(128) if not chr(code).isalnum()}
# Letters of scripts that put no space between words: kana, Han, Thai, Lao, Myanmar, Khmer.
_SPACELESS = re.compile(
    "[\u0e01-\u0e5b\u0e81-\u0edf\u1000-\u109f\u1780-\u17d3\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff]"
)
_SIBILANT = ("s", "x", "z", "ch", "sh")


@dataclass(frozen=True, slots=True, kw_only=True)
class Vocabulary:
    """Terms, grouped by how they are looked up; case-folded, plurals included."""

    words: frozenset[str]
    #: Phrases by their first word, with blanks around them.
    phrases: Mapping[str, tuple[str, ...]]
    #: Terms of scripts without spaces.
    pieces: tuple[str, ...] = ()

    def __or__(self, other: "Vocabulary") -> "Vocabulary":
        """The terms of both."""
        openers = sorted(self.phrases.keys() | other.phrases.keys())
        return Vocabulary(
            words=self.words | other.words,
            phrases={
                opener: self.phrases.get(opener, ()) + other.phrases.get(opener, ()) for opener in openers
            },
            pieces=self.pieces + other.pieces,
        )

    def occurs_in(self, text: str) -> bool:
        """Whether the text uses at least one term."""
        spoken = _spoken(text)
        if not self.words.isdisjoint(spoken):
            return True
        openers = self.phrases.keys() & spoken
        if not openers and not self.pieces:
            return False
        line = f" {' '.join(spoken)} "
        return any(phrase in line for opener in openers for phrase in self.phrases[opener]) or any(
            piece in line for piece in self.pieces
        )


def parse_vocabulary(text: str) -> Vocabulary:
    """Read terms, one per line; `#` starts a comment."""
    words: set[str] = set()
    phrases: dict[str, set[str]] = {}
    pieces: set[str] = set()
    for term in _terms(text):
        if _SPACELESS.search("".join(term)):
            pieces.add(" ".join(term))
            continue
        for last in _forms(term[-1]):
            if len(term) == 1:
                words.add(last)
            else:
                phrases.setdefault(term[0], set()).add(f" {' '.join((*term[:-1], last))} ")
    return Vocabulary(
        words=frozenset(words),
        phrases={opener: tuple(sorted(found)) for opener, found in phrases.items()},
        pieces=tuple(sorted(pieces)),
    )


def _terms(text: str) -> Iterator[list[str]]:
    for number, line in enumerate(text.removeprefix("\ufeff").splitlines(), start=1):
        term = line.partition("#")[0].strip()
        if not term:
            continue
        spoken = _spoken(term)
        if not spoken or len(term) > MAX_TERM:
            raise InvalidInput(
                f"vocabulary: line {number} must be a term of 1-{MAX_TERM} characters, not {term[:40]!r}.",
                field="vocabulary",
            )
        yield spoken


def _forms(word: str) -> Iterable[str]:
    """A word and its plural; a plural with another "s" matches nothing."""
    if word.endswith("sis"):
        return (word, f"{word[:-2]}es")
    if word.endswith("y") and word[-2:-1] not in "aeiou":
        return (word, f"{word[:-1]}ies")
    return (word, f"{word}es" if word.endswith(_SIBILANT) else f"{word}s")


def _spoken(text: str) -> list[str]:
    """The folded words, in order."""
    if text.isascii():
        return text.lower().translate(_ASCII_GAPS).split()
    return _WORD.findall(unicodedata.normalize("NFKC", text).casefold())
