"""Proposals: what is decided is done, once, and safe to repeat."""

from typing import Any

import pytest

from recollect import Conflict, InvalidInput, Memory, NewMemory, NotFound, Settings
from recollect.admin import Admin
from recollect.engine import proposals as proposing
from recollect.records.proposal import ProposalStatus
from recollect.store import proposals
from recollect.store.database import Connection
from recollect.types import Proposal, ProposalKind, Status

from .conftest import Opener
from .fakes import FakeClock


@pytest.fixture
def memory(database_url: str, opener: Opener) -> Memory:
    """An empty memory, on each database."""
    return opener(database_url, settings=Settings(sqlite_synchronous="normal", worker="off"))


def _propose(memory: Memory, clock: FakeClock, kind: ProposalKind, **fields: Any) -> str:
    """Put a proposal there, as the judge or the search for variants would."""
    Admin(memory).users()  # opens the database
    parts = memory._inner._engine.parts
    now = clock()
    made = Proposal(
        user_id="local",
        proposal_id=parts.new_id(now),
        kind=kind,
        subject=fields.pop("subject", "s"),
        reason=fields.pop("reason", "both cannot be true"),
        confidence=0.7,
        created_at=now,
        updated_at=now,
        **fields,
    )

    async def add() -> bool:
        return await parts.database.write("local", lambda tx: proposals.add(tx, made))

    assert memory._thread.run(add())
    return made.proposal_id


def _two(memory: Memory, clock: FakeClock) -> tuple[str, str]:
    older = memory.add("User lives alone in a cabin").memory.memory_id
    clock.move(seconds=1)
    return older, memory.add("User shares a flat with Jane").memory.memory_id


def test_accepting_a_contradiction_archives_the_older(memory: Memory, clock: FakeClock) -> None:
    """The newer memory stays; the other says in its history why it went, and can be restored."""
    older, newer = _two(memory, clock)
    proposal = _propose(memory, clock, ProposalKind.CONTRADICTION, memory_ids=(older, newer))
    for _ in range(2):
        decided = memory.resolve(proposal, accept=True)
        assert (decided.status, decided.decided_by) == ("accepted", "user")
    assert memory.get(older).status is Status.ARCHIVED
    assert newer in memory.history(older)[-1].reason
    assert memory.get(newer).current
    assert memory.proposals() == []
    assert len(memory.history(older)) == 2


def test_a_person_may_keep_the_other(memory: Memory, clock: FakeClock) -> None:
    """`keep` names the one that stays; it must be one of the two."""
    older, newer = _two(memory, clock)
    proposal = _propose(memory, clock, ProposalKind.CONTRADICTION, memory_ids=(older, newer))
    with pytest.raises(InvalidInput, match="keep"):
        memory.resolve(proposal, accept=True, keep="another")
    memory.resolve(proposal, accept=True, keep=older)
    assert memory.get(older).current
    assert memory.get(newer).status is Status.ARCHIVED


def test_what_is_settled_already_stays(memory: Memory, clock: FakeClock) -> None:
    """Where one of the two was archived meanwhile, accepting archives nothing more, and keeping the lost one is refused."""
    older, newer = _two(memory, clock)
    proposal = _propose(memory, clock, ProposalKind.CONTRADICTION, memory_ids=(older, newer))
    memory.update(newer, status="ARCHIVED")
    with pytest.raises(Conflict, match="Restore"):
        memory.resolve(proposal, accept=True, keep=newer)
    memory.resolve(proposal, accept=True)
    assert memory.get(older).current


def test_accepting_a_forgetting_erases(memory: Memory, clock: FakeClock) -> None:
    """The memories are gone, and so are the words of the proposal; that it was decided stays, so nobody asks again."""
    older, newer = _two(memory, clock)
    proposal = _propose(
        memory,
        clock,
        ProposalKind.FORGETTING,
        subject="m7",
        memory_ids=(older, "gone-already"),
        reason='the user said "forget that I live alone"',
        source_message_ids=("m7",),
    )
    for _ in range(2):
        decided = memory.resolve(proposal, accept=True)
        assert decided.status == "accepted"
    assert [item.memory_id for item in memory.memories(status=None)] == [newer]
    (kept,) = memory.proposals(status=None)
    assert (kept.proposal_id, kept.memory_ids, kept.subject) == (proposal, (), "m7")
    assert "alone" not in kept.reason


