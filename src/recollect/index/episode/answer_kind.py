"""The kind of answer that a question asks for: a number or a time, told by its own words.

"How many eggs?" is answered by a message with a number in it, "when did we move?" by one with a word of time; other messages
may speak of eggs and of moving as much as they like. What counts as such a word is a list of terms, so an index that knows
which message holds which word can tell. Names and places have no list and are no kind. English, as the words are; a question
in another language asks for no kind.
"""

import re
from functools import cache

from recollect.language.terms import terms

_WHEN = re.compile(
    r"\b(?:when|(?:what|which) (?:time|date|day|year|month|week)|how long ago"
    r"|how (?:many|much) (?:hours|days|weeks|months|years|time))\b",
    re.IGNORECASE,
)
_HOW_MANY = re.compile(
    r"\b(?:how (?:many|much|long|old|often|far|tall|big|large|expensive|fast|heavy)"
    r"|what (?:percentage|amount|number|price|cost|size|score|age))\b",
    re.IGNORECASE,
)
#: Characters of a question in which its kind is looked for: what is longer is a text that somebody pasted.
_LOOKED_AT = 2000

_DAYS_AND_MONTHS = """
    yesterday today tonight tomorrow last ago next week weekend month year morning afternoon evening night recently since
    monday tuesday wednesday thursday friday saturday sunday
    january february march april may june july august september october november december
"""
_NUMBERS = """
    one two three four five six seven eight nine ten eleven twelve fifteen twenty thirty forty fifty sixty hundred thousand
    million dozen couple half once twice several first second third percent
"""


def kind_asked(text: str) -> frozenset[str]:
    """The terms of which an answer holds one; none when the question asks for no kind that can be told."""
    if _WHEN.search(text, 0, _LOOKED_AT):
        return _times()
    return _numbers() if _HOW_MANY.search(text, 0, _LOOKED_AT) else frozenset()


@cache
def _times() -> frozenset[str]:
    """Words of time, years and days of a month."""
    years = map(str, range(1950, 2101))
    days = (f"{day}{ending}" for day in range(1, 32) for ending in ("st", "nd", "rd", "th"))
    return frozenset(terms(" ".join((_DAYS_AND_MONTHS, *years, *days))))


@cache
def _numbers() -> frozenset[str]:
    """Words of number, and figures as people say them."""
    return frozenset(terms(" ".join((_NUMBERS, *map(str, range(2101))))))
