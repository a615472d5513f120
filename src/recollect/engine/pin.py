"""Pin: set, change, move and remove by hand the facts that appear in every context of a chat."""

import logging
from dataclasses import dataclass, replace
from functools import partial

from recollect.engine.parts import Parts
from recollect.errors import InvalidInput, NotFound
from recollect.records.chat import check_persona
from recollect.records.message import check_name
from recollect.records.pin import (
    DEFAULT_IMPORTANCE,
    Pin,
    PinType,
    check_pin_content,
    check_pin_count,
    check_pin_importance,
    parse_pin_type,
)
from recollect.store import chats, messages, pins
from recollect.store.database import Connection

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class PinRequest:
    """S0's CreatePinRequest, as given."""

    content: str
    source_message_id: str | None = None
    importance_score: float = DEFAULT_IMPORTANCE
    pin_type: str = PinType.MANUAL


@dataclass(frozen=True, slots=True, kw_only=True)
class PinEdit:
    """The changes to make; None leaves a value unchanged."""

    content: str | None = None
    importance_score: float | None = None
    pin_type: str | None = None
    #: The chat to move it to.
    chat_id: str | None = None


async def add(
    parts: Parts, user_id: str, chat_id: str, request: PinRequest, *, persona_id: str | None
) -> Pin:
    """Pin a fact, creating the chat if it is new. If a manual pin already has the same text, return that pin."""
    content = check_pin_content(request.content)
    (count,) = await parts.count([content])
    now = parts.now()
    pin = Pin(
        user_id=user_id,
        pin_id=parts.new_id(now),
        chat_id=chat_id,
        content=content,
        source_message_id=request.source_message_id,
        importance_score=check_pin_importance(request.importance_score),
        pin_type=parse_pin_type(request.pin_type),
        tokens=count,
        created_at=now,
    )

    def work(tx: Connection) -> Pin:
        chat = chats.ensure(tx, user_id, chat_id, persona_id, now)
        check_persona(chat, persona_id)
        if pin.source_message_id is not None:
            source = messages.get(tx, user_id, pin.source_message_id)
            if source is None or source.chat_id != chat_id:
                raise NotFound(
                    f"source_message_id names no message of chat {chat_id!r}.", id=pin.source_message_id
                )
        if (known := _known(tx, pin)) is not None:
            return known
        check_pin_count(pins.count(tx, user_id, chat_id), chat_id)
        pins.insert_many(tx, [pin])
        return pin

    stored = await parts.database.write(user_id, work)
    if stored is pin:
        log.info("pin.added user=%s chat=%s pin=%s type=%s", user_id, chat_id, pin.pin_id, pin.pin_type)
    return stored


def _known(tx: Connection, pin: Pin) -> Pin | None:
    """The manual pin with the same text and importance; automatic pins do not count, as they follow their message."""
    same = (
        known
        for known in pins.of_chat(tx, pin.user_id, pin.chat_id)
        if not known.derived
        and (known.content, known.importance_score, known.pin_type, known.source_message_id)
        == (pin.content, pin.importance_score, pin.pin_type, pin.source_message_id)
    )
    return next(same, None)


async def edit(parts: Parts, user_id: str, pin_id: str, change: PinEdit) -> Pin:
    """Change a pin, or move it to another chat."""
    if change == PinEdit():
        raise InvalidInput("Nothing to change: give content, importance_score, pin_type or chat_id.")
    content = check_pin_content(change.content) if change.content is not None else None
    count = (await parts.count([content]))[0] if content is not None else 0
    return await parts.database.write(user_id, partial(_edit, user_id, pin_id, change, content, count))


def _edit(user_id: str, pin_id: str, change: PinEdit, content: str | None, count: int, tx: Connection) -> Pin:
    pin = found(tx, user_id, pin_id)
    if change.importance_score is not None:
        pin = replace(pin, importance_score=check_pin_importance(change.importance_score))
    if change.pin_type is not None:
        pin = replace(pin, pin_type=parse_pin_type(change.pin_type))
    if content is not None:
        # From now on it contains a person's text, not text that a rule derived from its message.
        pin = replace(pin, content=content, tokens=count, derived=False)
    if change.chat_id is not None:
        chat_id = check_name(change.chat_id, field="chat_id")
        if chats.get(tx, user_id, chat_id) is None:
            raise NotFound(f"There is no chat {chat_id!r}.", id=chat_id)
        if chat_id != pin.chat_id:
            check_pin_count(pins.count(tx, user_id, chat_id), chat_id)
        pin = replace(pin, chat_id=chat_id, derived=False)
    pins.update(tx, pin)
    return pin


async def remove(parts: Parts, user_id: str, pin_id: str) -> None:
    """Remove a pin; its message stays."""

    def work(tx: Connection) -> None:
        found(tx, user_id, pin_id)
        pins.delete(tx, user_id, pin_id)

    await parts.database.write(user_id, work)
    log.info("pin.removed user=%s pin=%s", user_id, pin_id)


def found(tx: Connection, user_id: str, pin_id: str) -> Pin:
    """One of this user's pins."""
    pin = pins.get(tx, user_id, pin_id)
    if pin is None:
        raise NotFound(f"There is no pin {pin_id!r}.", id=pin_id)
    return pin
