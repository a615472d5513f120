"""Vital: the least that a remembered fact weighs on which a life, or somebody's care, may hang.

An allergy is a plain fact to its category, and would leave the profile after a week, when a dark theme stays. A message that
states one is a 10 already, and is pinned in its chat (`message_importance`, `pinning`); this is the same for what outlives
chats. It reads statements about "User"; the rules of `health_statement` read what people say of themselves.
"""

import re
from functools import cache

from recollect.language import danger
from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, plain

#: S0's life-threatening; and what S3 preloads in every conversation.
LIFE, CARE = 10.0, 9.0
_FIRST_PERSON = (
    (re.compile(r"\bUser's\b"), "my"),
    (re.compile(r"\bUser has\b"), "I have"),
    (re.compile(r"\bUser is\b"), "I am"),
    (re.compile(r"\bUser was\b"), "I was"),
    (re.compile(r"\bUser (?P<verb>\w+)ies\b"), r"I \g<verb>y"),
    (re.compile(r"\bUser (?P<verb>\w+[^s\W])s\b"), r"I \g<verb>"),
    (re.compile(r"\bUser\b"), "I"),
)


def least_importance(content: str) -> float:
    """10 for what a life may hang on, 9 for an illness or a medicine, 0 for all else."""
    if not danger.may_be_dangerous(content) and not _may_be_health(content):
        return 0.0
    # Deferred: compiling its patterns is heavy, and few statements get here.
    from recollect.language import health_statement

    said = content.replace("\u2019", "'").rstrip(" .!")
    for pattern, first in _FIRST_PERSON:
        said = pattern.sub(first, said)
    fact = health_statement.stated(said)
    if danger.states_danger(said) or (fact and fact.importance >= health_statement.LIFE_THREATENING):
        return LIFE
    return CARE if fact else 0.0


def _may_be_health(content: str) -> bool:
    signs, dose = _health_signs()
    return signs.search(plain(content)) is not None or dose.search(content) is not None


@cache
def _health_signs() -> tuple[Pattern, Pattern]:
    # Deferred, as above.
    from recollect.language import health_statement

    return any_of(health_statement.SIGNS), health_statement.ANY_DOSE
