"""Weekdays: "on Tuesday", "last Tuesday", "this Friday", "Tuesday two weeks ago", "the Sunday before 25 May 2023".

A weekday alone is the latest before today. "Last Tuesday" is that one too, and certain only if it lies in last week, where
everybody agrees. "Next Friday" is next week's. A weekday that describes a thing ("Sunday roast") or a habit ("every
Monday") names no time. It does not know dates; the one that follows ("Monday, 8 May") is read by `calendar_date`.
"""

from dataclasses import replace
from datetime import datetime

from recollect.language.time_words.civil import DAY, Span, unit_around
from recollect.language.time_words.lexicon import HABIT, LEADS, ONLY_WEEKDAYS, SHORT_WEEKDAYS, WEEKDAYS
from recollect.language.time_words.question import Found, Question
from recollect.language.time_words.stretch import Precision

_PARTS = frozenset("morning afternoon evening night".split())


def weekday_at(question: Question, at: int) -> int | None:
    """The weekday that a word names; a short one that is a word too ("sun") needs a capital or an "on"."""
    word = question.words[at]
    number = WEEKDAYS.get(word)
    if number is None and (word in ONLY_WEEKDAYS or question.capital(at) or question.words[at - 1] == "on"):
        number = SHORT_WEEKDAYS.get(word)
    return number


def a_day(first: datetime, *, certain: bool = True) -> Span:
    """One day."""
    return Span(first=first, last=first + DAY, precision=Precision.DAY, certain=certain)


def weekday(question: Question, at: int, led: bool) -> Found:
    """A weekday alone: "on Tuesday", "Tuesday night", "since Monday"."""
    number = weekday_at(question, at)
    words = question.words
    if number is None or words[at - 1] in HABIT:
        return None
    complete = question.breaks(at + 1) or words[at + 1] in _PARTS or words[at + 1] in ("last", "this", "next")
    if words[at] not in WEEKDAYS:
        complete = complete and led
    elif not led and not question.capital(at):
        complete = complete and question.stops(at + 1)
    if not (complete or (led and words[at - 1] == "on")) or words[at - 1] in (
        "the",
        "a",
        "an",
        "black",
        "good",
        "easter",
    ):
        return None
    back = (question.now.weekday() - number) % 7
    found = a_day(question.today - DAY * (back or 7), certain=back > 0)
    return replace(found, weekday=number), at + 1


def chosen(question: Question, at: int, word: str) -> Found:
    """The weekday after "last", "this", "past" or "next"."""
    number = weekday_at(question, at)
    if number is None or (question.words[at] not in WEEKDAYS and not question.breaks(at + 1)):
        return None
    monday, following = unit_around(question.now, Precision.WEEK)
    if word == "this":
        return a_day(monday + DAY * number), at + 1
    if word in ("next", "coming"):
        return a_day(following + DAY * number, certain=number <= question.now.weekday()), at + 1
    day = question.today - DAY * ((question.now.weekday() - number) % 7 or 7)
    return a_day(day, certain=day < monday), at + 1


def in_week(question: Question, number: int, week: Span) -> Span:
    """The weekday of the week that another phrase names."""
    monday, _ = unit_around(week.middle, Precision.WEEK)
    return a_day(monday + DAY * number, certain=week.certain)


def before_or_after(number: int, other: Span, word: str) -> Span:
    """The weekday right before or after another time."""
    if word == "before":
        last = other.first - DAY
        return a_day(last - DAY * ((last.weekday() - number) % 7), certain=other.certain)
    return a_day(other.last + DAY * ((number - other.last.weekday()) % 7), certain=other.certain)


def is_led(question: Question, at: int) -> bool:
    """Whether a word stands before that makes a name a time."""
    before = question.words[at - 1]
    return before in LEADS or (before == "the" and question.words[at - 2] in LEADS)
