"""Enact: turn a judge's proposals into memories, todos, pins and proposals, in the caller's transaction.

`make_ready` first does everything that needs a model: it normalises statements and embeds them. Sources are checked here
again, for every judge: only the user's own messages in the batch count, and text that instructs a model is never kept.
This module does not know where the messages came from or how far a chat has been read.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

import numpy as np
from numpy.typing import NDArray

from recollect.encoder import tokens
from recollect.engine.forget_asked import Asked, carry_out, find, make_asked, wished
from recollect.engine.parts import Parts, Seen
from recollect.engine.pinned_elsewhere import renew_elsewhere
from recollect.engine.record import save_pins
from recollect.engine.remember import Prepared, Refused, Remembered, Saving, composed, cosine, prepare
from recollect.engine.told_todos import save_told, settle
from recollect.errors import InvalidInput
from recollect.index.user_index import UserIndex
from recollect.language.confidential import asks_not_to_keep
from recollect.language.contradiction import CLOSE, contradiction
from recollect.language.done_deed import ToldDeeds, told_deeds
from recollect.language.forgetting import Meant
from recollect.language.secret import holds_secret
from recollect.language.terms import terms
from recollect.records.chat import ChatRecord
from recollect.records.judgement import Judgement, ProposedForgetting, ProposedMemory
from recollect.records.memory import (
    MAX_REASONING,
    MAX_SOURCE_CONTEXT,
    MIN_REASONING,
    MemoryRecord,
    Origin,
    Source,
)
from recollect.records.message import Message
from recollect.records.pin import Pin, check_pin_content, check_pin_importance
from recollect.records.proposal import Proposal, ProposalKind
from recollect.records.todo import Todo, new_todo
from recollect.rules.draft import Draft, Request
from recollect.rules.duplicate import normalise
from recollect.rules.trust import instructs_model
from recollect.rules.user_edits import Decided
from recollect.store import links, memories, proposals, users
from recollect.store.database import Connection

#: Below this confidence a judge is guessing, and guesses about a person are not kept.
MIN_CONFIDENCE = 0.5
#: Neighbours that a new memory is compared with.
_NEIGHBOURS = 8
#: Memories with the most words in common, read to find one with the same text.
_SAME_WORDS = 3


class Moved(Exception):
    """The user's embedding model changed, or names were merged, after the statements were prepared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Ready:
    """A judgement with everything computed before its transaction."""

    judgement: Judgement
    prepared: Prepared
    todos: tuple[Todo, ...]
    pins: tuple[Pin, ...]
    forgettings: tuple[Asked, ...]
    #: What the user reports as done, and as no longer done.
    deeds: ToldDeeds
    #: Refused proposals of every kind, by reason.
    refused: Mapping[str, int]


@dataclass(slots=True, kw_only=True)
class Enacted:
    """The changes made by one judgement."""

    memories: list[Remembered] = field(default_factory=list[Remembered])
    #: New todos, todos reported as done, and todos no longer done.
    todos: int = 0
    closed: int = 0
    reopened: int = 0
    pins: int = 0
    contradictions: int = 0
    #: Memories erased at the user's request, and requests that wait for a decision or matched nothing.
    forgotten: int = 0
    asked: int = 0
    unfound: int = 0
    #: Erased rows by kind, and their texts; the caller erases the bytes from disk.
    erased: Counter[str] = field(default_factory=Counter[str])
    texts: list[str] = field(default_factory=list[str])


# -- before the transaction --------------------------------------------------------------------------------


async def make_ready(
    parts: Parts,
    seen: Seen,
    chat: ChatRecord,
    said: Sequence[Message],
    by_user: Sequence[Message],
    judgement: Judgement,
    *,
    earlier: Sequence[Message] = (),
    edited: bool = False,
) -> Ready:
    """Check and normalise every proposal, and embed new texts; only messages in `by_user` may be a source.

    `earlier` holds preceding messages; `edited` means that the text is new although the messages are not.
    """
    own = {message.message_id: message for message in by_user}
    refused: Counter[str] = Counter()
    requests = [
        request_for(item, said_at=max(own[source].created_at for source in item.source_message_ids))
        for item in judgement.memories
        if _may_be_kept(item, own, refused)
    ]
    shaped = composed(requests, seen)
    texts = list(dict.fromkeys(item.content for item in shaped if isinstance(item, Draft)))
    known = await parts.database.read(chat.user_id, partial(_known_vectors, parts, chat.user_id, seen, texts))
    prepared = await prepare(parts, seen, shaped, known=known)
    refused["not worth keeping"] += sum(isinstance(item, Refused) for item in prepared.composed)
    found = [item for item in judgement.forgettings if _is_own(item.source_message_ids, own, refused)]
    asked = wished(found, by_user)
    return Ready(
        judgement=judgement,
        prepared=prepared,
        todos=tuple(_todos(parts, chat, judgement, own, refused)),
        pins=tuple(_pins(parts, chat, judgement, own, refused)),
        forgettings=await _forgettings(parts, seen, said, asked),
        deeds=told_deeds(earlier, by_user, edited=edited),
        refused={reason: count for reason, count in refused.items() if count},
    )


