"""Dates of the calendar as they are written: 2023-05-08, 5/8/2023, 05/2023, 8 May 2023, May 2023, summer 2022.

Where the year is missing the latest past one is meant. "5/8/2023" is read the American way and is not certain; "13/5/2023"
has one reading. A name that is also a word or a person ("may", "march", "June") counts only where nothing else can be
meant. A weekday beside a date without its year says which year that is. dateutil and dateparser were rejected: both answer
with one moment and fill in what the phrase leaves open, so "2024" becomes a day.
"""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta, timezone

from recollect.language.time_words import recurring
from recollect.language.time_words.amount import day_number, ordinal
from recollect.language.time_words.calendar_year import (
    DASHES,
    LIKELY,
    POSSIBLE,
    full_year,
    in_a_year,
    year_after,
)
from recollect.language.time_words.civil import DAY, Span, months_later
from recollect.language.time_words.lexicon import (
    MONTHS,
    NAMES_TOO,
    SEASONS,
    SHORT_MONTHS,
    WORDS_TOO,
)
from recollect.language.time_words.question import Found, Question
from recollect.language.time_words.stretch import Precision

#: Months within which every day of a month comes on every weekday: the 31st can take 20.
_MONTHS = 24


def numeric(question: Question, at: int, led: bool) -> Found:
    """2023-05-08 with or without a clock, 2023-05, 05/2023, 5/8/2023, 8.5.2023, and "on 5/8"."""
    words = question.words
    if question.joined(at) and words[at - 1] not in "(\"'[":
        return None
    mark = words[at + 1]
    if not (mark in ("-", "/", ".") and question.joined(at + 1) and question.joined(at + 2)):
        return None
    if mark == "/" and len(words[at + 2]) == 4:
        return _month_and_year(question, at)
    second = question.number(at + 2, 2)
    again = words[at + 3] == mark and question.joined(at + 3) and question.joined(at + 4)
    third = question.number(at + 4) if again else None
    if second is None or (again and third is None and mark != "."):
        return None
    if len(words[at]) == 4:
        return _year_first(question, at, second, third)
    first = question.number(at, 2)
    if first is None:
        return None
    if third is None:
        return _day_and_month(question, at, first, second, led) if mark == "/" else None
    year = full_year(third, len(words[at + 4]), question.now.year)
    if year is None or _goes_on(question, at + 5):
        return None
    # The American order, unless there is no such month or the dots of other countries stand between.
    day, month = (first, second) if first > 12 or mark == "." else (second, first)
    certain = first > 12 or second > 12 or first == second or mark == "."
    return _day(year, month, day, certain=certain), at + 5


def _month_and_year(question: Question, at: int) -> Found:
    """05/2023."""
    month, year = question.number(at, 2), question.number(at + 2)
    if month is None or year is None or not 1 <= month <= 12 or year not in LIKELY:
        return None
    if _goes_on(question, at + 3):
        return None
    span = recurring.named(recurring.month(month), year)
    return span and (span, at + 3)


def _goes_on(question: Question, at: int) -> bool:
    """Whether a number goes on with a sign: a telephone number, a version."""
    return question.words[at] in DASHES and question.joined(at) and question.joined(at + 1)


def _day(year: int, month: int, day: int, *, certain: bool = True) -> Span:
    """A day of a year; its month where that month is too short, for whoever writes 29 February is not far off."""
    first = datetime(year, month, 1)
    following = months_later(first, 1)
    if not 1 <= day <= 31:
        raise ValueError("no month has such a day")
    if first + DAY * (day - 1) >= following:
        return Span(first=first, last=following, precision=Precision.MONTH, certain=False)
    first += DAY * (day - 1)
    return Span(first=first, last=first + DAY, precision=Precision.DAY, certain=certain)


def _year_first(question: Question, at: int, month: int, day: int | None) -> Found:
    year = int(question.words[at])
    if year not in POSSIBLE or (len(question.words[at + 2]) != 2 and day is None):
        return None
    if day is None:
        if _goes_on(question, at + 3) or not 1 <= month <= 12:
            return None
        span = recurring.named(recurring.month(month), year)
        return (span, at + 3) if span else None
    if _goes_on(question, at + 5) or (question.words[at + 1] == "." and len(question.words[at + 2]) != 2):
        # With single digits between dots it is a version.
        return None
    return _with_clock(question, _day(year, month, day), at + 5)


def _with_clock(question: Question, day: Span, at: int) -> Found:
    """The clock of "2023-05-08T14:30Z": the hour that begins then."""
    words = question.words
    hours_at = at + (words[at] == "t")
    hour, minute = question.number(hours_at, 2), question.number(hours_at + 2, 2)
    if words[hours_at + 1] != ":" or hour is None or minute is None or hour > 23 or minute > 59:
        return day, at
    after = hours_at + 3
    while words[after] in (":", ".") and question.joined(after) and words[after + 1].isdecimal():
        after += 2
    moment = day.first + timedelta(hours=hour, minutes=minute)
    shift: timedelta | None = None
    if words[after] == "z" and question.joined(after):
        shift, after = timedelta(), after + 1
    elif words[after] in ("+", "-") and question.joined(after) and words[after + 2] == ":":
        hours, minutes = question.number(after + 1, 2), question.number(after + 3, 2)
        if hours is not None and minutes is not None and hours < 24 and minutes < 60:
            shift = timedelta(hours=hours, minutes=minutes) * (1 if words[after] == "+" else -1)
            after += 4
    if shift is not None:
        moment = moment.replace(tzinfo=timezone(shift)).astimezone(question.zone).replace(tzinfo=None)
    last = moment + timedelta(hours=1)
    return Span(first=moment, last=last, precision=Precision.HOUR, certain=False), after


