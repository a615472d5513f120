"""The time that a text states: "User's birthday is 14 March", "born on 1990-03-14", "moved house in June 2023".

A text states a time of its own, not one relative to a question or to its telling: "last week" is none. A day goes before a
longer time, and the first of its kind before others; nothing is cut down to a day. The forms are those of questions, the
order of "5/8/1990" too. It does not know what the time is the time of.
"""

from dataclasses import replace
from datetime import UTC, datetime
from itertools import pairwise

from recollect.language.time_words.amount import day_number
from recollect.language.time_words.calendar_date import day_first, month_at, month_first, numeric
from recollect.language.time_words.civil import DAY, Span, midnight
from recollect.language.time_words.lexicon import MONTHS, SHORT_MONTHS
from recollect.language.time_words.phrase import starters
from recollect.language.time_words.question import Found, Question, asked
from recollect.language.time_words.relation import phrase
from recollect.language.time_words.stretch import Precision
from recollect.language.time_words.weekday import is_led

#: Only says which leap year stands for a missing one, and which century "'22" lies in.
_NOMINAL = datetime(2024, 12, 31, tzinfo=UTC)
_RANGES = frozenset("from between around circa".split())
#: Words after which "5/8" is a date and no fraction.
_BEFORE_DATE = frozenset(("is", "was", "on", ":", "="))
_DAYS = (Precision.DAY, Precision.HOUR)


def date_in(text: str) -> Span | None:
    """The time that a text states, on the wall clock; it has `recurring` when the text leaves the year open."""
    fact = asked(text, now=_NOMINAL, zone=UTC)
    at = 0
    longer: Span | None = None
    while at < fact.count:
        found = _at(fact, at)
        if found and found[0].precision in _DAYS:
            first = midnight(found[0].first)
            return replace(found[0], first=first, last=first + DAY, precision=Precision.DAY)
        if found:
            longer = longer or found[0]
        at = found[1] if found else at + 1
    return longer


def _at(fact: Question, at: int) -> Found:
    word = fact.words[at]
    if not (word.isdecimal() or word in _RANGES or word in starters()):
        return None
    try:
        found = phrase(fact, at, is_led(fact, at))
        return found if found and _is_absolute(fact, at, found) else _day(fact, at)
    except (ValueError, OverflowError, LookupError, StopIteration):
        return None


def _is_absolute(fact: Question, at: int, found: tuple[Span, int]) -> bool:
    """Whether a phrase says the same at every time."""
    words = fact.words[at : found[1]]
    return (
        found[0].recurring is not None
        or any(len(word) == 4 and word.isdecimal() for word in words)
        or any(word == "'" and number.isdecimal() for word, number in pairwise(words))
    )


def _day(fact: Question, at: int) -> Found:
    """A day without the words around it that a question needs: "birthday: 14/06", "may 2"."""
    word = fact.words[at]
    if word in MONTHS or word in SHORT_MONTHS:
        found = month_first(fact, at, True)
        return found if found and found[0].precision is Precision.DAY else None
    if not word.isdecimal():
        return None
    if found := numeric(fact, at, _is_date(fact, at)):
        return found
    day = day_number(fact, at)
    named = day and month_at(fact, day[1] + (fact.words[day[1]] == "of")) is not None
    return day_first(fact, at, True) if named else None


def _is_date(fact: Question, at: int) -> bool:
    """Whether two numbers with a stroke between them are a day and a month: "is 5/8", "14/06"; not "24/7"."""
    first, second = fact.number(at, 2), fact.number(at + 2, 2)
    if first is None or second is None or (first, second) == (24, 7):
        return False
    return fact.words[at - 1] in _BEFORE_DATE or max(first, second) > 12
