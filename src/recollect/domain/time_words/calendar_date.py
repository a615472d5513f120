"""Dates of the calendar as they are written: 2023-05-08, 5/8/2023, 8 May 2023, May 2023, 2023, the 90s, Q3 2021.

Where the year is missing the latest past one is meant. "5/8/2023" is read the American way and is not certain; "13/5/2023"
has one reading. A name that is also a word or a person ("may", "march", "June") counts only where nothing else can be
meant. dateutil and dateparser were rejected: both answer with one moment and fill in what the phrase leaves open, so
"2024" becomes a day.
"""

from datetime import datetime, timedelta, timezone

from recollect.domain.time_words import recurring
from recollect.domain.time_words.amount import amount, day_number, ordinal
from recollect.domain.time_words.civil import DAY, Recurring, Span, months_later
from recollect.domain.time_words.lexicon import (
    DECADES,
    MONTHS,
    NAMES_TOO,
    SEASONS,
    SHORT_MONTHS,
    UNITS,
    WORDS_TOO,
)
from recollect.domain.time_words.question import Found, Question
from recollect.domain.time_words.stretch import Precision

#: Years that a number of four digits can mean without a date around it, and within one.
_LIKELY, _POSSIBLE = range(1900, 2100), range(1001, 3000)
_DASHES = frozenset("-–—/")


def numeric(question: Question, at: int, led: bool) -> Found:
    """2023-05-08 with or without a clock, 2023-05, 5/8/2023, 8.5.2023, and "on 5/8"."""
    words = question.words
    if question.joined(at) and words[at - 1] not in "(\"'[":
        return None
    mark = words[at + 1]
    if not (mark in ("-", "/", ".") and question.joined(at + 1) and question.joined(at + 2)):
        return None
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
    year = _full_year(third, len(words[at + 4]), question.now.year)
    if year is None or _goes_on(question, at + 5):
        return None
    # The American order, unless there is no such month or the dots of other countries stand between.
    day, month = (first, second) if first > 12 or mark == "." else (second, first)
    certain = first > 12 or second > 12 or first == second or mark == "."
    return _day(year, month, day, certain=certain), at + 5


def _goes_on(question: Question, at: int) -> bool:
    """Whether a number goes on with a sign: a telephone number, a version."""
    return question.words[at] in _DASHES and question.joined(at) and question.joined(at + 1)


def _full_year(value: int, digits: int, this_year: int) -> int | None:
    """A year of four digits, or one of two that lies at most ten years ahead."""
    if digits == 2:
        return value + (2000 if value + 2000 <= this_year + 10 else 1900)
    return value if digits == 4 and value in _POSSIBLE else None


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
    if year not in _POSSIBLE or (len(question.words[at + 2]) != 2 and day is None):
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


def year_after(question: Question, at: int) -> tuple[int, int] | None:
    """The year that follows a date: "2023", ", 2023", "of last year", "two years ago", "'23"."""
    words = question.words
    place = at + (words[at] in (",", "of", "in", "from"))
    value = question.number(place)
    if value is not None and len(words[place]) == 4 and value in _POSSIBLE:
        after = place + 1
        if words[after] in _DASHES and question.joined(after) and len(words[after + 1]) in (2, 4):
            # The other year of a winter: "2022-23".
            tail = question.number(after + 1)
            if tail is not None and tail % 100 == (value + 1) % 100:
                after += 2
        return None if words[after] in UNITS else (value, after)
    if (short := _short_year(question, place)) is not None:
        return short, place + 2
    if (
        words[place + 1] == "year"
        and (shift := {"last": -1, "this": 0, "next": 1}.get(words[place])) is not None
    ):
        return question.now.year + shift, place + 2
    counted = amount(question, place)
    if counted is None or counted[0] != counted[1]:
        return None
    if words[counted[2]] not in ("year", "years") or words[counted[2] + 1] != "ago":
        return None
    return question.now.year - int(counted[0]), counted[2] + 2


def _short_year(question: Question, at: int) -> int | None:
    """The year that "'23" means."""
    if question.words[at] != "'" or not question.joined(at + 1) or len(question.words[at + 1]) != 2:
        return None
    value = question.number(at + 1, 2)
    return None if value is None else _full_year(value, 2, question.now.year)


def quoted_year(question: Question, at: int, led: bool) -> Found:
    """ "in '22"; not "the '80s" nor "in '22 Jump Street'"."""
    value = _short_year(question, at)
    after = question.words[at + 2]
    if value is None or not led or after == "'" or not question.breaks(at + 2):
        return None
    first = datetime(value, 1, 1)
    return Span(first=first, last=datetime(value + 1, 1, 1), precision=Precision.YEAR), at + 2


