"""Curate: memories are tidied, the report says why, and an original can be brought back."""

import asyncio
import sqlite3
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import pytest

from recollect import AsyncMemory, InvalidInput, Memory, MemoryRecord, NewMemory, NotFound, Settings
from recollect.admin import Admin
from recollect.engine import compare
from recollect.engine import curate as curating
from recollect.records.job import JobKind
from recollect.store import jobs, memories
from recollect.types import CuratorReport, Status
from recollect.worker.handlers import handlers
from recollect.worker.worker import Again

from .conftest import Opener
from .fakes import FakeClock, FakeEmbedder

VAGUE = "User drinks strong coffee"
SPECIFIC = "User drinks strong coffee daily"


@pytest.fixture
def memory(database_url: str, opener: Opener) -> Memory:
    """An empty memory, on each database."""
    return opener(database_url, settings=Settings(sqlite_synchronous="normal", worker="off"))


def _everything(memory: Memory) -> dict[str, MemoryRecord]:
    """All records, past and archived ones too."""
    found = memory.memories(status=None, limit=1000)
    return {item.memory_id: item for item in found}


def _tell(memory: Memory, clock: FakeClock, *texts: str, **options: object) -> list[str]:
    ids: list[str] = []
    for text in texts:
        clock.move(seconds=1)
        ids.append(memory.add(NewMemory(text, **options)).memory.memory_id)  # type: ignore[arg-type]
    return ids


def _coffee(memory: Memory, clock: FakeClock) -> list[str]:
    """Two memories that say one thing, and a third."""
    first = _tell(memory, clock, VAGUE, source_message_ids=["m1"], tags=["drink"], importance=7)
    second = _tell(memory, clock, SPECIFIC, source_message_ids=["m2"], entity_refs=["place:graz"])
    (third,) = _tell(memory, clock, "User keeps bees behind the house")
    clock.move(seconds=1)
    return [*first, *second, third]


def test_the_report_on_the_wire(memory: Memory, clock: FakeClock) -> None:
    """`folds` with `into`, `from` and `reason`, `archived`, and whether it was a dry run."""
    vague, specific, _ = _coffee(memory, clock)
    shown = memory.consolidate(dry_run=True).to_dict()
    (fold,) = shown["folds"]
    assert fold["into"]["content"] == SPECIFIC
    assert fold["into"]["memory_id"] is None
    assert [each["memory_id"] for each in fold["from"]] == [vague, specific]
    assert fold["reason"]
    assert (shown["archived"], shown["dry_run"]) == ([], True)


def test_a_dry_run_changes_nothing(opener: Opener, clock: FakeClock, sqlite_path: Path) -> None:
    """It tells what the run then does, and no row of any table is another one afterwards."""
    memory = opener(settings=Settings(sqlite_synchronous="normal", worker="off"))
    _coffee(memory, clock)
    _tell(memory, clock, "User is vegetarian these years", "User parks behind the office")
    clock.move(days=600)

    def rows() -> list[str]:
        with sqlite3.connect(sqlite_path) as raw:
            dump = list(raw.iterdump())
        raw.close()
        return dump

    before = rows()
    planned = memory.consolidate(dry_run=True)
    assert rows() == before
    done = memory.consolidate()
    assert rows() != before
    assert _told(done) == _told(planned)
    assert planned.archived


def _told(report: CuratorReport) -> tuple[object, ...]:
    return (
        [
            (fold.into.content, [item.memory_id for item in fold.originals], fold.reason)
            for fold in report.folds
        ],
        [(noted.memory.memory_id, noted.reason) for noted in report.archived],
        [proposal.subject for proposal in report.proposals],
        report.looked_at,
    )


def test_an_original_comes_back_for_its_fold(memory: Memory, clock: FakeClock) -> None:
    """Restored, it stands for the fold, which is archived; the next run leaves both alone."""
    vague, specific, bees = _coffee(memory, clock)
    made = memory.consolidate().folds[0].into
    back = memory.update(vague, status="ACTIVE")
    assert back.current
    assert back.folded_into is None
    fold = memory.get(made.memory_id)
    assert (fold.status, fold.folded_into) == (Status.ARCHIVED, vague)
    assert [entry.change for entry in memory.history(fold.memory_id)] == ["created", "archived"]
    assert {item.memory_id for item in memory.memories()} == {vague, bees}
    clock.move(seconds=1)
    assert memory.consolidate().folds == ()
    memory.forget(vague)
    assert set(_everything(memory)) == {bees}
    with pytest.raises(NotFound):
        memory.get(specific)


