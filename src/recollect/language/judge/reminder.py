"""Reminders: "remind me tomorrow to pay the rent", "don't forget to ...", "todo: ..." and the lists that follow them.

Reads a clause and what belongs to it in its sentence. When it is to be remembered may stand before the deed or in it; what
is to be remembered again and again is a habit. Each deed of a list is a todo of its own; where that is not certain one
todo has all the words. It does not know what somebody promises: that is `commitment`'s.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, tzinfo

from recollect.language.judge.due import due, is_time, next_hour
from recollect.language.judge.errand import deeds
from recollect.language.judge.lexicon import NUMBER, WEEKDAY
from recollect.language.judge.wording import trimmed
from recollect.language.pattern import Pattern
from recollect.language.phrasing import verbs


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminder:
    """A deed to be reminded of."""

    text: str
    due_at: datetime | None
    #: Whether it returns: "every Monday".
    repeated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Reminders:
    """What a clause asks to be reminded of, and the words behind it that belong to it."""

    found: tuple[Reminder, ...]
    takes: str = ""


REPEATED = Pattern(
    r"\b(?:every|each) (?:single |other |second |third )?(?:day|morning|evening|night|week|month|weekday|weekend|afternoon|lunch|hour|year|quarter|\w+day|two|three|\d+ (?:minutes|hours|days|weeks|months|years))\b"
    rf"|\b(?:daily|weekly|nightly|monthly)\b(?! \w)|\b(?:{NUMBER}|once|twice|three|four|five) (?:times |days |nights |hours |minutes |pages )?(?:a|per|every|each) (?:day|week|month|night|morning)\b|\b(?:{WEEKDAY}|weekday|weekend|workday)s\b|\bbefore bed\b|\bno \w+ after \d",
    re.IGNORECASE,
)
_PLEASE = r"(?:(?:please|can you|could you|would you|pls|also|and) )*"
_WHEN = r"(?:,? (?P<when>[^?!]{2,60}?))??,? "
_REMIND = Pattern(
    rf"{_PLEASE}remind me(?: again)?{_WHEN}(?:to|that i (?:need|have) to) (?P<what>.+)", re.IGNORECASE
)
_REMIND_ABOUT = Pattern(
    rf"{_PLEASE}remind me(?: again)?{_WHEN}(?:about|of) (?P<what>(?!what|how|why|who|when|the (?:difference|formula|syntax|name)).+)",
    re.IGNORECASE,
)
_ANOTHER_WAY = Pattern(
    rf"{_PLEASE}(?:(?:don't let me forget|help me remember|i must not forget|i (?:must|need to|have to|should) remember) to "
    r"|(?:don't forget|remember|must remember) to (?!always|never|use|answer|reply|write|include|cite|add|be|keep|say|format|check your))(?P<what>.+)",
    re.IGNORECASE,
)
#: Under "todo" stands what is to be done. The others head things, too: "things to do: museums", "my todo list: a small app".
_HEADED = Pattern(
    r"(?:here (?:is|are) )?(?:(?P<sure>to-?do)|(?:(?:my|our|today's|tomorrow's) )?(?:to-?dos|to-? ?do(?: list)?|note to self|errands|chores|things (?:i|we) (?:need|have) to do|things to do)"
    r"|(?:my|our|today's|tomorrow's) (?:\w+ )?(?:list|tasks|plan))"
    r"(?P<when>(?: (?:for|on|today|tomorrow|tonight|this|next) ?[\w' ]{0,25})?)\s*:\s*(?P<what>(?!\s|(?:nothing|none|maybe|perhaps)\b).+)",
    re.IGNORECASE,
)
#: Without a colon "todo" is a word of other languages, too.
_BARE_HEAD = Pattern(r"(?:to-?do|note to self),? (?P<what>.+)", re.IGNORECASE)
_CUT_OFF = Pattern(rf"{_PLEASE}remind me\b", re.IGNORECASE)
#: A piece behind a comma that says something else.
_ALONE = Pattern(
    r"(?:(?:and|but|so|or|for|then) )*(?:i|i'm|we|he|she|it|it's|they|you|my|our|his|her|their|this|that|there|which|who|what|please|pls|thanks?|thank|thx|let"
    r"|can|could|should|would|do|does|is|are|how|why|when|where|if|unless|because|since|as|otherwise|else|before (?:i|we|he|she|it)|after (?:i|we|he|she|it)|ok(?:ay)?|will|not|no|yes|just|sorry|lol|urgent\w*|important\w*|asap)\b",
    re.IGNORECASE,
)
_LIST_END = Pattern(r"(?:and|or|&) |.+ (?:and|or|&) ", re.IGNORECASE)
#: Words of an item that is no deed, without and with an "and" at the end of the list.
_SHORT, _LONGER = 3, 6
_AGAIN = Pattern(r",? and (?P<when>[^,;]{3,40}?) to (?P<what>.+)", re.IGNORECASE)


def reminders(own: str, whole: str, *, said_at: datetime, zone: tzinfo) -> Reminders | None:
    """What a clause asks to be reminded of; `whole` is its sentence."""
    if (longer := _to_its_deed(own, whole)) is not None:
        found = reminders(longer, whole, said_at=said_at, zone=zone)
        taken = longer.removeprefix(own).strip(" ,")
        return found and Reminders(found=found.found, takes=f"{taken}, {found.takes}")
    match = _asking(own)
    if match is None:
        return None
    headed = match.re is _HEADED.compiled()
    when, what = (match.groupdict().get("when") or "").strip(), match["what"].strip()
    pieces = _behind(own, whole, headed=headed)
    words = trimmed(", ".join((what, *pieces)))
    made = _each(words, when, own, whole, said_at, zone, headed=headed)
    # "Todo" without a colon, and a heading of things as well, ask for deeds only.
    if not made and match.re is not _BARE_HEAD.compiled() and not (headed and not match["sure"]):
        made = (_reminder(words, when, (own, whole), said_at, zone),)
    return Reminders(found=made, takes=", ".join(pieces)) if made else None


def _asking(own: str) -> re.Match[str] | None:
    """How a clause asks for it, with a time before the deed or nothing."""
    for pattern in (_HEADED, _REMIND, _REMIND_ABOUT, _ANOTHER_WAY, _BARE_HEAD):
        match = pattern.match(own)
        if match is not None and _says_when((match.groupdict().get("when") or "").strip()):
            return match
    return None


def _to_its_deed(own: str, whole: str) -> str | None:
    """The clause as far as the deed, where the date before it has commas: "remind me on Monday, 4 May, to ..."."""
    if not _CUT_OFF.match(own) or _asking(own) is not None:
        return None
    at = whole.find(own)
    match = _REMIND.match(whole[at:]) if at >= 0 else None
    if match is None or not match["when"] or not _says_when(match["when"]):
        return None
    end = whole.find(", ", at + match.start("what"))
    longer = whole[at : end if end >= 0 else len(whole)]
    return longer if len(longer) > len(own) else None


def _says_when(words: str) -> bool:
    """Whether what stands before the deed is a time, or nothing."""
    rest = REPEATED.sub(" ", words).strip(" ,").removeprefix("for ").removeprefix("the ")
    return rest in ("", "on", "for", "week", "weekend") or is_time(rest)


def _behind(own: str, whole: str, *, headed: bool) -> Sequence[str]:
    """The pieces of the sentence behind a clause that go on with its list."""
    _, _, behind = whole.partition(own)
    found: list[str] = []
    for piece in filter(None, behind.strip(" ,").split(", ")):
        if _ALONE.match(piece):
            break
        found.append(piece)
    if headed or not found or deeds(", ".join(found), headed=False):
        return found
    longest = _LONGER if _LIST_END.match(found[-1]) else _SHORT
    return found if all(len(piece.split()) <= longest and _is_thing(piece) for piece in found) else ()


def _is_thing(piece: str) -> bool:
    """Whether a piece may be one more thing of a list: "eggs", but not "been putting it off"."""
    first = piece.partition(" ")[0].lower()
    return not (verbs.is_past(first) or verbs.is_gerund(first) or verbs.is_adverb(first))


def _each(
    words: str, when: str, own: str, whole: str, said_at: datetime, zone: tzinfo, *, headed: bool
) -> tuple[Reminder, ...]:
    """A reminder for each deed, if the words are deeds."""
    if (again := _AGAIN.search(words)) is not None and is_time(again["when"]):
        parts = ((words[: again.start()], when), (again["what"], again["when"]))
        return tuple(_reminder(what, at, (), said_at, zone) for what, at in parts)
    items = deeds(words, headed=headed)
    if len(items) == 1:
        return (_reminder(items[0], when, (own, whole), said_at, zone),)
    made = tuple(_reminder(item, when, (), said_at, zone) for item in items)
    # "Buy milk and call mum tomorrow": a day at the end is that of all.
    if made and not any(one.due_at or one.repeated for one in made[:-1]):
        return tuple(Reminder(text=one.text, due_at=made[-1].due_at, repeated=one.repeated) for one in made)
    return made


def _reminder(what: str, when: str, elsewhere: Sequence[str], said_at: datetime, zone: tzinfo) -> Reminder:
    """One deed; its day stands before it, in it, or elsewhere in its sentence."""
    text = trimmed(what)
    text = text[:1].upper() + text[1:]
    if REPEATED.search(when) or REPEATED.search(text):
        return Reminder(text=f"{text} {when}" if REPEATED.search(when) else text, due_at=None, repeated=True)
    for words in (when, text, *elsewhere):
        if (found := due(words, said_at=said_at, zone=zone, reminds=True)) is not None:
            return Reminder(text=text, due_at=found.at, repeated=False)
    return Reminder(text=text, due_at=next_hour(when, said_at=said_at, zone=zone), repeated=False)
