"""Pinning: which facts of a message are pinned without being asked for, and what becomes of the pins that are there.

`reading` finds the facts of one message, with the rules of `standing_wish`, `formula` and `health_statement`; `subject_keys`
says what a pin is about; `merging` decides which pins come, are replaced and go. Everything here is pure: it stores
nothing, makes no ids and counts no tokens.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from recollect.language.pinning.merging import PinChanges, merge, said_again
    from recollect.language.pinning.reading import LONGEST, MOST, READ, PinDraft, auto_pins, told
    from recollect.language.pinning.subject_keys import may_be_about, subjects

#: Where each name lives. Imported when first used: compiling the patterns takes longer than all other imports.
_HOMES = {
    "LONGEST": "reading",
    "MOST": "reading",
    "PinChanges": "merging",
    "PinDraft": "reading",
    "READ": "reading",
    "auto_pins": "reading",
    "may_be_about": "subject_keys",
    "merge": "merging",
    "said_again": "merging",
    "subjects": "subject_keys",
    "told": "reading",
}

__all__ = [
    "LONGEST",
    "MOST",
    "READ",
    "PinChanges",
    "PinDraft",
    "auto_pins",
    "may_be_about",
    "merge",
    "said_again",
    "subjects",
    "told",
]


def __getattr__(name: str) -> object:
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value = globals()[name] = getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)
    return value
