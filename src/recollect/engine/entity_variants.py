"""Find variants of names, merge the certain ones and propose the others.

Names mentioned since the last curator run are compared with all other names of the user. For the few remaining pairs,
their memories are read. A merge is an alias and can be undone; once a pair has been decided either way, it is never
proposed or merged again.
"""

import asyncio
import logging
from collections.abc import Sequence
from functools import partial

from recollect.engine.merge import add_alias, tell_of_merge
from recollect.engine.parts import Parts
from recollect.errors import Conflict, NotFound
from recollect.records.entity import canonical
from recollect.records.proposal import Proposal, ProposalKind, ProposalStatus
from recollect.rules.variant import Variant, disagree, variants
from recollect.store import aliases, entities, memories, proposals, users
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: The recorded decision-maker for automatic merges.
BY = "curator"
#: Pairs returned by one search, best first; nobody reads more than a page of questions.
MOST = 50
#: Memories read for each name to check whether two names can mean the same entity.
_FACTS = 20


async def find_variants(parts: Parts, user_id: str, *, everything: bool = False) -> list[Variant]:
    """Undecided pairs of names, among those mentioned since the last search or among all."""
    names, changed = await parts.database.read(user_id, lambda tx: _names(tx, user_id, everything=everything))
    # In a thread, because ten thousand names take a second or two.
    found = await asyncio.to_thread(variants, names, changed=changed)
    return await parts.database.read(user_id, lambda tx: _undecided(tx, user_id, found))


async def propose_merges(parts: Parts, user_id: str) -> list[Variant]:
    """Merge certain pairs and propose the rest; return both."""
    done: list[Variant] = []
    for variant in await find_variants(parts, user_id):
        try:
            if not await parts.database.write(user_id, partial(_save, parts, user_id, variant)):
                continue
        except (Conflict, NotFound):
            # Merged through a third name, or forgotten in the meantime.
            continue
        if variant.sure:
            tell_of_merge(user_id, variant.alias, variant.into)
        done.append(variant)
    if done:
        sure = sum(variant.sure for variant in done)
        log.info("entity.variants user=%s merged=%d proposed=%d", user_id, sure, len(done) - sure)
    return done


def _save(parts: Parts, user_id: str, variant: Variant, tx: Connection) -> bool:
    """Merge or propose in one transaction, unless a name was forgotten since the read: it must not return."""
    if len(entities.labels(tx, user_id, (variant.alias, variant.into))) < 2:
        return False
    status = ProposalStatus.ACCEPTED if variant.sure else ProposalStatus.OPEN
    if not proposals.add(tx, _proposal(parts, user_id, variant, status)):
        return False
    if variant.sure:
        add_alias(parts, tx, user_id, variant.alias, variant.into, reason=f"{BY}: {variant.evidence}")
    return True


def _names(
    tx: Connection, user_id: str, *, everything: bool
) -> tuple[list[tuple[str, str, int]], set[str] | None]:
    """Every entity under its current name, and those mentioned since the last search."""
    alias_of = aliases.of_user(tx, user_id)
    since = None if everything else users.curated_at(tx, user_id)
    rows = [
        row for row in entities.of_user(tx, user_id) if canonical(row.entity_key, alias_of) == row.entity_key
    ]
    changed = None if since is None else {row.entity_key for row in rows if row.last_mentioned >= since}
    return [(row.entity_key, row.label, row.fact_count) for row in rows], changed


def _undecided(tx: Connection, user_id: str, found: Sequence[Variant]) -> list[Variant]:
    """The pairs not yet decided or proposed whose names can mean the same entity."""
    facts: dict[str, list[str]] = {}
    left: list[Variant] = []
    for variant in found:
        if len(left) == MOST:
            break
        if _asked(tx, user_id, variant):
            continue
        for key in (variant.alias, variant.into):
            if key not in facts:
                page = memories.page(tx, user_id, memories.Filter(entities=(key,)), limit=_FACTS)
                facts[key] = [memory.content for memory in page]
        if not disagree(variant.alias, variant.into, facts):
            left.append(variant)
    return left


def _asked(tx: Connection, user_id: str, variant: Variant) -> bool:
    """Whether the pair was proposed or decided before, in either direction."""
    subjects = (f"{variant.alias}|{variant.into}", f"{variant.into}|{variant.alias}")
    return any(proposals.about(tx, user_id, ProposalKind.MERGE, subject) is not None for subject in subjects)


def _proposal(parts: Parts, user_id: str, variant: Variant, status: ProposalStatus) -> Proposal:
    now = parts.now()
    return Proposal(
        user_id=user_id,
        proposal_id=parts.new_id(now),
        kind=ProposalKind.MERGE,
        subject=f"{variant.alias}|{variant.into}",
        entity_keys=(variant.alias, variant.into),
        reason=variant.evidence,
        confidence=variant.score,
        status=status,
        decided_by=BY if variant.sure else None,
        created_at=now,
        updated_at=now,
    )
