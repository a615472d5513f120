"""The gate identifies each request's caller by its token and limits how many requests a caller may send.

A token is in `X-Session-Token`, or else in `Authorization: Bearer`. A service key, from the settings or the store, acts for
the user in `X-User-Id`; a session acts only for its own user. Local mode needs no token: the user is the one in
`X-User-Id`, or else `local`. Local mode ends permanently when the first service key is created. The engine decides which
tokens are valid, and for how many seconds to cache that (`engine/known_tokens.py`).

Requests are counted per session, or for a service key per user, because one key serves a whole product and a busy user must
not shut out the others. Invalid tokens and other kinds of login are counted per client address. Valid tokens from that
address are still accepted, because many clients may share an address and tokens cannot be guessed. For both, a limit of 0
means no limit.

Each caller has a bucket that fills at an even rate and holds ten seconds' worth of requests. After ten quiet seconds it is
full, like a new caller's, so only callers of the last ten seconds are kept and memory stays bounded. Each process counts
separately, because a shared count would cost every request a write. A one-minute window was rejected because it lets twice
the limit through at its edge.

Measured on SQLite, best of five rounds of 4,000: 9 µs per request with a session, 11 with a service key, 4 in local mode or
with the key from the settings. A token that is not cached costs a read of the store, 145 µs.
"""

import hmac
import math
import time
from collections import OrderedDict
from collections.abc import Callable
from typing import Final

from starlette.requests import HTTPConnection

from recollect.admin import AsyncAdmin
from recollect.api.arguments import LOCAL_USER
from recollect.api.hosting import service_of
from recollect.api.memory import AsyncMemory
from recollect.errors import InvalidInput
from recollect.records.memory import check_user_id
from recollect.records.token import Scope, Token, TokenKind, read_token
from recollect.server.caller import Caller
from recollect.server.errors import Problem, forbidden, of_openai, too_many, unauthenticated

#: Seconds between checks for a new service key.
LOCAL_CHECKED_EVERY: Final = 2.0
#: Invalid tokens allowed per address; a client that retries with an ended session stays far below it.
WRONG_PER_MINUTE: Final = 1200
#: A burst, in seconds' worth of requests.
BURST_SECONDS: Final = 10.0
#: Maximum callers kept; beyond it, the caller quiet for longest is dropped, which gives it a full bucket.
_LIMIT: Final = 50_000
_EVERYTHING: Final = frozenset(Scope)
#: Represents an unsupported login scheme, such as `Basic`; it counts as an invalid token.
_OTHER_SCHEME: Final = b"another scheme"
_HEADERS: Final = {
    b"x-session-token": "X-Session-Token",
    b"authorization": "Authorization",
    b"x-user-id": "X-User-Id",
}


