"""Curate: memories are tidied, the report says why, and everything can be taken back."""

import asyncio
import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from recollect import (
    AsyncMemory,
    Conflict,
    CuratorReport,
    InvalidInput,
    Memory,
    MemoryRecord,
    NotFound,
    Request,
    Settings,
    Source,
    Status,
)
from recollect.engine import compare
from recollect.engine import curate as curating
from recollect.engine.forget import erase_memories
from recollect.engine.parts import Parts
from recollect.engine.take_back import take_back
from recollect.records.job import JobKind
from recollect.records.link import LinkKind
from recollect.rules.curator import CuratorRun, Fold
from recollect.store import curator_runs, jobs, memories
from recollect.store.database import Connection
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
        ids.append(memory.remember(text, **options).memory.memory_id)  # type: ignore[arg-type]
    return ids


def _coffee(memory: Memory, clock: FakeClock) -> list[str]:
    """Two memories that say one thing, one of them linked to a third."""
    first = _tell(memory, clock, VAGUE, source_message_ids=["m1"], tags=["drink"], importance=7)
    second = _tell(memory, clock, SPECIFIC, source_message_ids=["m2"], entity_refs=["place:graz"])
    (third,) = _tell(memory, clock, "User keeps bees behind the house")
    memory.link(first[0], third, kind="related")
    clock.move(seconds=1)
    return [*first, *second, third]


def test_near_duplicates_become_one(memory: Memory, clock: FakeClock) -> None:
    """The fold has the most specific words and everything that its originals had; those are archived and linked."""
    vague, specific, bees = _coffee(memory, clock)
    report = memory.curate()
    (made,) = report.folds
    assert [item.content for item in memory.memories()] == [SPECIFIC, "User keeps bees behind the house"]
    fold = memory.memories()[0]
    assert fold == made.into
    assert (fold.source, fold.importance, fold.mention_count) == (Source.CURATED_FOLD, 7.0, 2)
    assert set(fold.source_message_ids) == {"m1", "m2"}
    assert (fold.entity_refs, fold.tags) == (("place:graz",), ("drink",))
    for memory_id in (vague, specific):
        original = memory.get(memory_id)
        assert (original.status, original.folded_into) == (Status.ARCHIVED, fold.memory_id)
        assert memory.history(memory_id)[-1].change == "folded"
    kinds = {(link.from_id, link.kind, link.to_id) for link in memory.links(fold.memory_id)}
    assert kinds == {
        (vague, LinkKind.PART_OF, fold.memory_id),
        (specific, LinkKind.PART_OF, fold.memory_id),
        (fold.memory_id, LinkKind.RELATED, bees),
    }
    assert {hit.memory.memory_id for hit in memory.recall("strong coffee").hits} >= {fold.memory_id}
    assert memory.entity("place:graz").entity.fact_count == 1
    assert memory.curations() == [replace(report, left_for_next=0)]


def test_the_report_on_the_wire(memory: Memory, clock: FakeClock) -> None:
    """`folds` with `into`, `from` and `reason`, `archived`, and whether it was a dry run."""
    vague, specific, _ = _coffee(memory, clock)
    shown = memory.curate(dry_run=True).to_dict()
    (fold,) = shown["folds"]
    assert fold["into"]["content"] == SPECIFIC
    assert fold["into"]["memory_id"] is None
    assert [each["memory_id"] for each in fold["from"]] == [vague, specific]
    assert fold["reason"]
    assert (shown["archived"], shown["dry_run"], shown["run_id"]) == ([], True, None)


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
    planned = memory.curate(dry_run=True)
    assert rows() == before
    done = memory.curate()
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


