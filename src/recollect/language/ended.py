"""An end: a statement that something is over, and which known fact it ends.

"User gave up smoking" ends "User smokes", "User stopped taking sertraline" ends "User takes 50 mg sertraline daily".
It is clear only where both tell of the same person, the same deed and the same thing, and where what stands behind the
thing is known to leave it whole: when it ended, why, how often it was done. Everything else ("on weekends", "for Lent",
"for headaches", another dose, a day that is to come) may be the end of a part, and somebody has to look: a fact that is
wrongly ended costs more than a stale one. The other way round the same words take a thing up again. It knows no store and
decides nothing (`curation`, `pinning`). Likeness of vectors was rejected: what begins and what ends are neighbours in
every model.
"""

import calendar
import re
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from enum import Enum
from functools import lru_cache

from recollect.language.health_statement import DRUG
from recollect.language.judge.dated import dated
from recollect.language.pattern import Pattern
from recollect.language.phrasing import verbs
from recollect.language.sign import any_of, signs
from recollect.language.subject_words import KIN
from recollect.language.terms import terms


class Bearing(Enum):
    """What one statement means for another."""

    NONE = 0
    #: It may be over, or a part of it.
    POSSIBLE = 1
    CLEAR = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class _Deed:
    """Who does what, and what follows that."""

    who: str
    #: The stem of the verb; empty where only the thing is named ("quit tennis").
    verb: str
    what: frozenset[str]
    #: Whether it says how much of it ("50 mg", "a lot of").
    measured: bool
    #: Behind the thing: with whom, how often, since when.
    rest: str
    #: Of an end: it says how things are ("no longer takes"), not what happened ("stopped taking").
    state: bool = False


# -- the words of an end -----------------------------------------------------------------------------------

#: The user or one of the family. Nobody else, and no word between that could be a verb: "User's friend said User stopped".
_WHO = rf"^(?P<who>User(?:'s (?:(?!{KIN}\b)[a-z-]+ ){{0,2}}?{KIN}\b(?: [A-Z][\w-]+)?)?)"
_LIGHTLY = r"(?:(?:has|have|just|recently|finally|also|now|completely|already|officially) )*"
#: Who prescribes a medicine may also end it.
_PRESCRIBER = r"User's (?:doctor|gp|physician|psychiatrist|specialist|nurse|[a-z]+ologist)"
#: Every end as the words that say so, and what is over behind them. "Dropped", "ceased" and "done with" are left out: they
#: are said of floors, jokes and today as often.
_ENDS = (
    Pattern(
        rf"^{_PRESCRIBER} {_LIGHTLY}(?:took|taken|weaned) (?P<who>User|User's [\w-]+) off (?:of )?(?P<off>.+)$"
    ),
    Pattern(rf"{_WHO} (?P<state>(?:is |are )?no longer) (?P<what>.+)$"),
    Pattern(rf"{_WHO} {_LIGHTLY}(?:quit|gave up|given up) (?!on\b|to\b)(?P<what>.+)$"),
    Pattern(rf"{_WHO} {_LIGHTLY}(?:stopped|discontinued) (?P<what>\w+ing\b.*|(?P<medicine>.+))$"),
    Pattern(
        rf"{_WHO} {_LIGHTLY}(?:(?P<state>is|are|been)|came|come|went|gone|got|was taken|been taken|weaned|tapered) {_LIGHTLY}off (?:of )?(?P<off>.+)$"
    ),
)
#: At least one of these is in whatever tells an end.
SIGNS = signs("no longer|stopped|quit|gave up|given up|discontinued| off ")
_END_SIGN = any_of(SIGNS)
_OFTEN = r"(?:(?:just|also|now|all|both|still|currently|regularly|often|usually|always|mostly) )*"
_DOES = Pattern(
    rf"{_WHO} {_OFTEN}(?:(?:is|are|has been|have been) {_OFTEN}(?P<doing>\w+ing|on)|(?P<does>[a-z]+))(?: (?P<what>.+))?$"
)
_MEDICINE = Pattern(rf"\b{DRUG}\b", re.IGNORECASE)
_ALIKE = {
    "goes": "go", "going": "go", "does": "do", "doing": "do", "having": "have", "has": "have", "on": "take",
    "practicing": "practis",
}  # fmt: skip
#: What one does with a thing that one can quit by its name alone. Not "use": who quits a program may have closed it.
_PRACTISED = frozenset(
    ("go", "do", *terms("play practise practice train take inject drink eat smoke vape chew attend learn study sing dance"))
)  # fmt: skip
#: No deeds: nothing of them ends with a thing.
_NO_DEED = frozenset(
    "is are was were will would wants want hopes plans thinks used can cannot said needs".split()
)

