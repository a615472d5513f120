"""The date in a remembered fact: "User's birthday is 14 March", "born on 1990-03-14".

A fact states a date of its own, not one relative to a question; a fact without a day has none. The forms are those of
`calendar_date`, the order of "5/8/1990" too. It does not know what the date is the date of.
"""

from datetime import UTC, datetime

from recollect.domain.time_words.amount import day_number
from recollect.domain.time_words.calendar_date import day_first, month_at, month_first, numeric
from recollect.domain.time_words.lexicon import MONTHS, SHORT_MONTHS
from recollect.domain.time_words.question import Found, Question, asked
from recollect.domain.time_words.stretch import Precision

#: Only says which leap year stands for a missing one; no date depends on it.
_NOMINAL = datetime(2024, 12, 31, tzinfo=UTC)


def date_in(text: str) -> tuple[int | None, int, int] | None:
    """The first date in a fact: its year if the fact has one, the month and the day."""
    fact = asked(text, now=_NOMINAL, zone=UTC)
    for at in range(fact.count):
        found = _date(fact, at)
        if found and found[0].precision in (Precision.DAY, Precision.HOUR):
            first = found[0].first
            return (None if found[0].recurring else first.year), first.month, first.day
    return None


def _date(fact: Question, at: int) -> Found:
    word = fact.words[at]
    try:
        if word.isdecimal():
            if found := numeric(fact, at, False):
                return found
            day = day_number(fact, at)
            named = day and month_at(fact, day[1] + (fact.words[day[1]] == "of")) is not None
            return day_first(fact, at, True) if named else None
        return month_first(fact, at, True) if word in MONTHS or word in SHORT_MONTHS else None
    except (ValueError, OverflowError):
        return None