def test_undoing_restores_the_originals_exactly(memory: Memory, clock: FakeClock) -> None:
    """After curating and undoing, every record and link is what it was; the fold is archived, and undoing twice is one."""
    _coffee(memory, clock)
    _tell(memory, clock, "User parks behind the office", category="context")
    clock.move(days=500)
    before = _everything(memory)
    tied = {memory_id: memory.links(memory_id) for memory_id in before}
    report = memory.curate()
    assert report.folds
    assert report.archived
    assert report.run_id
    for _ in range(2):
        undone = memory.undo_curation(report.run_id)
        assert undone.undone_at is not None
        after = _everything(memory)
        (fold,) = [item for memory_id, item in after.items() if memory_id not in before]
        assert {memory_id: after[memory_id] for memory_id in before} == before
        assert {memory_id: memory.links(memory_id) for memory_id in before} == tied
        assert fold.status is Status.ARCHIVED
        assert memory.links(fold.memory_id) == []
    assert memory.curations()[0].undone_at == undone.undone_at


_SAID = (
    *(
        "User drinks strong coffee",
        "User drinks strong coffee daily",
        "User drinks strong coffee daily at home",
    ),
    *(
        "User keeps old bees",
        "User keeps old bees and hens",
        "User keeps young bees",
        "User never keeps old bees",
    ),
    *("User's boss is named Jane", "User's boss is named Anna"),
)


@settings(max_examples=20)
@given(
    st.lists(
        st.tuples(
            st.sampled_from(_SAID),
            st.sampled_from(["fact", "context"]),
            st.booleans(),
            st.sampled_from([None, "coach"]),
            st.sampled_from(["user", "assistant", "tool"]),
            st.integers(0, 60),
        ),
        max_size=9,
    )
)
def test_undoing_is_the_inverse_of_curating(
    tmp_path_factory: pytest.TempPathFactory, told: list[tuple[str, str, bool, str | None, str, int]]
) -> None:
    """Whatever a user has: after curating and undoing, every record that was there is what it was."""
    clock = FakeClock(datetime(2026, 3, 1, 12, tzinfo=UTC))
    file = tmp_path_factory.mktemp("undo") / "memory.db"
    given_settings = Settings(sqlite_synchronous="normal", worker="off")
    with Memory(file, settings=given_settings, embedder=FakeEmbedder(), clock=clock) as memory:
        for text, category, pinned, persona, origin, days in told:
            clock.move(days=days, seconds=1)
            pinned = pinned and origin == "user"
            memory.remember(text, category=category, pinned=pinned, persona=persona, origin=origin)
        clock.move(days=1)
        before = _everything(memory)
        report = memory.curate()
        changed = _everything(memory)
        assert all(changed[each.memory_id] == each for each in before.values() if each.pinned)
        if report.run_id:
            memory.undo_curation(report.run_id)
        after = _everything(memory)
        assert {memory_id: after[memory_id] for memory_id in before} == before
        assert all(not after[memory_id].current for memory_id in after.keys() - before.keys())


def test_what_was_undone_is_not_done_again(memory: Memory, clock: FakeClock) -> None:
    """The next run leaves alone what somebody took back, also when the memories change."""
    vague, _, _ = _coffee(memory, clock)
    _tell(memory, clock, "User parks behind the office", category="context")
    clock.move(days=90)
    report = memory.curate()
    memory.undo_curation(report.run_id or "")
    memory.update(vague, tags=["other"])
    again = memory.curate()
    assert (again.run_id, again.folds, again.archived) == (None, (), ())


def test_what_a_person_brought_back_is_not_folded_again(memory: Memory, clock: FakeClock) -> None:
    """An original that was restored by hand stays beside the fold, and the run can still be undone."""
    vague, *_ = _coffee(memory, clock)
    first = memory.curate()
    memory.restore(vague)
    clock.move(seconds=1)
    assert memory.curate().folds == ()
    assert memory.get(vague).current
    assert memory.undo_curation(first.run_id or "").undone_at is not None
    assert memory.get(vague).folded_into is None


def test_what_was_said_meanwhile_survives_the_undoing(memory: Memory, clock: FakeClock) -> None:
    """A mention of the fold is a mention of the original whose words it had."""
    _, specific, _ = _coffee(memory, clock)
    report = memory.curate()
    clock.move(minutes=1)
    assert memory.remember(SPECIFIC, source_message_ids=["m9"]).outcome == "duplicate"
    memory.undo_curation(report.run_id or "")
    original = memory.get(specific)
    assert original.mention_count == 2
    assert "m9" in original.source_message_ids


