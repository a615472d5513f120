"""Idempotency: a request that is sent twice is carried out once.

The server begins each keyed request here, keeps its answer, and gives the key up when there is none worth
keeping. A request under way holds its key by signs of life; after a minute without one its process is taken for dead. It
does not know HTTP: a request is a hash, an answer a JSON text in which forgetting finds the ids of what goes.
Remembering keys in memory was rejected: the second attempt may reach another process.
"""

from dataclasses import dataclass
from datetime import timedelta

from recollect.engine.parts import Parts
from recollect.engine.record import KEY_LIFE, REQUEST_KEY
from recollect.errors import InvalidInput
from recollect.store import idempotency_keys
from recollect.store.database import EVERYONE, Connection

#: Without a sign of life for so long, a request under way counts as dead.
TAKEN_OVER_AFTER = timedelta(seconds=60)
#: Characters of a key, at most.
MAX_KEY = 255


@dataclass(frozen=True, slots=True, kw_only=True)
class Earlier:
    """A request that came before under the same key."""

    #: It asked for the same.
    same: bool
    #: None: it is still under way.
    answer: str | None


def check_key(key: str) -> str:
    """1 to 255 visible ASCII characters."""
    if not 1 <= len(key) <= MAX_KEY or not all("!" <= char <= "~" for char in key):
        raise InvalidInput(
            f"Idempotency-Key must have 1 to {MAX_KEY} visible ASCII characters.", field="Idempotency-Key"
        )
    return key


async def begin(parts: Parts, user_id: str, key: str, request_hash: str) -> Earlier | None:
    """Take a key for a request; if it is taken, what is known of the earlier request."""
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
    """Keep the answer of a request that was begun; forgotten meanwhile, it stays forgotten."""
    await parts.database.write(
        user_id, lambda tx: idempotency_keys.answer(tx, user_id, REQUEST_KEY + key, request_hash, answer)
    )


async def renew(parts: Parts, user_id: str, key: str, request_hash: str) -> None:
    """Say that a request is still under way."""
    now = parts.now()
    await parts.database.write(
        user_id, lambda tx: idempotency_keys.renew(tx, user_id, REQUEST_KEY + key, request_hash, now)
    )


async def release(parts: Parts, user_id: str, key: str, request_hash: str) -> None:
    """Let the key of a request that has no answer to keep be free again."""
    await parts.database.write(
        user_id, lambda tx: idempotency_keys.release(tx, user_id, REQUEST_KEY + key, request_hash)
    )


async def prune(parts: Parts) -> int:
    """Everybody's answers that no longer count; how many."""
    before = parts.now() - KEY_LIFE
    return await parts.database.write(EVERYONE, lambda tx: idempotency_keys.prune_everybodys(tx, before))
