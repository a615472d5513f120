"""Known tokens: a cache of recently validated tokens, so that not every request queries the store.

It contains only valid tokens, under a hash of their text, so a flood of invalid ones evicts nothing. Tokens that this
process revokes or forgets are dropped at once; tokens revoked by another process are trusted for `TRUSTED_SECONDS`.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime

from recollect.records.token import Token

#: Seconds for which a lookup is trusted, and so the longest that a token revoked by another process stays usable.
TRUSTED_SECONDS = 5.0
#: Maximum tokens in the cache: about 10 MB.
_LIMIT = 10_000


class KnownTokens:
    """Recently validated tokens."""

    def __init__(self, limit: int = _LIMIT) -> None:
        self._limit = limit
        self._known: OrderedDict[bytes, tuple[Token, datetime]] = OrderedDict()
        #: Incremented when tokens are dropped, so that a lookup that began earlier is not cached.
        self.turn = 0
        #: When ended sessions were last removed from the store.
        self.pruned_at: datetime | None = None

    def get(self, text: str, now: datetime) -> Token | None:
        """The token with this text, if it was looked up recently."""
        key = _key(text)
        token, seen_at = self._known.get(key, (None, now))
        if token is None:
            return None
        # If the clock was set back, a lookup must not be trusted for longer.
        if not 0 <= (now - seen_at).total_seconds() <= TRUSTED_SECONDS:
            del self._known[key]
            return None
        return token

    def put(self, text: str, token: Token, now: datetime, turn: int) -> None:
        """Cache the result of a lookup that began at this turn."""
        if turn != self.turn:
            return
        self._known[_key(text)] = (token, now)
        while len(self._known) > self._limit:
            self._known.popitem(last=False)

    def drop(self, token_id: str) -> None:
        """Drop this token, so that the store is queried again."""
        self._drop(lambda token: token.token_id == token_id)

    def drop_user(self, user_id: str) -> None:
        """Drop this user's sessions, so that the store is queried again."""
        self._drop(lambda token: token.user_id == user_id)

    def _drop(self, meant: Callable[[Token], bool]) -> None:
        self.turn += 1
        for key in [key for key, (token, _) in self._known.items() if meant(token)]:
            del self._known[key]


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