@pytest.mark.parametrize(
    ("change", "word"),
    [
        ({"content": "User drinks strong coffee hourly"}, "edited"),
        ({"pinned": True}, "pinned"),
        ({"status": "ARCHIVED"}, "archived"),
    ],
)
def test_a_later_change_stands_in_the_way(
    memory: Memory, clock: FakeClock, change: dict[str, object], word: str
) -> None:
    """Undoing is refused where it would throw away what a person did since; the refusal names it, nothing changes."""
    _coffee(memory, clock)
    report = memory.curate()
    memory.update(report.folds[0].into.memory_id, **change)  # type: ignore[arg-type]
    before = _everything(memory)
    with pytest.raises(Conflict, match=word):
        memory.undo_curation(report.run_id or "")
    assert _everything(memory) == before


def test_a_newer_fact_stands_in_the_way(memory: Memory, clock: FakeClock) -> None:
    """Where another memory holds the key of what was archived, undoing names it."""
    key = {"category": "context", "subtype": {"entityType": "person", "factType": "fact"}, "attribute": "car"}
    _tell(memory, clock, "User parks behind the office", **key)
    clock.move(days=500)
    report = memory.curate()
    assert report.archived
    (newer,) = _tell(memory, clock, "User parks in front of the bakery", **key)
    with pytest.raises(Conflict, match=newer.replace("+", r"\+")):
        memory.undo_curation(report.run_id or "")


def test_a_fold_of_a_fold_is_undone_first(memory: Memory, clock: FakeClock) -> None:
    """A run whose fold was folded again can be undone after the later run."""
    _tell(memory, clock, VAGUE, SPECIFIC)
    first = memory.curate()
    _tell(memory, clock, "User drinks strong coffee daily at home")
    second = memory.curate()
    assert second.folds
    with pytest.raises(Conflict, match="Undo that run first"):
        memory.undo_curation(first.run_id or "")
    memory.undo_curation(second.run_id or "")
    memory.undo_curation(first.run_id or "")
    assert {item.content for item in memory.memories()} == {
        VAGUE,
        SPECIFIC,
        "User drinks strong coffee daily at home",
    }


def test_pinned_memories_are_never_touched(memory: Memory, clock: FakeClock) -> None:
    """Neither folded nor archived, however old."""
    ids = _tell(memory, clock, VAGUE, SPECIFIC, pinned=True)
    clock.move(days=4000)
    report = memory.curate()
    assert (report.folds, report.archived) == ((), ())
    assert {item.memory_id for item in memory.memories()} == set(ids)


def test_personas_are_kept_apart(memory: Memory, clock: FakeClock) -> None:
    """What one persona knows is not folded with what all know."""
    _tell(memory, clock, VAGUE, persona="coach")
    _tell(memory, clock, SPECIFIC)
    assert memory.curate().folds == ()


def test_contradictions_are_proposed_and_wait(memory: Memory, clock: FakeClock) -> None:
    """Neighbours that cannot both be true become one proposal, once; until it is decided they stay as they are."""
    ids = _tell(memory, clock, "User's boss is named Jane", "User's boss is named Anna")
    (proposal,) = memory.curate().proposals
    assert set(proposal.memory_ids) == set(ids)
    memory.update(ids[0], tags=["music"])
    assert memory.curate().proposals == ()
    memory.reject(proposal.proposal_id)
    memory.update(ids[0], tags=["sound"])
    assert memory.curate().proposals == ()
    assert len(memory.memories()) == 2


def test_what_is_mentioned_often_is_named(memory: Memory, clock: FakeClock) -> None:
    """The report names it with the value that it rose to; nothing is written."""
    for _ in range(9):
        _tell(memory, clock, VAGUE)
    before = _everything(memory)
    (noted,) = memory.curate().raised
    assert noted.memory.content == VAGUE
    assert "9 times" in noted.reason
    assert _everything(memory) == before


