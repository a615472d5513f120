"""Lasting statements: the sentences of the user's messages that tell something worth keeping, in the third person.

The careful rules of `worth` decide, as for anything that nobody asked to keep. It stores nothing and knows no memories:
whoever needs a picture of the user from words alone (the spine) starts here.
"""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from recollect.domain.category import MemoryType
from recollect.domain.draft import Request, compose
from recollect.domain.importance import is_temporary
from recollect.domain.message import Message, Role
from recollect.domain.sentence import Kind, sentences
from recollect.errors import InvalidInput

#: Characters. Who tells about themselves is brief; a longer message holds a document, and its sentences are not theirs.
MAX_TEXT = 1500
#: Addressed to the assistant, or to the readers of something pasted.
_TO_YOU = re.compile(r"\b(?:you|your|yours|yourself)\b", re.IGNORECASE)
_USER = re.compile(r"\bUser\b")


@dataclass(frozen=True, slots=True, kw_only=True)
class Lasting:
    """One such sentence."""

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
