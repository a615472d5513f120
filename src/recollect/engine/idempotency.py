"""Idempotency: a request that is sent twice is carried out once.

The server registers each keyed request here, stores its answer, and releases the key if there is no answer worth keeping.
A running request keeps its key by renewing it; after a minute without a renewal, its process is presumed dead. This module
does not know HTTP: a request is a hash, and an answer is JSON text in which forgetting finds the ids of erased data.
Keeping keys in memory was rejected, because the second attempt may go to another process.
"""

from dataclasses import dataclass
from datetime import timedelta

from recollect.engine.parts import Parts
from recollect.engine.record import KEY_LIFE, REQUEST_KEY
from recollect.errors import InvalidInput
from recollect.store import idempotency_keys
from recollect.store.database import EVERYONE, Connection

#: How long a running request may go without a renewal before it is presumed dead.
TAKEN_OVER_AFTER = timedelta(seconds=60)
#: Maximum characters in a key.
MAX_KEY = 255


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """An earlier request with the same key."""

    #: Whether it was the same request.
    same: bool
    #: None if it is still running.
    answer: str | None


def check_key(key: str) -> str:
    """Check for 1 to 255 visible ASCII characters."""
    if not 1 <= len(key) <= MAX_KEY or not all("!" <= char <= "~" for char in key):
        raise InvalidInput(
            f"Idempotency-Key must have 1 to {MAX_KEY} visible ASCII characters.", field="Idempotency-Key"
        )
    return key


async def begin(parts: Parts, user_id: str, key: str, request_hash: str) -> Earlier | None:
    """Reserve a key for a request; if it is taken, return the earlier request."""
    name = REQUEST_KEY + check_key(key)
    now = parts.now()

    def work(tx: Connection) -> Earlier | None:
        idempotency_keys.prune(tx, user_id, now - KEY_LIFE)
        found = idempotency_keys.find(tx, user_id, name, since=now - KEY_LIFE)
        if found is not None:
            earlier = Earlier(same=found[0] == request_hash, answer=found[1])
            alive = idempotency_keys.find(tx, user_id, name, since=now - TAKEN_OVER_AFTER)
            if earlier.answer is not None or alive is not None:
                return earlier
        idempotency_keys.put(tx, user_id, name, request_hash, None, now)
        return None

    return await parts.database.write(user_id, work)


async def keep(parts: Parts, user_id: str, key: str, request_hash: str, answer: str) -> None:
    """Store a request's answer, unless the request was forgotten in the meantime."""
    await parts.database.write(
        user_id, lambda tx: idempotency_keys.answer(tx, user_id, REQUEST_KEY + key, request_hash, answer)
    )


async def renew(parts: Parts, user_id: str, key: str, request_hash: str) -> None:
    """Report that a request is still running."""
    now = parts.now()
    await parts.database.write(
        user_id, lambda tx: idempotency_keys.renew(tx, user_id, REQUEST_KEY + key, request_hash, now)
    )


async def release(parts: Parts, user_id: str, key: str, request_hash: str) -> None:
    """Release the key of a request without an answer worth keeping."""
    await parts.database.write(
        user_id, lambda tx: idempotency_keys.release(tx, user_id, REQUEST_KEY + key, request_hash)
    )


async def prune(parts: Parts) -> int:
    """Delete all users' expired answers; return how many."""
    before = parts.now() - KEY_LIFE
    return await parts.database.write(EVERYONE, lambda tx: idempotency_keys.prune_everybodys(tx, before))
