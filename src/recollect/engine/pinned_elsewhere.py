"""Pinned elsewhere: when a fact ends or resumes, update its pins in the other chats too.

A pin belongs to one chat, and the chat with the news already has the new pin. In other chats, the old pin would still
claim that a stopped medicine is taken, or that a resumed one is stopped. The new pin replaces it there, with its
importance and by the rules for all pins (`language/pinning/merging.py`); anything not clearly ended stays. Pins of other
facts from the same message and manual pins are not touched.
"""

from collections.abc import Iterable, Sequence

from recollect.encoder import tokens
from recollect.engine.parts import Parts
from recollect.engine.record import save_pins
from recollect.engine.remember import Remembered
from recollect.language import pinning
from recollect.language.ended import tells_end
from recollect.records.memory import MemoryRecord
from recollect.records.message import said_at
from recollect.records.pin import Pin, PinType
from recollect.store import pins
from recollect.store.database import Connection


def renew_elsewhere(parts: Parts, tx: Connection, user_id: str, stored: Sequence[Remembered]) -> int:
    """Update the automatic pins of facts that ended or resumed; return how many there are now."""
    news = [(result.memory, result.previous) for result in stored if result.previous is not None]
    news = [(new, old) for new, old in news if tells_end(new.content) is not tells_end(old.content)]
    if not news:
        return 0
    derived = pins.derived_of_user(tx, user_id)
    added = 0
    for new, old in news:
        for pin in _pinned(old, derived):
            added += len(save_pins(tx, user_id, pin.chat_id, [_renewed(parts, new, pin)]).added)
    return added


def _pinned(known: MemoryRecord, derived: Iterable[Pin]) -> list[Pin]:
    """The pins with the same fact as a memory: from its messages, one per chat."""
    about = pinning.subjects(known.content, PinType.AUTO)
    found: dict[str, Pin] = {}
    for pin in derived:
        if (
            pin.pin_type is PinType.AUTO
            and pin.source_message_id in known.source_message_ids
            and not about.isdisjoint(pinning.subjects(pin.content, pin.pin_type))
        ):
            found.setdefault(pin.chat_id, pin)
    return [found[chat_id] for chat_id in sorted(found)]


def _renewed(parts: Parts, memory: MemoryRecord, pin: Pin) -> Pin:
    source = max(memory.source_message_ids, default=None)
    at = (said_at(source) if source is not None else None) or memory.created_at
    content = memory.content.rstrip(".")
    return Pin(
        user_id=memory.user_id,
        pin_id=parts.new_id(at),
        chat_id=pin.chat_id,
        content=content,
        source_message_id=source,
        importance_score=pin.importance_score,
        pin_type=PinType.AUTO,
        derived=True,
        tokens=tokens.count(content),
        created_at=at,
    )
