"""Repeats and likeness among found messages: what says the same again is not shown again.

Greetings, quoted texts and answers given twice would fill an answer with one thing. Only what has the same words counts as
a repeat, but for a greeting or a filler before them, thanks or "now" behind, and hyphens: two messages that differ in a number or a name both stay.
Diversity goes further, on request: it prefers a message that differs from those already chosen, at the price of some
relevance. Comparing every two texts was rejected: only those that share a rare word can be alike, and the others are
never looked at. Pure; vectors and words come from the caller.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache

#: From so many words on, one in ten may differ, if it holds no digit, no capital and no negation: a corrected typo.
_LONG = 10
_ALIKE = 0.9
_MAY_DIFFER = 10
#: Words of a text that are compared; what comes after them must be the same to the letter. A choice: it bounds the work.
_COMPARED = 2000
#: At the ends of words these say nothing; within "C++", "1.5" and "it's" they do.
_MARKS = ".,;:!?…\"'()[]“”‘’«»"
#: Said before and behind what is said; within it these words may tell something ("I sleep well").
_BEFORE = (
    "hi|hello|hey|hi there|hello there|hey there|good morning|good evening|good afternoon|good day|greetings|ok|okay|oh|well|so|yes|yeah|btw"
    "|by the way|please|pls|fyi|um|uh|hmm|anyway|thanks|thank you|sorry"
)
_BEHIND = (
    "thanks|many thanks|thanks again|thanks a lot|thanks in advance|thank you|thank you so much|thank you very much|cheers|please|pls|now|btw"
    "|by the way|ok|okay|lol|haha|bye"
)
#: "Wi-fi" is "wifi"; "re-signed" is not "resigned".
_HYPHEN = re.compile(r"(?<=[^\W\d_])(?<!\bre)-(?=[^\W\d_])")
#: Words up to which the ends of a text are looked at, and how many must be left between them.
_SHORT = 40
_LEFT = 3
_NEGATIONS = frozenset(("no", "not", "never", "none", "nor", "without", "cannot"))


class _Spoken:
    """A text's words as they are written: by their stems "I called her" would be "She called me"."""

    __slots__ = ("hyphened", "order", "rest", "written")

    def __init__(self, text: str) -> None:
        pieces = text.replace("\u2019", "'").split(None, _COMPARED)
        #: What comes after the words that are compared.
        self.rest = pieces.pop().rstrip() if len(pieces) > _COMPARED else ""
        words = [word for piece in pieces if (word := piece.strip(_MARKS))] or pieces
        self.hyphened = "-" in text
        self.order = tuple(word.casefold() for word in words)
        #: How each different word is written.
        self.written = dict(zip(self.order, words, strict=True))

    def said(self) -> tuple[str, ...]:
        """The words in order, without what politeness puts around them; of a few words all count."""
        order, start, end = self.order, 0, len(self.order)
        if not _LEFT <= end <= _SHORT:
            return order
        while end - start >= _LEFT and (phrases := _OPENINGS.get(order[start])):
            length = _begins(order[start:end], phrases)
            start += length
            if not length:
                break
        while end - start >= _LEFT and (phrases := _ENDINGS.get(order[end - 1])):
            length = _ends(order[start:end], phrases)
            end -= length
            if not length:
                break
        if end - start < _LEFT:
            return order
        said = order[start:end]
        return tuple(_HYPHEN.sub("", word) for word in said) if self.hyphened else said


def _begins(said: tuple[str, ...], phrases: Sequence[tuple[str, ...]]) -> int:
    """Words of the longest of some phrases with which a text begins."""
    return next((len(phrase) for phrase in phrases if said[: len(phrase)] == phrase), 0)


def _ends(said: tuple[str, ...], phrases: Sequence[tuple[str, ...]]) -> int:
    """Words of the longest of some phrases with which a text ends."""
    return next((len(phrase) for phrase in phrases if said[-len(phrase) :] == phrase), 0)


