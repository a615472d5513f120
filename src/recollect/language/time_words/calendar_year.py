"""Years and their parts as they are written: 2023, '23, the 90s, Q3 2021, H1 2023, and the year that follows a date.

A number of four digits is a year only where it can be nothing else: "2023 dollars" and "room 2023" are not. It does not know
months and days (`calendar_date`).
"""

from datetime import datetime

from recollect.language.time_words import recurring
from recollect.language.time_words.amount import amount
from recollect.language.time_words.civil import Recurring, Span, months_later
from recollect.language.time_words.lexicon import DECADES, UNITS
from recollect.language.time_words.question import Found, Question
from recollect.language.time_words.stretch import Precision

#: Years that a number of four digits can mean without a date around it, and within one.
LIKELY, POSSIBLE = range(1900, 2100), range(1001, 3000)
DASHES = frozenset("-–—/")


def full_year(value: int, digits: int, this_year: int) -> int | None:
    """A year of four digits, or one of two that lies at most ten years ahead."""
    if digits == 2:
        return value + (2000 if value + 2000 <= this_year + 10 else 1900)
    return value if digits == 4 and value in POSSIBLE else None


def year_after(question: Question, at: int) -> tuple[int, int] | None:
    """The year that follows a date: "2023", ", 2023", "of last year", "two years ago", "'23"."""
    words = question.words
    place = at + (words[at] in (",", "of", "in", "from"))
    value = question.number(place)
    if value is not None and len(words[place]) == 4 and value in POSSIBLE:
        after = place + 1
        if words[after] in DASHES and question.joined(after) and len(words[after + 1]) in (2, 4):
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
    return None if value is None else full_year(value, 2, question.now.year)


def in_a_year(question: Question, what: Recurring, at: int) -> Found:
    """What recurs, in the year that follows it; None: no year does."""
    if (year := year_after(question, at)) and (span := recurring.named(what, year[0])):
        return span, year[1]
    return None


def quoted_year(question: Question, at: int, led: bool) -> Found:
    """ "in '22"; not "the '80s" nor "in '22 Jump Street'"."""
    value = _short_year(question, at)
    after = question.words[at + 2]
    if value is None or not led or after == "'" or not question.breaks(at + 2):
        return None
    first = datetime(value, 1, 1)
    return Span(first=first, last=datetime(value + 1, 1, 1), precision=Precision.YEAR), at + 2


def year(question: Question, at: int, led: bool) -> Found:
    """ "in 2023", "2023", "my 2023 trip"; not "2023 dollars" nor "room 2023"."""
    words = question.words
    value = question.number(at)
    if value is None or len(words[at]) != 4 or value not in LIKELY or words[at + 1] in UNITS:
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
        if len(words[at]) == 4 and value in LIKELY:
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
    return in_a_year(question, what, at + 2) or (recurring.latest(what, question.now), at + 2)


def half_year(question: Question, at: int, led: bool) -> Found:
    """ "H1 2023"; without a year it is no time."""
    number = question.number(at + 1, 1)
    year = year_after(question, at + 2)
    if not question.joined(at + 1) or number not in (1, 2) or year is None:
        return None
    first = datetime(year[0], 6 * number - 5, 1)
    return Span(first=first, last=months_later(first, 6), precision=Precision.SPAN), year[1]