# -- what stands behind the thing --------------------------------------------------------------------------

_WORD = Pattern(r"[\w'-]+")
#: Where the thing ends and its circumstances begin.
_CIRCUMSTANCE = frozenset(
    """with on at in every each for since because instead from by until till daily weekly monthly twice once as after before
    during when while most again regularly these who which named called due last this next around about together
    completely altogether entirely now anymore yesterday today tomorrow tonight recently already finally forever then over
    without to against but so if than""".split()
)
#: How much of it; a number alone is part of the thing ("two cats").
_AMOUNT = Pattern(
    r"\b(?:\d+(?:[.,]\d+)?|an?|one|two|three|four|five|six|seven|eight|nine|ten|half an?|several|a few|a couple of) ?(?:mg|mcg|g|ml|iu|units?|cups?|glass(?:es)?|bottles?|packs?|packets?|cigarettes?|pills?|tablets?|doses?|puffs?|lots?|bit)\b(?: of\b)?"
    r"|\b(?:lots of|some|much|many|any|more|less|fewer|enough|a little)\b",
    re.IGNORECASE,
)
_UNIT = r"(?:day|week|weekend|month|year|morning|afternoon|evening|night|noon|lunch|spring|summer|autumn|fall|winter|\w+day)s?"
_MONTH = rf"(?:{'|'.join(calendar.month_name[1:])})"
#: A day, a week, a month, a season or a year by its name, as the judge writes them (`judge/dated`).
_DATED = Pattern(
    rf"\b(?:(?:the (?P<week>week|weekend) of )?(?:(?P<day>\d{{1,2}}) )?(?P<month>{_MONTH})(?: (?P<of>\d{{4}}))?|(?:the (?P<season>spring|summer|autumn|fall|winter) of )?(?P<year>(?:19|20)\d\d))\b"
)
#: Again and again, or at some hours.
_SOMETIMES = Pattern(
    rf"\b(?:(?:every|each|most|per|on|at|in)(?: \w+)? {_UNIT}|an? {_UNIT}|daily|weekly|monthly|(?:once|twice|\w+ times)(?: daily)?|regularly|often)\b",
    re.IGNORECASE,
)
#: What may stand behind a known deed that ends as a whole: how often, since when, with whom, and a name. A purpose may
#: not: "metformin for diabetes" tells of an illness, too.
_HABIT = Pattern(
    rf"(?:,? (?:{_SOMETIMES.pattern}|since {_DATED.pattern}|for (?:\w+ )?years|now|currently|these days|(?:named|called) [A-Z][\w'-]*|with (?:User's [\w-]+|[A-Z][\w'-]+)))*$"
)
#: What may stand behind an end that leaves it whole, but for its reason: nothing, that it is for good, since when, and when.
#: Of a state ("no longer takes it this month") a time would be how long it holds.
_WHOLE = Pattern(
    rf"(?:now|anymore|recently|already|finally|forever|for good|completely|altogether|entirely|since {_DATED.pattern})?$"
)
_HAPPENED = Pattern(rf"(?:in|on|around) (?:early |late )?{_DATED.pattern}$")
_REASON = Pattern(r",? ?\b(?:because|due to)\b")
#: What is limited, joined, denied or uncertain has no clear end and tells none.
_LIMITED = Pattern(
    r"\b(?:and|or|but|not|never|only|except|unless|if|sometimes|almost|nearly|then|again|either|both|other|another|until|till|while|than|used to|for now|supposedly|apparently|maybe|perhaps)\b|n't\b|[\"?;:]",
    re.IGNORECASE,
)


