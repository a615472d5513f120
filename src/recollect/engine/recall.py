"""Recall: a question becomes the few memories that matter, in order, each with its reasons.

The question is embedded first, outside any transaction. One read then follows the database, searches the user's index,
ranks, picks the cards and fetches the rows that will be shown: a single trip to the store. Reading the past
(`as_of`) builds an index of that moment, which is slower and is not kept.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any, TypeVar

import numpy as np
from numpy.typing import NDArray

from recollect.domain.card import FACTS_PER_CARD, MIN_IMPORTANCE, Card, make_card
from recollect.domain.memory import MemoryRecord, check_text
from recollect.domain.recall import Explain, Hit, Ranking, Weights, rank
from recollect.domain.terms import terms
from recollect.engine.parts import Parts
from recollect.engine.past import PastState, past_state
from recollect.errors import InvalidInput
from recollect.store import aliases, entities, memories, users
from recollect.store.database import Connection
from recollect.store.postings import pack
from recollect.store.user_index import Candidates, UserIndex, Wanted

T = TypeVar("T")

#: Characters of a question; more is a text, not a question.
MAX_QUERY = 20_000
#: Entities of one answer that get a card.
MAX_CARDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Recalled:
    """An answer: hits best first, and cards of the entities that they mention."""

    hits: tuple[Hit, ...] = ()
    cards: tuple[Card, ...] = ()

    def to_dict(self) -> dict[str, Any]:
        """The shape on the wire."""
        return {
            "memories": [hit.to_dict() for hit in self.hits],
            "cards": [card.to_dict() for card in self.cards],
            "episodes": [],
        }


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question on its way to the index."""

    model: str
    vector: NDArray[np.float32]
    words: tuple[str, ...]
    wanted: Wanted
    limit: int
    now: datetime


class _OtherModel(Exception):
    """The user is served by another model than the question was embedded with."""


class _Overtaken(Exception):
    """The shared index has seen a later commit than this transaction: look again with a new one."""


async def recall(
    parts: Parts, user_id: str, query: str, *, wanted: Wanted, limit: int, as_of: datetime | None = None
) -> Recalled:
    """Find what matters for a question."""
    text = _checked(query)
    if limit < 1:
        raise InvalidInput("limit must be at least 1.", field="limit")
    if as_of is not None:
        return await ask(
            parts,
            text,
            wanted=wanted,
            limit=limit,
            user_id=user_id,
            now=as_of,
            read=lambda question: _search_past(parts, user_id, question, as_of),
        )
    found = await ask(
        parts,
        text,
        wanted=wanted,
        limit=limit,
        user_id=user_id,
        now=parts.now(),
        read=lambda question: parts.database.read(user_id, partial(search, parts, user_id, question)),
    )
    parts.accesses.record(user_id, [hit.memory.memory_id for hit in found.hits])
    return found


async def ask(
    parts: Parts,
    text: str,
    *,
    user_id: str,
    wanted: Wanted,
    limit: int,
    now: datetime,
    read: Callable[[Question], Awaitable[T]],
) -> T:
    """Embed a question and read with it; again if the user was moved to another model or an index ran ahead."""
    words = tuple(terms(text))
    seen = parts.seen.get(user_id)
    model = seen.model if seen else parts.embedders.default
    vector = (await parts.embed(model, [text]))[0]
    while True:
        question = Question(model=model, vector=vector, words=words, wanted=wanted, limit=limit, now=now)
        try:
            return await read(question)
        except _Overtaken:
            continue
        except _OtherModel:
            model = (await parts.look_at(user_id)).model
            vector = (await parts.embed(model, [text]))[0]


def _checked(query: str) -> str:
    text = check_text(query, field="query").strip()
    if not text:
        raise InvalidInput("query is empty; say what to look for.", field="query")
    if len(text) > MAX_QUERY:
        raise InvalidInput(f"query has {len(text)} characters (maximum {MAX_QUERY}).", field="query")
    return text


def search(parts: Parts, user_id: str, question: Question, tx: Connection) -> Recalled:
    """The answer, inside somebody's transaction."""
    state = users.state(tx, user_id)
    if state is None:
        return Recalled()
    if state.embedding_model != question.model:
        raise _OtherModel
    with parts.indexes.of(tx, user_id, state) as index:
        if index.state.revision > state.revision:
            raise _Overtaken
        answer = _Answer(parts, index, question)
    records = memories.get_many(tx, user_id, answer.memory_ids)
    return answer.filled(records, entities.labels(tx, user_id, answer.entities))


