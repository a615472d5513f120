"""The material of the spine: what is remembered, what the user's own words tell, and what is open.

Memories come first, then the lasting sentences of the user's own words, in the third person; the careful rules of
`worth` decide which those are, as for anything that nobody asked to keep. A spine is read months later, alone: words
for a day become dates, and a sentence that still needs its day or the sentence before it is left out. It does not know
who writes the spine, nor the version before: that may have been corrected since.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime

from recollect.errors import InvalidInput
from recollect.language.gist.own_words import heard, spoken
from recollect.language.judge.dated import dated
from recollect.language.sentence import Kind
from recollect.records.category import MemoryType
from recollect.records.memory import MemoryRecord
from recollect.records.message import Message, Role
from recollect.rules.draft import Request, compose
from recollect.rules.importance import is_temporary

#: Characters. Who tells about themselves is brief; a longer message holds a document, and its sentences are not theirs.
MAX_TEXT = 1500
#: Addressed to the assistant, or to the readers of something pasted.
_TO_YOU = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
_USER = re.compile(r"\bUser\b")
#: A day that only those know who know when it was said; what comes back ("on Mondays", "every Friday") is none.
_DAY_OF_THEN = re.compile(
    r"\b(?:today|tonight|yesterday|tomorrow|(?:this|last|next|coming) (?:week|weekend|month|year|morning|afternoon|evening|night|spring|summer"
    r"|autumn|fall|winter|\w+day)|in (?:an?|one|two|three|four|five|six|a few|a couple of|\d+) (?:minutes?|hours?|days?|weeks?|months?)|soon|later|just now"
    r"|(?<!every )(?<!each )(?<!days on )(?:mon|tues|wednes|thurs|fri|satur|sun)day(?! \d|,? (?:the )?\d))\b",
    re.IGNORECASE,
)
_COMES_BACK = re.compile(r"\b(?:every|each|usually|always|often|weekly|regularly)\b", re.IGNORECASE)
#: What a word that points may point to within its sentence.
_THING = re.compile(r"\b(?:an?|the|User's|his|her|their) [\w'-]+|(?<=[a-z] )(?!User\b)[A-Z]\w+")
_POINTS = re.compile(
    r"\b(?:it|them|they|these|those|this|he|she|him|ones?|there|here)\b(?! (?:day|week|month|year|time|of)\b)|\bthat(?=[.!,;]|$)",
    re.IGNORECASE,
)
#: These lean on what was said before, whatever stands in front of them.
_LEANS = re.compile(
    r"\b(?:about|for|with|of|to|on|from|at) (?:it|them|this|that|these|those)\b(?! \w+)|\b(?:about|with) (?:it|them|this|that|him|her)(?= \w+day| \d| on |\W*$)|\bth(?:at|is)\W*$"
    r"|\b(?:too|either|instead|as well|again)\W*$|[:,;\u2013\u2014-]\W*$|\b(?:the (?:former|latter|same|other) ?(?:one)?)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SpineMaterial:
    """What a new version is written from: statements, best first."""

    profile: tuple[str, ...] = ()
    projects: tuple[str, ...] = ()
    people: tuple[str, ...] = ()
    open_loops: tuple[str, ...] = ()


def spine_material(
    known: Iterable[MemoryRecord], said: Iterable[Message], loops: Iterable[str]
) -> SpineMaterial:
    """Memories first, then what was said and is not a memory yet."""
    facts: dict[MemoryType, list[str]] = {kind: [] for kind in MemoryType}
    for memory in known:
        facts[memory.type].append(memory.content)
    for told in lasting(said):
        facts[told.type].append(told.text)
    return SpineMaterial(
        profile=tuple(facts[MemoryType.PROFILE]),
        projects=tuple(facts[MemoryType.PROJECT]),
        people=tuple(facts[MemoryType.PEOPLE]),
        open_loops=tuple(loops),
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Lasting:
    """A sentence that tells something worth keeping."""

    text: str
    type: MemoryType


def lasting(messages: Iterable[Message]) -> list[Lasting]:
    """What the user told, newest first, each once."""
    found: dict[str, Lasting] = {}
    for message in messages:
        if message.role is not Role.USER or len(message.text) > MAX_TEXT:
            continue
        for sentence in spoken(heard(message.text).own):
            if sentence.kind is Kind.PROSE and (told := _told(sentence.text, message.created_at)):
                found.pop(told.text.casefold(), None)
                found[told.text.casefold()] = told
    return list(found.values())[::-1]


def _told(sentence: str, said_at: datetime) -> Lasting | None:
    if is_temporary(sentence) or _TO_YOU.search(sentence):
        return None
    try:
        draft = compose(Request(content=sentence, by_caller=False), {})
    except InvalidInput:
        # Too short, too long, or not worth keeping.
        return None
    if not draft.entity_refs and _USER.search(draft.content) is None:
        # About nobody: the weather, a cry, a heap of letters.
        return None
    if not draft.content.startswith("User"):
        # Not about the user or what is theirs.
        return None
    content = dated(draft.content, said_at, UTC)
    return None if _is_fragment(content) else Lasting(text=content, type=draft.type)


def _is_fragment(content: str) -> bool:
    """Whether a sentence cannot be read alone: it leans on another, or on the day on which it was said."""
    if _LEANS.search(content) or (_DAY_OF_THEN.search(content) and not _COMES_BACK.search(content)):
        return True
    points = _POINTS.search(content)
    return points is not None and _THING.search(content, 0, points.start()) is None
