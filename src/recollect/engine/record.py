"""Record: store messages and everything that follows from them in one transaction.

Messages, the chat's counters, the session, the state, automatic pins and the resulting jobs are written together or not at
all. Scores, pins and token counts are computed before the transaction; no model is called. The cost does not grow with
the chat, because earlier messages are not read.
"""

import asyncio
import hashlib
import json
import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from recollect.encoder import tokens
from recollect.engine.parts import Parts
from recollect.engine.touched_sessions import TouchedSessions
from recollect.errors import Conflict, InvalidInput, NotFound
from recollect.language import pinning
from recollect.records.chat import ChatRecord, check_persona
from recollect.records.chat import grown as with_messages
from recollect.records.job import NewJob
from recollect.records.message import MAX_BATCH, Message, Role, Utterance
from recollect.records.moment import iso
from recollect.records.pin import Pin
from recollect.records.session import SessionState, rolling_due, state_after
from recollect.records.spine import spine_due
from recollect.rules import fold, follow_up
from recollect.rules.importance import score
from recollect.store import briefs, chats, idempotency_keys, messages, pins, session_states, unjudged, users
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: How long an idempotency key is remembered, as promised on the wire.
KEY_LIFE = timedelta(hours=24)
#: Prefix for keys of whole requests (`engine/idempotency`), which are stored with those of messages.
REQUEST_KEY = "http "
#: Prefix for a message key that itself begins with one of these prefixes.
_OWN_KEY = "said "
#: Characters above which the preparation runs in a thread.
_WORKED_OUT_AT_ONCE = 8000


@dataclass(frozen=True, slots=True, kw_only=True)
class Recorded:
    """The result of one call."""

    messages: tuple[Message, ...]
    #: Pins derived from the messages.
    pins: tuple[Pin, ...] = ()
    #: Whether the call is a repetition, whose original messages are returned.
    repeated: bool = False

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire; a repeated call gets the same answer as the first."""
        return {
            "messages": [message.to_dict() for message in self.messages],
            "pins": [pin.to_dict() for pin in self.pins],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class _Prepared:
    """Messages without positions, and the pins to create for them."""

    messages: list[Message]
    pins: list[Pin]


async def record(
    parts: Parts,
    user_id: str,
    chat_id: str,
    said: Sequence[Utterance],
    *,
    persona_id: str | None = None,
    key: str | None = None,
    answers: str | None = None,
) -> Recorded:
    """Store messages in a chat, in the given order, creating the chat if it is new.

    `answers` is the id of the message that they answer; if it has been forgotten, the answer is not stored.
    """
    if not 1 <= len(said) <= MAX_BATCH:
        raise InvalidInput(f"messages: give 1 to {MAX_BATCH} at a time, not {len(said)}.", field="messages")
    now = parts.now()
    counts = await parts.count([utterance.text for utterance in said])
    work = partial(_prepare, parts, user_id, chat_id, said, counts, now)
    if sum(len(utterance.text) for utterance in said) > _WORKED_OUT_AT_ONCE:
        prepared = await asyncio.to_thread(work)
    else:
        prepared = work()
    recording = _Recording(parts, user_id, chat_id, persona_id, now, answers)
    hashed = _hash(said, chat_id) if key is not None else ""
    recorded = await parts.database.write(user_id, partial(recording.run, prepared, key, hashed))
    if recording.jobs:
        parts.bell.ring()
    tell_of_pins(recording.pins)
    return recorded


def _prepare(
    parts: Parts,
    user_id: str,
    chat_id: str,
    said: Sequence[Utterance],
    counts: Sequence[int],
    now: datetime,
) -> _Prepared:
    prepared = _Prepared(messages=[], pins=[])
    for utterance, count in zip(said, counts, strict=True):
        # No message is from the future: a wrong clock would keep a session open, and forgetting relies on times.
        at = min(utterance.created_at or now, now)
        message = Message(
            user_id=user_id,
            message_id=parts.new_id(at),
            chat_id=chat_id,
            position=0,
            role=utterance.role,
            text=utterance.text,
            model_id=utterance.model_id,
            model_variant=utterance.model_variant,
            name=utterance.name,
            token_usage=utterance.token_usage,
            tokens=count,
            importance_score=score(utterance.text, utterance.role, parts.vocabulary),
            created_at=at,
        )
        prepared.messages.append(message)
        prepared.pins.extend(pins_asked(parts, message))
    return prepared


def _kept_as(key: str) -> str:
    """A key as stored: callers may choose any text, which must not collide with a request's key."""
    return _OWN_KEY + key if key.startswith((REQUEST_KEY, _OWN_KEY)) else key


