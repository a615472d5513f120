"""Occasions: events by which a question says when: "before the move", "since we got the dog", "when I was in Rome".

An event is a thing with an article or an owner, a clause with a pronoun, or something done ("after moving"). "On", "at", "for"
and "around" need a word that is an event for sure: "on my desk" is a place. "Do you know when I moved" asks for a time and
names none. It does not know when anything was.
"""

from collections.abc import Iterator, Sequence

from recollect.domain.time_words.anchor import Anchor, Relation
from recollect.domain.time_words.question import Question
from recollect.domain.time_words.stretch import Stretch

#: A stretch with the places of its first word and of the word after it.
Placed = tuple[int, int, Stretch]

#: Words of one event. Longer ones are a story, not the name of a time.
_LONGEST = 9
_RELATIONS = {
    "before": Relation.BEFORE, "after": Relation.AFTER, "since": Relation.SINCE, "until": Relation.UNTIL,
    "till": Relation.UNTIL, "during": Relation.DURING, "around": Relation.AROUND, "on": Relation.ON, "at": Relation.ON,
    "for": Relation.ON, "when": Relation.DURING, "while": Relation.DURING,
}  # fmt: skip
OCCASION_WORDS = frozenset(_RELATIONS)
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


def anchors(question: Question, stretches: Sequence[Placed]) -> Iterator[Anchor]:
    """The events by which a question says when; words of a stretch belong to no event."""
    taken = {place for begin, end, _ in stretches for place in range(begin, end)}
    at = 0
    while at < question.count:
        after = at + 1
        relation = _RELATIONS.get(question.words[at])
        if relation and at not in taken and (end := _event_end(question, at, taken)):
            after = end
            yield _anchor(question, relation, at, end, stretches)
        at = after


def _anchor(question: Question, relation: Relation, at: int, end: int, stretches: Sequence[Placed]) -> Anchor:
    within: Stretch | None = None
    last = end
    for first_word, next_word, stretch in stretches:
        if first_word == end:
            within, last = stretch, next_word
        elif next_word in (at, at - (question.words[at - 1] == ",")):
            within = stretch
    shown, starts, ends = question.shown, question.starts, question.ends
    return Anchor(
        phrase=shown[starts[at] : ends[last - 1]],
        relation=relation,
        what=shown[starts[at + 1] : ends[end - 1]],
        within=within,
    )


def _event_end(question: Question, at: int, taken: set[int]) -> int | None:
    """The place after the event that a word of relation leads to; None: there is no event."""
    words = question.words
    word, first = words[at], at + 1
    if word == "after" and words[at - 1] in _WITH_AFTER:
        return None
    # "When my grandmother gave me the necklace" has a subject of its own.
    clause = words[first] in _PRONOUNS or (word == "when" and words[first] in _OWNERS)
    done = words[first].endswith("ing") and words[first] not in _NOT_DONE and len(words[first]) > 5
    if word in ("when", "while") and not _tells(question, at, clause, done):
        return None
    if word in ("on", "at", "for", "around"):
        end = _run(question, first, taken, _ENDS) if _owned(question, first) else first
        wanted = _EVENTS if word == "around" else _OF_A_DAY
        return end if wanted & set(words[first:end]) else None
    if clause or done:
        if word == "during":
            return None
        end = _run(question, first, taken, _CLAUSE_ENDS)
        return end if end - first >= (2 if clause else 1) else None
    if not _owned(question, first) or words[first + 1] in _NO_EVENT or word in ("when", "while"):
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
