"""Days seen from today, parts of a day and the clock: "yesterday", "this morning", "last night", "at 3 pm yesterday".

Where a morning ends is a matter of opinion and people round the clock, so neither is ever certain; the days are. A clock
without a day ("at 3 pm") names no time of the past: it is as often a habit.
"""

from datetime import datetime, timedelta

from recollect.language.time_words.civil import DAY, Span
from recollect.language.time_words.lexicon import NEAR_DAYS
from recollect.language.time_words.question import Found, Question
from recollect.language.time_words.stretch import Precision
from recollect.language.time_words.weekday import a_day

#: Hours after midnight. People call the evening night too, so a night begins with it. A choice, not a finding.
PARTS = {"morning": (5, 12), "afternoon": (12, 18), "evening": (18, 24), "night": (18, 30)}


def near_day(question: Question, at: int, led: bool) -> Found:
    """ "today", "yesterday", "tonight"."""
    word = question.words[at]
    if word == "tonight":
        return part_of(question.today, "night"), at + 1
    return a_day(question.today + DAY * NEAR_DAYS[word]), at + 1


def day_before_yesterday(question: Question, at: int, led: bool) -> Found:
    """ "the day before yesterday", "the night before last"."""
    match question.words[at : at + 3]:
        case ["day", "before", "yesterday"]:
            return a_day(question.today - 2 * DAY), at + 3
        case ["day", "after", "tomorrow"]:
            return a_day(question.today + 2 * DAY), at + 3
        case ["night", "before", "last"]:
            return part_of(question.today - 2 * DAY, "night"), at + 3
        case _:
            return None


def near_part(question: Question, at: int, led: bool) -> Found:
    """ "this morning", "last night"; not "the last evening"."""
    words = question.words
    if words[at + 1] not in PARTS or words[at - 1] == "the":
        return None
    if words[at] == "this":
        return part_of(question.today, words[at + 1]), at + 2
    if words[at] == "last" and words[at + 1] in ("night", "evening"):
        return part_of(question.today - DAY, words[at + 1]), at + 2
    return None


def part_of(day: datetime, part: str) -> Span:
    """A part of a day."""
    begin, end = PARTS[part]
    return Span(
        first=day + timedelta(hours=begin),
        last=day + timedelta(hours=end),
        precision=Precision.HOUR,
        certain=False,
    )


def clock(question: Question, at: int) -> tuple[timedelta, int] | None:
    """ "3 pm", "3:30 p.m.", "15:30", "noon", "midnight", "3 o'clock": how long after midnight."""
    words = question.words
    if words[at] in ("noon", "midday"):
        return timedelta(hours=12), at + 1
    if words[at] == "midnight":
        return timedelta(hours=24), at + 1
    hour = question.number(at, 2)
    if hour is None or (question.joined(at) and words[at - 1] != "@"):
        return None
    minute, after = 0, at + 1
    if (
        words[after] in (":", ".")
        and question.joined(after)
        and question.joined(after + 1)
        and len(words[after + 1]) == 2
    ):
        minute, after = question.number(after + 1, 2) or 0, after + 2
    half = words[after]
    if half in ("am", "pm"):
        after += 1
    elif half in ("a", "p") and words[after + 1] == "." and words[after + 2] == "m":
        half, after = half + "m", after + 3 + (words[after + 3] == ".")
    elif half == "o'clock":
        after += 1
    elif after == at + 1 or words[at + 1] == ".":
        return None
    if minute > 59 or hour > (12 if half in ("am", "pm") else 23):
        return None
    if half in ("am", "pm"):
        hour = hour % 12 + 12 * (half == "pm")
    return timedelta(hours=hour, minutes=minute), after


def hour_of(day: Span, since_midnight: timedelta) -> Span:
    """The hour that begins at a time of a day."""
    first = day.first + since_midnight
    return Span(first=first, last=first + timedelta(hours=1), precision=Precision.HOUR, certain=False)


def narrowed(question: Question, day: Span, at: int) -> Found:
    """A day and the part or clock that follows it: "(yesterday) morning", "(8 May) at noon", "(Tuesday), 3 pm"."""
    if day.precision is not Precision.DAY:
        return None
    words = question.words
    if words[at] in PARTS:
        return part_of(day.first, words[at]), at + 1
    if words[at] in ("in", "on") and words[at + 1] == "the" and words[at + 2] in PARTS:
        return part_of(day.first, words[at + 2]), at + 3
    if words[at] == "at" and words[at + 1] == "night":
        return part_of(day.first, "night"), at + 2
    place = at + (words[at] in ("at", ",", "around", "@"))
    if found := clock(question, place):
        return hour_of(day, found[0]), found[1]
    return None
