"""A span: neighbouring words with capitals that may be one name, and what stands before and after it.

"Anna van der Berg", "University of Vienna" and "J. Smith" are one span each; months, languages and ordinary words end
one. It does not know whether a span is a name: `cue` does.
"""

from collections.abc import Sequence
from dataclasses import dataclass

from recollect.language.entity_names.lexicon import (
    HEADS_WITH_OF,
    NEVER,
    ORDINARY_NAMES,
    PLACES_IN,
    ROLE_WORDS,
    TIMES,
    TITLES,
)
from recollect.language.entity_names.word import ABBREVIATED, Word
from recollect.records.entity import slug

_PARTICLES = frozenset("van von de der den da di del della la le bin ibn al el dos du ter y".split())
# No names by themselves, but New York is one.
_FIRST_OF_PLACES = frozenset("new north south east west".split())
#: Words; a longer row of capitals is a heading.
_LONGEST = 6


@dataclass(frozen=True, slots=True)
class Span:
    """The words from `first` to before `last`."""

    text: str
    words: Sequence[Word]
    first: int
    last: int

    @property
    def start(self) -> int:
        return self.words[self.first].start

    @property
    def end(self) -> int:
        return self.words[self.last - 1].end

    @property
    def label(self) -> str:
        return " ".join(self.text[self.start : self.end].split())

    @property
    def slug(self) -> str:
        return slug(self.label)

    @property
    def lows(self) -> list[str]:
        return [word.low for word in self.words[self.first : self.last]]

    @property
    def opens(self) -> bool:
        return self.words[self.first].opens

    @property
    def possessive(self) -> bool:
        return self.words[self.last - 1].possessive

    @property
    def shouted(self) -> bool:
        return any(word.shouted for word in self.words[self.first : self.last])

    def before(self, count: int = 1, *, apart: str = " ") -> str:
        """The word so many places before, in this sentence; the nearest one must be `apart` from the span."""
        at = self.first - count
        between = self.words[max(at, 0) + 1 : self.first + 1]
        if at < 0 or any(word.opens for word in between) or self.words[self.first].gap != apart:
            return ""
        word = self.words[at]
        return word.low + "'s" if word.possessive else word.low

    def among(self, count: int, wanted: frozenset[str], *, start: int = 1) -> bool:
        """Whether one of the words so many places before, from `start` on, is wanted."""
        return any(self.before(number) in wanted for number in range(start, start + count))

    def after(self, count: int = 1, *, apart: str = " ") -> str:
        """The word so many places after, in this sentence; the nearest one must be `apart` from the span."""
        at = self.last + count - 1
        if at >= len(self.words) or any(word.opens for word in self.words[self.last : at + 1]):
            return ""
        gap = self.words[self.last].gap
        if self.words[self.last - 1].low in ABBREVIATED and gap == ". ":
            gap = " "
        # A plural possessive leaves its apostrophe in the gap.
        if self.possessive:
            gap = gap.lstrip("'\u2019")
        return self.words[at].low if gap == apart else ""

    @property
    def ends_phrase(self) -> bool:
        """Whether nothing, a stop or a comma follows."""
        return self.last >= len(self.words) or self.words[self.last].gap.strip("'\u2019 ") != ""

    @property
    def is_cut(self) -> bool:
        """Whether a capitalised word that is no name adjoins: "Santa Barbara", "Museum of Contemporary Art"."""
        left = self.words[self.first - 1] if self.first and not self.opens else None
        if left is not None and self.words[self.first].gap == " " and not left.opens and _cuts(left):
            return True
        right = self.words[self.last] if self.last < len(self.words) else None
        return (
            right is not None
            and right.gap == " "
            and not right.opens
            and not self.possessive
            and _cuts(right)
        )

    def without_first(self) -> "Span":
        return Span(self.text, self.words, self.first + 1, self.last)

    def until(self, other: "Span") -> "Span":
        """Both spans and what lies between."""
        return Span(self.text, self.words, self.first, other.last)


def _cuts(word: Word) -> bool:
    return (
        word.capital
        and len(word.text) > 1
        and not word.possessive
        and word.low not in TIMES
        and word.low not in ROLE_WORDS
        and word.low not in ("i'm", "i've", "i'd", "i'll", "user", "project")
    )


def spans_of(text: str, words: Sequence[Word]) -> list[Span]:
    """Rows of words with capitals."""
    found: list[Span] = []
    at = 0
    while at < len(words):
        if not _can_stand(words, at):
            at += 1
            continue
        end = at + 1
        while end - at < _LONGEST and (step := _joined(words, end)):
            end += step
        found.append(Span(text, words, at, end))
        at = end
    return found


def _can_stand(words: Sequence[Word], at: int) -> bool:
    word = words[at]
    if not word.capital or word.masked:
        return False
    before = words[at - 1].low if at and not word.opens else ""
    if not word.low.isalpha() and word.low.replace("\u2019", "'").partition("'")[0] in NEVER:
        # "You've" and "That's", but not "O'Brien".
        return False
    if word.low in ("jr", "sr"):
        return at > 0 and words[at - 1].capital and not word.opens
    if word.low in _FIRST_OF_PLACES and at + 1 < len(words) and words[at + 1].capital:
        return f"{word.low}_{words[at + 1].low}" in PLACES_IN
    if word.low in TITLES or (word.low in ABBREVIATED and word.low != "vs"):
        return at + 1 < len(words) and words[at + 1].capital and words[at + 1].gap in (" ", ". ")
    if word.low in ORDINARY_NAMES and (before in ROLE_WORDS or before in TITLES):
        return True
    if word.low in ROLE_WORDS or word.low in NEVER:
        return word.low in HEADS_WITH_OF and _of(words, at + 1)
    return True


def _joined(words: Sequence[Word], at: int) -> int:
    """How many words from here go on with the name that ends before."""
    if at >= len(words) or words[at - 1].possessive:
        return 0
    word, before = words[at], words[at - 1]
    if word.opens and word.gap != ". ":
        return 0
    if _of(words, at):
        return 2 if before.low in HEADS_WITH_OF else 0
    if word.low in _PARTICLES and word.gap == " " and not word.capital:
        ahead = at + 1
        while ahead < len(words) and words[ahead].low in _PARTICLES and words[ahead].gap == " ":
            ahead += 1
        follows = ahead < len(words) and words[ahead].gap == " " and _can_stand(words, ahead)
        return ahead - at + 1 if follows else 0
    initial = len(before.text) == 1 or before.low in ABBREVIATED or "." in before.text
    adjoins = word.gap in (" ", " & ") or (word.gap == ". " and initial)
    return 1 if adjoins and _can_stand(words, at) else 0


def _of(words: Sequence[Word], at: int) -> bool:
    return (
        at + 1 < len(words)
        and words[at].low == "of"
        and words[at].gap == " "
        and words[at + 1].gap == " "
        and words[at + 1].capital
        and not words[at].possessive
    )
