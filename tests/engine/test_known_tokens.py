"""Known tokens: how long a look counts, and what is dropped."""

from datetime import UTC, datetime, timedelta

from recollect.engine.known_tokens import TRUSTED_SECONDS, KnownTokens
from recollect.records.token import NewToken, new_token

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def made(number: int, user: str = "ann") -> NewToken:
    return new_token(token_id=f"{number:016x}", secret=f"{number:043}", user_id=user, now=NOW)


def holding(*new: NewToken, limit: int = 100) -> KnownTokens:
    known = KnownTokens(limit)
    for one in new:
        known.put(one.text, one.token, NOW, known.turn)
    return known


def test_a_look_counts_for_some_seconds() -> None:
    """Within them the token is known; afterwards, or when the clock was set back, it is asked for again."""
    one = made(1)
    known = holding(one)
    assert known.get(one.text, NOW + timedelta(seconds=TRUSTED_SECONDS)) == one.token
    assert known.get(made(2).text, NOW) is None
    assert known.get(one.text, NOW + timedelta(seconds=TRUSTED_SECONDS + 0.001)) is None
    assert holding(one).get(one.text, NOW - timedelta(seconds=1)) is None


def test_what_is_dropped_is_asked_for_again() -> None:
    """One token, or all of a user; the others stay known."""
    one, two, bob = made(1), made(2), made(3, "bob")
    known = holding(one, two, bob)
    known.drop(one.token.token_id)
    assert [known.get(new.text, NOW) is not None for new in (one, two, bob)] == [False, True, True]
    known.drop_user("ann")
    assert [known.get(new.text, NOW) is not None for new in (one, two, bob)] == [False, False, True]


def test_a_look_that_was_overtaken_is_not_kept() -> None:
    """A token that was revoked while somebody was reading it does not come back."""
    one = made(1)
    known = KnownTokens()
    turn = known.turn
    known.drop(one.token.token_id)
    known.put(one.text, one.token, NOW, turn)
    assert known.get(one.text, NOW) is None


def test_few_are_held() -> None:
    """Beyond the limit the oldest look goes."""
    many = [made(number) for number in range(5)]
    known = holding(*many, limit=3)
    assert [known.get(new.text, NOW) is not None for new in many] == [False, False, True, True, True]


def test_no_text_is_held() -> None:
    """What is in memory does not let anybody in."""
    one = made(1)
    assert one.text.split("_", 2)[2] not in repr(holding(one).__dict__)
