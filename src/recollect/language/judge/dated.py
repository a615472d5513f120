"""Dates in place of "last month": a memory is read years later, when nobody knows when its words were said.

Relative times are written out from the moment and the zone in which they were said, as precisely as they were meant: a
month for "last month", a year for "two years ago". What is vague ("recently", "soon") and what repeats ("every Friday")
stays. It reads only the few phrases that cannot be misread; `time_words` reads questions, where a guess does less harm.
"""

import calendar
import re
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta, tzinfo

from recollect.language.judge.lexicon import MONTH
from recollect.language.pattern import Pattern

_COUNTS = {
    "a": 1, "an": 1, "one": 1, "two": 2, "a couple of": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7,
    "eight": 8, "nine": 9, "ten": 10, "eleven": 11, "twelve": 12,
}  # fmt: skip
_COUNT = r"\d{1,2}|" + "|".join(sorted(_COUNTS, key=len, reverse=True))
#: In small letters only: "Last Week Tonight" is a name.
_RELATIVE = Pattern(
    r"(?<![\w'-])(?:(?P<lead>in|on|over|since|as of|for|from|until|till|by|before) )?(?:"
    rf"(?:about |around |almost |nearly |roughly )?(?P<count>{_COUNT}) (?P<unit>day|week|month|year)s? ago"
    r"|(?P<which>last|this|next) (?P<span>week|weekend|month|year|spring|summer|autumn|fall|winter)"
    r"|(?P<day>yesterday|the day before yesterday|today|tomorrow|the day after tomorrow)"
    r"|(?:earlier )?(?P<part>this (?:morning|afternoon|evening)|tonight|last night)"
    r")(?![\w'-])(?! (?:of|before|after)\b)"
)
_DAYS = {
    "the day before yesterday": -2, "yesterday": -1, "last night": -1, "today": 0, "this morning": 0,
    "this afternoon": 0, "this evening": 0, "tonight": 0, "tomorrow": 1, "the day after tomorrow": 2,
}  # fmt: skip
#: The next one of its name; what is said of the past or comes back stays as it is.
_WEEKDAYS = tuple(name.lower() for name in calendar.day_name)
_MONTHS = tuple(name[:3].lower() for name in calendar.month_name[1:])
_ON_DAY = Pattern(
    rf"\b(?:(?P<weeks>{_COUNT}) weeks? (?:from|on|after) |(?<!week )(?<!weeks )(?:on|this) )(?P<weekday>{'|'.join(_WEEKDAYS)})(?P<later> next week| of next week)?(?![\w'-])"
    rf"(?! (?:morning|afternoon|evening|night)?s\b| and\b| or\b| to\b| week\b| after\b| in (?:{_COUNT}) (?:days|weeks?|months?)\b|,? \(?(?:the )?(?:\d|{MONTH}\b\.? (?:the )?\d)|,? the [a-z-]+(?:st|nd|rd|th)\b)",
    re.IGNORECASE,
)
#: A weekday with its date, but without the year.
_WITH_DATE = Pattern(
    rf"\b(?:on|this) (?P<weekday>{'|'.join(_WEEKDAYS)}),? \(?(?:the )?(?:(?P<month>{MONTH})\b\.? (?:the )?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?|(?P<first>\d{{1,2}})(?:st|nd|rd|th|\.)? (?:of )?(?P<second>{MONTH})|(?P<number>\d{{1,2}})(?:st|nd|rd|th)(?! of\b))\b\)?(?!,? ?\d{{4}}|[\w:'-])",
    re.IGNORECASE,
)
_AHEAD = Pattern(
    r"^User(?:'s [\w' -]+?)? (?:is|are|has (?:an?|User's|the)|will|starts?|begins?|is (?:having|getting|flying|leaving|moving)|flies|leaves|turns|gets|defends|graduates|marries)\b"
)
_COMES_BACK = Pattern(
    r"\b(?:every|each|usually|always|often|never|weekly|regularly|normally|mostly|sometimes|off|closed|shifts?|day|market|practice|training|rehearsals?|class|classes|lessons?|choir|meetings?|stand-?up|was|were|last|until|since|ago)\b",
    re.IGNORECASE,
)
_STEP = {"last": -1, "this": 0, "next": 1}


def dated(content: str, said_at: datetime, zone: tzinfo) -> str:
    """The statement with its relative times as dates."""
    ahead = _AHEAD.match(content) and not _COMES_BACK.search(content)
    weekday = ahead and (_WITH_DATE.search(content) or _ON_DAY.search(content))
    if not weekday and _RELATIVE.search(content) is None:
        return content
    now = said_at.astimezone(zone)
    if weekday and "weeks" in weekday.groupdict():
        content = _ON_DAY.sub(lambda found: _next(found, now), content, 1)
    elif weekday:
        content = _WITH_DATE.sub(lambda found: _with_year(found, now), content, 1)
    content = _RELATIVE.sub(lambda found: _written(found, now), content)
    return _BIRTHDAY.sub(r"\g<whose> is \g<day>", content)


_TODAY = Pattern(
    r",? (?:yesterday|today|this (?:morning|afternoon|evening)|last night)(?=[.!]?$)", re.IGNORECASE
)


