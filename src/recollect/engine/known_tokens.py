"""Known tokens: those that were shown and found valid in the last seconds, so that not every request asks the store.

It holds only tokens that were right, under a hash of their text: a flood of wrong ones pushes nobody out. What this
process revokes or forgets is dropped at once; what another process revokes is believed for `TRUSTED_SECONDS`.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable
from datetime import datetime

from recollect.records.token import Token

#: Seconds that a look into the store counts. So long may a token live that another process has revoked.
TRUSTED_SECONDS = 5.0
#: Tokens held at once: some 10 MB.
_LIMIT = 10_000


class KnownTokens:
    """The tokens of the last seconds."""

    def __init__(self, limit: int = _LIMIT) -> None:
        self._limit = limit
        self._known: OrderedDict[bytes, tuple[Token, datetime]] = OrderedDict()
        #: Grows when tokens are dropped: a look that began before must not be kept.
        self.turn = 0
        #: When ended sessions were last removed from the store.
        self.pruned_at: datetime | None = None

    def get(self, text: str, now: datetime) -> Token | None:
        """The token with this text, if the store was asked a moment ago."""
        key = _key(text)
        token, seen_at = self._known.get(key, (None, now))
        if token is None:
            return None
        # A clock that was set back must not make a look count for longer.
        if not 0 <= (now - seen_at).total_seconds() <= TRUSTED_SECONDS:
            del self._known[key]
            return None
        return token

    def put(self, text: str, token: Token, now: datetime, turn: int) -> None:
        """Remember what a look found that began at this turn."""
        if turn != self.turn:
            return
        self._known[_key(text)] = (token, now)
        while len(self._known) > self._limit:
            self._known.popitem(last=False)

    def drop(self, token_id: str) -> None:
        """Ask the store about this token again."""
        self._drop(lambda token: token.token_id == token_id)

    def drop_user(self, user_id: str) -> None:
        """Ask the store about every session of this user again."""
        self._drop(lambda token: token.user_id == user_id)

    def _drop(self, meant: Callable[[Token], bool]) -> None:
        self.turn += 1
        for key in [key for key, (token, _) in self._known.items() if meant(token)]:
            del self._known[key]


def _key(text: str) -> bytes:
    return hashlib.sha256(text.encode()).digest()