def bearing(new: str, old: str, *, known_since: date | None = None, said_on: date | None = None) -> Bearing:
    """What a new statement means for a known one: that it is over, or that it goes on again.

    Without the day on which it was said an end that names a time is never clear.
    """
    if said_on is not None:
        new = dated(new, datetime.combine(said_on, time(12), UTC), UTC)
    new, old = _plain(new), _plain(old)
    ends = _ended(new)
    end, said, other = (ends, new, old) if ends is not None else (_ended(old), old, new)
    deed = _deed(other := other.replace(" again", ""))
    if end is None or deed is None:
        return Bearing.NONE
    found = _compared(end, deed)
    in_time = ends is None or _is_in_time(ends.rest, known_since, said_on)
    clear = in_time and not _is_limited(said) and _LIMITED.search(other) is None
    return Bearing.POSSIBLE if found is Bearing.CLEAR and not clear else found


#: That it goes on, or did: "started again", "am back on it", "I still take it", "I take it with food now".
_AGAIN = Pattern(
    r"\b(?:(?:re)?start(?:ed|ing)?|began|begun|took (?:it|them|that) up|taken (?:it|them|that) up|picked (?:it|them|that) (?:back )?up|am|is|are|'m|'s|went|gone|going|go|takes?|uses?|does?)"
    r"(?: \w+){0,3}? (?:again|back (?:on|to) \w+)\b|\bback (?:on|to) (?:it|them)\b|\b(?:resumed|relapsed|restarted)\b"
    r"|\b(?:i|we|he|she|still) (?:(?:still|now|only|just) )?(?:takes?|uses?|plays?|smokes?|drinks?|has|have|does?) (?:it|them)\b(?! any)",
    re.IGNORECASE,
)
#: A pause, told behind the end in one sentence: "I stopped taking warfarin because I have surgery next week".
_PAUSE = Pattern(
    r"\b(?:stopped|quit|gave up|given up|no longer|any ?more|off)\b[^.!?\n]{0,80}?(?:\b(?:for now|for the time being|temporarily|(?:just|only|at least) (?:for|on|at|in|until|till)|for an? (?:while|bit|few))\b"
    rf"|\b{DRUG}\b[^.!?\n]{{0,40}}?\b(?:because|since|as|so|due to)\b[^.!?\n]{{0,40}}?\b(?:surgery|operation|procedure|colonoscopy|biopsy|scan|tests?|fasting|pregnan\w+|tomorrow|next)\b)"
    r"|\btemporarily (?:stopped|quit|gave up|off)\b",
    re.IGNORECASE,
)


def taken_up_again(text: str) -> bool:
    """Whether words beside an end take it back, now or soon: "but I started again", "just for now"."""
    return _AGAIN.search(text) is not None or _PAUSE.search(text) is not None


def may_bear(text: str) -> bool:
    """Whether a statement can end something, or tell that it goes on."""
    plain = _plain(text)
    return _ended(plain) is not None or _deed(plain) is not None


def tells_end(text: str) -> bool:
    """Whether a statement says that something is over."""
    return _ended(_plain(text)) is not None


def tells_end_at_times(text: str) -> bool:
    """Whether a statement says that something is no longer done on some days or at some hours: else it goes on."""
    end = _ended(_plain(text))
    return end is not None and end.state and _SOMETIMES.search(end.rest) is not None


# -- medicines and illnesses -------------------------------------------------------------------------------

#: What somebody does with a medicine.
_TREATED = frozenset(terms("take use inject"))


