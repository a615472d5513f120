"""How much a memory matters, 0-10: when it is stored, and at any later moment.

The stored value is the category's base, adjusted by what the text shows: an explicit request, specific
details, a long-term goal, vagueness, a passing state; what is `vital` has a least. The effective value is a pure function of the stored
one, its age and its use, and is never written back; so a fact mentioned fifty times outranks one mentioned
once, and no job has to touch every row. This module knows no record, clock or user. Asking a model for a
number was rejected: the same sentence must always weigh the same.
"""

import math
import re
from dataclasses import dataclass

from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, plain, signs
from recollect.records.category import TRAITS, Category
from recollect.rules.vital import least_importance

LOWEST, HIGHEST = 0.0, 10.0

EXPLICIT_REQUEST = 2.0
SPECIFIC_DETAILS = 1.0
LONG_TERM_GOAL = 1.0
VAGUE = -2.0
TEMPORARY = -2.0

# Use counts in doublings, half a point each: 2 mentions +0.5, 4 +1, 16 +2, 50 +2.8, 64 and more +3.
# So 50 mentions lift a plain fact (6) above every relationship mentioned once (8), and the scale is
# still open where people really repeat themselves, between 2 and 20 times.
_MOST_FROM_USE = 3.0
_PER_DOUBLING = 0.5
# An access is the engine's own doing; counted in full, what was recalled once would keep being recalled.
_ACCESS_WEIGHT = 0.25  # mentions

_HALF_LIVES = {category: traits.half_life_days for category, traits in TRAITS.items()}


@dataclass(frozen=True, slots=True, kw_only=True)
class Importance:
    """A value with the reasons that led to it, in words that can be shown."""

    value: float
    reasons: tuple[str, ...]


def stored(category: Category, text: str, *, explicit_request: bool = False) -> Importance:
    """The importance a memory starts with."""
    value = TRAITS[category].base_importance
    reasons = [f"{category.value} {value:g}"]
    for applies, change, reason in (
        (explicit_request or asks_to_remember(text), EXPLICIT_REQUEST, "explicit request"),
        (has_details(text), SPECIFIC_DETAILS, "specific details"),
        (has_long_term_goal(text), LONG_TERM_GOAL, "long-term goal"),
        (is_vague(text), VAGUE, "vague"),
        (is_temporary(text), TEMPORARY, "temporary"),
    ):
        if applies:
            value += change
            reasons.append(f"{reason} {change:+g}")
    if (least := least_importance(text)) > value:
        value = least
        reasons.append(f"vital: at least {least:g}")
    return Importance(value=min(max(value, LOWEST), HIGHEST), reasons=tuple(reasons))


def effective(
    stored: float, category: Category, *, pinned: bool, age_days: float, mentions: int, accesses: int
) -> float:
    """What a stored importance is worth now: it fades with age, rises with use, and pinned is always 10."""
    if pinned:
        return HIGHEST
    half_life = _HALF_LIVES[category]
    if half_life is not None and age_days > 0.0:
        stored *= 0.5 ** (age_days / half_life)
    value = stored + boost(mentions, accesses)
    return LOWEST if value < LOWEST else HIGHEST if value > HIGHEST else value


def boost(mentions: int, accesses: int) -> float:
    """What use adds, 0 to 3; it also orders memories that all reach the top of the scale."""
    # The first mention is the memory itself.
    repeated = (mentions - 1 if mentions > 1 else 0) + (accesses if accesses > 0 else 0) * _ACCESS_WEIGHT
    return min(_PER_DOUBLING * math.log2(1.0 + repeated), _MOST_FROM_USE)


def level(importance: float) -> int:
    """Show an importance as one of the four levels 0-3."""
    return 3 if importance >= 9 else 2 if importance >= 7 else 1 if importance >= 3 else 0


_REQUEST = Pattern(
    r"(?:^|[.!?:;,\n]\s*|\b(?:please|also|and|to|must|you|should|always)\s+)(?<!able"
    r" to )(?<!trying to )(?<!tries to )"
    r"remember\b(?! when\b| how\b)"
    r"|\b(?:do not|don't|never) forget\b|\bkeep (?:this |that |it )?in mind\b|\b(?:make a |take )note\b"
    r"|(?:^|[.!?]\s+)note(?: that\b|:)|\bsave (?:this|that|it)\b|(?<!not )(?<!n't"
    r" )(?<!\bun)(?<![-\w])important(?:ly)?\b",
    re.IGNORECASE,
)


def asks_to_remember(text: str) -> bool:
    """Whether the words themselves ask to be kept; "User cannot remember names" does not."""
    return _REQUEST.search(text.replace("\u2019", "'")) is not None


_NUMBER = Pattern(
    r"\d|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|thirteen|fifteen|twenty|thirty|forty"
    r"|fifty"
    r"|hundred|thousand|million|dozen)\b",
    re.IGNORECASE,
)
_MIXED_CASE = Pattern(r"[a-z]+[A-Z]|[A-Z]{2,}[a-z]|[A-Za-z]\.[a-z]{2,4}\b(?!\.)")
_WORD = Pattern(r"[^\W\d_](?:[\w'\u2019-]*\w)?")
_SENTENCE_END = Pattern(r"[.!?:\u2026]['\")\]]*\s*[\"'(\[\u201c\u2018]*$|^[\s\"'(\[\u201c\u2018#*-]*$")
# Capitalised wherever they stand, without naming anything.
_NOT_NAMES = frozenset(
    {"i", "i'm", "i've", "i'd", "i'll", "user", "user's", "users", "ok", "mr", "mrs", "ms", "dr"}
)


