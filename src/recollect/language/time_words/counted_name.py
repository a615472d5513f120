"""Names counted back: "two summers ago", "three Fridays ago", "the Christmas before last".

One that is over is one ago, whatever "last summer" means to whom, so none of them is certain. Units of the calendar ("two
weeks ago", "the week before last") are `counted`'s. It also knows which names come every year, for others to choose one.
"""

from recollect.language.time_words import recurring
from recollect.language.time_words.amount import amount
from recollect.language.time_words.calendar_date import month_at
from recollect.language.time_words.civil import DAY, Recurring, Span
from recollect.language.time_words.feast import feast_at, feasts
from recollect.language.time_words.lexicon import MONTHS, SEASONS, WEEKDAYS
from recollect.language.time_words.question import Found, Question
from recollect.language.time_words.stretch import Precision
from recollect.language.time_words.weekday import weekday_at

#: Further back nobody counts.
_MOST = 50


def recurring_at(question: Question, at: int) -> tuple[Recurring, int] | None:
    """A month, season or feast without its year, and the place after it."""
    word = question.words[at]
    if (number := month_at(question, at)) is not None:
        return recurring.month(number), at + 1
    if word in SEASONS:
        return recurring.season(SEASONS[word], south=question.south), at + 1
    return feast_at(question, at)


def names_ago(question: Question, at: int, led: bool) -> Found:
    """ "two summers ago", "a couple of Christmases ago", "three Fridays back"."""
    count = amount(question, at)
    if count is None or question.words[count[2] + 1] not in ("ago", "back"):
        return None
    low, high, place = count
    if low != int(low) or not 1 <= low <= high <= _MOST:
        return None
    newest, oldest = (_ago(question, question.words[place], int(number)) for number in (low, high))
    if newest is None or oldest is None:
        return None
    precision = newest.precision if low == high else Precision.SPAN
    return Span(first=oldest.first, last=newest.last, precision=precision, certain=False), place + 2


def _ago(question: Question, plural: str, count: int) -> Span | None:
    """The so-manieth of a name that is over."""
    for name in (plural.removesuffix("s"), plural.removesuffix("es")):
        if name == plural:
            continue
        if name in WEEKDAYS:
            return _weekday_ago(question, WEEKDAYS[name], count)
        if what := _by_name(question, name):
            return recurring.so_many_ago(what, question.now, count)
    return None


def _by_name(question: Question, name: str) -> Recurring | None:
    if name in MONTHS:
        return recurring.month(MONTHS[name])
    if name in SEASONS:
        return recurring.season(SEASONS[name], south=question.south)
    return next((what for words, what in feasts().get(name, ()) if words == (name,)), None)


def _weekday_ago(question: Question, number: int, count: int) -> Span:
    first = question.today - DAY * (((question.now.weekday() - number) % 7 or 7) + 7 * (count - 1))
    return Span(first=first, last=first + DAY, precision=Precision.DAY, certain=False)


def name_before_last(question: Question, at: int, led: bool) -> Found:
    """ "the summer before last", "the Friday before last"."""
    number = weekday_at(question, at)
    what = recurring_at(question, at)
    after = at + 1 if number is not None or what is None else what[1]
    if question.words[after : after + 2] != ["before", "last"] or not question.breaks(after + 2):
        return None
    if number is not None:
        return _weekday_ago(question, number, 2), after + 2
    span = what and recurring.so_many_ago(what[0], question.now, 2)
    return span and (span, after + 2)
