"""The analyser for full text: from a text to the terms that BM25 counts.

Words are folded (width, case, accents of European scripts), stripped of English stop words and stemmed.
Scripts that write without spaces become single characters and pairs. Names such as C++, C#, .NET and
Node.js keep what distinguishes them, versions stay whole. This module knows no index and no score.
The databases' own tokenizers were rejected: they differ from each other, and one analyser must serve all.
"""

import re
import threading
import unicodedata
import zlib
from collections.abc import Callable, Iterator
from functools import cache
from itertools import pairwise

from Stemmer import Stemmer  # pyright: ignore[reportUnknownVariableType]  # a C module without types

# Longer runs are no words (base64, minified code); cutting them keeps a term's cost bounded.
_LONGEST = 64  # characters
_STEM_CACHE = 20_000  # words a thread remembers, about 2 MB

# Words that say nothing about what a text is about. "not", "no" and "never" are absent on purpose:
# they turn a statement around, and a query that has them means them.
STOP_WORDS = frozenset(
    """a about above after again all also am an and any are as at be been being below between both but by can
    could did do does doing down during each few for from further had has have having he her here hers
    herself him himself his how i if in into is it its itself just me more most my myself of off on once
    only or other our ours ourselves out over own same she should so some such than that the their
    theirs them themselves then there these they this those through to too under until up very was we
    were what when where which while who whom whose why will with would you your yours yourself
    yourselves im ive id ill youre youve youd youll hes shes its weve theyre theyve thats theres whats
    whos lets""".split()
)

# Letters of scripts that put no space between words: kana, Han, Hangul, Thai, Lao, Myanmar, Khmer.
_SPACELESS = (
    "\u0e01-\u0e5b\u0e81-\u0edf\u1000-\u109f\u1780-\u17d3\u1100-\u11ff\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff"
    "\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af\uf900-\ufaff\U00020000-\U0003ffff"
)
_EUROPEAN_ACCENTS = dict.fromkeys(range(0x0300, 0x0370), None)
_SPACELESS_RUN = re.compile(f"[{_SPACELESS}]+")
_TECH_SUFFIXES = frozenset({"js", "net", "ts", "io"})

# In this order: .NET; numbers with their points and thousands; dotted names; words with C++ and C# endings.
_WORD_FORMS = (
    r"(?<!\w)\.net\b|\d{{1,3}}(?:,\d{{3}})+(?!\d)|\d+(?:\.\d+)+|"
    r"{word}+(?:'{word}+)*(?:\.(?:js|net|ts|io)\b|\+\+(?!\w)|#(?!\w))?"
)
_ASCII_WORDS = re.compile(_WORD_FORMS.format(word="[a-z0-9]"))


class _PerThread(threading.local):
    """A stemmer of its own for each thread: the library's is not safe to share."""

    def __init__(self) -> None:
        stem_words = Stemmer("english", _STEM_CACHE).stemWords  # pyright: ignore
        self.stem_words: Callable[[list[str]], list[str]] = stem_words


_stemmers = _PerThread()


def terms(text: str) -> list[str]:
    """The terms of a text, in order and with repetitions; a text of stop words alone keeps them."""
    words = list(_words(text))
    telling = [word for word in words if word not in STOP_WORDS]
    return _stemmers.stem_words(telling or words)


def term_hash(term: str) -> int:
    """A stable 32-bit number for a term, the same in every process and version."""
    return zlib.crc32(term.encode("utf-8", "surrogatepass"))


def _words(text: str) -> Iterator[str]:
    folded = _fold(text)
    pattern = _ASCII_WORDS if folded.isascii() else _unicode_words()
    for token in pattern.findall(folded):
        # Most tokens are plain words: letters and digits of one script that has spaces.
        if token.isascii() and token.isalnum():
            yield token[:_LONGEST]
        else:
            yield from _unusual(token)


def _fold(text: str) -> str:
    if text.isascii():
        return text.lower()
    decomposed = unicodedata.normalize("NFKD", unicodedata.normalize("NFKC", text).casefold())
    folded = unicodedata.normalize("NFC", decomposed.translate(_EUROPEAN_ACCENTS))
    return folded.replace("\u2019", "'").replace("\u02bc", "'")


def _unusual(token: str) -> Iterator[str]:
    """Tokens with an apostrophe, a point, a sign or letters beyond ASCII."""
    if token[0].isdigit():
        yield token.replace(",", "")[:_LONGEST]
        return
    if "'" in token:
        # "user's" is about the user; "o'brien" is looked up as "obrien" too.
        token = token.removesuffix("'s").replace("'", "")
    head, point, suffix = token.rpartition(".")
    if point and suffix in _TECH_SUFFIXES:
        # "node.js" is found by "node", by "nodejs" and by itself; ".net" by "dotnet" and "net".
        yield (head or "dot") + suffix
        yield head or suffix
    elif token.isascii():
        yield token[:_LONGEST]
    else:
        yield from _beyond_ascii(token)


def _beyond_ascii(token: str) -> Iterator[str]:
    end = 0
    for run in _SPACELESS_RUN.finditer(token):
        if run.start() > end:
            yield token[end : run.start()][:_LONGEST]
        characters = run.group()
        yield from characters
        yield from map("".join, pairwise(characters))
        end = run.end()
    if end < len(token):
        yield token[end:][:_LONGEST]


@cache
def _unicode_words() -> re.Pattern[str]:
    """Like the ASCII pattern, with letters and digits of every script and the marks that belong to them."""
    marks = "".join(chr(code) for code in range(0x300, 0x1E950) if unicodedata.category(chr(code))[0] == "M")
    return re.compile(_WORD_FORMS.format(word=rf"(?:[^\W_]|[{marks}])"))
