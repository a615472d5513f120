"""The fact that a question asks for by its name: "Where do I live?" asks for the one fact that says where the user lives.

Such a fact has a key, and the question leads to the same key: it is turned into the statement that would answer it, and
the rules that give statements their keys do the rest. "User moved to Berlin" shares neither a word with the question nor
much of its meaning, and is the answer. Only questions about the user: other people's facts are found by their names. It
finds no memory.
"""

import re

from recollect.language import memory_key
from recollect.language.categorise import categorise
from recollect.language.pattern import Pattern
from recollect.rules.subject import USER

#: Characters of a question; more is a talk, not the asking for one fact.
_LONGEST = 120
_LEAD = r"(?:(?:and|so|hey|hi|ok|okay|please|do you (?:know|remember)|can you (?:tell me|remind me)|tell me|remind me)[, ]+)*"
_LAST = r"(?: (?:now|again|these days|currently|at the moment|right now|please))*[ ?!.]*"


def _asking(text: str) -> Pattern:
    return Pattern(rf"{_LEAD}(?:{text}){_LAST}", re.IGNORECASE)


#: Questions, each with the statement that would answer it.
_QUESTIONS = (
    (
        _asking(
            r"where (?:do|am) i (?:live|living|reside|based|at home)|where(?:'s| is) (?:my home|home)"
            r"|(?:what|which) (?:city|town|country|place) (?:do|am) i (?:live|living|based)(?: in)?"
            r"|where i(?:'m| am)? (?:live|living)"
        ),
        "User lives in Springfield",
    ),
    (
        _asking(
            r"(?:where|who) do i work(?: for| at)?|(?:what|which) company do i work (?:for|at)"
            r"|(?:who|what)(?:'s| is) my employer|where i work"
        ),
        "User works at Initech",
    ),
    (
        _asking(
            r"what(?:'s| is) my (?:job|occupation|profession|job title|line of work)"
            r"|what do i do(?: for (?:a living|work|my job))"
        ),
        "User works as a baker",
    ),
    (_asking(r"how old am i|what(?:'s| is) my age"), "User is 40 years old"),
    (
        _asking(r"when(?:'s| is) my birthday|when was i born|what(?:'s| is) my (?:date of birth|birthday)"),
        "User's birthday is on 1 May",
    ),
    (
        _asking(r"where was i born|what(?:'s| is) my (?:birthplace|place of birth)"),
        "User was born in Springfield",
    ),
    (_asking(r"what(?:'s| is) my name|what am i called|who am i"), "User's name is Robin"),
)
_WHAT_IS_MY = _asking(r"(?:what|which)(?:'s| is| are| was) my (?P<what>[a-z][a-z '-]{1,40}?)")


def asked_key(question: str) -> str | None:
    """The key of the fact about the user that is asked for; None when the question asks for no single one."""
    text = " ".join(question.replace("\u2019", "'").split())
    if len(text) > _LONGEST:
        return None
    for pattern, statement in _QUESTIONS:
        if pattern.fullmatch(text):
            return _key(statement)
    named = _WHAT_IS_MY.fullmatch(text)
    if named is None:
        return None
    # The answer is a word, or a number.
    return _key(f"User's {named['what']} is blue") or _key(f"User's {named['what']} is 12345")


def _key(statement: str) -> str | None:
    subject = memory_key.derive(statement, categorise(statement))
    # "What is my sister?" names a person, whose facts have a key of their own.
    return subject.key if subject is not None and subject.primary_ref == USER else None
