"""`Admin`: tokens are made, shown once, believed for a while, and ended; what else an operator does."""

from pathlib import Path
from typing import Any

import pytest
from engine.conftest import Opener
from engine.fakes import FakeClock

from recollect import InvalidInput, Memory, NotFound
from recollect.admin import Admin
from recollect.api.hosting import service_of
from recollect.engine.known_tokens import TRUSTED_SECONDS

#: Checking tokens and making service keys is the gate's and the machine's business; tests/client has the rest.
pytestmark = pytest.mark.in_process


def _has_service_keys(memory: Memory) -> bool:
    return memory._thread.run(service_of(memory._inner).has_service_keys())


def test_a_session_is_checked_by_its_text(memory: Memory) -> None:
    """Whoever shows the text is that user's session; a text that differs by one character is nothing."""
    made = Admin(memory).create_token(user="ann", scopes=["read"], label="phone")
    found = Admin(memory).check_token(made.text)
    assert found == made.token and found.user_id == "ann"
    assert Admin(memory).check_token(made.text[:-1] + ("b" if made.text[-1] == "a" else "a")) is None
    assert Admin(memory).check_token("rk" + made.text[2:]) is None
    for wrong in ("", "x", "\x00", "\ud800", "é" * 63):
        assert Admin(memory).check_token(wrong) is None


def test_two_tokens_have_nothing_in_common(memory: Memory) -> None:
    """Ids and secrets are made anew each time."""
    texts = [Admin(memory).create_token(user="ann").text.split("_", 2) for _ in range(20)]
    assert len({text[1] for text in texts}) == len({text[2] for text in texts}) == 20


def test_the_default_is_a_session_of_the_local_user(memory: Memory) -> None:
    """As everywhere, the user is `local` when nobody says."""
    assert Admin(memory).create_token().token.user_id == "local"


def test_a_session_ends_by_itself(memory: Memory, clock: FakeClock) -> None:
    """To the millisecond, also when it was shown a moment before."""
    made = Admin(memory).create_token(user="ann", ttl_seconds=60)
    clock.move(seconds=59)
    assert Admin(memory).check_token(made.text) == made.token
    clock.move(milliseconds=999)
    assert Admin(memory).check_token(made.text) == made.token
    clock.move(milliseconds=1)
    assert Admin(memory).check_token(made.text) is None


def test_revoking_counts_at_once_here_and_soon_elsewhere(opener: Opener, clock: FakeClock) -> None:
    """This process refuses the next request; another one within seconds."""
    here, there = opener(), opener()
    made = Admin(here).create_token(service=True)
    assert Admin(here).check_token(made.text) and Admin(there).check_token(made.text)
    Admin(here).revoke_token(made.token.token_id)
    assert Admin(here).check_token(made.text) is None
    assert Admin(there).check_token(made.text) == made.token
    clock.move(seconds=TRUSTED_SECONDS + 0.001)
    assert Admin(there).check_token(made.text) is None
    Admin(here).revoke_token(made.token.token_id)
    assert Admin(here).tokens()[0].revoked_at is not None


def test_forgetting_a_user_ends_the_sessions_at_once(memory: Memory) -> None:
    """The sessions of that user are gone, those of others are not."""
    ann, bob = Admin(memory).create_token(user="ann"), Admin(memory).create_token(user="bob")
    assert Admin(memory).check_token(ann.text) and Admin(memory).check_token(bob.text)
    memory.forget(everything=True, user="ann")
    assert Admin(memory).check_token(ann.text) is None
    assert Admin(memory).check_token(bob.text) == bob.token
    assert [token.user_id for token in Admin(memory).tokens()] == ["bob"]


def test_forgetting_one_memory_ends_no_session(memory: Memory) -> None:
    """Only a user who is forgotten as a whole has to enter anew."""
    ann = Admin(memory).create_token(user="ann")
    kept = memory.add("I live in Lisbon", user="ann").memory
    memory.forget(kept.memory_id, user="ann")
    assert Admin(memory).check_token(ann.text) == ann.token


def test_sessions_are_listed_and_revoked(memory: Memory, clock: FakeClock) -> None:
    """By user, newest first, page by page; a revoked one stays in the list and says when."""
    made = []
    for user in ("ann", "bob", "ann"):
        clock.move(seconds=1)
        made.append(Admin(memory).create_token(user=user, label=f"of {user}").token.token_id)
    every = Admin(memory).tokens(kind="session")
    assert [token.token_id for token in every] == made[::-1]
    assert [token.token_id for token in Admin(memory).tokens(user="ann", kind="session")] == [
        made[2],
        made[0],
    ]
    first = Admin(memory).tokens(kind="session", limit=2)
    assert first + Admin(memory).tokens(kind="session", limit=2, cursor=first.next_cursor) == every
    Admin(memory).revoke_token(made[1])
    assert [token.revoked_at is not None for token in Admin(memory).tokens(kind="session")] == [
        False,
        True,
        False,
    ]
    with pytest.raises(NotFound, match="no token 'nothing'"):
        Admin(memory).revoke_token("nothing")


