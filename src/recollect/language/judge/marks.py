"""Marks in a predicate that tell whether it lasts: how often, since when, how long ago, and what it points at.

Patterns and word classes held against what follows a verb; each says one thing and decides nothing. Days and hours are no
marks of a life, months and years are. What the single nouns mean is in `life_words`.
"""

import re
from collections.abc import Sequence

from recollect.language.judge import life_words as words
from recollect.language.judge.doing import HABITUAL
from recollect.language.judge.lexicon import MONTH, NAME, NUMBER, POINTING
from recollect.language.pattern import Pattern

_WORD = re.compile(r"[\w'+-]+")


def words_of(text: str) -> list[str]:
    """The words of a text in small letters."""
    return _WORD.findall(text.lower())


def of_life(said: Sequence[str]) -> bool:
    """Whether one of the words is a noun of a life."""
    return not words.LIFE.isdisjoint(said)


def passes(said: Sequence[str]) -> bool:
    """Whether one of the words is a noun of an hour or a day."""
    return not words.MOMENT.isdisjoint(said)


_PERIOD = r"(?:every|each) (?:single |other |second |third |few |couple of |\d+ |two |three |four )*(?:day|morning|evening|night|afternoon|week|weekend|weekday|month|year|hour|time|term|semester|quarter|spring|summer|autumn|fall|winter|season|christmas|easter|shift|meal|\w+day|days|weeks|months|years|hours|now|january|february|march|april|may|june|july|august|september|october|november|december)"
HABIT = Pattern(
    rf".*?(?:{HABITUAL.replace('every|each|', f'{_PERIOD}|')}|\bwhen i\b|\b(?:a|per) (?:day|week|month|year)\b|\ba lot(?! of)|\b(?:on|in|with|to) everything\b|\beverywhere\b|\bnow$)",
    re.IGNORECASE,
)
#: The listener, the screen or what was said before.
HERE = Pattern(
    r".*\b(?:this (?!year|summer|winter|spring|autumn|fall|month|january|february|march|april|may|june|july|august|september|october|november|december)|these (?!days)|those|yours?|you|the following|below$|above$|mind|me (?:nuts|crazy|mad|insane|up the wall|laugh|cry|smile))\b",
    re.IGNORECASE,
)
POINTS = Pattern(
    rf"(?!(?:one|both) (?!of|that|more|thing|are|is)\w|everything\b|when (?:i|we|he|she|they)\b|the (?:first|last|only|second|third) (?:\w+ )?(?:in|of) (?:my|our)\b){POINTING}|(?:to|of|about|with|for|in|on|at) (?:it|this|that|these|those|them)\b",
    re.IGNORECASE,
)
#: Time that puts a deed into a life rather than into a day.
FAR = Pattern(
    rf".*\b(?:(?:in|since|until|from|around) (?:early |late |mid-?|the )?(?:(?:19|20)\d\d|\d0s|'\d\d|{MONTH}\b)|{NUMBER} (?:years?|months?|decades?)(?: ago| later| back)?|a (?:year|decade|few years) ago"
    r"|years ago|decades ago|last (?:year|spring|summer|autumn|fall|winter|month)|this (?:year|spring|summer|autumn|fall|winter)|when i (?:was|turned|moved|got|had|left|started|retired)|when we (?:were|moved|married|got)|at (?:age \d+|(?:1[4-9]|[2-9]\d)(?! ?[:ap%\d]))\b|as a (?:kid|child|teen\w*|boy|girl|student|baby)|growing up|in my (?:\w+ )?(?:teens|twenties|thirties|forties|fifties|youth|childhood|\d0s)"
    r"|in (?:high school|college|university|uni|grad school|the army|primary school|the war)|all my life|my whole life)\b",
    re.IGNORECASE,
)
ONGOING = Pattern(
    rf".*\b(?:since|for (?:over |about |almost |nearly |around |more than |the (?:past|last) |a good |some )*(?:{NUMBER}|\d+) (?:\w+ )?(?:years?|months?|decades?)|for (?:years|decades|ages|a (?:year|decade))|all (?:my|his|her|our) (?:adult )?li(?:fe|ves)|my (?:whole|entire) life|(?:once|twice|{NUMBER} times)|over the years|in (?:over |about |almost |nearly )?(?:{NUMBER}|\d+) (?:years|months|decades))\b",
    re.IGNORECASE,
)
SEASON = Pattern(
    rf".*\b(?:(?:in|next|this|by|until|from|on) (?:the )?(?:early |late |mid-?|end of )?(?:{MONTH}\b|spring|summer|autumn|fall|winter|year|month|20\d\d|\d+(?:st|nd|rd|th))|in {NUMBER} (?:weeks|months|years))\b",
    re.IGNORECASE,
)
AS_A_TRADE = Pattern(r"\b(?:for a living|on the side|professionally|as a hobby)\b")
CAPITAL = Pattern(rf"(?:.* )?(?!I\b){NAME}")
STORY = Pattern(r".*\b(?:and|but|then|until) (?:then|it|nothing|the|suddenly|now)\b", re.IGNORECASE)