def test_sure_variants_are_merged_and_parted_again(memory: Memory, clock: FakeClock) -> None:
    """Names that certainly mean one are merged along the way; undoing parts them, and they stay parted."""
    _tell(memory, clock, "Acme Corp builds bridges in Graz", entity_refs=["org:acme_corp"])
    _tell(memory, clock, "Acme hired User last year", entity_refs=["org:acme"])
    names = {item.key for item in memory.entities()}
    tried = memory.curate(dry_run=True)
    assert {item.key for item in memory.entities()} == names
    report = memory.curate()
    assert report.merged == tried.merged == (("org:acme", "org:acme_corp"),)
    assert [item.key for item in memory.entities()] == ["org:acme_corp"]
    memory.undo_curation(report.run_id or "")
    assert {item.key for item in memory.entities()} == names
    _tell(memory, clock, "Acme hired Jane this year", entity_refs=["org:acme"])
    assert memory.curate().merged == ()


def test_unsure_variants_are_proposed(memory: Memory, clock: FakeClock) -> None:
    """Names that may mean one are for a person to decide, and a dry run asks nobody."""
    _tell(memory, clock, "Makesh works beside User", entity_refs=["person:makesh"])
    _tell(memory, clock, "Mukesh likes green tea", entity_refs=["person:mukesh"])
    (tried,) = memory.curate(dry_run=True).proposals
    assert memory.proposals() == []
    (made,) = memory.curate().proposals
    assert made.entity_keys == tried.entity_keys == ("person:makesh", "person:mukesh")
    memory.accept(made.proposal_id)
    assert [item.key for item in memory.entities()] == ["person:mukesh"]


def test_forgetting_an_original_takes_the_fold_along(memory: Memory, clock: FakeClock) -> None:
    """The words of the original may be in the fold, so that goes too; the other original is current again."""
    vague, specific, _ = _coffee(memory, clock)
    report = memory.curate()
    memory.forget(specific)
    assert set(_everything(memory)) & {specific, report.folds[0].into.memory_id} == set()
    assert memory.get(vague).current
    assert memory.get(vague).folded_into is None
    assert memory.curations() == []


def test_forgetting_the_fold_takes_its_originals_along(memory: Memory, clock: FakeClock) -> None:
    """What was folded is the same fact."""
    *_, bees = _coffee(memory, clock)
    report = memory.curate()
    memory.forget(report.folds[0].into.memory_id)
    assert set(_everything(memory)) == {bees}


def test_forgetting_after_undoing_leaves_no_words(memory: Memory, clock: FakeClock) -> None:
    """The archived fold goes with the original whose words it has."""
    vague, specific, bees = _coffee(memory, clock)
    report = memory.curate()
    memory.undo_curation(report.run_id or "")
    memory.forget(specific)
    assert set(_everything(memory)) == {vague, bees}


def test_nobody_and_nothing(memory: Memory) -> None:
    """A user without memories has nothing to tidy; a run that is not there is not found; a word is no switch."""
    report = memory.curate(user="nobody")
    assert (report.run_id, report.looked_at, report.left_for_next) == (None, 0, 0)
    assert memory.curations(user="nobody") == []
    assert memory.users() == []
    with pytest.raises(NotFound):
        memory.undo_curation("r9")
    with pytest.raises(InvalidInput):
        memory.curate(dry_run="no")  # type: ignore[arg-type]


# -- how much work ----------------------------------------------------------------------------------------------