def _hash(said: Sequence[Utterance], chat_id: str) -> str:
    """A hash that is equal for identical calls."""
    values = [
        [
            item.role,
            item.text,
            item.model_id,
            item.model_variant,
            item.token_usage,
            item.created_at and iso(item.created_at),
            # Only if there is one, so that calls without a name hash as they did before names existed.
            *([item.name] if item.name is not None else []),
        ]
        for item in said
    ]
    return hashlib.sha256(json.dumps([chat_id, values]).encode()).hexdigest()


class _Recording:
    """Writes messages in one transaction."""

    def __init__(
        self,
        parts: Parts,
        user_id: str,
        chat_id: str,
        persona_id: str | None,
        now: datetime,
        answers: str | None,
    ) -> None:
        self._parts = parts
        self._user_id = user_id
        self._chat_id = chat_id
        self._persona_id = persona_id
        self._now = now
        self._answers = answers
        self.jobs: list[NewJob] = []
        self.pins = pinning.PinChanges()

    def run(self, prepared: _Prepared, key: str | None, hashed: str, tx: Connection) -> Recorded:
        self.jobs = []
        self.pins = pinning.PinChanges()
        if key is not None and (known := self._known(tx, key, hashed)) is not None:
            return known
        if self._answers is not None and messages.get(tx, self._user_id, self._answers) is None:
            raise NotFound("The message that this answers was forgotten.", id=self._answers)
        chat = chats.ensure(tx, self._user_id, self._chat_id, self._persona_id, self._now)
        check_persona(chat, self._persona_id)
        self._persona_id = chat.persona_id
        placed = self._place(tx, chat, prepared.messages)
        messages.insert_many(tx, placed, self._count_user(tx, placed))
        self._count(tx, chat, placed)
        self._state(tx, placed)
        self.pins = save_pins(tx, self._user_id, self._chat_id, prepared.pins)
        self._parts.write_down(tx, self._user_id, self.jobs)
        if key is not None:
            answer = json.dumps([message.message_id for message in placed])
            idempotency_keys.put(tx, self._user_id, _kept_as(key), hashed, answer, self._now)
        return Recorded(messages=tuple(placed), pins=self.pins.added)

    def _known(self, tx: Connection, key: str, hashed: str) -> Recorded | None:
        """The answer to an earlier call with this key; a different call with the same key is refused."""
        since = self._now - KEY_LIFE
        idempotency_keys.prune(tx, self._user_id, since)
        found = idempotency_keys.find(tx, self._user_id, _kept_as(key), since=since)
        if found is None:
            return None
        if found[0] != hashed:
            raise Conflict(f"The idempotency key {key[:60]!r} was used for another request.")
        ids: list[str] = json.loads(found[1] or "[]")
        stored = messages.get_many(tx, self._user_id, ids)
        said = [item for item in ids if item in stored]
        brought = [pin for item in said for pin in pins.derived_of_message(tx, self._user_id, item)]
        return Recorded(messages=tuple(stored[item] for item in said), pins=tuple(brought), repeated=True)

    def _place(self, tx: Connection, chat: ChatRecord, unplaced: Sequence[Message]) -> list[Message]:
        """Assign positions and sessions."""
        stretch = TouchedSessions(self._parts, tx, self._user_id, self._persona_id)
        placed = [
            message.placed(chat.last_position + number, stretch.touched(message))
            for number, message in enumerate(unplaced, 1)
        ]
        self.jobs += stretch.save()
        return placed

    def _count_user(self, tx: Connection, placed: Sequence[Message]) -> int:
        """Update the user's counters and the jobs they trigger; return the first message's revision."""
        spoken = sum(message.role is Role.USER for message in placed)
        counted = users.count_messages(
            tx,
            self._user_id,
            spoken,
            recorded=len(placed),
            model=self._parts.embedders.default,
            epoch=int(self._parts.suffix(), 16),
            now=self._now,
        )
        if spine_due(counted.said - spoken, counted.said):
            self.jobs.append(follow_up.grow_spine())
        self.jobs.append(follow_up.index_messages())
        return counted.first_revision

    def _count(self, tx: Connection, chat: ChatRecord, placed: Sequence[Message]) -> None:
        """Update the chat's counters, schedule judging, and check whether a fold is due."""
        grown = with_messages(chat, placed)
        if self._parts.judge is None and chat.judged_position == chat.last_position:
            # Without a judge, nothing waits: these messages are read later only on request.
            grown = replace(grown, judged_position=grown.last_position)
        chats.save(tx, grown)
        self._judge_when_due(tx, grown, placed)
        settings = self._parts.settings
        if not fold.is_due(grown, settings.summary_token_cap, threshold=settings.fold_threshold_tokens):
            # A brief has at most this many tokens, so it need not be read.
            return
        brief = briefs.current(tx, self._user_id, self._chat_id)
        if fold.is_due(grown, brief.tokens if brief else 0, threshold=settings.fold_threshold_tokens):
            self.jobs.append(follow_up.fold_chat(self._chat_id))

    def _judge_when_due(self, tx: Connection, chat: ChatRecord, placed: Sequence[Message]) -> None:
        """Schedule judging of the user's messages; replies alone wait for the user's next message."""
        judge = self._parts.judge
        if judge is None or all(message.role is not Role.USER for message in placed):
            return
        by_rules = judge.name == "rules"
        count = size = 0
        if not by_rules:
            limit = follow_up.ENOUGH_MESSAGES
            count, size = unjudged.waiting(tx, self._user_id, self._chat_id, chat.judged_position, limit)
        at = follow_up.judged_at(self._now, by_rules=by_rules, messages=count, tokens=size)
        self.jobs.append(follow_up.judge_chat(self._chat_id, at))

    def _state(self, tx: Connection, placed: Sequence[Message]) -> None:
        """Update the state of user and persona, and schedule the jobs that its counters trigger."""
        known = session_states.get(tx, self._user_id, self._persona_id)
        before = known or SessionState(user_id=self._user_id, persona_id=self._persona_id)
        after = state_after(before, placed)
        session_states.save(tx, after, self._now)
        if rolling_due(before.message_count, after.message_count):
            self.jobs.append(follow_up.roll(self._persona_id))


