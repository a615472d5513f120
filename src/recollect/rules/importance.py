"""How much a memory and a message matter, 0-10, when they are stored.

A memory starts with the importance of its category, adjusted by what the text shows: an explicit request, specific details, a
long-term goal, vagueness, a passing state. A safety-critical fact has at least 10, an illness or a medicine 9: by its
category alone an allergy would leave the profile after a week. `records/memory` computes the present value from age and use.

A message (S0's calculateImportance) has 5, +2 for a domain term, +1 for a question mark, +1 for the user, -1 under 20 characters.
A safety-critical statement has 10: an allergy, an emergency contact, an overdose, thoughts of suicide, a do-not-resuscitate
order. The user or the operator must state it: "What is anaphylaxis?" asks, and an assistant only repeats. A doubt counts here,
unlike for pins: "I think I took too many pills" must not wait for certainty.

Both are rules and not a model, because a write calls no model and the same sentence must always weigh the same.
"""

import re
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

from recollect.language import danger
from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, plain, signs
from recollect.records.category import TRAITS, Category
from recollect.records.memory import HIGHEST, LOWEST, Origin
from recollect.records.message import Role
from recollect.rules.trust import may_pin
from recollect.rules.vocabulary import Vocabulary

if TYPE_CHECKING:
    from recollect.language.clause import Clause


EXPLICIT_REQUEST = 2.0
SPECIFIC_DETAILS = 1.0
LONG_TERM_GOAL = 1.0
VAGUE = -2.0
TEMPORARY = -2.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Importance:
    """A value with its reasons, for display."""

    value: float
    reasons: tuple[str, ...]


def stored(category: Category, text: str, *, explicit_request: bool = False) -> Importance:
    """The importance of a new memory."""
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
    """Whether the text asks to be remembered; "User cannot remember names" does not."""
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
# Capitalised words that are no names.
_NOT_NAMES = frozenset(
    {"i", "i'm", "i've", "i'd", "i'll", "user", "user's", "users", "ok", "mr", "mrs", "ms", "dr"}
)


def has_details(text: str) -> bool:
    """Whether the text has names, numbers or dates; the capital at the start of a sentence is no name."""
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
    """Whether the text states a goal for months or years."""
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


#: Every hedge contains one of these; most texts contain none.
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
# With a capital inside a sentence, "Today" is a newspaper.
_TODAY = Pattern(r"\btoday\b|^Today\b|[.!?] Today\b|\bTODAY\b")


def is_temporary(text: str) -> bool:
    """Whether the text describes a passing state; "currently working at" lasts, "currently tired" does not."""
    text = text.replace("\u2019", "'")
    return _PASSING.search(text) is not None or _TODAY.search(text) is not None


#: S0's life-threatening facts, and what S3 preloads in every conversation.
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
    """The least importance of a statement about "User": 10 if safety-critical, 9 for an illness or a medicine, else 0."""
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


BASE = 5.0
DOMAIN_TERMS = 2.0
QUESTION = 1.0
FROM_USER = 1.0
SHORT = -1.0
#: Characters; S0.
SHORT_BELOW = 20
#: Characters at either end that are searched for danger; between them is pasted text.
READ = 10_000


def score(text: str, role: Role, vocabulary: Vocabulary) -> float:
    """The importance of a message."""
    if is_life_critical(text, role):
        return HIGHEST
    value = BASE
    if vocabulary.occurs_in(text):
        value += DOMAIN_TERMS
    if "?" in text or "\uff1f" in text:
        value += QUESTION
    if role is Role.USER:
        value += FROM_USER
    if len(text) < SHORT_BELOW:
        value += SHORT
    return min(max(value, LOWEST), HIGHEST)


#: Roles that can state a danger.
_STATING = frozenset(role for role in Role if may_pin(Origin(role.value)))
#: Sentences of a prompt, as opposed to a notice.
_PROMPT = re.compile(
    r"\b(?:you|your|the user|users|if|when|must|should|never|always|do not|don't|respond|provide|escalate"
    r"|topics?)\b",
    re.IGNORECASE,
)


def is_life_critical(text: str, role: Role) -> bool:
    """Whether a message states something safety-critical; doubts count, questions and stories do not."""
    if role not in _STATING or (role is Role.SYSTEM and _PROMPT.search(text)):
        return False
    if not danger.may_be_dangerous(text):
        return False
    if len(text) > 2 * READ:
        text = f"{text[:READ]}\n{text[-READ:]}"
    # Deferred: compiling their patterns is heavy, and few messages get here.
    from recollect.language.clause import clauses
    from recollect.language.health_statement import closed_up
    from recollect.language.pinning.carried_subject import with_subjects

    return any(_is_threat(clause) for clause in with_subjects(clauses(closed_up(text))))


def _is_threat(clause: "Clause") -> bool:
    # Deferred, as above: heavy.
    from recollect.language import health_statement
    from recollect.language.clause import Mood, without_lead

    if clause.mood is Mood.SUPPOSED:
        return False
    own = without_lead(clause.text)
    if clause.mood is Mood.ASKED:
        return health_statement.implied(own) is not None
    fact = health_statement.stated(own)
    if fact is not None and fact.importance >= health_statement.LIFE_THREATENING:
        return True
    return danger.states_danger(own)
