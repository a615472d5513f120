"""A deed that the user tells as done, and the todo that it fulfils: "I renewed my passport" closes "renew my passport".

A promise that is forgotten costs more than one line too many, so everything must fit. The message is nothing but plain
statements of deeds, each word of which is known here or stands in the todo: whatever doubts, jokes, asks, quotes or goes on
cannot fit. Verb and thing are the same words in the same order; only articles, "my" and words of time may differ. Each deed
fulfils exactly one todo that was told before, or none of them counts: "I called the dentist and got voicemail" tells two
deeds. What a deed is likely to mean was rejected as a measure: most of what is likely is not sure. It closes nothing itself.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from recollect.language.confidential import asks_not_to_keep
from recollect.language.judge.game import Game
from recollect.language.judge.lexicon import MONTH, WEEKDAY
from recollect.language.pattern import Pattern
from recollect.language.sign import plain
from recollect.language.spelling import one_spelling
from recollect.records.message import Message, Role
from recollect.records.todo import Todo, TodoKind, TodoStatus, told_at

#: Characters of a message that tells deeds and nothing else, and of a todo that it can name word for word.
_LONGEST = 240
_HOUR = timedelta(hours=1)
_DAY = timedelta(days=1)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deed:
    """One thing that was done."""

    #: As it was said: "renewed".
    verb: str
    #: The words of the thing, in order.
    what: tuple[str, ...]
    #: How long ago it may have been.
    age: timedelta = timedelta()
    #: Whether it says that it is over: "I read the report" alone may tell a habit.
    over: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldDeeds:
    """What messages of the user say about deeds."""

    #: When it was said, and the deeds of that message.
    done: tuple[tuple[datetime, tuple[Deed, ...]], ...] = ()
    #: When something was said that no longer counts: whatever it closed is open.
    undone: tuple[datetime, ...] = ()


_SUBJECT = r"(?:(?:finally|today),? )?(?P<who>(?:i|we)(?: have|'ve)? )"
_LIGHT = r"(?P<light>(?:(?:just|finally|already|also|now) )*)"
#: What may stand before it and says nothing of its own.
_LEAD = Pattern(
    r"(?:(?:ok(?:ay)?|hi|hey|hello|yes|yep|so|oh|also|btw|by the way|fyi|(?:good|great) news|(?:quick )?update|done|thanks|thank you"
    r"|just so you know)\s*(?:[,:!\u2013\u2014-]\s*| ))*"
)
_STATED = Pattern(rf"{_SUBJECT}{_LIGHT}(?P<verb>[a-z]+) (?P<what>.+)")
#: Without a subject, where a word in front shows that it is told as done.
_SAID_SHORT = Pattern(r"(?P<light>(?:just|finally) )(?P<verb>[a-z]+) (?P<what>.+)")
_BEHIND_DONE = Pattern(r"(?P<light>)(?P<verb>[a-z]+) (?P<what>.+)")
_JOINED = Pattern(rf"{_SUBJECT}?{_LIGHT}(?P<verb>[a-z]+) (?P<what>.+)")
#: Sentences beside it that say nothing of their own.
_ASIDE = Pattern(
    r"(?:ok(?:ay)?|hi|hey|hello|yes|yep|(?:all )?done|finally|phew|yay|(?:good|great) news|thanks?|thank you)(?: (?:there|so much|again))?"
)
#: How long ago, in hours: a deed that may be older than its todo does not fulfil it.
_AGES = {
    "today": 0, "tonight": 0, "now": 0, "just now": 0, "already": 0, "finally": 0, "at last": 0, "this morning": 12, "this afternoon": 6,
    "this evening": 6, "last night": 24, "yesterday": 24,
}  # fmt: skip
_BEHIND = Pattern(rf",? (?:(?P<age>{'|'.join(_AGES)})|on (?P<day>{WEEKDAY}))$")
_DAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
#: Where another deed may begin.
_AND = Pattern(r",? and (?:then )?")
_BEFORE_VERB = frozenset("i we i've we've have just finally already also now".split())
#: A full stop here ends no sentence.
_TITLE = Pattern(r"\b(?P<title>dr|mr|mrs|ms|prof|st)\.")
_ENDS = Pattern(r"(?<=[.!\n])\s+|\n+")
_CHEERS = Pattern("[\U0001f389\U0001f38a\u2705\u2714\U0001f44d\U0001f64c\U0001f4aa\U0001f60a\ufe0f]+")

_IRREGULAR = {
    "bring": "brought", "build": "built", "buy": "bought", "catch": "caught", "choose": "chose chosen", "cut": "cut", "do": "did done",
    "draw": "drew drawn", "drive": "drove driven", "eat": "ate eaten", "feed": "fed", "find": "found", "fly": "flew flown",
    "get": "got gotten", "give": "gave given", "go": "went gone", "hang": "hung", "have": "had", "hold": "held", "keep": "kept",
    "leave": "left", "lend": "lent", "make": "made", "meet": "met", "pay": "paid", "put": "put", "read": "read", "ring": "rang rung",
    "run": "ran run", "see": "saw seen", "sell": "sold", "send": "sent", "set": "set", "shut": "shut", "sing": "sang sung",
    "speak": "spoke spoken", "spend": "spent", "sweep": "swept", "swim": "swam swum", "take": "took taken", "teach": "taught",
    "tell": "told", "think": "thought", "throw": "threw thrown", "wake": "woke woken", "wear": "wore worn", "win": "won", "write": "wrote written",
}  # fmt: skip
_PASTS = frozenset(past for forms in _IRREGULAR.values() for past in forms.split())

#: How a todo of the user begins in the third person.
_TO_DO = Pattern(
    rf"(?P<when>(?:tomorrow|today|tonight|(?:on|this|next) {WEEKDAY}|(?:this|next) (?:week|weekend|month))(?: (?:morning|afternoon|evening))?,? )?"
    r"(?:user(?: and others)?|i|we) (?:(?:still|also|really|just|definitely) )*(?:needs? to|ha(?:s|ve) to|must|will|shall|should"
    r"|(?:is|am|are) (?:going|planning|supposed|due) to|plans? to|wants? to|intends? to|agreed to"
    r"|(?:has )?promise[ds](?: [\w']+){0,3}? to|(?:has )?promise[ds](?: [\w']+){0,3}?(?: that)? (?:user|i) (?:will|would)) "
)
_OF_MONTH = rf"(?:{MONTH}(?: \d{{1,2}}(?:st|nd|rd|th)?)?|(?:the )?\d{{1,2}}(?:st|nd|rd|th)?(?: (?:of )?{MONTH})?)(?:,? 20\d\d)?"
_PART = r"(?:morning|afternoon|evening|night)"
_MOMENT = (
    rf"(?:(?:(?:on|by|before|in|this|next|coming) )*(?:the )?{WEEKDAY}(?: {_PART})?|(?:on|by|before|in) {_OF_MONTH}|(?:on|by|before) 20\d\d-\d\d-\d\d"
    rf"|(?:by |before )?(?:tomorrow(?: {_PART})?|tonight|today|noon|midnight)|(?:first thing )?(?:in |by )?(?:the |this ){_PART}"
    r"|(?:at|by|around|before) \d{1,2}(?::\d\d)?(?: ?[ap]m)?|at (?:noon|midnight|night|lunch)"
    r"|(?:by |at |before )?(?:the )?end of (?:the |this |next )?(?:day|week|month|year)|(?:by |before |on |over )?(?:this|next|the) (?:weekend|week|month|year)"
    r"|(?:with)?in (?:an?|two|three|four|five|six|seven|\d+|a few|a couple of) (?:hours?|days?|weeks?|months?)"
    r"|before (?:(?:the|an?|my|our|user's|next) )*[\w']+(?: [\w']+)?|asap|as soon as possible|soon)"
)
#: When it is to be done, at the end of a todo: "by Friday", "tomorrow at 3pm".
_WHEN = Pattern(rf"(?:,? {_MOMENT})+$")
#: Until then, and not on that day: done early is done.
_UNTIL = Pattern(
    r",? (?:by|before|within|asap|as soon as possible|soon|today|(?:the )?end of|this (?:week|month|year))\b"
)
#: So long before the end of a day that is named, and before an hour, a deed may be what was meant.
_ON_A_DAY, _AT_AN_HOUR = _DAY, 6 * _HOUR
_PART_OF_DAY = Pattern(rf"\b(?:tonight|{_PART}|noon|midnight|at \d)\b")

_SAYING_NOTHING = frozenset("the my our user's".split())
#: "I called a dentist" is not to say that it was the one.
_ANY = "a"
#: Who or what is meant only the talk knows.
_POINTING = frozenset(
    """it its them that this these those him her his their theirs they he she there one ones you your yours mine same
    thing things something everything anything stuff""".split()
)
_WORDS = Pattern(r"[\w',.&+#@/%$-]+(?: [\w',.&+#@/%$-]+)*")

#: Said right after something that is not to count; too many of them only leave a todo open.
_TAKEN_BACK = Pattern(
    r"(?:(?:oh|ah|no|nope|ok(?:ay)?|sorry|oops|whoops|wait|hold on|haha\w*|lol|hm+|well|actually|but|and|just|only|i was|i'm|i am|that was)[,.!:; \u2026-]+)*"
    r"(?:kidding\b|joking\b|jk\b|a joke\b|not really\b|not true\b|not yet\b|that'?s (?:not true|wrong|a lie)\b|april fools?\b|(?:by|my) mistake\b"
    r"|i (?:lied|take (?:it|that) back|made (?:it|that) up|didn't|did not|haven't|have not|meant|was wrong)\b|never ?mind\b"
    r"|(?:scratch|strike|ignore|forget) (?:that|it|this|my|what)\b|wrong (?:chat|window|person|thread)\b)"
)


# -- what is told ---------------------------------------------------------------------------------------------


def told_deeds(earlier: Sequence[Message], said: Sequence[Message], *, edited: bool = False) -> ToldDeeds:
    """What new messages of the user tell as done and take back, after those before them; `edited`: their words are new."""
    before = next((item for item in reversed(earlier) if item.role is Role.USER), None)
    undone = {message.created_at for message in said} if edited else set[datetime]()
    found: dict[str, tuple[datetime, tuple[Deed, ...]]] = {}
    for message in said:
        if before is not None and takes_back(message.text):
            undone.add(before.created_at)
            found.pop(before.message_id, None)
        elif told := deeds(message.text, at=message.created_at):
            found[message.message_id] = (message.created_at, told)
        before = message
    for message_id in _not_in_earnest(earlier, said) if found else ():
        found.pop(message_id, None)
    return ToldDeeds(done=tuple(found.values()), undone=tuple(undone))


def _not_in_earnest(earlier: Iterable[Message], said: Iterable[Message]) -> Iterator[str]:
    """Messages that are part of a game, and those that the user asks not to keep."""
    game = Game()
    for message in earlier:
        if message.role is Role.USER:
            game.goes_on(message.text)
    for message in said:
        if game.goes_on(message.text) or asks_not_to_keep(message.text):
            yield message.message_id


def takes_back(text: str) -> bool:
    """Whether a message says that the one before it was not meant: "Just kidding!", "No wait, I didn't"."""
    return len(text) <= _LONGEST and _TAKEN_BACK.match(plain(text.strip())) is not None


def deeds(text: str, *, at: datetime) -> tuple[Deed, ...]:
    """What a message of the user, said at a moment, tells as done; nothing, if it says anything else."""
    if len(text) > _LONGEST or ".." in text:
        # Three full stops leave something unsaid.
        return ()
    low = _TITLE.sub(r"\g<title>", _CHEERS.sub("", one_spelling(plain(text))))
    found: list[Deed] = []
    for piece in filter(None, map(str.strip, _ENDS.compiled().split(low.strip()))):
        sentence = " ".join(piece.rstrip("!").removesuffix(".").split())
        if _ASIDE.fullmatch(sentence):
            continue
        stated = _stated(sentence, at)
        if not stated:
            return ()
        found += stated
    return tuple(found)


def _stated(sentence: str, at: datetime) -> list[Deed]:
    """The deeds that a sentence consists of; none, if one of its parts is no deed."""
    lead = _LEAD.match(sentence)
    own = sentence[lead.end() :] if lead else sentence
    short = (
        _BEHIND_DONE if lead and lead.group().rstrip(" ,:!-\u2013\u2014").endswith("done") else _SAID_SHORT
    )
    found: list[Deed] = []
    for place, part in enumerate(_parts(own)):
        match = _JOINED.fullmatch(part) if place else _STATED.fullmatch(part) or short.fullmatch(part)
        if match is None:
            return []
        found.append(_deed(match, at))
    return found


def _parts(sentence: str) -> list[str]:
    """The sentence, taken apart where an "and" goes on with another deed."""
    parts: list[str] = []
    start = 0
    for gap in _AND.finditer(sentence):
        words = sentence[gap.end() :].split(" ")
        verb = next((word for word in words if word not in _BEFORE_VERB), "")
        if verb in _PASTS or verb.endswith("ed"):
            parts.append(sentence[start : gap.start()])
            start = gap.end()
    return [*parts, sentence[start:]]


def _deed(match: re.Match[str], at: datetime) -> Deed:
    what, age = match["what"], timedelta()
    over = bool(match["light"]) or "ve" in (match.groupdict().get("who") or "")
    while behind := _BEHIND.search(what):
        what, over = what[: behind.start()], True
        age = max(
            age, _days_since(behind["day"], at) * _DAY if behind["day"] else _AGES[behind["age"]] * _HOUR
        )
    return Deed(verb=match["verb"], what=_thing(what), age=age, over=over)


def _days_since(day: str, at: datetime) -> int:
    """Days to the last such day of the week; to the one before, if it is today."""
    return (at.weekday() - _DAYS.index(day)) % 7 or 7


# -- what it fulfils ------------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True, kw_only=True)
class _Wanted:
    """What a todo wants done."""

    verb: str
    what: tuple[str, ...]
    #: Not before this moment; None: whenever.
    since: datetime | None = None


def fulfilled(told: Sequence[Deed], todos: Iterable[Todo], *, at: datetime) -> list[Todo]:
    """The open todos that the deeds of one message fulfil; none of them, if one is no todo's or could be two's."""
    wanted = [(todo, want) for todo in todos if (want := _wanted(todo)) is not None]
    found: dict[str, Todo] = {}
    for deed in told:
        meant = [todo for todo, want in wanted if _fits(deed, want, at) and told_at(todo) < at - deed.age]
        if len(meant) != 1:
            return []
        found[meant[0].todo_id] = meant[0]
    return list(found.values())


def _fits(deed: Deed, wanted: _Wanted, at: datetime) -> bool:
    one = tuple(word for word in wanted.what if word != _ANY)
    same = deed.what in (wanted.what, one) and deed.verb in _past_forms(wanted.verb)
    # "I read the news" may tell what is, and not what was.
    sure = deed.over or deed.verb != wanted.verb
    return same and sure and (wanted.since is None or wanted.since <= at - deed.age)


def _wanted(todo: Todo) -> _Wanted | None:
    """What a todo wants done; None when it is closed, goes on, or names no deed on a thing that is sure to be known."""
    goes_on = todo.kind in (TodoKind.HABIT, TodoKind.FRICTION)
    if todo.status is not TodoStatus.OPEN or goes_on or len(todo.text) > _LONGEST:
        return None
    text = " ".join(_TITLE.sub(r"\g<title>", one_spelling(plain(todo.text))).split()).strip(" .!")
    lead = _TO_DO.match(text)
    verb, _, rest = (text[lead.end() :] if lead else text).partition(" ")
    when = _WHEN.search(f" {rest}")
    what = _thing(f" {rest}"[: when.start()] if when else rest)
    if not verb.isalpha() or not {*what} - {_ANY} or not _POINTING.isdisjoint(what):
        return None
    first, last = (lead["when"] or "" if lead else ""), (when.group() if when else "")
    if not first and (_UNTIL.match(last) or (not last and todo.due_at is None)):
        return _Wanted(verb=verb, what=what)
    if todo.due_at is None:
        # On a day that nobody has read.
        return None
    # An hour is due at that hour, a day at its last second.
    hour = todo.due_at.second != 59 or _PART_OF_DAY.search(first + last) is not None
    return _Wanted(verb=verb, what=what, since=todo.due_at - (_AT_AN_HOUR if hour else _ON_A_DAY))


def _past_forms(verb: str) -> frozenset[str]:
    """How a verb may be spelled in the past."""
    if verb in _IRREGULAR:
        return frozenset(_IRREGULAR[verb].split())
    if verb.endswith("e"):
        return frozenset((f"{verb}d",))
    if verb.endswith("y") and verb[-2:-1] not in "aeiou":
        return frozenset((f"{verb[:-1]}ied",))
    return frozenset((f"{verb}ed", f"{verb}{verb[-1:]}ed"))


def _thing(text: str) -> tuple[str, ...]:
    """The words of a thing in order, without "the" and "my"; none, if there are signs between them."""
    text = text.strip()
    words = (word.strip(",.") for word in text.split(" ") if _WORDS.fullmatch(text))
    words = (_ANY if word == "an" else word for word in words)
    return tuple(word for word in words if word and word not in _SAYING_NOTHING)