def test_an_original_comes_back_for_a_fold_of_its_fold(memory: Memory, clock: FakeClock) -> None:
    """What it was folded into was folded again: the last of them is archived, and the keys are free."""
    first, *_ = _tell(memory, clock, VAGUE, SPECIFIC)
    memory.consolidate()
    _tell(memory, clock, "User drinks strong coffee daily at home")
    assert memory.consolidate().folds
    assert memory.update(first, status="ACTIVE").current
    assert [item.memory_id for item in memory.memories()] == [first]


def test_pinned_memories_are_never_touched(memory: Memory, clock: FakeClock) -> None:
    """Neither folded nor archived, however old."""
    ids = _tell(memory, clock, VAGUE, SPECIFIC, pinned=True)
    clock.move(days=4000)
    report = memory.consolidate()
    assert (report.folds, report.archived) == ((), ())
    assert {item.memory_id for item in memory.memories()} == set(ids)


def test_personas_are_kept_apart(memory: Memory, clock: FakeClock) -> None:
    """What one persona knows is not folded with what all know."""
    _tell(memory, clock, VAGUE, persona="coach")
    _tell(memory, clock, SPECIFIC)
    assert memory.consolidate().folds == ()


def test_contradictions_are_proposed_and_wait(memory: Memory, clock: FakeClock) -> None:
    """Neighbours that cannot both be true become one proposal, once; until it is decided they stay as they are."""
    ids = _tell(memory, clock, "User's boss is named Jane", "User's boss is named Anna")
    (proposal,) = memory.consolidate().proposals
    assert set(proposal.memory_ids) == set(ids)
    memory.update(ids[0], tags=["music"])
    assert memory.consolidate().proposals == ()
    memory.resolve(proposal.proposal_id, accept=False)
    memory.update(ids[0], tags=["sound"])
    assert memory.consolidate().proposals == ()
    assert len(memory.memories()) == 2


def test_what_is_mentioned_often_is_named(memory: Memory, clock: FakeClock) -> None:
    """The report names it with the value that it rose to; nothing is written."""
    for _ in range(9):
        _tell(memory, clock, VAGUE)
    before = _everything(memory)
    (noted,) = memory.consolidate().raised
    assert noted.memory.content == VAGUE
    assert "9 times" in noted.reason
    assert _everything(memory) == before


def test_sure_variants_are_merged_and_stay_parted(memory: Memory, clock: FakeClock) -> None:
    """Names that certainly mean one are merged along the way; taking that back parts them, and they stay parted."""
    _tell(memory, clock, "Acme Corp builds bridges in Graz", entity_refs=["org:acme_corp"])
    _tell(memory, clock, "Acme hired User last year", entity_refs=["org:acme"])
    names = {item.key for item in memory.entities()}
    tried = memory.consolidate(dry_run=True)
    assert {item.key for item in memory.entities()} == names
    report = memory.consolidate()
    assert report.merged == tried.merged == (("org:acme", "org:acme_corp"),)
    assert [item.key for item in memory.entities()] == ["org:acme_corp"]
    memory.unmerge("org:acme")
    assert {item.key for item in memory.entities()} == names
    _tell(memory, clock, "Acme hired Jane this year", entity_refs=["org:acme"])
    assert memory.consolidate().merged == ()


def test_forgetting_an_original_takes_the_fold_along(memory: Memory, clock: FakeClock) -> None:
    """The words of the original may be in the fold, so that goes too; the other original is current again."""
    vague, specific, _ = _coffee(memory, clock)
    report = memory.consolidate()
    memory.forget(specific)
    assert set(_everything(memory)) & {specific, report.folds[0].into.memory_id} == set()
    assert memory.get(vague).current
    assert memory.get(vague).folded_into is None


def test_forgetting_the_fold_takes_its_originals_along(memory: Memory, clock: FakeClock) -> None:
    """What was folded is the same fact."""
    *_, bees = _coffee(memory, clock)
    report = memory.consolidate()
    memory.forget(report.folds[0].into.memory_id)
    assert set(_everything(memory)) == {bees}


def test_nobody_and_nothing(memory: Memory) -> None:
    """A user without memories has nothing to tidy; a word is no switch."""
    report = memory.consolidate(user="nobody")
    assert (report.changed, report.looked_at, report.left_for_next) == (False, 0, 0)
    assert Admin(memory).users() == []
    with pytest.raises(InvalidInput):
        memory.consolidate(dry_run="no")  # type: ignore[arg-type]


# -- how much work ----------------------------------------------------------------------------------------------