def test_work_is_bounded(opener: Opener, clock: FakeClock, monkeypatch: pytest.MonkeyPatch) -> None:
    """Of thousands of memories a run looks at so many and leaves the rest; runs go on until all were seen, then rest."""
    monkeypatch.setattr(compare, "COMPARED", 250)
    monkeypatch.setattr(compare, "WEIGHED", 200)
    memory = opener(settings=Settings(sqlite_synchronous="normal", worker="off"))
    texts = [f"User has seen place number {number} of the {number % 7} islands" for number in range(2000)]
    for start in range(0, len(texts), 500):
        memory.remember_many(
            [Request(content=text, category="context") for text in texts[start : start + 500]]
        )
    read: list[int] = []
    get_many = memories.get_many

    def counted(tx: object, user_id: str, memory_ids: list[str]) -> dict[str, MemoryRecord]:
        read.append(len(memory_ids))
        return get_many(tx, user_id, memory_ids)  # type: ignore[arg-type]

    monkeypatch.setattr(memories, "get_many", counted)
    seen, left = 0, 2000
    while left:
        read.clear()
        report = memory.curate()
        assert report.looked_at <= 250
        assert sum(read) <= 250 * 9
        seen += report.looked_at
        left = report.left_for_next
    assert seen == 2000
    assert memory.curate().looked_at == 0
    clock.move(days=300)
    gone = 0
    for _ in range(10):
        report = memory.curate()
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
        gone += len(memory.curate().archived)
    assert gone == 2


# -- the job ------------------------------------------------------------------------------------------------------


def test_a_job_comes_within_a_day_or_after_25(database_url: str, opener: Opener, clock: FakeClock) -> None:
    """The first new memory calls the curator for the next day, the 25th at once; a mention calls nobody."""
    memory = opener(database_url)
    _tell(memory, clock, "User keeps bees in garden 0")
    first = clock()
    for number in range(1, 24):
        _tell(memory, clock, f"User keeps bees in garden {number}")
    (job,) = memory.jobs()
    assert (job.kind, job.lane, job.run_at) == (JobKind.CURATE, "curator", first + timedelta(days=1))
    _tell(memory, clock, "User keeps bees in garden 24")
    (job,) = memory.jobs()
    assert job.run_at == clock()
    assert memory.drain(seconds=10)
    assert memory.jobs() == []
    _tell(memory, clock, "User keeps bees in garden 24")
    assert memory.jobs() == []
    _tell(memory, clock, "User keeps bees in garden 25")
    (job,) = memory.jobs()
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
            await memory.remember_many([Request(content=f"User keeps bees in garden {n}") for n in range(30)])
            (job,) = await memory._parts.database.read("local", lambda tx: jobs.of_user(tx, "local"))
            tidy = handlers(memory._parts)[JobKind.CURATE]
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

    def pinned_first(parts, run, steps, tx):  # type: ignore[no-untyped-def]
        known = memories.get(tx, run.user_id, vague)
        assert known is not None
        memories.update(tx, replace(known, pinned=True), terms=b"", revision=0)
        return save(parts, run, steps, tx)

    monkeypatch.setattr(curating, "_save", pinned_first)
    report = memory.curate()
    assert report.folds == ()
    assert memory.get(specific).current


@pytest.mark.parametrize("what", ["forgotten", "undone"])
def test_a_run_that_is_touched_while_it_goes_on(
    memory: Memory, clock: FakeClock, monkeypatch: pytest.MonkeyPatch, what: str
) -> None:
    """What was forgotten between two groups is not named by the run again; one that was undone does no more."""
    vague, *_ = _coffee(memory, clock)
    horses = _tell(memory, clock, "User rides red horses", "User rides red horses daily")
    save = curating._save
    groups: list[CuratorRun] = []

    def touched(parts: Parts, run: CuratorRun, steps: Sequence[Fold], tx: Connection) -> CuratorRun:
        groups.append(run)
        if len(groups) == 2 and what == "forgotten":
            erase_memories(parts, tx, run.user_id, [vague])
        elif len(groups) == 2:
            take_back(tx, run, (2**30, clock(), "curator"))
            curator_runs.undo(tx, run.user_id, run.run_id, clock())
        return save(parts, run, steps, tx)

    monkeypatch.setattr(curating, "_GROUP", 1)
    monkeypatch.setattr(curating, "_save", touched)
    report = memory.curate()
    assert len(groups) == 2
    (kept,) = memory.curations()
    if what == "forgotten":
        assert [fold.into.content for fold in report.folds] == ["User rides red horses daily"]
        assert memory.undo_curation(kept.run_id or "").undone_at is not None
    assert kept.undone_at is not None or what == "forgotten"
    assert all(memory.get(memory_id).current for memory_id in horses)
