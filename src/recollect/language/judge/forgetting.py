"""Requests to forget: "forget that I live in Lyon", "delete what you know about my ex", "that's no longer true".

Finds them and says what is to be forgotten, as the memory would say it. "Forget it", "forget about the error" and "don't
forget" ask for nothing of the kind. It deletes nothing and knows no memory: the engine names what it found and asks.
"""

import re

from recollect.language.judge.wording import sentence, trimmed, written_out
from recollect.language.pattern import Pattern
from recollect.language.phrasing import third_person
from recollect.language.sign import any_of, signs

SIGN = any_of(
    signs("forget|scrap |scratch |ignore what|disregard what|delete|erase|remove|wipe|stop remembering|stop storing|stop saving|don't store|do not store|don't remember|don't keep|don't save"
          "|no longer true|not true any|isn't true any|unlearn|scrub|drop what|clear ")
)  # fmt: skip
_POLITE = (
    r"(?:(?:hey|hi|ok|okay|and|also|oh|so|actually|please|pls|kindly|btw|by the way|can you|could you|would you|will you"
    r"|i(?:'d| would)? (?:want|like|need) you to|i want to|you (?:can|should|may|must)|just|now|then|scratch that)\b[\s,.:]*)*"
)
_KNOWN = r"(?:what(?:ever)? (?:i (?:said|told you|mentioned|wrote)|you (?:know|have|saved|stored|remember(?:ed)?|noted))|everything(?: (?:i (?:said|told you)|you (?:know|have|saved|stored)))?|all (?:the )?(?:memor(?:y|ies)|facts|info(?:rmation)?|data|notes|records|entries)(?: you have)?|anything|(?:the|your|that|any) (?:memor(?:y|ies)|facts?|info(?:rmation)?|notes?|entr(?:y|ies)|records?|data))"
_FACT = Pattern(
    rf"{_POLITE}(?:forget|unlearn|stop remembering|stop storing|stop saving|(?:don't|do not) (?:remember|store|keep|save)|delete|erase|remove|drop)\s+"
    rf"(?:(?:the|your) (?:memory|fact|note|entry|info(?:rmation)?) )?that (?P<what>(?:i|i'm|i've|my|we|our|i'd)\b.+)",
    re.IGNORECASE,
)
_ABOUT = Pattern(
    rf"{_POLITE}(?:forget|delete|erase|remove|wipe|scrub|clear|drop|unlearn|ignore|disregard|scrap|scratch)\s+{_KNOWN}\s*(?:about|of|on|regarding|concerning|with|that mentions?)\s+(?P<what>.+)",
    re.IGNORECASE,
)
_MINE = Pattern(
    rf"{_POLITE}(?:forget|delete|erase|remove|stop (?:remembering|storing|saving)|(?:don't|do not) (?:store|keep|save)|wipe|unlearn)\s+(?:about\s+)?"
    r"(?P<what>(?:my|our) (?!last|previous|question|request|message|earlier|first|file|code|branch|table|files|folder|comment|comments|duplicates?|cache|cookies|email|emails|container|row|line|node_modules|draft|paragraph|pr)(?:[\w' &.-]+))",
    re.IGNORECASE,
)
_SAID = Pattern(
    rf"{_POLITE}(?:forget|delete|erase|remove)\s+(?:what|everything) i (?:just )?(?:said|told you|mentioned)(?:\s+(?:about|regarding)\s+(?P<what>.+))",
    re.IGNORECASE,
)
_SCRATCH = Pattern(
    rf"{_POLITE}(?:scratch|scrap) (?P<what>(?!that\b|it\b|this\b|the\b|my (?:head|back)|an?\b)(?:my )?[\w' ]{{2,40}})$",
    re.IGNORECASE,
)
_NOT_TRUE = Pattern(
    r"(?:(?:no|oh|well|actually|hm+|but|and|sorry)[,.!]? +)*(?:that(?:'s| is)|this is|that isn't|that's not|this isn't)(?: all)? (?:no longer|not|isn't)? ?(?:true|the case|correct|so|valid|up to date|accurate)?(?: any ?more| any longer)?[.!]*$",
    re.IGNORECASE,
)
_ENDED = Pattern(r"no longer|any ?more|any longer", re.IGNORECASE)
_NOTHING = Pattern(
    r"(?:it|that|this|them|everything|all|me|you|him|her|these|those|nothing|what(?: i said)?|about it)?$",
    re.IGNORECASE,
)
_OF_THE_TASK = Pattern(
    r"\b(?:the (?:error|bug|code|last|previous|first|question|file|line|function|test|column|row|button|comma|word|paragraph|second|third|instructions?|rules?|prompt)|instructions?|prompts?)\b",
    re.IGNORECASE,
)
_TAIL = Pattern(
    r"[,;.]? (?:please|pls|ok(?:ay)?|thanks|thank you|delete that|it'?s (?:over|outdated|wrong|private)|i don't want (?:that|it|this)\b.*|that'?s (?:private|over|wrong|outdated|old|not true|no longer true)\b.*|from (?:your )?memory|from (?:the|my) (?:profile|record)s?|will you|would you|forever|for good|completely|too|as well|again)[.!?]*$",
    re.IGNORECASE,
)
_YOU = Pattern(
    r"(?:^|[.!?] )(?:(?:as|since|because|and|so|noted|ok|okay|sure|great|right|well)[,:]? +)*(?P<fact>(?:you|your) [^.!?]{4,120})(?=[.!,]|$)",
    re.IGNORECASE,
)
_YOURS = tuple(
    (Pattern(pattern, re.IGNORECASE), word)
    for pattern, word in (
        (r"\byou are\b|\byou're\b", "I am"),
        (r"\byou have\b|\byou've\b", "I have"),
        (r"\byour\b", "my"),
        (r"\byou\b", "I"),
    )
)


