"""An excerpt: what of a long message matters for a question, in few tokens.

The sentences that share most words with the question, then those next to the best of them, in the order of the text,
with a mark wherever something is missing. Of a document only the pages are read where most of the question's words stand.
It knows no meaning, only words. The beginning of the message was rejected: what is asked about stands anywhere in a long
answer.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from recollect.language.sentence import sentences
from recollect.language.terms import terms
from recollect.rules.budget import Count, cut_middle

#: Stands where something is left out.
MARK = "[…]"
#: Tokens of a mark with its blanks, at most.
_MARK_TOKENS = 4
#: Tokens for which no further piece is looked at.
_LITTLE = 8 + _MARK_TOKENS
#: Characters of a message that are read, so that a hundred pages cost no more than ten.
READ = 20_000
#: The pages of a document: two neighbours are read.
_PAGE = READ // 2
#: Words of a question that are looked for in a document.
_LOOKED_FOR = 32


def pages(text: str, question: Sequence[str]) -> str:
    """What is read of a text: all of it, or of a document two pages next to each other with the most words of a question.

    A word counts the less the more pages hold it. Stems are looked for as they are written: that finds nearly all, and a
    document of 200,000 characters in a few milliseconds. Of equals the first pages.
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
    """So many tokens of a text that is longer, chosen by the terms of a question; `read` are its pages, where they are known."""
    read = read or pages(text, question)
    pieces = [piece.text for piece in sentences(read)]
    wanted = frozenset(question)
    shared = [len(wanted.intersection(terms(piece))) for piece in pieces]
    best = max(range(len(pieces)), key=lambda place: (shared[place], -place), default=0)
    chosen: list[int] = []
    left = room - 2 * _MARK_TOKENS
    for place in sorted(range(len(pieces)), key=lambda place: (-shared[place], abs(place - best), place)):
        # Every piece may be parted from the one before it by a mark.
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
