"""The judge's rules: what a conversation tells about its user that is worth keeping, found without a model.

`judge` reads the user's new messages, clause by clause, and proposes memories, todos and forgettings; what looked like a
statement and is none is listed with the reason. It is precise before complete: a wrong memory is worse than a missed one.
English is read; other languages yield nothing rather than junk. It stores nothing and asks nobody: `curation` decides
what becomes of a proposal. A model does the same work behind `llm.judge`, and these rules take over where it fails.

The rules are loaded when one is first asked for: they are many, and a program that only recalls needs none.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.language.judge.reading import Reading, judge

__all__ = ["Reading", "judge"]


def __getattr__(name: str) -> object:
    """Load the rules at the first use."""
    if name not in __all__:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module("recollect.language.judge.reading"), name)
