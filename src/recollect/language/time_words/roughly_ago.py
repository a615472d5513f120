"""Distances from now that bound a time or leave it open: "more than a year ago", "almost two weeks ago", "years ago", "a while ago".

More than a year ago has no beginning, less than a year ago goes on until now, and almost a year ago lies in the last quarter
of that year. What nobody counted ("months ago", "a while ago") is as long as people mostly mean by it. None of them is
certain. Exact counts are `counted`'s, which also reads "about a year ago" as a year ago.
"""

from datetime import datetime

from recollect.language.time_words.amount import amount
from recollect.language.time_words.civil import DAY, OPEN, Span, moved
from recollect.language.time_words.counted import unit_at
from recollect.language.time_words.lexicon import UNITS
from recollect.language.time_words.question import Found, Question
from recollect.language.time_words.stretch import Precision

_MORE, _LESS, _ALMOST = "more", "less", "almost"
#: Words before a count, and what they make of it. The longest first.
_BOUNDS: tuple[tuple[tuple[str, ...], str], ...] = (
    (("no", "more", "than"), _LESS), (("not", "more", "than"), _LESS), (("no", "less", "than"), _MORE),
    (("not", "less", "than"), _MORE), (("not", "even"), _LESS), (("not", "quite"), _ALMOST), (("just", "over"), _MORE),
    (("just", "under"), _ALMOST), (("more", "than"), _MORE), (("less", "than"), _LESS), (("fewer", "than"), _LESS),
    (("at", "least"), _MORE), (("at", "most"), _LESS), (("over",), _MORE), (("under",), _LESS), (("almost",), _ALMOST),
    (("nearly",), _ALMOST),
)  # fmt: skip
#: How much of a count "almost" has reached at least. A choice.
_ALMOST_SHARE = 3 / 4
#: What people mean by a unit in the plural that they do not count, in units: at least, and at most if that ends. Choices.
UNCOUNTED: dict[Precision, tuple[float, float | None]] = {
    Precision.HOUR: (2, 12), Precision.DAY: (2, 7), Precision.WEEK: (2, 8), Precision.MONTH: (2, 12),
    Precision.YEAR: (2, None), Precision.DECADE: (2, None),
}  # fmt: skip
#: In "how many years ago" and "a million years ago" the unit is counted after all.
_COUNTED_BY = frozenset(
    "many much few several couple of dozen half hundred thousand thousands million millions billion light more".split()
)
#: Days before today, at most and at least; without a most there is no beginning. Choices.
_WHILES: tuple[tuple[tuple[str, ...], int | None, int], ...] = (
    (("a", "long", "time"), None, 365), (("a", "long", "while"), None, 365), (("ages",), None, 365), (("a", "while"), 730, 14),
    (("some", "time"), 730, 14), (("sometime",), 730, 14), (("not", "long"), 60, 0), (("not", "so", "long"), 60, 0),
)  # fmt: skip
BEGINNINGS = frozenset(words[0] for words, _ in _BOUNDS) | frozenset(words[0] for words, _, _ in _WHILES)


def bounded_ago(question: Question, at: int, led: bool) -> Found:
    """ "more than a year ago", "less than two weeks ago", "almost 3 months ago"."""
    for words, bound in _BOUNDS:
        if question.words[at : at + len(words)] == list(words):
            return _bounded(question, at + len(words), bound)
    return None


def _bounded(question: Question, at: int, bound: str) -> Found:
    count = amount(question, at)
    unit = count and unit_at(question, count[2])
    if count is None or unit is None or question.words[count[2] + 1] not in ("ago", "back"):
        return None
    precision, factor = unit
    far = _back(question, count[1] * factor, precision)
    match bound:
        case "more":
            first, last = OPEN, _back(question, count[0] * factor, precision)
        case "less":
            first, last = far, question.now
        case _:
            first, last = far, _back(question, _ALMOST_SHARE * count[0] * factor, precision)
    if last <= first:
        last = first + DAY
    return Span(first=first, last=last, precision=Precision.SPAN, certain=False), count[2] + 2


def _back(question: Question, count: float, unit: Precision) -> datetime:
    """The day so many units ago, or the minute."""
    return question.ago(count) if unit is Precision.HOUR else moved(question.today, -count, unit)


def uncounted_ago(question: Question, at: int, led: bool) -> Found:
    """ "years ago", "weeks ago"; not "how many years ago"."""
    words = question.words
    if words[at + 1] not in ("ago", "back") or not words[at].endswith("s") or not question.breaks(at + 2):
        return None
    unit, factor = UNITS[words[at]]
    if unit not in UNCOUNTED or factor != 1 or words[at - 1] in _COUNTED_BY or words[at - 1].isdecimal():
        return None
    low, high = UNCOUNTED[unit]
    first = OPEN if high is None else _back(question, high, unit)
    last = _back(question, low, unit)
    return Span(first=first, last=last, precision=Precision.SPAN, certain=False), at + 2


def while_ago(question: Question, at: int, led: bool) -> Found:
    """ "a while ago", "a long time ago", "not long ago"."""
    for words, most, least in _WHILES:
        after = at + len(words)
        if question.words[at:after] == list(words) and question.words[after] in ("ago", "back"):
            first = OPEN if most is None else question.today - most * DAY
            last = question.today - least * DAY if least else question.now
            return Span(first=first, last=last, precision=Precision.SPAN, certain=False), after + 1
    return None
