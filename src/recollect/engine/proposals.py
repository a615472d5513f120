"""Proposals: what waits for a decision is listed, and deciding does it.

Accepting does what the kind says and is safe to repeat: what is done already is left as it is. Memories that changed since
they were proposed are not touched: the user who accepts has not seen what they say now. Rejecting changes nothing but is
remembered. Nothing here proposes anything; the judge, the curator and the search for variants of names do.
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

#: What a decided request to forget says instead of its reason, which may quote what was forgotten.
_FORGOTTEN = "the user asked to forget something; it was erased"
#: Changed memories that a refusal names.
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
    """Newest first, starting after the proposal named by `after`; None means any."""
    return await parts.database.read(
        user_id, lambda tx: proposals.page(tx, user_id, status=status, kind=kind, limit=limit, after=after)
    )


async def accept(
    parts: Parts, user_id: str, proposal_id: str, *, by: str, keep: str | None = None
) -> Proposal:
    """Do what is proposed. `keep` names which of two memories that contradict each other stays; None: the newer."""
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
    """Leave everything as it is; the same is not proposed again."""
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
            f"There is no proposal {proposal_id!r}. List those that wait to see their ids.", id=proposal_id
        )
    return proposal


def _look(user_id: str, proposal_id: str, keep: str | None, tx: Connection) -> tuple[Proposal, bool]:
    """The proposal, and whether it was accepted before in the same sense."""
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
    """Whether there is nothing left to do; one that was rejected is refused. Asked again in the transaction that acts."""
    if proposal.status is ProposalStatus.ACCEPTED:
        return True
    _open(proposal, "Tell or edit the memories yourself instead.")
    return False


def _decide(parts: Parts, tx: Connection, proposal: Proposal, status: ProposalStatus, by: str) -> Proposal:
    now = parts.now()
    proposals.decide(tx, proposal.user_id, proposal.proposal_id, status, by, now)
    return replace(proposal, status=status, decided_by=by, updated_at=now)


def _unchanged(tx: Connection, proposal: Proposal, known: Iterable[MemoryRecord]) -> None:
    """Refuse to touch memories that changed since they were proposed; the proposal stays open."""
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
    """Archive the older of the two, or the one that is not to be kept; nothing where one is gone already."""
    state = parts.touch(tx, user_id, parts.embedders.default, parts.now())
    proposal, repeated = _look(user_id, proposal_id, keep, tx)
    if repeated:
        return proposal
    known = memories.get_many(tx, user_id, proposal.memory_ids)
    # Those of one moment in the order of the proposal, which names the older one first.
    named = [known[memory_id] for memory_id in proposal.memory_ids if memory_id in known]
    current = sorted((memory for memory in named if memory.current), key=lambda item: item.valid_from)
    if keep is not None and keep not in {memory.memory_id for memory in current}:
        raise Conflict(f"Memory {keep} is not current any more. Restore it first, or reject the proposal.")
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
    """That an accepted contradiction left standing what is to be kept; another choice is refused."""
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
    """Erase the memories named, all in one transaction; the proposal stays without a word of them."""

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
        # Erasing took the proposals along that name the memories; this one is to stay, so that nobody asks again.
        proposals.delete(tx, user_id, proposal_id)
        proposals.add(tx, decided)
        return decided, counts, [*texts, proposal.reason]

    decided, counts, texts = await parts.database.erase(user_id, work)
    await finish(parts, user_id, counts, texts)
    return decided


# -- two names for one entity -----------------------------------------------------------------------------------


def _merge(parts: Parts, user_id: str, proposal_id: str, by: str, tx: Connection) -> Proposal:
    """Alias and decision in one transaction: nobody rejects what is being done."""
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
                f"{error.id} is not known any more, so there is nothing to merge. Reject the proposal."
            ) from error
    return _decide(parts, tx, proposal, ProposalStatus.ACCEPTED, by)
