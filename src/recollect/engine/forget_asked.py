"""Forget on request in a conversation: find the memory that the user means, and erase it or ask.

Candidates are found by words, meaning, key and the entity named in the request; `rules/forgetting` chooses among them. A
certain match is erased with everything that `forget` erases and the automatic pins that say the same; a decided proposal
records the event without the text. Otherwise an open proposal names the candidates. Messages are read only to
interpret a request (`language/forget_request`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from recollect.engine.forget import erase_memories
from recollect.engine.parts import Parts
from recollect.engine.remember import cosine
from recollect.engine.unpin import pins_saying, unpin
from recollect.errors import InvalidInput
from recollect.index.user_index import UserIndex
from recollect.language.forget_request import bare_topics, is_certain, means_everything
from recollect.language.forgetting import Candidate, Meant, meant
from recollect.language.terms import terms
from recollect.records.chat import ChatRecord
from recollect.records.judgement import ProposedForgetting
from recollect.records.memory import MemoryRecord, Status
from recollect.records.message import Message, said_at
from recollect.records.pin import Pin
from recollect.records.proposal import Proposal, ProposalKind, ProposalStatus
from recollect.rules.draft import Request, compose
from recollect.rules.duplicate import SAME, normalise
from recollect.store import entities, memories, proposals
from recollect.store.database import Connection

#: Candidates from each kind of search.
_LOOKED_AT = 20
#: Minimum cosine for a candidate; the words decide.
_NEAR = 0.5
#: Older values of a fact to check.
_PAST_VALUES = 20
#: Entities whose names are compared with a topic.
_NAMES = 2000
#: Memories named by a request to forget everything; the rest require `forget(everything=True)`.
MOST_OF_ALL = 200
#: Memories searched for these, because some may belong to another persona.
_PAGE = 2 * MOST_OF_ALL


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """A request to forget, ready for the search."""

    what: str
    #: The memory key that the text would have as a statement.
    key: str | None
    vector: NDArray[np.float32]
    message_ids: tuple[str, ...]
    #: Its unique identity: the message, and the request's number within it.
    subject: str
    #: The request's message and those after it; a fact that they state is not the one meant.
    since: frozenset[str]
    #: When it was said; facts from later messages in other batches and chats are not meant either.
    said_at: datetime
    #: Whether the user stated the fact and nothing in the message retracts it.
    certain: bool

    @property
    def everything(self) -> bool:
        """Whether it asks to forget everything rather than something specific."""
        return means_everything(self.what)


def wished(found: Sequence[ProposedForgetting], by_user: Sequence[Message]) -> tuple[ProposedForgetting, ...]:
    """The requests found by a judge, and those for everything or only a name, which a judge may miss."""
    known = {(normalise(item.what), source) for item in found for source in item.source_message_ids}
    more = (
        ProposedForgetting(what=what, said=said, source_message_ids=(message.message_id,))
        for message in by_user
        for what, said in bare_topics(message.text)
        if (normalise(what), message.message_id) not in known
    )
    return (*found, *more)


def make_asked(
    wishes: Sequence[ProposedForgetting],
    vectors: NDArray[np.float32],
    said: Sequence[Message],
    alias_of: Mapping[str, str],
) -> tuple[Asked, ...]:
    """Requests with everything computed before the transaction."""
    place = {message.message_id: number for number, message in enumerate(said)}
    numbers: dict[str, int] = {}
    made: list[Asked] = []
    for wish, vector in zip(wishes, vectors, strict=True):
        first = min(wish.source_message_ids, key=place.__getitem__)
        numbers[first] = numbers.get(first, 0) + 1
        made.append(
            Asked(
                what=wish.what,
                key=_key(wish.what, alias_of),
                vector=vector,
                message_ids=wish.source_message_ids,
                subject=first if numbers[first] == 1 else f"{first}#{numbers[first]}",
                since=frozenset(message.message_id for message in said[place[first] :]),
                said_at=said[place[first]].created_at,
                certain=is_certain(wish.what, wish.said, said[place[first]].text),
            )
        )
    return tuple(made)


def _key(what: str, alias_of: Mapping[str, str]) -> str | None:
    try:
        return compose(Request(content=what), alias_of).memory_key
    except InvalidInput:
        # A topic, not a statement.
        return None


def find(
    parts: Parts,
    tx: Connection,
    index: UserIndex,
    chat: ChatRecord,
    asked: Asked,
    added: Sequence[tuple[MemoryRecord, NDArray[np.float32]]],
) -> Meant:
    """The memories that a request means; `added` are from the same transaction and not yet indexed."""
    user_id = chat.user_id
    scopes = dict.fromkeys((None, chat.persona_id))
    if asked.everything:
        every = memories.page(tx, user_id, memories.Filter(status=Status.ACTIVE), limit=_PAGE)
        return Meant(
            named=tuple(item for item in every if item.persona_id in scopes and not _told_since(item, asked))
        )
    words = terms(asked.what)
    mentioned = _mentioning(tx, user_id, asked.what)
    ids = dict.fromkeys(mentioned)
    for scope in scopes:
        ids |= dict.fromkeys(index.nearest(asked.vector, scope, _LOOKED_AT, floor=_NEAR))
        ids |= dict.fromkeys(index.saying(words, scope, _LOOKED_AT))
        ids |= dict.fromkeys(_values(tx, user_id, asked.key, scope))
    fresh = {record.memory_id: cosine(vector, asked.vector) for record, vector in added}
    found = memories.get_many(tx, user_id, [*ids, *fresh])
    candidates = [
        Candidate(
            memory=memory,
            cosine=fresh.get(memory_id) or index.cosine(memory_id, asked.vector),
            mentions=memory_id in mentioned,
        )
        for memory_id, memory in found.items()
        if memory.persona_id in scopes and not _told_since(memory, asked)
    ]
    candidates.sort(key=lambda item: (-item.cosine, item.memory.memory_id))
    return meant(
        asked.what,
        asked.key,
        candidates,
        threshold=SAME,
        certain=asked.certain,
    )


def _told_since(memory: MemoryRecord, asked: Asked) -> bool:
    """Whether the fact was stated after the request, so that a second reading of the request must not erase it."""
    if not asked.since.isdisjoint(memory.source_message_ids):
        return True
    if not memory.source_message_ids:
        return memory.valid_from > asked.said_at
    return any(at > asked.said_at for at in map(said_at, memory.source_message_ids) if at is not None)


def _mentioning(tx: Connection, user_id: str, what: str) -> frozenset[str]:
    """The current memories about an entity, if the topic is only its name."""
    name = normalise(what.removeprefix("User's "))
    keys = [key for key, label in entities.names(tx, user_id, _NAMES).items() if normalise(label) == name]
    found = memories.get_many(tx, user_id, entities.memories_of(tx, user_id, keys)) if keys else {}
    return frozenset(memory_id for memory_id, memory in found.items() if memory.current)


def _values(tx: Connection, user_id: str, key: str | None, persona_id: str | None) -> list[str]:
    """A key's current and earlier values: "forget that I lived in Berlin" may mean any of them."""
    holder = memories.by_key(tx, user_id, key, persona_id) if key else None
    found: list[str] = []
    while holder is not None and len(found) < _PAST_VALUES:
        found.append(holder.memory_id)
        holder = memories.get(tx, user_id, holder.supersedes) if holder.supersedes else None
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """The outcome of a request."""

    #: Erased rows by kind; empty if none.
    counts: Mapping[str, int]
    #: Their texts.
    texts: Sequence[str] = ()
    #: Whether a proposal asks for a decision.
    asked: bool = False


