"""Curation: what happens when a new fact meets the known ones.

Four outcomes, as data: the fact is new (`Add`), known (`Duplicate`), replaces the known value of its key (`Supersede`), or is older
than that value (`Outdated`). It replaces a fact only under the same key, or where it clearly ends the one fact that it can mean
(`language/ended`). Nothing is overwritten: the old memory is closed and the new one points to it. What an assistant, a tool or
an import said never replaces what the user said: both stay, linked as a contradiction. The engine carries the decision out.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from recollect.language.ended import Bearing, bearing, tells_end_at_times
from recollect.language.person import roles_differ
from recollect.records.memory import MemoryRecord, Source
from recollect.records.message import said_at
from recollect.rules import duplicate
from recollect.rules.draft import Draft
from recollect.rules.subject import FactType
from recollect.rules.trust import outranks


@dataclass(frozen=True, slots=True, kw_only=True)
class Add:
    """The fact is new."""

    #: A fact under the same key that this one may not replace; both are kept.
    contradicts: MemoryRecord | None = None
    #: Whether it takes its key; false if another fact keeps it.
    keyed: bool = True
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Duplicate:
    """A known memory states this already."""

    existing: MemoryRecord
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Supersede:
    """This is the new value of a known fact."""

    old: MemoryRecord
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Outdated:
    """The known value of the fact is newer."""

    existing: MemoryRecord
    reason: str


Decision = Add | Duplicate | Outdated | Supersede


def decide(
    draft: Draft,
    neighbours: Sequence[tuple[MemoryRecord, float]],
    holder: MemoryRecord | None,
    *,
    threshold: float,
    ended: MemoryRecord | None = None,
) -> Decision:
    """Compare a draft with the nearest memories of its scope and the one that holds its key.

    `neighbours` come with their cosine, nearest first; `ended` is the fact that the draft ends or resumes.
    """
    cosine_of = {memory.memory_id: cosine for memory, cosine in neighbours}
    known = [memory for memory, _ in neighbours if holder is None or memory.memory_id != holder.memory_id]
    if holder is not None or ended is not None:
        # If a fact must be replaced, a duplicate from a less trusted origin does not prevent that.
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
    if holder is not None and (
        duplicate.ends_another(draft.content, holder.content) or tells_end_at_times(draft.content)
    ):
        return Add(keyed=False, reason="it ends another fact than the known one: both are kept")
    if holder is not None and _is_older(draft, holder):
        return Outdated(existing=holder, reason=f"{draft.memory_key} got another value later")
    if holder is not None:
        return Supersede(old=holder, reason=f"new value of {draft.memory_key}")
    return Add() if ended is None else _after(draft, ended)


def _after(draft: Draft, ended: MemoryRecord) -> Decision:
    """The decision for a draft that ends a fact, or resumes it."""
    if outranks(ended.origin, draft.origin):
        return Add(
            contradicts=ended,
            reason=f"what the {draft.origin.value} said cannot end what the {ended.origin.value} said",
        )
    if _is_older(draft, ended):
        return Outdated(existing=ended, reason="a newer statement says otherwise")
    return Supersede(old=ended, reason="one states the end of the other; the newer statement counts")


def only_ended(draft: Draft, known: Iterable[MemoryRecord], now: datetime) -> MemoryRecord | None:
    """The only known fact that a draft clearly ends or resumes; None if there is none, or more than one."""
    said = draft.said_at or now
    found = [
        memory
        for memory in known
        if bearing(draft.content, memory.content, known_since=memory.valid_from.date(), said_on=said.date())
        is Bearing.CLEAR
    ]
    return found[0] if len(found) == 1 else None


def _is_older(draft: Draft, holder: MemoryRecord) -> bool:
    """Whether the judge found it in a message older than the known value: an old chat, or one that is judged again."""
    if draft.source is not Source.SHADOW_EXTRACTION or draft.said_at is None:
        return False
    # Foreign message ids hold no time; then the time when the value became true counts.
    said = (at for each in holder.source_message_ids if (at := said_at(each)) is not None)
    return draft.said_at < max(said, default=holder.valid_from)


def mentioned(memory: MemoryRecord, draft: Draft) -> MemoryRecord:
    """A known memory after it was stated again; the same message judged again adds nothing.

    It takes the most trusted origin, and keeps the draft's pin and tags.
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
    """A memory closed by its successor."""
    until = max(memory.valid_from, min(by.valid_from, now))
    return replace(memory, valid_to=until, superseded_by=by.memory_id, updated_at=now)
