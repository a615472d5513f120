"""The idempotency_keys table."""

import json

import pytest

from recollect.store import idempotency_keys
from recollect.store.database import EVERYONE

from .conftest import Store
from .conversations import minutes


def _put(store: Store, key: str, answer: str | None, minute: float = 0, user_id: str = "ann") -> None:
    store.write(
        user_id,
        lambda tx: idempotency_keys.put(tx, user_id, key, f"hash of {key}", answer, minutes(minute)),
    )


def _find(store: Store, key: str, since: float = -99, user_id: str = "ann") -> tuple[str, str | None] | None:
    return store.read(user_id, lambda tx: idempotency_keys.find(tx, user_id, key, since=minutes(since)))


def test_an_answer_is_found_again(store: Store) -> None:
    """A key brings the hash and the answer of its own user; one without an answer yet brings None."""
    _put(store, "k1", '{"a": 1}')
    _put(store, "k2", None)
    assert _find(store, "k1") == ("hash of k1", '{"a": 1}')
    assert _find(store, "k2") == ("hash of k2", None)
    assert _find(store, "k3") is None
    assert _find(store, "k1", user_id="bob") is None


def test_keys_grow_old(store: Store) -> None:
    """A key from before the moment does not count, can be used anew, and is pruned."""
    _put(store, "old", "1", minute=0)
    _put(store, "new", "2", minute=10)
    _put(store, "old", "9", minute=0, user_id="bob")
    assert _find(store, "old", since=0) is not None
    assert _find(store, "old", since=0.1) is None
    assert store.write("ann", lambda tx: idempotency_keys.prune(tx, "ann", minutes(10))) == 1
    assert _find(store, "old") is None
    assert _find(store, "new") is not None
    assert _find(store, "old", user_id="bob") is not None
    _put(store, "new", "3", minute=20)
    assert _find(store, "new", since=15) == ("hash of new", "3")


@pytest.mark.parametrize("ascii_only", [True, False])
def test_answers_are_forgotten_with_what_they_name(store: Store, ascii_only: bool) -> None:
    """Answers that hold one of the ids as a text go, however deep and however spelled; the others stay."""
    forgotten = ["m1", 'say "é" \\ 🐝']
    answers: dict[str, object] = {
        "deep": {"messages": [{"id": "m1"}]},
        "odd": [forgotten[1]],
        "key": {"m1": 1},
        "longer": {"id": "m12", "text": "about m1"},
        "number": 1,
    }
    for key, answer in answers.items():
        _put(store, key, json.dumps(answer, ensure_ascii=ascii_only))
    _put(store, "empty", None)
    _put(store, "deep", '"m1"', user_id="bob")
    assert store.write("ann", lambda tx: idempotency_keys.drop_mentioning(tx, "ann", [])) == 0
    assert store.write("ann", lambda tx: idempotency_keys.drop_mentioning(tx, "ann", forgotten)) == 3
    assert [key for key in (*answers, "empty") if _find(store, key)] == ["longer", "number", "empty"]
    assert _find(store, "deep", user_id="bob") is not None


def test_many_answers_are_searched(store: Store) -> None:
    """More answers than are in memory at a time, and more ids than a statement takes."""
    for number in range(450):
        _put(store, f"k{number}", json.dumps({"id": f"m{number}"}))
    ids = [f"m{number}" for number in range(0, 5000, 2)]
    assert store.write("ann", lambda tx: idempotency_keys.drop_mentioning(tx, "ann", ids)) == 225
    assert _find(store, "k1") is not None and _find(store, "k448") is None


def test_what_is_under_way_is_answered_renewed_or_let_go(store: Store) -> None:
    """Only a row that has no answer, of the same request, is changed: an answer that is there stays."""
    for key in ("answered", "renewed", "released"):
        _put(store, key, None)
    store.write("ann", lambda tx: idempotency_keys.renew(tx, "ann", "renewed", "hash of renewed", minutes(9)))
    store.write("ann", lambda tx: idempotency_keys.release(tx, "ann", "released", "hash of released"))
    for request_hash, done in (
        ("another", False),
        ("hash of answered", True),
        ("hash of answered", False),
    ):
        assert done is store.write(
            "ann",
            lambda tx, given=request_hash: idempotency_keys.answer(tx, "ann", "answered", given, '"first"'),
        )
    store.write("ann", lambda tx: idempotency_keys.release(tx, "ann", "answered", "hash of answered"))
    store.write(
        "ann", lambda tx: idempotency_keys.renew(tx, "ann", "answered", "hash of answered", minutes(9))
    )
    assert _find(store, "answered") == ("hash of answered", '"first"')
    assert _find(store, "answered", since=5) is None
    assert _find(store, "renewed", since=5) == ("hash of renewed", None)
    assert _find(store, "released") is None


def test_everybodys_keys_are_pruned(store: Store) -> None:
    """In the scope of everyone old keys of all users go."""
    for user_id in ("ann", "bob"):
        _put(store, "old", "1", minute=0, user_id=user_id)
        _put(store, "new", "2", minute=10, user_id=user_id)
    assert store.write(EVERYONE, lambda tx: idempotency_keys.prune_everybodys(tx, minutes(5))) == 2
    assert _find(store, "old") is None
    assert _find(store, "new", user_id="bob") is not None
