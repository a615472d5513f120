"""Unpin: when the user wants a fact forgotten, delete the automatic pins that state it.

A pin is in every context of its chat, so a user who asked to forget an allergy would keep seeing it. A pin that says more
stays, and so does a manual one, which was a separate request. This module does not know who asked and erases no memory.
"""

from collections.abc import Sequence

from recollect.language import pinning
from recollect.language.sign import plain
from recollect.records.pin import Pin
from recollect.rules.duplicate import telling
from recollect.store import pins
from recollect.store.database import Connection

#: Letters of a stem that its word has in every form ("allerg" in "allergies").
_STEM = 4


def pins_saying(tx: Connection, user_id: str, statements: Sequence[str]) -> list[Pin]:
    """The automatic pins in any chat that say nothing but one of these statements."""
    stems = {term[:_STEM] for statement in statements for term in telling(statement)}
    if not stems:
        return []
    return [
        pin
        for pin in pins.derived_of_user(tx, user_id)
        # Most pins share no word with a statement, and searching for stems is cheaper than comparing.
        if any(stem in plain(pin.content) for stem in stems)
        and any(pinning.said_again(statement, pin.content) for statement in statements)
    ]


def unpin(tx: Connection, gone: list[Pin]) -> list[Pin]:
    """Delete these pins and return them, for counting and erasure."""
    pins.delete_many(tx, gone)
    return gone
