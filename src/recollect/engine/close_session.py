"""Close an idle session and summarise it (S4).

Closing depends only on times and happens at once; the summary needs the writer and is a separate job. A session that is
resumed in the meantime is left alone: it is summarised when it ends again, and any earlier summary stays as a revision.
"""

import logging
from collections.abc import Sequence
from datetime import datetime

from recollect.engine.parts import Parts
from recollect.records.message import Message, Turn, turns_of
from recollect.records.session import IDLE, SessionDigest, SessionSummary, closed, is_over
from recollect.rules import follow_up
from recollect.store import messages, session_summaries, sessions, unjudged
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Tokens of a session to summarise, taken from its end because the next session continues from there.
MAX_TOKENS = 12_000


async def close_session(parts: Parts, user_id: str, session_id: str) -> datetime | None:
    """Close a session if it is over; otherwise return when to check again."""

    def work(tx: Connection) -> datetime | None:
        session = sessions.get(tx, user_id, session_id)
        if session is None or session.ended_at is not None:
            return None
        if not is_over(session, parts.now()):
            return session.last_activity_at + IDLE
        sessions.save(tx, closed(session))
        work = [follow_up.summarise_session(session_id)]
        if parts.judge is not None:
            # Leave nothing unread: neither messages waiting for more, nor those left by a dead job.
            work += [follow_up.judge_chat(chat_id) for chat_id in unjudged.chat_ids(tx, user_id)]
        parts.write_down(tx, user_id, work)
        return None

    again = await parts.database.write(user_id, work)
    parts.bell.ring()
    return again


async def summarise_session(parts: Parts, user_id: str, session_id: str) -> SessionSummary | None:
    """Write a closed session's summary; None if there is nothing to summarise or it was resumed."""

    def load(tx: Connection) -> list[Message]:
        session = sessions.get(tx, user_id, session_id)
        if session is None or session.ended_at is None:
            return []
        return messages.of_session(tx, user_id, session_id)

    while said := await parts.database.read(user_id, load):
        digest = await parts.writer.session(_end_of(turns_of(said), session_id))

        def save(
            tx: Connection, said: list[Message] = said, digest: SessionDigest = digest
        ) -> SessionSummary | None:
            # Edited, deleted or resumed in the meantime: the summary might contain deleted text.
            return _save(parts, tx, user_id, session_id, digest) if load(tx) == said else None

        saved = await parts.database.write(user_id, save)
        if saved is not None:
            log.info("session.summarised user=%s session=%s revision=%d", user_id, session_id, saved.revision)
            return saved
    return None


def _save(
    parts: Parts, tx: Connection, user_id: str, session_id: str, digest: SessionDigest
) -> SessionSummary:
    before = session_summaries.current(tx, user_id, session_id)
    summary = SessionSummary(
        user_id=user_id,
        session_id=session_id,
        revision=before.revision + 1 if before else 1,
        digest=digest,
        written_by=parts.writer.notes_name,
        created_at=parts.now(),
    )
    session_summaries.insert(tx, summary)
    return summary


def _end_of(turns: Sequence[Turn], session_id: str) -> list[Turn]:
    """The last turns that fit into a summary's input."""
    taken: list[Turn] = []
    total = 0
    for turn in reversed(turns):
        total += turn.tokens
        if taken and total > MAX_TOKENS:
            log.info("session.cut session=%s turns=%d of=%d", session_id, len(taken), len(turns))
            break
        taken.append(turn)
    return taken[::-1]
