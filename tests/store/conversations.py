"""Records of conversations as tests of the store need them, and a user with many of them."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any

from recollect.records.chat import ChatRecord
from recollect.records.message import Message, Role
from recollect.records.moment import iso
from recollect.records.pin import Pin
from recollect.records.seed import Seed
from recollect.records.session import Session, SessionDigest, SessionSummary, closed
from recollect.store import (
    chats,
    message_entries,
    message_vectors,
    messages,
    pins,
    seeds,
    session_summaries,
    sessions,
    users,
)
from recollect.store.database import Connection, Matrix
from recollect.store.message_entries import Entry, terms_of

from .rows import MODEL, NOON, direction


def minutes(number: float) -> datetime:
    """So many minutes after noon."""
    return NOON + timedelta(minutes=number)


def chat(chat_id: str = "c1", user_id: str = "ann", **changes: Any) -> ChatRecord:
    """A chat that was made at noon."""
    return replace(ChatRecord(user_id=user_id, chat_id=chat_id, created_at=NOON), **changes)


def message(position: int = 1, chat_id: str = "c1", user_id: str = "ann", **changes: Any) -> Message:
    """The so-manieth message of a chat, a minute a position; the user and the assistant take turns."""
    made = Message(
        user_id=user_id,
        message_id=f"{chat_id}-{position:06}",
        chat_id=chat_id,
        position=position,
        role=Role.USER if position % 2 else Role.ASSISTANT,
        text=f"Sentence {position} of {chat_id}",
        tokens=10,
        importance_score=5.0,
        session_id=f"session of {chat_id}",
        created_at=minutes(position),
    )
    return replace(made, **changes)


def session(session_id: str = "s1", user_id: str = "ann", start: float = 0, **changes: Any) -> Session:
    """A session that begins so many minutes after noon and has ten minutes so far."""
    made = Session(
        user_id=user_id,
        session_id=session_id,
        started_at=minutes(start),
        last_activity_at=minutes(start + 10),
    )
    return replace(made, **changes)


def tell(tx: Connection, said: Sequence[Message]) -> int:
    """Store messages of one user as recording does, with the next revisions; that of the first."""
    if not said:
        return 0
    counted = users.count_messages(tx, said[0].user_id, 0, recorded=len(said), model=MODEL, epoch=7, now=NOON)
    messages.insert_many(tx, said, counted.first_revision)
    return counted.first_revision


def index(
    tx: Connection,
    user_id: str,
    parts: Callable[[str], Matrix] = lambda text: direction(len(text))[None, :],
    model: str = MODEL,
    limit: int = 256,
) -> int:
    """Give the first few messages that have none their entries and vectors, as the job does; how many."""
    state = users.state(tx, user_id)
    waiting = messages.unindexed(tx, user_id, state.indexed_revision, limit) if state else []
    if not waiting:
        return 0
    reached = users.index_until(tx, user_id, waiting[-1][1])
    assert reached is not None
    revision = reached.message_revision
    entries = [Entry(message=said, terms=terms_of(said), message_revision=number) for said, number in waiting]
    message_entries.put(tx, user_id, entries, revision=revision)
    message_vectors.put(
        tx, user_id, model, [(said.message_id, parts(said.text)) for said, _ in waiting], revision=revision
    )
    return len(waiting)


def fill(tx: Connection, user_id: str) -> None:
    """A busy user: twenty chats of sixty messages with two personas, and whatever comes of them."""
    for number in range(20):
        chat_id, persona_id = f"c{number}", ("coach", None)[number % 2]
        said = [
            message(
                position,
                chat_id,
                user_id,
                importance_score=8.5 if position % 20 == 0 else 5.0,
                session_id=f"{chat_id}s{position // 15}",
                created_at=minutes(1000 * number + position),
            )
            for position in range(1, 61)
        ]
        chats.ensure(tx, user_id, chat_id, persona_id, NOON)
        chats.save(tx, chat(chat_id, user_id, persona_id=persona_id, last_message_at=minutes(1000 * number)))
        tell(tx, said)
        for part in range(5):
            start = 1000 * number + part * 15
            opened = session(f"{chat_id}s{part}", user_id, start, persona_id=persona_id)
            sessions.save(tx, closed(opened))
            session_summaries.insert(
                tx,
                SessionSummary(
                    user_id=user_id,
                    session_id=opened.session_id,
                    revision=1,
                    digest=SessionDigest(one_liner="x"),
                    created_at=NOON,
                ),
            )
        tx.many(
            "INSERT INTO briefs (user_id, chat_id, revision, global_summary, tokens, created_at)"
            " VALUES (:user_id, :chat_id, :revision, '', 0, :at)",
            [{"user_id": user_id, "chat_id": chat_id, "revision": n, "at": iso(NOON)} for n in range(1, 9)],
        )
        tx.many(
            "INSERT INTO summaries (user_id, summary_id, chat_id, summary, message_count, start_message_id,"
            " end_message_id, importance_score, tokens, created_at, start_position, end_position)"
            " VALUES (:user_id, :id, :chat_id, '', 5, '', '', 5, 5, :at, :start, :start + 4)",
            [
                {"user_id": user_id, "id": f"{chat_id}:{n}", "chat_id": chat_id, "at": iso(NOON), "start": n}
                for n in range(1, 41, 5)
            ],
        )
        pins.insert_many(
            tx,
            [
                Pin(
                    user_id=user_id,
                    pin_id=f"{chat_id}:{n}",
                    chat_id=chat_id,
                    content="x",
                    tokens=1,
                    created_at=NOON,
                )
                for n in range(9)
            ],
        )
    while index(tx, user_id, lambda text: direction(1, 8)[None, :]):
        pass
    _fill_beside(tx, user_id)


def _fill_beside(tx: Connection, user_id: str) -> None:
    """What does not belong to one chat."""
    seeds.save(tx, Seed(user_id=user_id, updated_at=NOON))
    numbers = range(1, 41)
    tx.many(
        "INSERT INTO session_states (user_id, persona_id, state, rolling_summary, updated_at)"
        " VALUES (:user_id, :persona_id, '{}', '', '')",
        [{"user_id": user_id, "persona_id": f"persona{number}"} for number in numbers],
    )
    tx.many(
        "INSERT INTO rolling_summaries (user_id, persona_id, revision, summary, from_message_at, until_message_at,"
        " written_by, created_at) VALUES (:user_id, 'coach', :revision, '', :at, :at, '', :at)",
        [{"user_id": user_id, "revision": number, "at": iso(NOON)} for number in numbers],
    )
    tx.many(
        "INSERT INTO spines (user_id, version, content, message_count, created_at)"
        " VALUES (:user_id, :version, '{}', 20, :at)",
        [{"user_id": user_id, "version": number, "at": iso(NOON)} for number in numbers],
    )
    tx.many(
        "INSERT INTO todos (user_id, todo_id, kind, text, status, source_message_ids, created_at, updated_at)"
        " VALUES (:user_id, :id, 'thread', 'x', 'open', '[]', :at, :at)",
        [{"user_id": user_id, "id": f"t{number}", "at": iso(NOON)} for number in numbers],
    )
    tx.many(
        "INSERT INTO idempotency_keys (user_id, idempotency_key, request_hash, answer, created_at)"
        " VALUES (:user_id, :key, '', '\"m\"', :at)",
        [{"user_id": user_id, "key": f"k{number}", "at": iso(minutes(number))} for number in range(200)],
    )
