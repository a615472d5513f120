"""Remember: store a statement as a memory, or recognise it as a known one.

Load the user's state; compose and embed drafts outside any transaction; then, in one short transaction, read the nearest
memories and the one with the same key, decide, and write. Two writers for one user take turns on the user's row, so each
sees the other's changes and neither fails. If the embedding model fails, words are compared instead, and a job creates the
vectors.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

import numpy as np
from numpy.typing import NDArray

from recollect.engine.due_curation import leave_curation
from recollect.engine.parts import Parts, Seen
from recollect.engine.reembed import CATCH_UP
from recollect.engine.write import append_change, save_changed, save_mentioned, save_new
from recollect.errors import InvalidInput
from recollect.index.user_index import UserIndex
from recollect.language.contradiction import CLOSE
from recollect.language.ended import may_bear
from recollect.language.memory_key import same_keys
from recollect.language.terms import terms
from recollect.records.history import ChangeKind
from recollect.records.memory import MemoryRecord
from recollect.rules.curation import (
    Add,
    Decision,
    Duplicate,
    Outdated,
    Supersede,
    closed,
    decide,
    mentioned,
    only_ended,
)
from recollect.rules.draft import Draft, Request, compose, with_known
from recollect.rules.duplicate import SAME, normalise
from recollect.rules.user_edits import Decided
from recollect.store import links, memories, users
from recollect.store.database import Connection

log = logging.getLogger(__name__)

#: Neighbours read for each new fact; the nearest one decides, the rest are for ties.
_NEIGHBOURS = 5
#: Neighbours searched for the fact that a statement ends or resumes.
_ABOUT_IT = 16


@dataclass(frozen=True, slots=True, kw_only=True)
class Remembered:
    """A statement's outcome: `added`, `updated` (it replaced an older value) or `duplicate`."""

    outcome: str
    #: The stored memory; for a duplicate, the existing one.
    memory: MemoryRecord
    #: The older value that was replaced.
    previous: MemoryRecord | None = None
    #: A fact under the same key that stays beside it.
    contradicts: MemoryRecord | None = None
    reason: str = ""

    def __str__(self) -> str:
        return f"{self.outcome}: {self.memory}"

    @property
    def stored(self) -> bool:
        return self.outcome != "duplicate"

    def to_dict(self) -> dict[str, Any]:
        """S2's reply: success or duplicate."""
        if not self.stored:
            return {
                "success": False,
                "duplicate": True,
                "message": "Similar memory already exists",
                "existingContent": self.memory.content,
                "memoryId": self.memory.memory_id,
            }
        return {
            "success": True,
            "message": "Memory saved successfully",
            "memoryId": self.memory.memory_id,
            "content": self.memory.content,
            "category": self.memory.category.value,
        }

    def to_whole_dict(self) -> dict[str, Any]:
        """S2's reply, then the memories themselves."""
        return {
            **self.to_dict(),
            "outcome": self.outcome,
            "memory": self.memory.to_dict(),
            "previous": self.previous.to_dict() if self.previous else None,
            "contradicts": self.contradicts.to_dict() if self.contradicts else None,
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Refused:
    """A statement that was not stored, with the reason."""

    error: InvalidInput

    def __str__(self) -> str:
        return f"refused: {self.reason}"

    @property
    def reason(self) -> str:
        return self.error.message

    @property
    def field(self) -> str:
        return self.error.field

    def to_dict(self) -> dict[str, Any]:
        """S2's reply: error."""
        return {"success": False, "error": self.reason}

    def to_whole_dict(self) -> dict[str, Any]:
        """S2's reply, then the kind of the error and its field."""
        return {**self.to_dict(), "kind": type(self.error).__name__, "field": self.field}


async def remember(parts: Parts, user_id: str, request: Request, *, by: str) -> Remembered:
    """Store one statement; raise an error if it cannot be stored."""
    result = (await remember_many(parts, user_id, [request], by=by))[0]
    if isinstance(result, Refused):
        raise result.error
    return result


async def remember_many(
    parts: Parts, user_id: str, requests: Sequence[Request], *, by: str
) -> list[Remembered | Refused]:
    """Store many statements in one transaction; those that cannot be stored are returned with the reason."""
    seen = parts.seen.get(user_id) or await parts.look_at(user_id)
    while True:
        prepared = await prepare(parts, seen, composed(requests, seen))
        stored: list[Remembered] | None = []
        if prepared.drafts:
            saving = Saving(parts, user_id, prepared, by)
            stored = await parts.database.write(user_id, saving.run)
        if stored is None:
            seen = await parts.look_at(user_id)
            continue
        tell(user_id, stored)
        if not all(vector.size for vector in prepared.vectors):
            parts.bell.ring()
        rest = iter(stored)
        return [item if isinstance(item, Refused) else next(rest) for item in prepared.composed]


def tell(user_id: str, stored: Sequence[Remembered]) -> None:
    """Log statements' outcomes, once they are durable."""
    for result in stored:
        log.info("memory.%s user=%s memory_id=%s", result.outcome, user_id, result.memory.memory_id)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """Normalised statements with their vectors and token counts, all computed before the transaction."""

    seen: Seen
    composed: tuple[Draft | Refused, ...]
    #: The composed statements that can be stored, parallel to vectors and token counts. An empty vector is made later.
    drafts: tuple[Draft, ...]
    vectors: Sequence[NDArray[np.float32]]
    counts: Sequence[int]


def composed(requests: Sequence[Request], seen: Seen) -> tuple[Draft | Refused, ...]:
    """Normalise statements; those that cannot be stored are returned with the reason."""
    return tuple(_composed(request, seen) for request in requests)


async def prepare(
    parts: Parts,
    seen: Seen,
    composed: tuple[Draft | Refused, ...],
    *,
    known: Mapping[str, NDArray[np.float32]] = {},
) -> Prepared:
    """Embed and count the statements that can be stored; texts with `known` vectors are not embedded again."""
    drafts = tuple(draft for draft in composed if isinstance(draft, Draft))
    texts = list(dict.fromkeys(draft.content for draft in drafts))
    fresh = [text for text in texts if text not in known]
    made, sizes = await asyncio.gather(parts.embedders.soon(seen.model, fresh), parts.count(texts))
    vector_of = {**known, **dict(zip(fresh, made, strict=True))}
    size_of = dict(zip(texts, sizes, strict=True))
    return Prepared(
        seen=seen,
        composed=composed,
        drafts=drafts,
        vectors=[vector_of[draft.content] for draft in drafts],
        counts=[size_of[draft.content] for draft in drafts],
    )


def cosine(first: NDArray[np.float32], second: NDArray[np.float32]) -> float:
    """The cosine of two unit vectors; 0 if one has not been made yet."""
    return float(first @ second) if first.size and second.size else 0.0


def _composed(request: Request, seen: Seen) -> Draft | Refused:
    try:
        if not isinstance(request, Request):
            raise InvalidInput(
                f"add_many() takes texts and NewMemory values, not {type(request).__name__}.", field="items"
            )
        return compose(request, seen.alias_of)
    except InvalidInput as error:
        return Refused(error=error)


#: Called in the same transaction after the statements, with the index as it was before them.
Then = Callable[[Connection, UserIndex], None]


class Saving:
    """Writes statements in one transaction."""

    def __init__(
        self, parts: Parts, user_id: str, prepared: Prepared, by: str, decided: Decided | None = None
    ) -> None:
        self._parts = parts
        self._user_id = user_id
        self._prepared = prepared
        self._model = prepared.seen.model
        self._epoch = prepared.seen.epoch
        self._by = by
        #: Decisions that override older statements; None if there are none.
        self._decided = decided
        #: The timestamp of everything written in this transaction.
        self.now = parts.now()
        #: Memories added by this transaction, with vectors; the index gets them only after the commit.
        self.added: list[tuple[MemoryRecord, NDArray[np.float32]]] = []
        #: The ids of memories without a vector, by scope and words.
        self._said: dict[tuple[str | None, str], str] = {}

    def run(self, tx: Connection, then: Then | None = None) -> list[Remembered] | None:
        """Decide and write; None if the user's model changed or names were merged in the meantime."""
        state = self._parts.touch(tx, self._user_id, self._model, self.now)
        is_new = self._epoch is None and state.revision == 1
        if state.embedding_model != self._model or (not is_new and state.epoch != self._epoch):
            return None
        results: list[Remembered] = []
        self.added, self._said = [], {}
        drafts = self._prepared.drafts
        rows = zip(drafts, self._prepared.vectors, self._prepared.counts, strict=True)
        with self._parts.indexes.of(tx, self._user_id, state.before()) as index:
            names = index.names
            for number, (draft, vector, count) in enumerate(rows):
                draft = with_known(draft, names)
                decision = self._decide(tx, index, draft, vector)
                results.append(self._save(tx, decision, draft, vector, count, state.revision + number))
            if then is not None:
                then(tx, index)
        if len(drafts) > 1:
            users.advance(tx, self._user_id, len(drafts) - 1)
        if self.added:
            leave_curation(self._parts, tx, self._user_id, state, self.now)
        if self._said:
            self._parts.write_down(tx, self._user_id, [CATCH_UP])
        return results

    def _decide(
        self, tx: Connection, index: UserIndex, draft: Draft, vector: NDArray[np.float32]
    ) -> Decision:
        holder = self._holder(tx, index, draft)
        near = self.near(index, draft, vector, _NEIGHBOURS, SAME)
        known = memories.get_many(tx, self._user_id, list(near)) if near else {}
        neighbours = [(known[memory_id], value) for memory_id, value in near.items() if memory_id in known]
        neighbours += self._beside(draft, vector, SAME)
        if self._said and (same := self._said.get(_words(draft))) is not None:
            neighbours += [(record, 0.0) for record, _ in self.added if record.memory_id == same]
        if holder is not None and all(memory.memory_id != holder.memory_id for memory, _ in neighbours):
            neighbours.append((holder, self._cosine(index, holder, vector)))
        neighbours.sort(key=lambda item: -item[1])
        current = [item for item in neighbours if item[0].current]
        ended = self._ended(tx, index, draft, vector) if holder is None else None
        decision = decide(draft, current, holder, threshold=SAME, ended=ended)
        return decision if self._decided is None else self._decided.weigh(draft, decision)

    def near(
        self,
        index: UserIndex,
        of: Draft | MemoryRecord,
        vector: NDArray[np.float32],
        count: int,
        floor: float,
    ) -> dict[str, float]:
        """The nearest memories in the same scope with their cosines; by words if there is no vector."""
        if vector.size:
            return index.nearest(vector, of.persona_id, count, floor=floor)
        return dict.fromkeys(index.saying(terms(of.content), of.persona_id, count), 0.0)

    def _beside(
        self, draft: Draft, vector: NDArray[np.float32], floor: float
    ) -> list[tuple[MemoryRecord, float]]:
        """Memories added by this transaction that are nearer than this."""
        return [
            (record, value)
            for record, other in self.added
            if record.persona_id == draft.persona_id
            and other.size == vector.size
            and (value := float(other @ vector)) > floor
        ]

    def _ended(
        self, tx: Connection, index: UserIndex, draft: Draft, vector: NDArray[np.float32]
    ) -> MemoryRecord | None:
        """The known fact that this statement ends or resumes."""
        if not may_bear(draft.content):
            return None
        near = self.near(index, draft, vector, _ABOUT_IT, CLOSE)
        known = memories.get_many(tx, self._user_id, list(near)) if near else {}
        known |= {record.memory_id: record for record, _ in self._beside(draft, vector, CLOSE)}
        return only_ended(draft, (memory for memory in known.values() if memory.current), self.now)

    def _holder(self, tx: Connection, index: UserIndex, draft: Draft) -> MemoryRecord | None:
        """The memory that already states the fact, under the entity's current name or one merged into it since."""
        for key in same_keys(draft.memory_key, index.alias_of) if draft.memory_key else ():
            if (found := memories.by_key(tx, self._user_id, key, draft.persona_id)) is not None:
                return found
        return None

    def _cosine(self, index: UserIndex, holder: MemoryRecord, vector: NDArray[np.float32]) -> float:
        for record, other in self.added:
            if record.memory_id == holder.memory_id:
                return cosine(other, vector)
        return index.cosine(holder.memory_id, vector) if vector.size else 0.0

    def _save(
        self,
        tx: Connection,
        decision: Decision,
        draft: Draft,
        vector: NDArray[np.float32],
        tokens: int,
        revision: int,
    ) -> Remembered:
        match decision:
            case Duplicate():
                again = mentioned(decision.existing, draft)
                if again == decision.existing:
                    return Remembered(outcome="duplicate", memory=again, reason=decision.reason)
                note = self._note(revision)
                save_mentioned(tx, decision.existing, again, note, said=draft.content, reason=decision.reason)
                self._now_is(again)
                return Remembered(outcome="duplicate", memory=again, reason=decision.reason)
            case Outdated():
                return Remembered(outcome="duplicate", memory=decision.existing, reason=decision.reason)
            case Supersede():
                record = self._record(draft, tokens, supersedes=decision.old)
                old = closed(decision.old, by=record, now=self.now)
                save_changed(
                    tx, decision.old, old, ChangeKind.SUPERSEDED, self._note(revision), reason=decision.reason
                )
                self._now_is(old)
                self._add(tx, record, vector, revision)
                return Remembered(outcome="updated", memory=record, previous=old, reason=decision.reason)
            case Add():
                record = self._record(draft, tokens)
                if not decision.keyed:
                    record = replace(record, memory_key=None)
                self._add(tx, record, vector, revision)
                if decision.contradicts is not None:
                    older = decision.contradicts.memory_id
                    links.contradicts(tx, self._user_id, record.memory_id, older, self.now)
                return Remembered(
                    outcome="added", memory=record, contradicts=decision.contradicts, reason=decision.reason
                )

    def _now_is(self, changed: MemoryRecord) -> None:
        """Update a memory that this transaction added and then changed."""
        self.added = [
            (changed if record.memory_id == changed.memory_id else record, vector)
            for record, vector in self.added
        ]

    def _note(self, revision: int) -> tuple[int, datetime, str]:
        return revision, self.now, self._by

    def _record(self, draft: Draft, tokens: int, supersedes: MemoryRecord | None = None) -> MemoryRecord:
        record = draft.to_record(
            user_id=self._user_id, memory_id=self._parts.memory_id(self.now), now=self.now, tokens=tokens
        )
        if supersedes is None:
            return record
        # The user's settings for the fact are kept.
        return replace(
            record,
            supersedes=supersedes.memory_id,
            pinned=record.pinned or supersedes.pinned,
            tags=record.tags or supersedes.tags,
            # An end has the key of the fact it ends, so that the next statement replaces it.
            **({} if record.memory_key else _key_of(supersedes)),
        )

    def _add(self, tx: Connection, record: MemoryRecord, vector: NDArray[np.float32], revision: int) -> None:
        save_new(tx, record, vector, model=self._model, revision=revision)
        said = {"content": record.content, "category": record.category.value, "importance": record.importance}
        append_change(
            tx,
            record.user_id,
            record.memory_id,
            ChangeKind.CREATED,
            self._note(revision),
            reason=record.reasoning or "",
            new=said,
        )
        self.added.append((record, vector))
        if not vector.size:
            self._said[_words(record)] = record.memory_id


def _words(of: Draft | MemoryRecord) -> tuple[str | None, str]:
    """The statement, and to whom it was made."""
    return of.persona_id, normalise(of.content)


def _key_of(memory: MemoryRecord) -> dict[str, Any]:
    return {
        "memory_key": memory.memory_key,
        "entity_type": memory.entity_type,
        "fact_type": memory.fact_type,
    }
