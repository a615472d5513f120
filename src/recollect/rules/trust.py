"""Who said a thing, and what that permits.

A memory keeps the origin of its words, and what is derived keeps the lowest trust of its sources. Only
the user, or the operator speaking through the system role, can put a fact into the profile or pin it:
what merely an assistant, a tool or an import said could have been planted. `instructs_model` recognises
text that addresses the model instead of stating a fact. It does not decide what happens then; such text
is kept, flagged and shown as a quotation. A classifier model was rejected: the check must work offline,
on every line, at once. Its patterns therefore prefer missing a sly sentence to flagging an ordinary one.
"""

import unicodedata
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

from recollect.language.order_to_model import orders_about
from recollect.language.pattern import Pattern


class Origin(StrEnum):
    """Who said the words a memory was made from."""

    USER = "user"
    ASSISTANT = "assistant"
    TOOL = "tool"
    SYSTEM = "system"
    IMPORT = "import"


class Source(StrEnum):
    """By which way a memory came into the store."""

    TOOL = "tool"
    SHADOW_EXTRACTION = "shadow_extraction"
    SEEDED_PROFILE = "seeded_profile"
    CURATED_FOLD = "curated_fold"
    IMPORT = "import"
    MANUAL = "manual"


# Highest trust first. The user knows themself; the operator wrote the system prompt; a tool reports what
# it fetched; an import claims what somebody else recorded; an assistant may have made it up.
_ORDER = (Origin.USER, Origin.SYSTEM, Origin.TOOL, Origin.IMPORT, Origin.ASSISTANT)
_RANK = {origin: rank for rank, origin in enumerate(_ORDER)}
_VOUCHED = frozenset({Origin.USER, Origin.SYSTEM})


def lowest(origins: Iterable[Origin]) -> Origin:
    """The origin that a thing derived from these inherits; words from nowhere are trusted least."""
    return max(origins, key=_RANK.__getitem__, default=_ORDER[-1])


def outranks(first: Origin, second: Origin) -> bool:
    """Whether the first origin is trusted more than the second."""
    return _RANK[first] < _RANK[second]


def may_be_profile(origin: Origin) -> bool:
    """Whether words of this origin can become part of the profile without the user confirming them."""
    return origin in _VOUCHED


def may_pin(origin: Origin) -> bool:
    """Whether words of this origin can be pinned without the user confirming them."""
    return origin in _VOUCHED


_INVISIBLE = "\u200b\u2060\u2061\u2062\u2063\u2064\ufeff\u180e"
_BIDI_OVERRIDES = "\u202d\u202e"
# A hidden alphabet: invisible twins of ASCII. Flags of regions use it too, after a black flag.
_TAG_TEXT = Pattern("(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0020-\U000e007e]")
# One stray zero-width space comes from copying a web page; a run of them or several are put there.
_HIDDEN = Pattern(f"[{_BIDI_OVERRIDES}]|[{_INVISIBLE}]{{2}}")
_MANY_INVISIBLE = 4
_REMOVED = dict.fromkeys(map(ord, _INVISIBLE + "\u200c\u200d\u00ad"), None)

#: Characters of texts whose answers are kept.
_SHORT = 1000


def instructs_model(text: str) -> bool:
    """Whether the text addresses the model with orders, or hides something from the reader's eye."""
    return _instructs_again(text) if len(text) <= _SHORT else _instructs(text)


@lru_cache(maxsize=8192)
def _instructs_again(text: str) -> bool:
    """The same lines are asked about turn after turn."""
    return _instructs(text)


def _instructs(text: str) -> bool:
    if hides_text(text):
        return True
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_REMOVED)).replace("\u2019", "'")
    return orders_about(text.lower())


def hides_text(text: str) -> bool:
    """Whether a text hides something from the reader's eye: invisible letters, or many gaps without a width."""
    if text.isascii():
        return False
    if _TAG_TEXT.search(text) or _HIDDEN.search(text):
        return True
    # A byte order mark at the very start is an editor's habit, not a trick.
    return sum(text.count(char, 1) for char in _INVISIBLE) >= _MANY_INVISIBLE
