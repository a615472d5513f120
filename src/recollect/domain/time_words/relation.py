"""Relations between times: "between March and May 2023", "from 3 to 9 June", "since March", "before 2020", "around Easter".

"Before" has no beginning, "since" and "after" go on until now. The first end of a range borrows what it lacks from the
second: the month of "3 to 9 June", the year of "November to February 2023". Times that only a memory can give ("before
the move") are read by `occasion`.
"""

from datetime import timedelta

from recollect.domain.time_words import recurring
from recollect.domain.time_words.amount import day_number
from recollect.domain.time_words.calendar_date import year_after
from recollect.domain.time_words.civil import DAY, OPEN, Span, months_later
from recollect.domain.time_words.phrase import name
from recollect.domain.time_words.question import Found, Question
from recollect.domain.time_words.stretch import Precision

RELATIONS = frozenset("before after since until till til by around circa between from".split())
_TO = frozenset("to until till til through thru - – —".split())
#: At least so much on either side of "around": people who say so mean a few days.
_SLACK = 3 * DAY


def phrase(question: Question, at: int, led: bool) -> Found:
    """The longest phrase of time that begins here."""
    word = question.words[at]
    if word in RELATIONS:
        return _range(question, at) if word in ("between", "from") else _related(question, at, word)
    if word.isdecimal() and (found := _days(question, at, led)):
        return found
    found = name(question, at, led)
    if found is None:
        return None
    return _up_to(question, found[0], found[1], _TO) or found


def _range(question: Question, at: int) -> Found:
    """ "between A and B", "from A to B"."""
    words = question.words
    links = frozenset({"and"}) if words[at] == "between" else _TO
    place = at + 1 + (words[at + 1] == "the")
    if found := _days(question, place, True, links):
        return found
    found = name(question, place, True)
    return found and _up_to(question, found[0], found[1], links)


def _up_to(question: Question, first: Span, at: int, links: frozenset[str]) -> Found:
    """The rest of a range after its first end."""
    words = question.words
    if words[at] not in links:
        return None
    place = at + 1 + (words[at + 1] == "the")
    if words[place] in ("now", "present"):
        return _joined(first, Span(first=question.now, last=question.now, precision=Precision.DAY), place + 1)
    if found := _day_in_same_month(question, first, place):
        return found
    second = name(question, place, True)
    return second and _joined(first, second[0], second[1])


def _joined(first: Span, second: Span, at: int) -> Found:
    certain = first.certain and second.certain
    if first.recurring:
        certain = first.recurring.certain and second.certain
        first = recurring.not_after(first.recurring, second.first)
    if first.first >= second.last:
        return None
    return Span(first=first.first, last=second.last, precision=Precision.SPAN, certain=certain), at


def _day_in_same_month(question: Question, first: Span, at: int) -> Found:
    """ "(June 3) to 9, 2022"."""
    day = day_number(question, at)
    if first.precision is not Precision.DAY or day is None or day[0] <= first.first.day:
        return None
    after = day[1]
    start = first.first
    if year := year_after(question, after):
        start, after = start.replace(year=year[0]), year[1]
    elif not question.breaks(after):
        return None
    end = start.replace(day=day[0])
    certain = first.certain or year is not None
    return Span(first=start, last=end + DAY, precision=Precision.SPAN, certain=certain), after


def _days(question: Question, at: int, led: bool, links: frozenset[str] = _TO) -> Found:
    """ "3 to 9 June 2022", "3-9 June"."""
    day = day_number(question, at)
    if day is None or question.words[day[1]] not in links or question.joined(at):
        return None
    second = name(question, day[1] + 1 + (question.words[day[1] + 1] == "the"), True)
    if second is None or second[0].precision is not Precision.DAY:
        return None
    end = second[0].first
    if not question.words[day[1] + 1].isdecimal():
        return None
    start = end.replace(day=1)
    start = (months_later(start, -1) if day[0] > end.day else start).replace(day=day[0])
    return Span(first=start, last=end + DAY, precision=Precision.SPAN, certain=second[0].certain), second[1]


def _related(question: Question, at: int, word: str) -> Found:
    """ "since A", "until A", "before A", "after A", "by A", "around A"."""
    place = at + 1 + (question.words[at + 1] == "the")
    # "By June" may be the name of an author.
    found = name(question, place, word != "by" or question.words[place] in ("end", "start", "beginning"))
    if found is None:
        return None
    other, after = found
    now = question.now
    match word:
        case "before":
            # The end of May is over with May.
            first, last = OPEN, other.last if question.words[place] == "end" else other.first
        case "after":
            first, last = other.last, now if other.last < now else months_later(other.last, 12)
        case "since":
            first, last = other.first, now
        case "around" | "circa":
            slack = max(_SLACK, DAY * ((other.last - other.first).days // 2))
            first, last = other.first - slack, other.last + slack
        case _:
            first, last = OPEN, other.last
    if last - first < timedelta(minutes=1):
        return None
    certain = other.certain and word not in ("around", "circa")
    return Span(first=first, last=last, precision=Precision.SPAN, certain=certain), after
