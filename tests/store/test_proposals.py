"""The proposals table."""

from dataclasses import replace
from typing import Any

import pytest

from recollect.records.proposal import Proposal, ProposalKind, ProposalStatus
from recollect.store import proposals

from .conftest import Store
from .conversations import minutes


def _proposal(number: int, user_id: str = "ann", **changes: Any) -> Proposal:
    made = Proposal(
        user_id=user_id,
        proposal_id=f"p{number}",
        kind=ProposalKind.CONTRADICTION,
        subject=f"a{number}|b{number}",
        memory_ids=(f"a{number}", f"b{number}"),
        reason="both cannot be true",
        confidence=0.8,
        created_at=minutes(number),
        updated_at=minutes(number),
    )
    return replace(made, **changes)


def _add(store: Store, *found: Proposal) -> list[bool]:
    return [store.write(one.user_id, lambda tx, one=one: proposals.add(tx, one)) for one in found]


def test_every_field_comes_back(store: Store) -> None:
    """What is written is what is read, and only by its own user."""
    made = _proposal(
        1,
        kind=ProposalKind.MERGE,
        subject="person:bob|person:robert",
        memory_ids=(),
        entity_keys=("person:bob", "person:robert"),
        source_message_ids=("m1",),
        status=ProposalStatus.ACCEPTED,
        decided_by="curator",
    )
    assert _add(store, made) == [True]
    assert store.read("ann", lambda tx: proposals.get(tx, "ann", "p1")) == made
    assert store.read("bob", lambda tx: proposals.get(tx, "bob", "p1")) is None


def test_nobody_is_asked_twice(store: Store) -> None:
    """A second proposal of one kind and subject is refused, also when the first was decided."""
    assert _add(store, _proposal(1), _proposal(2, subject="a1|b1"), _proposal(1, "bob")) == [
        True,
        False,
        True,
    ]
    rejected = ProposalStatus.REJECTED
    assert store.write("ann", lambda tx: proposals.decide(tx, "ann", "p1", rejected, "user", minutes(9)))
    assert _add(store, _proposal(3, subject="a1|b1")) == [False]
    assert _add(store, _proposal(4, subject="a1|b1", kind=ProposalKind.FORGETTING)) == [True]


def test_a_decision_is_made_once(store: Store) -> None:
    """Deciding says whether it was open; the first decision stays."""
    _add(store, _proposal(1))
    for status, changed in ((ProposalStatus.ACCEPTED, True), (ProposalStatus.REJECTED, False)):
        done = store.write(
            "ann", lambda tx, status=status: proposals.decide(tx, "ann", "p1", status, "jo", minutes(9))
        )
        assert done is changed
    kept = store.read("ann", lambda tx: proposals.get(tx, "ann", "p1"))
    assert kept == _proposal(1, status=ProposalStatus.ACCEPTED, decided_by="jo", updated_at=minutes(9))


@pytest.mark.parametrize(
    ("wanted", "found"),
    [
        ({}, ["p4", "p3", "p2", "p1"]),
        ({"status": ProposalStatus.OPEN}, ["p4", "p3", "p1"]),
        ({"kind": ProposalKind.MERGE}, ["p3"]),
        ({"limit": 2}, ["p4", "p3"]),
        ({"after": "p3"}, ["p2", "p1"]),
        ({"after": "p3", "status": ProposalStatus.OPEN, "kind": ProposalKind.CONTRADICTION}, ["p1"]),
    ],
)
def test_pages(store: Store, wanted: dict[str, Any], found: list[str]) -> None:
    """Newest first, of the status and kind that is asked for, starting after the last one of the page before."""
    _add(
        store,
        _proposal(1),
        _proposal(2, status=ProposalStatus.REJECTED),
        _proposal(3, kind=ProposalKind.MERGE),
        _proposal(4),
        _proposal(5, "bob"),
    )
    asked = {"status": None, "kind": None, "limit": 10, "after": None, **wanted}
    page = store.read("ann", lambda tx: proposals.page(tx, "ann", **asked))
    assert [each.proposal_id for each in page] == found


def test_one_can_be_deleted(store: Store) -> None:
    """Deleting says whether there was one."""
    _add(store, _proposal(1))
    assert store.write("ann", lambda tx: proposals.delete(tx, "ann", "p1"))
    assert not store.write("ann", lambda tx: proposals.delete(tx, "ann", "p1"))
