"""Amend: a message is edited or deleted, and everything that was derived from it follows.

In one transaction: the message, the chat's counters, the pins that rules made of it, the briefs and segments that covered
it (they are folded anew from the last one before it), and the summaries of sessions and of the user that could have told
of it. What needs a model or time is left to jobs of the same transaction. Deleting erases; the bytes leave the disk.
"""

import logging
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any

from recollect.domain import fold, follow_up
from recollect.domain.brief import Brief
from recollect.domain.chat import ChatRecord
from recollect.domain.job import NewJob
from recollect.domain.message import Message
from recollect.domain.message_importance import score
from recollect.domain.pin import Pin
from recollect.domain.pinning import auto_pins, merge
from recollect.domain.session_state import MAX_LAST_MESSAGE
from recollect.domain.summary import Summary
from recollect.engine.parts import Parts
from recollect.engine.record import save_pins
from recollect.errors import NotFound
from recollect.store import (
    briefs,
    chats,
    messages,
    pins,
    rolling_summaries,
    session_states,
    session_summaries,
    spines,
    summaries,
)
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Messages that are read again when a pin went: the newest, and as many important ones; each takes about 0.1 ms.
_REREAD = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class Amended:
    """An edited message, and what followed."""

    message: Message
    #: Pins that its old words had brought, and those that the new ones bring.
    removed_pins: tuple[Pin, ...] = ()
    added_pins: tuple[Pin, ...] = ()
    #: Segments that will be folded anew.
    refolded: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            **self.message.to_dict(),
            "rederived": {
                "removed_pins": [pin.pin_id for pin in self.removed_pins],
                "added_pins": [pin.pin_id for pin in self.added_pins],
                "refolded": self.refolded,
            },
        }


async def edit(parts: Parts, user_id: str, message_id: str, text: str) -> Amended:
    """Give a message other words."""
    (count,) = await parts.count([text])
    amended = await parts.database.write(user_id, partial(_edit, parts, user_id, message_id, text, count))
    parts.bell.ring()
    log.info("message.edited user=%s message=%s refolded=%d", user_id, message_id, amended.refolded)
    return amended


def _edit(parts: Parts, user_id: str, message_id: str, text: str, count: int, tx: Connection) -> Amended:
    before, chat = found(tx, user_id, message_id)
    after = replace(
        before, text=text, tokens=count, importance_score=score(text, before.role, parts.vocabulary)
    )
    messages.update(tx, after)
    removed = unpin(tx, before)
    added = save_pins(parts, tx, [after], [auto_pins(after)]) + repin(parts, tx, chat, removed)
    gone = unfold(parts, tx, chat, before.position)
    drop_retellings(parts, tx, chat, [before])
    parts.write_down(tx, user_id, [follow_up.rederive(chat.chat_id, message_id)])
    return Amended(
        message=after, removed_pins=tuple(removed), added_pins=tuple(added), refolded=len(gone.summaries)
    )


def found(tx: Connection, user_id: str, message_id: str) -> tuple[Message, ChatRecord]:
    """A message with its chat."""
    message = messages.get(tx, user_id, message_id)
    if message is None:
        raise NotFound(f"There is no message {message_id!r}.", id=message_id)
    chat = chats.get(tx, user_id, message.chat_id)
    assert chat is not None, "a message without its chat"
    return message, chat


def unpin(tx: Connection, message: Message) -> list[Pin]:
    """Take away the pins that rules made of a message."""
    removed = pins.derived_of_message(tx, message.user_id, message.message_id)
    for pin in removed:
        pins.delete(tx, message.user_id, pin.pin_id)
    return removed


def repin(parts: Parts, tx: Connection, chat: ChatRecord, removed: Sequence[Pin]) -> list[Pin]:
    """Pin what went, if another message says it too: of two that say the same only one had brought the pin."""
    if not removed:
        return []
    near = messages.latest(tx, chat.user_id, chat.chat_id, _REREAD)
    weighty = messages.important(
        tx, chat.user_id, chat.chat_id, minimum=0, until_position=chat.last_position, limit=_REREAD
    )
    said = sorted({item.message_id: item for item in (*near, *weighty)}.values(), key=attrgetter("position"))
    # Only what went: a pin that somebody took away by hand must not come back.
    again = [[draft for draft in auto_pins(message) if not merge(removed, [draft])] for message in said]
    return save_pins(parts, tx, said, again)


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfolded:
    """What was taken back."""

    summaries: tuple[Summary, ...] = ()
    briefs: tuple[Brief, ...] = ()


