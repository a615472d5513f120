"""When an event was, by a text that states its time: "the move" and "User moved house in June 2023".

A birthday comes every year, whatever year its date has; the one that is meant lies where the question says, or within the year
before it. A date without a year is the one next to its telling: the latest, or the next one if the text looks ahead; then it
was planned, and is marked so. Months and years stay what they are. It does not search and does not know whether the text is
a memory or a message.
"""

import re
from dataclasses import replace
from datetime import datetime, timedelta, tzinfo

from recollect.language.sign import plain
from recollect.language.terms import terms
from recollect.language.time_words import birthday, recurring
from recollect.language.time_words.anchor import Anchor, yearly
from recollect.language.time_words.civil import Span, midnight, stretch
from recollect.language.time_words.fact_date import date_in
from recollect.language.time_words.stretch import Precision, Stretch

_YEAR = timedelta(days=366)
#: What comes every year.
_YEARLY = frozenset(terms("birthday anniversary nameday"))
#: A text with one of these looks ahead, unless it tells of what was: "The wedding is in May", "We will move in June".
_AHEAD = re.compile(
    r"\b(?:will|going to|plans? to|planning|'ll)\b|\b(?:is|are|am|'s|'re|'m)(?: (?:on|in|at|this|next|planned|scheduled|set|\w+ing)\b| \d)",
    re.IGNORECASE,
)
_PAST = re.compile(
    r"\b(?:was|were|had|did|went|ran|got|took|came|been|(?!need\b|indeed\b|speed\b|feed\b|hundred\b)\w{2,}ed)\b",
    re.IGNORECASE,
)
#: "Is planned", "are invited" tell of now.
_STATE = re.compile(r"\b(?:is|are|am|be|'s|'re|'m)(?: (?:so|very|all|already|not))? \w+ed\b", re.IGNORECASE)
#: Asked, denied or wished is not stated.
_UNSTATED = re.compile(r"\?|\b(?:not|never|wish|if|would|might|maybe|perhaps|\w+n't)\b", re.IGNORECASE)
#: Sentences, and how much of a long message is looked through.
_SENTENCE = re.compile(r"[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]*")
_LOOKED_AT = 2000
_MINE = re.compile(r"(?:my|our) (?P<what>[^\W\d_]+)$")
#: "Since the move I was in Rome in May" dates something else.
_ELSEWHEN = re.compile(r"\b(?:since|before|after|until|till)\b", re.IGNORECASE)


def remembered_time(
    content: str, event: Anchor, *, told_at: datetime, now: datetime, zone: tzinfo
) -> Stretch | None:
    """When an event was, by a memory that is about it."""
    owner = birthday.whose(event.what)
    if owner is not None:
        span = birthday.stated_date(content, owner)
    elif birthday.is_one(event.what) or _is_anothers(content, event):
        # Nobody knows whose birthday "the birthday" is.
        return None
    else:
        span = date_in(content)
    return span and _placed(span, content, event, told_at=min(told_at, now), now=now, zone=zone)


def said_time(text: str, event: Anchor, *, said_at: datetime, now: datetime, zone: tzinfo) -> Stretch | None:
    """When an event was, by a message of the user that says it."""
    owner = birthday.whose(event.what)
    wanted = frozenset(terms(event.what))
    for sentence in _SENTENCE.findall(text[:_LOOKED_AT]):
        if _UNSTATED.search(sentence.replace("\u2019", "'")):
            continue
        if owner is not None:
            span = _birthday(sentence, owner, said_at, zone)
        elif birthday.is_one(event.what):
            continue
        elif wanted <= frozenset(terms(sentence)) and not _is_anothers(sentence, event):
            span = None if _ELSEWHEN.search(sentence) else date_in(sentence)
        else:
            continue
        if span and (found := _placed(span, sentence, event, told_at=said_at, now=now, zone=zone)):
            return found
    return None


def _birthday(sentence: str, owner: str, said_at: datetime, zone: tzinfo) -> Span | None:
    try:
        return birthday.said_date(sentence, owner, said_at.astimezone(zone).replace(tzinfo=None))
    except OverflowError:
        # Said at an end of the calendar.
        return None


def _is_anothers(text: str, event: Anchor) -> bool:
    """Whether a text speaks of somebody else's: "my wedding" is not Anna's."""
    mine = _MINE.match(plain(event.what))
    if mine is None:
        return False
    owners = re.findall(rf"([\w-]+)'s (?:\w+ )?{re.escape(mine['what'])}\b", plain(text))
    return bool(owners) and birthday.USER not in owners


def _placed(
    span: Span, text: str, event: Anchor, *, told_at: datetime, now: datetime, zone: tzinfo
) -> Stretch | None:
    """The event's stretch; None if the time is that of another one, or if no calendar has it."""
    try:
        if _YEARLY.isdisjoint(terms(event.what)):
            return _once(span, text, event, told_at, zone)
        return _every_year(span, event, now, zone)
    except (ValueError, OverflowError, LookupError, StopIteration):
        return None


def _once(span: Span, text: str, event: Anchor, told_at: datetime, zone: tzinfo) -> Stretch | None:
    """What happened once, unless the question means another year."""
    ahead = _AHEAD.search(text) is not None and not _PAST.search(_STATE.sub(" ", text))
    if span.recurring is not None and event.within is not None:
        yearly_one = _every_year(span, event, told_at, zone)
        return yearly_one and replace(yearly_one, planned=ahead)
    known = span if span.recurring is None else _told(span, ahead, told_at, zone)
    found = stretch(known, event.phrase, zone)
    found = replace(found, planned=ahead and found.end > told_at)
    within = event.within
    return found if within is None or (found.start < within.end and within.start < found.end) else None


def _every_year(span: Span, event: Anchor, now: datetime, zone: tzinfo) -> Stretch | None:
    """What comes every year, in the stretch that is meant or the last one; a year alone says nothing of it."""
    if span.precision not in (Precision.DAY, Precision.MONTH):
        return None
    lately = Stretch(start=now - _YEAR, end=now, phrase=event.phrase, precision=Precision.YEAR, certain=False)
    day = span.first.day if span.precision is Precision.DAY else None
    return replace(yearly(span.first.month, day, event.within or lately, zone=zone), phrase=event.phrase)


def _told(span: Span, ahead: bool, told_at: datetime, zone: tzinfo) -> Span:
    """A time without its year, by when it was told."""
    what = span.recurring
    assert what is not None
    wall = told_at.astimezone(zone).replace(tzinfo=None)
    if ahead:
        return recurring.coming(what, midnight(wall) - timedelta(microseconds=1))
    return replace(recurring.latest(what, wall), certain=False, recurring=None)