def forgetting(text: str) -> str | None:
    """What a sentence asks to forget, in the third person, or the topic; None when it asks nothing of the kind."""
    plain = text.replace("\u2019", "'")
    if match := _FACT.match(plain):
        return sentence(written_out(_without_tail(match["what"]))).rstrip(".")
    for pattern in (_ABOUT, _SAID, _MINE, _SCRATCH):
        if match := pattern.match(plain):
            topic = _without_tail(match["what"])
            if _NOTHING.match(topic) or _OF_THE_TASK.search(topic):
                return None
            return trimmed(third_person(topic))
    return None


_AND_NOW = Pattern(r"[,;.]\s+(?=(?:i|i'm|i've|my|we|we're|we've|our)\b)", re.IGNORECASE)


_SO = Pattern(
    r"[,;.]?\s+(?:so|and so|therefore|and) (?:please |you can )*(?=(?:forget|ignore|disregard|delete|erase|remove|stop (?:storing|remembering))\b)",
    re.IGNORECASE,
)


def cut(text: str) -> tuple[str, str]:
    """The request, and what the user tells behind it: "forget my Python preference, I'm moving to Rust"."""
    behind = _SO.search(text)
    if behind is not None:
        return text[behind.end() :], text[: behind.start()]
    found = _AND_NOW.search(text)
    return (text, "") if found is None else (text[: found.start()], text[found.end() :])


def _without_tail(text: str) -> str:
    while (shorter := trimmed(_TAIL.sub("", text))) != text:
        text = shorter
    return text


def no_longer_true(text: str, before: str) -> str | None:
    """What the assistant said of the user and the user calls outdated, where it said one such thing."""
    if not (_NOT_TRUE.match(text.replace("\u2019", "'")) and _ENDED.search(text)):
        return None
    said = [
        match["fact"] for match in _YOU.finditer(before.replace("\u2019", "'")) if "?" not in match["fact"]
    ]
    if len(said) != 1:
        return None
    fact = said[0]
    for pattern, word in _YOURS:
        fact = pattern.sub(word, fact)
    return sentence(fact).rstrip(".")


def asks_generally(text: str) -> bool:
    """Whether it looks like such a request without naming anything: it is worth a note why nothing was done."""
    return (
        re.match(rf"{_POLITE}(?:forget|delete|erase) (?:everything|all|that|it)\b", text, re.IGNORECASE)
        is not None
    )
