"""Phrases: names of times put together: "early May 2023", "the week of 23 August", "3 pm yesterday", "last May".

A word that can begin a name leads to the rules for it; a rule looks at what stands there, never further than a dozen words.
Ranges and "since" are `relation`'s. It does not know where in a question it reads, only whether a preposition stands before.
"""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import TypeVar

from recollect.language.time_words import (
    calendar_date,
    calendar_week,
    calendar_year,
    counted,
    day_part,
    recurring,
    roughly_ago,
    weekday,
)
from recollect.language.time_words.amount import amount, ordinal
from recollect.language.time_words.beside import Distance, beside
from recollect.language.time_words.civil import DAY, Span, months_later, moved, third, unit_around
from recollect.language.time_words.counted_name import name_before_last, names_ago, recurring_at
from recollect.language.time_words.feast import feast, feasts
from recollect.language.time_words.lexicon import (
    DECADES,
    MONTHS,
    NUMBERS,
    ORDINALS,
    SEASONS,
    SHORT_MONTHS,
    SHORT_WEEKDAYS,
    UNITS,
    VAGUE,
    WEEKDAYS,
    WORDS_TOO,
)
from recollect.language.time_words.question import Found, Question
from recollect.language.time_words.stretch import Precision

#: The question, the place, and whether a word stands before that makes a name a time.
Rule = Callable[[Question, int, bool], Found]
#: And how many names may still stand inside this one.
Compound = Callable[[Question, int, bool, int], Found]

_R = TypeVar("_R")

#: Names inside names: "noon on Monday, 8 May" has two. More would let a text of one word repeated cost its square.
_DEPTH = 2
_THIRDS = {"early": 0, "mid": 1, "late": 2, "beginning": 0, "start": 0, "middle": 1, "end": 2}
_SIDES = {"before": -1, "prior": -1, "after": 1, "following": 1}
#: Stands for every number in digits.
_DIGITS = "0"
_CHOICES = "last this next past previous preceding coming following".split()


@cache
def _simple() -> dict[str, tuple[Rule, ...]]:
    """The rules for names without another inside, by the word that begins them."""
    return _by_word(
        ([*feasts(), *MONTHS, *WEEKDAYS, *SEASONS], (name_before_last,)),
        (list(feasts()), (feast,)),
        ([*MONTHS, *SHORT_MONTHS], (calendar_date.month_first,)),
        ([*WEEKDAYS, *SHORT_WEEKDAYS], (weekday.weekday,)),
        (list(SEASONS), (calendar_date.season,)),
        (list(DECADES), (calendar_year.decade,)),
        (["q"], (calendar_year.quarter,)),
        (["h"], (calendar_year.half_year,)),
        (list(roughly_ago.BEGINNINGS), (roughly_ago.bounded_ago, roughly_ago.while_ago)),
        (list(UNITS), (roughly_ago.uncounted_ago,)),
        (["today", "yesterday", "tomorrow", "tonight"], (day_part.near_day,)),
        (_CHOICES, (counted.this_time, day_part.near_part, counted.relative_unit, _chosen)),
        (["other"], (counted.the_other_day,)),
        (["same"], (counted.this_time,)),
        (["'"], (calendar_year.quoted_year,)),
        (["earlier"], (counted.earlier,)),
        (["twenty", "thirty", *ORDINALS], (calendar_date.day_first,)),
        ([*NUMBERS, *VAGUE, "half"], (counted.ago, names_ago)),
        (["day", "night"], (day_part.day_before_yesterday,)),
        (["weekend"], (counted.the_weekend,)),
        (list(UNITS), (counted.before_last,)),
        (["week"], (calendar_week.numbered,)),
        ([_DIGITS], (
            calendar_week.iso_week, calendar_date.numeric, calendar_year.decade, counted.ago, names_ago, calendar_date.day_first,
            calendar_year.year,
        )),
    )  # fmt: skip


