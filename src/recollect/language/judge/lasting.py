"""Whether a predicate that no special rule knows states something lasting, by the classes of its words.

English says in its tenses what lasts: the plain present is a habit, the perfect with "since" goes on, the past with a year
belongs to a life. So every tense is let through unless its verb tells of thought or of a step, or its object of a screen or
an hour; those classes are in `life_words`. It knows no mood, no subject's name and no wording. A list of what may be kept
was rejected: it knew the phrases it was written from and no others.
"""

import re
from collections.abc import Sequence

from recollect.language.judge import life_words as words
from recollect.language.judge.lexicon import NAME
from recollect.language.judge.lived import did, has_done
from recollect.language.judge.marks import (
    AS_A_TRADE,
    CAPITAL,
    FAR,
    HABIT,
    HERE,
    ONGOING,
    POINTS,
    SEASON,
    STORY,
    of_life,
    passes,
    words_of,
)
from recollect.language.judge.rule import AHEAD, BOUND, OWNED, PAST, PERFECT, USUAL, Rule, Who
from recollect.language.judge.standing import NOT_HAD, being, having, was
from recollect.language.judge.statement import Statement
from recollect.language.pattern import Pattern
from recollect.language.phrasing import verbs


def lasting(
    statement: Statement, verb: str, rest: str, *, frequent: bool, perfect: bool = False
) -> Rule | None:
    """The rule for a predicate by its first verb and what follows it; `frequent`: an adverb such as "usually" stood before, `perfect`: "have" did."""
    low = rest.lower().replace("waiting list", "waitlist")
    said = words_of(low)
    if HERE.match(rest) or (
        POINTS.match(rest)
        and not (low.startswith("the same ") and (ONGOING.match(rest) or HABIT.match(rest) or frequent))
    ):
        return None
    if not words.SCREEN.isdisjoint(said if " and " in low else said[:6]) and not AS_A_TRADE.search(low):
        return None
    if perfect:
        return has_done(verb, rest, said, always=frequent)
    if verb in ("am", "is", "are"):
        return being(statement, rest, said)
    if verb in ("was", "were"):
        return was(statement, rest, said)
    if verb in ("haven't", "hasn't", "havent", "hasnt"):
        head = said[0] if said else ""
        return PERFECT if ONGOING.match(rest) and head not in ("seen", "heard", "used", "tried") else None
    if verb in ("have", "has"):
        return having(statement, rest, said)
    if verb in ("can't", "cannot", "can", "don't", "doesn't", "won't", "must", "mustn't", "need", "needs"):
        return _bound(verb, rest, said, frequent=frequent)
    if verb == "had" or (verbs.is_past(verb) and verb not in verbs.SAME_FORM):
        return did(verb, rest, said, never=frequent)
    return _does(statement, verb, rest, said, frequent=frequent)


#: A thing that the talk knows, or nothing but how often.
_KNOWN = Pattern(
    r"(?:the|his|her|their|my (?:way|time|seat|breath)|up|down|out|off|back|over|in|on|there|here)\b",
    re.IGNORECASE,
)
#: These say nothing without an object or a place: "User meets every Wednesday".
_INCOMPLETE = frozenset(
    "go meet take do get make put bring visit have see call come buy pay share hold watch start leave".split()
)
_HABIT_ONLY = Pattern(
    r"(?:every|each|daily|weekly|monthly|once|twice|on (?:\w+days?|weekends)|most|again|whenever|nowadays|these days|(?:three|four|five) times)\b",
    re.IGNORECASE,
)
_PLURAL = Pattern(r"(?:s|children|people|folks|family| and [\w ]+)$", re.IGNORECASE)
_OBJECT = Pattern(
    r"(?:the|an?|in|on|with|every|his|her|their|for|at|to|from|my|our|all|mostly|only|both|as|about|like|around|everything|everyone|people) ",
    re.IGNORECASE,
)
#: Said without an object, these still tell of a life.
_ALONE = frozenset(
    """stammer stutter snore smoke drink rent freelance meditate knit volunteer garden journal commute sleepwalk dance sing swim
    crochet sew quilt ski snowboard surf sail climb hike run cycle jog fish hunt vape sketch paint draw fence box row skate
    game code blog podcast bake cook tutor farm homeschool busk teach nurse umpire referee tithe""".split()
)


_SCHEDULED = frozenset(
    "start begin sit take fly leave move graduate retire turn finish marry defend graduate".split()
)
_TEAMWORK = frozenset("deploy build ship test host store log track release develop".split())
_TO_BED = Pattern(
    r"to (?:bed|sleep|work|school) (?:at|around|by|before|after|early|late|in)\b", re.IGNORECASE
)
_TO_NAME = Pattern(
    rf"to (?:the )?{NAME}(?: {NAME})*(?=$|[.,!]| (?:high|middle|elementary|university|college|church)\b)"
)


