"""Excerpts: the part of a long message that matters for a question, in few tokens.

The sentences that share most words with the question, then those next to the best of them, in the order of the text, with a mark for
each gap. Of a document only the pages with most of the question's words are read. Only words are compared. The beginning of a
message would not do: the answer may be anywhere in a long text.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from recollect.language.sentence import sentences
from recollect.language.terms import terms
from recollect.rules.budget import Count, cut_middle

#: The mark for a gap.
MARK = "[…]"
#: The most tokens of a mark with its blanks.
_MARK_TOKENS = 4
#: Remaining tokens at which no further piece is tried.
_LITTLE = 8 + _MARK_TOKENS
#: Characters of a message that are read, so that a hundred pages cost no more than ten.
READ = 20_000
#: Characters of a page; two adjacent pages are read.
_PAGE = READ // 2
#: Words of a question that are searched for in a document.
_LOOKED_FOR = 32


def pages(text: str, question: Sequence[str]) -> str:
    """The text to read: all of it, or the two adjacent pages of a document with most words of a question.

    A word counts less the more pages contain it. Stems are searched as substrings, which finds nearly all and takes a few
    milliseconds for 200,000 characters. The first of equal pages win.
    """
    if len(text) <= READ:
        return text
    wanted = tuple(dict.fromkeys(question))[:_LOOKED_FOR]
    every = range(0, len(text) - _PAGE, _PAGE)
    held = [
        {word for word in wanted if word in page} for at in every for page in (text[at : at + READ].lower(),)
    ]
    spread = Counter(word for words in held for word in words)
    best = max(range(len(held)), key=lambda page: (sum(1 / spread[word] for word in held[page]), -page))
    return text[every[best] : every[best] + READ]


def excerpt(text: str, question: Sequence[str], *, room: int, count: Count, read: str = "") -> str:
    """An excerpt of at most `room` tokens, chosen by the terms of a question; `read`: the pages, if known."""
    read = read or pages(text, question)
    pieces = [piece.text for piece in sentences(read)]
    wanted = frozenset(question)
    shared = [len(wanted.intersection(terms(piece))) for piece in pieces]
    best = max(range(len(pieces)), key=lambda place: (shared[place], -place), default=0)
    chosen: list[int] = []
    left = room - 2 * _MARK_TOKENS
    for place in sorted(range(len(pieces)), key=lambda place: (-shared[place], abs(place - best), place)):
        # Every piece may need a mark before it.
        size = count(pieces[place]) + 1 + _MARK_TOKENS
        if size <= left:
            chosen.append(place)
            left -= size
        elif not shared[place] or left <= _LITTLE:
            break
    if not chosen:
        longest = pieces[best] if pieces else read
        return cut_middle(longest, room=room, tokens=count(longest), count=count)
    return _joined(pieces, sorted(chosen), from_start=text.startswith(read), to_end=text.endswith(read))


def _joined(pieces: Sequence[str], chosen: Sequence[int], *, from_start: bool, to_end: bool) -> str:
    parts = [] if from_start and chosen[0] == 0 else [MARK]
    parts.append(pieces[chosen[0]])
    for before, place in pairwise(chosen):
        parts += [MARK, pieces[place]] if place > before + 1 else [pieces[place]]
    if not to_end or chosen[-1] < len(pieces) - 1:
        parts.append(MARK)
    return " ".join(parts)
