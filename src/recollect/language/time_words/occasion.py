"""Occasions: events by which a question says when: "before the move", "since we got the dog", "two days after the surgery".

An event is a thing with an article or an owner, a clause with a pronoun, or something done ("after moving"). "On", "at", "for",
"around", "following" and "the week of" need a word that is an event for sure: "on my desk" is a place. "Do you know when I
moved" asks for a time and names none. What is counted before the relation is its distance; "the week I moved" is the week
around the event. It does not know when anything was.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from recollect.language.time_words.amount import amount
from recollect.language.time_words.anchor import Anchor, Relation
from recollect.language.time_words.beside import Distance
from recollect.language.time_words.day_part import PARTS
from recollect.language.time_words.lexicon import UNITS
from recollect.language.time_words.question import Question
from recollect.language.time_words.roughly_ago import UNCOUNTED
from recollect.language.time_words.stretch import Precision, Stretch

#: A stretch with the places of its first word and of the word after it.
Placed = tuple[int, int, Stretch]

#: Words of one event. Longer ones are a story, not the name of a time.
_LONGEST = 9
_RELATIONS = {
    "before": Relation.BEFORE, "after": Relation.AFTER, "since": Relation.SINCE, "until": Relation.UNTIL,
    "till": Relation.UNTIL, "during": Relation.DURING, "around": Relation.AROUND, "on": Relation.ON, "at": Relation.ON,
    "for": Relation.ON, "when": Relation.DURING, "while": Relation.DURING, "once": Relation.AFTER, "following": Relation.AFTER,
}  # fmt: skip
#: Several words for one of them.
_PHRASES: tuple[tuple[tuple[str, ...], str, Relation], ...] = (
    (("prior", "to"), "before", Relation.BEFORE), (("leading", "up", "to"), "before", Relation.BEFORE),
    (("up", "until"), "until", Relation.UNTIL), (("up", "to"), "until", Relation.UNTIL),
    (("as", "soon", "as"), "once", Relation.AFTER), (("by", "the", "time"), "once", Relation.BEFORE),
)  # fmt: skip
#: "The week (I moved)": each means the one around the event.
_AROUND = {
    **{word: Distance(unit=UNITS[word][0]) for word in ("day", "week", "weekend", "month", "year")},
    **{part: Distance(unit=Precision.DAY, part=part) for part in PARTS},
}
OCCASION_WORDS = frozenset(_RELATIONS) | frozenset(words[0] for words, _, _ in _PHRASES) | frozenset(_AROUND)
_BETWEEN = frozenset("between and from to".split())
#: Not counted, and near: days from the event, at least and at most. A choice.
_SHORTLY = frozenset("shortly right just soon immediately directly".split())
_SHORTLY_DAYS = (1.0, 14.0)
#: Words of an amount before its unit: "one and a half".
_LONGEST_AMOUNT = 5
#: Stands for the most of "years after", which has none.
_MOST_UNITS = 10.0
_OWNERS = frozenset("the my our his her their your".split())
_PRONOUNS = frozenset("i we you he she they it i'd i'm we'd we'll".split())
#: Where the name of an event ends: a verb, a new clause, another question.
_ENDS = frozenset(
    "did do does was were is are am have has had can could will would should shall might must and or but because so "
    "what where who whom which how why when while if that before after since until during didn't wasn't".split()
)
_CLAUSE_ENDS = frozenset("what where who whom which how why did do does and or but because".split())
#: Events for sure, whatever stands before them.
_EVENTS = frozenset(
    "birthday birthdays anniversary wedding graduation funeral engagement honeymoon retirement christening baptism "
    "move surgery operation birth divorce breakup accident exam exams interview election pandemic lockdown launch "
    "holidays holiday vacation trip party reunion conference festival marathon".split()
)
#: Words after which only such a word makes an event.
_SURE_EVENTS = frozenset("on at for around following".split())
_OF_A_DAY = frozenset("birthday anniversary wedding graduation funeral christening baptism reunion".split())
#: Nothing happened: "after the fact", "during the day".
_NO_EVENT = frozenset(
    "fact beginning start end time times day days night nights week weeks weekend month year years first last other same "
    "next way past moment morning evening afternoon winter summer spring fall autumn 90 80 world house corner rest".split()
)
#: Verbs that "after" belongs to: "look after the dog", "named after my aunt".
_WITH_AFTER = frozenset(
    "look looked looking looks take takes took taking named name run ran running go went going ask asked asking "
    "chase chased clean cleaned cleaning".split()
)
#: Words after which "when" asks.
_ASKING = frozenset(
    "know tell told say said mention mentioned ask asked remember recall about exactly sure wonder guess and or me you "
    "remind since until".split()
)
#: Words inside them are a name, whatever they are.
_QUOTES = frozenset("'\"“”")
_NOT_DONE = frozenset(
    "nothing something anything everything thing king spring string morning evening".split()
)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Lead:
    """The words that lead to an event."""

    #: The plainest word for it, which says what may follow.
    word: str
    relation: Relation
    #: The place of its first word, and of the first word of the event.
    begin: int
    first: int
    distance: Distance | None = None


def anchors(question: Question, stretches: Sequence[Placed]) -> Iterator[Anchor]:
    """The events by which a question says when; words of a stretch belong to no event."""
    taken = {place for begin, end, _ in stretches for place in range(begin, end)}
    at = 0
    while at < question.count:
        after = at + 1
        lead = None if at in taken else _lead(question, at, taken)
        if lead and (end := _event_end(question, at, lead, taken)):
            after = end
            yield _anchor(question, lead, end, stretches)
        at = after


def _lead(question: Question, at: int, taken: set[int]) -> _Lead | None:
    """The words at a place that lead to an event, and what is counted before them."""
    words = question.words
    word = words[at]
    if word in _AROUND:
        return _around(question, at)
    relation, first = _RELATIONS.get(word), at + 1
    for several, plainest, meant in _PHRASES if relation is None else ():
        if words[at : at + len(several)] == list(several):
            word, relation, first = plainest, meant, at + len(several)
            break
    # "On the morning of the wedding" begins with the morning.
    unit_follows = words[first] == "the" and words[first + 1] in _AROUND
    if relation is None or (relation is Relation.ON and unit_follows):
        return None
    if unit_follows and words[first + 2] in _PRONOUNS:
        # "Since the day (I moved)".
        first += 2
    may_be_far = relation in (Relation.BEFORE, Relation.AFTER) and at - 1 not in taken
    if may_be_far and (found := _distance(question, at)):
        return _Lead(word=word, relation=relation, begin=found[1], first=first, distance=found[0])
    return _Lead(word=word, relation=relation, begin=at, first=first)


def _around(question: Question, at: int) -> _Lead | None:
    """ "the week (I moved)", "the day that (we met)", "the morning of (the wedding)"."""
    words = question.words
    # "How long was it between the day I moved and the day I left" asks for both days and names no time.
    if words[at - 1] not in ("the", "that") or words[at - 2] in _BETWEEN:
        return None
    first = at + 1 + (words[at + 1] in ("that", "when", "of"))
    word = "on" if words[at + 1] == "of" else "when"
    if word == "when" and words[first] not in _PRONOUNS | _OWNERS:
        return None
    return _Lead(word=word, relation=Relation.ON, begin=at - 1, first=first, distance=_AROUND[words[at]])


def _distance(question: Question, at: int) -> tuple[Distance, int] | None:
    """What is counted right before a place, and where that begins: "two days", "the night", "shortly"."""
    words = question.words
    if words[at - 1] in _SHORTLY:
        low, high = _SHORTLY_DAYS
        return Distance(low=low, high=high, unit=Precision.DAY), at - 1
    part = words[at - 1] if words[at - 1] in PARTS else None
    unit, factor = UNITS.get(words[at - 1], (None, 1.0))
    definite = words[at - 2] in ("the", "that")
    if part:
        return (Distance(unit=Precision.DAY, part=part), at - 2) if definite else None
    if unit is None:
        return None
    if unit is Precision.HOUR:
        # Nobody knows the hour of an event.
        unit, factor = Precision.DAY, 0.0
    for back in range(_LONGEST_AMOUNT + 1, 1, -1):
        count = amount(question, at - back) if at >= back else None
        if count and count[2] == at - 1:
            return Distance(low=count[0] * factor, high=count[1] * factor, unit=unit), at - back
    if words[at - 1].endswith("s") and unit in UNCOUNTED:
        low, high = UNCOUNTED[unit]
        most = (high or _MOST_UNITS) * factor
        return Distance(low=0.0 if definite else low * factor, high=most, unit=unit), at - 1 - definite
    return (Distance(unit=unit), at - 2) if definite and factor == 1 else None


def _anchor(question: Question, lead: _Lead, end: int, stretches: Sequence[Placed]) -> Anchor:
    within: Stretch | None = None
    begin, last = lead.begin, end
    for first_word, next_word, stretch in stretches:
        if first_word == end:
            within, last = stretch, next_word
        elif next_word in (begin, begin - (question.words[begin - 1] == ",")):
            within = stretch
    shown, starts, ends = question.shown, question.starts, question.ends
    return Anchor(
        phrase=shown[starts[begin] : ends[last - 1]],
        relation=lead.relation,
        what=shown[starts[lead.first] : ends[end - 1]],
        within=within,
        distance=lead.distance,
    )


def _event_end(question: Question, at: int, lead: _Lead, taken: set[int]) -> int | None:
    """The place after the event that a word of relation leads to; None: there is no event."""
    words = question.words
    word, first = lead.word, lead.first
    if word == "after" and words[at - 1] in _WITH_AFTER:
        return None
    # "When my grandmother gave me the necklace" has a subject of its own.
    clause = words[first] in _PRONOUNS or (word == "when" and words[first] in _OWNERS)
    done = words[first].endswith("ing") and words[first] not in _NOT_DONE and len(words[first]) > 5
    if word in ("when", "while") and not _tells(question, at, clause, done):
        return None
    if word in _SURE_EVENTS or (word == "on" and lead.distance):
        end = _run(question, first, taken, _ENDS) if _owned(question, first) else first
        wanted = _EVENTS if lead.distance or word in ("around", "following") else _OF_A_DAY
        return end if wanted & set(words[first:end]) else None
    if clause or (done and word != "once"):
        if word == "during":
            return None
        end = _run(question, first, taken, _CLAUSE_ENDS)
        return end if end - first >= (2 if clause else 1) else None
    if not _owned(question, first) or words[first + 1] in _NO_EVENT or word in ("when", "while", "once"):
        return None
    end = _run(question, first, taken, _ENDS)
    return end if end - first >= 2 else None


def _tells(question: Question, at: int, clause: bool, done: bool) -> bool:
    """Whether "when" tells a time instead of asking for one."""
    return (clause or (done and question.words[at] == "while")) and question.words[at - 1] not in _ASKING


def _owned(question: Question, at: int) -> bool:
    return question.words[at] in _OWNERS or (at < question.count and question.possessive(at))


def _run(question: Question, first: int, taken: set[int], ends: frozenset[str]) -> int:
    """The place after the words of an event."""
    at, quoted = first, False
    while at - first < _LONGEST and at not in taken:
        word = question.words[at]
        if word in _QUOTES and (quoted or question.joined(at + 1)):
            quoted = not quoted
        elif question.stops(at) or (
            at > first and not quoted and (word in ends or (ends is _ENDS and word in _PRONOUNS))
        ):
            break
        at += 1
    return at
