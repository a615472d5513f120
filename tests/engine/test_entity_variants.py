"""Variants of names: merged where it is sure, proposed where it is not, and never twice."""

import asyncio
from typing import Any

import pytest

from recollect import AsyncMemory, Memory, NewMemory
from recollect.admin import Admin
from recollect.engine import entity_variants
from recollect.engine.entity_variants import propose_merges
from recollect.engine.forget import forget_everything
from recollect.engine.parts import Parts
from recollect.rules.variant import Variant

from .conftest import Opener
from .fakes import FakeClock


@pytest.fixture
def memory(database_url: str, opener: Opener) -> Memory:
    return opener(database_url)


def _tell(memory: Memory, clock: FakeClock, **facts: str) -> None:
    """Each fact mentions the entity that its name says: person_bob is person:bob."""
    for name, content in facts.items():
        memory.add(NewMemory(content, entity_refs=[name.replace("_", ":", 1)]))
        clock.move(minutes=1)


def _merges(memory: Memory, status: str | None = "open") -> list[tuple[str, ...]]:
    return [item.entity_keys for item in memory.proposals(status=status, kind="merge")]


def test_makesh_and_mukesh(memory: Memory, clock: FakeClock) -> None:
    """S4's variants of one name become a proposal with its evidence; accepted, both names find everything."""
    _tell(
        memory,
        clock,
        person_makesh="Makesh handles the backend of the app",
        person_mukesh="Mukesh chose the new database",
    )
    memory.consolidate()
    (proposal,) = memory.proposals(kind="merge")
    assert "sound alike" in proposal.reason
    assert memory.entity("person:makesh").entity.fact_count == 1
    memory.resolve(proposal.proposal_id, accept=True)
    assert memory.entity("person:makesh").entity.fact_count == 2
    assert memory.entity("person:mukesh").entity.key == memory.entity("person:makesh").entity.key


def test_a_sure_variant_is_merged(memory: Memory, clock: FakeClock) -> None:
    """A legal form more is the same firm: merged without asking, with the reason, and told in the report."""
    _tell(
        memory,
        clock,
        org_acme="User works at Acme as a pilot",
        org_acme_corp="Acme Corp pays User on Fridays",
    )
    report = memory.consolidate()
    assert report.merged == (("org:acme", "org:acme_corp"),)
    assert memory.entity("org:acme").entity.fact_count == 2
    assert _merges(memory) == []


def test_what_was_decided_is_not_done_again(memory: Memory, clock: FakeClock) -> None:
    """A merge that somebody took back, or a proposal that was rejected, stays that way."""
    _tell(
        memory,
        clock,
        org_acme="User works at Acme as a pilot",
        org_acme_corp="Acme Corp pays User on Fridays",
        person_makesh="Makesh handles the backend of the app",
        person_mukesh="Mukesh chose the new database",
    )
    memory.consolidate()
    memory.unmerge("org:acme")
    memory.resolve(memory.proposals(kind="merge")[0].proposal_id, accept=False)
    _tell(memory, clock, org_acme="Acme moved to a new tower", person_mukesh="Mukesh bought a boat last week")
    memory.consolidate()
    assert memory.entity("org:acme").entity.aliases == ()
    assert _merges(memory) == []


def test_a_merge_by_hand_that_was_taken_back(memory: Memory, clock: FakeClock) -> None:
    """Who unmerges what they merged themselves is not overruled by the curator."""
    _tell(
        memory,
        clock,
        org_acme="User works at Acme as a pilot",
        org_acme_corp="Acme Corp pays User on Fridays",
    )
    memory.merge("org:acme_corp", "org:acme")
    memory.unmerge("org:acme_corp")
    assert memory.consolidate().merged == ()
    assert len(memory.entities()) == 2


def test_people_with_different_roles_stay_two(memory: Memory, clock: FakeClock) -> None:
    """Jane the wife and Jayne the daughter are not proposed."""
    _tell(memory, clock, person_jane="Jane is User's wife", person_jayne="Jayne is User's daughter")
    memory.consolidate()
    assert _merges(memory, status=None) == []


def test_only_new_names_are_compared(memory: Memory, clock: FakeClock) -> None:
    """A name mentioned since the last run meets the old ones; a run without news brings nothing."""
    _tell(memory, clock, person_makesh="Makesh handles the backend of the app")
    memory.consolidate()
    clock.move(days=1)
    _tell(memory, clock, person_mukesh="Mukesh chose the new database")
    memory.consolidate()
    assert len(_merges(memory)) == 1


def test_several_spellings_become_one(memory: Memory, clock: FakeClock) -> None:
    """Three sure names end as one entity, whichever was merged first."""
    _tell(
        memory,
        clock,
        org_acme="User works at Acme as a pilot",
        org_acme_corp="Acme Corp pays User on Fridays",
        org_acme_corporation="Acme Corporation has a new logo",
    )
    memory.consolidate()
    (entity,) = memory.entities()
    assert entity.fact_count == 3


def test_a_user_without_entities(opener: Opener, database_url: str, clock: FakeClock, embedder: Any) -> None:
    """Nothing is found and nothing fails, for somebody unknown too."""

    async def run() -> None:
        async with AsyncMemory(database_url, embedder=embedder, clock=clock) as memory:
            assert await propose_merges(memory._engine.parts, "nobody") == []

    asyncio.run(run())


def test_what_is_forgotten_is_named_nowhere(memory: Memory, clock: FakeClock) -> None:
    """With its last memory a name leaves the proposals and the runs of the curator too."""
    _tell(
        memory,
        clock,
        person_makesh="Makesh handles the backend of the app",
        person_mukesh="Mukesh chose the new database",
        org_acme="User works at Acme as a pilot",
        org_acme_corp="Acme Corp pays User on Fridays",
    )
    assert memory.consolidate().merged
    assert len(_merges(memory, status=None)) == 2
    for item in memory.memories():
        if {"person:makesh", "org:acme"} & set(item.entity_refs):
            memory.forget(memory=item.memory_id)
    assert _merges(memory, status=None) == []


@pytest.mark.parametrize("sure", [True, False])
def test_names_that_are_forgotten_meanwhile(
    memory: Memory, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, sure: bool
) -> None:
    """Nothing is written about a user who was forgotten between looking and proposing."""
    if sure:
        _tell(memory, clock, org_acme="User works at Acme as a pilot", org_acme_corp="Acme Corp pays User")
    else:
        _tell(memory, clock, person_makesh="Makesh keeps bees", person_mukesh="Mukesh chose the database")
    look = entity_variants.find_variants

    async def then_forget(parts: Parts, user_id: str) -> list[Variant]:
        found = await look(parts, user_id)
        assert [variant.sure for variant in found] == [sure]
        await forget_everything(parts, user_id)
        return found

    monkeypatch.setattr(entity_variants, "find_variants", then_forget)
    memory.consolidate()
    assert memory.proposals(status=None) == []
    assert Admin(memory).users() == []
