"""Curate: tidy a user's memories by rules, in short transactions.

Read new memories (`compare`), decide (`rules/curator`), then write the steps in small groups. Each group rereads the
memories it changes and leaves those edited, pinned or forgotten in the meantime to the next run. Originals are archived
and can be restored one by one. No model is called.
"""

import asyncio
import logging
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial

from recollect.engine.compare import Compared, compare, left_after
from recollect.engine.entity_variants import find_variants, propose_merges
from recollect.engine.parts import Parts
from recollect.engine.write import Note, append_change, save_changed, save_copy
from recollect.records.history import ChangeKind
from recollect.records.memory import MemoryRecord, Status
from recollect.records.proposal import Proposal, ProposalKind
from recollect.rules.curator.plan import (
    Archive,
    Fold,
    Plan,
    Quarrel,
    archived_into,
    fold_of,
    plan,
    quarrels,
    unchanged,
)
from recollect.rules.curator.run import CuratorReport, Folded, Noted
from recollect.rules.variant import Variant
from recollect.store import links, memories, proposals, users
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: The curator's name in histories.
BY = "curator"
#: Steps per transaction: each writes a few rows, and the user's own writes wait for all of them.
_GROUP = 20


@dataclass(slots=True)
class _Done:
    """What a run did, by id; the memories are read at its end, except those forgotten in the meantime."""

    #: The fold, its originals and the reason.
    folds: list[tuple[str, tuple[str, ...], str]] = field(
        default_factory=list[tuple[str, tuple[str, ...], str]]
    )
    #: Memories, each with the reason.
    archived: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    raised: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])
    proposals: list[str] = field(default_factory=list[str])
    merged: list[tuple[str, str]] = field(default_factory=list[tuple[str, str]])

    def add(self, more: "_Done") -> None:
        """Add one transaction's results, once it is committed."""
        for name in ("folds", "archived", "raised", "proposals", "merged"):
            getattr(self, name).extend(getattr(more, name))


async def curate(parts: Parts, user_id: str, *, dry_run: bool = False) -> CuratorReport:
    """Tidy a user's memories once; a dry run only reports what would be done."""
    now = parts.now()
    found = await compare(parts, user_id, now)
    if found is None:
        return CuratorReport(dry_run=dry_run, started_at=now)
    intended, against = await asyncio.to_thread(_decide, found, now)
    if dry_run:
        return await _would(parts, user_id, found, intended, against, now)
    done = _Done()
    steps: list[Fold | Archive | Quarrel] = [*intended.folds, *intended.archives, *against]
    for start in range(0, len(steps), _GROUP):
        began = time.process_time()
        some = steps[start : start + _GROUP]
        done.add(await parts.database.write(user_id, partial(_save, parts, user_id, some)))
        await parts.presence.give_way(time.process_time() - began)
    names = await propose_merges(parts, user_id)
    more, left = await parts.database.write(
        user_id, partial(_end, parts, user_id, found, intended, names, now)
    )
    done.add(more)
    report = CuratorReport(looked_at=found.count, left_for_next=left, started_at=now)
    report = await parts.database.read(user_id, partial(_filled, report, user_id, done))
    log.info(
        "curator.done user=%s folds=%d archived=%d looked_at=%d left=%d",
        user_id,
        len(report.folds),
        len(report.archived),
        found.count,
        left,
    )
    return report


def _decide(found: Compared, now: datetime) -> tuple[Plan, list[Quarrel]]:
    """Runs in a thread, because comparing a full run's memories takes tenths of a second."""
    intended = plan(found.looked, found.faded, found.mentioned, now, left_alone=found.left_alone)
    return intended, quarrels(found.looked)


# -- writing ----------------------------------------------------------------------------------------------------


def _save(parts: Parts, user_id: str, steps: Sequence[Fold | Archive | Quarrel], tx: Connection) -> _Done:
    """Write one group, skipping memories that have changed since the plan was made."""
    done = _Done()
    if users.state(tx, user_id) is None:
        return done
    now = parts.now()
    state = parts.touch(tx, user_id, parts.embedders.default, now)
    note = (state.revision, now, BY)
    known = memories.get_many(tx, user_id, [each.memory_id for step in steps for each in _of(step)])
    for step in steps:
        fresh = [known[each.memory_id] for each in _of(step) if each.memory_id in known]
        if len(fresh) < len(_of(step)) or not all(map(unchanged, _of(step), fresh)):
            continue
        match step:
            case Fold():
                fold_id = _fold(parts, tx, step, fresh, note, state.embedding_model)
                done.folds.append((fold_id, tuple(item.memory_id for item in fresh), step.reason))
            case Archive():
                after = replace(fresh[0], status=Status.ARCHIVED)
                save_changed(tx, fresh[0], after, ChangeKind.ARCHIVED, note, reason=step.reason)
                done.archived.append((after.memory_id, step.reason))
            case Quarrel():
                done.proposals += _propose(tx, step, parts.new_id(now), now)
    return done


