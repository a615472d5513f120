"""When something that was announced is due: "by Friday", "next Tuesday at 3pm", "in two weeks", "on 5 April".

Reads one clause relative to when it was said, in the zone of who said it. Only what lies ahead is meant: "Friday" is
the coming one, "March 20" the next one. Where a weekday comes with a date ("Friday the 4th of December"), the date
counts. Without an hour the day is due at its end; "by" and "until" include the day, "before" ends with the one before it.
Hours to wait ("in two hours") are read for reminders only: elsewhere they are the moment itself. It does not know what is due.
`time_words` was rejected for this: it reads questions about the past, where "Friday" is the last one.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo

from recollect.language.judge.lexicon import MONTH, WEEKDAY
from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, signs

_DAY = timedelta(days=1)
_WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_COUNTS = {
    word: count
    for count, word in enumerate(
        "zero one two three four five six seven eight nine ten eleven twelve".split()
    )
} | {"a": 1, "an": 1, "couple": 2, "few": 3, "fifteen": 15, "twenty": 20, "thirty": 30, "forty-five": 45}
_NTH = tuple(
    "first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth".split()
)
#: Hours at which parts of a day end; the end of a working day is none of ours.
_PARTS = {
    "morning": 12,
    "noon": 12,
    "midday": 12,
    "lunch": 13,
    "afternoon": 18,
    "evening": 22,
    "midnight": 24,
}
#: Hours at which the parts begin that are no moments: "before Friday evening" is over by then.
_BEGINS = {"morning": 0, "afternoon": 12, "evening": 18}
_A_SECOND = timedelta(seconds=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Due:
    """A moment in UTC and the words that named it."""

    at: datetime
    phrase: str


_SIGN = any_of(
    (
        *_WEEKDAYS,
        *signs(
            "today|tonight|tomorrow|morning|afternoon|evening|week|month|year| day|eod|eow|noon|midday|lunch|midnight|20"
        ),
        *_MONTHS,
        *_NTH,
        *(f"{digit}{ending}" for digit in range(10) for ending in ("th", "st", "nd", "rd")),
    )
)
_LED = r"(?:(?:by|on|until|(?P<before>before)|due|no later than|at|for|this|coming|the|not later than|till|come|in)\s+)*"
_HOUR = (
    r"(?:\s*,?\s*(?:at|by|around|before)\s+(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s*(?P<half>[ap]\.?m\b\.?)?"
    r"|\s*,?\s*(?:at |by |in the )?(?P<part>morning|noon|midday|lunch|afternoon|evening|midnight)\b)?"
)
#: "Book lunch tomorrow" names no hour; "before lunch tomorrow" does.
_EARLY = (
    r"(?:(?:(?P<early>\d{1,2})(?::(?P<early_minute>\d\d))?\s*(?P<early_half>[ap]\.?m\b\.?)"
    r"|(?:(?<=by )|(?<=before )|(?<=until )|(?<=till )|(?<=at ))(?P<point>noon|midday|lunch|midnight)\b)\s*,?\s*(?:on\s+)?)?"
)
_OF_MONTH = rf"(?:\s+of\s+(?:(?P<whose>this|the|next)\s+month|(?P<word_month>{MONTH}))\b)"
#: "By the first" is a day; "on the first" may be the first of anything, unless its month follows.
_WORD = (
    rf"(?:(?=\w+\s+of\s+(?:(?:this|the|next)\s+month|{MONTH})\b)"
    r"|(?:(?<=by the )|(?<=before the )|(?<=until the )|(?<=day the ))(?=\w+\s*(?:$|[.,;!?)])))"
    rf"(?P<word>{'|'.join(_NTH)})\b"
)
_DATE = (
    rf"(?:(?P<month>{MONTH})\b\.?\s+(?:the\s+)?(?P<day>\d{{1,2}})(?:st|nd|rd|th)?\b(?:,?\s+(?P<year>20\d\d))?"
    rf"|(?P<first_day>\d{{1,2}})(?:st|nd|rd|th|\.)?\s+(?:of\s+)?(?P<second_month>{MONTH})\b(?:,?\s+(?P<second_year>20\d\d))?"
    r"|(?P<iso>20\d\d-\d\d-\d\d)|(?P<dotted>\d{1,2}\.\d{1,2}\.20\d\d)\b"
    rf"|(?:the\s+)?(?:(?P<ordinal>\d{{1,2}})(?:st|nd|rd|th)\b|{_WORD}){_OF_MONTH}?)"
)
_DAY_NAME = r"(?:mon(?:day)?|tue(?:s(?:day)?)?|wed(?:nesday)?|thu(?:r(?:s(?:day)?)?)?|fri(?:day)?|sat(?:urday)?|sun(?:day)?)\b"
_DAY_PHRASE = Pattern(
    rf"\b{_LED}{_EARLY}(?:(?:{_DAY_NAME}\.?,?\s+\(?(?:on\s+)?(?:the\s+)?)?{_DATE}(?:,?\s+\(?(?:an?\s+)?{_DAY_NAME}\)?|\))?"
    r"|(?:(?P<weeks>an?|one|two|three|four|\d)\s+weeks?\s+(?:from|on|after)\s+(?:this\s+|the\s+)?)?"
    r"(?:(?P<today>today|tonight|this(?=\s+(?:morning|afternoon|evening)\b)|eod|end of (?:the )?day)|(?P<after>(?:the )?day after tomorrow)|(?P<tomorrow>tomorrow)"
    rf"|(?:(?P<next>next(?:\s+week,?(?:\s+on)?)?)\s+)?(?P<weekday>{WEEKDAY})\b(?:\s+(?P<next_week>(?:of\s+)?next\s+week)\b|\s+(?P<later>week|after\s+next)\b)?)){_HOUR}",
    re.IGNORECASE,
)
_COUNTED = Pattern(
    r"\b(?:with)?in\s+(?:about\s+|around\s+|the next\s+)?(?P<count>\d{1,3}|an?|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|a couple of|a few)\s+(?P<unit>days?|weeks?|months?|years?)\b",
    re.IGNORECASE,
)
_PERIOD = Pattern(
    r"\b(?:(?:by|(?P<before>before)|until|at|towards?|due)\s+)*(?P<end>(?:the\s+)?end of\s+)?(?:the\s+)?(?P<which>this|next|the)?\s*"
    r"(?P<unit>weekend|week|month|year)\b|\b(?:by\s+)?(?P<eow>eow)\b",
    re.IGNORECASE,
)
#: Without a day behind it: one that the month has not ("by February 30") names no time.
_IN_MONTH = Pattern(
    r"\b(?:(?:(?:by|at|until|till|towards?|due|(?P<before_part>before))\s+)?(?:the\s+)?(?P<part>end|middle|start|beginning)\s+of"
    rf"|(?:in|by|this|next|until|till|(?P<before>before)))\s+(?:(?P<mid>mid)[- ])?(?P<month>{MONTH})\b"
    r"(?!\.?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\b)(?:,?\s+(?P<year>20\d\d)\b)?",
    re.IGNORECASE,
)
#: A moment of the day that is being lived; behind "at" it may be that of any day.
_POINT = Pattern(r"\b(?:by|before|until|till)\s+(?P<point>noon|midday|lunch|midnight)\b", re.IGNORECASE)
_WAIT = Pattern(
    r"\b(?:with)?in\s+(?:about\s+|around\s+|the next\s+)?(?P<count>\d{1,3}|half an|an?|one|two|three|four|five|six|seven|eight|nine|ten"
    r"|eleven|twelve|fifteen|twenty|thirty|forty-five|a couple of|a few)\s+(?P<unit>min|hour|hr)(?:ute)?s?\b(?P<half>\s+and a half\b)?",
    re.IGNORECASE,
)
_CLOCK = Pattern(
    r"\bat\s+(?P<hour>\d{1,2})(?::(?P<minute>\d\d))?\s*(?P<half>[ap]\.?m\b\.?)?(?:\s*o'clock)?", re.IGNORECASE
)
#: What may stand beside a time and names none by itself.
_BESIDE = Pattern(
    r"\b(?:please|again|later|soon|next time|tonight|early|late|first thing|in the|around|about|or so|at the latest|night|sharp|and)\b",
    re.IGNORECASE,
)
#: "Two days before Friday" counts back, and is not read.
_COUNTED_BACK = Pattern(r"(?:weeks?|days|months?|years?|hours?|minutes?)\s+$", re.IGNORECASE)
#: "in ten minutes" is the moment itself.
AT_ONCE = Pattern(
    r"\bin (?:about |like )?(?:an?|\d+|five|ten|fifteen|twenty|thirty|a few|a couple of|half an?) (?:min(?:ute)?s?|hours?|secs?"
    r"|seconds?|hour)\b|\bright (?:now|away)\b|\bin a (?:bit|moment|sec|while|minute)\b",
    re.IGNORECASE,
)


def due(text: str, *, said_at: datetime, zone: tzinfo, reminds: bool = False) -> Due | None:
    """The moment by which a clause wants something, if it names one; `reminds`: "in two hours" is one, too."""
    if reminds and (match := _WAIT.search(text)) is not None:
        return Due(at=said_at.astimezone(UTC) + _waited(match), phrase=" ".join(match.group().split()))
    if not _SIGN.search(text.lower()):
        return None
    here = said_at.astimezone(zone).replace(tzinfo=None)
    for pattern, read in _READERS:
        for match in pattern.finditer(text):
            try:
                wall = read(match, here)
                if wall is not None and wall > here:
                    return Due(
                        at=wall.replace(tzinfo=zone).astimezone(UTC), phrase=" ".join(match.group().split())
                    )
            except (ValueError, OverflowError):
                continue
    return None


def is_time(words: str) -> bool:
    """Whether words say when and nothing else: "on 3 May at 9:30", but not "what I said on Friday"."""
    rest = words
    for pattern in (*(pattern for pattern, _ in _READERS), _WAIT, _CLOCK, _BESIDE):
        rest = pattern.sub(" ", rest)
    return rest != words and not rest.strip(" ,")


def next_hour(words: str, *, said_at: datetime, zone: tzinfo) -> datetime | None:
    """The coming time of that hour, where only an hour is named; "at 8", said at 10, may be two, and is none."""
    match = _CLOCK.search(words)
    if match is None or int(match["hour"]) > 23:
        return None
    here = said_at.astimezone(zone).replace(tzinfo=None)
    at = _midnight(here) + timedelta(
        hours=_clock(match["hour"], match["half"]), minutes=int(match["minute"] or 0)
    )
    if at <= here:
        if match["half"] is None and int(match["hour"]) <= 12:
            return None
        at += _DAY
    return at.replace(tzinfo=zone).astimezone(UTC)


def _waited(match: re.Match[str]) -> timedelta:
    word = match["count"].lower()
    count = 0.5 if word == "half an" else _count(word)
    if match["half"]:
        count += 0.5
    return timedelta(minutes=count) if match["unit"].lower() == "min" else timedelta(hours=count)


def _midnight(moment: datetime) -> datetime:
    return moment.replace(hour=0, minute=0, second=0, microsecond=0)


def _end_of(day: datetime) -> datetime:
    """The last second of a day."""
    return _midnight(day) + _DAY - _A_SECOND


def _eve_of(day: datetime) -> datetime:
    """The last second before a day."""
    return _midnight(day) - _A_SECOND


def _on_a_day(match: re.Match[str], here: datetime) -> datetime | None:
    day = _named_day(match, here)
    if day is None or (match["before"] and _COUNTED_BACK.search(match.string[: match.start()])):
        return None
    part = (match["part"] or "").lower()
    if not match["before"] or match["hour"] or match["early"] or match["point"]:
        return _at_hour(match, day)
    if (part and part not in _BEGINS) or (match["today"] or "").lower().startswith("e"):
        # Noon is a moment, and the end of a day is none before it.
        return _at_hour(match, day)
    return _midnight(day) + timedelta(hours=_BEGINS.get(part, 0)) - _A_SECOND


def _named_day(match: re.Match[str], here: datetime) -> datetime | None:
    today = _midnight(here)
    date = _dated_day(match, today)
    if date is not None:
        return date
    later = _weeks(match) * 7 * _DAY
    if match["today"]:
        return today + later
    if match["after"]:
        return today + 2 * _DAY + later
    if match["tomorrow"]:
        return today + _DAY + later
    following = bool(match["next"] or match["next_week"])
    return _coming(today, _WEEKDAYS.index(match["weekday"].lower()), following=following) + later


def _weeks(match: re.Match[str]) -> int:
    """How many weeks behind the named day: "a week from Tuesday", "Tuesday week", "the Tuesday after next"."""
    word = (match["weeks"] or "zero").lower()
    return (int(word) if word.isdigit() else _COUNTS[word]) + bool(match["later"])


def _dated_day(match: re.Match[str], today: datetime) -> datetime | None:
    """The day that a date names, whatever weekday stands beside it."""
    if match["iso"]:
        return datetime.fromisoformat(match["iso"])
    if match["dotted"]:
        day, month, year = map(int, match["dotted"].split("."))
        return datetime(year, month, day)
    if match["ordinal"] or match["word"]:
        day = int(match["ordinal"]) if match["ordinal"] else _NTH.index(match["word"].lower()) + 1
        if match["word_month"]:
            return _in_year(today, _month(match["word_month"]), day, None)
        if (match["whose"] or "").lower() == "next":
            return datetime(*_months_on(today, 1), day)
        # Who says "before the 15th" on the 15th means the next one.
        return _in_a_month_to_come(today + _DAY if match["before"] else today, day)
    month = match["month"] or match["second_month"]
    if month is None:
        return None
    day, year = int(match["day"] or match["first_day"]), match["year"] or match["second_year"]
    return _in_year(today, _month(month), day, int(year) if year else None)


def _coming(today: datetime, weekday: int, *, following: bool) -> datetime:
    """The next such day after today; "next Friday" is that of the coming week."""
    ahead = (weekday - today.weekday() - 1) % 7 + 1
    if following and ahead + today.weekday() < 7:
        ahead += 7
    return today + ahead * _DAY


def _in_a_month_to_come(today: datetime, day: int) -> datetime:
    """The next day of that number; a month that has no such day is passed over."""
    ahead = 0 if day >= today.day else 1
    while _clamped(*_months_on(today, ahead), day).day != day and ahead < 4:
        ahead += 1
    return datetime(*_months_on(today, ahead), day)


def _month(word: str) -> int:
    return _MONTHS.index(word[:3].lower()) + 1


def _in_year(today: datetime, month: int, day: int, year: int | None) -> datetime:
    found = datetime(year or today.year, month, day)
    return found.replace(year=found.year + 1) if year is None and found < today else found


def _at_hour(match: re.Match[str], day: datetime) -> datetime:
    hour, minute, half = match["hour"], match["minute"], match["half"]
    if hour is None:
        hour, minute, half = match["early"], match["early_minute"], match["early_half"]
    if hour is None:
        part = match["part"] or match["point"]
        return _midnight(day) + timedelta(hours=_PARTS[part.lower()]) if part else _end_of(day)
    return _midnight(day).replace(hour=_clock(hour, half), minute=int(minute or 0))


def _clock(hour: str, half: str | None) -> int:
    """The hour of 24 that an hour of 12 means."""
    if half:
        return int(hour) % 12 + (12 if half.lower().startswith("p") else 0)
    # "at 3" is said of afternoons.
    return int(hour) + 12 if int(hour) < 7 else int(hour)


def _after_some_time(match: re.Match[str], here: datetime) -> datetime | None:
    count = _count(match["count"].lower())
    unit = match["unit"].lower().rstrip("s")
    if unit in ("day", "week"):
        return _end_of(here + count * (7 if unit == "week" else 1) * _DAY)
    months = here.month - 1 + count * (12 if unit == "year" else 1)
    return _end_of(_clamped(here.year + months // 12, months % 12 + 1, here.day))


def _count(word: str) -> int:
    """The number that a word says: the last known one of "a couple of"."""
    return (
        int(word)
        if word.isdigit()
        else next(_COUNTS[part] for part in reversed(word.split()) if part in _COUNTS)
    )


def _clamped(year: int, month: int, day: int) -> datetime:
    first = datetime(year, month, 1)
    length = ((first + 32 * _DAY).replace(day=1) - first).days
    return first.replace(day=min(day, length))


def _period(match: re.Match[str], here: datetime) -> datetime | None:
    unit, which = (match["unit"] or "week").lower(), (match["which"] or "").lower()
    ahead = 1 if which == "next" else 0
    today = _midnight(here)
    if match["before"] and not match["end"]:
        return _before_period(unit, today, ahead)
    if not match["eow"] and not match["end"] and which not in ("this", "next"):
        return None
    if unit in ("week", "weekend"):
        # A working week is over on Friday, unless that is past.
        last = 6 if unit == "weekend" or not (match["end"] or match["eow"]) or today.weekday() > 4 else 4
        return _end_of(today + (last - today.weekday() + 7 * ahead) * _DAY)
    if unit == "month":
        return _end_of(_clamped(*_months_on(today, ahead), 31))
    return _end_of(datetime(today.year + ahead, 12, 31))


def _before_period(unit: str, today: datetime, ahead: int) -> datetime | None:
    """The last second before a weekend, or before a week, a month or a year to come."""
    if unit == "weekend":
        return _eve_of(today + (5 - today.weekday() + 7 * ahead) * _DAY)
    if not ahead:
        return None
    if unit == "week":
        return _eve_of(today + (7 - today.weekday()) * _DAY)
    return _eve_of(datetime(*_months_on(today, 1), 1) if unit == "month" else datetime(today.year + 1, 1, 1))


def _months_on(today: datetime, count: int) -> tuple[int, int]:
    months = today.month - 1 + count
    return today.year + months // 12, months % 12 + 1


def _month_alone(match: re.Match[str], here: datetime) -> datetime | None:
    month, part = _month(match["month"]), (match["part"] or match["mid"] or "end").lower()
    before = bool(match["before"] or match["before_part"])
    # Who says "before March" in March means the next one.
    past = month < here.month or (month == here.month and bool(match["before"]))
    year = int(match["year"]) if match["year"] else here.year + past
    if match["before"] and not match["mid"]:
        return _eve_of(datetime(year, month, 1))
    if part == "end":
        return _end_of(_clamped(year, month, 31))
    if part.startswith("mid"):
        day = datetime(year, month, 15)
        return _eve_of(day) if before else _end_of(day)
    # "At the beginning of May" may be any of its first days.
    if not match.group().lower().startswith(("by ", "until ", "till ", "before ")):
        return None
    day = datetime(year, month, 1)
    return _eve_of(day) if before else _end_of(day)


def _moment_of_today(match: re.Match[str], here: datetime) -> datetime | None:
    return _midnight(here) + timedelta(hours=_PARTS[match["point"].lower()])


_READERS: tuple[tuple[Pattern, Callable[[re.Match[str], datetime], datetime | None]], ...] = (
    (_DAY_PHRASE, _on_a_day),
    (_COUNTED, _after_some_time),
    (_PERIOD, _period),
    (_IN_MONTH, _month_alone),
    (_POINT, _moment_of_today),
)
