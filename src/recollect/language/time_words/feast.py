"""Feasts: days of the year that have a name.

The ones that English speakers use to say when something was. Those that countries keep on different days (Thanksgiving,
Mother's Day) are the American ones and never certain. Christmas, Easter and New Year are the days around them, for
"at Christmas" is not one day. It does not know religious calendars beyond the Western Easter; a library of holidays
was rejected, for it knows days off and not how people speak.
"""

from collections.abc import Callable
from datetime import datetime
from functools import cache

from recollect.language.time_words import recurring
from recollect.language.time_words.calendar_year import year_after
from recollect.language.time_words.civil import DAY, Bounds, Recurring
from recollect.language.time_words.question import Found, Question
from recollect.language.time_words.stretch import Precision

#: Only "over the holidays" are surely those at the end of the year; others are somebody's.
_ANY_HOLIDAYS = ("holidays",)
#: Before a feast of the same name by another calendar or of another country, of which nothing is known here.
_OTHER_FEASTS = frozenset(
    "chinese lunar jewish islamic muslim hindu persian iranian vietnamese korean tibetan thai tamil ethiopian coptic "
    "orthodox greek russian julian canadian academic school fiscal financial".split()
)


def easter_sunday(year: int) -> datetime:
    """The Western Easter, by the anonymous Gregorian computus."""
    century, of_century = divmod(year, 100)
    moon_shift = (century - (century + 8) // 25 + 1) // 3
    golden = year % 19
    epact = (19 * golden + century - century // 4 - moon_shift + 15) % 30
    to_sunday = (32 + 2 * (century % 4) + 2 * (of_century // 4) - epact - of_century % 4) % 7
    late = (golden + 11 * epact + 22 * to_sunday) // 451
    number, before = divmod(epact + to_sunday - 7 * late + 114, 31)
    return datetime(year, number, before + 1)


def _weekday_of(year: int, month: int, weekday: int, which: int) -> datetime:
    """The so-manieth weekday of a month."""
    first = datetime(year, month, 1)
    return first + DAY * ((weekday - first.weekday()) % 7 + 7 * (which - 1))


def _days(start: Callable[[int], datetime], count: int = 1, *, certain: bool = True) -> Recurring:
    def in_year(year: int) -> Bounds:
        first = start(year)
        return first, first + count * DAY

    precision = Precision.DAY if count == 1 else Precision.SPAN
    return Recurring(in_year=in_year, precision=precision, certain=certain)


def _fixed(month: int, day: int, count: int = 1) -> Recurring:
    return _days(lambda year: datetime(year, month, day), count)


def _floating(month: int, weekday: int, which: int, later: int = 0) -> Recurring:
    return _days(lambda year: _weekday_of(year, month, weekday, which) + DAY * later, certain=False)


@cache
def feasts() -> dict[str, list[tuple[tuple[str, ...], Recurring]]]:
    """By their first word: the words of each feast, the longest names first."""
    table: list[tuple[str, Recurring]] = [
        ("christmas eve|xmas eve", _fixed(12, 24)),
        ("christmas day|xmas day", _fixed(12, 25)),
        ("christmas|xmas|christmastime", _fixed(12, 24, 3)),
        (
            "christmas holidays|christmas break|christmas vacation|xmas break|holiday season|holidays",
            _days(lambda year: datetime(year, 12, 22), 12, certain=False),
        ),
        ("turn of the year", _days(lambda year: datetime(year - 1, 12, 29), 7, certain=False)),
        ("boxing day", _fixed(12, 26)),
        ("new year eve|new years eve|nye", _fixed(12, 31)),
        ("new year day|new years day", _fixed(1, 1)),
        ("new year|new years", _days(lambda year: datetime(year - 1, 12, 31), 2)),
        ("valentine day|valentines day|valentine|valentines", _fixed(2, 14)),
        ("st patrick day|st . patrick day|st patricks day", _fixed(3, 17)),
        ("april fools day|april fool day", _fixed(4, 1)),
        ("independence day", _fixed(7, 4)),
        ("halloween", _fixed(10, 31)),
        ("thanksgiving day|thanksgiving", _floating(11, 3, 4)),
        ("black friday", _floating(11, 3, 4, later=1)),
        ("cyber monday", _floating(11, 3, 4, later=4)),
        ("mother day|mothers day", _floating(5, 6, 2)),
        ("father day|fathers day", _floating(6, 6, 3)),
        ("memorial day", _days(lambda year: _weekday_of(year, 6, 0, 1) - 7 * DAY, certain=False)),
        ("labor day|labour day", _floating(9, 0, 1)),
        ("good friday", _days(lambda year: easter_sunday(year) - 2 * DAY)),
        ("easter sunday", _days(easter_sunday)),
        ("easter monday", _days(lambda year: easter_sunday(year) + DAY)),
        ("easter", _days(lambda year: easter_sunday(year) - 2 * DAY, 4)),
    ]
    found: dict[str, list[tuple[tuple[str, ...], Recurring]]] = {}
    for names, what in table:
        for name in names.split("|"):
            words = tuple(name.split())
            found.setdefault(words[0], []).append((words, what))
    for same in found.values():
        same.sort(key=lambda entry: -len(entry[0]))
    return found


def feast_at(question: Question, at: int) -> tuple[Recurring, int] | None:
    """The feast whose name begins here, and the place after it."""
    if question.words[at - 1] in _OTHER_FEASTS:
        return None
    for words, what in feasts().get(question.words[at], ()):
        if words == _ANY_HOLIDAYS and question.words[at - 2 : at] != ["over", "the"]:
            continue
        if question.words[at : at + len(words)] == list(words):
            return what, at + len(words)
    return None


def feast(question: Question, at: int, led: bool) -> Found:
    """ "at Christmas", "on Valentine's Day last year", "Easter 2022"; not "the Christmas tree"."""
    found = feast_at(question, at)
    if found is None:
        return None
    what, after = found
    if (year := year_after(question, after)) and (span := recurring.named(what, year[0])):
        return span, year[1]
    before = question.words[at - 1] if question.words[at - 1] != "the" else question.words[at - 2]
    if not led and before not in ("at", "for") and not question.stops(after):
        return None
    if question.words[at - 1] not in ("on", "at", "over") and not question.breaks(after):
        return None
    return recurring.latest(what, question.now), after
