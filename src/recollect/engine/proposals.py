"""Proposals: list pending decisions, and carry them out.

Accepting performs the action for the proposal's kind and can safely be repeated. Memories that changed since they were
proposed are not touched, because the user has not seen their current text. Rejecting changes nothing but is remembered.
Proposals are made by the judge, the curator and the search for name variants, not here.
"""

import logging
from collections.abc import Iterable
from dataclasses import replace
from datetime import datetime
from functools import partial

from recollect.engine.forget import erase_memories, finish
from recollect.engine.merge import add_alias, tell_of_merge
from recollect.engine.parts import Parts
from recollect.engine.unpin import pins_saying, unpin
from recollect.engine.write import save_changed
from recollect.errors import Conflict, InvalidInput, NotFound
from recollect.records.entity import canonical
from recollect.records.history import ChangeKind
from recollect.records.memory import MemoryRecord, Status, check_text
from recollect.records.moment import iso
from recollect.records.proposal import Proposal, ProposalKind, ProposalStatus
from recollect.rules.draft import check_identifier
from recollect.store import aliases, histories, memories, proposals
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Replaces the reason of a decided request to forget, which may quote the forgotten text.
_FORGOTTEN = "the user asked to forget something; it was erased"
#: How many changed memories a refusal names.
_TOLD = 3


async def list_proposals(
    parts: Parts,
    user_id: str,
    *,
    status: ProposalStatus | None = ProposalStatus.OPEN,
    kind: ProposalKind | None = None,
    limit: int = 50,
    after: str | None = None,
) -> list[Proposal]:
    """Proposals, newest first, starting after the proposal `after`; None means any."""
    return await parts.database.read(
        user_id, lambda tx: proposals.page(tx, user_id, status=status, kind=kind, limit=limit, after=after)
    )


async def accept(
    parts: Parts, user_id: str, proposal_id: str, *, by: str, keep: str | None = None
) -> Proposal:
    """Carry out a proposal. `keep` names the memory to keep in a contradiction; None keeps the newer."""
    who = check_identifier(by, field="by")
    proposal, repeated = await parts.database.read(user_id, partial(_look, user_id, proposal_id, keep))
    if repeated:
        return proposal
    match proposal.kind:
        case ProposalKind.CONTRADICTION:
            decided = await parts.database.write(
                user_id, partial(_settle, parts, user_id, proposal_id, who, keep)
            )
        case ProposalKind.FORGETTING:
            decided = await _forget(parts, user_id, proposal_id, who)
        case ProposalKind.MERGE:
            decided = await parts.database.write(user_id, partial(_merge, parts, user_id, proposal_id, who))
    if decided.kind is ProposalKind.MERGE:
        tell_of_merge(user_id, *decided.entity_keys)
    log.info("proposal.accepted user=%s proposal=%s kind=%s", user_id, proposal_id, proposal.kind.value)
    return decided


async def reject(parts: Parts, user_id: str, proposal_id: str, *, by: str) -> Proposal:
    """Reject a proposal, so that it is not made again."""
    who = check_identifier(by, field="by")

    def save(tx: Connection) -> Proposal:
        proposal = _found(tx, user_id, proposal_id)
        if proposal.status is ProposalStatus.REJECTED:
            return proposal
        _open(proposal, "Undo what it did instead: restore the memory, or take the merge back.")
        return _decide(parts, tx, proposal, ProposalStatus.REJECTED, who)

    decided = await parts.database.write(user_id, save)
    log.info("proposal.rejected user=%s proposal=%s kind=%s", user_id, proposal_id, decided.kind.value)
    return decided


def _found(tx: Connection, user_id: str, proposal_id: str) -> Proposal:
    proposal = proposals.get(tx, user_id, check_text(proposal_id, field="proposal_id"))
    if proposal is None:
        raise NotFound(
            f"There is no proposal {proposal_id!r}. List the open proposals to see their ids.", id=proposal_id
        )
    return proposal


def _look(user_id: str, proposal_id: str, keep: str | None, tx: Connection) -> tuple[Proposal, bool]:
    """The proposal, and whether it was already accepted with the same choice."""
    proposal = _found(tx, user_id, proposal_id)
    if keep is not None and (
        proposal.kind is not ProposalKind.CONTRADICTION or keep not in proposal.memory_ids
    ):
        raise InvalidInput(
            f"keep must be one of the memories of a contradiction: {', '.join(proposal.memory_ids) or 'it has none'}.",
            field="keep",
        )
    return proposal, _is_accepted(proposal) and _kept(tx, proposal, keep)


def _open(proposal: Proposal, instead: str) -> None:
    if proposal.status is not ProposalStatus.OPEN:
        raise Conflict(_decided(proposal, instead))


def _decided(proposal: Proposal, instead: str) -> str:
    return (
        f"Proposal {proposal.proposal_id} was {proposal.status.value} by {proposal.decided_by} on"
        f" {iso(proposal.updated_at)}. {instead}"
    )


def _is_accepted(proposal: Proposal) -> bool:
    """Whether nothing is left to do; a rejected proposal is refused. Checked again in the writing transaction."""
    if proposal.status is ProposalStatus.ACCEPTED:
        return True
    _open(proposal, "Tell or edit the memories yourself instead.")
    return False


def _decide(parts: Parts, tx: Connection, proposal: Proposal, status: ProposalStatus, by: str) -> Proposal:
    now = parts.now()
    proposals.decide(tx, proposal.user_id, proposal.proposal_id, status, by, now)
    return replace(proposal, status=status, decided_by=by, updated_at=now)