def _by_word(phrases: str, place: int) -> dict[str, list[tuple[str, ...]]]:
    """Phrases by their first or last word, the longest first."""
    found: dict[str, list[tuple[str, ...]]] = defaultdict(list)
    for phrase in sorted((tuple(phrase.split()) for phrase in phrases.split("|")), key=len, reverse=True):
        found[phrase[place]].append(phrase)
    return dict(found)


_OPENINGS, _ENDINGS = _by_word(_BEFORE, 0), _by_word(_BEHIND, -1)


class _Bag:
    """A long text's different words as bits, which makes a comparison with another a few instructions."""

    __slots__ = ("rarest", "rest", "size", "telling", "words")

    def __init__(self, spoken: _Spoken, number: Mapping[str, int]) -> None:
        known = sorted(number[word] for word in spoken.written if word in number)
        self.size = len(spoken.written)
        self.rest = spoken.rest
        lone = self.size - len(known)
        #: Numbers of so many rare words that a text alike holds one of them, the words of nobody else already left out.
        self.rarest = known[: max(self.size // _MAY_DIFFER + 1 - lone, 0)]
        telling = [low for low, word in spoken.written.items() if _telling(word)] if self.rarest else []
        if not all(low in number for low in telling):
            self.rarest = []
        self.words = _bits(known) if self.rarest else 0
        self.telling = _bits([number[low] for low in telling]) if self.rarest else 0

    def alike(self, other: "_Bag") -> bool:
        if min(self.size, other.size) < _ALIKE * max(self.size, other.size) or self.rest != other.rest:
            return False
        shared = (self.words & other.words).bit_count()
        if shared < _ALIKE * (self.size + other.size - shared):
            return False
        return not (self.telling & ~other.words or other.telling & ~self.words)


def repeats(texts: Sequence[str]) -> list[int | None]:
    """For each text the place of the earlier one that it repeats; None: it is new."""
    spoken = [_Spoken(text) for text in texts]
    number = _numbered(item for item in spoken if len(item.written) >= _LONG)
    equal: dict[tuple[tuple[str, ...], str], int] = {}
    bags: dict[int, _Bag] = {}
    #: For each rare word the places of new texts that hold it, as bits.
    holders: defaultdict[int, int] = defaultdict(int)
    found: list[int | None] = []
    for place, item in enumerate(spoken):
        said = item.said()
        same = equal.get((said, item.rest))
        bag = _Bag(item, number) if len(item.written) >= _LONG else None
        if bag:
            # Also of one that equals another: written differently, it may be like an even earlier one.
            near = 0
            for word in bag.rarest:
                near |= holders[word]
            same = next((first for first in _places(near, before=same) if bag.alike(bags[first])), same)
        found.append(same)
        if same is not None:
            continue
        equal[said, item.rest] = place
        if bag:
            bags[place] = bag
            for word in bag.rarest:
                holders[word] |= 1 << place
    return found


def _numbered(spoken: Iterable[_Spoken]) -> dict[str, int]:
    """The words that several texts hold, numbered from the rarest on."""
    held = Counter(word for item in spoken for word in item.written)
    shared = sorted((word for word, times in held.items() if times > 1), key=held.__getitem__)
    return {word: number for number, word in enumerate(shared)}


def _bits(numbers: Sequence[int]) -> int:
    made = bytearray(max(numbers, default=0) // 8 + 1)
    for number in numbers:
        made[number // 8] |= 1 << number % 8
    return int.from_bytes(made, "little")


def _places(bits: int, before: int | None) -> Iterator[int]:
    """The places of set bits in their order, up to a place."""
    if before is not None:
        bits &= (1 << before) - 1
    while bits:
        lowest = bits & -bits
        yield lowest.bit_length() - 1
        bits ^= lowest


@lru_cache(maxsize=20_000)
def _telling(word: str) -> bool:
    """Whether a text that differs in this word says something else."""
    low = word.casefold()
    if word.isalpha() and word.islower():
        return low in _NEGATIONS
    return low in _NEGATIONS or low.endswith("n't") or any(sign.isdigit() or sign.isupper() for sign in word)
