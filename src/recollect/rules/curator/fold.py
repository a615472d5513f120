"""The one memory that several become, and the originals afterwards.

The words are those of the original that says most; nothing is written anew, so nothing can be invented. Sources,
entities and tags are united, mentions added, the highest importance and the lowest trust kept. It does not age less than
its youngest original: folding is no mention. It does not decide what is folded; that is `plan`.
"""

from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime

from recollect.records.memory import MAX_ENTITY_REFS, MAX_TAGS, MemoryRecord, Status
from recollect.rules.trust import Source, lowest


def fold_of(
    originals: Sequence[MemoryRecord], wording: MemoryRecord, *, memory_id: str, now: datetime
) -> MemoryRecord:
    """The fold of these memories in the words of one of them."""
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


def laid_away(original: MemoryRecord, fold_id: str) -> MemoryRecord:
    """An original that lives on in a fold. Its `updated_at` stays: it did not change, and undoing must find it as it was."""
    return replace(original, status=Status.ARCHIVED, folded_into=fold_id)


def restored(original: MemoryRecord) -> MemoryRecord:
    """An original whose fold is taken apart."""
    return replace(original, status=Status.ACTIVE, folded_into=None)


def taken_apart(fold: MemoryRecord, wording_id: str) -> MemoryRecord:
    """A fold whose originals are back. It points at the one whose words it holds, so that forgetting that one takes it too."""
    return replace(fold, status=Status.ARCHIVED, folded_into=wording_id)


def with_mentions_of(original: MemoryRecord, fold: MemoryRecord, counted: int) -> MemoryRecord:
    """The original whose words a fold had, with what was said once more since: mentions beyond those counted then."""
    extra = max(0, fold.mention_count - counted)
    if not extra:
        return original
    return replace(
        original,
        mention_count=original.mention_count + extra,
        source_message_ids=_united((original.source_message_ids, fold.source_message_ids)),
    )


def unchanged(seen: MemoryRecord, now: MemoryRecord) -> bool:
    """Whether a memory is still what a plan was made for; being used or said again changes nothing."""
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
