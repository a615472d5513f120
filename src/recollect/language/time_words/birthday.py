"""Birthdays: whose one a question means, and in which words a memory or a message says when it is.

People say it in many ways: "My birthday is 14 June", "I was born on 14 June 1990", "I turn 30 on June 14th", and, on the day
itself, "It's my birthday today!". "User's mother's birthday" is not the user's. The day must be the birthday's own: a present
bought today for a birthday, or got in March, says nothing of it. It does not search.
"""

import re
from collections.abc import Sequence
from datetime import datetime
from functools import lru_cache

from recollect.language.sign import plain
from recollect.language.time_words.civil import DAY, Span, midnight
from recollect.language.time_words.fact_date import date_in
from recollect.language.time_words.lexicon import MONTHS, NEAR_DAYS, SHORT_MONTHS, SHORT_WEEKDAYS, WEEKDAYS
from recollect.language.time_words.stretch import Precision

#: Stands for whoever asks; a memory calls them so.
USER = "user"
#: Words of which a text has one that tells a birthday without naming it.
OTHER_WORDS = ("born", "turn")
_WHOSE = re.compile(r"(?:(?P<mine>my|our) )?(?:(?:.* )?(?P<name>[^\W\d_]+)'s )?birthday$")
_ONES = "one|two|three|four|five|six|seven|eight|nine"
#: "I turned two pages" tells no age.
_AGE = (
    rf"(?:\d{{1,3}}|(?:twen|thir|for|fif|six|seven|eigh|nine)ty(?:[- ](?:{_ONES}))?"
    rf"|(?:thir|four|fif|six|seven|eigh|nine)teen|ten|eleven|twelve|{_ONES})"
    r"(?= ?(?:$|[^\w ]|(?:today|tomorrow|yesterday|years|on|in|this|last|next|and|so)\b))"
)
_DAY = r"(?P<day>today|tomorrow|yesterday)\b"
#: Any other word of time: "It's my birthday" is then not said on the day.
_OTHER_TIME = re.compile(
    r"\b(?:next|last|this|in|on|soon|coming|ago|after|before|until|week|weekend|month|tomorrow|yesterday)\b|\d"
)


#: "Her birthday", and names in the middle of a question.
_THEIRS = re.compile(r"(?:her|his|their) birthday")
_NAME = re.compile(r"(?<=[\w,] )[A-Z][a-z]+\b")
_NO_NAMES = (
    MONTHS.keys()
    | WEEKDAYS.keys()
    | SHORT_MONTHS.keys()
    | SHORT_WEEKDAYS.keys()
    | {"my", "our", "christmas", "easter"}
)
#: Where the words about a date end. A comma within a date does not.
_CLAUSE_END = re.compile(
    r"[;!?\n]|\.(?=\s+[^\W\d])|,(?! ?(?:\d|jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec))"
    r"|\b(?:and|but|so|because|when|where|with|since|after|before)\b"
)


def whose(what: str) -> str | None:
    """Whose birthday an event is: a name in small letters; None if it is none."""
    found = _WHOSE.match(plain(what))
    if found is None:
        return None
    return found["name"] or (USER if found["mine"] else None)


def is_one(what: str) -> bool:
    """Whether an event is a birthday, whosever it is; a birthday party is not."""
    return plain(what).endswith("birthday")


def resolved(what: str, question: str, speakers: Sequence[str]) -> str:
    """ "Nora's birthday" for "her birthday", if the question names nobody but Nora: of those who speak, else of all."""
    if not _THEIRS.fullmatch(plain(what)):
        return what
    named = dict.fromkeys(name for name in _NAME.findall(question) if name.lower() not in _NO_NAMES)
    names = [speaker.split()[0] for speaker in speakers] or list(named)
    return f"{names[0]}'s birthday" if len(names) == 1 else what