@cache
def _compound() -> dict[str, tuple[Compound, ...]]:
    """The rules for names that hold another name; they are asked first."""
    return _by_word(
        ([*WEEKDAYS, *SHORT_WEEKDAYS], (_weekday,)),
        (["early", "mid", "late"], (_edge,)),
        (["beginning", "start", "middle", "end"], (_edge_of,)),
        (["noon", "midday", "midnight"], (_clock_first,)),
        (["last", "twenty", "thirty", *ORDINALS], (_first_few, _nth, _day_of)),
        ([*UNITS, *day_part.PARTS], (_unit_of, _beside)),
        ([*NUMBERS, *VAGUE, "half"], (_beside,)),
        ([_DIGITS], (_clock_first, _nth, _day_of, _beside)),
    )


def _by_word(*table: tuple[Sequence[str], tuple[_R, ...]]) -> dict[str, tuple[_R, ...]]:
    found: dict[str, tuple[_R, ...]] = {}
    for words, rules in table:
        for word in words:
            found[word] = found.get(word, ()) + rules
    return found


@cache
def starters() -> frozenset[str]:
    """Every word that can begin a name, besides numbers in digits."""
    return frozenset(_simple()) | frozenset(_compound())


def name(question: Question, at: int, led: bool, depth: int = _DEPTH) -> Found:
    """The time whose name begins here, with all that belongs to it."""
    word = question.words[at]
    key = _DIGITS if word.isdecimal() else word
    if depth > 0:
        for compound in _compound().get(key, ()):
            if found := compound(question, at, led, depth - 1):
                return _continued(question, *found, depth - 1)
    for rule in _simple().get(key, ()):
        if found := rule(question, at, led):
            return _continued(question, *found, depth - 1)
    return None


def _named(question: Question, at: int, depth: int) -> Found:
    """A name after "of" or the like, with or without an article."""
    return name(question, at + (question.words[at] == "the"), True, depth)


def _continued(question: Question, span: Span, at: int, depth: int) -> Found:
    """What follows a name and makes it narrower: "(yesterday) at noon", "(last week) on Tuesday", "(last year) in May"."""
    if found := day_part.narrowed(question, span, at):
        return found
    words = question.words
    place = at + (words[at] in ("on", ",", "in", "at"))
    if span.precision is Precision.WEEK and words[at] in ("on", ",", *WEEKDAYS):
        number = weekday.weekday_at(question, place)
        if number is not None and question.breaks(place + 1):
            return weekday.in_week(question, number, span), place + 1
    place += words[at] == "this" and words[at - 1] == "ago"
    if depth >= 0 and span.precision is Precision.YEAR and place > at and words[at] != ",":
        inner = name(question, place, True, depth)
        year = months_later(span.first, 6).year
        if inner and inner[0].recurring:
            within = recurring.named(inner[0].recurring, year)
            return within or recurring.month_of(inner[0], year), inner[1]
    return span, at


def _weekday(question: Question, at: int, led: bool, depth: int) -> Found:
    """A weekday with the date, the week or the time beside it."""
    number = weekday.weekday_at(question, at)
    words = question.words
    if number is None:
        return None
    place = at + 1 + (words[at + 1] in (",", "."))
    place += words[place] == "the"
    if date := calendar_date.beside_weekday(question, place, number):
        return date
    if date := _day_of(question, place, led, depth):
        return replace(date[0], certain=date[0].certain and date[0].first.weekday() == number), date[1]
    if words[at + 1] in ("before", "after"):
        other = _named(question, at + 2, depth)
        if other and other[0].precision is Precision.DAY:
            return weekday.before_or_after(number, other[0], words[at + 1]), other[1]
    week = _named(question, at + 1 + (words[at + 1] in ("of", "in", ",")), depth)
    if week is None:
        return None
    # "Wednesday two months ago" is as narrow as "two weeks ago"; "Wednesday last month" is not one day.
    months_ago = week[0].precision is Precision.MONTH and question.words[week[1] - 1] == "ago"
    if week[0].precision is Precision.WEEK or months_ago:
        return weekday.in_week(question, number, week[0]), week[1]
    return None


