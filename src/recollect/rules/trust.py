"""Trust: what the origin of words permits, and text that tries to instruct a model.

A memory keeps the origin of its words; a derived one has the least trusted origin of its sources. Only what the user said, or
the operator through the system role, may enter the profile or be pinned: an assistant, a tool or an import could have been
manipulated. `instructs_model` recognises text that addresses the model instead of stating a fact; such text is kept, flagged
and shown as a quotation. It must work offline on every line at once, so it uses patterns and not a classifier, and prefers
missing a subtle sentence to flagging an ordinary one.
"""

import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from recollect.language.order_to_model import orders_about
from recollect.language.pattern import Pattern
from recollect.records.memory import Origin

# Most trusted first: the user, the operator's system prompt, a tool's report, an import's claim, an assistant's invention.
_ORDER = (Origin.USER, Origin.SYSTEM, Origin.TOOL, Origin.IMPORT, Origin.ASSISTANT)
_RANK = {origin: rank for rank, origin in enumerate(_ORDER)}
_VOUCHED = frozenset({Origin.USER, Origin.SYSTEM})


def lowest(origins: Iterable[Origin]) -> Origin:
    """The least trusted of these origins, which a derived memory inherits; without any, the least trusted of all."""
    return max(origins, key=_RANK.__getitem__, default=_ORDER[-1])


def outranks(first: Origin, second: Origin) -> bool:
    """Whether the first origin is trusted more than the second."""
    return _RANK[first] < _RANK[second]


def may_be_profile(origin: Origin) -> bool:
    """Whether words of this origin may enter the profile without confirmation by the user."""
    return origin in _VOUCHED


def may_pin(origin: Origin) -> bool:
    """Whether words of this origin may be pinned without confirmation by the user."""
    return origin in _VOUCHED


_INVISIBLE = "\u200b\u2060\u2061\u2062\u2063\u2064\ufeff\u180e"
_BIDI_OVERRIDES = "\u202d\u202e"
# Invisible twins of ASCII. Flags of regions use them too, after a black flag.
_TAG_TEXT = Pattern("(?<!\U0001f3f4)(?<![\U000e0020-\U000e007f])[\U000e0020-\U000e007e]")
# A single zero-width space comes from copying a web page; a run of them, or several, are intentional.
_HIDDEN = Pattern(f"[{_BIDI_OVERRIDES}]|[{_INVISIBLE}]{{2}}")
_MANY_INVISIBLE = 4
_REMOVED = dict.fromkeys(map(ord, _INVISIBLE + "\u200c\u200d\u00ad"), None)

#: Length of texts whose results are cached.
_SHORT = 1000


def instructs_model(text: str) -> bool:
    """Whether the text gives instructions to the model, or hides text from the reader."""
    return _instructs_again(text) if len(text) <= _SHORT else _instructs(text)


@lru_cache(maxsize=8192)
def _instructs_again(text: str) -> bool:
    """Cached, because the same lines are checked turn after turn."""
    return _instructs(text)


def _instructs(text: str) -> bool:
    if hides_text(text):
        return True
    if not text.isascii():
        text = unicodedata.normalize("NFKC", text.translate(_REMOVED)).replace("\u2019", "'")
    return orders_about(text.lower())


def hides_text(text: str) -> bool:
    """Whether a text hides something from the reader: invisible letters, or many zero-width spaces."""
    if text.isascii():
        return False
    if _TAG_TEXT.search(text) or _HIDDEN.search(text):
        return True
    # A byte order mark at the very start comes from editors.
    return sum(text.count(char, 1) for char in _INVISIBLE) >= _MANY_INVISIBLE