async def _search_past(parts: Parts, user_id: str, question: Question, moment: datetime) -> Recalled:
    """Search what was true at a moment; texts that have changed since are embedded again."""

    def load(tx: Connection) -> tuple[PastState, dict[str, str], Mapping[str, str]] | None:
        state = users.state(tx, user_id)
        if state is None:
            return None
        if state.embedding_model != question.model:
            raise _OtherModel
        past = past_state(tx, user_id, state, moment)
        refs = sorted({ref for record in past.records for ref in record.entity_refs})
        return past, entities.labels(tx, user_id, refs), aliases.of_user(tx, user_id)

    loaded = await parts.database.read(user_id, load)
    if loaded is None or not loaded[0].records:
        return Recalled()
    past, labels, alias_of = loaded
    matrix = past.matrix
    if past.changed:
        rewritten = await parts.embed(
            question.model, [past.records[number].content for number in past.changed]
        )
        matrix = (
            matrix.copy()
            if matrix.size
            else np.zeros((len(past.records), rewritten.shape[1]), dtype=np.float32)
        )
        matrix[list(past.changed)] = rewritten

    def answered() -> Recalled:
        packed = [(record, pack(record.content)) for record in past.records]
        index = UserIndex.of_records(packed, matrix, past.state, alias_of)
        records = {record.memory_id: record for record in past.records}
        return _Answer(parts, index, question).filled(records, labels)

    # In a thread: indexing a large past takes seconds.
    return await asyncio.to_thread(answered)


class _Answer:
    """The chosen slots of an index, before the rows are fetched."""

    def __init__(self, parts: Parts, index: UserIndex, question: Question) -> None:
        settings = parts.settings
        weights = Weights(
            similarity=settings.weight_similarity,
            recency=settings.weight_recency,
            frequency=settings.weight_frequency,
            half_life_days=settings.recency_half_life_days,
        )
        self._candidates = index.search(
            question.vector, question.words, max(settings.candidates, question.limit), question.wanted
        )
        slots = self._candidates.slots
        places: list[int] = slots.tolist()
        keys = [index.entities[slot] for slot in places]
        age_days = (question.now.timestamp() * 1000 - index.column("updated")[slots]) / 86_400_000
        self._ranking = rank(
            cosine=self._candidates.cosine,
            bm25=self._candidates.bm25,
            age_days=age_days,
            entities=keys,
            weights=weights,
        )
        self._order = [int(place) for place in self._ranking.order[: question.limit]]
        self._hits = [index.ids[places[place]] for place in self._order]
        # A card for somebody whom only an implausible hit mentions would be noise on top of the answer.
        plausible = [place for place in self._order if self._ranking.plausibility[place] == 1.0]
        self.entities = list(dict.fromkeys(key for place in plausible for key in keys[place]))[:MAX_CARDS]
        self._facts = _card_facts(index, self.entities, question.wanted)
        self.memory_ids = list(
            dict.fromkeys([*self._hits, *(item for ids in self._facts.values() for item in ids)])
        )

    def filled(self, records: Mapping[str, MemoryRecord], labels: Mapping[str, str]) -> Recalled:
        """The answer with its records; a row that vanished in between is left out."""
        hits = [
            _hit(records[memory_id], self._candidates, self._ranking, place)
            for memory_id, place in zip(self._hits, self._order, strict=True)
            if memory_id in records
        ]
        cards = [
            make_card(
                key,
                labels.get(key, key.partition(":")[2]),
                [records[item] for item in ids if item in records],
            )
            for key, ids in self._facts.items()
        ]
        return Recalled(hits=tuple(hits), cards=tuple(card for card in cards if card is not None))


def _card_facts(index: UserIndex, keys: Sequence[str], wanted: Wanted) -> dict[str, list[str]]:
    """For each entity the ids of the facts that may go on its card, the best few."""
    if not keys:
        return {}
    visible = index.visible(Wanted(persona_id=wanted.persona_id, any_persona=wanted.any_persona))
    importance, pinned, created = index.column("importance"), index.column("pinned"), index.column("created")
    facts: dict[str, list[str]] = {}
    for key in keys:
        slots = index.slots_of_entity(key)
        slots = slots[visible[slots] & (pinned[slots] | (importance[slots] >= MIN_IMPORTANCE))]
        order = np.lexsort((-created[slots], -importance[slots], ~pinned[slots]))[:FACTS_PER_CARD]
        if len(order):
            facts[key] = [index.ids[slot] for slot in slots[order].tolist()]
    return facts


def _hit(memory: MemoryRecord, candidates: Candidates, ranking: Ranking, place: int) -> Hit:
    explain = Explain(
        similarity=float(ranking.similarity[place]),
        recency=float(ranking.recency[place]),
        frequency=float(ranking.frequency[place]),
        plausibility=float(ranking.plausibility[place]),
        vector_rank=int(candidates.vector_rank[place]) or None,
        text_rank=int(candidates.text_rank[place]) or None,
        cosine=float(candidates.cosine[place]),
        bm25=float(candidates.bm25[place]),
        source_message_ids=memory.source_message_ids,
    )
    return Hit(memory=memory, score=float(ranking.score[place]), explain=explain)