def _may_be_kept(item: ProposedMemory, own: Mapping[str, Message], refused: Counter[str]) -> bool:
    if not _is_told(item.source_message_ids, own, refused):
        return False
    if item.confidence < MIN_CONFIDENCE:
        refused["uncertain"] += 1
        return False
    if instructs_model(item.content) or instructs_model(item.said):
        refused["instructs a model"] += 1
        return False
    return not _is_secret(item.content, refused)


def _is_secret(content: str, refused: Counter[str]) -> bool:
    """Whether it reveals a secret; secrets are never stored, whichever judge proposed them."""
    if not holds_secret(content):
        return False
    refused["a secret"] += 1
    return True


def _is_own(sources: Sequence[str], own: Mapping[str, Message], refused: Counter[str]) -> bool:
    """Whether the user said all of it; nobody else's words alone become a memory."""
    if sources and own.keys() >= set(sources):
        return True
    refused["not the user's words"] += 1
    return False


def _is_told(sources: Sequence[str], own: Mapping[str, Message], refused: Counter[str]) -> bool:
    """Whether the user said all of it and did not ask for it not to be kept."""
    if not _is_own(sources, own, refused):
        return False
    if any(asks_not_to_keep(own[source].text) for source in sources):
        refused["the user asked not to keep it"] += 1
        return False
    return True


def request_for(item: ProposedMemory, *, said_at: datetime | None = None) -> Request:
    """A proposed memory in the form of a caller's request to remember."""
    reasoning = item.reasoning.strip()[:MAX_REASONING]
    return Request(
        content=item.content,
        category=item.category.value if item.category else None,
        entity_refs=item.entity_refs,
        entity_label=item.entity_label,
        attribute=item.attribute,
        keyed_as=item.keyed_as,
        confidence=item.confidence,
        source=Source.SHADOW_EXTRACTION,
        origin=Origin.USER,
        # The surrounding text may contain a secret.
        source_context=None if holds_secret(item.said) else item.said[:MAX_SOURCE_CONTEXT],
        reasoning=reasoning if len(reasoning) >= MIN_REASONING else None,
        source_message_ids=item.source_message_ids,
        said_at=said_at,
        # Facts are shared by all personas (S4); a request to remember is made by the user.
        by_caller=item.asked_for,
        asked_for=item.asked_for,
    )


def _known_vectors(
    parts: Parts, user_id: str, seen: Seen, texts: Sequence[str], tx: Connection
) -> dict[str, NDArray[np.float32]]:
    """The vectors of texts identical to a memory's, so that repeated text is embedded only once."""
    state = users.state(tx, user_id)
    if state is None or not texts or state.embedding_model != seen.model:
        return {}
    found: dict[str, NDArray[np.float32]] = {}
    with parts.indexes.of(tx, user_id, state) as index:
        for content in texts:
            near = memories.get_many(tx, user_id, index.saying(terms(content), None, _SAME_WORDS))
            for memory in near.values():
                vector = index.vector(memory.memory_id)
                if vector is not None and normalise(memory.content) == normalise(content):
                    found[content] = vector
    return found


def _todos(
    parts: Parts, chat: ChatRecord, judgement: Judgement, own: Mapping[str, Message], refused: Counter[str]
) -> list[Todo]:
    """Todos, which belong to the persona they were mentioned to (S4)."""
    made: list[Todo] = []
    now = parts.now()
    for item in judgement.todos:
        if not _is_told(item.source_message_ids, own, refused):
            continue
        if item.confidence < MIN_CONFIDENCE or instructs_model(item.text):
            refused["no todo"] += 1
            continue
        if _is_secret(item.text, refused):
            continue
        try:
            made.append(
                new_todo(
                    user_id=chat.user_id,
                    todo_id=parts.new_id(now),
                    text=item.text,
                    kind=item.kind,
                    due_at=item.due_at,
                    persona_id=chat.persona_id,
                    source_message_ids=item.source_message_ids,
                    now=now,
                )
            )
        except InvalidInput:
            refused["no todo"] += 1
    return made


def _pins(
    parts: Parts, chat: ChatRecord, judgement: Judgement, own: Mapping[str, Message], refused: Counter[str]
) -> list[Pin]:
    made: list[Pin] = []
    for item in judgement.pins:
        if not _is_told([item.source_message_id], own, refused):
            continue
        try:
            content = check_pin_content(item.content)
            importance = check_pin_importance(item.importance_score)
        except InvalidInput:
            refused["no pin"] += 1
            continue
        if instructs_model(content):
            refused["instructs a model"] += 1
            continue
        if _is_secret(content, refused):
            continue
        at = own[item.source_message_id].created_at
        made.append(
            Pin(
                user_id=chat.user_id,
                pin_id=parts.new_id(at),
                chat_id=chat.chat_id,
                content=content,
                source_message_id=item.source_message_id,
                importance_score=importance,
                pin_type=item.pin_type,
                derived=True,
                tokens=tokens.count(content),
                created_at=at,
            )
        )
    return made


