"""Load the sessions of an export, and what covers several chats: states, rolling summaries, spines, the seed.

Sessions are loaded before their messages; the rest comes after, when the messages are counted. Only what is unknown is added, and no
counter decreases, so a file may be read repeatedly and next to other conversations.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from recollect.engine.parts import Parts
from recollect.errors import InvalidInput
from recollect.interchange.load_relations import Skipped
from recollect.interchange.portable_session import (
    GivenSession,
    check_growing,
    continuation,
    joined_session,
    joined_state,
    rolling_from,
    seed_from,
    session_from,
    spine_from,
    state_from,
)
from recollect.records.job import NewJob
from recollect.records.message import Role
from recollect.records.session import (
    IDLE,
    MAX_LAST_MESSAGE,
    RollingSummary,
    Session,
    SessionState,
    SessionSummary,
)
from recollect.records.spine import Spine
from recollect.rules import follow_up
from recollect.store import (
    chats,
    messages,
    rolling_summaries,
    seeds,
    session_states,
    session_summaries,
    sessions,
    spines,
    users,
)
from recollect.store.database import Connection

T = TypeVar("T")

#: Sessions per transaction.
BATCH = 1000


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedSessions:
    """The persona of each session, by id, as stored now."""

    personas: dict[str, str | None]
    skipped: Skipped


async def load_sessions(parts: Parts, user_id: str, given: Sequence[Any]) -> LoadedSessions:
    """Store unknown sessions, and what is new about known ones."""
    read, skipped = _read("sessions", given, partial(session_from, user_id=user_id, now=parts.now()))
    skipped += [(line, f"sessions: {item.skipped}") for line, item in read if item.skipped]
    personas: dict[str, str | None] = {}
    for start in range(0, len(read), BATCH):
        batch = [item for _, item in read[start : start + BATCH]]
        personas |= await parts.database.write(user_id, partial(_save_sessions, parts, user_id, batch))
    return LoadedSessions(personas=personas, skipped=skipped)


def _save_sessions(
    parts: Parts, user_id: str, batch: Sequence[GivenSession], tx: Connection
) -> dict[str, str | None]:
    personas: dict[str, str | None] = {}
    work: list[NewJob] = []
    for item in batch:
        given = item.session
        known = sessions.get(tx, user_id, given.session_id)
        after = _joined(tx, known, given) if known else given
        personas[given.session_id] = after.persona_id
        if after != known:
            sessions.save(tx, after)
            if after.ended_at is None:
                # Otherwise it would stay open until the next message.
                work.append(follow_up.close_session(after.session_id, after.last_activity_at + IDLE))
        if _same(after, given):
            _add_summaries(tx, item)
    parts.write_down(tx, user_id, work)
    return personas


def _joined(tx: Connection, known: Session, given: Session) -> Session:
    has_more = given.last_activity_at > known.last_activity_at or given.turn_count > known.turn_count
    if not _same(known, given) or not has_more:
        return known
    said = messages.of_session(tx, known.user_id, known.session_id)
    return joined_session(known, given, sum(message.role is Role.USER for message in said))


def _same(known: Session, given: Session) -> bool:
    """Whether two with one id are the same session: persona and start never change."""
    return (known.persona_id, known.started_at) == (given.persona_id, given.started_at)


def _add_summaries(tx: Connection, item: GivenSession) -> None:
    if not item.summaries:
        return
    known = session_summaries.revisions(tx, item.session.user_id, item.session.session_id)
    summary: SessionSummary
    for summary in continuation(known, item.summaries):
        session_summaries.insert(tx, summary)


async def load_long_view(parts: Parts, user_id: str, document: Mapping[str, Any]) -> Skipped:
    """Store states, rolling summaries, spines and the seed, after the messages; return what cannot be read."""
    now = parts.now()
    states, skipped = _read(
        "states", document.get("states", []), partial(state_from, user_id=user_id, now=now)
    )
    rolling, unread = _read(
        "rolling_summaries", document.get("rolling_summaries", []), partial(rolling_from, user_id=user_id)
    )
    versions, unseen = _read("spines", document.get("spines", []), partial(spine_from, user_id=user_id))
    skipped += unread + unseen
    try:
        seed = seed_from(document.get("seed", {}), user_id=user_id, now=now)
    except InvalidInput as error:
        seed = None
        skipped.append((1, f"seed: {error.message}"))
    if not (states or rolling or versions or seed):
        return skipped

    def work(tx: Connection) -> Skipped:
        for _, state in states:
            _save_state(parts, tx, state)
        _count_user(parts, tx, user_id)
        unfit = _save_rolling(tx, user_id, rolling) + _save_spines(tx, user_id, versions)
        if seed is not None and seeds.get(tx, user_id) is None:
            seeds.save(tx, seed)
        return unfit

    return skipped + await parts.database.write(user_id, work)


def _save_state(parts: Parts, tx: Connection, given: SessionState) -> None:
    known = session_states.get(tx, given.user_id, given.persona_id)
    before = known or SessionState(user_id=given.user_id, persona_id=given.persona_id)
    after = _with_last_words(tx, before, joined_state(before, given), given)
    if after != known:
        session_states.save(tx, after, parts.now())


def _with_last_words(
    tx: Connection, known: SessionState, joined: SessionState, given: SessionState
) -> SessionState:
    """The state with the file's last words, if nothing was said since; read from the message, which may have changed."""
    if given.last_user_message_id is None or joined.last_interaction != given.last_interaction:
        return joined
    said = messages.get(tx, known.user_id, given.last_user_message_id)
    chat = chats.get(tx, known.user_id, said.chat_id) if said else None
    if said is None or chat is None or said.role is not Role.USER or chat.persona_id != known.persona_id:
        return joined
    return replace(
        joined, last_user_message=said.text[:MAX_LAST_MESSAGE], last_user_message_id=said.message_id
    )


