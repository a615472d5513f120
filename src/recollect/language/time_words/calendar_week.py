"""Weeks of the calendar by their number: 2024-W07, 2024-W07-3, "week 7 of 2024".

The numbers are ISO's: weeks begin on Monday, and the first one holds the first Thursday of its year. A number without a year
("week 7") is as often the week of a course, and names no time.
"""

from datetime import datetime

from recollect.language.time_words.calendar_year import year_after
from recollect.language.time_words.civil import DAY, Span
from recollect.language.time_words.question import Found, Question
from recollect.language.time_words.stretch import Precision


def iso_week(question: Question, at: int, led: bool) -> Found:
    """2024-W07, 2024W07 and the days of such weeks."""
    words = question.words
    year = question.number(at)
    place = at + 1 + (words[at + 1] == "-")
    week = question.number(place + 1, 2)
    if year is None or len(words[at]) != 4 or words[place] != "w" or week is None:
        return None
    if not all(question.joined(near) for near in range(at + 1, place + 2)):
        return None
    after = place + 2
    day = question.number(after + 1, 1) if words[after] == "-" and question.joined(after + 1) else None
    first = _monday(year, week)
    if first is None:
        return None
    if day is None:
        return Span(first=first, last=first + 7 * DAY, precision=Precision.WEEK), after
    if not 1 <= day <= 7:
        return None
    first += (day - 1) * DAY
    return Span(first=first, last=first + DAY, precision=Precision.DAY), after + 2


def numbered(question: Question, at: int, led: bool) -> Found:
    """ "week 7 of 2024", "week 7, 2024"."""
    week = question.number(at + 1, 2)
    year = year_after(question, at + 2) if week is not None else None
    if week is None or year is None or (first := _monday(year[0], week)) is None:
        return None
    # Americans count from the first of January.
    return Span(first=first, last=first + 7 * DAY, precision=Precision.WEEK, certain=False), year[1]


def _monday(year: int, week: int) -> datetime | None:
    try:
        return datetime.fromisocalendar(year, week, 1)
    except ValueError:
        return None