def test_work_is_bounded(opener: Opener, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of thousands of memories a run looks at so many and leaves the rest; runs go on until all were seen, then rest."""
    monkeypatch.setattr(compare, "COMPARED", 250)
    monkeypatch.setattr(compare, "WEIGHED", 200)
    memory = opener(settings=Settings(sqlite_synchronous="normal", worker="off"))
    texts = [f"User has seen place number {number} of the {number % 7} islands" for number in range(2000)]
    for start in range(0, len(texts), 500):
        memory.add_many([NewMemory(text, category="context") for text in texts[start : start + 500]])
    read: list[int] = []
    get_many = memories.get_many

    def counted(tx: object, user_id: str, memory_ids: list[str]) -> dict[str, MemoryRecord]:
        read.append(len(memory_ids))
        return get_many(tx, user_id, memory_ids)  # type: ignore[arg-type]

    monkeypatch.setattr(memories, "get_many", counted)
    seen, left = 0, 2000
    while left:
        read.clear()
        report = memory.consolidate()
        assert report.looked_at <= 250
        assert sum(read) <= 250 * 9
        seen += report.looked_at
        left = report.left_for_next
    assert seen == 2000
    assert memory.consolidate().looked_at == 0
    clock.move(days=300)
    gone = 0
    for _ in range(10):
        report = memory.consolidate()
        assert len(report.archived) <= 200
        gone += len(report.archived)
    assert gone == 2000


def test_what_use_keeps_alive_is_in_nobodys_way(
    opener: Opener, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Old memories that are mentioned often fill a run; on another day it begins elsewhere and finds the others."""
    monkeypatch.setattr(compare, "WEIGHED", 4)
    memory = opener(settings=Settings(sqlite_synchronous="normal", worker="off"))
    alive = [f"User waters plant {number} on the balcony" for number in range(8)]
    for text in alive:
        for _ in range(9):
            _tell(memory, clock, text, category="context")
    _tell(
        memory,
        clock,
        "User waters plant 99 on the roof",
        "User waters plant 98 on the roof",
        category="context",
    )
    gone = 0
    for _ in range(4):
        clock.move(days=301)
        gone += len(memory.consolidate().archived)
    assert gone == 2


# -- the job ------------------------------------------------------------------------------------------------------


def test_a_job_comes_within_a_day_or_after_25(database_url: str, opener: Opener, clock: FakeClock) -> None:
    """The first new memory calls the curator for the next day, the 25th at once; a mention calls nobody."""
    memory = opener(database_url)
    _tell(memory, clock, "User keeps bees in garden 0")
    first = clock()
    for number in range(1, 24):
        _tell(memory, clock, f"User keeps bees in garden {number}")
    (job,) = Admin(memory).jobs(user="local")
    assert (job.kind, job.lane, job.run_at) == (JobKind.CURATE, "curator", first + timedelta(days=1))
    _tell(memory, clock, "User keeps bees in garden 24")
    (job,) = Admin(memory).jobs(user="local")
    assert job.run_at == clock()
    assert memory.drain(timeout=10)
    assert Admin(memory).jobs(user="local") == []
    _tell(memory, clock, "User keeps bees in garden 24")
    assert Admin(memory).jobs(user="local") == []
    _tell(memory, clock, "User keeps bees in garden 25")
    (job,) = Admin(memory).jobs(user="local")
    assert job.run_at == clock() + timedelta(days=1)


def test_the_job_goes_on_until_all_were_seen(
    sqlite_path: Path, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A backlog is done in turns: the job asks to come again while something is left."""
    monkeypatch.setattr(compare, "COMPARED", 10)

    async def run() -> None:
        settings = Settings(worker="off", sqlite_synchronous="normal")
        async with AsyncMemory(
            sqlite_path, settings=settings, embedder=FakeEmbedder(), clock=clock
        ) as memory:
            await memory.add_many([f"User keeps bees in garden {n}" for n in range(30)])
            (job,) = await memory._engine.parts.database.read("local", lambda tx: jobs.of_user(tx, "local"))
            tidy = handlers(memory._engine.parts)[JobKind.CURATE]
            outcomes = [await tidy(job) for _ in range(5)]
            assert outcomes[0] == Again(at=clock())
            assert outcomes[-1] is None

    asyncio.run(run())


def test_a_memory_that_changes_meanwhile_is_left_alone(
    memory: Memory, clock: FakeClock, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was pinned between looking and writing is not folded."""
    vague, specific, _ = _coffee(memory, clock)
    save = curating._save

    def pinned_first(parts, user_id, steps, tx):  # type: ignore[no-untyped-def]
        known = memories.get(tx, user_id, vague)
        assert known is not None
        memories.update(tx, replace(known, pinned=True), terms=b"", revision=0)
        return save(parts, user_id, steps, tx)

    monkeypatch.setattr(curating, "_save", pinned_first)
    report = memory.consolidate()
    assert report.folds == ()
    assert memory.get(specific).current