async def _forgettings(
    parts: Parts, seen: Seen, said: Sequence[Message], asked: Sequence[ProposedForgetting]
) -> tuple[Asked, ...]:
    vectors = await parts.embedders.soon(seen.model, [item.what for item in asked])
    return make_asked(asked, vectors, said, seen.alias_of)


# -- inside the transaction --------------------------------------------------------------------------------


def enact(parts: Parts, tx: Connection, chat: ChatRecord, ready: Ready, decided: Decided) -> Enacted:
    """Write everything that a judgement proposes, except where people have since decided otherwise.

    Raises `Moved` if it must be prepared again.
    """
    enacting = _Enacting(parts, tx, chat, ready, decided)
    enacting.run()
    return enacting.done


class _Enacting:
    """Writes one judgement in one transaction."""

    def __init__(
        self, parts: Parts, tx: Connection, chat: ChatRecord, ready: Ready, decided: Decided
    ) -> None:
        self._parts = parts
        self._tx = tx
        self._chat = chat
        self._user_id = chat.user_id
        self._ready = ready
        self._decided = decided
        self._found: list[tuple[Asked, Meant]] = []
        self._saving = Saving(parts, chat.user_id, ready.prepared, by="judge", decided=decided)
        # Use one timestamp: a proposal older than its memories could never be accepted.
        self._now = self._saving.now
        self.done = Enacted()

    def run(self) -> None:
        if self._ready.prepared.drafts:
            stored = self._saving.run(self._tx, self._hold_against_known)
            if stored is None:
                raise Moved
            self.done.memories = stored
            self._propose_held_keys(stored)
        elif self._ready.forgettings:
            self._look_without_statements()
        self.done.todos = save_told(self._tx, self._user_id, self._ready.todos, self._decided, self._now)
        settled = settle(self._tx, self._user_id, self._chat.persona_id, self._ready.deeds, self._now)
        self.done.closed, self.done.reopened = settled.closed, settled.reopened
        pinned = save_pins(self._tx, self._user_id, self._chat.chat_id, self._ready.pins)
        self.done.pins = len(pinned.added) + renew_elsewhere(
            self._parts, self._tx, self._user_id, self.done.memories
        )
        for asked, found in self._found:
            self._forget(asked, found)

    def _forget(self, asked: Asked, found: Meant) -> None:
        done = carry_out(self._parts, self._tx, self._user_id, asked, found)
        self.done.forgotten += bool(done.counts)
        self.done.asked += done.asked
        self.done.unfound += not done.counts and not done.asked
        self.done.erased.update(done.counts)
        self.done.texts += done.texts

    def _look_without_statements(self) -> None:
        state, seen = users.state(self._tx, self._user_id), self._ready.prepared.seen
        if state is None:
            return
        if (state.embedding_model, state.epoch) != (seen.model, seen.epoch):
            raise Moved
        with self._parts.indexes.of(self._tx, self._user_id, state) as index:
            self._look(index)

    def _hold_against_known(self, tx: Connection, index: UserIndex) -> None:
        for place, (record, vector) in enumerate(self._saving.added):
            if not record.current:
                # The same conversation has already replaced it.
                continue
            for other in self._neighbours(index, record, vector, place):
                if (reason := contradiction(record.content, other.content)) is not None:
                    self._propose(record, other, reason)
        self._look(index)

    def _look(self, index: UserIndex) -> None:
        for asked in self._ready.forgettings:
            found = find(self._parts, self._tx, index, self._chat, asked, self._saving.added)
            self._found.append((asked, found))

    def _neighbours(
        self, index: UserIndex, record: MemoryRecord, vector: NDArray[np.float32], place: int
    ) -> list[MemoryRecord]:
        """Similar known memories, and earlier statements from this judgement."""
        near = self._saving.near(index, record, vector, _NEIGHBOURS, CLOSE)
        known = memories.get_many(self._tx, self._user_id, list(near))
        here = [
            other.memory_id for other, beside in self._saving.added[:place] if cosine(beside, vector) > CLOSE
        ]
        known |= memories.get_many(self._tx, self._user_id, here)
        return [other for other in known.values() if other.current and other.memory_id != record.memory_id]

    def _propose_held_keys(self, stored: Sequence[Remembered]) -> None:
        """Propose a review where both facts were kept, for example the same name in another role."""
        for result in stored:
            if result.contradicts is not None:
                self._propose(result.memory, result.contradicts, result.reason)

    def _propose(self, new: MemoryRecord, old: MemoryRecord, reason: str) -> None:
        links.contradicts(self._tx, self._user_id, new.memory_id, old.memory_id, self._now)
        first, second = sorted((old.memory_id, new.memory_id))
        added = proposals.add(
            self._tx,
            Proposal(
                user_id=self._user_id,
                proposal_id=self._parts.new_id(self._now),
                kind=ProposalKind.CONTRADICTION,
                subject=f"{first}|{second}",
                memory_ids=(old.memory_id, new.memory_id),
                reason=reason,
                confidence=min(new.confidence, old.confidence),
                source_message_ids=new.source_message_ids,
                created_at=self._now,
                updated_at=self._now,
            ),
        )
        self.done.contradictions += added