def _in_a_year(question: Question, what: Recurring, at: int) -> Found:
    """What recurs, in the year that follows it; None: no year does."""
    if (year := year_after(question, at)) and (span := recurring.named(what, year[0])):
        return span, year[1]
    return None


def month_at(question: Question, at: int) -> int | None:
    """The month that a word can mean."""
    return MONTHS.get(question.words[at]) or SHORT_MONTHS.get(question.words[at])


def day_first(question: Question, at: int, led: bool) -> Found:
    """ "8 May 2023", "the 8th of May"."""
    found = day_number(question, at)
    if found is None or (question.joined(at) and question.words[at - 1] not in _DASHES):
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


def _day_of_this_month(question: Question, at: int, day: int, after: int) -> Found:
    """ "on the 8th": the latest one."""
    if ordinal(question, at) is None or question.words[at - 1] != "the" or not question.breaks(after):
        return None
    if question.words[after - 1] == "of":
        return None
    first = question.today.replace(day=1)
    for months in range(12):
        month = months_later(first, -months)
        date = month + DAY * (day - 1)
        if date.month == month.month and date <= question.now:
            certain = question.now - date < timedelta(days=15)
            return Span(first=date, last=date + DAY, precision=Precision.DAY, certain=certain), after
    return None


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
    if found := _in_a_year(question, what, after):
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


def year(question: Question, at: int, led: bool) -> Found:
    """ "in 2023", "2023", "my 2023 trip"; not "2023 dollars" nor "room 2023"."""
    words = question.words
    value = question.number(at)
    if value is None or len(words[at]) != 4 or value not in _LIKELY or words[at + 1] in UNITS:
        return None
    if (question.joined(at) and words[at - 1] not in "(\"'[") or words[at - 1] in ("$", "€", "£", "#"):
        return None
    if question.joined(at + 1) and words[at + 1] not in (
        ",",
        "?",
        "!",
        ".",
        ":",
        ";",
        ")",
        '"',
        "'",
        "]",
        "-",
        "–",
    ):
        return None
    if (
        words[at + 1] in (",", ".", ":")
        and question.joined(at + 1)
        and words[at + 2].isdecimal()
        and question.joined(at + 2)
    ):
        return None
    span = Span(first=datetime(value, 1, 1), last=datetime(value + 1, 1, 1), precision=Precision.YEAR)
    before = words[at - 1]
    if before in ("in", "since", "during", "throughout", "year"):
        return span, at + 1
    if (led or before in ("of", "from", "for", "by")) and question.breaks(at + 1):
        return span, at + 1
    if before in ("the", "my", "our", "his", "her", "their", "your", "that") and not question.stops(at + 1):
        loose = Span(first=span.first, last=span.last, precision=Precision.YEAR, certain=False)
        return (loose, at + 1) if value % 100 else None
    alone = at == 0 or words[at - 1] in (",", "(", ":", ";", "and", "or")
    return (span, at + 1) if alone and question.breaks(at + 1) else None


def decade(question: Question, at: int, led: bool) -> Found:
    """ "the 90s", "the 1990s", "the '90s", "the nineties"."""
    words = question.words
    before = words[at - 2] if words[at - 1] == "'" else words[at - 1]
    short = DECADES.get(words[at])
    after = at + 1
    if short is None:
        value = question.number(at)
        if value is None or value % 10 or not (words[at + 1] == "s" and question.joined(at + 1)):
            return None
        after = at + 2
        if len(words[at]) == 4 and value in _LIKELY:
            return Span(
                first=datetime(value, 1, 1), last=datetime(value + 10, 1, 1), precision=Precision.DECADE
            ), after
        short = value if len(words[at]) == 2 else None
    if short is None or before not in ("the", "early", "late", "mid", "-"):
        return None
    start = short + (2000 if 2000 + short <= question.now.year else 1900)
    return Span(
        first=datetime(start, 1, 1),
        last=datetime(start + 10, 1, 1),
        precision=Precision.DECADE,
        certain=False,
    ), after


def quarter(question: Question, at: int, led: bool) -> Found:
    """ "Q3 2021", "Q3"."""
    number = question.number(at + 1, 1)
    if not question.joined(at + 1) or number is None or not 1 <= number <= 4:
        return None
    what = recurring.quarter(number)
    return _in_a_year(question, what, at + 2) or (recurring.latest(what, question.now), at + 2)


def season(question: Question, at: int, led: bool) -> Found:
    """ "summer 2022", "in the spring"; not "fall down" nor "spring a leak"."""
    words = question.words
    what = recurring.season(SEASONS[words[at]], south=question.south)
    if found := _in_a_year(question, what, at + 1):
        return found
    if not led or not question.breaks(at + 1) or words[at + 1] == "of":
        return None
    if words[at - 1] in ("on", "over", "around", "past", "through"):
        return None
    return recurring.latest(what, question.now), at + 1