def pins_asked(parts: Parts, message: Message) -> list[Pin]:
    """The pins for a message, ready to be stored if new."""
    return [
        Pin(
            user_id=message.user_id,
            pin_id=parts.new_id(message.created_at),
            chat_id=message.chat_id,
            content=draft.content,
            source_message_id=message.message_id,
            importance_score=draft.importance_score,
            pin_type=draft.pin_type,
            derived=True,
            tokens=tokens.count(draft.content),
            created_at=message.created_at,
        )
        for draft in pinning.told(message)
    ]


def save_pins(tx: Connection, user_id: str, chat_id: str, asked: Sequence[Pin]) -> "pinning.PinChanges":
    """Store new automatic pins in a chat; remove those that they replace and any above the limit."""
    if not asked:
        return pinning.PinChanges()
    changes = pinning.merge(
        pins.derived_of_chat(tx, user_id, chat_id),
        asked,
        by_hand=pins.contents_by_hand(tx, user_id, chat_id),
    )
    pins.delete_many(tx, changes.removed)
    pins.insert_many(tx, changes.added)
    return changes


def tell_of_pins(changes: "pinning.PinChanges") -> None:
    """Log changes to pins, once they are durable."""
    for pin in changes.added:
        log.info(
            "pin.added user=%s chat=%s pin=%s type=%s", pin.user_id, pin.chat_id, pin.pin_id, pin.pin_type
        )
    for pin in changes.replaced:
        log.info("pin.replaced user=%s chat=%s pin=%s", pin.user_id, pin.chat_id, pin.pin_id)
    for pin in changes.dropped:
        log.info("pin.dropped user=%s chat=%s pin=%s", pin.user_id, pin.chat_id, pin.pin_id)
