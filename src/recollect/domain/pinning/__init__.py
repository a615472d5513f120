"""Pinning: which facts of a message are pinned without being asked for, and what becomes of the pins that are there.

`reading` finds the facts of one message, with the rules of `standing_wish`, `formula` and `health_statement`; `subjects`
says what a pin is about; `merging` decides which pins come, are replaced and go. Everything here is pure: it stores
nothing, makes no ids and counts no tokens.
"""

from recollect.domain.pinning.merging import PinChanges, merge
from recollect.domain.pinning.reading import LONGEST, MOST, READ, PinDraft, auto_pins
from recollect.domain.pinning.subjects import may_be_about, subjects

__all__ = [
    "LONGEST",
    "MOST",
    "READ",
    "PinChanges",
    "PinDraft",
    "auto_pins",
    "may_be_about",
    "merge",
    "subjects",
]
