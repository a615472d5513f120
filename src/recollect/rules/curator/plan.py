"""The plan of a run: which memories should be folded, archived or named as risen, each step with its reason.

Pure: it is given memories with their neighbours and returns steps. It compares only what it is given, so the work of a
run is bounded by whoever loads. Folding chains (a into b into c) was rejected: every original must say nothing beyond the
words that are kept, and that is asked of each pair.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.language.danger import is_dangerous
from recollect.records.category import TRAITS
from recollect.records.memory import MemoryRecord
from recollect.rules.curator.likeness import may_meet, says_no_more
from recollect.rules.curator.run import Respect

#: What is worth less than this now has decayed (design 6.4).
FADED = 1.0
#: Points that use must add before a memory counts as risen: four mentions, or twelve uses besides the first.
RISEN = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A memory with the nearest ones of its scope and their cosines."""

    memory: MemoryRecord
    neighbours: tuple[tuple[MemoryRecord, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """These memories say one thing: keep the words of one."""

    originals: tuple[MemoryRecord, ...]
    #: One of them: the one that says most.
    wording: MemoryRecord
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """This memory has faded."""

    memory: MemoryRecord
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Raise:
    """This memory is worth more than when it was stored. Nothing is written: its effective importance has risen already."""

    memory: MemoryRecord
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """What a run would do."""

    folds: tuple[Fold, ...] = ()
    archives: tuple[Archive, ...] = ()
    raised: tuple[Raise, ...] = ()


def plan(
    looked: Sequence[Looked],
    faded: Sequence[MemoryRecord],
    mentioned: Sequence[MemoryRecord],
    now: datetime,
    *,
    respect: Respect | None = None,
) -> Plan:
    """What to do with the memories that were looked at, with those that may have faded and those said again lately.

    What people decided or are asked about is respected.
    """
    respect = respect or Respect()
    folds = _folds(looked, respect)
    used = {item.memory_id for fold in folds for item in fold.originals}
    archives = [
        Archive(memory=memory, reason=reason)
        for memory in faded
        if memory.memory_id not in used | respect.archived | respect.waiting
        and (reason := _faded(memory, now))
    ]
    gone = used | {step.memory.memory_id for step in archives}
    raised = [
        Raise(memory=memory, reason=reason)
        for memory in mentioned
        if memory.memory_id not in gone and (reason := _risen(memory, now))
    ]
    return Plan(folds=tuple(folds), archives=tuple(archives), raised=tuple(raised))


# -- folding --------------------------------------------------------------------------------------------------


def _folds(looked: Sequence[Looked], respect: Respect) -> list[Fold]:
    """Stars: a wording and those that say nothing beyond it. The longest wordings first, for they can hold most."""
    known: dict[str, MemoryRecord] = {}
    under: dict[str, dict[str, str]] = {}
    for each in looked:
        for other, cosine in each.neighbours:
            ids = (each.memory.memory_id, other.memory_id)
            if (
                respect.parted(*ids)
                or not respect.waiting.isdisjoint(ids)
                or not may_meet(each.memory, other)
            ):
                continue
            for vague, specific in ((each.memory, other), (other, each.memory)):
                if reason := says_no_more(vague, specific, cosine):
                    known |= {vague.memory_id: vague, specific.memory_id: specific}
                    under.setdefault(specific.memory_id, {})[vague.memory_id] = reason
    folds: list[Fold] = []
    used: set[str] = set()
    for wording_id in sorted(under, key=lambda each: (-len(known[each].content), each)):
        found = {each: reason for each, reason in under[wording_id].items() if each not in used}
        found = _unparted(found, respect)
        if wording_id in used or not found:
            continue
        used |= {wording_id, *found}
        originals = tuple(known[each] for each in sorted({wording_id, *found}))
        folds.append(Fold(originals=originals, wording=known[wording_id], reason=_why(found)))
    return folds


def _unparted(found: dict[str, str], respect: Respect) -> dict[str, str]:
    """Without those that somebody has parted from another of them."""
    kept: dict[str, str] = {}
    for each in sorted(found):
        if not any(respect.parted(each, other) for other in kept):
            kept[each] = found[each]
    return kept


def _why(found: dict[str, str]) -> str:
    reasons = sorted(set(found.values()))
    return f"say one thing: {'; '.join(reasons[:3])}"


# -- fading and rising ----------------------------------------------------------------------------------------


def _faded(memory: MemoryRecord, now: datetime) -> str | None:
    """Why a memory should go; None when it stays.

    Who somebody is and whom they know does not fade, and what a life may hang on (an allergy) is never archived, however
    seldom it is spoken of.
    """
    half_life = TRAITS[memory.category].half_life_days
    age = (now - memory.updated_at).total_seconds() / 86400
    value = memory.effective_importance(now)
    # One that was stored as worth less than 1 has not faded yet: its owner wanted it so.
    if memory.pinned or not memory.current or half_life is None or age < half_life or value >= FADED:
        return None
    if is_dangerous(memory.content):
        return None
    return f"{memory.category.value} of {memory.importance:g} faded to {value:.1f} in {age:.0f} days"


def _risen(memory: MemoryRecord, now: datetime) -> str | None:
    """Why a memory counts as risen; None when use has added little."""
    value = memory.effective_importance(now)
    unused = replace(memory, mention_count=1, access_count=0).effective_importance(now)
    if not memory.current or memory.pinned or value - unused < RISEN:
        return None
    return f"mentioned {memory.mention_count} times: {unused:.1f} rose to {value:.1f}"