def test_accepting_a_merge_makes_an_alias(memory: Memory, clock: FakeClock) -> None:
    """Two names are one from then on; a merge that was done by hand meanwhile is as good."""
    memory.add(NewMemory("Bob is User's friend from school", entity_refs=["person:bob"]))
    memory.add(NewMemory("Robert works in a bakery", entity_refs=["person:robert"]))
    keys = ("person:robert", "person:bob")
    proposal = _propose(memory, clock, ProposalKind.MERGE, entity_keys=keys, reason="a nickname")
    assert memory.proposals(kind="merge")[0].to_merge_dict() == {
        "id": proposal,
        "from": "person:robert",
        "into": "person:bob",
        "evidence": "a nickname",
        "score": 0.7,
    }
    memory.merge(*keys)
    for _ in range(2):
        assert memory.resolve(proposal, accept=True).status == "accepted"
    assert memory.entity("person:robert").entity.key == "person:bob"


def test_a_merge_of_what_is_gone_is_refused(memory: Memory, clock: FakeClock) -> None:
    """The refusal says what to do, and the proposal stays open."""
    memory.add(NewMemory("Bob is User's friend from school", entity_refs=["person:bob"]))
    keys = ("person:robert", "person:bob")
    proposal = _propose(memory, clock, ProposalKind.MERGE, entity_keys=keys)
    with pytest.raises(Conflict, match="Reject"):
        memory.resolve(proposal, accept=True)
    assert [each.proposal_id for each in memory.proposals()] == [proposal]
    assert memory.resolve(proposal, accept=False).status == "rejected"


def test_rejecting_changes_nothing_and_is_kept(memory: Memory, clock: FakeClock) -> None:
    """Twice is once; a decision cannot be turned round, and the refusal says who made it."""
    older, newer = _two(memory, clock)
    first = _propose(memory, clock, ProposalKind.CONTRADICTION, memory_ids=(older, newer))
    second = _propose(memory, clock, ProposalKind.FORGETTING, memory_ids=())
    for _ in range(2):
        assert memory.resolve(first, accept=False).decided_by == "user"
    with pytest.raises(Conflict, match="rejected by user"):
        memory.resolve(first, accept=True)
    memory.resolve(second, accept=True)
    with pytest.raises(Conflict, match="accepted by user"):
        memory.resolve(second, accept=False)
    assert len(memory.memories()) == 2


def test_lists_and_bad_input(memory: Memory, clock: FakeClock) -> None:
    """Newest first in pages; unknown words and ids are refused clearly."""
    ids = [_propose(memory, clock, ProposalKind.FORGETTING, subject=f"s{number}") for number in range(3)]
    page = memory.proposals(limit=2)
    assert [each.proposal_id for each in page] == ids[:0:-1]
    last = memory.proposals(cursor=page.next_cursor)
    assert ([each.proposal_id for each in last], last.next_cursor) == (ids[:1], None)
    assert memory.proposals(kind="merge") == []
    assert memory.proposals(user="bob") == []
    for wrong in ({"kind": "guess"}, {"status": "shut"}, {"limit": 0}):
        with pytest.raises(InvalidInput):
            memory.proposals(**wrong)  # type: ignore[arg-type]
    for accept in (True, False):
        with pytest.raises(NotFound, match="no proposal"):
            memory.resolve("p9", accept=accept)
        with pytest.raises(NotFound):
            memory.resolve(ids[0], accept=accept, user="bob")


def test_forgetting_takes_proposals_along(memory: Memory, clock: FakeClock) -> None:
    """A proposal about a forgotten memory or entity goes: its reason may tell of it."""
    older, newer = _two(memory, clock)
    memory.add(NewMemory("Bob is User's friend from school", entity_refs=["person:bob"]))
    _propose(memory, clock, ProposalKind.CONTRADICTION, memory_ids=(older, newer))
    _propose(memory, clock, ProposalKind.MERGE, entity_keys=("person:bob", "person:rob"))
    assert memory.forget(older).counts["proposals"] == 1
    memory.forget(entity="person:bob")
    assert memory.proposals(status=None) == []


