"""The spending table: what a deployment has spent on models, one row per day, purpose and model.

Its rows belong to no user: the cap is shared, so the user is '' and the work runs in the scope of everyone. It does not
know the cap. One row per call was rejected, because nobody reads single calls and the sum is needed before each of them.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date

from recollect.store.database import Connection, Row

#: Whose rows they are.
_NOBODY = ""
_COLUMNS = "day, purpose, model, calls, failures, prompt_tokens, completion_tokens"


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one model cost on one day (UTC) for one purpose."""

    day: date
    #: What it was asked for: "judge".
    purpose: str
    model: str
    calls: int
    #: Calls of which nothing could be used; part of `calls`.
    failures: int
    prompt_tokens: int
    completion_tokens: int


def add(
    tx: Connection,
    day: date,
    purpose: str,
    model: str,
    *,
    calls: int,
    failures: int,
    prompt_tokens: int,
    completion_tokens: int,
) -> None:
    """Put further calls on a day's account."""
    tx.run(
        f"""
        INSERT INTO spending (user_id, {_COLUMNS})
        VALUES (:user_id, :day, :purpose, :model, :calls, :failures, :prompt_tokens, :completion_tokens)
        ON CONFLICT (user_id, day, purpose, model) DO UPDATE
            SET calls = spending.calls + excluded.calls, failures = spending.failures + excluded.failures,
                prompt_tokens = spending.prompt_tokens + excluded.prompt_tokens,
                completion_tokens = spending.completion_tokens + excluded.completion_tokens
        """,
        {
            "user_id": _NOBODY,
            "day": day.isoformat(),
            "purpose": purpose,
            "model": model,
            "calls": calls,
            "failures": failures,
            "prompt_tokens": prompt_tokens,
            "completion_tokens": completion_tokens,
        },
    )


def total(tx: Connection, day: date) -> int:
    """Tokens of a day, of every purpose and model, questions and answers together."""
    row = tx.one(
        "SELECT sum(prompt_tokens + completion_tokens) FROM spending WHERE user_id = :user_id AND day = :day",
        {"user_id": _NOBODY, "day": day.isoformat()},
    )
    return int(row[0]) if row and row[0] is not None else 0


def page(tx: Connection, limit: int) -> Sequence[Spent]:
    """The newest days first; within a day by purpose and model."""
    rows = tx.all(
        f"SELECT {_COLUMNS} FROM spending WHERE user_id = :user_id ORDER BY day DESC, purpose, model LIMIT :limit",
        {"user_id": _NOBODY, "limit": limit},
    )
    return [_from_row(row) for row in rows]


def _from_row(row: Row) -> Spent:
    return Spent(
        day=date.fromisoformat(row[0]),
        purpose=row[1],
        model=row[2],
        calls=row[3],
        failures=row[4],
        prompt_tokens=row[5],
        completion_tokens=row[6],
    )