def has_details(text: str) -> bool:
    """Whether the text has names, numbers or dates; a capital that only opens a sentence is no name."""
    if _NUMBER.search(text) or _MIXED_CASE.search(text):
        return True
    if text.isupper():
        return False
    for match in _WORD.finditer(text):
        word = match.group()
        if (
            word[0].isupper()
            and word.replace("\u2019", "'").lower() not in _NOT_NAMES
            and not _SENTENCE_END.search(text[max(0, match.start() - 8) : match.start()])
        ):
            return True
    return False


_GOAL = Pattern(
    r"\blong[- ]term\b|\b(?:life|career|ultimate|main|biggest|big) (?:goal|dream|ambition)s?\b"
    r"|\b(?:goal|dream|ambition|aspiration)s? (?:is|are|of|to|for|include)\b|'s (?:goal|dream|ambition)s?\b"
    r"|\b(?:aims?|aiming|aspires?|hopes?|dreams?|plans?|wants?|intends?|saving up|training|studying|working) "
    r"(?:to|of|towards?) (?:one day )?"
    r"(?:become|be(?=com)|becom|be an?\b|retir|graduat|own|start(?:ing)? (?:an?|his|her|their|my|a new)\b"
    r"|launch|found|emigrat|mov|run(?:ning)? (?:a |the )?(?:half )?marathon"
    r"|learn|master|publish|writ(?:e|ing) a (?:book|novel)|buy(?:ing)? a (?:house|home|flat)|build|sav(?:e"
    r"|ing) for|get(?:ting)? (?:a degree|promoted))"
    r"|\bby (?:the end of )?20\d\d\b|\b(?:with)?in (?:the next )?(?:\d+|two|three|four|five|six|ten"
    r"|twenty) years\b",
    re.IGNORECASE,
)


def has_long_term_goal(text: str) -> bool:
    """Whether the text states what the user wants to reach over months or years."""
    return _GOAL.search(text.replace("\u2019", "'")) is not None


_HEDGE = Pattern(
    r"\b(?:might|maybe|perhaps|possibly|presumably|someday|some day|somehow|unsure|undecided|at some point"
    r"|i guess|i suppose)\b"
    r"|\b(?:not|n't)(?: really| entirely| quite| so| too| 100%)? (?:sure|certain|decided)\b|\bn't (?:sure"
    r"|certain|decided)\b"
    r"|\b(?:toying with|(?<!\bme )(?<!\bus )thinking (?:about|of)|consider(?:s|ing)|wonder(?:s|ing)? (?:if"
    r"|whether|about)"
    r"|leaning towards?)\b"
    r"|(?:^|\b(?:is|are|am|was|were|be|feels?|just|only|i|we|they|he|she|it|user|but|and) |'[ms] |'re "
    r"|, )(?:kind|sort) of\b"
    r"|\bor something\b|\bone of these days\b|\bprobably\b|\bcould (?:be|possibly)\b|\bsupposedly\b",
    re.IGNORECASE,
)
# The month has a capital; the verb does not.
_MAY = Pattern(r"(?<!in )(?<!of )(?<!\d )\bmay (?!\d)[a-z]")


#: At least one of these is in every hedge; most texts have none.
_HEDGE_SIGNS = signs(
    "might|maybe|perhaps|possibly|presumably|someday|some day|somehow|unsure|undecided|some point|i guess|i suppose"
    "|sure|certain|decided|toying|thinking|consider|wonder|leaning|kind of|sort of|something|one of these"
    "|probably|could be|could possibly|supposedly|may "
)
_HEDGE_SIGN = any_of(_HEDGE_SIGNS)


def is_vague(text: str) -> bool:
    """Whether the speaker hedges."""
    if not _HEDGE_SIGN.search(plain(text)):
        return False
    text = text.replace("\u2019", "'")
    return _HEDGE.search(text) is not None or _MAY.search(text) is not None


_STATE = (
    r"(?:tired|hungry|thirsty|sleepy|bored|busy|exhausted|stressed|sick|cold|hot|sad|angry|upset|annoyed"
    r"|stuck|hung ?over"
    r"|late|lost|confused|in a (?:meeting|hurry|rush)|on (?:a call|the phone|the (?:bus|train|way))|feeling"
    r"|waiting|eating"
    r"|driving|cooking|debugging|at the (?:gym|airport|office|dentist|doctor))"
)
_PASSING = Pattern(
    r"\b(?:right now|at the moment|for now|for the time being|just now|tonight|tomorrow|yesterday|temporarily"
    r"|this (?:week|weekend|morning|afternoon|evening|month)|later today|earlier today|in an? (?:hour|minute)"
    r"|last night)\b"
    r"|(?:\b(?:am|is|are|was|feels?|feeling|'m|'s)) (?:still |so |very |really |a bit |currently |now |too "
    r"|quite )*"
    rf"{_STATE}(?! of\b| to (?:jazz|music))\b|\b(?:currently|now) {_STATE}\b",
    re.IGNORECASE,
)
# With a capital inside a sentence it is a newspaper.
_TODAY = Pattern(r"\btoday\b|^Today\b|[.!?] Today\b|\bTODAY\b")


def is_temporary(text: str) -> bool:
    """Whether the text tells of a passing state; "currently working at" lasts, "currently tired" does not."""
    text = text.replace("\u2019", "'")
    return _PASSING.search(text) is not None or _TODAY.search(text) is not None
