"""The tokens table: access tokens.

Rows in, records out; the rules decide whether a token is valid. Sessions are rows of their user, so that forgetting a user
ends them. Service keys belong to no user: their user is ''. A token does not name its user, so lookups, listing and
revoking run in the scope of everyone.
"""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from recollect.records.moment import iso, stored
from recollect.records.token import Scope, Token, TokenKind
from recollect.store.database import Connection, Row

#: Whose rows service keys are.
NOBODY = ""
_COLUMNS = (
    "user_id", "token_id", "kind", "secret_hash", "scopes", "label", "created_at", "expires_at", "revoked_at",
)  # fmt: skip
_SELECT = f"SELECT {', '.join(_COLUMNS)} FROM tokens"
_INSERT = f"INSERT INTO tokens ({', '.join(_COLUMNS)}) VALUES ({', '.join(':' + name for name in _COLUMNS)})"


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """Which tokens are wanted; None means any."""

    user_id: str | None = None
    kind: TokenKind | None = None


def insert(tx: Connection, token: Token) -> None:
    """A new token."""
    tx.run(_INSERT, _to_row(token))


def find(tx: Connection, token_id: str) -> Sequence[Token]:
    """Whatever has this id, of any user: one token, or none."""
    return [_from_row(row) for row in tx.all(f"{_SELECT} WHERE token_id = :token_id", {"token_id": token_id})]


def page(
    tx: Connection, wanted: Filter, *, limit: int, before: tuple[str, str] | None = None
) -> Sequence[Token]:
    """Newest first; `before` is the creation of the last token of the page before, as stored, and its id."""
    query, params = f"{_SELECT} WHERE 1 = 1", dict[str, object](limit=limit)
    if wanted.user_id is not None:
        query, params["user_id"] = f"{query} AND user_id = :user_id", wanted.user_id
    if wanted.kind is not None:
        query, params["kind"] = f"{query} AND kind = :kind", wanted.kind.value
    if before is not None:
        query += " AND created_at <= :created_at AND (created_at < :created_at OR token_id < :token_id)"
        params["created_at"], params["token_id"] = before
    rows = tx.all(f"{query} ORDER BY created_at DESC, token_id DESC LIMIT :limit", params)
    return [_from_row(row) for row in rows]


def revoke(tx: Connection, token_id: str, now: datetime) -> int:
    """End a token; one that was revoked before keeps its moment. How many have this id."""
    tx.run(
        "UPDATE tokens SET revoked_at = :now WHERE token_id = :token_id AND revoked_at IS NULL",
        {"token_id": token_id, "now": iso(now)},
    )
    return len(find(tx, token_id))


def has_service_keys(tx: Connection) -> bool:
    """Whether a service key was made that nobody has revoked; one that expired counts, for somebody wanted keys."""
    row = tx.one(
        "SELECT 1 FROM tokens WHERE user_id = :user_id AND kind = :kind AND revoked_at IS NULL LIMIT 1",
        {"user_id": NOBODY, "kind": TokenKind.SERVICE.value},
    )
    return row is not None


def prune(tx: Connection, before: datetime) -> int:
    """Sessions that ended before this moment; how many. Service keys stay, for they are few and tell who could enter."""
    return tx.run(
        "DELETE FROM tokens WHERE expires_at < :before AND kind = :kind",
        {"before": iso(before), "kind": TokenKind.SESSION.value},
    )


def _to_row(token: Token) -> dict[str, object]:
    return {
        "user_id": NOBODY if token.user_id is None else token.user_id,
        "token_id": token.token_id,
        "kind": token.kind.value,
        "secret_hash": token.secret_hash,
        "scopes": json.dumps(sorted(token.scopes)),
        "label": token.label,
        "created_at": iso(token.created_at),
        "expires_at": iso(token.expires_at) if token.expires_at else None,
        "revoked_at": iso(token.revoked_at) if token.revoked_at else None,
    }


def _from_row(row: Row) -> Token:
    return Token(
        user_id=None if row[0] == NOBODY else row[0],
        token_id=row[1],
        kind=TokenKind(row[2]),
        secret_hash=row[3],
        scopes=frozenset(Scope(name) for name in json.loads(row[4])),
        label=row[5],
        created_at=stored(row[6]),
        expires_at=stored(row[7]) if row[7] else None,
        revoked_at=stored(row[8]) if row[8] else None,
    )
