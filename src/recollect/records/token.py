"""A token authenticates a caller. A service key acts for any user, a session for one.

The text names the token (`rs_<id>_<secret>`), so that lists and revocations can refer to it without the secret. Nothing here
knows HTTP or a random source: id and secret are passed in. Only the SHA-256 of the secret is stored: slow hashes protect
passwords, which can be guessed; 256 random bits cannot, and a slow hash would slow down every request.
"""

import hashlib
import hmac
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from enum import StrEnum
from typing import Any, Final

from recollect.errors import InvalidInput
from recollect.records.memory import check_list, check_text, check_user_id, one_of
from recollect.records.moment import iso

#: Limits of a token's lifetime in seconds: one request at least, a year at most.
MIN_TTL = 60
MAX_TTL = 365 * 86_400
#: Seconds that a session lives by default. A service key lives until it is revoked.
DEFAULT_TTL = 3600
#: Characters.
MAX_LABEL = 200


class TokenKind(StrEnum):
    """The users that a token acts for."""

    #: Any user, and operator actions.
    SERVICE = "service"
    #: One user.
    SESSION = "session"


class Scope(StrEnum):
    """The operations that a token allows."""

    READ = "read"
    WRITE = "write"
    #: Create sessions, and operate the store.
    SERVICE = "service"


_MARKS: Final = {TokenKind.SERVICE: "rk", TokenKind.SESSION: "rs"}
#: The scopes that each kind may have, and has by default.
_ALLOWED: Final = {
    TokenKind.SERVICE: (Scope.READ, Scope.WRITE, Scope.SERVICE),
    TokenKind.SESSION: (Scope.READ, Scope.WRITE),
}
#: The secret is 32 bytes as URL-safe base64, which may contain the separator; the id cannot.
_TEXT = re.compile(r"(r[ks])_([0-9a-f]{16})_([A-Za-z0-9_-]{43})")


@dataclass(frozen=True, slots=True, kw_only=True)
class Token:
    """One token, without its secret."""

    #: 16 hexadecimal digits.
    token_id: str
    kind: TokenKind
    #: The user of a session; None for a service key, whose requests name the user.
    user_id: str | None
    scopes: frozenset[Scope]
    #: A free description.
    label: str = ""
    created_at: datetime
    #: None: valid until revoked.
    expires_at: datetime | None
    revoked_at: datetime | None = None
    secret_hash: str = field(repr=False)

    @property
    def cursor(self) -> tuple[str, str]:
        """This token's place in lists: its creation time, as stored, and its ID."""
        return iso(self.created_at), self.token_id

    def to_dict(self) -> dict[str, Any]:
        """Everything but the hash of the secret, as JSON values."""
        return {
            "id": self.token_id,
            "kind": self.kind.value,
            "user_id": self.user_id,
            "scopes": [scope.value for scope in Scope if scope in self.scopes],
            "label": self.label,
            "created_at": iso(self.created_at),
            "expires_at": iso(self.expires_at) if self.expires_at else None,
            "revoked_at": iso(self.revoked_at) if self.revoked_at else None,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class NewToken:
    """A new token with its text, which is shown only once."""

    token: Token
    text: str = field(repr=False)

    def to_dict(self) -> dict[str, Any]:
        """The token with its text, as JSON values."""
        return {**self.token.to_dict(), "token": self.text}


def new_token(
    *,
    token_id: str,
    secret: str,
    user_id: object = None,
    service: bool = False,
    scopes: Iterable[object] | None = None,
    ttl_seconds: object = None,
    label: object = "",
    now: datetime,
) -> NewToken:
    """A token as a caller requests it; an error names the field."""
    if service and user_id is not None:
        raise InvalidInput(
            "Omit user_id for a service key, which acts for any user, or create a session instead.",
            field="user_id",
        )
    kind = TokenKind.SERVICE if service else TokenKind.SESSION
    token = Token(
        token_id=token_id,
        kind=kind,
        user_id=None if service else check_user_id(user_id),
        scopes=_scopes(kind, scopes),
        label=_label(label),
        created_at=now,
        expires_at=_end(kind, ttl_seconds, now),
        secret_hash=hash_of(secret),
    )
    return NewToken(token=token, text=f"{_MARKS[kind]}_{token_id}_{secret}")


def hash_of(secret: str) -> str:
    """The stored form of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def read_token(text: str) -> tuple[TokenKind, str, str] | None:
    """Kind, id and secret from a token's text; None if it is not in our format."""
    match = _TEXT.fullmatch(text)
    if match is None:
        return None
    mark, token_id, secret = match.groups()
    return next(kind for kind, known in _MARKS.items() if known == mark), token_id, secret


def fits(token: Token, kind: TokenKind, secret: str) -> bool:
    """Whether this is the token's secret, compared in constant time."""
    return token.kind is kind and hmac.compare_digest(token.secret_hash, hash_of(secret))


def is_valid(token: Token, now: datetime) -> bool:
    """Whether it is neither revoked nor expired."""
    return token.revoked_at is None and (token.expires_at is None or now < token.expires_at)


def parse_token_kind(value: object) -> TokenKind:
    """Read a kind from a caller."""
    return one_of(TokenKind, value, field="kind")


def _scopes(kind: TokenKind, given: Iterable[object] | None) -> frozenset[Scope]:
    allowed = _ALLOWED[kind]
    if given is None:
        return frozenset(allowed)
    named = check_list(given, field="scopes")
    wrong = next((item for item in named if not isinstance(item, str) or item not in allowed), None)
    if wrong is not None or not named:
        what = "a service key" if kind is TokenKind.SERVICE else "a session"
        found = "none were given" if wrong is None else f"not {str(wrong)[:40]!r}"
        raise InvalidInput(f"scopes of {what} must be among {', '.join(allowed)}; {found}.", field="scopes")
    return frozenset(Scope(str(item)) for item in named)


def _end(kind: TokenKind, seconds: object, now: datetime) -> datetime | None:
    if seconds is None:
        return None if kind is TokenKind.SERVICE else now + timedelta(seconds=DEFAULT_TTL)
    if isinstance(seconds, bool) or not isinstance(seconds, int) or not MIN_TTL <= seconds <= MAX_TTL:
        raise InvalidInput(
            f"ttl_seconds must be a whole number from {MIN_TTL} to {MAX_TTL}, not {str(seconds)[:40]}.",
            field="ttl_seconds",
        )
    return now + timedelta(seconds=seconds)


def _label(value: object) -> str:
    text = check_text(value, field="label").strip()
    if len(text) > MAX_LABEL:
        raise InvalidInput(f"label has {len(text)} characters (maximum {MAX_LABEL}).", field="label")
    return text