def unfold(parts: Parts, tx: Connection, chat: ChatRecord, position: int) -> Unfolded:
    """Take back every fold that told of this position or came after it, and see to it that they are made anew.

    The counters are brought up to date as well, since the caller has changed the message there. Briefs of earlier
    folds stay: they were written before and cannot tell of it.
    """
    user_id, chat_id = chat.user_id, chat.chat_id
    gone = [item for item in summaries.of_chat(tx, user_id, chat_id) if item.end_position >= position]
    reached = gone[0].start_position - 1 if gone else chat.folded_position
    stale: list[Brief] = []
    if gone:
        summaries.delete_from(tx, user_id, chat_id, gone[0].start_position)
        stale = _briefs_beyond(tx, chat, reached)
        if stale:
            briefs.delete_from(tx, user_id, chat_id, stale[0].revision)
    count, size = messages.unfolded(tx, user_id, chat_id, reached)
    newest = messages.latest(tx, user_id, chat_id, 1)
    after = replace(
        chat,
        last_message_at=newest[0].created_at if newest else None,
        revision=chat.revision + 1,
        folded_position=reached,
        refold_position=max(chat.refold_position, chat.folded_position) if gone else chat.refold_position,
        unfolded_messages=count,
        unfolded_tokens=size,
    )
    chats.save(tx, after)
    brief = briefs.current(tx, user_id, chat_id)
    threshold = parts.settings.fold_threshold_tokens
    if gone or fold.is_due(after, brief.tokens if brief else 0, threshold=threshold):
        parts.write_down(tx, user_id, [follow_up.fold_chat(chat_id)])
    return Unfolded(summaries=tuple(gone), briefs=tuple(stale))


def _briefs_beyond(tx: Connection, chat: ChatRecord, position: int) -> list[Brief]:
    """The first revision that reaches beyond a position, and all after it."""
    every = briefs.revisions(tx, chat.user_id, chat.chat_id)
    ends = messages.get_many(tx, chat.user_id, [brief.last_summarized_message_id or "" for brief in every])
    for number, brief in enumerate(every):
        end = ends.get(brief.last_summarized_message_id or "")
        if end is None or end.position > position:
            return every[number:]
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Retellings:
    """Summaries beyond the chat that could have told of some messages: how many went."""

    session_summaries: int = 0
    rolling_summaries: int = 0
    spines: int = 0


def drop_retellings(parts: Parts, tx: Connection, chat: ChatRecord, told: Sequence[Message]) -> Retellings:
    """Take back what told of these messages outside the chat; jobs write it anew from what is left."""
    user_id, persona_id = chat.user_id, chat.persona_id
    earliest = min(message.created_at for message in told)
    work: list[NewJob] = []
    closed = 0
    for session_id in sorted({message.session_id for message in told if message.session_id}):
        if gone := session_summaries.delete(tx, user_id, session_id):
            closed += gone
            work.append(follow_up.summarise_session(session_id))
    rolled = rolling_summaries.delete_since(tx, user_id, persona_id, earliest)
    if rolled:
        work.append(follow_up.roll(persona_id))
    grown = spines.delete_since(tx, user_id, earliest)
    if grown:
        work.append(follow_up.grow_spine())
    _renew_last_words(parts, tx, chat, {message.message_id for message in told})
    parts.write_down(tx, user_id, work)
    return Retellings(session_summaries=closed, rolling_summaries=rolled, spines=grown)


def _renew_last_words(parts: Parts, tx: Connection, chat: ChatRecord, changed: set[str]) -> None:
    """The state shows the beginning of the user's last message: of the one that is the last now."""
    state = session_states.get(tx, chat.user_id, chat.persona_id)
    if state is None or state.last_user_message_id not in changed:
        return
    last = messages.last_user(tx, chat.user_id, chat.persona_id)
    session_states.save(
        tx,
        replace(
            state,
            last_user_message=last.text[:MAX_LAST_MESSAGE] if last else "",
            last_user_message_id=last.message_id if last else None,
        ),
        parts.now(),
    )
