"""Sentences: where a text of a conversation may be taken apart or cut.

People and models write prose, lists, headings, tables and code into one message. Here they come apart, in order, each
with its kind. Abbreviations, decimals, initials, ellipses and the full stops of Chinese and Japanese are known;
whoever writes in lower case has sentences too. It does not know what a sentence says, but for the mark at its end. A
trained splitter was rejected: it is a download for what a dozen rules do, and every rule here looks at a bounded
stretch, so the time is linear.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum

#: Characters of one sentence. Speech without full stops is cut between clauses before that.
LONGEST = 600
_SHORTEST_PIECE = 200
#: Characters a line needs before the next one, in lower case, is read as its continuation.
_WRAPPED = 50


class Kind(StrEnum):
    """What a piece of a text is."""

    PROSE = "prose"
    ITEM = "item"
    HEADING = "heading"
    #: Fenced code and tables.
    CODE = "code"


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentence:
    """One piece, without its marks: bullets, asterisks and line ends are gone."""

    text: str
    kind: Kind


def sentences(text: str) -> list[Sentence]:
    """The pieces of a text in order; only code keeps its lines."""
    found: list[Sentence] = []
    for start, end, kind in _spans(text):
        piece = text[start:end]
        if kind is Kind.CODE:
            found.append(Sentence(text=piece.strip("\n"), kind=kind))
        elif plain := _plain(piece):
            found.append(Sentence(text=plain, kind=kind))
    return found


def cut_at_sentence(text: str, cap: int, count: Callable[[str], int]) -> str:
    """The longest beginning that ends with a sentence within the cap; failing that with a word, then anywhere."""
    text = text.strip()
    if cap <= 0:
        return ""
    for ends in (
        [end for _, end, _ in _spans(text)],
        [word.end() for word in _WORD.finditer(text, 0, _window(text, cap, count))],
        range(1, _window(text, cap, count) + 1),
    ):
        if kept := _longest(text, ends, cap, count):
            return kept
    return ""


def shorten(text: str, limit: int) -> str:
    """At most so many characters, cut after a word and marked with an ellipsis if something is missing."""
    if len(text) <= limit:
        return text
    head = text[: limit - 1]
    space = head.rfind(" ", limit // 2)
    return (head[:space] if space > 0 else head).rstrip(" ,;:-\u2013\u2014") + "\u2026"


def ends_as_question(text: str) -> bool:
    """Whether the text ends with a question mark, whatever marks of another kind stand behind it."""
    return text.rstrip("\"')]*_!. \u201d\u2019\u300d").endswith(("?", "\uff1f"))


_WORD = re.compile(r"\S+")


def _window(text: str, cap: int, count: Callable[[str], int]) -> int:
    """So many characters that more of them would surely be beyond the cap; a long text is not counted whole."""
    size = 64
    while size < len(text) and count(text[:size]) <= cap:
        size *= 2
    return min(size, len(text))


def _longest(text: str, ends: Sequence[int], cap: int, count: Callable[[str], int]) -> str:
    """The beginning up to the last end that fits: first in doubling steps, then by halves."""
    low, high = 0, 1
    while high < len(ends) and count(text[: ends[high - 1]]) <= cap:
        low, high = high, high * 2
    high = min(high, len(ends))
    while low < high:
        middle = (low + high + 1) // 2
        if count(text[: ends[middle - 1]]) <= cap:
            low = middle
        else:
            high = middle - 1
    # Tokens of a beginning can be more than those of a longer one; the last word is the counter's.
    while low and count(text[: ends[low - 1]].rstrip()) > cap:
        low -= 1
    return text[: ends[low - 1]].rstrip() if low else ""


_FENCE = re.compile(r"[ \t]{0,3}(?:```|~~~)")
_TABLE = re.compile(r"[ \t]{0,3}\|")
_HEADING = re.compile(r"[ \t]{0,3}#{1,6}[ \t]")
_ITEM = re.compile(r"[ \t]*(?:[-*+\u2022\u2023\u25e6\u30fb]|\(?\d{1,3}[.)]|\(?[a-zA-Z]\))[ \t]+(?=\S)")
_RULE = re.compile(r"[ \t]*[-*_=]{3,}[ \t]*$")
_LINE = re.compile(r"[^\n]*\n|[^\n]+")


def _spans(text: str) -> Iterator[tuple[int, int, Kind]]:
    """Where the pieces are, with their marks."""
    prose: tuple[int, int] | None = None
    fence: int | None = None
    for line in _LINE.finditer(text):
        start, end = line.span()
        content = line.group().rstrip()
        if _FENCE.match(content):
            if prose:
                yield from _prose_spans(text, *prose)
                prose = None
            if fence is not None:
                yield fence, end, Kind.CODE
            fence = start if fence is None else None
            continue
        if fence is not None:
            continue
        if prose and _continues(text[max(prose[0], prose[1] - _WRAPPED - 1) : prose[1]], content):
            prose = prose[0], start + len(content)
            continue
        if prose:
            yield from _prose_spans(text, *prose)
            prose = None
        if _TABLE.match(content):
            yield start, start + len(content), Kind.CODE
        elif _HEADING.match(content):
            yield start, start + len(content), Kind.HEADING
        elif item := _ITEM.match(content):
            yield from _split(text, start + item.end(), start + len(content), Kind.ITEM)
        elif content.strip() and not _RULE.match(content):
            prose = start, start + len(content)
    if prose:
        yield from _prose_spans(text, *prose)
    if fence is not None:
        yield fence, len(text), Kind.CODE


def _continues(before: str, line: str) -> bool:
    """Whether a line is the rest of a wrapped one: it goes on in lower case where a long line did not end."""
    return len(before) > _WRAPPED and before[-1] not in ".!?:\u2026\u3002\uff01\uff1f" and line[:1].islower()


def _prose_spans(text: str, start: int, end: int) -> Iterator[tuple[int, int, Kind]]:
    return _split(text, start, end, Kind.PROSE)


_STOP = re.compile(r"[.!?\u2026\u3002\uff01\uff1f\uff61]+[\"'\u201d\u2019\u00bb)\]*_\u300d\u300f\uff09]*")
_WIDE_STOPS = frozenset("\u3002\uff01\uff1f\uff61")


def _split(text: str, start: int, end: int, kind: Kind) -> Iterator[tuple[int, int, Kind]]:
    for stop in _STOP.finditer(text, start, end):
        if _ends(text, start, stop, end):
            yield from _pieces(text, start, stop.end(), kind)
            start = stop.end()
    if text[start:end].strip():
        yield from _pieces(text, start, end, kind)


_CLAUSE = re.compile(r"[,;:\u2013\u2014]\s|\s(?=(?:and|but|so|because|then|und|aber|y|et)\s)|[\u3001\uff0c]")


def _pieces(text: str, start: int, end: int, kind: Kind) -> Iterator[tuple[int, int, Kind]]:
    """One sentence, or the clauses of one that never ends."""
    while end - start > LONGEST:
        window = start + _SHORTEST_PIECE, start + LONGEST
        cut = max((clause.end() for clause in _CLAUSE.finditer(text, *window)), default=0)
        cut = cut or text.rfind(" ", *window) + 1 or start + LONGEST
        yield start, cut, kind
        start = cut
    if text[start:end].strip():
        yield start, end, kind


#: Never the last word of a sentence.
_TITLES = frozenset(
    "dr mr mrs ms prof st sra sr mme mlle approx vs fig cf e.g i.e z.b bzw ca d.h u.a p.ej rev gen sen lt capt".split()
)
#: Last words only when a capital follows.
_SHORT_FORMS = frozenset(
    "etc a.m p.m inc ltd co corp jr est dept usw u.s u.k min max avg jan feb mar apr jun jul aug sep sept oct nov dec".split()
)
_NUMBERED = frozenset("no nr p pp vol ch sec op".split())
_MONTH = re.compile(r"(?:jan|feb|m\u00e4r|mar|apr|ma[iy]|jun|jul|aug|sep|o[kc]t|nov|de[zc])", re.IGNORECASE)
#: Characters; no abbreviation is longer.
_REACH = 12


def _ends(text: str, start: int, stop: re.Match[str], end: int) -> bool:
    """Whether a stop ends the sentence that began at `start`."""
    marks = stop.group()
    if not _WIDE_STOPS.isdisjoint(marks):
        return True
    after = stop.end()
    if after < end and not text[after].isspace():
        return False
    following = text[after : after + 40].lstrip()
    lower = following[:1].islower()
    if marks == ".":
        return not _is_abbreviation(text, start, stop.start(), following)
    if marks.startswith(("..", "\u2026")) or len(marks.rstrip("\"'\u201d\u2019\u00bb)]*_")) < len(marks):
        return not lower
    return True


def _is_abbreviation(text: str, start: int, stop: int, following: str) -> bool:
    begin = stop
    while begin > max(start, stop - _REACH) and (text[begin - 1].isalnum() or text[begin - 1] == "."):
        begin -= 1
    word = text[begin:stop]
    low = word.lower()
    lower = following[:1].islower()
    if low in _TITLES or (low in _NUMBERED and following[:1].isdigit()):
        return True
    if low in _SHORT_FORMS:
        return lower or following[:1].isdigit()
    if word.isdigit():
        # "am 3. Mai", but "in 1990. My wife".
        return lower or (len(word) <= 2 and _MONTH.match(following) is not None)
    if len(word) == 1 and word.isupper() and word != "I":
        # "John F. Kennedy" and "J. Smith", but "vitamin C. She".
        before = text[max(start, begin - 40) : begin].split()
        return not before or before[-1][:1].isupper()
    return lower and (len(word) < 3 or "." in word)


_LINK = re.compile(r"!?\[([^\[\]\n]{1,300})\]\([^()\s]{1,500}\)")
_QUOTE_MARK = re.compile(r"(?:[ \t]*>)+[ \t]?|[ \t]*#{1,6}[ \t]+")


def _plain(piece: str) -> str:
    """The words of a piece in one line."""
    if mark := _QUOTE_MARK.match(piece):
        piece = piece[mark.end() :]
    if "](" in piece:
        piece = _LINK.sub(r"\1", piece)
    return " ".join(piece.replace("**", "").replace("__", "").split()).strip("*_ ")
