"""Support: whether what a model says about a user is borne out by the user's own words.

Half of the telling words and every name and number must have been said, by the user or in the question that the user
answers; what was asked, supposed or denied does not bear out a statement. It compares words and knows no meaning: a true
paraphrase in other words is lost, and that is the price. A second model as the examiner was rejected: it can be talked
into the same mistake, and it must be paid.
"""

import re
from collections.abc import Set
from dataclasses import dataclass

from recollect.language.clause import Mood, clauses, without_lead
from recollect.language.danger import is_dangerous
from recollect.language.explicit_request import strip_request
from recollect.language.judge.lexicon import RELATED
from recollect.language.pattern import Pattern
from recollect.language.sentence import ends_as_question, sentences
from recollect.language.terms import STOP_WORDS, terms
from recollect.rules.importance import is_vague

#: Of the telling words of a statement; half leaves room for "is named" and the like.
_SHARE = 0.5

_WORD = re.compile(r"[^\W_](?:[\w.'\u2019+#&-]*[\w+#])?")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NUMBER_WORDS = {
    word: str(number)
    for number, word in enumerate(
        "two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen"
        " eighteen nineteen twenty".split(),
        2,
    )
}
_DENIED = Pattern(
    r"\b(?:not|never|no|none|nobody|nothing|without|cannot|\w+n't|dont|doesnt|isnt|cant|wont|nicht|keine?[nrms]?|nie|pas"
    r"|jamais|nunca|jamás|non|mai|não)\b"
    # Words that deny by themselves, so that "can't stand" and "dislikes" agree.
    r"|\b(?:dislik\w+|hat(?:e|es|ed|ing)|avoid\w*|refus\w+|quit\w*|stopp\w+|gave up|gives? up|former\w*|unable|lacks?|against"
    r"|detest\w*|can not|no longer|used to|ex)\b",
    re.IGNORECASE,
)
#: A yes, and what makes it less than one.
_AGREED = Pattern(
    r"\W*(?:(?:yes|yeah|yep|yup|yea|correct|right|exactly|sure|indeed|true|absolutely|definitely|of course|that's (?:right"
    r"|correct|it|me)|ja|genau|stimmt|oui|sí|si|sim|да)\b|i (?:do|am|did|have|was|will)\W*$|[是对]|はい|네)",
    re.IGNORECASE,
)
_YES_BUT = Pattern(r"\b(?:but|except|although|though|only|sometimes|if|unless)\b", re.IGNORECASE)
#: Words of an answer that is no more than a yes.
_LONGEST_YES = 8
#: How a clause begins that tells of somebody else, and what shows that the user has a part in it.
_OTHERS = Pattern(
    rf"(?:{RELATED}|(?:s?he|they)(?:'s|'re)?\b|(?-i:[A-Z][a-z]+)(?= (?:is|has|was|\w+[^s\W]s)\b))",
    re.IGNORECASE,
)
_OWN_PART = Pattern(r"\b(?:i|i'm|i've|i'd|i'll|me|we|we're|us)\b", re.IGNORECASE)
_OF_USER = Pattern(r"User (?!and\b)")
_CHOICE = Pattern(r"\bor\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Support:
    """What bears a statement out."""

    #: The user's sentence that is nearest to it.
    said: str
    #: Why it is not borne out; None: it is.
    missing: str | None = None


def support(
    statement: str, text: str, *, asked: str = "", known: Set[str] = frozenset(), doubtless: bool = True
) -> Support:
    """Hold a statement against a message, the question that it answers, and the terms of known names.

    `doubtless`: what was asked or said in doubt does not bear it out either.
    """
    telling = _telling(statement)
    missing = unsaid(statement, text, asked=asked, known=known)
    if missing is None and telling.isdisjoint(terms(text)):
        missing = _unanswered(text, asked)
    elif missing is None:
        missing = _unstated(statement, telling, text, doubtless=doubtless)
    return Support(said=_nearest_sentence(telling, text) or text.strip(), missing=missing)


def unsaid(statement: str, text: str, *, asked: str = "", known: Set[str] = frozenset()) -> str | None:
    """Which part of a statement was never said; None: all that counts was."""
    telling = _telling(statement)
    if not telling:
        return "it says nothing"
    said = frozenset(terms(f"{text} {asked}")) | known
    if absent := numbers_in(statement) - numbers_in(f"{text} {asked}"):
        return f"the number {min(absent)[:40]} was not said"
    for name in _names(statement):
        if not said.issuperset(terms(name)):
            return f"the name {name[:40]!r} was not said"
    if len(telling & said) < _SHARE * len(telling):
        return "most of its words were not said"
    return None


def question_in(text: str) -> str:
    """What a reply asks; the rest of it may be anything."""
    return " ".join(piece.text for piece in sentences(text) if ends_as_question(piece.text))


def numbers_in(text: str) -> frozenset[str]:
    """The numbers of a text, in digits; the small ones also when they are written out."""
    digits = (found.replace(",", "").rstrip(".:") for found in _NUMBER.findall(text))
    words = (_NUMBER_WORDS.get(word) for word in re.findall(r"[a-z]+", text.lower()))
    return frozenset(digits) | frozenset(number for number in words if number)


def _telling(statement: str) -> frozenset[str]:
    return frozenset(terms(statement)) - {"user"}


def _names(statement: str) -> list[str]:
    """Words with a capital; "User" and small words that only open a sentence are no names."""
    return [
        word
        for word in _WORD.findall(statement)
        if any(char.isupper() for char in word)
        and word.replace("\u2019", "'") not in ("User", "User's", "I")
        and word.lower() not in STOP_WORDS
    ]


def _unstated(statement: str, telling: frozenset[str], text: str, *, doubtless: bool) -> str | None:
    """Whether the user meant it: what they asked, supposed, doubted or denied they did not state."""
    found = clauses(text)
    if not found:
        return "it is material for a task, not a statement"
    nearest = max(found, key=lambda clause: len(telling.intersection(terms(clause.text))))
    # "Don't forget that I love opera" denies nothing.
    bare = strip_request(nearest.text)[0]
    if bool(_DENIED.search(statement.replace("\u2019", "'"))) != bool(_DENIED.search(bare)):
        return "it turns what was said around"
    if _is_of_another(statement, telling, nearest.text):
        return "it was said of somebody else"
    # A warning in doubt is worth more than a certainty about tea; whoever asks to keep a thing states it.
    if is_dangerous(nearest.text) or strip_request(text)[1]:
        return None
    if nearest.mood is Mood.SUPPOSED:
        return "it was supposed or quoted, not stated"
    if doubtless and nearest.mood is Mood.ASKED:
        return "it was asked, not stated"
    if doubtless and is_vague(nearest.text):
        return "it was said in doubt"
    return None


def _is_of_another(statement: str, telling: frozenset[str], clause: str) -> bool:
    """Whether the statement makes the user's what the clause says of a relative or a stranger."""
    other = _OTHERS.match(without_lead(clause))
    return (
        other is not None
        and _OF_USER.match(statement) is not None
        and not _OWN_PART.search(clause)
        and telling.isdisjoint(terms(other.group()))
    )


def _unanswered(text: str, asked: str) -> str | None:
    """A message without a word of the statement must be a plain yes to one question."""
    plain = text.replace("\u2019", "'").strip()
    qualified = _YES_BUT.search(plain) or _DENIED.search(plain) or len(plain.split()) > _LONGEST_YES
    if qualified or not _AGREED.match(plain):
        return "the user did not say it"
    return "the question left a choice" if _CHOICE.search(asked) else None


def _nearest_sentence(telling: frozenset[str], text: str) -> str:
    found = [piece.text for piece in sentences(text)]
    return max(found, key=lambda piece: len(telling.intersection(terms(piece))), default="")