def tells_end_of_care(text: str) -> bool:
    """Whether a statement says that somebody no longer takes a medicine, or has an illness, at all."""
    plain = _plain(text)
    end = _ended(plain)
    if end is None or not end.what or end.measured or _is_limited(plain) or not _is_whole(end):
        return False
    if end.verb == "have":
        # A medicine that somebody no longer has is used up, not stopped.
        return _MEDICINE.search(plain) is None
    return end.verb in (*_TREATED, "")


def ends_care(new: str, old: str, *, known_since: date, said_on: date) -> Bearing:
    """What a statement means for a pinned medicine or illness: it is over, or it may be and is told beside it."""
    end = _ended(_plain(new)) if tells_end_of_care(new) else None
    if end is None:
        return Bearing.NONE
    if bearing(new, old, known_since=known_since, said_on=said_on) is Bearing.CLEAR:
        return Bearing.CLEAR
    beside = end.what <= set(terms(old)) and _is_in_time(end.rest, None, said_on)
    return Bearing.POSSIBLE if beside else Bearing.NONE


# -- comparing ---------------------------------------------------------------------------------------------


def _plain(text: str) -> str:
    return " ".join(text.replace("\u2019", "'").split()).rstrip(" .!")


def _is_limited(end: str) -> bool:
    return _LIMITED.search(end) is not None or _PAUSE.search(end) is not None


def _compared(end: _Deed, known: _Deed) -> Bearing:
    if end.who != known.who:
        return Bearing.NONE
    if end.verb != known.verb and (end.verb or known.verb not in _PRACTISED):
        return Bearing.NONE
    if end.what != known.what:
        return Bearing.POSSIBLE if end.what & known.what else Bearing.NONE
    # "No longer pays for Netflix": the thing is behind a word of circumstance, in both.
    same = not end.what and end.rest == known.rest and not _SOMETIMES.search(end.rest)
    whole = not end.measured and _is_whole(end) and _is_habit(known)
    return Bearing.CLEAR if same or whole else Bearing.POSSIBLE


def _is_whole(end: _Deed) -> bool:
    """Whether nothing behind an end says that it is one of a part, or for a while."""
    when, _ = _parted(end.rest)
    return _WHOLE.match(when) is not None or (not end.state and _HAPPENED.match(when) is not None)


def _parted(rest: str) -> tuple[str, str]:
    """When, and why."""
    reason = _REASON.search(rest)
    return (rest, "") if reason is None else (rest[: reason.start()], rest[reason.end() :])


def _is_habit(known: _Deed) -> bool:
    """Whether what stands behind a deed ends with it; of a medicine or an illness "with" names another one."""
    if known.verb in (*_TREATED, "have") and "with " in known.rest:
        return False
    return _HABIT.match(f" {known.rest}".rstrip()) is not None


# -- reading -----------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def _ended(text: str) -> _Deed | None:
    """The deed that a statement says to be over."""
    if _END_SIGN.search(text) is None:
        return None
    for pattern in _ENDS:
        if (match := pattern.match(text)) is not None:
            return _end_of(match.groupdict())
    return None


def _end_of(said: dict[str, str | None]) -> _Deed | None:
    who, state = _person(said["who"] or ""), bool(said.get("state"))
    medicine = said.get("off") or said.get("medicine")
    if medicine is not None:
        # "Off the bus", "stopped the music": only of a medicine does it say what is no longer done.
        return _of(who, "take", medicine, state=state) if _MEDICINE.search(medicine) else None
    what = (said.get("what") or "").replace(",", " ,")
    first, _, rest = what.partition(" ")
    if not state and not verbs.is_gerund(first):
        end = _of(who, "", what)
        return end if end.what else None
    if first == "on" and not _MEDICINE.search(rest):
        return None
    return _of(who, _stem(first), rest, state=state) if first != "be" else None


