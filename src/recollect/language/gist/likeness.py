"""How two lines of a summary resemble each other: the same thing said twice, or one correcting the other.

Words decide, without vectors, as a fold must be cheap and the same every time. The subject of a line is its terms
without values; values are numbers, days and months. Lines with the same subject and other values contradict each
other when they tell how something is, not what happened on a day. A number that names its thing ("room 2", "my Monday
class") is no value: such things are siblings, and so are measurements of two days. In doubt both stay: two lines cost
room, one lost line costs a fact. `duplicate` decides the same for memories, which have an embedding and a key.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from recollect.language.categorise import categorise
from recollect.language.gist.line import Line, terms_of
from recollect.language.memory_key import derive
from recollect.language.terms import terms

#: Share of the smaller line's terms from which on two lines say the same.
_SAME = 0.8
#: Share of a line's terms from which on it says little that is new.
_NEAR = 0.5
#: Share of all terms of the subject from which on two lines have the same one.
_SAME_SUBJECT = 0.75
#: Share of the smaller subject that a line which says "actually" must take up to be about the other.
_ABOUT = 0.5
#: Terms that may be lost when the older line is replaced; with more it stays, followed by the newer.
_MAY_BE_LOST = 2

_VALUE_WORDS = frozenset(
    terms(
        """january february march april may june july august september october november december monday tuesday
        wednesday thursday friday saturday sunday two three four five six seven eight nine ten twelve twenty thirty
        forty fifty hundred thousand morning noon afternoon evening night am pm"""
    )
)
#: Values that say when.
_DAYS = frozenset(
    terms(
        """january february march april may june july august september october november december monday tuesday
        wednesday thursday friday saturday sunday morning noon afternoon evening night"""
    )
)
_WAS = re.compile(r"\b(?:was|were|had|did|weighed|measured|showed|cost|paid|ran|slept)\b", re.IGNORECASE)
_CUES = frozenset(
    terms("actually correction meant sorry longer instead changed moved turns out now wrong new")
)
_VERB = r"\b(?:is|are|will be|takes?|costs?|has|have|needs?|weighs?|starts?|ends?|lives?|works?|plays?|due|stays?|pays?|earns?)\b"
_STATE = re.compile(rf"{_VERB}|'s\b", re.IGNORECASE)
#: Where the subject of a line ends; the "'s" of "User's" is no verb.
_SUBJECT_END = re.compile(_VERB, re.IGNORECASE)
#: A number behind the thing that it names, not before one that it counts: "room 2 is", not "takes 2 pills".
_NAMED = re.compile(
    r"\b(?!(?:is|are|was|were|be|been|at|on|in|by|for|to|from|of|about|around|over|under|until|till|since|than|only|just|now|almost|nearly"
    r"|exactly|and|or|a|an|the|takes?|costs?|pays?|paid|has|have|had|needs?|weighs?|weighed|earns?|starts?|ends?|due|stays?|turns?|turned|says?"
    r"|am|pm|jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b)"
    r"[A-Za-z][\w'-]* (?:no\.? |number |# ?)?(?P<number>\d+)"
    r"(?=\W*$|[,;:)]|\.\s| (?:of|in|on|at|for|with|from|to|by|and|or|is|are|was|were|has|have|had|will|needs?|costs?|takes?|starts?|ends?|leaves|gets)\b)",
    re.IGNORECASE,
)
#: What was to be done, and that it is.
_PENDING = re.compile(
    r"\b(?:expir(?:es?|ing)|due|overdue|runs? out|(?:is|are) (?:broken|leaking|late|missing|empty)|needs?|must|ha(?:s|ve) to|should|wants?|plans?|(?:is|are) (?:going|planning|trying) to|will)\b",
    re.IGNORECASE,
)
_DEED = r"(?:renewed|replaced|extended|cancell?ed|returned|paid|fixed|repaired|finished|submitted|sent|solved|signed|completed|booked|bought|ordered|handed in)"
_DONE = re.compile(
    rf"\bUser(?: and others)?(?: has| have)?(?: just| finally| already| now)? {_DEED}(?: off| back| up)? (?:(?:User's|the|an?|his|her|their|both|all|new) )*(?P<what>[\w'-]+(?: [\w'-]+){{0,2}}?)"
    rf"(?= (?:last|this|yesterday|today|on|in|at|for|with|by|from|to|and|but|now|already|back)\b|[.,;!]| \(|$)"
    rf"|(?:User's|the) (?P<thing>[\w'-]+(?: [\w'-]+){{0,2}}?) (?:is|are|was|were|has been|have been|got)(?: just| finally| already| now)? {_DEED}\b",
    re.IGNORECASE,
)
#: The deed that was to be done; "needs to be renewed" names it behind.
_TO_DO = re.compile(
    r"\b(?:(?:needs?|ha(?:s|ve)|wants?|plans?|(?:is|are) (?:going|planning|trying)) to|must|should|will) (?:be )?(?P<verb>[a-z]+)"
)
#: Whose thing it is, if not the user's.
_WHOSE = re.compile(r"\b(?!User's)[\w-]+'s\b")
_PRESENT = {"paid": "pay", "sent": "send", "bought": "buy"}
_PAST = re.compile(rf"\b(?:{'|'.join(_PRESENT)})\b", re.IGNORECASE)
#: Words that only say that it was to be done, and until when.
_WAS_TO_BE = frozenset(
    terms("need needs must has should wants plans going trying will before until due overdue expires soon")
)
#: Inside a line; at its start a capital says nothing, and months and days are values.
_NAME = re.compile(
    r"(?<=[a-z,] )(?!User\b|(?:Jan|Febr)uary|March|April|May\b|June|July|August|(?:Septem|Octo|Novem|Decem)ber|[A-Z]\w+day\b)[A-Z]\w+"
)
_NEGATION = re.compile(r"\b(?:not|never|no|without|cannot|none|stopped|quit)\b|n't\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class _View:
    """A line as sets of terms."""

    all: frozenset[str]
    subject: frozenset[str]
    values: frozenset[str]
    #: Those of the values that name what the line is about, and those that say when.
    names: frozenset[str]
    days: frozenset[str]
    negated: bool
    state: bool
    #: Tells what was, on the days.
    past: bool

    def sibling(self, other: "_View") -> bool:
        """Whether two lines are about things of one kind, or tell of one thing on two days."""
        if self.names and other.names and self.names != other.names:
            return True
        apart = bool(self.days and other.days) and self.days != other.days
        return apart and self.past and other.past


@dataclass(slots=True)
class Likeness:
    """Compares lines and remembers what it has seen of each, so that a comparison is a few set operations."""

    _views: dict[str, _View] = field(default_factory=dict[str, _View])
    _keys: dict[str, str | None] = field(default_factory=dict[str, "str | None"])

    def same(self, first: str, second: str) -> bool:
        """Whether the shorter of two lines says nothing that the other does not say."""
        a, b = self._view(first), self._view(second)
        if len(a.all) > len(b.all):
            a, b = b, a
        if not a.all:
            return first == second
        shared = len(a.all & b.all)
        return shared >= _SAME * len(a.all) and a.values <= b.values and a.negated == b.negated

    def near(self, first: str, second: str) -> bool:
        """Whether the first line says in other words what the second says: half of it is there, and no new value."""
        a, b = self._view(first), self._view(second)
        shared = len(a.all & b.all)
        return shared >= _NEAR * len(a.all) and a.values <= b.values

    def corrected(self, earlier: Sequence[Line], later: Line) -> int | None:
        """The place of the line that the later one corrects or brings up to date, if there is one."""
        if later.corrects and later.dangling:
            return self._pointed_at(earlier, later)
        if later.corrects and (place := self._meant(earlier, later)) is not None:
            return place
        new, done = self._view(later.text), _done(later.text)
        for place in range(len(earlier) - 1, -1, -1):
            line = earlier[place]
            if line.role is not later.role or line.asks:
                continue
            if self._contradicts(line.text, later.text, new) or self._settles(line.text, later.text, done):
                return place
        return None

    def replaces(self, older: Line, newer: Line) -> bool:
        """Whether the newer line can stand alone: nothing else and nothing critical is lost with the older one."""
        if newer.dangling or (older.critical and not newer.critical):
            return False
        old, new = self._view(older.text), self._view(newer.text)
        if self._settles(older.text, newer.text, _done(newer.text)):
            # A day on which it was due is over with it; a sum is not.
            figures = any(any(map(str.isdigit, value)) for value in old.values)
            named = any(name.lower() not in newer.text.lower() for name in _NAME.findall(older.text))
            lost = old.subject - new.subject - _WAS_TO_BE
            return not figures and not named and len(lost) <= _MAY_BE_LOST
        # "On March 15 at 10:30" and "moved to March 22": the hour is in the older one alone.
        return len(old.subject - new.subject) <= _MAY_BE_LOST and len(old.values) <= len(new.values)

    def _contradicts(self, older: str, newer: str, new: _View) -> bool:
        old = self._view(older)
        if not old.subject & new.subject or old.sibling(new):
            return False
        shared = len(old.subject & new.subject)
        alike = shared >= _SAME_SUBJECT * len(old.subject | new.subject)
        told, now = old.values - old.names, new.values - new.names
        if alike and old.state and new.state and told and now - told:
            return True
        key = self._key(newer)
        return key is not None and key == self._key(older) and not self.same(newer, older)

    def _settles(self, older: str, newer: str, done: frozenset[str]) -> bool:
        """Whether what an older line has in store is done: "expires in December" is over once it is renewed."""
        if not done or not done <= self._view(older).all or _PENDING.search(older) is None:
            return False
        if any(whose not in newer for whose in _WHOSE.findall(older)):
            return False
        wanted = _TO_DO.search(older)
        # Where a deed is named it must be that one: who paid Bob has not called him.
        return wanted is None or bool(_stems(wanted["verb"]) & _stems(newer))

    def _meant(self, earlier: Sequence[Line], later: Line) -> int | None:
        """What a line with "actually" is about: the one with most of its subject, the latest of them."""
        new = self._view(later.text)
        best, found = 0, None
        for place, line in enumerate(earlier):
            old = self._view(line.text)
            shared = len(old.subject & new.subject)
            enough = shared >= 2 or (shared == 1 and bool(old.values) and bool(new.values))
            if (
                line.asks
                or not enough
                or old.sibling(new)
                or shared < _ABOUT * min(len(old.subject), len(new.subject))
            ):
                continue
            if shared >= best and line.role is later.role:
                best, found = shared, place
        return found

    def _pointed_at(self, earlier: Sequence[Line], later: Line) -> int | None:
        """What "Actually it is 850 mg" is about: the latest line of values with the same word beside them."""
        new = self._view(later.text)
        own = [at for at in range(len(earlier)) if earlier[at].role is later.role and not earlier[at].asks]
        for at in reversed(own):
            old = self._view(earlier[at].text)
            if new.values and old.values and (old.subject & new.subject or len(new.subject) == 0):
                return at
        # Without such a word it is about what was said last, if that was just now.
        return own[-1] if own and later.turn - earlier[own[-1]].turn <= 1 else None

    def _view(self, text: str) -> _View:
        view = self._views.get(text)
        if view is None:
            found = terms_of(text)
            values = frozenset(term for term in found if term in _VALUE_WORDS or any(map(str.isdigit, term)))
            view = self._views[text] = _View(
                all=found,
                subject=found - values - _CUES,
                values=values,
                names=_names(text) & values if values else values,
                days=values & _DAYS,
                negated=_NEGATION.search(text) is not None,
                state=_STATE.search(text) is not None,
                past=bool(values) and _WAS.search(text) is not None,
            )
        return view

    def _key(self, text: str) -> str | None:
        """The key of the fact a line states, for what a person has only one of: a home, an age, an employer."""
        if text not in self._keys:
            subject = derive(text, categorise(text))
            self._keys[text] = subject.key if subject else None
        return self._keys[text]


def _names(text: str) -> frozenset[str]:
    """The terms that say which of several things: what stands before the verb, and numbers behind their noun."""
    numbers = " ".join(found["number"] for found in _NAMED.finditer(text))
    verb = _SUBJECT_END.search(text)
    return terms_of(f"{text[: verb.start()] if verb else ''} {numbers}")


def _stems(text: str) -> frozenset[str]:
    """The stems of the words, where verbs of deeds are the same in the past."""
    return frozenset(terms(_PAST.sub(lambda found: _PRESENT[found.group().lower()], text)))


def _done(text: str) -> frozenset[str]:
    """What a line says was dealt with, in terms; empty when it says nothing of the kind."""
    match = _DONE.search(text) if _NEGATION.search(text) is None else None
    return terms_of(match["what"] or match["thing"]) if match else frozenset()
