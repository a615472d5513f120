"""The material of the spine: what is remembered, what the user's own words tell, and what is open.

Memories come first, then the lasting sentences of the user's messages, in the third person; the careful rules of
`worth` decide which those are, as for anything that nobody asked to keep. It does not know who writes the spine, nor
the version before: that may have been corrected since.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from recollect.domain.category import MemoryType
from recollect.domain.draft import Request, compose
from recollect.domain.importance import is_temporary
from recollect.domain.memory import MemoryRecord
from recollect.domain.message import Message, Role
from recollect.domain.sentence import Kind, sentences
from recollect.errors import InvalidInput

#: Characters. Who tells about themselves is brief; a longer message holds a document, and its sentences are not theirs.
MAX_TEXT = 1500
#: Addressed to the assistant, or to the readers of something pasted.
_TO_YOU = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
_USER = re.compile(r"\bUser\b")


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
        for sentence in sentences(message.text):
            if sentence.kind is Kind.PROSE and (told := _told(sentence.text)):
                found.pop(told.text.casefold(), None)
                found[told.text.casefold()] = told
    return list(found.values())[::-1]


def _told(sentence: str) -> Lasting | None:
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
    return Lasting(text=draft.content, type=draft.type)
