"""The session_states table: the state kept between sessions, one row per user and persona.

Rows in, records out; the record's fields are one JSON value, because nothing ever searches by them. The newest rolling
summary stands beside it, written by `rolling_summaries.py` alone: a caller who could pass it could pass an old one.
"""

import json
from dataclasses import fields
from datetime import datetime

from recollect.records.moment import iso, stored
from recollect.records.session import SessionState
from recollect.store.database import Connection, Row
from recollect.store.json_text import json_text

#: What the JSON value holds, in this order: all but the keys of the row.
_HELD = tuple(field.name for field in fields(SessionState) if field.name not in ("user_id", "persona_id"))
_MOMENTS = ("last_interaction", "last_rolling_attempt_at", "last_rolling_success_at", "curator_last_run_at")


def get(tx: Connection, user_id: str, persona_id: str | None) -> SessionState | None:
    """The state of a user with a persona; None before the first word."""
    row = tx.one(
        "SELECT user_id, persona_id, state FROM session_states WHERE user_id = :user_id AND persona_id = :persona_id",
        {"user_id": user_id, "persona_id": persona_id or ""},
    )
    return _from_row(row) if row else None


def of_user(tx: Connection, user_id: str) -> list[SessionState]:
    """The states of a user with each persona."""
    rows = tx.all(
        "SELECT user_id, persona_id, state FROM session_states WHERE user_id = :user_id ORDER BY persona_id",
        {"user_id": user_id},
    )
    return [_from_row(row) for row in rows]


def save(tx: Connection, state: SessionState, now: datetime) -> None:
    """A state as it is now, new or known."""
    tx.run(
        """
        INSERT INTO session_states (user_id, persona_id, state, rolling_summary, updated_at)
        VALUES (:user_id, :persona_id, :state, COALESCE((
            SELECT r.summary FROM rolling_summaries r
            WHERE r.user_id = :user_id AND r.persona_id = :persona_id ORDER BY r.revision DESC LIMIT 1
        ), ''), :now)
        ON CONFLICT (user_id, persona_id) DO UPDATE SET state = excluded.state, updated_at = excluded.updated_at
        """,
        {
            "user_id": state.user_id,
            "persona_id": state.persona_id or "",
            "state": _to_json(state),
            "now": iso(now),
        },
    )


def _to_json(state: SessionState) -> str:
    # Not `asdict`: it copies each value, which takes as long as writing the row.
    values = {name: getattr(state, name) for name in _HELD}
    for name in _MOMENTS:
        values[name] = iso(values[name]) if values[name] else None
    return json_text(values)


def _from_row(row: Row) -> SessionState:
    values = json.loads(row[2])
    for name in _MOMENTS:
        values[name] = stored(values[name]) if values.get(name) else None
    error = values.pop("last_rolling_error", None)
    return SessionState(
        user_id=row[0],
        persona_id=row[1] or None,
        last_rolling_error=(error[0], error[1]) if error else None,
        **values,
    )