@pytest.mark.parametrize("kind", list(ProposalKind))
def test_who_rejects_first_is_obeyed(
    memory: Memory, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, kind: ProposalKind
) -> None:
    """Accepting what somebody rejects in the same moment is refused, and does nothing."""
    older, newer = _two(memory, clock)
    memory.add(NewMemory("Bob is User's friend from school", entity_refs=["person:bob"]))
    memory.add(NewMemory("Robert works in a bakery", entity_refs=["person:robert"]))
    about: dict[str, Any] = {"memory_ids": (older, newer)}
    if kind is ProposalKind.MERGE:
        about = {"entity_keys": ("person:robert", "person:bob")}
    proposal = _propose(memory, clock, kind, **about)
    before = memory.memories(status=None), memory.entities()
    look = proposing._found
    looks: list[str] = []

    def rejected_meanwhile(tx: Connection, user_id: str, proposal_id: str) -> Proposal:
        looks.append(proposal_id)
        if len(looks) == 2:
            # The second look is that of the transaction which acts.
            proposals.decide(tx, user_id, proposal_id, ProposalStatus.REJECTED, "tom", clock())
        return look(tx, user_id, proposal_id)

    monkeypatch.setattr(proposing, "_found", rejected_meanwhile)
    with pytest.raises(Conflict, match="rejected by tom"):
        memory.resolve(proposal, accept=True)
    assert len(looks) == 2
    assert (memory.memories(status=None), memory.entities()) == before


@pytest.mark.parametrize("kind", [ProposalKind.CONTRADICTION, ProposalKind.FORGETTING])
def test_a_memory_that_changed_since_is_left_alone(
    memory: Memory, clock: FakeClock, kind: ProposalKind
) -> None:
    """Accepting what was proposed about other words is refused, says what changed, and leaves the proposal open."""
    older, newer = _two(memory, clock)
    proposal = _propose(memory, clock, kind, memory_ids=(older, newer))
    clock.move(seconds=1)
    memory.update(older, content="User owns a house by the lake")
    with pytest.raises(Conflict, match=f"{older} was edited by user"):
        memory.resolve(proposal, accept=True)
    assert [item.memory_id for item in memory.memories()] == [newer, older]
    assert [each.proposal_id for each in memory.proposals()] == [proposal]
    assert memory.resolve(proposal, accept=False).status == "rejected"


def test_a_refusal_names_few(memory: Memory, clock: FakeClock) -> None:
    """Where many memories changed, three are named and the rest is counted."""
    ids = [memory.add(f"User has been to country number {number}").memory.memory_id for number in range(5)]
    proposal = _propose(memory, clock, ProposalKind.FORGETTING, memory_ids=tuple(ids))
    clock.move(seconds=1)
    for memory_id in ids:
        memory.update(memory_id, pinned=True)
    with pytest.raises(Conflict, match="pinned by user, and 2 more"):
        memory.resolve(proposal, accept=True)
    assert len(memory.memories()) == 5


def test_what_was_said_again_may_be_forgotten(memory: Memory, clock: FakeClock) -> None:
    """A mention is no change: the memory says what it said when it was proposed."""
    known = memory.add("User lives alone in a cabin").memory.memory_id
    proposal = _propose(memory, clock, ProposalKind.FORGETTING, memory_ids=(known,))
    clock.move(seconds=1)
    memory.add("User lives alone in a cabin")
    assert memory.resolve(proposal, accept=True).status == "accepted"
    assert memory.memories(status=None) == []


def test_a_second_choice_is_refused(memory: Memory, clock: FakeClock) -> None:
    """Accepting again with the same memory to keep is a repetition; with the other it is a conflict that names who decided."""
    older, newer = _two(memory, clock)
    proposal = _propose(memory, clock, ProposalKind.CONTRADICTION, memory_ids=(older, newer))
    clock.move(seconds=1)
    memory.resolve(proposal, accept=True)
    assert memory.resolve(proposal, accept=True, keep=newer).decided_by == "user"
    with pytest.raises(Conflict, match="accepted by user"):
        memory.resolve(proposal, accept=True, keep=older)
    memory.update(older, status="ACTIVE")
    with pytest.raises(Conflict, match="accepted by user"):
        memory.resolve(proposal, accept=True, keep=older)
    assert memory.get(newer).current


def test_of_one_moment_the_first_named_is_the_older(memory: Memory, clock: FakeClock) -> None:
    """Two memories that were made in one transaction are older and newer as the proposal names them, not by chance."""
    ids = [memory.add(f"User sleeps well in month number {number}").memory.memory_id for number in range(6)]
    for number, pair in enumerate(((ids[0], ids[1]), (ids[3], ids[2]), (ids[5], ids[4]))):
        memory.resolve(
            _propose(memory, clock, ProposalKind.CONTRADICTION, subject=f"s{number}", memory_ids=pair),
            accept=True,
        )
        assert [memory.get(each).status.value for each in pair] == ["ARCHIVED", "ACTIVE"]
