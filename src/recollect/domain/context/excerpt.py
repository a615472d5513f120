"""An excerpt: what of a long message matters for a question, in few tokens.

The sentences that share most words with the question, then those next to the best of them, in the order of the text,
with a mark wherever something is missing. It knows no meaning, only words. The beginning of the message was rejected:
what is asked about stands anywhere in a long answer.
"""

from collections.abc import Sequence
from itertools import pairwise

from recollect.domain.budget import Count, cut_middle
from recollect.domain.sentence import sentences
from recollect.domain.terms import terms

#: Stands where something is left out.
MARK = "[…]"
#: Tokens of a mark with its blanks, at most.
_MARK_TOKENS = 4
#: Tokens for which no further piece is looked at.
_LITTLE = 8 + _MARK_TOKENS
#: Characters of a message that are looked at, so that a hundred pages cost no more than ten.
READ = 20_000


def excerpt(text: str, question: Sequence[str], *, room: int, count: Count) -> str:
    """So many tokens of a text that is longer, chosen by the terms of a question."""
    pieces = [piece.text for piece in sentences(text[:READ])]
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
        longest = pieces[best] if pieces else text[:READ]
        return cut_middle(longest, room=room, tokens=count(longest), count=count)
    return _joined(pieces, sorted(chosen), whole=len(text) <= READ)


def _joined(pieces: Sequence[str], chosen: Sequence[int], *, whole: bool) -> str:
    parts = [MARK] if chosen[0] > 0 else []
    parts.append(pieces[chosen[0]])
    for before, place in pairwise(chosen):
        parts += [MARK, pieces[place]] if place > before + 1 else [pieces[place]]
    if not whole or chosen[-1] < len(pieces) - 1:
        parts.append(MARK)
    return " ".join(parts)