def _unchanged(tx: Connection, proposal: Proposal, known: Iterable[MemoryRecord]) -> None:
    """Refuse if memories changed since they were proposed; the proposal stays open."""
    changed = sorted(
        (memory for memory in known if memory.updated_at > proposal.created_at),
        key=lambda item: item.memory_id,
    )
    if not changed:
        return
    told = [_change(tx, memory, proposal.created_at) for memory in changed[:_TOLD]]
    more = f", and {len(changed) - _TOLD} more" if len(changed) > _TOLD else ""
    raise Conflict(
        f"Since {iso(proposal.created_at)}, when it was proposed, {', '.join(told)}{more}. Nothing was done."
        " Look at what is known now; archive or forget it by its id, or reject the proposal."
    )


def _change(tx: Connection, memory: MemoryRecord, since: datetime) -> str:
    entries = histories.of_memory(tx, memory.user_id, memory.memory_id)
    last = next((entry for entry in reversed(entries) if entry.at > since), None)
    what = f"{last.change.value} by {last.by}" if last is not None else "changed"
    return f"memory {memory.memory_id} was {what}"


# -- two memories that cannot both be true ----------------------------------------------------------------------


def _settle(
    parts: Parts, user_id: str, proposal_id: str, by: str, keep: str | None, tx: Connection
) -> Proposal:
    """Archive the older memory or the one not to be kept; do nothing if one is already gone."""
    state = parts.touch(tx, user_id, parts.embedders.default, parts.now())
    proposal, repeated = _look(user_id, proposal_id, keep, tx)
    if repeated:
        return proposal
    known = memories.get_many(tx, user_id, proposal.memory_ids)
    # If the times are equal, use the proposal's order, which names the older one first.
    named = [known[memory_id] for memory_id in proposal.memory_ids if memory_id in known]
    current = sorted((memory for memory in named if memory.current), key=lambda item: item.valid_from)
    if keep is not None and keep not in {memory.memory_id for memory in current}:
        raise Conflict(f"Memory {keep} is no longer current. Restore it first, or reject the proposal.")
    if len(current) > 1:
        _unchanged(tx, proposal, current)
        kept = next((memory for memory in current if memory.memory_id == keep), current[-1])
        note = (state.revision, parts.now(), by)
        for memory in current:
            if memory is not kept:
                after = replace(memory, status=Status.ARCHIVED, updated_at=note[1])
                reason = f"contradicts {kept.memory_id}: decided by {by}"
                save_changed(tx, memory, after, ChangeKind.ARCHIVED, note, reason=reason)
    return _decide(parts, tx, proposal, ProposalStatus.ACCEPTED, by)


def _kept(tx: Connection, proposal: Proposal, keep: str | None) -> bool:
    """Check that an accepted contradiction kept the requested memory; refuse another choice."""
    if keep is None or proposal.kind is not ProposalKind.CONTRADICTION:
        return True
    known = memories.get_many(tx, proposal.user_id, proposal.memory_ids)
    if [memory_id for memory_id, memory in known.items() if memory.current] != [keep]:
        raise Conflict(
            _decided(proposal, f"It did not keep {keep}: restore and archive the memories themselves.")
        )
    return True


# -- what the user wants forgotten ------------------------------------------------------------------------------


async def _forget(parts: Parts, user_id: str, proposal_id: str, by: str) -> Proposal:
    """Erase the named memories in one transaction; the proposal stays, without any of their text."""

    def work(tx: Connection) -> tuple[Proposal, dict[str, int], list[str]]:
        proposal = _found(tx, user_id, proposal_id)
        if _is_accepted(proposal):
            return proposal, {}, []
        known = memories.get_many(tx, user_id, proposal.memory_ids)
        _unchanged(tx, proposal, known.values())
        counts, texts = erase_memories(parts, tx, user_id, sorted(known))
        unpinned = unpin(tx, pins_saying(tx, user_id, [memory.content for memory in known.values()]))
        counts["pins"] = len(unpinned)
        texts += [pin.content for pin in unpinned]
        decided = replace(
            proposal,
            memory_ids=(),
            reason=_FORGOTTEN,
            status=ProposalStatus.ACCEPTED,
            decided_by=by,
            updated_at=parts.now(),
        )
        # Erasing also deleted proposals that name the memories; this one must stay, so that it is not made again.
        proposals.delete(tx, user_id, proposal_id)
        proposals.add(tx, decided)
        return decided, counts, [*texts, proposal.reason]

    decided, counts, texts = await parts.database.erase(user_id, work)
    await finish(parts, user_id, counts, texts)
    return decided


# -- two names for one entity -----------------------------------------------------------------------------------


def _merge(parts: Parts, user_id: str, proposal_id: str, by: str, tx: Connection) -> Proposal:
    """Save alias and decision in one transaction, so that nobody can reject it halfway."""
    proposal = _found(tx, user_id, proposal_id)
    if _is_accepted(proposal):
        return proposal
    alias, into = proposal.entity_keys
    alias_of = aliases.of_user(tx, user_id)
    if canonical(alias, alias_of) != canonical(into, alias_of):
        try:
            add_alias(parts, tx, user_id, alias, into, reason=f"{proposal.reason} (decided by {by})")
        except NotFound as error:
            raise Conflict(
                f"{error.id} no longer exists, so there is nothing to merge. Reject the proposal."
            ) from error
    return _decide(parts, tx, proposal, ProposalStatus.ACCEPTED, by)
