"""Relations between times: "between March and May 2023", "from 3 to 9 June", "prior to March", "before 2020", "May or June 2022".

"Before" has no beginning, "since" and "after" go on until now. The first end of a range, and the first of a list, borrow what
they lack from the last: the month of "3 to 9 June", the year of "November to February 2023", the week of "Monday to Friday
last week". Times of a list that touch are one stretch. Times that only a memory can give ("before the move") are read by
`occasion`.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from recollect.language.time_words import recurring
from recollect.language.time_words.amount import day_number
from recollect.language.time_words.calendar_year import year_after
from recollect.language.time_words.civil import DAY, OPEN, Span, midnight, months_later
from recollect.language.time_words.counted_name import recurring_at
from recollect.language.time_words.lexicon import WORDS_TOO
from recollect.language.time_words.phrase import name
from recollect.language.time_words.question import Found, Question
from recollect.language.time_words.stretch import Precision
from recollect.language.time_words.weekday import in_week, weekday_at

_WORDS = frozenset("before after since until till til by around circa between from".split())
#: Several words for one relation, the longest first. "As of March" may also go on from there, so it is never certain.
_PHRASES: tuple[tuple[tuple[str, ...], str], ...] = tuple(
    (tuple(words.split()), relation)
    for words, relation in (
        ("up to and including", "until"), ("no later than", "until"), ("not later than", "until"),
        ("on or before", "until"), ("no earlier than", "since"), ("not earlier than", "since"), ("on or after", "since"),
        ("leading up to", "before"), ("up to", "until"), ("up until", "until"), ("up till", "until"), ("prior to", "before"),
        ("previous to", "before"), ("earlier than", "before"), ("later than", "after"), ("as of", "as of"),
        ("starting in", "since"), ("starting on", "since"), ("starting from", "since"), ("ever since", "since"),
    )
)  # fmt: skip
RELATIONS = _WORDS | frozenset(words[0] for words, _ in _PHRASES)
_TO = frozenset("to until till til through thru - – —".split())
_ONWARD = frozenset("on onward onwards forward".split())
#: At least so much on either side of "around": people who say so mean a few days.
_SLACK = 3 * DAY
#: Times of one list that are looked through for the year of the last.
_LONGEST_LIST = 6


def phrase(question: Question, at: int, led: bool) -> Found:
    """The longest phrase of time that begins here."""
    if (related := _relation(question, at)) and (found := _at_relation(question, *related)):
        return found
    if found := _days(question, at, _TO) or _listed_days(question, at) or _bare(question, at, led):
        return found
    found = name(question, at, led)
    if found is None:
        return None
    return _up_to(question, *found, _TO) or _listed(question, *found) or found


def _relation(question: Question, at: int) -> tuple[str, int] | None:
    """The relation that begins here, by its plainest word, and the place after it."""
    word = question.words[at]
    if word in _WORDS:
        return word, at + 1
    if word in RELATIONS:
        for words, relation in _PHRASES:
            if question.words[at : at + len(words)] == list(words):
                return relation, at + len(words)
    return None


def _at_relation(question: Question, word: str, at: int) -> Found:
    return _range(question, word, at) if word in ("between", "from") else _related(question, word, at)


def _range(question: Question, word: str, at: int) -> Found:
    """ "between A and B", "from A to B", "from A on"."""
    words = question.words
    links = frozenset({"and"}) if word == "between" else _TO
    place = at + (words[at] == "the")
    if found := _days(question, place, links):
        return found
    found = name(question, place, True)
    if found is None:
        return None
    if word == "from" and words[found[1]] in _ONWARD and question.breaks(found[1] + 1):
        first = found[0].first
        last = question.now if first < question.now else found[0].last
        return Span(first=first, last=last, precision=Precision.SPAN, certain=found[0].certain), found[1] + 1
    return _up_to(question, *found, links)


def _up_to(question: Question, first: Span, at: int, links: frozenset[str]) -> Found:
    """The rest of a range after its first end."""
    words = question.words
    if words[at] not in links:
        return None
    place = at + 1 + (words[at + 1] == "the")
    if words[place] in ("now", "present"):
        return _joined(first, Span(first=question.now, last=question.now, precision=Precision.DAY), place + 1)
    if found := _day_in_same_month(question, first, place) or _year_after_dash(question, first, place):
        return found
    second = name(question, place, True)
    return second and _joined(first, second[0], second[1])


def _joined(first: Span, second: Span, at: int) -> Found:
    certain = first.certain and second.certain
    if first.recurring:
        certain = first.recurring.certain and second.certain
        first = recurring.not_after(first.recurring, second.first)
    elif first.weekday is not None and second.precision is Precision.DAY:
        certain = second.certain
        days = (second.first.weekday() - first.weekday) % 7 or 7
        first = replace(first, first=midnight(second.first) - DAY * days)
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


def _year_after_dash(question: Question, first: Span, at: int) -> Found:
    """ "(2019)-2021", "(2019)-21"."""
    value = question.number(at)
    if first.precision is not Precision.YEAR or value is None or not question.joined(at):
        return None
    year = value if len(question.words[at]) == 4 else first.first.year // 100 * 100 + value
    if not first.first.year < year < first.first.year + 100 or not question.breaks(at + 1):
        return None
    return replace(first, last=datetime(year + 1, 1, 1), precision=Precision.SPAN), at + 1


def _days(question: Question, at: int, links: frozenset[str]) -> Found:
    """ "3 to 9 June 2022", "3-9 June", "the 5th to the 9th of June"."""
    day = day_number(question, at)
    if day is None or question.words[day[1]] not in links or question.joined(at):
        return None
    second = _day_at(question, day[1] + 1 + (question.words[day[1] + 1] == "the"))
    if second is None:
        return None
    end = second[0].first
    start = end.replace(day=1)
    start = (months_later(start, -1) if day[0] > end.day else start).replace(day=day[0])
    return Span(first=start, last=end + DAY, precision=Precision.SPAN, certain=second[0].certain), second[1]


def _day_at(question: Question, at: int) -> Found:
    """A day of a month that begins with its number."""
    found = name(question, at, True) if day_number(question, at) else None
    return found if found and found[0].precision is Precision.DAY else None


def _past_link(question: Question, at: int) -> int | None:
    """The place of the next thing of a list: after "and", "or", "and/or" or a comma, and a small word behind it."""
    words = question.words
    place = at + (words[at] == ",")
    if words[place] in ("and", "or", "&", "/"):
        place += 1 + 2 * (words[place + 1] == "/" and words[place + 2] == "or")
    if place == at:
        return None
    place += words[place] in ("in", "on", "of")
    return place + (words[place] == "the")


def _listed_days(question: Question, at: int, most: int = _LONGEST_LIST) -> Found:
    """ "the 3rd or 4th of May 2022", "3, 4 and 5 May": each day has the month of the last."""
    day = day_number(question, at)
    if day is None or question.joined(at) or not most:
        return None
    place = _past_link(question, day[1])
    if place is None or day_number(question, place) is None:
        return None
    second = _listed_days(question, place, most - 1) or _day_at(question, place)
    if second is None:
        return None
    first = second[0].first.replace(day=day[0])
    if first + DAY == second[0].first:
        return replace(second[0], first=first, precision=Precision.SPAN, recurring=None), second[1]
    return Span(first=first, last=first + DAY, precision=Precision.DAY, certain=second[0].certain), day[1]


def _bare(question: Question, at: int, led: bool) -> Found:
    """A month or season that is a time because another follows: "May-July 2023", "spring and summer of 2023"."""
    found = recurring_at(question, at)
    if found is None or found[0].precision not in (Precision.MONTH, Precision.SEASON):
        return None
    what, after = found
    after += question.words[after] == "." and question.joined(after)
    first = recurring.latest(what, question.now)
    reached = _up_to(question, first, after, _TO) or _listed(question, first, after)
    return reached if reached and (led or _is_name(question, at, reached[1])) else None


def _is_name(question: Question, at: int, after: int) -> bool:
    """Whether a word is a month or season, and no verb: by its capital, or by the year at the end."""
    sure = question.capital(at) or question.words[at] not in WORDS_TOO | {"fall", "spring"}
    return sure or (len(question.words[after - 1]) == 4 and question.words[after - 1].isdecimal())


def _listed(question: Question, first: Span, at: int) -> Found:
    """ "(May) and June 2022", "(Monday) or Tuesday last week": the first of a list, with all that touch it."""
    if first.recurring is None and first.weekday is None:
        return None
    others: list[tuple[Span, int]] = []
    place = _past_link(question, at)
    if first.recurring and place is not None and (found := _day_in_same_month(question, first, place)):
        return found
    while place is not None and len(others) < _LONGEST_LIST:
        if first.weekday is not None and weekday_at(question, place) is None:
            return None
        other = name(question, place, True)
        if other is None or other[0].precision is not first.precision:
            return None
        others.append(other)
        if other[0].recurring is None and other[0].weekday is None:
            return _list(question, first, at, others)
        place = _past_link(question, other[1])
    return None


def _list(question: Question, first: Span, at: int, others: list[tuple[Span, int]]) -> Found:
    """The first time of a list whose last one is known."""
    (known, end), touching = others[-1], True
    last = known.last
    for other in (*(span for span, _ in others[-2::-1]), first):
        earlier = _borrowed(question, other, known)
        touching = touching and earlier.last == known.first
        known = earlier
    if touching:
        return replace(known, last=last, precision=Precision.SPAN), end
    return known, at


def _borrowed(question: Question, span: Span, known: Span) -> Span:
    """The time that lacks its year or week, beside one that does not."""
    if span.weekday is not None:
        return in_week(question, span.weekday, known)
    what = span.recurring
    if what is None:
        return span
    found = recurring.not_after(what, known.first)
    if found.last != known.first and found.first.year != known.first.year:
        found = recurring.named(what, known.first.year) or found
    return replace(found, certain=what.certain and known.certain)


def _related(question: Question, word: str, at: int) -> Found:
    """ "since A", "until A", "before A", "after A", "by A", "around A", "as of A"."""
    place = at + (question.words[at] == "the")
    # "By June" may be the name of an author.
    sure = word != "by" or question.words[place] in ("end", "start", "beginning")
    found = _listed_days(question, place) or name(question, place, sure)
    if found is None:
        return None
    found = _listed(question, *found) or found
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
    certain = other.certain and word not in ("around", "circa", "as of")
    return Span(first=first, last=last, precision=Precision.SPAN, certain=certain), after