def _count_user(parts: Parts, tx: Connection, user_id: str) -> None:
    """Raise the user's message count to that of all personas, which includes messages deleted before the export."""
    said = sum(state.message_count for state in session_states.of_user(tx, user_id))
    users.count_messages(
        tx,
        user_id,
        max(0, said - users.message_count(tx, user_id)),
        recorded=0,
        model=parts.embedders.default,
        epoch=int(parts.suffix(), 16),
        now=parts.now(),
    )


def _save_rolling(tx: Connection, user_id: str, read: Sequence[tuple[int, RollingSummary]]) -> Skipped:
    skipped: Skipped = []
    by_persona: dict[str | None, list[tuple[int, RollingSummary]]] = {}
    for line, rolling in read:
        by_persona.setdefault(rolling.persona_id, []).append((line, rolling))
    for persona_id, numbered in by_persona.items():
        given = [rolling for _, rolling in numbered]
        try:
            check_growing([rolling.revision for rolling in given], "revision")
        except InvalidInput as error:
            skipped.append((numbered[0][0], f"rolling_summaries: {error.message}"))
            continue
        known = rolling_summaries.revisions(tx, user_id, persona_id)
        for rolling in continuation(known, given):
            rolling_summaries.insert(tx, rolling)
    return skipped


def _save_spines(tx: Connection, user_id: str, read: Sequence[tuple[int, Spine]]) -> Skipped:
    given = [spine for _, spine in read]
    try:
        check_growing([spine.version for spine in given], "version")
        known = spines.versions(tx, user_id)
        fresh = continuation(known, given)
        counted = sum(spine.message_count for spine in (*known, *fresh))
        if counted > users.message_count(tx, user_id):
            # A later version counts the messages since the earlier ones: it would become negative.
            raise InvalidInput("messageCount: the versions count more messages than the user has.")
    except InvalidInput as error:
        return [(read[0][0], f"spines: {error.message}")]
    for spine in fresh:
        spines.insert(tx, spine)
    return []


def _read(name: str, given: Sequence[Any], read: Callable[[Any], T]) -> tuple[list[tuple[int, T]], Skipped]:
    """The readable values with their places in the list, and the others with reasons."""
    found: list[tuple[int, T]] = []
    skipped: Skipped = []
    for line, value in enumerate(given, 1):
        try:
            found.append((line, read(value)))
        except InvalidInput as error:
            skipped.append((line, f"{name}: {error.message}"))
    return found, skipped