def undated(content: str) -> str | None:
    """The statement without the day of these days on which it became true; None where it names none."""
    plain = _TODAY.sub("", content)
    return None if plain == content or plain.rstrip(".!").endswith((" is", " was")) else plain


#: It comes back every year: the year of one of them is no part of it.
_BIRTHDAY = Pattern(
    rf"^(?P<whose>User(?:'s [\w' -]+?)?'s birthday) (?:is|was) (?P<day>on \d{{1,2}} {MONTH}) \d{{4}}(?=\.?$)",
    re.IGNORECASE,
)


def _next(found: "re.Match[str]", now: datetime) -> str:
    """The day that a weekday names ahead; said on that day itself, it is the next week's."""
    day = _WEEKDAYS.index(found["weekday"].lower())
    ahead = 7 - now.weekday() + day if found["later"] else (day - now.weekday() - 1) % 7 + 1
    if weeks := (found["weeks"] or "").lower():
        ahead += 7 * (int(weeks) if weeks.isdecimal() else _COUNTS[weeks])
    try:
        return f"on {calendar.day_name[day]} {_day(now + timedelta(days=ahead))}"
    except OverflowError:
        return found[0]


def _with_year(found: "re.Match[str]", now: datetime) -> str:
    """The next such date with its year, where the weekday bears it out; where they disagree, the words stay."""
    named, day = found["month"] or found["second"], int(found["day"] or found["first"] or found["number"])
    year, month = now.year, _MONTHS.index(named[:3].lower()) + 1 if named else now.month
    if (month, day) < (now.month, now.day):
        year, month = (year + 1, month) if named else (year + month // 12, month % 12 + 1)
    try:
        date = datetime(year, month, day)
    except ValueError:
        return found[0]
    agrees = _WEEKDAYS[date.weekday()] == found["weekday"].lower()
    return f"on {calendar.day_name[date.weekday()]} {_day(date)}" if agrees else found[0]


def _written(found: "re.Match[str]", now: datetime) -> str:
    lead = (found["lead"] or "").lower()
    try:
        when = _when(found.groupdict(), now)
    except (OverflowError, ValueError):
        # At an end of the calendar.
        return found[0]
    if when is None:
        return found[0]
    # "Since last month" keeps its word, "in" and "on" come with the date.
    return f"{found['lead']} {when.partition(' ')[2]}" if lead not in ("", "in", "on") else when


def _when(said: Mapping[str, str | None], now: datetime) -> str | None:
    if said["count"] and said["unit"]:
        count = said["count"].lower()
        return _ago(int(count) if count.isdecimal() else _COUNTS[count], said["unit"].lower(), now)
    if said["day"] or said["part"]:
        word = (said["day"] or said["part"] or "").lower()
        return f"on {_day(now + timedelta(days=_DAYS[word]))}"
    if said["which"] and said["span"]:
        return _SPANS.get(said["span"].lower(), _season)(
            _STEP[said["which"].lower()], said["span"].lower(), now
        )
    return None


def _ago(count: int, unit: str, now: datetime) -> str:
    match unit:
        case "year":
            return f"in {now.year - count}"
        case "month":
            return f"in {_month(now, -count)}"
        case "week":
            return f"around {_day(now - timedelta(weeks=count))}"
        case _:
            return f"on {_day(now - timedelta(days=count))}"


def _week(step: int, span: str, now: datetime) -> str:
    monday = now - timedelta(days=now.weekday()) + timedelta(weeks=step)
    return f"in the week of {_day(monday)}"


def _weekend(step: int, span: str, now: datetime) -> str:
    # On a Saturday or Sunday "this weekend" is the present one, and the last one is over.
    saturday = now - timedelta(days=now.weekday()) + timedelta(days=5)
    past = -1 if step < 0 else 0
    return f"on the weekend of {_day(saturday + timedelta(weeks=past if step <= 0 else 1))}"


def _of_month(step: int, span: str, now: datetime) -> str:
    return f"in {_month(now, step)}"


def _of_year(step: int, span: str, now: datetime) -> str:
    return f"in {now.year + step}"


def _season(step: int, span: str, now: datetime) -> str | None:
    """Only the seasons of a year that has passed or is to come; "this summer" is said before and after it."""
    return None if step == 0 else f"in the {span} of {_season_year(step, span, now)}"


def _season_year(step: int, span: str, now: datetime) -> int:
    begins = {"winter": 12, "spring": 3, "summer": 6}.get(span, 9)
    # The last one that has begun at least three months ago, the next one that is still to come.
    if step < 0:
        return now.year if now.month >= begins + 3 else now.year - 1
    return now.year if now.month < begins else now.year + 1


_SPANS: Mapping[str, Callable[[int, str, datetime], str | None]] = {
    "week": _week,
    "weekend": _weekend,
    "month": _of_month,
    "year": _of_year,
}


def _month(now: datetime, step: int) -> str:
    months = now.year * 12 + now.month - 1 + step
    return f"{calendar.month_name[months % 12 + 1]} {months // 12}"


def _day(moment: datetime) -> str:
    return f"{moment.day} {calendar.month_name[moment.month]} {moment.year}"