def _day_and_month(question: Question, at: int, first: int, second: int, led: bool) -> Found:
    """ "on 5/8"; without a preposition it is a fraction, a score or a name."""
    if not led or question.words[at - 1] in ("in", "of", "over", "last", "this", "next"):
        return None
    month, day = (second, first) if first > 12 else (first, second)
    what = recurring.day(month, day) if 1 <= month <= 12 else None
    if what is None or not question.breaks(at + 3):
        return None
    span = recurring.latest(what, question.now)
    return Span(
        first=span.first, last=span.last, precision=span.precision, certain=False, recurring=what
    ), at + 3


def month_at(question: Question, at: int) -> int | None:
    """The month that a word can mean."""
    return MONTHS.get(question.words[at]) or SHORT_MONTHS.get(question.words[at])


def day_first(question: Question, at: int, led: bool) -> Found:
    """ "8 May 2023", "the 8th of May"."""
    found = day_number(question, at)
    if found is None or (question.joined(at) and question.words[at - 1] not in DASHES):
        return None
    day, after = found
    after += question.words[after] == "of"
    month = month_at(question, after)
    if month is None:
        return _day_of_this_month(question, at, day, after) if led else None
    sure = led or after - at > 1 or question.capital(after) or question.words[after] not in WORDS_TOO
    return _date(question, month, day, _past_stop(question, after), sure)


def _past_stop(question: Question, at: int) -> int:
    """The place after a month, and after the full stop of a short one."""
    short = question.words[at] in SHORT_MONTHS and question.words[at] not in MONTHS
    return at + 1 + (short and question.words[at + 1] == "." and question.joined(at + 1))


def _date(question: Question, month: int, day: int, at: int, sure: bool) -> Found:
    if year := year_after(question, at):
        return _day(year[0], month, day), year[1]
    what = recurring.day(month, day)
    if what is None:
        return None
    return (recurring.latest(what, question.now), at) if sure or question.stops(at) else None


def _day_of_this_month(
    question: Question, at: int, day: int, after: int, weekday: int | None = None
) -> Found:
    """ "on the 8th": the latest one, that of "Friday the 13th" too."""
    if ordinal(question, at) is None or question.words[at - 1] != "the" or not question.breaks(after):
        return None
    if question.words[after - 1] == "of":
        return None
    found = next(_days_of_months(question, day, weekday, range(0, -_MONTHS, -1)), None)
    if found is None:
        return None
    coming = next(_days_of_months(question, day, weekday, range(_MONTHS)), None)
    certain = coming is None or question.now - found < coming - question.now
    return Span(first=found, last=found + DAY, precision=Precision.DAY, certain=certain), after


def _days_of_months(question: Question, day: int, weekday: int | None, months: range) -> Iterator[datetime]:
    """A day of months from this one on, of those that have it: past ones when counted back, else those to come."""
    first = question.today.replace(day=1)
    for count in months:
        month = months_later(first, count)
        date = month + DAY * (day - 1)
        past = date <= question.now
        if date.month == month.month and weekday in (None, date.weekday()) and past == (months.step < 0):
            yield date


def beside_weekday(question: Question, at: int, weekday: int) -> Found:
    """The date beside a weekday: the latest past one on which both hold, unless the next one is nearer.

    Where the year is there and says otherwise, the date is not certain.
    """
    day = ordinal(question, at)
    if day and question.words[day[1]] != "of" and (found := _day_of_this_month(question, at, *day, weekday)):
        return found
    in_digits = numeric(question, at, True) if question.words[at].isdecimal() else None
    found = in_digits or day_first(question, at, True) or month_first(question, at, True)
    if found is None or found[0].precision not in (Precision.DAY, Precision.HOUR):
        return None
    date, after = found
    if date.recurring is None:
        return replace(date, certain=date.certain and date.first.weekday() == weekday), after
    both = recurring.on_weekday(date.recurring, weekday)
    latest = recurring.latest(both, question.now)
    span = latest if latest.certain else recurring.coming(both, question.now)
    # "Sunday 3/5" can still be the third of May.
    return replace(span, certain=latest.certain and in_digits is None, recurring=both), after


def month_first(question: Question, at: int, led: bool) -> Found:
    """ "May 8th, 2023", "May 8", "May 2023", and a month alone after a preposition."""
    month = month_at(question, at)
    if month is None:
        return None
    words = question.words
    after = _past_stop(question, at)
    sure = led or question.capital(at) or words[at] not in WORDS_TOO
    place = after + (words[after] == "the")
    if found := day_number(question, place):
        return _date(question, month, found[0], found[1], sure)
    what = recurring.month(month)
    if found := in_a_year(question, what, after):
        return found
    return (recurring.latest(what, question.now), after) if _alone(question, at, after, led) else None


def _alone(question: Question, at: int, after: int, led: bool) -> bool:
    """Whether a month without a number is one: "in May", but not "may I" nor "my friend June"."""
    if not led or question.words[at - 1] == "the":
        return False
    if question.words[at] not in NAMES_TOO | WORDS_TOO:
        return True
    if (
        question.words[at - 1] in ("in", "during", "throughout", "early", "mid", "late")
        or question.words[at - 1] == "-"
    ):
        return question.words[at - 1] != "in" or question.words[at] != "march" or question.breaks(after)
    return question.breaks(after)


def season(question: Question, at: int, led: bool) -> Found:
    """ "summer 2022", "in the spring"; not "fall down" nor "spring a leak"."""
    words = question.words
    what = recurring.season(SEASONS[words[at]], south=question.south)
    if found := in_a_year(question, what, at + 1):
        return found
    if not led or not question.breaks(at + 1) or words[at + 1] == "of":
        return None
    if words[at - 1] in ("on", "over", "around", "past", "through"):
        return None
    return recurring.latest(what, question.now), at + 1
