"""Reading the words of time in a question, relative to the question's own time and zone.

One walk over the words finds the stretches; a second one the events; three patterns find the manner. Most questions have no
such word and pay for the walk alone. It knows no message and ranks nothing (`falloff`). A text is never refused: what
cannot be a date is not one.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, tzinfo
from functools import cache
from itertools import islice

from recollect.language.time_words import manner
from recollect.language.time_words.anchor import Anchor
from recollect.language.time_words.civil import stretch
from recollect.language.time_words.feast import feast_at
from recollect.language.time_words.lexicon import PREPOSITIONS
from recollect.language.time_words.occasion import OCCASION_WORDS, Placed, anchors
from recollect.language.time_words.phrase import starters
from recollect.language.time_words.question import Question, asked
from recollect.language.time_words.relation import RELATIONS, phrase
from recollect.language.time_words.stretch import Stretch
from recollect.language.time_words.weekday import is_led

#: Stretches and events of one question. Whoever names more has pasted a document.
MOST = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class TimeWords:
    """What a question says about time."""

    #: In the order of the question. A stretch that an event lies in is here too.
    stretches: tuple[Stretch, ...]
    anchors: tuple[Anchor, ...]
    #: Whether the latest is asked for.
    newest: bool
    #: Whether the first is asked for.
    oldest: bool
    #: Whether the question is about what was said between the two.
    about_saying: bool
    #: The question without the words of time. Names of feasts and events stay: messages have them too.
    rest: str
    #: Whether the stretch may belong to what was said instead of the saying, or lies in the future.
    disputed: bool = False

    @property
    def narrowing(self) -> Stretch | None:
        """What certainly bounds the messages; None: nothing does."""
        if not self.about_saying or self.disputed or self.anchors or len(self.stretches) != 1:
            return None
        return self.stretches[0] if self.stretches[0].certain else None


def read(question: str, *, now: datetime, zone: tzinfo) -> TimeWords:
    """The words of time in a question."""
    here = asked(question, now=now, zone=zone)
    placed = list(_stretches(here))
    events = tuple(islice(anchors(here, placed), MOST)) if OCCASION_WORDS.intersection(here.words) else ()
    line = " ".join(here.words[: here.count])
    newest = _outside(placed, manner.newest(line))
    oldest = _outside(placed, manner.oldest(line))
    said = manner.saying(line)
    removed = [*(place for begin, end, _ in placed for place in _removed(here, begin, end)), *newest, *oldest]
    return TimeWords(
        stretches=tuple(found for _, _, found in placed),
        anchors=events,
        newest=bool(newest),
        oldest=bool(oldest),
        about_saying=said is not None,
        rest=_without(here, sorted(removed)),
        disputed=said is not None and _disputed(here, said, placed),
    )


def _outside(placed: list[Placed], places: list[manner.Place]) -> list[manner.Place]:
    """The places that are no part of a stretch."""
    return [
        (begin, end)
        for begin, end in places
        if not any(first < end and begin < after for first, after, _ in placed)
    ]


@cache
def _beginnings() -> frozenset[str]:
    return starters() | RELATIONS


def _stretches(question: Question) -> Iterator[Placed]:
    """The stretches of a question, none within another."""
    beginnings = _beginnings()
    at, end, found = 0, 0, 0
    while at < question.count and found < MOST:
        word = question.words[at]
        if (word in beginnings or word.isdecimal()) and (read_here := _phrase(question, at, end)):
            at = end = read_here[1]
            yield read_here
            found += 1
        else:
            at += 1


def _phrase(question: Question, at: int, earliest: int) -> Placed | None:
    """A phrase that begins here; what no calendar has is none."""
    try:
        found = phrase(question, at, is_led(question, at))
        if found is None:
            return None
        begin = _begin(question, at, earliest)
        shown_from, shown_to = _shown(question, begin, found[1])
        return begin, found[1], stretch(found[0], question.shown[shown_from:shown_to], question.zone)
    except (ValueError, OverflowError, LookupError, StopIteration):
        return None


def _begin(question: Question, at: int, earliest: int) -> int:
    """Where a phrase begins with the small words before it: "back in the"."""
    while at > earliest and question.words[at - 1] in PREPOSITIONS:
        at -= 1
    return at


def _shown(question: Question, begin: int, end: int) -> manner.Place:
    return question.starts[begin], question.ends[end - 1]


def _removed(question: Question, begin: int, end: int) -> Iterator[manner.Place]:
    """The places of a phrase without the names of feasts in it."""
    at = begin
    while at < end:
        if feast := feast_at(question, at):
            yield begin, at
            begin = at = feast[1]
        else:
            at += 1
    yield begin, end


def _without(question: Question, places: list[manner.Place]) -> str:
    """The question without some of its words, tidied."""
    text = question.shown
    kept: list[str] = []
    at = 0
    for begin, end in places:
        if begin < end:
            first, last = _shown(question, begin, end)
            kept.append(text[at:first])
            at = max(at, last)
    words = " ".join(" ".join([*kept, text[at:]]).split())
    if not kept:
        return words
    for mark in ",.?!;:":
        words = words.replace(f" {mark}", mark)
    return words.lstrip(",.;: ")


def _disputed(question: Question, said: manner.Place, placed: list[Placed]) -> bool:
    for begin, end, found in placed:
        if question.possessive(end - 1) or found.start.timestamp() > _now(question):
            return True
        if not manner.attached(question.words, said, (begin, end)):
            return True
    return False


def _now(question: Question) -> float:
    return question.now.replace(tzinfo=question.zone).timestamp()
