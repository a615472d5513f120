"""Roll: refresh the rolling summary of current events between a user and a persona (S4).

Every revision is kept. The result of the last attempt is written into the state, success or not, so that a stalled summary
is visible. A revision records the time that it covers, not the last message; if messages may share that time, as imported
ones do, they are read again, provided that the state was written since.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from functools import partial

from recollect.engine.parts import Parts
from recollect.errors import ModelError
from recollect.records.message import Message, turns_of
from recollect.records.session import MAX_ROLLING, RollingSummary
from recollect.store import messages, rolling_summaries, session_states
from recollect.store.database import Connection

#: Messages that one refresh reads; after a long worker pause, only the newest are used.
MAX_MESSAGES = 60
_EVER = datetime.fromisoformat("0001-01-01T00:00:00+00:00")
#: The precision of stored times.
_MOMENT = timedelta(milliseconds=1)


async def roll(parts: Parts, user_id: str, persona_id: str | None) -> RollingSummary | None:
    """Write the next revision; None if nothing has been said since the last."""

    def load(tx: Connection) -> tuple[RollingSummary | None, list[Message]]:
        current = rolling_summaries.current(tx, user_id, persona_id)
        if current is not None:
            return current, _since(tx, current)
        return None, messages.of_persona_since(tx, user_id, persona_id, _EVER, MAX_MESSAGES)

    while True:
        # Taken before reading, so that anything recorded later counts as later.
        attempted = parts.now()
        current, said = await parts.database.read(user_id, load)
        if not said:
            return None
        try:
            text = await parts.writer.rolling(current.summary if current else "", turns_of(said))
        except ModelError as error:
            failure = ("model_failed", str(error)[:300])
            await parts.database.write(
                user_id, partial(_note, user_id=user_id, persona_id=persona_id, at=attempted, error=failure)
            )
            raise
        summary = RollingSummary(
            user_id=user_id,
            persona_id=persona_id,
            revision=current.revision + 1 if current else 1,
            summary=text[:MAX_ROLLING],
            from_message_at=current.from_message_at if current else said[0].created_at,
            until_message_at=said[-1].created_at,
            written_by=parts.writer.notes_name,
            created_at=parts.now(),
        )
        if await parts.database.write(user_id, partial(_save, summary, current, said, attempted)):
            return summary


def _since(tx: Connection, current: RollingSummary) -> list[Message]:
    """Messages since a revision, including those at its last time, which it may already cover.

    A time without milliseconds was probably given by a caller; a clock produces one once in a thousand times.
    """
    user_id, persona_id, until = current.user_id, current.persona_id, current.until_message_at
    shared = not until.microsecond and until - _EVER > _MOMENT
    after = until - _MOMENT if shared else until
    said = messages.of_persona_since(tx, user_id, persona_id, after, MAX_MESSAGES)
    if all(message.created_at == until for message in said) and not _written_since(tx, current):
        return []
    return said


def _written_since(tx: Connection, current: RollingSummary) -> bool:
    """Whether the state was written after the last revision began, so that something was recorded since."""
    state = session_states.get(tx, current.user_id, current.persona_id)
    written = rolling_summaries.shown_at(tx, current.user_id, current.persona_id)
    if state is None or written is None:
        return False
    return state.last_rolling_success_at is None or written > state.last_rolling_success_at


def _save(
    summary: RollingSummary,
    current: RollingSummary | None,
    said: Sequence[Message],
    attempted: datetime,
    tx: Connection,
) -> bool:
    """Save the next revision; False if its input was edited, deleted or forgotten in the meantime."""
    user_id, persona_id = summary.user_id, summary.persona_id
    if rolling_summaries.current(tx, user_id, persona_id) != current or not messages.unchanged(tx, said):
        return False
    rolling_summaries.insert(tx, summary)
    _note(tx, user_id, persona_id, attempted, None)
    return True


def _note(
    tx: Connection, user_id: str, persona_id: str | None, at: datetime, error: tuple[str, str] | None
) -> None:
    """Record an attempt's result, unless the user was forgotten in the meantime."""
    known = session_states.get(tx, user_id, persona_id)
    if known is None:
        return
    # Messages recorded in the meantime stay later than this attempt.
    written = rolling_summaries.shown_at(tx, user_id, persona_id)
    session_states.save(
        tx,
        replace(
            known,
            last_rolling_attempt_at=at,
            last_rolling_success_at=known.last_rolling_success_at if error else at,
            last_rolling_error=error,
        ),
        max(at, written or at),
    )