def _chosen(question: Question, at: int, led: bool) -> Found:
    """ "last May", "this winter", "next Christmas", "this past Tuesday"."""
    words = question.words
    word, place = words[at], at + 1
    if word == "this" and words[place] == "past":
        word, place = "last", place + 1
    word = "last" if word in ("past", "previous", "preceding") else word
    if found := weekday.chosen(question, place, word):
        return None if words[at - 1] == "the" and not question.breaks(found[1]) else found
    what = recurring_at(question, place)
    if what is None or words[at - 1] in ("the", "my", "our"):
        return None
    small = words[place] in WORDS_TOO | {"fall", "spring"} and not question.capital(place)
    if small and word != "last" and not question.stops(what[1]):
        return None
    if what[0].precision is Precision.MONTH and (number := question.number(what[1], 2)):
        # "last May 8": the day decides.
        what = (recurring.day(calendar_date.month_at(question, place) or 1, number) or what[0], what[1] + 1)
    choose = {"last": recurring.last, "this": recurring.this}.get(word, recurring.coming)
    return choose(what[0], question.now), what[1]


def _edge(question: Question, at: int, led: bool, depth: int) -> Found:
    """ "early May", "mid-2022", "late in the summer"."""
    words = question.words
    place = at + 1 + (words[at + 1] in ("-", "in"))
    found = _named(question, place, depth)
    return found and (_third(question, found[0], words[at]), found[1])


def _third(question: Question, whole: Span, word: str) -> Span:
    """A third of it. Early in March "late March" is last year's, as "March 27" is."""
    if whole.recurring is None:
        return third(whole, _THIRDS[word])
    return recurring.latest(recurring.third_of(whole.recurring, _THIRDS[word]), question.now)


def _edge_of(question: Question, at: int, led: bool, depth: int) -> Found:
    """ "the beginning of 2022", "the end of last month"."""
    words = question.words
    if words[at + 1] != "of":
        return None
    found = _named(question, at + 2, depth)
    if (
        words[at + 2] == "the"
        and words[at + 3] in ("week", "month", "quarter", "year")
        and question.breaks(at + 4)
    ):
        unit = UNITS[words[at + 3]][0]
        first, last = unit_around(question.now, unit)
        found = Span(first=first, last=last, precision=unit), at + 4
    return found and (_third(question, found[0], words[at]), found[1])


def _clock_first(question: Question, at: int, led: bool, depth: int) -> Found:
    """ "3 pm yesterday", "noon on 8 May"."""
    clock = day_part.clock(question, at)
    if clock is None:
        return None
    found = _named(question, clock[1] + (question.words[clock[1]] in ("on", "of", ",")), depth)
    if found is None or found[0].precision is not Precision.DAY:
        return None
    return day_part.hour_of(found[0], clock[0]), found[1]


def _unit_of(question: Question, at: int, led: bool, depth: int) -> Found:
    """ "the week of 23 August", "the weekend of 3 June", "the morning of 8 May", "the month of May", "the year 2023"."""
    words = question.words
    unit = words[at]
    if words[at + 1] != "of" and unit != "year":
        return None
    found = _named(question, at + 1 + (words[at + 1] == "of"), depth)
    if found is None:
        return None
    span, after = found
    if unit in day_part.PARTS and span.precision is Precision.DAY:
        return day_part.part_of(span.first, unit), after
    wanted = UNITS.get(unit, (None, 0))[0]
    if wanted is span.precision:
        return found
    if wanted and wanted in (Precision.WEEK, Precision.WEEKEND) and span.precision is Precision.DAY:
        first, last = unit_around(span.first, wanted)
        return Span(first=first, last=last, precision=wanted, certain=span.certain), after
    return None


def _nth(question: Question, at: int, led: bool, depth: int) -> Found:
    """ "the first week of May", "the last day of 2022", "the third Friday in June", "the second half of 2022"."""
    words = question.words
    which = (-1, at + 1) if words[at] == "last" else ordinal(question, at)
    if which is None or words[which[1] + 1] not in ("of", "in"):
        return None
    number, unit_at = which
    found = _named(question, unit_at + 2, depth)
    if found is None or found[0].precision in (Precision.HOUR, Precision.DAY):
        return None
    whole = found[0]
    span = _nth_of(question, number, unit_at, whole)
    if span and span.first > question.now and (earlier := recurring.before(whole)):
        whole, span = earlier, _nth_of(question, number, unit_at, earlier)
    return (span, found[1]) if span and whole.first <= span.first < whole.last else None


