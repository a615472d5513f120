"""The plan of a run: which memories to fold or archive, which have risen, and which contradict each other.

Each step has a reason. Only the given memories are compared, so the caller bounds the work. A fold keeps the text of the
original that says most, so nothing can be invented. Chains (a into b into c) are not folded: each original must say nothing
beyond the text that is kept. The fold unites sources, entities and tags, adds mentions, and keeps the highest importance, the
lowest trust and the age of its youngest original.
"""

from collections.abc import Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.language.contradiction import CLOSE, contradiction
from recollect.language.danger import is_dangerous
from recollect.records.category import TRAITS
from recollect.records.memory import MAX_ENTITY_REFS, MAX_TAGS, MemoryRecord, Source, Status
from recollect.rules.curator.likeness import may_meet, says_no_more
from recollect.rules.trust import lowest

#: A memory of less present importance has faded (design 6.4).
FADED = 1.0
#: Points that use must add for a memory to have risen: four mentions, or twelve accesses.
RISEN = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Looked:
    """A memory with the nearest ones of its scope and their cosines."""

    memory: MemoryRecord
    neighbours: tuple[tuple[MemoryRecord, float], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fold:
    """Memories that say the same: keep the text of one."""

    originals: tuple[MemoryRecord, ...]
    #: The original that says most.
    wording: MemoryRecord
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Archive:
    """A memory that has faded."""

    memory: MemoryRecord
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Raise:
    """A memory whose importance has risen with use; nothing is written."""

    memory: MemoryRecord
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The steps of a run."""

    folds: tuple[Fold, ...] = ()
    archives: tuple[Archive, ...] = ()
    raised: tuple[Raise, ...] = ()


def plan(
    looked: Sequence[Looked],
    faded: Sequence[MemoryRecord],
    mentioned: Sequence[MemoryRecord],
    now: datetime,
    *,
    left_alone: Set[str] = frozenset(),
) -> Plan:
    """Plan for compared memories, for those that may have faded, and for those mentioned again lately.

    `left_alone` are memories that a person restored or is asked about: nothing is done to them.
    """
    folds = _folds(looked, left_alone)
    used = {item.memory_id for fold in folds for item in fold.originals}
    archives = [
        Archive(memory=memory, reason=reason)
        for memory in faded
        if memory.memory_id not in used | left_alone and (reason := _faded(memory, now))
    ]
    gone = used | {step.memory.memory_id for step in archives}
    raised = [
        Raise(memory=memory, reason=reason)
        for memory in mentioned
        if memory.memory_id not in gone and (reason := _risen(memory, now))
    ]
    return Plan(folds=tuple(folds), archives=tuple(archives), raised=tuple(raised))


# -- folding --------------------------------------------------------------------------------------------------


def _folds(looked: Sequence[Looked], left_alone: Set[str]) -> list[Fold]:
    """Groups of a text and the memories that say nothing beyond it, the longest texts first."""
    known: dict[str, MemoryRecord] = {}
    under: dict[str, dict[str, str]] = {}
    for each in looked:
        for other, cosine in each.neighbours:
            ids = (each.memory.memory_id, other.memory_id)
            if not left_alone.isdisjoint(ids) or not may_meet(each.memory, other):
                continue
            for vague, specific in ((each.memory, other), (other, each.memory)):
                if reason := says_no_more(vague, specific, cosine):
                    known |= {vague.memory_id: vague, specific.memory_id: specific}
                    under.setdefault(specific.memory_id, {})[vague.memory_id] = reason
    folds: list[Fold] = []
    used: set[str] = set()
    for wording_id in sorted(under, key=lambda each: (-len(known[each].content), each)):
        found = {each: reason for each, reason in under[wording_id].items() if each not in used}
        if wording_id in used or not found:
            continue
        used |= {wording_id, *found}
        originals = tuple(known[each] for each in sorted({wording_id, *found}))
        folds.append(Fold(originals=originals, wording=known[wording_id], reason=_why(found)))
    return folds


def _why(found: dict[str, str]) -> str:
    reasons = sorted(set(found.values()))
    return f"say one thing: {'; '.join(reasons[:3])}"


# -- fading and rising ----------------------------------------------------------------------------------------


def _faded(memory: MemoryRecord, now: datetime) -> str | None:
    """Why a memory should be archived; None if it stays.

    Identity and relationships do not fade, and safety-critical facts such as an allergy are never archived.
    """
    half_life = TRAITS[memory.category].half_life_days
    age = (now - memory.updated_at).total_seconds() / 86400
    value = memory.effective_importance(now)
    # One that was stored with less than 1 has not faded before its half-life: that importance was intended.
    if memory.pinned or not memory.current or half_life is None or age < half_life or value >= FADED:
        return None
    if is_dangerous(memory.content):
        return None
    return f"{memory.category.value} of {memory.importance:g} faded to {value:.1f} in {age:.0f} days"


def _risen(memory: MemoryRecord, now: datetime) -> str | None:
    """Why a memory has risen; None if use has added little."""
    value = memory.effective_importance(now)
    unused = replace(memory, mention_count=1, access_count=0).effective_importance(now)
    if not memory.current or memory.pinned or value - unused < RISEN:
        return None
    return f"mentioned {memory.mention_count} times: {unused:.1f} rose to {value:.1f}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Quarrel:
    """Two memories that cannot both be true: a person decides."""

    older: MemoryRecord
    newer: MemoryRecord
    reason: str

    @property
    def subject(self) -> str:
        """Identifies the pair: the two ids, sorted."""
        return "|".join(sorted((self.older.memory_id, self.newer.memory_id)))


def quarrels(looked: Sequence[Looked]) -> list[Quarrel]:
    """Contradictions among neighbours, each pair once. Folds are skipped, because their originals were compared."""
    return list({quarrel.subject: quarrel for quarrel in _found(looked)}.values())


def _found(looked: Sequence[Looked]) -> Iterator[Quarrel]:
    for each in looked:
        for other, cosine in each.neighbours:
            if cosine < CLOSE or Source.CURATED_FOLD in (each.memory.source, other.source):
                continue
            if not (each.memory.current and other.current):
                continue
            older, newer = sorted((each.memory, other), key=lambda item: (item.valid_from, item.memory_id))
            if reason := contradiction(newer.content, older.content):
                yield Quarrel(older=older, newer=newer, reason=reason)


def fold_of(
    originals: Sequence[MemoryRecord], wording: MemoryRecord, *, memory_id: str, now: datetime
) -> MemoryRecord:
    """The fold of these memories, with the text of one of them."""
    first = [wording, *(item for item in originals if item.memory_id != wording.memory_id)]
    keyed = next((item for item in first if item.memory_key), wording)
    named = next((item for item in first if item.entity_refs), wording)
    accessed = [item.last_accessed for item in first if item.last_accessed]
    return replace(
        wording,
        memory_id=memory_id,
        importance=max(item.importance for item in first),
        tags=_united(item.tags for item in first)[:MAX_TAGS],
        entity_refs=_united(item.entity_refs for item in first)[:MAX_ENTITY_REFS],
        entity_label=named.entity_label,
        memory_key=keyed.memory_key,
        entity_type=keyed.entity_type,
        fact_type=keyed.fact_type,
        source=Source.CURATED_FOLD,
        origin=lowest(item.origin for item in first),
        source_message_ids=_united(item.source_message_ids for item in first),
        created_at=now,
        updated_at=max(item.updated_at for item in first),
        valid_from=min(item.valid_from for item in first),
        last_accessed=max(accessed, default=None),
        access_count=sum(item.access_count for item in first),
        mention_count=sum(item.mention_count for item in first),
        supersedes=None,
        superseded_by=None,
        folded_into=None,
    )


def archived_into(original: MemoryRecord, fold_id: str) -> MemoryRecord:
    """An original, archived in favour of its fold. Its `updated_at` stays."""
    return replace(original, status=Status.ARCHIVED, folded_into=fold_id)


def restored(original: MemoryRecord) -> MemoryRecord:
    """An original whose fold is gone."""
    return replace(original, status=Status.ACTIVE, folded_into=None)


def unfolded(fold: MemoryRecord, wording_id: str) -> MemoryRecord:
    """A fold whose originals were restored. It points to the one with its text, so that forgetting that one erases it too."""
    return replace(fold, status=Status.ARCHIVED, folded_into=wording_id)


def unchanged(seen: MemoryRecord, now: MemoryRecord) -> bool:
    """Whether a memory is unchanged since the plan was made, apart from use and mentions."""
    counters = replace(
        now,
        last_accessed=seen.last_accessed,
        access_count=seen.access_count,
        mention_count=seen.mention_count,
        source_message_ids=seen.source_message_ids,
    )
    return counters == seen


def _united(lists: Iterable[Sequence[str]]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for values in lists for value in values))