def carry_out(parts: Parts, tx: Connection, user_id: str, asked: Asked, found: Meant) -> Done:
    """Erase certain matches and propose the others; a request decided before stays decided."""
    before = proposals.about(tx, user_id, ProposalKind.FORGETTING, asked.subject)
    if before is not None and before.status is not ProposalStatus.ACCEPTED:
        return Done(counts={}, asked=before.status is ProposalStatus.OPEN)
    if found.named:
        ids = tuple(memory.memory_id for memory in found.named[:MOST_OF_ALL])
        proposals.add(tx, _proposal(parts, user_id, asked, ids, _why_asked(asked, found.named)))
        return Done(counts={}, asked=True)
    gone = [] if found.sure is None else [found.sure]
    unpinned = _unpinned(tx, user_id, asked, gone)
    if not gone and not unpinned:
        return Done(counts={})
    counts, texts, what = dict[str, int](), [pin.content for pin in unpinned], "nothing but pins"
    if gone:
        counts, said = erase_memories(parts, tx, user_id, [memory.memory_id for memory in gone])
        texts += said
        what = f"memory {gone[0].memory_id} ({counts['memories']} versions)"
    if unpinned:
        counts["pins"] = len(unpinned)
        what += f", {len(unpinned)} pins"
    # After erasing, which also deletes proposals that name the memory; this one must stay.
    reason = f"the user asked for it, and it was erased: {what}"
    proposals.add(tx, _proposal(parts, user_id, asked, (), reason, accepted=True))
    return Done(counts=counts, texts=texts)


def _unpinned(tx: Connection, user_id: str, asked: Asked, gone: Sequence[MemoryRecord]) -> list[Pin]:
    """Delete and return the automatic pins that say what is forgotten and are older than the request."""
    if not asked.certain:
        return []
    said = [asked.what, *(memory.content for memory in gone)]
    return unpin(
        tx,
        [
            pin
            for pin in pins_saying(tx, user_id, said)
            if pin.source_message_id not in asked.since and pin.created_at <= asked.said_at
        ],
    )


def _why_asked(asked: Asked, named: Sequence[MemoryRecord]) -> str:
    """Why a decision is needed, without quoting the text."""
    if asked.everything:
        if len(named) > MOST_OF_ALL:
            return (
                f"the user asked to forget everything: the newest {MOST_OF_ALL} memories are named, there are more;"
                " forget(everything=True) erases all"
            )
        return f"the user asked to forget everything: {len(named)} memories"
    if len(named) > 1:
        return f"the user asked to forget something, and {len(named)} memories may be meant"
    if named[0].pinned:
        return "the user asked to forget something; this memory may be meant, but it is pinned"
    return "the user asked to forget something; this memory may be meant"


def _proposal(
    parts: Parts, user_id: str, asked: Asked, ids: tuple[str, ...], reason: str, *, accepted: bool = False
) -> Proposal:
    now = parts.now()
    return Proposal(
        user_id=user_id,
        proposal_id=parts.new_id(now),
        kind=ProposalKind.FORGETTING,
        subject=asked.subject,
        memory_ids=ids,
        reason=reason,
        confidence=1.0 if accepted else 0.5,
        source_message_ids=asked.message_ids,
        status=ProposalStatus.ACCEPTED if accepted else ProposalStatus.OPEN,
        decided_by="judge" if accepted else None,
        created_at=now,
        updated_at=now,
    )
