"""The idempotency_keys table: the answers to requests that a caller may send twice.

Rows in, rows out; the caller decides how long a key is valid. A request is stored only as a hash, and its answer as JSON
text, which forgetting must be able to read.
"""

import json
import re
from collections.abc import Iterable
from datetime import datetime

from recollect.records.moment import iso
from recollect.store.database import Connection

#: A text in JSON, with its quotes.
_TEXT = re.compile(r'"(?:[^"\\]|\\.)*"')
#: Answers in memory at a time while looking for ids.
_BATCH = 200
#: A request that is under way.
_OPEN = "user_id = :user_id AND idempotency_key = :key AND request_hash = :request_hash AND answer IS NULL"


def find(tx: Connection, user_id: str, key: str, *, since: datetime) -> tuple[str, str | None] | None:
    """The hash of the request that used a key since this moment, and its answer if there is one."""
    row = tx.one(
        "SELECT request_hash, answer FROM idempotency_keys"
        " WHERE user_id = :user_id AND idempotency_key = :key AND created_at >= :since",
        {"user_id": user_id, "key": key, "since": iso(since)},
    )
    return (row[0], row[1]) if row else None


def put(tx: Connection, user_id: str, key: str, request_hash: str, answer: str | None, now: datetime) -> None:
    """Keep the answer under a key; what was there, an old request, gives way."""
    tx.run(
        """
        INSERT INTO idempotency_keys (user_id, idempotency_key, request_hash, answer, created_at)
        VALUES (:user_id, :key, :request_hash, :answer, :now)
        ON CONFLICT (user_id, idempotency_key) DO UPDATE SET request_hash = excluded.request_hash,
            answer = excluded.answer, created_at = excluded.created_at
        """,
        {"user_id": user_id, "key": key, "request_hash": request_hash, "answer": answer, "now": iso(now)},
    )


def answer(tx: Connection, user_id: str, key: str, request_hash: str, answer: str) -> bool:
    """Keep the answer of a request that has none yet; False when its row went or was answered meanwhile."""
    changed = tx.run(
        f"UPDATE idempotency_keys SET answer = :answer WHERE {_OPEN}",
        {"user_id": user_id, "key": key, "request_hash": request_hash, "answer": answer},
    )
    return changed > 0


def renew(tx: Connection, user_id: str, key: str, request_hash: str, now: datetime) -> None:
    """Renew the key of a request that has no answer yet."""
    tx.run(
        f"UPDATE idempotency_keys SET created_at = :now WHERE {_OPEN}",
        {"user_id": user_id, "key": key, "request_hash": request_hash, "now": iso(now)},
    )


def release(tx: Connection, user_id: str, key: str, request_hash: str) -> None:
    """Let the key of a request that has no answer be free again."""
    tx.run(
        f"DELETE FROM idempotency_keys WHERE {_OPEN}",
        {"user_id": user_id, "key": key, "request_hash": request_hash},
    )


def prune_everybodys(tx: Connection, before: datetime) -> int:
    """As `prune`, of all users; needs the scope of everyone."""
    return tx.run("DELETE FROM idempotency_keys WHERE created_at < :before", {"before": iso(before)})


def prune(tx: Connection, user_id: str, before: datetime) -> int:
    """Keys that no longer count; how many."""
    return tx.run(
        "DELETE FROM idempotency_keys WHERE user_id = :user_id AND created_at < :before",
        {"user_id": user_id, "before": iso(before)},
    )


def drop_mentioning(tx: Connection, user_id: str, ids: Iterable[str]) -> int:
    """The answers that name one of these ids; how many.

    One pass over the answers, whatever the number of ids: forgetting a long chat names thousands.
    """
    named = set(ids)
    if not named:
        return 0
    keys: list[str] = []
    for rows in tx.batches(
        "SELECT idempotency_key, answer FROM idempotency_keys WHERE user_id = :user_id AND answer IS NOT NULL",
        {"user_id": user_id},
        _BATCH,
    ):
        keys += [key for key, answer in rows if not named.isdisjoint(_texts(answer))]
    if keys:
        tx.many(
            "DELETE FROM idempotency_keys WHERE user_id = :user_id AND idempotency_key = :key",
            [{"user_id": user_id, "key": key} for key in keys],
        )
    return len(keys)


def _texts(answer: str) -> set[str]:
    """Every text in a JSON value; reading them off its spelling is less work than walking it."""
    return {json.loads(text, strict=False) for text in _TEXT.findall(answer)}
