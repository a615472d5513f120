"""The tokens table."""

from dataclasses import replace
from datetime import timedelta
from typing import Any

import pytest

from recollect.records.token import Scope, Token, TokenKind, new_token
from recollect.store import erase, tokens
from recollect.store.database import EVERYONE, Connection
from recollect.store.sqlite import SqliteDatabase
from recollect.store.tokens import Filter

from .conftest import Store
from .rows import NOON

SECRET = "s" * 43


def token(number: int, user_id: str | None = "ann", **asked: Any) -> Token:
    """A session, or without a user a service key; made a second after the one before."""
    return new_token(
        token_id=f"{number:016x}",
        secret=SECRET,
        user_id=user_id,
        service=user_id is None,
        now=NOON + timedelta(seconds=number),
        **asked,
    ).token


def keep(store: Store, *made: Token) -> None:
    for one in made:
        store.write(one.user_id or EVERYONE, lambda tx, one=one: tokens.insert(tx, one))


def listed(store: Store, wanted: Filter | None = None, **options: Any) -> list[str]:
    found = store.read(EVERYONE, lambda tx: tokens.page(tx, wanted or Filter(), **{"limit": 100, **options}))
    return [one.token_id[-1] for one in found]


def test_a_token_is_kept_as_it_was(store: Store) -> None:
    """Sessions and service keys come back equal to what was stored, by their id alone."""
    made = [
        token(1, label="phone é"),
        token(2, None, scopes=["read", "service"]),
        token(3, "bob", ttl_seconds=60),
    ]
    keep(store, *made)
    for one in made:
        assert store.read(EVERYONE, lambda tx, one=one: tokens.find(tx, one.token_id)) == [one]
    assert store.read(EVERYONE, lambda tx: tokens.find(tx, "nothing")) == []


def test_the_secret_is_not_stored(store: Store) -> None:
    """Only the hash is in the table."""
    keep(store, token(1))
    rows = store.read(EVERYONE, lambda tx: tx.all("SELECT * FROM tokens"))
    assert SECRET not in str(rows) and token(1).secret_hash in str(rows)


def test_lists_are_newest_first_and_paged(store: Store) -> None:
    """Everybody's, one user's, one kind's; a page goes on where the last one ended, also among equal moments."""
    made = [
        token(1),
        token(2, None),
        token(3, "bob"),
        token(4),
        replace(token(5), created_at=token(4).created_at),
    ]
    keep(store, *made)
    assert listed(store) == ["5", "4", "3", "2", "1"]
    assert listed(store, Filter(user_id="ann")) == ["5", "4", "1"]
    assert listed(store, Filter(kind=TokenKind.SERVICE)) == ["2"]
    assert listed(store, Filter(kind=TokenKind.SESSION, user_id="bob")) == ["3"]
    assert listed(store, limit=1) == ["5"]
    assert listed(store, limit=2, before=made[4].cursor) == ["4", "3"]
    assert listed(store, before=made[0].cursor) == []


def test_revoking(store: Store) -> None:
    """The moment is kept, the first one for good; an unknown id is none."""
    keep(store, token(1), token(2))
    later = NOON + timedelta(hours=1)
    assert store.write(EVERYONE, lambda tx: tokens.revoke(tx, token(1).token_id, NOON)) == 1
    assert store.write(EVERYONE, lambda tx: tokens.revoke(tx, token(1).token_id, later)) == 1
    assert store.write(EVERYONE, lambda tx: tokens.revoke(tx, "nothing", later)) == 0
    found = store.read(EVERYONE, lambda tx: tokens.page(tx, Filter(), limit=9))
    assert [one.revoked_at for one in found] == [None, NOON]


def test_whether_there_are_service_keys(store: Store) -> None:
    """Sessions and revoked keys are none; one that expired still is, for somebody wanted keys."""
    keep(store, token(1))
    assert not store.read(EVERYONE, tokens.has_service_keys)
    keep(store, token(2, None, ttl_seconds=60))
    assert store.read(EVERYONE, tokens.has_service_keys)
    store.write(EVERYONE, lambda tx: tokens.prune(tx, NOON + timedelta(days=9)))
    assert store.read(EVERYONE, tokens.has_service_keys)
    store.write(EVERYONE, lambda tx: tokens.revoke(tx, token(2).token_id, NOON))
    assert not store.read(EVERYONE, tokens.has_service_keys)


