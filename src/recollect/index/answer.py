"""The answer to a question about memories: the chosen slots of an index, the cards, and the hits with their records.

Here the candidates of an index meet the ranking rules. It reads no rows: the caller fetches the chosen ones in the same transaction.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import numpy as np
from numpy.typing import NDArray

from recollect.index.query import MemoryFilter, MessageQuery
from recollect.index.recall import Ranking, Weights, rank
from recollect.index.user_index import Candidates, UserIndex
from recollect.language.entity_names import other_names
from recollect.language.terms import terms
from recollect.records.entity import FACTS_PER_CARD, MIN_IMPORTANCE, make_card
from recollect.records.hit import Explain, Hit, SearchResult
from recollect.records.memory import MemoryRecord

#: Candidates by meaning, and by words: S4's 50.
CANDIDATES = 50
#: Cards per answer.
MAX_CARDS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """A question to the index."""

    model: str
    vector: NDArray[np.float32]
    words: tuple[str, ...]
    wanted: MemoryFilter
    limit: int
    now: datetime
    #: The text of the question, for the names in it.
    text: str = ""
    #: The key of the fact that it asks for.
    key: str | None = None
    episodes: MessageQuery | None = None


class Answer:
    """The chosen slots of an index, before the rows are fetched."""

    def __init__(
        self, weights: tuple[float, float, float], index: UserIndex, question: Question, asked: str | None
    ) -> None:
        similarity, recency, frequency = weights
        # A question about Bob also finds Robert, if both are one entity.
        others = terms(" ".join(other_names(question.text, index.alias_of))) if index.alias_of else []
        self._candidates = index.search(
            question.vector,
            (*question.words, *others),
            max(CANDIDATES, question.limit),
            question.wanted,
            asked,
        )
        slots = self._candidates.slots
        places: list[int] = slots.tolist()
        self._asked = asked
        keys = [index.entities[slot] for slot in places]
        age_days = (question.now.timestamp() * 1000 - index.column("updated")[slots]) / 86_400_000
        self._ranking = rank(
            cosine=self._candidates.cosine,
            bm25=self._candidates.bm25,
            age_days=age_days,
            entities=keys,
            weights=Weights(similarity=similarity, recency=recency, frequency=frequency),
            asked=np.array([index.ids[slot] == asked for slot in places], dtype=np.bool_) if asked else None,
        )
        self._order = [int(place) for place in self._ranking.order[: question.limit]]
        self._hits = [index.ids[places[place]] for place in self._order]
        # Entities that only implausible hits mention get no card.
        plausible = [place for place in self._order if self._ranking.plausibility[place] == 1.0]
        self.entities = list(dict.fromkeys(key for place in plausible for key in keys[place]))[:MAX_CARDS]
        self._facts = _card_facts(index, self.entities, question.wanted)
        self.memory_ids = list(
            dict.fromkeys([*self._hits, *(item for ids in self._facts.values() for item in ids)])
        )

    def filled(self, records: Mapping[str, MemoryRecord], labels: Mapping[str, str]) -> SearchResult:
        """The answer with its records, without deleted ones."""
        hits = [
            _hit(records[memory_id], self._candidates, self._ranking, place, asked=memory_id == self._asked)
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
        return SearchResult(hits=tuple(hits), cards=tuple(card for card in cards if card is not None))


def _card_facts(index: UserIndex, keys: Sequence[str], wanted: MemoryFilter) -> dict[str, list[str]]:
    """The ids of the best facts for the card of each entity."""
    if not keys:
        return {}
    visible = index.visible(MemoryFilter(persona_id=wanted.persona_id, any_persona=wanted.any_persona))
    importance, pinned = index.column("importance"), index.column("pinned")
    facts: dict[str, list[str]] = {}
    for key in keys:
        slots = index.best_of_entity(key)
        slots = slots[visible[slots] & (pinned[slots] | (importance[slots] >= MIN_IMPORTANCE))]
        if len(slots):
            facts[key] = [index.ids[slot] for slot in slots[:FACTS_PER_CARD].tolist()]
    return facts


def _hit(memory: MemoryRecord, candidates: Candidates, ranking: Ranking, place: int, *, asked: bool) -> Hit:
    explain = Explain(
        similarity=float(ranking.similarity[place]),
        recency=float(ranking.recency[place]),
        frequency=float(ranking.frequency[place]),
        plausibility=float(ranking.plausibility[place]),
        vector_rank=int(candidates.vector_rank[place]) or None,
        text_rank=int(candidates.text_rank[place]) or None,
        cosine=float(candidates.cosine[place]),
        bm25=float(candidates.bm25[place]),
        asked=asked,
        source_message_ids=memory.source_message_ids,
    )
    return Hit(memory=memory, score=float(ranking.score[place]), explain=explain)