@lru_cache(maxsize=512)
def _deed(text: str) -> _Deed | None:
    """What a statement says that somebody does now."""
    match = _DOES.match(text)
    if match is None or _ended(text) is not None:
        return None
    verb, what = match["doing"] or match["does"], match["what"] or ""
    if verb in _NO_DEED or (match["does"] and not verbs.is_inflected(verb)) or verbs.is_past(verb):
        return None
    if verb == "on" and not _MEDICINE.search(what):
        return None
    first, _, rest = what.partition(" ")
    if verb in ("goes", "going") and verbs.is_gerund(first):
        # "Goes running" is "runs".
        verb, what = first, rest
    return _of(_person(match["who"]), _stem(verb), what)


#: Circumstances of two words: "three times", "a day", "two years ago".
_HOW_OFTEN = Pattern(rf"\w+ times\b|an? {_UNIT}\b|(?:\w+|a couple of) (?:day|week|month|year)s? ago\b")
#: Behind "in", "on" and "at": a time and no thing.
_WHEN = Pattern(rf"(?:in|on|at) (?:the |early |late )?(?:{_UNIT}\b|end\b|{_MONTH}\b|\d)", re.IGNORECASE)


def _of(who: str, verb: str, said: str, *, state: bool = False) -> _Deed:
    """A deed with its thing apart from the circumstances."""
    words = list(_WORD.finditer(said))
    placed = (
        bool(words) and words[0].group().lower() in ("to", "in", "at", "on") and _WHEN.match(said) is None
    )
    words = words[1:] if placed else words
    circumstances = (
        word.start()
        for word in words
        if word.group().lower() in _CIRCUMSTANCE or _HOW_OFTEN.match(said[word.start() :])
    )
    end = next(circumstances, len(said))
    thing = said[words[0].start() : end].replace("User's ", "") if words else ""
    return _Deed(
        who=who,
        verb=verb,
        what=frozenset(terms(_AMOUNT.sub(" ", thing))),
        measured=_AMOUNT.search(thing) is not None,
        rest=said[end:].strip(" ,"),
        state=state,
    )


_SAME_PERSON = {
    "dad": "father", "daddy": "father", "mom": "mother", "mum": "mother", "mommy": "mother", "mummy": "mother",
}  # fmt: skip


def _person(who: str) -> str:
    return " ".join(_SAME_PERSON.get(word, word) for word in who.lower().split())


def _stem(verb: str) -> str:
    verb = verb.lower()
    return _ALIKE.get(verb) or next(iter(terms(verb)), verb)


# -- times -------------------------------------------------------------------------------------------------

#: The month in which a season begins; each has three, as the judge writes them (`judge/dated`).
_SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}


def _is_in_time(rest: str, known_since: date | None, said_on: date | None) -> bool:
    """Whether an end lies neither before the fact was told, for then it went on since, nor ahead."""
    if said_on is None:
        return _DATED.search(rest) is None
    when, why = _parted(rest)
    for part, since in ((when, known_since), (why, None)):
        for match in _DATED.finditer(part):
            first, last = _period(match.groupdict(), said_on)
            if first > said_on or (since is not None and last < since):
                return False
    return True


def _period(said: dict[str, str | None], said_on: date) -> tuple[date, date]:
    """The first and the last day of a time that is named; a month without its year is this year's."""
    year = int(said["year"] or said["of"] or said_on.year)
    try:
        if said["day"] and said["month"]:
            first = date(year, list(calendar.month_name).index(said["month"]), int(said["day"]))
            # Nobody knows to the day when something ended; what is told of this week may hold for this week only.
            last = first + timedelta(days=6)
            return (last if said["week"] else first), last
        if said["month"]:
            return _months(year, list(calendar.month_name).index(said["month"]), 1)
        return _months(year, _SEASONS[said["season"]], 3) if said["season"] else _months(year, 1, 12)
    except (OverflowError, ValueError):
        # No such day in any calendar.
        return date.max, date.max


def _months(year: int, month: int, count: int) -> tuple[date, date]:
    beyond = year * 12 + month - 1 + count
    return date(year, month, 1), date(beyond // 12, beyond % 12 + 1, 1) - timedelta(days=1)