def test_keys_are_listed_beside_sessions(memory: Memory, clock: FakeClock) -> None:
    """All in one list, or by kind."""
    session = Admin(memory).create_token(user="ann").token
    clock.move(seconds=1)
    key = Admin(memory).create_token(service=True).token
    assert Admin(memory).tokens() == [key, session]
    assert Admin(memory).tokens(kind="service") == [key]


def test_ended_sessions_are_removed_sometime(memory: Memory, clock: FakeClock) -> None:
    """A day after its end a session goes when another is made; keys stay."""
    old = Admin(memory).create_token(user="ann", ttl_seconds=60).token
    key = Admin(memory).create_token(service=True, ttl_seconds=60).token
    clock.move(hours=2)
    recent = Admin(memory).create_token(user="ann", ttl_seconds=60).token
    assert set(Admin(memory).tokens()) == {old, key, recent}
    clock.move(hours=23)
    fresh = Admin(memory).create_token(user="ann").token
    assert set(Admin(memory).tokens()) == {key, recent, fresh}


def test_whether_there_are_service_keys(memory: Memory) -> None:
    """None, then one, then none again once it is revoked."""
    Admin(memory).create_token(user="ann")
    assert not _has_service_keys(memory)
    key = Admin(memory).create_token(service=True)
    assert _has_service_keys(memory)
    Admin(memory).revoke_token(key.token.token_id)
    assert not _has_service_keys(memory)


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"user": ""}, "user_id"),
        ({"service": "yes"}, "service"),
        ({"scopes": ["fly"]}, "scopes"),
        ({"ttl_seconds": 1}, "ttl_seconds"),
        ({"label": 3}, "label"),
    ],
)
def test_bad_wishes_make_nothing(memory: Memory, asked: dict[str, Any], field: str) -> None:
    """The error names the field, and no token is there afterwards."""
    with pytest.raises(InvalidInput) as caught:
        Admin(memory).create_token(**asked)
    assert caught.value.field == field or field in caught.value.message
    assert Admin(memory).tokens(kind="session") == []


def test_a_key_is_nobodys(memory: Memory) -> None:
    """A service key for one user is a contradiction."""
    with pytest.raises(InvalidInput, match="a service key, which acts for any user"):
        Admin(memory).create_token(user="ann", service=True)
    assert Admin(memory).tokens() == []


def test_other_mistakes(memory: Memory) -> None:
    """Bad ids, limits, kinds and texts are refused."""
    with pytest.raises(InvalidInput, match="token_id"):
        Admin(memory).revoke_token("")
    with pytest.raises(InvalidInput, match="kind"):
        Admin(memory).tokens(kind="user")
    with pytest.raises(InvalidInput, match="limit"):
        Admin(memory).tokens(limit=0)
    with pytest.raises(InvalidInput, match="token must be text"):
        Admin(memory).check_token(None)  # type: ignore[arg-type]


def test_on_both_databases(database_url: str, opener: Opener) -> None:
    """Made, checked, listed and revoked on SQLite and PostgreSQL alike."""
    memory = opener(database_url)
    ann, key = Admin(memory).create_token(user="ann"), Admin(memory).create_token(service=True)
    assert Admin(memory).check_token(ann.text) == ann.token
    assert Admin(memory).check_token(key.text) == key.token
    assert _has_service_keys(memory)
    assert set(Admin(memory).tokens()) == {ann.token, key.token}
    Admin(memory).revoke_token(key.token.token_id)
    assert Admin(memory).check_token(key.text) is None
    memory.forget(everything=True, user="ann")
    assert Admin(memory).check_token(ann.text) is None


def test_no_secret_on_disk_or_in_the_log(
    memory: Memory, sqlite_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """Neither the file nor any event holds what would let somebody in."""
    caplog.set_level("DEBUG")
    made = Admin(memory).create_token(user="ann")
    Admin(memory).check_token(made.text)
    Admin(memory).revoke_token(made.token.token_id)
    secret = made.text.split("_", 2)[2]
    files = [file.read_bytes() for file in sqlite_path.parent.glob("memory.db*")]
    assert any(made.token.token_id.encode() in data for data in files)
    assert not any(secret.encode() in data for data in files)
    assert "token.created" in caplog.text and "token.revoked" in caplog.text
    assert secret not in caplog.text
