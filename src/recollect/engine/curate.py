"""Curate: a user's memories are tidied by rules, in short transactions, and every run can be read and taken back.

Look at what is new (`compare`), decide (`rules/curator`), then write the steps in small groups. Each group looks again
at what it changes: a memory that was edited, pinned or forgotten meanwhile is left to the next run. The run is kept with
every group, so that one that was killed can be undone as far as it came. No model is called.
"""

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from functools import partial

from recollect.engine.compare import Compared, compare, left_after
from recollect.engine.entity_variants import find_variants, propose_merges
from recollect.engine.parts import Parts
from recollect.engine.take_back import BY, take_back
from recollect.engine.write import Note, append_change, save_changed, save_copy
from recollect.errors import NotFound
from recollect.records.history import ChangeKind
from recollect.records.link import Link, LinkKind
from recollect.records.memory import MemoryRecord, Status, check_text
from recollect.records.proposal import Proposal, ProposalKind
from recollect.rules.curator import (
    Archive,
    Archived,
    CuratorReport,
    CuratorRun,
    Fold,
    Folded,
    FoldMade,
    Merged,
    Noted,
    Plan,
    Proposed,
    Raised,
    Step,
    fold_of,
    plan,
)
from recollect.rules.curator.fold import laid_away, unchanged
from recollect.rules.curator.quarrel import Quarrel, quarrels
from recollect.rules.variant import Variant
from recollect.store import curator_runs, links, memories, proposals, users
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Steps a transaction: each is a few rows, and the user's own writes wait so long.
_GROUP = 20


async def curate(parts: Parts, user_id: str, *, dry_run: bool = False) -> CuratorReport:
    """Tidy a user's memories once; a dry run only says what would be done."""
    now = parts.now()
    found = await compare(parts, user_id, now)
    if found is None:
        return CuratorReport(run_id=None, dry_run=dry_run, started_at=now)
    intended, against = await asyncio.to_thread(_decide, found, now)
    if dry_run:
        return await _would(parts, user_id, found, intended, against, now)
    run = CuratorRun(
        user_id=user_id,
        run_id=parts.new_id(now),
        steps=(),
        looked_at=found.count,
        started_at=now,
        ended_at=now,
    )
    steps: list[Fold | Archive | Quarrel] = [*intended.folds, *intended.archives, *against]
    for start in range(0, len(steps), _GROUP):
        began = time.monotonic()
        some = steps[start : start + _GROUP]
        run = await parts.database.write(user_id, partial(_save, parts, run, some))
        await parts.presence.give_way(time.monotonic() - began)
    names = await propose_merges(parts, user_id)
    run, left = await parts.database.write(
        user_id, partial(_end, parts, run, intended, names, found.revision)
    )
    report = await parts.database.read(user_id, partial(report_of, run))
    log.info(
        "curator.done user=%s run=%s folds=%d archived=%d looked_at=%d left=%d",
        user_id,
        report.run_id,
        len(report.folds),
        len(report.archived),
        report.looked_at,
        left,
    )
    return replace(report, run_id=run.run_id if run.steps else None, left_for_next=left)


def _decide(found: Compared, now: datetime) -> tuple[Plan, list[Quarrel]]:
    """Done in a thread: holding a full run's memories against each other takes tenths of a second."""
    intended = plan(found.looked, found.faded, found.mentioned, now, respect=found.respect)
    return intended, quarrels(found.looked)


async def undo(parts: Parts, user_id: str, run_id: str) -> CuratorReport:
    """Take a run back: its originals are as they were, its folds archived. A second time changes nothing."""
    name = check_text(run_id, field="run_id")

    def save(tx: Connection) -> CuratorReport:
        now = parts.now()
        # First the turn among the user's writers, then what they left behind.
        revision = parts.touch(tx, user_id, parts.embedders.default, now).revision
        run = _found(tx, user_id, name)
        if run.undone_at is not None:
            return report_of(run, tx)
        take_back(tx, run, (revision, now, BY))
        curator_runs.undo(tx, user_id, name, now)
        return report_of(replace(run, undone_at=now), tx)

    report = await parts.database.write(user_id, save)
    log.info("curator.undone user=%s run=%s", user_id, name)
    return report


async def runs(
    parts: Parts, user_id: str, *, limit: int = 50, after: str | None = None
) -> list[CuratorReport]:
    """What the curator has done, newest first."""
    return await parts.database.read(
        user_id,
        lambda tx: [report_of(run, tx) for run in curator_runs.page(tx, user_id, limit=limit, after=after)],
    )


def _found(tx: Connection, user_id: str, run_id: str) -> CuratorRun:
    run = curator_runs.get(tx, user_id, run_id)
    if run is None:
        raise NotFound(f"There is no run {run_id!r} of the curator.", id=run_id)
    return run


# -- writing ----------------------------------------------------------------------------------------------------