class Gate:
    """Authenticates and rate-limits callers."""

    def __init__(
        self,
        memory: AsyncMemory,
        *,
        service_key: str,
        local: bool,
        requests_per_minute: int,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._admin = AsyncAdmin(memory)
        self._service = service_of(memory)
        self._service_key = service_key.encode()
        self._local = local
        self._clock = clock
        self._rate = Rate(requests_per_minute, clock=clock)
        self._wrong = Rate(min(requests_per_minute, WRONG_PER_MINUTE), clock=clock)
        #: When the store was last checked for a service key.
        self._alone_at: float | None = None

    @property
    def local(self) -> bool:
        """Whether callers without a token are let in, as of the last check."""
        return self._local

    async def admit(self, connection: HTTPConnection) -> Caller:
        """Return a request's caller, or raise an error that says why it is refused."""
        said = _headers(connection)
        shown, user = _shown(said), _user(said)
        if shown is _OTHER_SCHEME:
            raise self._refused(connection)
        if shown is None:
            caller = await self._without_token(user)
        elif self._service_key and hmac.compare_digest(shown, self._service_key):
            caller = Caller(user_id=user, scopes=_EVERYTHING)
        else:
            token = await self._admin.check_token(shown.decode("latin-1"))
            if token is not None:
                caller = _of_token(token, user)
            elif self._local and _is_foreign(connection, said, shown):
                caller = await self._without_token(user)
            else:
                raise self._refused(connection)
        self._count(caller)
        return caller

    def _refused(self, connection: HTTPConnection) -> Problem:
        """The error for an invalid token, or for too many of them."""
        client: tuple[str, int] | None = connection.scope.get("client")
        wait = self._wrong.take(client[0] if client else "")
        return too_many(wait) if wait else unauthenticated()

    async def _without_token(self, user: str | None) -> Caller:
        if not self._local or await self._keys_were_made():
            raise unauthenticated()
        return Caller(user_id=user or LOCAL_USER, scopes=_EVERYTHING, named=user is not None, local=True)

    async def _keys_were_made(self) -> bool:
        now = self._clock()
        if self._alone_at is None or now - self._alone_at >= LOCAL_CHECKED_EVERY:
            if await self._service.has_service_keys():
                self._local = False
                return True
            self._alone_at = now
        return False

    def _count(self, caller: Caller) -> None:
        wait = self._rate.take(f"{caller.token_id} {caller.user_id}")
        if wait:
            raise too_many(wait)


def _headers(connection: HTTPConnection) -> dict[str, bytes]:
    """The headers that identify the caller; duplicates are refused because they are ambiguous."""
    found: dict[str, bytes] = {}
    for name, value in connection.scope["headers"]:
        known = _HEADERS.get(name)
        if known is not None:
            if known in found:
                raise Problem(400, f"Send {known} only once.")
            # Whitespace around a value is not part of it (RFC 9110): "ann " and "ann" must be the same user.
            found[known] = value.strip(b" \t")
    return found


def _shown(said: dict[str, bytes]) -> bytes | None:
    """The token as sent in the request."""
    session = said.get("X-Session-Token")
    if session:
        return session
    scheme, _, bearer = said.get("Authorization", b"").partition(b" ")
    if not scheme:
        return None
    if scheme.lower() != b"bearer":
        return _OTHER_SCHEME
    return bearer.strip() or None


def _user(said: dict[str, bytes]) -> str | None:
    """The user that the request names."""
    named = said.get("X-User-Id")
    if named is None:
        return None
    try:
        return check_user_id(named.decode())
    except UnicodeDecodeError:
        raise Problem(400, "X-User-Id is not valid UTF-8.") from None
    except InvalidInput as error:
        raise Problem(400, f"X-User-Id: {error.message}") from error


def _of_token(token: Token, user: str | None) -> Caller:
    if token.kind is TokenKind.SERVICE:
        return Caller(user_id=user, scopes=token.scopes, token_id=token.token_id)
    if user not in (None, token.user_id):
        raise forbidden(
            "This session belongs to another user; set X-User-Id to the session's user or omit it."
        )
    return Caller(user_id=token.user_id, scopes=token.scopes, token_id=token.token_id)


def _is_foreign(connection: HTTPConnection, said: dict[str, bytes], shown: bytes) -> bool:
    """Whether the token is an OpenAI client's own OpenAI key, which it always sends; it counts as no token."""
    return (
        of_openai(connection.scope["path"])
        and "X-Session-Token" not in said
        and read_token(shown.decode("latin-1")) is None
    )


class Rate:
    """One process's buckets."""

    def __init__(
        self, per_minute: int, *, clock: Callable[[], float] = time.monotonic, limit: int = _LIMIT
    ) -> None:
        self._per_second = per_minute / 60
        self._size = max(1.0, self._per_second * BURST_SECONDS)
        self._clock = clock
        self._limit = limit
        #: The requests left and when they were counted; the caller quiet for longest comes first.
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, caller: str) -> int:
        """Count a request; return 0 if it may pass, otherwise the seconds to wait, rounded up."""
        if not self._per_second:
            return 0
        now = self._clock()
        left, then = self._buckets.get(caller, (self._size, now))
        left = min(self._size, left + (now - then) * self._per_second)
        wait = 0 if left >= 1 else math.ceil((1 - left) / self._per_second)
        self._buckets[caller] = (left if wait else left - 1, now)
        self._buckets.move_to_end(caller)
        self._let_go(now)
        return wait

    def __len__(self) -> int:
        return len(self._buckets)

    def _let_go(self, now: float) -> None:
        """Drop at most two full buckets, so that no request pays for many; since each request adds only one, the total shrinks."""
        for _ in range(2):
            quiet, (_, then) = next(iter(self._buckets.items()))
            full = now - then >= self._size / self._per_second
            if len(self._buckets) <= self._limit and not full:
                return
            del self._buckets[quiet]
