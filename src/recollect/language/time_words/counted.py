"""Units of the calendar counted from now: "two weeks ago", "the past 3 days", "last month", "the year before last".

"Last week" is the calendar's week before this one; "the last week" and "the past week" are the seven days up to now.
"Two weeks ago" is the week around the day two weeks back, for people count from today and round. A number of days up to
a week is taken at its word. It does not know names of days and months.
"""

from datetime import datetime

from recollect.language.time_words.amount import amount, half_more
from recollect.language.time_words.civil import DAY, Span, moved, unit_around
from recollect.language.time_words.lexicon import NEAR_DAYS, SHORT_UNITS, UNITS
from recollect.language.time_words.question import Found, Question
from recollect.language.time_words.stretch import Precision

#: Days that people count without rounding.
_COUNTED_DAYS = 7
#: Of half a year: half of the width of "six months ago, give or take".
_HALF_YEAR_SLACK = 45 * DAY
#: Last days of "the other day".
_OTHER_DAYS = 10
#: On either side of "this time last year". Choices.
_SAME_TIME = {"year": 15 * DAY, "month": 3 * DAY, "week": DAY}
_SINGULAR = frozenset("week month quarter year decade fortnight weekend".split())


def ago(question: Question, at: int, led: bool) -> Found:
    """ "10 days ago", "a couple of months ago", "a year and a half ago", "half a year back"."""
    words = question.words
    if words[at - 1] in ("many", "long", "much", "."):
        return None
    found = amount(question, at)
    if found is None:
        return None
    low, high, place = found
    if words[place] in ("second", "seconds", "moment", "moments") and words[place + 1] == "ago":
        return _up_to_now(question, question.ago(1), Precision.HOUR, certain=False), place + 2
    unit = unit_at(question, place)
    if unit is None:
        return None
    place += 1
    if half_more(question, place):
        low, high, place = low + 0.5, high + 0.5, place + 3
    if words[place] not in ("ago", "back") or (words[place] == "back" and not question.breaks(place + 1)):
        return None
    precision, factor = unit
    if precision is Precision.HOUR:
        first = question.ago(high * factor + 0.5)
        last = min(question.ago(low * factor - 0.5), question.now)
        return Span(first=first, last=last, precision=precision, certain=False), place + 1
    if low == high and (found := _ago_from(question, place + 1, -low * factor, precision)):
        return found
    return shifted(question.today, -low * factor, -high * factor, precision), place + 1


def unit_at(question: Question, at: int) -> tuple[Precision, float] | None:
    """The unit that a word names; one of a letter only right behind digits."""
    word = question.words[at]
    short = SHORT_UNITS.get(word) if question.words[at - 1].isdecimal() else None
    return UNITS.get(word) or short


def _ago_from(question: Question, at: int, count: float, unit: Precision) -> Found:
    """The day or unit that so long ago is counted from: "(a year ago) today", "(two years ago) this week"."""
    words = question.words
    if (days := 0 if words[at] == "tonight" else NEAR_DAYS.get(words[at])) is not None:
        return same_day(question.today + days * DAY, count, unit), at + 1
    if words[at : at + 3] == ["to", "the", "day"]:
        return same_day(question.today, count, unit), at + 3
    if words[at] != "this" or words[at + 1] not in _SINGULAR:
        return None
    narrow = UNITS[words[at + 1]][0]
    first, last = unit_around(moved(question.today, count, unit), narrow)
    return Span(first=first, last=last, precision=narrow, certain=narrow is Precision.MONTH), at + 2


def same_day(day: datetime, count: float, unit: Precision) -> Span:
    """The day so many units away; certain unless that month is too short to have it."""
    first = moved(day, count, unit)
    certain = unit in (Precision.DAY, Precision.WEEK) or first.day == day.day
    return Span(first=first, last=first + DAY, precision=Precision.DAY, certain=certain)


def shifted(day: datetime, low: float, high: float, unit: Precision) -> Span:
    """The time around a day so many units away; between two days when the number is not exact."""
    if low != high:
        ends = sorted((moved(day, low, unit), moved(day, high, unit)))
        return Span(first=ends[0], last=ends[1] + DAY, precision=unit, certain=False)
    middle = moved(day, low, unit)
    match unit:
        case Precision.DAY:
            return Span(first=middle, last=middle + DAY, precision=unit, certain=abs(low) <= _COUNTED_DAYS)
        case Precision.WEEK:
            first, last = middle - 3 * DAY, middle + 4 * DAY
        case Precision.WEEKEND:
            first, last = unit_around(middle, unit)
        case Precision.MONTH:
            first, last = middle - 15 * DAY, middle + 16 * DAY
        case Precision.YEAR if abs(low) < 1:
            unit = Precision.QUARTER
            first, last = middle - _HALF_YEAR_SLACK, middle + _HALF_YEAR_SLACK + DAY
        case _:
            first, last = moved(middle, -0.5, unit), moved(middle, 0.5, unit)
    return Span(first=first, last=last, precision=unit, certain=False)


def _up_to_now(question: Question, first: datetime, precision: Precision, *, certain: bool = True) -> Span:
    return Span(first=first, last=question.now, precision=precision, certain=certain)