def _save(
    parts: Parts, run: CuratorRun, steps: Sequence[Fold | Archive | Quarrel], tx: Connection
) -> CuratorRun:
    """One group: what still is as it was when the plan was made. The run as far as it has come."""
    kept = curator_runs.get(tx, run.user_id, run.run_id)
    if users.state(tx, run.user_id) is None or (kept is not None and kept.undone_at is not None):
        # Forgotten meanwhile, or taken back as far as it had come.
        return run
    now = parts.now()
    state = parts.touch(tx, run.user_id, parts.embedders.default, now)
    note = (state.revision, now, BY)
    known = memories.get_many(tx, run.user_id, [each.memory_id for step in steps for each in _of(step)])
    done: list[Step] = []
    for step in steps:
        fresh = [known[each.memory_id] for each in _of(step) if each.memory_id in known]
        if len(fresh) < len(_of(step)) or not all(map(unchanged, _of(step), fresh)):
            continue
        match step:
            case Fold():
                done.append(_fold(parts, tx, step, fresh, note, state.embedding_model))
            case Archive():
                after = replace(fresh[0], status=Status.ARCHIVED)
                save_changed(tx, fresh[0], after, ChangeKind.ARCHIVED, note, reason=step.reason)
                done.append(Archived(memory_id=after.memory_id, reason=step.reason))
            case Quarrel():
                done += _propose(tx, step, parts.new_id(now), now)
    return _keep(tx, run, done, now)


def _end(
    parts: Parts,
    run: CuratorRun,
    intended: Plan,
    names: Sequence[Variant],
    revision: int,
    tx: Connection,
) -> tuple[CuratorRun, int]:
    """Name what rose and what became of names, and note how far the run has come; what is left for the next."""
    if users.state(tx, run.user_id) is None:
        return run, 0
    now = parts.now()
    # What was forgotten meanwhile is not named: neither a memory nor a pair of names, whose proposal went with them.
    known = memories.get_many(tx, run.user_id, [each.memory.memory_id for each in intended.raised])
    steps: list[Step] = [
        Raised(memory_id=each.memory.memory_id, reason=each.reason)
        for each in intended.raised
        if each.memory.memory_id in known
    ]
    for each in names:
        decided = proposals.about(tx, run.user_id, ProposalKind.MERGE, f"{each.alias}|{each.into}")
        if decided is not None:
            made = Merged(alias=each.alias, into=each.into)
            steps.append(made if each.sure else Proposed(proposal_id=decided.proposal_id))
    # When it began: a name that was mentioned meanwhile is compared by the next run.
    users.curate_until(tx, run.user_id, revision, run.started_at)
    return _keep(tx, run, steps, now), left_after(tx, run.user_id, revision)


def _keep(tx: Connection, run: CuratorRun, steps: Sequence[Step], now: datetime) -> CuratorRun:
    """The run with further steps. Those before are as they are stored: what was forgotten meanwhile is in none."""
    stored = curator_runs.get(tx, run.user_id, run.run_id)
    sofar = replace(run, steps=()) if stored is None else stored
    if not steps or sofar.undone_at is not None:
        return sofar
    longer = replace(sofar, steps=(*sofar.steps, *steps), ended_at=now)
    curator_runs.save(tx, longer)
    return longer


def _fold(
    parts: Parts, tx: Connection, step: Fold, originals: Sequence[MemoryRecord], note: Note, model: str
) -> FoldMade:
    """The originals are laid away first: the fold takes over their key."""
    wording = next(item for item in originals if item.memory_id == step.wording.memory_id)
    fold = fold_of(originals, wording, memory_id=parts.memory_id(note[1]), now=note[1])
    for original in originals:
        after = laid_away(original, fold.memory_id)
        save_changed(tx, original, after, ChangeKind.FOLDED, note, reason=step.reason)
    save_copy(tx, fold, wording.memory_id, model=model, revision=note[0])
    said = {"content": fold.content, "category": fold.category.value, "importance": fold.importance}
    append_change(tx, fold.user_id, fold.memory_id, ChangeKind.CREATED, note, reason=step.reason, new=said)
    made = _links(tx, originals, fold.memory_id)
    for link in made:
        links.add(tx, fold.user_id, link, note[1])
    return FoldMade(
        into=fold.memory_id,
        wording=wording.memory_id,
        originals=tuple(item.memory_id for item in originals),
        mentions=fold.mention_count,
        links=made,
        reason=step.reason,
    )


def _propose(tx: Connection, quarrel: Quarrel, proposal_id: str, now: datetime) -> list[Step]:
    proposal = _proposal(quarrel, proposal_id, now)
    if not proposals.add(tx, proposal):
        return []
    newer, older = quarrel.newer.memory_id, quarrel.older.memory_id
    links.add(tx, proposal.user_id, Link(from_id=newer, kind=LinkKind.CONTRADICTS, to_id=older), now)
    return [Proposed(proposal_id=proposal.proposal_id)]


