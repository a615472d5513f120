"""The gist: summaries, digests and the spine by rules, without a model; they are made of sentences that somebody said.

`own_words` tells the user's words from others', `user_message` and `reply` what is said, one thing at a time, `weight`
what a sentence weighs; `line` makes lines of both. `likeness` finds what is said twice, corrected or done, `topic` what a question was about, `summary` packs the heaviest lines into briefs, segments and
rolling summaries, `session` fills the digest of a session (`left_open`, `people`), `spine` the four sections of the long view. Everything is
pure, so the same turns always give the same text. It does not know when a summary is due, nor who reads it.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.language.gist.session import session_digest
    from recollect.language.gist.spine import spine_content
    from recollect.language.gist.summary import brief, fold, rolling, segment, segment_importance

#: Where each name lives. Imported when first used: compiling the patterns takes longer than all other imports.
_HOMES = {
    "brief": "summary",
    "fold": "summary",
    "rolling": "summary",
    "segment": "summary",
    "segment_importance": "summary",
    "session_digest": "session",
    "spine_content": "spine",
}

__all__ = [
    "brief",
    "fold",
    "rolling",
    "segment",
    "segment_importance",
    "session_digest",
    "spine_content",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value