def relative_unit(question: Question, at: int, led: bool) -> Found:
    """ "last week", "this year", "next month", "the past 3 days", "this past week"."""
    words = question.words
    word = words[at]
    place = at + 1
    if word == "this" and words[place] == "past":
        word, place = "past", place + 1
    backward = word in ("last", "past", "previous", "preceding")
    if backward and (found := _rolling(question, word, place)):
        return found
    if words[place] not in _SINGULAR or words[place + 1] in ("day", "days"):
        return None
    unit, factor = UNITS[words[place]]
    rolling = word == "past" or (word == "last" and words[at - 1] == "the")
    if unit is Precision.WEEKEND:
        return weekend(question, word, backward), place + 1
    if backward and (rolling or factor != 1):
        first = moved(question.today, -factor, unit)
        return _up_to_now(question, first, unit if factor == 1 else Precision.SPAN), place + 1
    if factor != 1:
        return None
    return _calendar_unit(question, word, backward, unit), place + 1


def _calendar_unit(question: Question, word: str, backward: bool, unit: Precision) -> Span:
    first, last = unit_around(question.now, unit)
    if backward:
        first, last = unit_around(first - DAY, unit)
    elif word in ("next", "coming", "following"):
        first, last = unit_around(last, unit)
    return Span(first=first, last=last, precision=unit)


def _rolling(question: Question, word: str, at: int) -> Found:
    """ "(the past) 3 days", "(the last) few weeks", "(the past) hour"."""
    words = question.words
    if words[at] in ("hour", "day") and (word == "past" or (words[at - 2] == "the" and words[at] == "hour")):
        return _up_to_now(question, question.ago(1 if words[at] == "hour" else 24), Precision.HOUR), at + 1
    found = amount(question, at)
    counted = found and unit_at(question, found[2])
    if found is None or counted is None or words[at] in ("a", "an"):
        return None
    low, high, place = found
    unit, factor = counted
    if unit is Precision.HOUR:
        return _up_to_now(question, question.ago(high * factor), Precision.HOUR), place + 1
    first = moved(question.today, -high * factor, unit)
    return _up_to_now(question, first, Precision.SPAN, certain=low == high), place + 1


def weekend(question: Question, word: str, backward: bool) -> Span:
    """The last weekend is over; this one is the nearest; the next one is next week's."""
    first, last = unit_around(question.now, Precision.WEEKEND)
    certain = True
    if backward:
        first, last = first - 7 * DAY, last - 7 * DAY
    elif word in ("next", "coming"):
        certain = question.now >= first
        first, last = first + 7 * DAY, last + 7 * DAY
    elif word == "this":
        certain = question.now >= first
        if question.now.weekday() < 2:
            first, last = first - 7 * DAY, last - 7 * DAY
    return Span(first=first, last=last, precision=Precision.WEEKEND, certain=certain)


def the_weekend(question: Question, at: int, led: bool) -> Found:
    """ "over the weekend": the latest that has begun."""
    words = question.words
    if words[at - 1] != "the" or words[at - 2] not in (
        "over",
        "at",
        "on",
        "during",
        "since",
        "before",
        "after",
    ):
        return None
    if not question.breaks(at + 1):
        return None
    first, last = unit_around(question.now, Precision.WEEKEND)
    if question.now < first:
        first, last = first - 7 * DAY, last - 7 * DAY
    return Span(first=first, last=last, precision=Precision.WEEKEND, certain=False), at + 1


def before_last(question: Question, at: int, led: bool) -> Found:
    """ "the week before last"."""
    words = question.words
    if (
        words[at] not in _SINGULAR
        or words[at + 1 : at + 3] != ["before", "last"]
        or not question.breaks(at + 3)
    ):
        return None
    unit, factor = UNITS[words[at]]
    if factor != 1:
        return None
    if unit is Precision.WEEKEND:
        first, last = unit_around(question.now - 14 * DAY, unit)
    else:
        first, _ = unit_around(question.now, unit)
        first, _ = unit_around(first - DAY, unit)
        first, last = unit_around(first - DAY, unit)
    return Span(first=first, last=last, precision=unit), at + 3


def the_other_day(question: Question, at: int, led: bool) -> Found:
    """ "the other day": one of the last days, though not today."""
    words = question.words
    if (
        words[at - 1] != "the"
        or words[at + 1] not in ("day", "night", "evening")
        or not question.breaks(at + 2)
    ):
        return None
    first = question.today - _OTHER_DAYS * DAY
    return Span(first=first, last=question.today, precision=Precision.SPAN, certain=False), at + 2


def earlier(question: Question, at: int, led: bool) -> Found:
    """ "earlier this year", "earlier today": from its beginning until now."""
    words = question.words
    if words[at + 1] == "today":
        first, after = question.today, at + 2
    elif words[at + 1] == "this" and words[at + 2] in _SINGULAR:
        (first, _), after = unit_around(question.now, UNITS[words[at + 2]][0]), at + 3
    else:
        return None
    return (_up_to_now(question, first, Precision.SPAN), after) if first < question.now else None


def this_time(question: Question, at: int, led: bool) -> Found:
    """ "this time last year": a month around the same day; "this day two years ago": the day."""
    words = question.words
    if words[at] not in ("this", "same") or words[at + 1] not in ("time", "day"):
        return None
    place = at + 2
    if words[place] == "last" and words[place + 1] in _SAME_TIME:
        count, unit, after = 1.0, UNITS[words[place + 1]][0], place + 2
    else:
        found = amount(question, place)
        if found is None or found[0] != found[1] or words[found[2] + 1] != "ago":
            return None
        count, after = found[0], found[2] + 2
        unit = UNITS.get(words[found[2]], (Precision.HOUR, 1))[0]
    slack = _SAME_TIME.get(unit.value)
    if slack is None:
        return None
    day = same_day(question.today, -count, unit)
    if words[at + 1] == "day":
        return (day, after) if words[at] == "this" else None
    return Span(
        first=day.first - slack, last=day.last + slack, precision=Precision.SPAN, certain=False
    ), after