def _of(step: Fold | Archive | Quarrel) -> tuple[MemoryRecord, ...]:
    """The memories that a step is about."""
    match step:
        case Fold():
            return step.originals
        case Archive():
            return (step.memory,)
        case Quarrel():
            return step.older, step.newer


def _links(tx: Connection, originals: Sequence[MemoryRecord], fold_id: str) -> tuple[Link, ...]:
    """What ties a fold to its originals, and to what they were tied to."""
    own = {item.memory_id for item in originals}
    made = {Link(from_id=item.memory_id, kind=LinkKind.PART_OF, to_id=fold_id): None for item in originals}
    for item in originals:
        for link in links.of_memory(tx, item.user_id, item.memory_id):
            if {link.from_id, link.to_id} <= own:
                continue
            starts = link.from_id in own
            made[replace(link, from_id=fold_id) if starts else replace(link, to_id=fold_id)] = None
    return tuple(made)


def _proposal(quarrel: Quarrel, proposal_id: str, now: datetime) -> Proposal:
    return Proposal(
        user_id=quarrel.newer.user_id,
        proposal_id=proposal_id,
        kind=ProposalKind.CONTRADICTION,
        subject=quarrel.subject,
        memory_ids=(quarrel.older.memory_id, quarrel.newer.memory_id),
        reason=quarrel.reason,
        confidence=min(quarrel.older.confidence, quarrel.newer.confidence),
        source_message_ids=quarrel.newer.source_message_ids,
        created_at=now,
        updated_at=now,
    )


def _named(user_id: str, variant: Variant, now: datetime) -> Proposal:
    """The proposal that a dry run shows for two names."""
    return Proposal(
        user_id=user_id,
        proposal_id="",
        kind=ProposalKind.MERGE,
        subject=f"{variant.alias}|{variant.into}",
        entity_keys=(variant.alias, variant.into),
        reason=variant.evidence,
        confidence=variant.score,
        created_at=now,
        updated_at=now,
    )


# -- telling ----------------------------------------------------------------------------------------------------


def report_of(run: CuratorRun, tx: Connection) -> CuratorReport:
    """A run with the memories that it names, as they are now; what was forgotten since is left out."""
    ids = [memory_id for step in run.steps for memory_id in step.memory_ids]
    known = memories.get_many(tx, run.user_id, list(dict.fromkeys(ids)))
    made = [
        proposals.get(tx, run.user_id, step.proposal_id) for step in run.steps if isinstance(step, Proposed)
    ]
    folds = [
        step for step in run.steps if isinstance(step, FoldMade) and set(step.memory_ids) <= known.keys()
    ]
    return CuratorReport(
        run_id=run.run_id,
        folds=tuple(
            Folded(
                into=known[step.into],
                originals=tuple(known[each] for each in step.originals),
                reason=step.reason,
            )
            for step in folds
        ),
        archived=_noted(known, [step for step in run.steps if isinstance(step, Archived)]),
        raised=_noted(known, [step for step in run.steps if isinstance(step, Raised)]),
        proposals=tuple(proposal for proposal in made if proposal is not None),
        merged=tuple((step.alias, step.into) for step in run.steps if isinstance(step, Merged)),
        looked_at=run.looked_at,
        started_at=run.started_at,
        undone_at=run.undone_at,
    )


def _noted(
    known: Mapping[str, MemoryRecord], steps: Sequence[Archived] | Sequence[Raised]
) -> tuple[Noted, ...]:
    return tuple(
        Noted(memory=known[step.memory_id], reason=step.reason) for step in steps if step.memory_id in known
    )


async def _would(
    parts: Parts,
    user_id: str,
    found: Compared,
    intended: Plan,
    against: Sequence[Quarrel],
    now: datetime,
) -> CuratorReport:
    """What a run would do: memories and proposals that have no id yet."""

    def load(tx: Connection) -> tuple[int, list[Quarrel]]:
        fresh = [
            each
            for each in against
            if proposals.about(tx, user_id, ProposalKind.CONTRADICTION, each.subject) is None
        ]
        return left_after(tx, user_id, found.revision), fresh

    left, fresh = await parts.database.read(user_id, load)
    names = await find_variants(parts, user_id)
    return CuratorReport(
        run_id=None,
        dry_run=True,
        folds=tuple(
            Folded(
                into=fold_of(step.originals, step.wording, memory_id="", now=now),
                originals=step.originals,
                reason=step.reason,
            )
            for step in intended.folds
        ),
        archived=tuple(Noted(memory=step.memory, reason=step.reason) for step in intended.archives),
        raised=tuple(Noted(memory=step.memory, reason=step.reason) for step in intended.raised),
        proposals=(
            *(_proposal(each, "", now) for each in fresh),
            *(_named(user_id, each, now) for each in names if not each.sure),
        ),
        merged=tuple((each.alias, each.into) for each in names if each.sure),
        looked_at=found.count,
        left_for_next=left,
        started_at=now,
    )
