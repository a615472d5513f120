"""Tokens: what may be asked for, how they read, and how long they count."""

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from recollect.errors import InvalidInput
from recollect.records.token import (
    DEFAULT_TTL,
    MAX_LABEL,
    MAX_TTL,
    MIN_TTL,
    NewToken,
    Scope,
    TokenKind,
    fits,
    hash_of,
    is_valid,
    new_token,
    parse_token_kind,
    read_token,
)

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)
ID = "0123456789abcdef"
SECRET = "A_b-" + "x" * 39


def made(**asked: Any) -> NewToken:
    given = {"user_id": None if asked.get("service") else "ann", **asked}
    return new_token(token_id=ID, secret=SECRET, now=NOW, **given)


def test_a_session_by_default() -> None:
    """It acts for one user, reads and writes, and lives an hour."""
    token = made().token
    assert (token.kind, token.user_id) == (TokenKind.SESSION, "ann")
    assert token.scopes == {Scope.READ, Scope.WRITE}
    assert token.expires_at == NOW + timedelta(seconds=DEFAULT_TTL)
    assert token.to_dict() == {
        "id": ID,
        "kind": "session",
        "user_id": "ann",
        "scopes": ["read", "write"],
        "label": "",
        "created_at": "2026-03-01T12:00:00.000Z",
        "expires_at": "2026-03-01T13:00:00.000Z",
        "revoked_at": None,
    }


def test_a_service_key_by_default() -> None:
    """It is nobody's, may do everything, and lives until it is revoked."""
    token = made(service=True).token
    assert (token.kind, token.user_id, token.expires_at) == (TokenKind.SERVICE, None, None)
    assert token.scopes == set(Scope)
    assert is_valid(token, NOW + timedelta(days=10_000))


def test_fewer_scopes() -> None:
    """Both kinds may do less; the list says so in one order, whatever the order asked."""
    assert made(scopes=["read"]).token.scopes == {Scope.READ}
    token = made(service=True, scopes=["service", "read", "read"]).token
    assert token.to_dict()["scopes"] == ["read", "service"]


def test_the_text_names_the_token_and_is_read_again() -> None:
    """A text is mark, id and secret; it reads as what it was made of."""
    session, key = made(), made(service=True)
    assert session.text == f"rs_{ID}_{SECRET}"
    assert key.text == f"rk_{ID}_{SECRET}"
    assert read_token(session.text) == (TokenKind.SESSION, ID, SECRET)
    assert read_token(key.text) == (TokenKind.SERVICE, ID, SECRET)


def test_the_secret_is_nowhere_but_in_the_text() -> None:
    """Neither the record nor what is printed of it holds the secret or its hash."""
    new = made(label="phone")
    assert SECRET not in repr(new) and SECRET not in repr(new.token)
    assert hash_of(SECRET) not in repr(new) and hash_of(SECRET) not in str(new.token.to_dict())
    assert SECRET not in str(new.token.to_dict())
    assert new.to_dict()["token"] == new.text
    assert new.token.secret_hash == hash_of(SECRET) != SECRET


@pytest.mark.parametrize(
    "text",
    [
        "",
        "secret",
        f"rx_{ID}_{SECRET}",
        f"rs_{ID}_{SECRET}x",
        f"rs_{ID}_{SECRET[:-1]}",
        f"rs_{ID.upper()}_{SECRET}",
        f"rs_{ID}_{SECRET}\n",
        f" rs_{ID}_{SECRET}",
        f"rs_{ID}_{SECRET[:-1]}é",
        f"rs_{ID}_{SECRET[:-1]}\x00",
        f"rs_{ID}_{SECRET[:-1]}\ud800",
    ],
)
def test_what_is_no_token(text: str) -> None:
    """Anything else is not even looked up."""
    assert read_token(text) is None


@given(st.text())
def test_any_text_can_be_shown(text: str) -> None:
    """Reading never fails, whatever somebody shows."""
    assert read_token(text) is None


def test_only_the_own_secret_and_kind_fit() -> None:
    """One character more, less or other is another secret, and a session is no service key."""
    token = made().token
    assert fits(token, TokenKind.SESSION, SECRET)
    assert not fits(token, TokenKind.SERVICE, SECRET)
    assert not fits(token, TokenKind.SESSION, SECRET[:-1] + "y")
    assert not fits(token, TokenKind.SESSION, token.secret_hash)


def test_when_a_token_counts() -> None:
    """Until the moment it expires, and not once it is revoked."""
    token = made(ttl_seconds=60).token
    assert is_valid(token, NOW) and is_valid(token, NOW + timedelta(seconds=59.999))
    assert not is_valid(token, NOW + timedelta(seconds=60))


@pytest.mark.parametrize("seconds", [MIN_TTL, MAX_TTL])
def test_the_ends_of_the_time_to_live(seconds: int) -> None:
    """The shortest and the longest life are allowed, of keys too."""
    assert made(ttl_seconds=seconds).token.expires_at == NOW + timedelta(seconds=seconds)
    assert made(service=True, ttl_seconds=seconds).token.expires_at == NOW + timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"user_id": ""}, "user_id"),
        ({"user_id": "*"}, "user_id"),
        ({"user_id": "x" * 257}, "user_id"),
        ({"user_id": 7}, "user_id"),
        ({"user_id": "a\x00"}, "user_id"),
        ({"user_id": "ann", "service": True}, "user_id"),
        ({"scopes": []}, "scopes"),
        ({"scopes": "read"}, "scopes"),
        ({"scopes": ["service"]}, "scopes"),
        ({"scopes": ["read", "fly"]}, "scopes"),
        ({"scopes": [["read"]]}, "scopes"),
        ({"scopes": 7}, "scopes"),
        ({"ttl_seconds": MIN_TTL - 1}, "ttl_seconds"),
        ({"ttl_seconds": MAX_TTL + 1}, "ttl_seconds"),
        ({"ttl_seconds": -1}, "ttl_seconds"),
        ({"ttl_seconds": 10**40}, "ttl_seconds"),
        ({"ttl_seconds": True}, "ttl_seconds"),
        ({"ttl_seconds": 90.5}, "ttl_seconds"),
        ({"ttl_seconds": "90"}, "ttl_seconds"),
        ({"label": "x" * (MAX_LABEL + 1)}, "label"),
        ({"label": "\ud800"}, "label"),
        ({"label": None}, "label"),
    ],
)
def test_what_cannot_be_asked_for(asked: dict[str, Any], field: str) -> None:
    """The error names the field, in its sentence too."""
    with pytest.raises(InvalidInput) as caught:
        made(**asked)
    assert caught.value.field == field and field in caught.value.message


def test_kinds_are_read() -> None:
    """A kind is one of two words."""
    assert parse_token_kind("session") is TokenKind.SESSION
    with pytest.raises(InvalidInput, match="kind must be one of service, session"):
        parse_token_kind("user")