def _does(statement: Statement, verb: str, rest: str, said: Sequence[str], *, frequent: bool) -> Rule | None:
    """A habit, in the plain present."""
    base = verb
    if statement.who is Who.PERSON and not _PLURAL.search(statement.subject):
        if not verbs.is_inflected(verb) or (base := _base(verb, rest)) is None:
            return None
    elif not _may_be_verb(verb, rest):
        return None
    if (base in words.MIND and not _minded(base, said)) or verbs.is_gerund(verb):
        return None
    if not said or said == ["everything"]:
        return USUAL if base in _ALONE or (said and base not in words.STEP | words.DAILY) else None
    repeated = frequent or HABIT.match(rest) is not None
    if base == "get" and not (of_life(said) or (frequent and said[0] in ("a", "an", "my", "the"))):
        return None
    if base in verbs.SAME_FORM and FAR.match(rest):
        return PAST
    if base in _SCHEDULED and SEASON.match(rest) and not repeated:
        return AHEAD
    if statement.who is Who.US and base in _TEAMWORK and CAPITAL.match(rest):
        return USUAL
    if base == "go" and (_TO_NAME.match(rest) or _TO_BED.match(rest)):
        return USUAL
    if base in words.STEP or base in verbs.SAME_FORM:
        if not words.SCREEN.isdisjoint(said):
            return None
        named = base not in verbs.SAME_FORM and of_life(said) and not STORY.match(rest)
        repeated = repeated and not (base in _INCOMPLETE and _HABIT_ONLY.match(rest))
        return USUAL if repeated or (named and not passes(said)) else None
    if base in _INCOMPLETE and _HABIT_ONLY.match(rest):
        return None
    if (
        statement.who is Who.SELF
        and rest[:4].lower() == "the "
        and not (repeated or of_life(said) or (CAPITAL.match(rest) and not STORY.match(rest)))
    ):
        # A thing that the talk knows already: a procedure, told step by step.
        return None
    if base in words.DAILY and (_KNOWN.match(rest) or (verbs.is_past(said[0]) and "-" not in said[0])):
        return USUAL if repeated or of_life(said) else None
    if passes(said[:3]) and not repeated and not of_life(said):
        return None
    return USUAL


def _minded(base: str, said: Sequence[str]) -> bool:
    """Whether a verb of the mind is one of deeds here: "care for my mother", "keep bees"."""
    if (base, *said[:1]) in (("care", "for"), ("look", "after")):
        return len(said) > 1
    if base == "see" and said[:1] in (["a"], ["an"], ["my"]) and HABIT.match(" ".join(said)):
        return True
    return (
        base in ("keep", "see", "miss")
        and of_life(said)
        and not passes(said)
        and said[0] not in ("the", "my", "our", "that")
    )


def _may_be_verb(verb: str, rest: str) -> bool:
    if not verb.replace("-", "").isalpha() or verb in verbs.NOT_VERBS or verbs.is_adverb(verb):
        return False
    if verbs.is_inflected(verb) and verb not in verbs.COMMON:
        return False
    # "I stlls like": not a verb but a slip.
    return verb in verbs.COMMON or rest.partition(" ")[0].lower() not in verbs.COMMON


def _base(verb: str, rest: str) -> str | None:
    """The plain form of a verb with the ending of the third person."""
    for base in (verb[:-1], verb[:-2], f"{verb[:-3]}y"):
        if base in verbs.COMMON and verbs.third_singular(base) == verb:
            return base
    # Right behind "my sister", and before an object, such a word is a verb, known or not.
    unknown = len(verb) > 3 and verb.isalpha() and verb not in verbs.NOT_VERBS and _OBJECT.match(f"{rest} ")
    return verb[:-1] if unknown else None


def _bound(verb: str, rest: str, said: Sequence[str], *, frequent: bool) -> Rule | None:
    """What somebody can, must or does not do."""
    while said and (verbs.is_adverb(said[0]) or said[0] in ("even", "really", "actually", "ever")):
        said = said[1:]
    if not said or (said[0] in words.MIND and said[0] not in ("keep", "like")):
        return None
    if said[0] == "get" and not of_life(said):
        return None
    repeated = frequent or HABIT.match(rest) is not None
    if verb in ("need", "needs"):
        return BOUND if repeated and of_life(said) and said[0] != "to" else None
    if said[0] == "have" and verb in ("don't", "doesn't"):
        return (
            OWNED
            if len(said) > 1 and not passes(said) and NOT_HAD.isdisjoint(said) and (of_life(said))
            else None
        )
    if verb == "won't" and said[0] in ("eat", "drink", "wear", "touch", "take", "use", "buy"):
        return BOUND if len(said) > 1 and not _KNOWN.match(" ".join(said[1:])) else None
    if verb == "can" and rest.lower().startswith(("only ", "barely ", "hardly ")):
        return BOUND if len(said) > 1 and not passes(said[1:]) else None
    if verb in ("must", "mustn't", "can", "won't"):
        return BOUND if repeated else None
    if said[0] in words.STEP or verb in ("can't", "cannot"):
        return BOUND if (repeated or of_life(said)) and not passes(said) else None
    return BOUND if len(said) > 1 and not passes(said) else None
