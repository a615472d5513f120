"""Unpin: pins by rule go with the fact that they say, when the user wants it forgotten.

A pin is in every context of its chat: a user who asked to forget an allergy must not hear of it again. A pin that says more
stays, and so does one by hand, which was a wish of its own. It does not know who asked, nor erases any memory.
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
    """The pins by rule, of any chat, that say nothing but one of these statements."""
    stems = {term[:_STEM] for statement in statements for term in telling(statement)}
    if not stems:
        return []
    return [
        pin
        for pin in pins.derived_of_user(tx, user_id)
        # Most pins share no word with a statement, and looking for pieces is cheaper than comparing.
        if any(stem in plain(pin.content) for stem in stems)
        and any(pinning.said_again(statement, pin.content) for statement in statements)
    ]


def unpin(tx: Connection, gone: list[Pin]) -> list[Pin]:
    """Delete these pins; return the same list, to count and erase."""
    pins.delete_many(tx, gone)
    return gone
