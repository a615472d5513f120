"""Amend: edit or delete a message, and update everything derived from it.

One transaction changes the message, the chat's counters, the automatic pins derived from it in any chat, the briefs and
segments that covered it (folding restarts after the last one before it), and the session and user summaries that may
mention it. When a pin is removed, its chat is read again for other statements on the same subject. Work that is slow or
needs a model is left to jobs created in the same transaction. Deleting erases the message's bytes from disk.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from operator import attrgetter
from typing import Any, TypeVar

from recollect.engine.parts import Parts
from recollect.engine.record import pins_asked, save_pins, tell_of_pins
from recollect.errors import Conflict, NotFound
from recollect.language import pinning
from recollect.language.ended import tells_end
from recollect.records.chat import Brief, ChatRecord, Summary
from recollect.records.job import NewJob
from recollect.records.message import Message
from recollect.records.pin import Pin
from recollect.records.session import MAX_LAST_MESSAGE
from recollect.rules import fold, follow_up
from recollect.rules.importance import score
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
T = TypeVar("T")

#: Messages searched when a pin changes: the newest, and as many important ones.
_REREAD = 500
#: How often a change is retried because the chat was folded, edited or truncated in the meantime.
_TRIES = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Amended:
    """An edited message and the resulting changes."""

    message: Message
    #: Pins removed because of the old or new text, and pins added.
    removed_pins: tuple[Pin, ...] = ()
    added_pins: tuple[Pin, ...] = ()
    #: Segments that will be folded again.
    refolded: int = 0

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            **self.message.to_dict(),
            "rederived": {
                "removed_pins": [pin.pin_id for pin in self.removed_pins],
                "added_pins": [pin.pin_id for pin in self.added_pins],
                "refolded": self.refolded,
                "removed": [pin.to_dict() for pin in self.removed_pins],
                "added": [pin.to_dict() for pin in self.added_pins],
            },
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Retold:
    """A chat's statements about the subjects of pins that change with a message."""

    chat_id: str
    #: The chat as it was read; since then it may only have gained messages.
    revision: int
    last_position: int
    #: The subjects of the old text's pins and of those the new text asks for.
    about: frozenset[str]
    #: The pins that the new text and other messages ask for about them.
    asked: tuple[Pin, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reread:
    """A message to change, and what chats say about its pins' subjects; computed before the transaction."""

    before: Message
    #: The message with its new text; None deletes it.
    after: Message | None
    #: The pins to remove with the old text.
    gone: frozenset[str]
    #: Its own chat, then the others in which its text is pinned (`pinned_elsewhere`).
    chats: tuple[Retold, ...]


async def edit(parts: Parts, user_id: str, message_id: str, text: str) -> Amended:
    """Change a message's text."""
    (count,) = await parts.count([text])

    def other_words(message: Message) -> Message:
        importance = score(text, message.role, parts.vocabulary)
        return replace(message, text=text, tokens=count, importance_score=importance)

    amended, changes = await change_message(
        parts, user_id, message_id, partial(_edit, parts), parts.database.write, after=other_words
    )
    parts.bell.ring()
    tell_of_pins(changes)
    log.info("message.edited user=%s message=%s refolded=%d", user_id, message_id, amended.refolded)
    return amended


def _edit(
    parts: Parts, reread: Reread, chat: ChatRecord, tx: Connection
) -> tuple[Amended, "pinning.PinChanges"]:
    before, after = reread.before, reread.after
    assert after is not None, "an edit without its words"
    messages.update(tx, after)
    removed = unpin(tx, before)
    changes = repin(parts, tx, reread)
    gone = unfold(parts, tx, chat, before.position)
    drop_retellings(parts, tx, chat, [before])
    work = [follow_up.rederive(chat.chat_id, before.message_id), follow_up.index_messages()]
    parts.write_down(tx, chat.user_id, work)
    amended = Amended(
        message=after,
        removed_pins=(*removed, *changes.removed),
        added_pins=changes.added,
        refolded=len(gone.summaries),
    )
    return amended, changes


def found(tx: Connection, user_id: str, message_id: str) -> tuple[Message, ChatRecord]:
    """A message and its chat."""
    message = messages.get(tx, user_id, message_id)
    if message is None:
        raise NotFound(f"There is no message {message_id!r}.", id=message_id)
    chat = chats.get(tx, user_id, message.chat_id)
    assert chat is not None, "a message without its chat"
    return message, chat


# -- pins -----------------------------------------------------------------------------------------------


class _Changed(Exception):
    """The chat has changed since it was read."""


async def change_message(
    parts: Parts,
    user_id: str,
    message_id: str,
    work: Callable[[Reread, ChatRecord, Connection], T],
    run: Callable[[str, Callable[[Connection], T]], Awaitable[T]],
    *,
    after: Callable[[Message], Message] | None = None,
) -> T:
    """Read what a message's pins depend on, then change it in one transaction; retry if the chat changed in between."""
    for _ in range(_TRIES):
        seen = await parts.database.read(user_id, partial(_look, parts, user_id, message_id, after))
        # In a thread, because rules search up to a thousand messages for the subject.
        reread = await asyncio.to_thread(_reread, parts, seen)
        try:
            return await run(user_id, partial(_guarded, work, reread))
        except _Changed:
            continue
    raise Conflict(f"The chat of message {message_id!r} is being changed again and again; try later.")


#: A message and its pins as stored and, for each of their chats, the other messages that may concern the same subject.
_Seen = tuple[Reread, list[list[Message]]]


def _look(
    parts: Parts, user_id: str, message_id: str, after: Callable[[Message], Message] | None, tx: Connection
) -> _Seen:
    before, chat = found(tx, user_id, message_id)
    changed = after(before) if after else None
    gone = pins.derived_of_message(tx, user_id, message_id)
    others = [chats.get(tx, user_id, name) for name in sorted({pin.chat_id for pin in gone} - {chat.chat_id})]
    places = [chat, *(other for other in others if other is not None)]
    told = [
        _told(place, gone, pins_asked(parts, changed) if changed and place is chat else ())
        for place in places
    ]
    said = [
        _others(tx, place, message_id) if one.about else [] for place, one in zip(places, told, strict=True)
    ]
    ids = frozenset(pin.pin_id for pin in gone)
    return Reread(before=before, after=changed, gone=ids, chats=tuple(told)), said


def _told(chat: ChatRecord, gone: Sequence[Pin], own: Sequence[Pin]) -> Retold:
    changing = (*own, *(pin for pin in gone if pin.chat_id == chat.chat_id))
    return Retold(
        chat_id=chat.chat_id,
        revision=chat.revision,
        last_position=chat.last_position,
        about=frozenset(key for pin in changing for key in pinning.subjects(pin.content, pin.pin_type)),
        asked=tuple(own),
    )


def _others(tx: Connection, chat: ChatRecord, message_id: str) -> list[Message]:
    near = messages.latest(tx, chat.user_id, chat.chat_id, _REREAD)
    weighty = messages.important(
        tx, chat.user_id, chat.chat_id, minimum=0, until_position=chat.last_position, limit=_REREAD
    )
    said = {item.message_id: item for item in (*near, *weighty) if item.message_id != message_id}
    return list(said.values())


def _reread(parts: Parts, seen: _Seen) -> Reread:
    reread, said = seen
    told = (
        replace(one, asked=(*one.asked, *_asked_about(parts, one.about, others)))
        for one, others in zip(reread.chats, said, strict=True)
    )
    return replace(reread, chats=tuple(told))


def _asked_about(parts: Parts, about: frozenset[str], said: Sequence[Message]) -> list[Pin]:
    """What messages say about these subjects only, so that pins removed by a person do not return.

    Messages are read newest first, until each subject has been found: older statements are out of date.
    """
    found: list[Pin] = []
    untold = set(about)
    for message in sorted(said, key=attrgetter("created_at", "message_id"), reverse=True):
        if not untold:
            break
        if not pinning.may_be_about(message.text, untold):
            continue
        for pin in pins_asked(parts, message):
            keys = pinning.subjects(pin.content, pin.pin_type)
            if not about.isdisjoint(keys):
                found.append(pin)
                # The end of something is pinned only in place of the pin it ends.
                untold -= set[str]() if tells_end(pin.content) else keys
    return found


def _guarded(work: Callable[[Reread, ChatRecord, Connection], T], reread: Reread, tx: Connection) -> T:
    user_id = reread.before.user_id
    message, chat = found(tx, user_id, reread.before.message_id)
    gone = frozenset(pin.pin_id for pin in pins.derived_of_message(tx, user_id, message.message_id))
    if message != reread.before or gone != reread.gone:
        raise _Changed
    for told in reread.chats:
        now = chats.get(tx, user_id, told.chat_id)
        if now is None or now.revision != told.revision:
            raise _Changed
    return work(reread, chat, tx)


def unpin(tx: Connection, message: Message) -> list[Pin]:
    """Remove a message's automatic pins from every chat."""
    removed = pins.derived_of_message(tx, message.user_id, message.message_id)
    pins.delete_many(tx, removed)
    return removed


def repin(parts: Parts, tx: Connection, reread: Reread) -> "pinning.PinChanges":
    """Pin the newest remaining statement on each changed subject, even if it is older than the removed one."""
    user_id = reread.before.user_id
    changes: list[pinning.PinChanges] = []
    for told in reread.chats:
        if told.about:
            # Messages recorded since the read: usually none.
            late = messages.after(tx, user_id, told.chat_id, told.last_position, _REREAD)
            asked = [*told.asked, *_asked_about(parts, told.about, late)]
            changes.append(save_pins(tx, user_id, told.chat_id, asked))
    return pinning.PinChanges(
        added=tuple(pin for change in changes for pin in change.added),
        replaced=tuple(pin for change in changes for pin in change.replaced),
        dropped=tuple(pin for change in changes for pin in change.dropped),
    )


def unpin_elsewhere(parts: Parts, tx: Connection, chat: ChatRecord, said: Sequence[Message]) -> list[Pin]:
    """Remove the pins that other chats have from deleted messages, and pin what those chats say themselves."""
    ids = {message.message_id for message in said}
    derived = pins.derived_of_user(tx, chat.user_id)
    gone = [pin for pin in derived if pin.chat_id != chat.chat_id and pin.source_message_id in ids]
    pins.delete_many(tx, gone)
    for name in sorted({pin.chat_id for pin in gone}):
        if (other := chats.get(tx, chat.user_id, name)) is not None:
            about = _told(other, gone, ()).about
            save_pins(tx, chat.user_id, name, _asked_about(parts, about, _others(tx, other, "")))
    return gone


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfolded:
    """What was undone."""

    summaries: tuple[Summary, ...] = ()
    briefs: tuple[Brief, ...] = ()


def unfold(parts: Parts, tx: Connection, chat: ChatRecord, position: int) -> Unfolded:
    """Undo every fold that covers this position or follows it, and schedule new folds.

    The counters are updated as well, because the caller has changed the message there. Earlier briefs stay, because
    they do not cover it.
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
    """The first revision that extends beyond a position, and all later ones."""
    every = briefs.revisions(tx, chat.user_id, chat.chat_id)
    ends = messages.get_many(tx, chat.user_id, [brief.last_summarized_message_id or "" for brief in every])
    for number, brief in enumerate(every):
        end = ends.get(brief.last_summarized_message_id or "")
        if end is None or end.position > position:
            return every[number:]
    return []


@dataclass(frozen=True, slots=True, kw_only=True)
class Retellings:
    """How many summaries outside the chat were deleted because they may derive from some messages."""

    session_summaries: int = 0
    rolling_summaries: int = 0
    spines: int = 0


def drop_retellings(parts: Parts, tx: Connection, chat: ChatRecord, told: Sequence[Message]) -> Retellings:
    """Delete summaries outside the chat that may mention these messages; jobs rewrite them from the remaining ones."""
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
    """Update the state, which shows the beginning of the user's last message."""
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