def test_sessions_that_ended_are_pruned(store: Store) -> None:
    """Everybody's that ended before the moment; what lives on and what never ends stays."""
    keep(
        store,
        token(1, ttl_seconds=60),
        token(2, "bob", ttl_seconds=60),
        token(3, ttl_seconds=9000),
        token(4, None),
    )
    assert store.write(EVERYONE, lambda tx: tokens.prune(tx, NOON + timedelta(seconds=61))) == 0
    assert store.write(EVERYONE, lambda tx: tokens.prune(tx, NOON + timedelta(seconds=63))) == 2
    assert listed(store) == ["4", "3"]


def test_forgetting_a_user_ends_the_sessions(store: Store) -> None:
    """Every session of that user goes, nobody else's and no key."""
    keep(store, token(1), token(2), token(3, "bob"), token(4, None))
    assert store.write("ann", lambda tx: erase.everything(tx, "ann"))["tokens"] == 2
    assert listed(store) == ["4", "3"]


@pytest.mark.parametrize("database_url", ["postgres"], indirect=True)
def test_row_level_security(store: Store) -> None:
    """A user's scope sees and makes tokens of that user alone; service keys are for the scope of everyone."""
    keep(store, token(1), token(2, "bob"), token(3, None))
    found = store.read("ann", lambda tx: tokens.page(tx, Filter(), limit=9))
    assert [one.token_id for one in found] == [token(1).token_id]
    assert not store.read("ann", tokens.has_service_keys)
    store.write("ann", lambda tx: tokens.revoke(tx, token(2).token_id, NOON))
    assert store.read(EVERYONE, lambda tx: tokens.find(tx, token(2).token_id))[0].revoked_at is None
    for stolen in (token(4, "bob"), token(5, None)):
        with pytest.raises(Exception, match="row-level security"):
            store.write("ann", lambda tx, stolen=stolen: tokens.insert(tx, stolen))


def test_looking_and_pruning_use_an_index(store: Store) -> None:
    """Among many sessions, neither a look nor a list nor pruning reads the whole table."""
    row = tokens._to_row(token(1))
    many = [{**row, "user_id": f"user{n % 500}", "token_id": f"{n:016x}"} for n in range(5000)]
    store.write(EVERYONE, lambda tx: tx.many(tokens._INSERT, many))
    is_sqlite = isinstance(store.database, SqliteDatabase)
    if not is_sqlite:
        store.write(EVERYONE, lambda tx: tx.run("ANALYZE tokens"))
    explain, whole = ("EXPLAIN QUERY PLAN ", "SCAN tokens") if is_sqlite else ("EXPLAIN ", "Seq Scan")

    def plan(tx: Connection, sql: str, **params: object) -> str:
        return "\n".join(str(line[-1]) for line in tx.all(explain + sql, params))

    def plans(tx: Connection) -> list[str]:
        return [
            plan(tx, f"{tokens._SELECT} WHERE token_id = :token_id", token_id="x"),
            plan(tx, "DELETE FROM tokens WHERE expires_at < :before AND kind = 'session'", before="2000"),
            plan(tx, f"{tokens._SELECT} WHERE user_id = :user_id", user_id="user7"),
        ]

    for text in store.write(EVERYONE, plans):
        assert whole not in text, text
    newest = store.read(
        EVERYONE,
        lambda tx: plan(tx, f"{tokens._SELECT} ORDER BY created_at DESC, token_id DESC LIMIT 9"),
    )
    assert "tokens_made" in newest


def test_scopes_survive(store: Store) -> None:
    """Every set of scopes comes back."""
    keep(store, token(1, scopes=["write"]), token(2, None, scopes=["service"]))
    found = store.read(EVERYONE, lambda tx: tokens.page(tx, Filter(), limit=9))
    assert [one.scopes for one in found] == [{Scope.SERVICE}, {Scope.WRITE}]
