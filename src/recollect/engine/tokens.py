"""Tokens: create, check, list and revoke them.

The secret comes from the operating system, not from the random source of `Parts`, which tests may replace. It is never
logged or stored. Ended sessions are removed when new ones are created.
"""

import logging
import secrets
from collections.abc import Iterable
from datetime import timedelta

from recollect.engine.parts import Parts
from recollect.errors import NotFound
from recollect.records.token import NewToken, Token, fits, is_valid, new_token, read_token
from recollect.store import tokens
from recollect.store.database import EVERYONE, Connection

log = logging.getLogger(__name__)

#: How long an ended session stays in the list, and how often older ones are removed.
_KEPT = timedelta(days=1)
_PRUNED_EVERY = timedelta(hours=1)


async def create(
    parts: Parts,
    *,
    user_id: object,
    service: bool,
    scopes: Iterable[object] | None,
    ttl_seconds: object,
    label: object,
) -> NewToken:
    """Create a token; its text is only in the return value."""
    now = parts.now()
    made = new_token(
        token_id=secrets.token_hex(8),
        secret=secrets.token_urlsafe(32),
        user_id=user_id,
        service=service,
        scopes=scopes,
        ttl_seconds=ttl_seconds,
        label=label,
        now=now,
    )
    token = made.token
    await parts.database.write(token.user_id or EVERYONE, lambda tx: tokens.insert(tx, token))
    log.info("token.created token=%s kind=%s user=%s", token.token_id, token.kind.value, token.user_id or "-")
    await _prune(parts)
    return made


async def check(parts: Parts, text: str) -> Token | None:
    """The valid token with this text, or None."""
    shown = read_token(text)
    if shown is None:
        # Skip the lookup for text that cannot be a token.
        return None
    now = parts.now()
    known = parts.known_tokens
    token = known.get(text, now)
    if token is None:
        turn = known.turn
        kind, token_id, secret = shown
        found = await parts.database.read(EVERYONE, lambda tx: tokens.find(tx, token_id))
        token = next((item for item in found if fits(item, kind, secret)), None)
        if token is not None and is_valid(token, now):
            known.put(text, token, now, turn)
    return token if token is not None and is_valid(token, now) else None


async def page(
    parts: Parts, wanted: tokens.Filter, *, limit: int, before: tuple[str, str] | None
) -> list[Token]:
    """Tokens, newest first, without sessions that ended some time ago."""

    def load(tx: Connection) -> list[Token]:
        return list(tokens.page(tx, wanted, limit=limit, before=before))

    return await parts.database.read(EVERYONE, load)


async def revoke(parts: Parts, token_id: str) -> None:
    """Revoke a token: at once in this process, within seconds in others."""
    now = parts.now()
    if not await parts.database.write(EVERYONE, lambda tx: tokens.revoke(tx, token_id, now)):
        raise NotFound(f"There is no token {token_id[:40]!r}.", id=token_id)
    parts.known_tokens.drop(token_id)
    log.info("token.revoked token=%s", token_id)


async def has_service_keys(parts: Parts) -> bool:
    """Whether there is a service key that has not been revoked."""
    return await parts.database.read(EVERYONE, tokens.has_service_keys)


async def _prune(parts: Parts) -> None:
    now = parts.now()
    last = parts.known_tokens.pruned_at
    if last is not None and now - last < _PRUNED_EVERY:
        return
    parts.known_tokens.pruned_at = now
    await parts.database.write(EVERYONE, lambda tx: tokens.prune(tx, now - _KEPT))
