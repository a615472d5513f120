"""A rule of the judge: which verb with which words behind it states something that lasts.

Rules are found by the first verb of a predicate, then held against the rest of it, so that a clause meets a handful of
patterns and not all of them. A rule knows no mood, no subject's name and no wording: it says "this would be worth
keeping of so-and-so", and why. One long pattern a language was rejected: nobody can say which part of it went wrong.
"""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum

from recollect.language.pattern import Pattern
from recollect.records.category import Category


class Who(StrEnum):
    """Whom a statement is about."""

    SELF = "self"
    #: "we", "my wife and I".
    US = "us"
    #: Somebody close, by role or by a name that is known.
    PERSON = "person"
    #: Something of the user's: "my commute", "our launch".
    THING = "thing"


#: What a plain statement of a known shape is worth, one that needs some reading, and one that only its grammar tells.
PLAIN, READ, GUESSED = 0.95, 0.85, 0.8
_PEOPLE = frozenset((Who.SELF, Who.US, Who.PERSON))
SELF_ONLY = frozenset((Who.SELF,))
OURS = frozenset((Who.SELF, Who.US))


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """One way to state a lasting fact."""

    #: What it finds, in a few words.
    name: str
    #: Held against what follows the verb.
    rest: Pattern
    who: frozenset[Who] = _PEOPLE
    confidence: float = PLAIN
    category: Category | None = None
    #: The fact of which somebody has one, where the words alone do not tell it.
    attribute: str | None = None
    #: The group of `rest` that names what the fact is about, else.
    about: str | None = None
    #: Whether it also holds beside words such as "this week".
    passing: bool = False
    #: Whether "we" means a team rather than a household.
    team: bool = False


def rule(
    name: str,
    pattern: str,
    *,
    who: frozenset[Who] = _PEOPLE,
    confidence: float = PLAIN,
    category: Category | None = None,
    attribute: str | None = None,
    about: str | None = None,
    passing: bool = False,
    team: bool = False,
) -> Rule:
    """A rule by its words; case does not matter but where a pattern says so."""
    return Rule(
        name=name,
        rest=Pattern(pattern, re.IGNORECASE),
        who=who,
        confidence=confidence,
        category=category,
        attribute=attribute,
        about=about,
        passing=passing,
        team=team,
    )


Table = Mapping[str, tuple[Rule, ...]]


def table(*rows: tuple[str, Iterable[Rule]]) -> Table:
    """Rules by the verbs that open them; a row's verbs stand with spaces between them."""
    found: dict[str, tuple[Rule, ...]] = {}
    for verbs, rules in rows:
        for verb in verbs.split():
            found[verb] = (*found.get(verb, ()), *rules)
    return found


def joined(*tables: Table) -> Table:
    """Several tables as one; a verb of two keeps the rules of both."""
    return table(*((verb, rules) for one in tables for verb, rules in one.items()))


_ANY = r"\w|$"
#: What the grammar of a predicate tells where no rule knows its words.
USUAL = rule("what they usually do", _ANY, confidence=GUESSED, team=True)
OWNED = rule("possession", _ANY, confidence=GUESSED)
ROLE_OF = rule("what they are", _ANY, confidence=GUESSED)
STANDING = rule("standing", _ANY, confidence=GUESSED)
BOUND = rule("limit", _ANY, confidence=READ)
LONG = rule("undertaking", _ANY, confidence=GUESSED)
AHEAD = rule("plan", _ANY, confidence=GUESSED, passing=True)
PAST = rule("past", _ANY, confidence=GUESSED, passing=True)
PERFECT = rule("experience", _ANY, confidence=GUESSED)