def _end(
    parts: Parts,
    user_id: str,
    found: Compared,
    intended: Plan,
    names: Sequence[Variant],
    started: datetime,
    tx: Connection,
) -> tuple[_Done, int]:
    """Record risen memories, the outcome for names, the run's progress and what is left for the next run."""
    done = _Done()
    if users.state(tx, user_id) is None:
        return done, 0
    done.raised = [(each.memory.memory_id, each.reason) for each in intended.raised]
    for each in names:
        decided = proposals.about(tx, user_id, ProposalKind.MERGE, f"{each.alias}|{each.into}")
        if decided is not None and each.sure:
            done.merged.append((each.alias, each.into))
        elif decided is not None:
            done.proposals.append(decided.proposal_id)
    # The start time, so that the next run compares names mentioned in the meantime.
    users.curate_until(tx, user_id, found.revision, started)
    return done, left_after(tx, user_id, found.revision)


def _fold(
    parts: Parts, tx: Connection, step: Fold, originals: Sequence[MemoryRecord], note: Note, model: str
) -> str:
    """Archive the originals, whose key the fold takes over, store the fold and return its id."""
    wording = next(item for item in originals if item.memory_id == step.wording.memory_id)
    fold = fold_of(originals, wording, memory_id=parts.memory_id(note[1]), now=note[1])
    for original in originals:
        after = archived_into(original, fold.memory_id)
        save_changed(tx, original, after, ChangeKind.FOLDED, note, reason=step.reason)
    save_copy(tx, fold, wording.memory_id, model=model, revision=note[0])
    said = {"content": fold.content, "category": fold.category.value, "importance": fold.importance}
    append_change(tx, fold.user_id, fold.memory_id, ChangeKind.CREATED, note, reason=step.reason, new=said)
    links.carry_over(tx, fold.user_id, [item.memory_id for item in originals], fold.memory_id, note[1])
    return fold.memory_id


def _propose(tx: Connection, quarrel: Quarrel, proposal_id: str, now: datetime) -> list[str]:
    proposal = _proposal(quarrel, proposal_id, now)
    if not proposals.add(tx, proposal):
        return []
    links.contradicts(tx, proposal.user_id, quarrel.newer.memory_id, quarrel.older.memory_id, now)
    return [proposal.proposal_id]


def _of(step: Fold | Archive | Quarrel) -> tuple[MemoryRecord, ...]:
    """The memories that a step affects."""
    match step:
        case Fold():
            return step.originals
        case Archive():
            return (step.memory,)
        case Quarrel():
            return step.older, step.newer


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
    """The proposal shown by a dry run for two names."""
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


# -- reporting --------------------------------------------------------------------------------------------------


def _filled(report: CuratorReport, user_id: str, done: _Done, tx: Connection) -> CuratorReport:
    """The report of what was done, with current memories; those forgotten since are left out."""
    named = [memory_id for into, originals, _ in done.folds for memory_id in (into, *originals)]
    known = memories.get_many(
        tx, user_id, list(dict.fromkeys([*named, *(each for each, _ in (*done.archived, *done.raised))]))
    )
    made = [proposals.get(tx, user_id, proposal_id) for proposal_id in done.proposals]
    return replace(
        report,
        folds=tuple(
            Folded(into=known[into], originals=tuple(known[each] for each in originals), reason=reason)
            for into, originals, reason in done.folds
            if {into, *originals} <= known.keys()
        ),
        archived=_noted(known, done.archived),
        raised=_noted(known, done.raised),
        proposals=tuple(proposal for proposal in made if proposal is not None),
        merged=tuple(done.merged),
    )


def _noted(known: Mapping[str, MemoryRecord], steps: Sequence[tuple[str, str]]) -> tuple[Noted, ...]:
    return tuple(
        Noted(memory=known[memory_id], reason=reason) for memory_id, reason in steps if memory_id in known
    )


async def _would(
    parts: Parts,
    user_id: str,
    found: Compared,
    intended: Plan,
    against: Sequence[Quarrel],
    now: datetime,
) -> CuratorReport:
    """What a run would do, with memories and proposals that have no id yet."""

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