def stated_date(text: str, owner: str) -> Span | None:
    """The day that a text states as that of this birthday; None if it states none, or somebody else's."""
    low = plain(text)
    for found in _has_date(owner).finditer(low):
        if date := date_in(text[found.end() : _clause_end(low, found.end())]):
            return date
    for found in _tells(owner).finditer(low):
        until = _clause_end(low, found.end())
        if date := date_in(text[found.start() : until]) or date_in(text[:until]):
            return date
    found = _is_day(owner).search(low)
    return date_in(text[: found.start()]) if found else None


def _clause_end(low: str, at: int) -> int:
    found = _CLAUSE_END.search(low, at)
    return found.start() if found else len(low)


def said_date(sentence: str, owner: str, said_at: datetime) -> Span | None:
    """The day of a birthday by what was said at a time of the wall clock."""
    low = plain(sentence).strip()
    if "?" in low:
        return None
    near = next((found["day"] for pattern in _days(owner) if (found := pattern.search(low))), None)
    if near is None and _is_now(owner).search(low) and not _OTHER_TIME.search(low):
        near = "today"
    if near is None:
        return stated_date(sentence, owner)
    first = midnight(said_at) + DAY * NEAR_DAYS[near]
    return Span(first=first, last=first + DAY, precision=Precision.DAY)


def _possessive(owner: str) -> str:
    return "(?:user's|my)" if owner == USER else rf"{re.escape(owner)}'s"


def _turns(owner: str) -> str:
    subject = "(?:user|i)" if owner == USER else re.escape(owner)
    return rf"(?<!')\b{subject}(?:'ll|'m)?(?: (?:will|am|is|just|going to)){{0,2}} turn(?:s|ed|ing)? {_AGE}"


@lru_cache(maxsize=64)
def _tells(owner: str) -> re.Pattern[str]:
    """ "User was born", "Anna turns 30"."""
    subject = "(?:user|i)" if owner == USER else re.escape(owner)
    return re.compile(rf"\b{subject}(?:,| was| is)? born\b|{_turns(owner)}")


@lru_cache(maxsize=64)
def _days(owner: str) -> tuple[re.Pattern[str], ...]:
    """ "My birthday was yesterday", "tomorrow is my birthday", "I turned 30 today"; not "I planned my birthday today"."""
    birthday = rf"\b{_possessive(owner)} birthday"
    return (
        re.compile(rf"(?:^|[,;:] ?|\b(?:it's|is|was|for) ){birthday}(?: is| was|'s| will be)?,? {_DAY}"),
        re.compile(
            rf"\b{_DAY}(?:'s| is| was|,? it's|,? it is|,? it was) {birthday}(?= ?(?:$|[.!,;:)]|(?:and|so|but)\b))"
        ),
        re.compile(rf"{_turns(owner)}(?: years old)? {_DAY}"),
        re.compile(rf"\b{_DAY},? {_turns(owner)}"),
    )


@lru_cache(maxsize=64)
def _is_now(owner: str) -> re.Pattern[str]:
    """ "It's my birthday!"."""
    return re.compile(rf"\b(?:it's|it is) {_possessive(owner)} birthday(?= ?(?:$|[.!,;:)]|(?:and|so|but)\b))")


@lru_cache(maxsize=64)
def _has_date(owner: str) -> re.Pattern[str]:
    """ "My birthday is", "my 30th birthday falls on", "User has a birthday in"; not "my birthday party is"."""
    subject = "(?:user|i)" if owner == USER else re.escape(owner)
    return re.compile(
        rf"\b{_possessive(owner)} (?:\w+ )?birthday(?= is\b| was\b| falls\b| will be\b|'s\b|:| on\b| \(| =)"
        rf"|\b{subject} (?:has|have|celebrates?) (?:(?!for\b|of\b)\w+ ){{0,5}}?birthday(?= on\b| in\b|:)"
    )


@lru_cache(maxsize=64)
def _is_day(owner: str) -> re.Pattern[str]:
    """ "(14 March) is my birthday"."""
    return re.compile(rf" (?:is|was) {_possessive(owner)} birthday(?= ?(?:$|[.!,;:)]|(?:and|so|but)\b))")