def _first_few(question: Question, at: int, led: bool, depth: int) -> Found:
    """ "the first two weeks of June 2023", "the last three days of May", "the first days of 2022"."""
    words = question.words
    if words[at] not in ("first", "last"):
        return None
    count = amount(question, at + 1) or (*VAGUE["few"], at + 1)
    low, high, place = count
    unit = UNITS.get(words[place])
    if unit is None or not words[place].endswith("s") or words[place + 1] not in ("of", "in"):
        return None
    found = _named(question, place + 2, depth)
    if found is None or found[0].precision in (Precision.HOUR, Precision.DAY):
        return None
    exact = low == high and unit[0] is not Precision.WEEK
    span = _end_of(found[0], words[at], high * unit[1], unit[0], exact)
    if span.first > question.now and (earlier := recurring.before(found[0])):
        span = _end_of(earlier, words[at], high * unit[1], unit[0], exact)
    return span, found[1]


def _end_of(whole: Span, which: str, count: float, unit: Precision, exact: bool) -> Span:
    """So many units at the beginning or the end of a longer time."""
    if which == "first":
        first, last = whole.first, min(moved(whole.first, count, unit), whole.last)
    else:
        first, last = max(moved(whole.last, -count, unit), whole.first), whole.last
    return Span(first=first, last=last, precision=Precision.SPAN, certain=whole.certain and exact)


def _day_of(question: Question, at: int, led: bool, depth: int) -> Found:
    """ "the 8th of last month"; a month with a name is `calendar_date`'s."""
    day = ordinal(question, at)
    if day is None or question.words[day[1]] != "of":
        return None
    found = _named(question, day[1] + 1, depth)
    if found is None or found[0].precision is not Precision.MONTH or found[0].recurring:
        return None
    first = found[0].first + DAY * (day[0] - 1)
    if not found[0].first <= first < found[0].last:
        return None
    return Span(first=first, last=first + DAY, precision=Precision.DAY, certain=found[0].certain), found[1]


def _nth_of(question: Question, number: int, unit_at: int, whole: Span) -> Span | None:
    day = weekday.weekday_at(question, unit_at)
    if question.words[unit_at] == "half":
        cut = months_later(whole.first, 6) if whole.precision is Precision.YEAR else whole.first + 15 * DAY
        first, last = (whole.first, cut) if number == 1 else (cut, whole.last)
        return Span(first=first, last=last, precision=Precision.SPAN, certain=whole.certain)
    if day is not None or question.words[unit_at] == "weekend":
        wanted = 5 if day is None else day
        if number < 0:
            final = whole.last - DAY
            start = final - DAY * ((final.weekday() - wanted) % 7)
        else:
            start = whole.first + DAY * ((wanted - whole.first.weekday()) % 7 + 7 * (number - 1))
        length, precision = (1, Precision.DAY) if day is not None else (2, Precision.WEEKEND)
        return Span(first=start, last=start + length * DAY, precision=precision, certain=whole.certain)
    unit, factor = UNITS.get(question.words[unit_at], (Precision.HOUR, 1))
    if unit is Precision.HOUR or factor != 1:
        return None
    first = moved(whole.first, number - 1, unit) if number > 0 else moved(whole.last, -1, unit)
    last = min(moved(first, 1, unit), whole.last) if number > 0 else whole.last
    # Where the first week of a month ends depends on who counts.
    certain = whole.certain and unit is not Precision.WEEK
    return Span(first=first, last=last, precision=unit, certain=certain)


def _beside(question: Question, at: int, led: bool, depth: int) -> Found:
    """ "the weekend before 1 June", "two days after 8 May", "the night before Christmas"."""
    words = question.words
    counted_units = amount(question, at)
    place = counted_units[2] if counted_units else at
    unit, factor = UNITS.get(words[place], (None, 1.0))
    part = words[place] if words[place] in day_part.PARTS else None
    sign = _SIDES.get(words[place + 1])
    if (unit is None and part is None) or sign is None:
        return None
    other = _named(question, place + 2 + (words[place + 1 : place + 3] == ["prior", "to"]), depth)
    if other is None or Precision.HOUR in (other[0].precision, unit):
        return None
    low, high = (end * factor for end in counted_units[:2]) if counted_units else (None, None)
    if factor != 1 and low is None:
        low = high = factor
    distance = Distance(low=low, high=high, unit=unit or Precision.DAY, part=part)
    return beside(other[0], sign, distance), other[1]
