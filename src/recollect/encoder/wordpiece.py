"""WordPiece: text to the piece ids of BERT's uncased vocabulary.

Folds a text (lower case, no accents, no control characters), splits it at blanks, punctuation and Han signs, and cuts each word into
the longest known pieces, without [CLS], [SEP] or padding. The `tokenizers` library gives the same ids except for some 500 rare
characters younger than its Unicode tables, but brings sixteen packages and is slower on short texts. One difference is
intended: `[CLS]` or `[SEP]` in a text are ordinary characters, so that a text cannot inject control pieces.
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

CLS = "[CLS]"
SEP = "[SEP]"
UNKNOWN = "[UNK]"

#: Longer words become one [UNK], as in BERT (characters).
MAX_WORD = 100
#: Words outside the vocabulary with cached pieces; about 4 MB when full.
REMEMBERED_WORDS = 16_384

#: Code points that BERT sets apart as words of one sign: Han, not Kana or Hangul.
_HAN = (
    (0x4E00, 0x9FFF),
    (0x3400, 0x4DBF),
    (0x20000, 0x2A6DF),
    (0x2A700, 0x2B73F),
    (0x2B740, 0x2B81F),
    (0x2B920, 0x2CEAF),
    (0xF900, 0xFAFF),
    (0x2F800, 0x2FA1F),
)


def _is_han(code: int) -> bool:
    return any(first <= code <= last for first, last in _HAN)


def _is_punctuation(char: str) -> bool:
    """BERT counts ASCII symbols such as $ and + as punctuation too."""
    if char.isascii():
        return char.isprintable() and not char.isalnum() and char != " "
    return unicodedata.category(char).startswith("P")


def _fold(char: str) -> str:
    """The folded form of a character: empty, a blank, or the folded character, separated by blanks if necessary."""
    if char in "\t\n\r":
        return " "
    if char in "\0\ufffd" or unicodedata.category(char) in ("Cc", "Cf", "Co", "Cs"):
        return ""
    if char.isspace():
        return " "
    bare = (part for part in unicodedata.normalize("NFD", char) if unicodedata.category(part) != "Mn")
    folded = "".join(f" {low} " if _is_punctuation(low) else low for part in bare for low in part.lower())
    return f" {folded} " if _is_han(ord(char)) else folded


class _Folding(dict[int, str]):
    """A table for `str.translate` that fills itself; no larger than Unicode."""

    def __missing__(self, code: int) -> str:
        folded = _fold(chr(code))
        self[code] = folded
        return folded


class WordPiece:
    """The tokenizer; safe to share between threads."""

    def __init__(self, vocabulary: Iterable[str]) -> None:
        self._ids = {piece: number for number, piece in enumerate(vocabulary)}
        self._unknown = self._ids[UNKNOWN]
        self._folding = _Folding()
        self._cut = lru_cache(REMEMBERED_WORDS)(self._cut_word)
        self.cls = self._ids[CLS]
        self.sep = self._ids[SEP]

    @classmethod
    def read(cls, file: Path) -> "WordPiece":
        """Read a file with one piece per line; the line number is the id."""
        return cls(file.read_text(encoding="utf-8").rstrip("\n").split("\n"))

    def encode(self, text: str) -> list[int]:
        """The ids of all pieces of `text`, in order, however long it is."""
        known = self._ids.get
        ids: list[int] = []
        for word in text.translate(self._folding).split():
            number = known(word)
            if number is not None:
                ids.append(number)
            else:
                ids.extend(self._cut(word))
        return ids

    def _cut_word(self, word: str) -> tuple[int, ...]:
        """Longest known piece first, from left to right; one unknown rest makes the whole word unknown."""
        if len(word) > MAX_WORD:
            return (self._unknown,)
        ids: list[int] = []
        start, mark = 0, ""
        while start < len(word):
            for end in range(len(word), start, -1):
                number = self._ids.get(mark + word[start:end])
                if number is not None:
                    break
            else:
                return (self._unknown,)
            ids.append(number)
            start, mark = end, "##"
        return tuple(ids)
