"""Curation: what happens when a new fact meets those that are known.

Four outcomes, as data: it is new (`Add`), it was known (`Duplicate`), it replaces what was known under the same key
(`Supersede`), or that was said later (`Outdated`). Replacing happens only within one key, and nothing is overwritten: the
old memory is closed, the new one points back at it. What an assistant, a tool or an import said never replaces what the
user said: both stay, linked as a contradiction. What is done with the decision is the engine's business.
"""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.domain import duplicate
from recollect.domain.draft import Draft
from recollect.domain.memory import MemoryRecord
from recollect.domain.message import said_at
from recollect.domain.person import roles_differ
from recollect.domain.subject import FactType
from recollect.domain.trust import Source, outranks


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """Nothing known says this."""

    #: A fact under the same key that only the user may replace; both are kept.
    contradicts: MemoryRecord | None = None
    #: Whether it takes its key; not where another fact keeps it.
    keyed: bool = True
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """A known memory says this already."""

    existing: MemoryRecord
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """This is the new value of a known fact."""

    old: MemoryRecord
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """The known value of the fact was said later than this."""

    existing: MemoryRecord
    reason: str


Decision = Add | Duplicate | Outdated | Supersede


def decide(
    draft: Draft,
    neighbours: Sequence[tuple[MemoryRecord, float]],
    holder: MemoryRecord | None,
    *,
    threshold: float,
) -> Decision:
    """Weigh a draft against the nearest memories of its scope and the one that holds its key.

    `neighbours` come with their raw cosine, nearest first.
    """
    cosine_of = {memory.memory_id: cosine for memory, cosine in neighbours}
    known = [memory for memory, _ in neighbours if holder is None or memory.memory_id != holder.memory_id]
    if holder is not None:
        # Where a holder must give way, what somebody less trusted said about it is no reason to stop.
        known = [memory for memory in known if not outranks(draft.origin, memory.origin)]
    for memory in [holder, *known] if holder else known:
        verdict = duplicate.judge(
            draft.content,
            memory.content,
            cosine=cosine_of.get(memory.memory_id, 0.0),
            same_key=holder is memory,
            threshold=threshold,
        )
        if verdict.duplicate:
            return Duplicate(existing=memory, reason=verdict.reason)
    if holder is not None and outranks(holder.origin, draft.origin):
        return Add(
            contradicts=holder,
            keyed=False,
            reason=f"what the {draft.origin.value} said cannot replace what the {holder.origin.value} said",
        )
    if (
        holder is not None
        and draft.fact_type == FactType.RELATIONSHIP
        and roles_differ(draft.content, holder.content)
    ):
        return Add(contradicts=holder, keyed=False, reason="the same name in another role: both are kept")
    if holder is not None and duplicate.ends_another(draft.content, holder.content):
        return Add(keyed=False, reason="what ended is not what is known: both are kept")
    if holder is not None and _is_older(draft, holder):
        return Outdated(existing=holder, reason=f"{draft.memory_key} got another value later")
    if holder is not None:
        return Supersede(old=holder, reason=f"new value of {draft.memory_key}")
    return Add()


def _is_older(draft: Draft, holder: MemoryRecord) -> bool:
    """Whether the judge read it in a message from before the known value: an old chat, or one that is read again."""
    if draft.source is not Source.SHADOW_EXTRACTION or not draft.source_message_ids:
        return False
    last = max(draft.source_message_ids)
    if holder.source_message_ids:
        newest = max(holder.source_message_ids)
        # Ids of other makers say nothing of the time.
        return said_at(last) is not None and said_at(newest) is not None and last < newest
    at = said_at(last)
    return at is not None and at < holder.valid_from


def mentioned(memory: MemoryRecord, draft: Draft) -> MemoryRecord:
    """A known memory after it was said once more; the same message, read again, says nothing more.

    It is as trustworthy as the best who said it, and a pin or a tag that came with the words is not lost.
    """
    return replace(
        memory,
        mention_count=memory.mention_count + draft.mentions(beyond=memory.source_message_ids),
        source_message_ids=tuple(dict.fromkeys((*memory.source_message_ids, *draft.source_message_ids))),
        origin=draft.origin if outranks(draft.origin, memory.origin) else memory.origin,
        pinned=memory.pinned or draft.pinned,
        tags=tuple(dict.fromkeys((*memory.tags, *draft.tags))),
    )


def closed(memory: MemoryRecord, *, by: MemoryRecord, now: datetime) -> MemoryRecord:
    """A memory that is no longer true."""
    return replace(memory, valid_to=now, superseded_by=by.memory_id, updated_at=now)
