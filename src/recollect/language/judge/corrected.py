"""What somebody takes back in the same breath: "I live in Austin, sorry, I meant Houston", "I'm a vegetarian. Not!"

The right word is put where the wrong one stood, when both are names or numbers, or follow the same preposition; else the
sentence that was corrected is cut away. Of a joke nothing stays. It errs to silence: a statement that is lost can be made
again, one that was taken back must not be kept. It knows one message and no rule.
"""

import re

from recollect.language.judge.lexicon import NAMES
from recollect.language.pattern import Pattern
from recollect.language.sign import any_of, signs

_SIGN = any_of(
    signs("i mean|sorry|wait|scratch that|strike that|correction|or rather|make that|my mistake|oops|*|no,|not!|not !|kidding|joking|jk|j/k|april fool|psych!|gotcha")
)  # fmt: skip
#: Behind these the last thing said was wrong, whatever follows.
_FIRM = (
    r"(?:(?:oh|oops|ah|er+|um+|hm+|well),? )?(?:(?:sorry|no|oops|wait)[,.!]? )*(?:i meant(?! to\b| it\b| that\b| well\b| every\b)(?: to (?:say|write|type))?"
    r"|(?:no|oh|sorry|oops|actually)[,.]? wait|(?<!can't )(?<!to )wait,? (?:no|sorry)|(?:no,? )?(?:scratch|strike) that|my mistake|oops)\b"
)
#: These correct a word and may also only go on: without a word to put in, nothing is cut.
_LOOSE = r"(?:(?:no|sorry|wait)[,.]? )*(?:i mean|or rather|make that|correction|sorry|no)\b"
_CORRECTION = Pattern(
    rf"(?:[.!?;,\n\u2026\u2013\u2014-]{{1,5}}\s{{0,3}}|\s{{1,3}})(?:(?P<firm>{_FIRM})|(?P<loose>(?<=[,.!;\n\u2026\u2013\u2014-] ){_LOOSE})|(?P<star>(?<=\s)\*)(?=\w[^*\n]*$))"
    r"[,:.!\u2026]{0,5}\s{0,3}(?P<after>[^.!?;\n]{0,200})",
    re.IGNORECASE,
)
_VALUE = rf"(?:{NAMES}|\d[\d.,:/]*(?: ?[a-z%]{{1,3}})?)"
_PUT = Pattern(
    rf"(?P<value>(?:(?P<prep>in|at|to|from|for|on|with|as|near|called|named) )?{_VALUE})(?=$|,|\s+(?:and|but|so|not|lol|haha|is|has|was|lives|works|loves|likes)\b)"
)
_LAST = Pattern(rf"(?<![\w-])(?P<last>{_VALUE}(?:, {NAMES})?)$")
_CLAUSE = Pattern(r"(?:i|i'm|i've|im|we|we're|my|our)\b \w", re.IGNORECASE)
#: "I'm vegan, I mean vegetarian": one word in the place of another, and nobody knows which.
_WORD = Pattern(
    r"(?!it\b|that\b|this\b|really|seriously|literally|obviously|wow|come\b|wh|how\b)(?:an? )?[\w-]+",
    re.IGNORECASE,
)
_NOT = Pattern(r"[^.!?\n]{1,300}[.!?\n\u2026]{1,3}\s{0,3}not ?!+", re.IGNORECASE)
_JOKE = Pattern(
    r"(?:^|(?<=[.!?,;:\n)\u2026\u2013-])|(?<=lol)|(?<=haha)|\s)\s{0,3}(?:(?:lol|haha\w*|nah|no|ok),? ){0,2}(?:(?:(?:i am|i'm|im|i was) )?(?:just|only|totally) (?:kidding|joking)|(?:i am|i'm|im) (?:kidding|joking)|(?<=[.!?,\n] )kidding|jk|j/k|april fools?'?|psych!|gotcha!)"
    r"(?=\s{0,3}(?:$|[.!?,;\n)]|lol|haha|[\u2600-\U0001faff]))",
    re.IGNORECASE,
)


def corrected(text: str) -> str:
    """The text as it was meant in the end."""
    if not _SIGN.search(text.lower()):
        return text
    if joke := _JOKE.search(text):
        # How far back a joke goes nobody knows.
        text = text[joke.end() :].lstrip(" .!?,;:)")
    text = _NOT.sub("", text)
    at = 0
    while (found := _CORRECTION.search(text, at)) is not None:
        # The sentence that was said wrongly begins behind the one before.
        start = max(text.rfind(mark, 0, found.start()) for mark in ".!?;\n") + 1
        right = _right(text[start : found.start()].rstrip(), found)
        if right is None or (found["star"] and text.count("*") > 1):
            at = found.start("after")
        else:
            text, at = f"{text[:start]}{right}{text[found.end() :]}", start + len(right)
    return text


def _right(before: str, found: "re.Match[str]") -> str | None:
    """What stays of a sentence and its correction; None when it is none."""
    after, put = found["after"], _PUT.match(found["after"])
    if put is not None and (mended := _mended(before, put)) is not None:
        return f"{mended}{after[put.end() :]}"
    if not before or (
        found["loose"] and not (found["loose"].lower().endswith("mean") and _WORD.fullmatch(after))
    ):
        return None
    return f" {after}" if _CLAUSE.match(after) else ""


def _mended(before: str, put: "re.Match[str]") -> str | None:
    """The statement with the right word in the place of its last one."""
    if put["prep"]:
        head, preposition, wrong = before.rpartition(f" {put['prep']} ")
        return f"{head} {put['value']}" if preposition and len(wrong.split()) <= 4 else None
    last = _LAST.search(before)
    if last is None or last["last"][0].isdigit() != put["value"][0].isdigit() or last.start() == 0:
        return None
    return f"{before[: last.start()]}{put['value']}"
